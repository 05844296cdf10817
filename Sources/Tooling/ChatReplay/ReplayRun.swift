// The state of a running replay: stretches of events, and the lines reported after each.
internal import ChatProjections
internal import Digests
internal import Dispatch
internal import Errors
internal import EventLog
internal import Locks
internal import Projections

/// The state of a running replay.
internal struct ReplayRun {
  private let log: any Log
  private let directory: String
  private let options: ReplayOptions
  private let end: Position
  private let start: Position
  private let sets: [ProjectionReplay]
  /// The remaining positions at which digests are reported in addition, in ascending order.
  private var recorded: ArraySlice<Position> = []
  private let stored: StoredTablesList
  private var compared: [String] = []
  /// The stored tables and snapshots that were removed or replaced before they were compared, each a sentence.
  private var changed: [String] = []
  /// Whether the lines about the tables at the end were returned.
  private var hasReportedEnd = false
  private var recoded: UInt64 = 0
  private var toldStops: Set<String> = []

  init(_ store: EventStore, _ path: String, _ options: ReplayOptions, _ end: Position) throws(ProjectionError) {
    (log, self.options, self.end) = (store.log, options, end)
    directory = ProjectionSets.directory(ofWorkspaceAt: path)
    var sets: [ProjectionReplay] = []
    for types in options.projections.all {
      let beginning = options.beginning(in: directory, upTo: end)
      if let destination = options.destination {
        sets.append(try ProjectionReplay(types, of: log, into: destination, beginningWith: beginning))
      } else {
        sets.append(try ProjectionReplay(types, of: store, in: directory + "/past", beginningWith: beginning))
      }
    }
    self.sets = sets
    start = sets.map(\.applied.position).min() ?? .zero
    stored = options.checksTables ? try StoredTablesList(of: sets, in: directory, log, upTo: end) : StoredTablesList()
    recorded = try checkpointPositions()[...]
  }

  /// The position up to which all projections are folded.
  var position: Position { sets.map(\.applied.position).min() ?? .zero }

  func close() { for set in sets { set.close() } }

  /// Returns the first lines, with the faults of stored tables that are not compared with rows.
  func began() -> [ReplayLine] {
    let beginning = ReplayBeginning(
      log: log.genesis.hash, end: end, start: start, fingerprints: sets.map(\.fingerprint.text))
    return [.began(beginning)] + stored.mismatched.map { .mismatched($0) }
  }

  func ended(after milliseconds: UInt64) -> ReplayLine {
    .ended(
      ReplayEnd(
        position: position, events: position.rawValue - min(start, position).rawValue, milliseconds: milliseconds,
        recoded: recoded, compared: compared, skipped: stored.skipped + changed))
  }

  // MARK: Stretches

  /// Folds the next stretch and returns its lines; nil when everything is folded, and the tables at the end are
  /// reported.
  mutating func next() throws(ProjectionError) -> [ReplayLine]? {
    guard position < end else {
      // The replay may begin at the end: with an empty log, and with a snapshot.
      return hasReportedEnd ? nil : try tellTables()
    }
    let last = stretchEnd()
    var lines: [ReplayLine] = []
    if let explained = options.explained, explained == last {
      for set in sets where set.applied.position < last {
        lines += try set.changes(ofEvent: last).map { .change(last, set.explain($0)) }
      }
    }
    if let told = options.toldEvents, told.lowerBound <= last, told.upperBound > position {
      lines += try digestsOfEvents(through: last).filter { told.contains($0.position) }.map { .event($0) }
    }
    let folding = sets.filter { $0.applied.position < last }
    for (set, found) in zip(folding, try fold(folding, through: last)) {
      if let found { lines.append(.unstable(set.explain(found))) }
      for stop in set.stops where toldStops.insert(stop.projection).inserted { lines.append(.stopped(stop)) }
    }
    return lines + (try tellTables())
  }

