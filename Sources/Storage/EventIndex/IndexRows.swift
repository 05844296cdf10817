// The rows of the index's tables.
package import Bytes
package import EventLog
internal import Tables

/// The position of the first event of an append.
package struct AppendRow: BinaryRow {
  package let position: Position

  init(position: Position) { self.position = position }

  package init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let position = reader.varint(), reader.isAtEnd else { return nil }
    self.position = Position(rawValue: position)
  }

  package func encode(into writer: inout ByteWriter) { writer.varint(position.rawValue) }
}

/// The number of a stream and of its events.
internal struct StreamRow: BinaryRow {
  let number: UInt64
  var version: UInt64

  init(number: UInt64, version: UInt64) {
    self.number = number
    self.version = version
  }

  init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let number = reader.varint(), let version = reader.varint(), reader.isAtEnd, number < 1 << 32 else {
      return nil
    }
    self.number = number
    self.version = version
  }

  func encode(into writer: inout ByteWriter) {
    writer.varint(number)
    writer.varint(version)
  }
}

/// The positions of up to 256 consecutive versions of a stream: the first, then the distance of each from the one
/// before.
internal struct ChunkRow: BinaryRow {
  private var bytes: [UInt8] = []
  /// The last position.
  private(set) var last: UInt64 = 0
  private(set) var count: UInt64 = 0

  init() {}

  init?(decoding stored: RawSpan) {
    var reader = ByteReader(stored)
    while !reader.isAtEnd {
      guard let distance = reader.varint(), distance > 0 else { return nil }
      let (sum, overflow) = last.addingReportingOverflow(distance)
      if overflow { return nil }
      last = sum
      count += 1
    }
    guard 0 < count, count <= IndexState.versionsPerChunk else { return nil }
    bytes = stored.withUnsafeBytes { Array($0) }
  }

  func encode(into writer: inout ByteWriter) {
    bytes.withUnsafeBytes { writer.bytes($0) }
  }

  mutating func append(_ position: UInt64) {
    var rest = position - last
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
    last = position
    count += 1
  }

  func positions(from first: Int, count: Int) -> [Position] {
    var positions: [Position] = []
    var reader = ByteReader(bytes.span.bytes)
    var position: UInt64 = 0
    var index = 0
    while index < first + count, let distance = reader.varint() {
      position += distance
      if index >= first { positions.append(Position(rawValue: position)) }
      index += 1
    }
    return positions
  }
}
