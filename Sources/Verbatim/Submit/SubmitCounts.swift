// What a workspace counts as it submits.

/// What was counted of submits since a workspace was opened.
internal struct SubmitCounts {
  /// Blocks that were appended.
  var blocks = 0
  /// Events in them.
  var events = 0
  /// Submits that were recorded, or found recorded.
  var recorded = 0
  /// Submits that had nothing to do.
  var unchanged = 0
  /// Submits that were refused by the domain.
  var refusals = 0
  /// Submits that found a stream other than expected.
  var conflicts = 0
  /// Submits that failed.
  var failures = 0
  /// Blocks by their number of events: of 1, up to 2, 4, 8 …
  var blockSizes = [Int](repeating: 0, count: 17)
  /// How long it took from taking a batch up to having it on the disk, together.
  var appending = Duration.zero

  mutating func add(_ outcome: Result<Submitted, SubmitError>) {
    switch outcome {
    case .success(let submitted): if submitted.receipt == nil { unchanged += 1 } else { recorded += 1 }
    case .failure(.refused): refusals += 1
    case .failure(.conflict): conflicts += 1
    case .failure: failures += 1
    }
  }

  mutating func add(block count: Int, took time: Duration) {
    blocks += 1
    events += count
    appending += time
    blockSizes[min(blockSizes.count - 1, Int.bitWidth - max(0, count - 1).leadingZeroBitCount)] += 1
  }
}
