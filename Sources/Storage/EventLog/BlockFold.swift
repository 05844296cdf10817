// Bringing what is folded from a log to the log's end.

/// Something that is folded from a log, block by block, and is always of one state of it.
public protocol BlockFold: AnyObject {
  /// The end of what has been folded.
  var applied: Head { get }

  /// Adds the block that follows ``applied``; does nothing for a block that does not.
  func fold(_ block: BlockView) throws(LogError)
}

extension Log {
  /// Folds the blocks up to the present end of the log, or to the one that holds a position.
  ///
  /// What is folded may go on, by itself, from another place than where it stood: from what another process has
  /// written, or from what it last wrote itself. It must come closer to the end with each try.
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

  /// The end of the log that a block ends; nil when there is no such block.
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
        "The log was read up to position \(position) and no longer holds what was read: "
          + "it was replaced while it was open; close it and open it again."))
  }
}
