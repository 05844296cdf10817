// The state recorded in a workspace's files, read before anything is opened that would change them.
internal import ChatProjections
internal import ContentKeys
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import EventLogPostgres
internal import Verbatim
internal import Projections

/// The state of a workspace's files: the length of the log's file, and whether derived data is on the log's chain.
struct StoredState {
  private let path: String
  /// The damage to the log's file; nil if there is none.
  private let damage: String?
  /// Each part of the index and the tables that contradicts the log, with a short reason.
  private var contradictions: [String] = []
  /// The damaged tables, each with a short reason.
  private var damages: [String] = []
  /// The tables of projections that this program does not have.
  private(set) var unknown: [TablesOnDisk] = []
  /// The settings of a server with which acknowledged events can be lost, and the damaged tables of other programs: a
  /// sentence each.
  private(set) var warnings: [String] = []

  /// Reads the files of a workspace; derived data is read only where the log's file is undamaged.
  init(at path: String, in context: Context) throws(Failure) {
    self.path = path
    let isDirectory = !PostgresAddress.isAddress(path)
    damage =
      isDirectory
      ? try rethrow(
        LogCheck.quickCheck(logAt: path).damage, as: { (error: OpenError) in Failure(asking: .log(error)) }) : nil
    guard damage == nil else { return }
    let log = try rethrow(
      openedLog(path, .reading, in: context), as: { (error: OpenError) in Failure(asking: .log(error)) })
    defer { log.close() }
    if let defect = (log as? LMDBLog)?.indexDefect() { contradictions.append("the index \(defect)") }
    warnings = (log as? PostgresLog)?.warnings ?? []
    let directory = (log as? PostgresLog)?.derivedPath ?? path
    let erasures = log.genesis.isErasable && contradictions.isEmpty ? try Self.erasureCount(of: path, in: context) : 0
    let known = Set(context.configuration.projectionSets.all.map { Fingerprint(of: $0, erasures: erasures).text })
    let storedTables = try rethrow(
      ProjectionStore.storedTables(in: ProjectionSets.directory(ofWorkspaceAt: directory), of: log),
      as: { (error: ProjectionError) in Failure(care: error) })
    for tables in storedTables {
      let isKnown = known.contains(tables.fingerprint)
      if !isKnown { unknown.append(tables) }
      switch tables.status {
      case .damaged(let defect) where isKnown: damages.append("the tables \(tables) \(defect)")
      case .damaged(let defect):
        warnings.append(
          "The tables \(tables), of another program, \(defect): that program rebuilds them when it opens the workspace,"
            + " and `\(context.command("rebuild", path))` removes them after a week without use.")
      // Tables ahead of the log show that it has lost its last events, whichever program folded them.
      case .offChain(let defect): contradictions.append("the tables \(tables) \(defect)")
      case .sound, .stale, .unreadable: break
      }
    }
    let missing = try rethrow(
      ProjectionStore.missingTails(in: ProjectionSets.directory(ofWorkspaceAt: directory), of: log),
      as: { (error: ProjectionError) in Failure(care: error) })
    for tail in missing {
      contradictions.append("\(tail.path) is at position \(tail.position), and the log ends at \(tail.end)")
    }
  }

  /// Returns the number of erasures in the log of a workspace, on which the names of its tables depend.
  private static func erasureCount(of path: String, in context: Context) throws(Failure) -> Int {
    let store = try openStore(path, in: context, isGuarded: false)
    defer { store.close() }
    return try asked { () throws(LogError) in try store.erasures().count }
  }

  /// Throws for damage and contradictions. Opening would rebuild index and tables, and a log that has lost its newest
  /// events would be taken for complete.
  func requireSound(in context: Context) throws(Failure) {
    if let damage {
      throw Failure(
        .refused,
        "The file of the log at \(path) is damaged (\(damage)): restore a backup, or salvage the intact blocks with "
          + "`\(context.command("log", "salvage", path))`.")
    }
    if contradictions.isEmpty, !damages.isEmpty {
      throw Failure(
        .refused,
        "The index or tables of the log at \(path) are damaged: \(damages.joined(separator: "; ")). Nothing was "
          + "opened or "
          + "changed: `\(context.command("rebuild", path))` rebuilds them from the log.")
    }
    guard !contradictions.isEmpty else { return }
    throw Failure(
      .refused,
      "The index or tables do not match the log at \(path): "
        + "\((contradictions + damages).joined(separator: "; ")). Nothing was opened or changed. Check the log with "
        + "`\(context.command("log", "verify", path))` and compare it with a backup; if it has every event, "
        + "`\(context.command("rebuild", path, "--discard-ahead"))` rebuilds them.")
  }
}
