// The appends of a stored block.
internal import Bytes

/// One append within a block.
public struct AppendView: Sendable {
  /// The idempotency key of the append.
  public let id: AppendID
  /// The index of its first event within the block.
  public let firstIndex: Int
  /// The number of events that it wrote.
  public let count: Int
  /// The number of the correlating name; nil for none.
  internal let correlation: Int?
}

/// Reads the fields that group events into appends: ids, event counts, correlations.
internal struct AppendFields: ~Escapable {
  private var ids: ByteReader
  private var further: ByteReader
  private var correlations: ByteReader
  private let hasFurther: Bool
  private let hasCorrelations: Bool
  private let events: Int
  private var firstIndex = 0
  /// Whether the last append that was begun could not be read completely.
  private var isBroken = false

  /// Reads the next fields and advances past them; nil when they are malformed.
  @_lifetime(copy reader)
  init?(_ reader: inout ByteReader, events: Int) {
    guard reader.skip(BlockField.appendIDs), let ids = reader.lengthDelimited(), !ids.isEmpty,
      ids.count % AppendID.byteCount == 0
    else { return nil }
    var further = reader.offset..<reader.offset
    if reader.skip(BlockField.appendFurther) {
      guard let range = reader.lengthDelimited(), !range.isEmpty else { return nil }
      further = range
    }
    var correlations = reader.offset..<reader.offset
    if reader.skip(BlockField.correlations) {
      guard let range = reader.lengthDelimited(), !range.isEmpty else { return nil }
      correlations = range
    }
    let bytes = reader.bytes
    self.ids = ByteReader(bytes, from: ids.lowerBound, to: ids.upperBound)
    self.further = ByteReader(bytes, from: further.lowerBound, to: further.upperBound)
    self.correlations = ByteReader(bytes, from: correlations.lowerBound, to: correlations.upperBound)
    hasFurther = !further.isEmpty
    hasCorrelations = !correlations.isEmpty
    self.events = events
  }

  /// Returns the next append; nil after the last one, and when it is malformed.
  @_lifetime(self: copy self)
  mutating func next() -> AppendView? {
    guard let high = ids.fixed64(), let low = ids.fixed64() else { return nil }
    isBroken = true
    var count: UInt64 = 1
    if hasFurther {
      guard let value = further.varint(), value < UInt64(events - firstIndex) else { return nil }
      count += value
    }
    var correlation: UInt64 = 0
    if hasCorrelations {
      guard let value = correlations.varint(), value < 1 << 31 else { return nil }
      correlation = value
    }
    let append = AppendView(
      id: AppendID(high: high.byteSwapped, low: low.byteSwapped), firstIndex: firstIndex, count: Int(count),
      correlation: correlation == 0 ? nil : Int(correlation) - 1)
    firstIndex += append.count
    isBroken = false
    return append
  }

  /// Whether every field was read completely and the appends hold all events.
  var isComplete: Bool {
    !isBroken && ids.isAtEnd && further.isAtEnd && correlations.isAtEnd && firstIndex == events
  }
}
