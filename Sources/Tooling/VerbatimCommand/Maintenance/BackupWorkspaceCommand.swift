// `verbatim backup` and `verbatim restore`: copies a workspace to a backup, and back.
internal import EventLog
internal import EventLogPostgres
internal import Files
internal import JSONLines
internal import Verbatim

/// The command that copies a workspace.
struct BackupWorkspaceCommand: Command {
  static let name = "backup"
  static let summary = "Copies a workspace, even while in use, into a new directory."
  static let details = """
    The copy is a workspace with a consistent log, the checkpoints of its tables, its seals, and the contents
    of attachments; index, tables and snapshots are rebuilt from these. The copy is verified, unless switched
    off, and removed if it is damaged. `verbatim restore` copies it back. A workspace on a server has no
    checkpoints; its copy is a workspace in a directory, with the same blocks and chain hash.

    The copy of an erasable workspace has no keys, and its content cannot be read without them. With
    --with-keys, the file `keys` is copied, too, but never the master key: keep that elsewhere. Content that
    is erased later can be read in a copy with keys, so destroy old ones.
    """

  static let examples = ["verbatim backup chat backups/monday", "verbatim backup chat backups/monday --with-keys"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .positional("TO", "The directory of the copy; it must not exist yet.", \.destination),
      .flag("with-keys", "Copies the keys of an erasable workspace, too.", \.hasKeys),
      .flag("no-verify", "Does not verify the copy.", \.trusts),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var destination = ""
  var hasKeys = false
  var trusts = false
  var isJSON = false

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireDirectory(destination, orElse: "give a directory, or copy with `mirror --once`")
    DamageGuard.install(for: path, in: context)
    let progress = MaintenanceProgress(in: context)
    let copied = try cared { () throws(MaintenanceError) in
      defer { progress.end() }
      return try WorkspaceFiles(at: path, cacheDirectory: context.configuration.cacheDirectory).backUp(
        to: destination, verifies: !trusts, hasKeys: hasKeys
      ) { progress.reach($0) }
    }
    try context.report(isJSON ? copied.json : "The workspace at \(path) was copied to \(destination).\n" + copied.text)
    return .done
  }
}

/// The command that restores a workspace from a backup.
struct RestoreCommand: Command {
  static let name = "restore"
  static let summary = "Restores a backup into a new directory."
  static let details = """
    The backup is verified before it is copied, and is not changed; the copy is verified, too. Events
    appended to the original workspace after the backup are missing. If both are used, they diverge.

    A backup of either kind is also restored to a new log on a server, unless the workspace is erasable. If
    that is interrupted, the same command continues it. Contents of attachments are then stored in the
    database, or, with --blobs, in a directory that every machine has under the same path.
    """

  static let examples = [
    "verbatim restore backups/monday chat", "verbatim restore backups/monday 'postgres://db/chat?log=team'",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("BACKUP", "The directory of the backup.", \.backup),
      .positional("DIR", "The directory of the workspace, or an address on a server; it must not exist yet.", \.path),
      .option("blobs", "SHARED", "The directory for contents of attachments of a log on a server.", \.blobs),
      .flag("json", "Reports one line of JSON.", \.isJSON),
    ]
  }

  var backup = ""
  var path = ""
  var blobs: String?
  var isJSON = false

  func contradiction() -> String? { InitCommand.contradiction(blobs, path) }

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireDirectory(backup, orElse: "give the directory of a backup")
    DamageGuard.install(for: PostgresAddress.isAddress(path) ? backup : path, in: context)
    let progress = MaintenanceProgress(in: context)
    let copied = try cared { () throws(MaintenanceError) in
      defer { progress.end() }
      return try WorkspaceFiles(at: backup, cacheDirectory: context.configuration.cacheDirectory).restore(
        to: path, blobDirectory: blobs.map { FileSystem.resolved($0) }
      ) { progress.reach($0) }
    }
    try context.report(isJSON ? copied.json : "The backup at \(backup) was copied to \(path).\n" + copied.text)
    return .done
  }
}

extension WorkspaceFiles.Copied {
  fileprivate var text: String {
    var rows: [(String, String)] = [
      ("events", head.position.rawValue.grouped),
      ("chain hash", "\(head.hash)"),
      ("checkpoints", hasCheckpoints ? "copied" : "none"),
      ("blobs", "\(blobs), \(counted(blobByteCount, "byte"))"),
      ("checked", isVerified ? "every block and every blob" : "no"),
    ]
    if hasKeys { rows.append(("keys", "copied, without the master key")) }
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
      writer.key("keys")
      writer.bool(hasKeys)
      writer.member("blobs", blobs)
      writer.member("blobByteCount", blobByteCount)
      writer.key("verified")
      writer.bool(isVerified)
    }
    return writer.text + "\n"
  }
}
