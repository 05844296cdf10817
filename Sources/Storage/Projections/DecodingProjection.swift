// Projections whose events can be decoded by another thread than the one that folds them.
package import EventLog

/// A projection that folds events decoded by another thread, too.
///
/// A replay decodes ahead on one processor and folds on another.
package protocol DecodingProjection: Projection {
  associatedtype Decoder: BlockDecoder

  /// Folds consecutive events that one decoder has decoded, as ``Projection/fold(_:)`` folds each of them.
  mutating func fold(_ events: [Decoder.Event], from first: Position) throws
}

/// A decoder of the events of a log, block by block.
package protocol BlockDecoder: Sendable {
  associatedtype Event: Sendable

  init()

  /// Decodes events of a block, by their numbers in it, and appends them.
  mutating func decode(_ block: BlockView, _ numbers: Range<Int>, into events: inout [Event]) throws
}
