// `verbatim backup` and `verbatim restore`: copies a workspace to a backup, and back.
internal import EventLog
internal import JSONLines
internal import Verbatim

/// The command that copies a workspace.
struct BackupWorkspaceCommand: Command {
  static let name = "backup"
  static let summary = "Copies a workspace, which may be in use, into a new directory."
  static let details = """
    The copy has the log as of one moment, the checkpoints of its tables, and the contents of attachments;
    index, tables and snapshots are made anew from these. It is read again from end to end, unless that
    is not wanted, and is thrown away if it is not whole. It is a workspace like the first:
    `verbatim restore` copies it back.
    """

  static let examples = ["verbatim backup chat backups/monday", "verbatim backup chat backups/monday --json"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace.", \.path),
      .positional("TO", "The directory of the copy; it must not be there yet.", \.destination),
      .flag("no-verify", "Does not read the copy again.", \.trusts),
      .flag("json", "Reports as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var destination = ""
  var trusts = false
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: path, in: context)
    let progress = MaintenanceProgress(in: context)
    let copied = try cared { () throws(MaintenanceError) in
      defer { progress.end() }
      return try WorkspaceFiles(at: path).backUp(to: destination, verifies: !trusts) { progress.reach($0) }
    }
    try context.report(isJSON ? copied.json : "The workspace at \(path) was copied to \(destination).\n" + copied.text)
    return .done
  }
}

/// The command that restores a workspace from a backup.
struct RestoreCommand: Command {
  static let name = "restore"
  static let summary = "Makes a workspace of a backup, in a new directory."
  static let details = """
    The backup is read from end to end before anything is made, and is not changed; so is the copy. What
    was appended to the old workspace since is not in it: while both are used, they are two chats that
    began as one.
    """

  static let examples = ["verbatim restore backups/monday chat"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("BACKUP", "The directory of the backup.", \.backup),
      .positional("DIR", "The directory of the workspace; it must not be there yet.", \.path),
      .flag("json", "Reports as one line of JSON.", \.isJSON),
    ]
  }

  var backup = ""
  var path = ""
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    DamageGuard.install(for: path, in: context)
    let progress = MaintenanceProgress(in: context)
    let copied = try cared { () throws(MaintenanceError) in
      defer { progress.end() }
      return try WorkspaceFiles(at: backup).restore(to: path) { progress.reach($0) }
    }
    try context.report(isJSON ? copied.json : "The backup at \(backup) was copied to \(path).\n" + copied.text)
    return .done
  }
}

extension WorkspaceFiles.Copied {
  fileprivate var text: String {
    let rows: [(String, String)] = [
      ("events", head.position.rawValue.grouped),
      ("chain hash", "\(head.hash)"),
      ("checkpoints", hasCheckpoints ? "copied" : "none"),
      ("blobs", "\(blobs), \(counted(blobByteCount, "byte"))"),
      ("checked", isVerified ? "every block and every blob" : "no"),
    ]
    return rows.map { $0 + String(repeating: " ", count: 13 - $0.count) + $1 + "\n" }.joined()
  }

  fileprivate var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("events", head.position.rawValue)
      writer.member("blocks", head.blocks)
      writer.member("hash", "\(head.hash)")
      writer.key("checkpoints")
      writer.bool(hasCheckpoints)
      writer.member("blobs", blobs)
      writer.member("blobByteCount", blobByteCount)
      writer.key("verified")
      writer.bool(isVerified)
    }
    return writer.text + "\n"
  }
}
