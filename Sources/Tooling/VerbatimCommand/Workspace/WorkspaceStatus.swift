// The status of a workspace: its statistics, the sizes of its files, and its problems.
internal import Chat
internal import ChatProjections
internal import EventLog
internal import Foundation
internal import Verbatim
internal import Projections

/// The status of a workspace at one moment.
struct WorkspaceStatus: Sendable {
  let path: String
  let genesis: Genesis
  let statistics: Statistics
  /// The numbers of users, channels and messages; nil where counting them would take long.
  let counts: Counts?
  /// The byte count of each part of the directory.
  let sizes: [(name: String, bytes: Int)]
  let snapshots: [Position]
  let checkpoints: [Position]
  let stops: [ProjectionStop]
  /// The problems, each with its remedy.
  let advice: [String]
  /// The tables of projections that this program does not have.
  let unknown: [TablesOnDisk]

  /// The numbers of users, channels and messages.
  struct Counts: Hashable, Sendable {
    var users = 0
    var channels = 0
    var messages = 0
    /// The first ids of users that name a person, which no erasure removes; only of an erasable workspace.
    var idsOfPersons: [String] = []
    static let idsOfPersonsMax = 100
  }

  /// The maximum lag of the tables at which they are caught up only to count their rows.
  private static let lagMax = 100_000

  init(of workspace: Workspace, at path: String, besides stored: StoredState? = nil) throws(ProjectionError) {
    unknown = stored?.unknown ?? []
    let before = try workspace.statistics()
    let lag = max(before.state.lag, before.others?.lag ?? 0)
    counts = lag <= Self.lagMax ? try Counts(in: workspace) : nil
    self.path = path
    genesis = workspace.store.log.genesis
    statistics = try workspace.statistics()
    sizes = Self.sizes(in: workspace.path)
    snapshots = workspace.projections.snapshots
    checkpoints = try workspace.projections.checkpoints().map(\.position)
    stops = workspace.stops
    let clock = ClockState(of: statistics.log.head, at: Timestamp(rawValue: workspace.configuration.clock().rawValue))
    advice =
      (stored?.warnings ?? []) + Advice(statistics, stops, reserve: workspace.configuration.freeSpaceReserve).sentences
      + [clock.advice(path)].compactMap(\.self)
  }

  /// The readers of each file.
  var readers: [(name: String, readers: Statistics.Readers)] {
    let tables = [("state", statistics.state.file.readers), ("others", statistics.others?.file.readers)]
    return [("log", statistics.log.file.readers), ("index", statistics.log.index.readers)]
      + tables.compactMap { name, readers in readers.map { (name, $0) } }
  }

  // MARK: Sizes

  private static func sizes(in path: String) -> [(name: String, bytes: Int)] {
    let known = [
      ("log", "log"), ("index", "index"), ("snapshots", "projections/snapshots"),
      ("checkpoints", "projections/checkpoints"),
      ("projections", "projections"), ("blobs", "blobs"), ("outbox", "outbox"),
    ]
    var bytes: [String: Int] = [:]
    let files = FileManager.default.enumerator(atPath: path)
    while let file = files?.nextObject() as? String {
      guard files?.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
      let size = (files?.fileAttributes?[.size] as? NSNumber)?.intValue ?? 0
      let part = known.first { file == $0.1 || file.hasPrefix($0.1 + "/") }?.0 ?? "other"
      bytes[part, default: 0] += size
    }
    let names = ["log", "index", "projections", "snapshots", "checkpoints", "blobs", "outbox", "other"]
    return names.map { ($0, bytes[$0] ?? 0) }
  }
}

extension WorkspaceStatus.Counts {
  fileprivate init(in workspace: Workspace) throws(ProjectionError) {
    // All projections catch up, so that one that stops on the way is reported.
    try workspace.catchUpProjections()
    let isErasable = workspace.isErasable
    let counts = try workspace.projections.read { reading throws(ProjectionError) in
      var counts = WorkspaceStatus.Counts()
      try reading.forEachRow(of: ChatState.users) { (_, user: User) in
        counts.users += 1
        if isErasable, counts.idsOfPersons.count < WorkspaceStatus.Counts.idsOfPersonsMax, namesPerson(user.id) {
          counts.idsOfPersons.append(user.id.text)
        }
        return true
      }
      try reading.forEachRow(of: ChatState.channels) { (_, channel: Channel) in
        if channel.deleted == nil { counts.channels += 1 }
        counts.messages += Int(channel.newest.rawValue)
        return true
      }
      return counts
    }
    self = counts
  }
}

/// Returns whether an id looks like an e-mail address or a telephone number.
func namesPerson(_ id: User.ID) -> Bool {
  if let at = id.text.firstIndex(of: "@") { return id.text[at...].dropFirst().contains(".") }
  let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
  return (7...15).contains(id.text.utf8.count(where: isDigit))
    && id.text.utf8.allSatisfy { isDigit($0) || "+-. ()/".utf8.contains($0) }
}

/// The problems of a workspace, each with its remedy.
struct Advice {
  /// One sentence per problem.
  let sentences: [String]

  /// The lag of a reader in transactions above which the files grow considerably.
  static let readerLagMax = 10_000

  init(_ statistics: Statistics, _ stops: [ProjectionStop], reserve: Int) {
    var sentences = stops.map(\.description)
    if let free = statistics.freeByteCount, free / 2 < reserve {
      sentences.append(
        "\(free) bytes are free on the disk, and appends must leave \(reserve): free space.")
    }
    if let holder = statistics.writerLock.holder, holder.description.contains("stopped") {
      sentences.append("Process \(holder.description) holds the writer lock and is stopped: continue or end it.")
    }
    let files = [
      ("log", statistics.log.file), ("index", statistics.log.index), ("state", statistics.state.file),
    ]
    for (name, file) in files + (statistics.others.map { [("others", $0.file)] } ?? []) {
      let readers = file.readers
      if readers.lag > Self.readerLagMax {
        sentences.append(
          "A reader of the \(name) is \(readers.lag) transactions behind, so that its file grows: end the "
            + "process that reads.")
      }
      if readers.max > 0, readers.used * 10 >= readers.max * 9 {
        sentences.append(
          "\(readers.used) of \(readers.max) reader slots of the \(name) are taken: close the workspace in some "
            + "processes.")
      }
    }
    for tables in [statistics.state, statistics.others].compactMap(\.self) {
      if let failure = tables.snapshotFailure { sentences.append(failure.description) }
    }
    self.sentences = sentences
  }
}
