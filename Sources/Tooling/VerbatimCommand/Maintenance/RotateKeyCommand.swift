// `verbatim rotate-key`: replaces the keys of an erasable workspace.
internal import ContentKeys
internal import Verbatim

/// The command that encrypts the keys with another master key, and replaces them for later content.
struct RotateKeyCommand: Command {
  static let name = "rotate-key"
  static let summary = "Replaces the master key of an erasable workspace."
  static let details = """
    The keys in the file keys are encrypted with a new, random master key, which takes the place of the one in
    the file master-key; with --new-key-in, with the one in an environment variable. Content stays as it is. The
    earlier master key no longer decrypts the keys; copies of keys that were made before need it.

    With --content, users and channels get new keys as well, for what is written from now on: a copy of the
    earlier keys does not decrypt it, even with the earlier master key.

    Other processes that have the workspace open go on, if the master key is in the file; else they need
    the new one, and are opened anew.
    """
  static let examples = [
    "verbatim rotate-key chat", "verbatim rotate-key chat --new-key-in NEW_MASTER_KEY",
    "verbatim rotate-key chat --content",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace.", \.path),
      .option("new-key-in", "NAME", "The environment variable with the new master key.", \.variable),
      .flag("content", "Replaces the keys of users and channels, too.", \.isOfContent),
    ]
  }

  var path = ""
  var variable: String?
  var isOfContent = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireDirectory(path, orElse: "replace the key where the directory is")
    let workspace = try openWorkspace(path, context.configuration, in: context)
    defer { workspace.closeBlocking() }
    let new = variable.map { MasterKey.environment($0) }
    try waited { () async throws(Failure) in
      do throws(MaintenanceError) {
        try await workspace.replaceMasterKey(by: new)
        if isOfContent { try await workspace.replaceContentKeys() }
      } catch {
        throw Failure(error)
      }
    }
    let rest = isOfContent ? ", and users and channels have new keys for what is written from now on" : ""
    try context.report("The keys of \(path) have a new master key\(rest).\n")
    return .done
  }
}