  /// Folds sets up to a position, all at the same time; returns how the results of each differ.
  private func fold(
    _ sets: [ProjectionReplay], through last: Position
  ) throws(ProjectionError) -> [NondeterminismReport?] {
    let (times, isForgetful) = (options.times, options.isForgetful)
    // Safe because each set is used by one iteration, and by nothing else until all have ended.
    nonisolated(unsafe) let sets = sets
    let results = Locked<[Int: Result<NondeterminismReport?, ProjectionError>]>([:])
    DispatchQueue.concurrentPerform(iterations: sets.count) { number in
      let result = Result { () throws(ProjectionError) in
        try sets[number].fold(through: last, times: times, isForgetful: isForgetful)
      }
      results.withLock { $0[number] = result }
    }
    var found: [NondeterminismReport?] = []
    for (_, result) in results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { found.append(try result.get()) }
    return found
  }

  /// Returns the last position of the next stretch.
  private func stretchEnd() -> Position {
    func multiple(_ distance: UInt64) -> Position {
      Position(rawValue: (position.rawValue / max(1, distance) + 1) * max(1, distance))
    }
    let others = [recorded.first, options.digestDistance.map(multiple)].compactMap { $0 }
    return others.reduce(min(end, multiple(options.batch)), min)
  }

  /// Returns the positions of checkpoints, snapshots and stored tables to compare with, in ascending order.
  private func checkpointPositions() throws(ProjectionError) -> [Position] {
    var positions = Set(stored.comparable.map(\.position))
    if options.includesCheckpoints {
      positions.formUnion(try ProjectionStore.checkpoints(in: directory, of: log).map(\.position))
      for set in sets { positions.formUnion(set.snapshots(in: directory)) }
    }
    return positions.filter { $0 > start && $0 <= end }.sorted()
  }

  // MARK: Output

  private func digestsOfEvents(through last: Position) throws(ProjectionError) -> [ReplayedEvent] {
    var events: [Position: [String: TableDigest]] = [:]
    for set in sets where set.applied.position < last {
      // Sets that began with different snapshots are at different positions; each is before the first reported event.
      for event in try set.digestsOfEvents(through: last) {
        events[event.position, default: [:]].merge(event.tables) { _, other in other }
      }
    }
    return events.sorted { $0.key < $1.key }.map { position, tables in
      let sum = tables.values.reduce(0) { $0 &+ $1.sum }
      return ReplayedEvent(position: position, digest: TableDigest(sum: sum), tables: tables)
    }
  }

  /// Returns the lines about the tables at the current position.
  private mutating func tellTables() throws(ProjectionError) -> [ReplayLine] {
    var lines: [ReplayLine] = []
    let position = position
    let isMultiple = options.digestDistance.map { position.rawValue % max(1, $0) == 0 } ?? false
    let isTold = isMultiple || position == recorded.first || position == end
    if isTold, options.explained == nil { lines.append(.digests(try digests())) }
    recorded = recorded.drop { $0 <= position }
    hasReportedEnd = position >= end
    for tables in stored.comparable where tables.position == position {
      for set in sets where set.fingerprint == tables.fingerprint {
        guard let found = try tables.held(against: set, in: directory) else {
          changed.append("Not compared, since it changed during the replay: \(tables.name).")
          continue
        }
        lines += found.map { .mismatched($0) }
        compared.append(tables.name)
      }
    }
    return lines
  }

  private func digests() throws(ProjectionError) -> ReplayedDigests {
    var tables: [ReplayedDigests.Table] = []
    var hash = log.genesis.hash
    // A set that began with a newer snapshot is at a later position.
    for set in sets where set.applied.position == position {
      let checkpoint = try set.checkpoint()
      hash = checkpoint.hash
      tables += checkpoint.digests.map { .init(name: $0.table, revision: $0.revision, digest: "\($0.digest)") }
    }
    return ReplayedDigests(position: position, hash: hash, tables: tables)
  }

  // MARK: Events

  /// Decodes and re-encodes each event; returns a line for each event that does not match its stored bytes.
  mutating func recode() throws(ProjectionError) -> [ReplayLine] {
    var recoding = EncodingCheck()
    var decryption = EventDecryption(with: log.content.cipher)
    if end > start {
      try rethrow(
        log.blocks(from: start.next, .forward, checks: .full) { block in
          recoding.add(block, &decryption)
          return block.last < end ? .next : .stop
        }, as: ProjectionError.log)
    }
    recoded = recoding.count
    return recoding.found.map { .unreadable($0.position, $0.reason) }
  }
}
