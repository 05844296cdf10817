// Catching up: folding blocks until the end of the log is reached.
package import Digests

/// State folded from a log block by block, consistent with exactly one head.
public protocol BlockFold: AnyObject {
  /// The error of folding.
  associatedtype Failure: Error

  /// The head up to which blocks were folded.
  var applied: Head { get }

  /// Folds the block that follows ``applied``; a no-op for any other block.
  func fold(_ block: BlockView) throws(Failure)
}

extension Log {
  /// Folds the blocks up to the current head, or up to the block that holds a position.
  ///
  /// The folded state may itself move to another head between tries: to one that another process has written, or to one
  /// that it last wrote itself. Each try must get closer to the end. The log's errors are converted by `transform`.
  package func catchUp<Fold: BlockFold>(
    _ folded: Fold, through last: Position = Position(rawValue: .max), toLastSeen: Bool = false, triesMax: Int = 8,
    as transform: (LogError) -> Fold.Failure
  ) throws(Fold.Failure) {
    let head: Head
    do throws(LogError) { head = toLastSeen ? try lastSeenHead() : try self.head() } catch { throw transform(error) }
    for _ in 0..<triesMax {
      let applied = folded.applied
      if applied == head || applied.position > head.position || applied.position >= last { return }
      var isOurs = applied == Head(of: genesis)
      try blocks(from: max(applied.position, .first), .forward, as: transform) { block throws(Fold.Failure) in
        if block.last <= applied.position {
          isOurs = block.head == applied
        } else if isOurs {
          try folded.fold(block)
        }
        return isOurs && block.last < last ? .next : .stop
      }
      guard isOurs else { throw transform(.replaced(applied.position)) }
    }
    throw transform(.replaced(folded.applied.position))
  }

  /// Passes the fully validated blocks from the one that holds a position to a closure with an error type of its own;
  /// the log's errors are converted by `transform`.
  package func blocks<Failure: Error>(
    from position: Position, _ direction: Direction, as transform: (LogError) -> Failure,
    _ body: (BlockView) throws(Failure) -> Step
  ) throws(Failure) {
    var failure: Failure?
    do throws(LogError) {
      try blocks(from: position, direction, checks: .full) { block in
        do throws(Failure) { return try body(block) } catch { failure = error }
        return .stop
      }
    } catch {
      throw transform(error)
    }
    if let failure { throw failure }
  }

  /// Passes the fully validated blocks after a head to the closure, each with the head before it, which it follows in
  /// the chain.
  package func blocks(
    following head: Head, _ body: (BlockView, Head) throws(LogError) -> Step
  ) throws(LogError) {
    var end = head
    try blocks(from: head.position.next, .forward, checks: .full) { block throws(LogError) in
      let before = end
      do throws(BlockDefect) { try block.validate(after: before) } catch { throw .damaged(at: block.first, error) }
      end = block.head
      return try body(block, before)
    }
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

  /// Returns the head at a position; nil when the chain of this log has another hash there.
  package func head(at position: Position, _ hash: ChainHash) throws(LogError) -> Head? {
    let head = try head(at: position)
    return head?.hash == hash ? head : nil
  }
}

extension LogError {
  /// Returns the error of a log that does not have a block before its end.
  internal static func missing(at position: Position) -> LogError {
    .damaged(at: position, .malformed("it is missing"))
  }

  fileprivate static func replaced(_ position: Position) -> LogError {
    .storage(
      StorageFailure(
        "The log was read up to position \(position) and no longer contains the events that were read: "
          + "it was replaced while it was open; close it and open it again."))
  }
}
