// Catching up: folding blocks until the end of the log is reached.

/// State folded from a log block by block, consistent with exactly one head.
public protocol BlockFold: AnyObject {
  /// The head up to which blocks were folded.
  var applied: Head { get }

  /// Folds the block that follows ``applied``; a no-op for any other block.
  func fold(_ block: BlockView) throws(LogError)
}

extension Log {
  /// Folds the blocks up to the current head, or up to the block that holds a position.
  ///
  /// The folded state may itself move to another head between tries: to one that another process has written, or to one
  /// that it last wrote itself. Each try must get closer to the end.
  package func catchUp(
    _ folded: any BlockFold, through last: Position = Position(rawValue: .max), triesMax: Int = 8
  ) throws(LogError) {
    let head = try head()
    for _ in 0..<triesMax {
      let applied = folded.applied
      if applied == head || applied.position > head.position || applied.position >= last { return }
      var isOurs = applied == Head(of: genesis)
      try blocks(from: max(applied.position, .first), .forward, checks: .full) { block throws(LogError) in
        if block.last <= applied.position {
          isOurs = block.head == applied
        } else if isOurs {
          try folded.fold(block)
        }
        return isOurs && block.last < last ? .next : .stop
      }
      guard isOurs else { throw .replaced(applied.position) }
    }
    throw .replaced(folded.applied.position)
  }

  /// Returns the head of the log as it was after the block that ends at a position; nil when there is no such block.
  package func head(at position: Position) throws(LogError) -> Head? {
    var found: Head?
    try blocks(from: position, .forward, checks: .full) { block in
      if block.last == position { found = block.head }
      return .stop
    }
    return found
  }
}

extension LogError {
  fileprivate static func replaced(_ position: Position) -> LogError {
    .storage(
      StorageFailure(
        "The log was read up to position \(position) and no longer contains the events that were read: "
          + "it was replaced while it was open; close it and open it again."))
  }
}
