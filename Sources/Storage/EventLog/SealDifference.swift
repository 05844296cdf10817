// The comparison of a log with its seals.
internal import Digests

/// A difference between a log and a seal of it: the log was rewritten or cut off after it was sealed, or is another.
public struct SealDifference: Hashable, Sendable {
  /// The first seal that the log does not agree with.
  public let seal: Seal
  /// The position up to which the log has the sealed events.
  public let agreed: Position
  /// The events of the log among which the first difference is: those of one block where the list of the sealed blocks
  /// is there; nil when the log ends there.
  public let events: ClosedRange<Position>?
  /// Whether the first block that differs was found, and not only the seals around it.
  public let isExact: Bool
}

extension SealDifference: CustomStringConvertible {
  /// One sentence: up to where the log has the sealed events, and which are others.
  public var description: String {
    guard let events else {
      return "The log ends at position \(agreed), and events up to position \(seal.position) were sealed on "
        + "\(seal.time): its last events are missing."
    }
    let (first, last) = (events.lowerBound, events.upperBound)
    let which = first == last ? "event \(first)" : "events \(first) to \(last)"
    let what =
      isExact
      ? "the block of \(which) is not the one that was sealed on \(seal.time)"
      : "among \(which) are others than those that were sealed on \(seal.time)"
    return agreed == .zero
      ? what.prefix(1).uppercased() + what.dropFirst() + "."
      : "The log has the sealed events up to position \(agreed), but \(what)."
  }
}

extension Log {
  /// Returns the seal of the events since an earlier head, without a signature, and the list of their blocks, each of
  /// which is checked; nil when there are none.
  package func unsignedSeal(after previous: Head, at time: Timestamp) throws(LogError) -> (Seal, SealedBlocks)? {
    let (list, end) = try sealedBlocks(after: previous, upTo: nil)
    return end == previous ? nil : (Seal(log: genesis.id, end, after: previous, list, at: time), list)
  }

  /// Returns the list of the blocks since an earlier head, up to that of a position, and the head of the last of them.
  package func sealedBlocks(
    after previous: Head, upTo last: Position?
  ) throws(LogError) -> (SealedBlocks, end: Head) {
    var list = SealedBlocks()
    var end = previous
    try blocks(following: previous) { block, _ in
      end = block.head
      list.add(end)
      return last.map { block.last >= $0 } == true ? .stop : .next
    }
    return (list, end)
  }

  /// Returns the head that a seal follows; nil when the log has none at its position.
  package func head(before seal: Seal) throws(LogError) -> Head? { try knownHead(at: seal.previousPosition) }

  /// Returns the head that a seal is of; nil when the log has none at its position.
  package func head(of seal: Seal) throws(LogError) -> Head? { try knownHead(at: seal.position) }

  private func knownHead(at position: Position) throws(LogError) -> Head? {
    position == .zero ? Head(of: genesis) : try head(at: position)
  }

  /// Returns the first difference between the log and seals with its identity; nil when the log has all their events.
  ///
  /// It compares stored chain hashes: the check of the chain shows that they are those of the events.
  package func difference(
    from seals: [Seal], _ list: (Seal) -> SealedBlocks?
  ) throws(LogError) -> SealDifference? {
    var agreed = Position.zero
    for seal in seals.sorted(by: { $0.position < $1.position }) {
      if try head(of: seal)?.hash == seal.hash {
        agreed = seal.position
      } else {
        return try difference(from: seal, after: agreed, list(seal))
      }
    }
    return nil
  }

  private func difference(
    from seal: Seal, after agreed: Position, _ list: SealedBlocks?
  ) throws(LogError) -> SealDifference {
    if let list, list.hash == seal.listHash, seal.previousPosition <= agreed {
      let (last, events) = try firstDifference(from: list, after: agreed)
      // A list that agrees although the hash differs is not that of the seal.
      if events != nil || last < seal.position {
        return SealDifference(seal: seal, agreed: last, events: events, isExact: true)
      }
    }
    let end = try head().position
    let events = end > agreed ? agreed.next...min(end, seal.position) : nil
    return SealDifference(seal: seal, agreed: agreed, events: events, isExact: events == nil)
  }

  /// Returns the events of the first block that is not in a list, and the last position before; nil where the log ends.
  private func firstDifference(
    from list: SealedBlocks, after position: Position
  ) throws(LogError) -> (agreed: Position, events: ClosedRange<Position>?) {
    var sealed = list.blocks.drop { $0.last <= position }
    var agreed = position
    var events: ClosedRange<Position>?
    try blocks(from: position.next, .forward, checks: .full) { block in
      guard let expected = sealed.popFirst() else { return .stop }
      guard expected.last == block.last, expected.hash == SealedBlocks.beginning(of: block.hash) else {
        events = block.first...block.last
        return .stop
      }
      agreed = block.last
      return .next
    }
    return (agreed, events)
  }
}
