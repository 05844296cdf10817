// `verbatim rotate-key`: replaces the master key of an erasable workspace.
internal import ContentKeys
internal import Verbatim

/// The command that encrypts the keys with another master key.
struct RotateKeyCommand: Command {
  static let name = "rotate-key"
  static let summary = "Replaces the master key of an erasable workspace."
  static let details = """
    The keys in the file keys are encrypted with a new, random master key, which takes the place of the one in
    the file master-key; with --new-key-in, with the one in an environment variable. Content stays as it is. The
    earlier master key no longer decrypts the keys; copies of keys that were made before need it.

    Other processes that have the workspace open go on, if the master key is in the file; else they need
    the new one, and are opened anew.
    """
  static let examples = [
    "verbatim rotate-key chat", "verbatim rotate-key chat --new-key-in NEW_MASTER_KEY",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace.", \.path),
      .option("new-key-in", "NAME", "The environment variable with the new master key.", \.variable),
    ]
  }

  var path = ""
  var variable: String?

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireDirectory(path, orElse: "replace the key where the directory is")
    let workspace = try openWorkspace(path, context.configuration, in: context)
    defer { workspace.closeBlocking() }
    let new = variable.map { MasterKey.environment($0) }
    try waited { () async throws(Failure) in
      do throws(MaintenanceError) { try await workspace.replaceMasterKey(by: new) } catch { throw Failure(error) }
    }
    try context.report("The keys of \(path) have a new master key.\n")
    return .done
  }
}
