// The state of a running replay: stretches of events, and the lines reported after each.
internal import ChatProjections
internal import Digests
internal import Errors
internal import EventLog
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
  /// The stored tables and snapshots to compare with the folded rows.
  private var stored: [StoredTables] = []
  private var compared: [String] = []
  private var recoded: UInt64 = 0
  private var toldStops: Set<String> = []

  init(_ log: any Log, _ path: String, _ options: ReplayOptions, _ end: Position) throws(ProjectionError) {
    (self.log, self.options, self.end) = (log, options, end)
    directory = ProjectionSets.directory(ofWorkspaceAt: path)
    var sets: [ProjectionReplay] = []
    for types in options.projections.all {
      let beginning = options.beginning(in: directory, upTo: end)
      if let destination = options.destination {
        sets.append(try ProjectionReplay(types, of: log, into: destination, beginningWith: beginning))
      } else {
        sets.append(try ProjectionReplay(types, of: log, in: directory + "/past", beginningWith: beginning))
      }
    }
    self.sets = sets
    let start = sets.map(\.applied.position).min() ?? .zero
    self.start = start
    if options.checksTables {
      for set in sets { stored += try StoredTables.all(of: set, in: directory) }
      stored.removeAll { $0.position <= start || $0.position > end }
    }
    recorded = try checkpointPositions()[...]
  }

  /// The position up to which all projections are folded.
  var position: Position { sets.map(\.applied.position).min() ?? .zero }

  func close() { for set in sets { set.close() } }

  func began() -> ReplayLine {
    .began(
      ReplayBeginning(
        log: log.genesis.hash, end: end, start: start, fingerprints: sets.map(\.fingerprint.text)))
  }

  func ended(after milliseconds: UInt64) -> ReplayLine {
    .ended(
      ReplayEnd(
        position: position, events: position.rawValue - min(start, position).rawValue, milliseconds: milliseconds,
        recoded: recoded, compared: compared))
  }

  // MARK: Stretches

  /// Folds the next stretch and returns its lines; nil when everything is folded.
  mutating func next() throws(ProjectionError) -> [ReplayLine]? {
    guard position < end else { return nil }
    let last = stretchEnd()
    var lines: [ReplayLine] = []
    if let explained = options.explained, explained == last {
      for set in sets where set.applied.position < last {
        lines += try set.changes(ofEvent: last).map { .change(last, set.explain($0)) }
      }
    }
    if let told = options.toldEvents, told.lowerBound <= last, told.upperBound > position {
      lines += try digestsOfEvents(through: last).filter { told.contains($0.0) }.map { .event($0, $1) }
    }
    for set in sets where set.applied.position < last {
      let found = try set.fold(through: last, times: options.times, isForgetful: options.isForgetful)
      if let found { lines.append(.unstable(set.explain(found))) }
      for stop in set.stops where toldStops.insert(stop.projection).inserted { lines.append(.stopped(stop)) }
    }
    return lines + (try tellTables())
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
    var positions = Set(stored.map(\.position))
    if options.includesCheckpoints {
      positions.formUnion(try ProjectionStore.checkpoints(in: directory, of: log).map(\.position))
      for set in sets { positions.formUnion(set.snapshots(in: directory)) }
    }
    return positions.filter { $0 > start && $0 <= end }.sorted()
  }

  // MARK: Output

  private func digestsOfEvents(through last: Position) throws(ProjectionError) -> [(Position, TableDigest)] {
    var sums: [(Position, TableDigest)] = []
    for set in sets where set.applied.position < last {
      for (number, event) in try set.digestsOfEvents(through: last).enumerated() {
        if number < sums.count {
          sums[number].1 = TableDigest(sum: sums[number].1.sum &+ event.digest.sum)
        } else {
          sums.append((event.position, event.digest))
        }
      }
    }
    return sums
  }

  /// Returns the lines about the tables at the current position.
  private mutating func tellTables() throws(ProjectionError) -> [ReplayLine] {
    var lines: [ReplayLine] = []
    let position = position
    let isMultiple = options.digestDistance.map { position.rawValue % max(1, $0) == 0 } ?? false
    let isTold = isMultiple || position == recorded.first || position == end
    if isTold, options.explained == nil { lines.append(.digests(try digests())) }
    recorded = recorded.drop { $0 <= position }
    for tables in stored where tables.position == position {
      for set in sets where set.fingerprint == tables.fingerprint {
        guard let found = try tables.held(against: set, in: directory) else { continue }
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
