// How many events there are, along the log or along the clock.
package import EventLog
internal import Locks

/// A division of a log into buckets, with the number of events of each series in each bucket.
package struct Timeline: Sendable {
  /// The measure of a bucket's length.
  package enum Axis: String, CaseIterable, Sendable {
    /// Each bucket has as many events.
    case position
    /// Each bucket takes as much time; idle stretches are cut out.
    case clock
  }

  /// The property by which events are counted separately.
  package enum Grouping: String, CaseIterable, Sendable { case kind, person }

  /// A stretch of the log.
  package struct Bucket: Sendable {
    /// The position of its first event.
    package var first: Position
    /// The time of its first event.
    package var from: Timestamp
    /// The number of events of each series.
    package var counts: [Int]
    /// The idle time before it that was cut out; nil for none.
    package var gap: Microseconds?
  }

  /// The names of the series.
  package var series: [String]
  /// The buckets in order; they can be fewer than was asked for.
  package var buckets: [Bucket]
}

extension LogOutline {
  /// Divides the log, as far as it was read, into at most `count` buckets.
  package func timeline(_ axis: Timeline.Axis, by grouping: Timeline.Grouping, buckets count: Int) -> Timeline {
    state.withLock { columns in
      let (series, numbers) = columns.series(grouping)
      var starts = axis == .position ? columns.startsByPosition(count) : columns.startsByClock(count)
      starts.append((UInt32(columns.events.count) + 1, nil))
      let buckets = zip(starts, starts.dropFirst()).map { start, next in
        var counts = Array(repeating: 0, count: series.count)
        for event in columns.events[Int(start.first) - 1..<Int(next.first) - 1] { counts[numbers[Int(event)]] += 1 }
        let first = Position(rawValue: UInt64(start.first))
        return Timeline.Bucket(first: first, from: columns.recorded(first), counts: counts, gap: start.gap)
      }
      return Timeline(series: series, buckets: buckets)
    }
  }
}

extension Columns {
  /// The first positions of buckets, and the idle time that was cut out before each.
  fileprivate typealias Starts = [(first: UInt32, gap: Microseconds?)]

  /// The number of persons that have a series of their own.
  private static let personsMax = 8
  /// The maximum number of idle stretches that are cut out, and the shortest one, in microseconds.
  private static let gaps = (countMax: 200, shortest: Int64(60_000_000))

  /// Returns the names of series, and the number of the series of each combination.
  fileprivate func series(_ grouping: Timeline.Grouping) -> (names: [String], numbers: [Int]) {
    switch grouping {
    case .kind: return (EventKind.allCases.map { "\($0)" }, combinations.map(\.kind.rawValue))
    case .person:
      var counts = Array(repeating: 0, count: combinations.count)
      for event in events { counts[Int(event)] += 1 }
      var byActor: [String: Int] = [:]
      for (number, combination) in combinations.enumerated() {
        byActor[combination.actor ?? Combination.system, default: 0] += counts[number]
      }
      let sorted = byActor.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
      let names = sorted.prefix(Self.personsMax).map(\.key)
      let numbers = combinations.map { names.firstIndex(of: $0.actor ?? Combination.system) ?? names.count }
      return (sorted.count > names.count ? names + ["others"] : names, numbers)
    }
  }

  fileprivate func startsByPosition(_ count: Int) -> Starts {
    let total = events.count
    let count = min(count, total)
    return (0..<count).map { (UInt32(total * $0 / count) + 1, nil) }
  }

  fileprivate func startsByClock(_ count: Int) -> Starts {
    let cut = gapsToCut()
    let times = activeTimes(without: cut)
    guard let length = times.last, count > 0 else { return [] }
    var starts: Starts = []
    var idle: Int64 = 0
    var bucket = -1
    for (number, block) in blocks.enumerated() {
      if cut.contains(number) { idle += block.recorded - blocks[number - 1].recorded }
      // After a gap a bucket begins, so that none contains one.
      let own = Int(times[number] * Int64(count - 1) / max(1, length))
      if own > bucket || idle > 0 {
        starts.append((block.first, idle > 0 ? Microseconds(rawValue: idle) : nil))
        (bucket, idle) = (own, 0)
      }
    }
    return starts
  }

  /// Returns the numbers of the blocks before which there is an idle stretch to cut out: the longest ones.
  private func gapsToCut() -> Set<Int> {
    var found: [(length: Int64, block: Int)] = []
    for number in blocks.indices.dropFirst() {
      let length = blocks[number].recorded - blocks[number - 1].recorded
      if length > Self.gaps.shortest { found.append((length, number)) }
    }
    return Set(found.sorted { $0.length > $1.length }.prefix(Self.gaps.countMax).map(\.block))
  }

  /// Returns for each block the time since the first one, without the stretches that are cut out. A corrected clock,
  /// which goes back, stops it.
  private func activeTimes(without cut: Set<Int>) -> [Int64] {
    var time: Int64 = 0
    return blocks.indices.map { number in
      if number > 0, !cut.contains(number) { time += max(0, blocks[number].recorded - blocks[number - 1].recorded) }
      return time
    }
  }
}
