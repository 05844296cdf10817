// A stored block, read in place.
internal import Bytes
public import Digests

/// A block as it is stored: the events of one durable commit.
///
/// It lends its bytes and decodes what is asked for. ``validate()`` says whether all of it can be read; reading a
/// record of a block that would not pass it may trap, but never reads outside the block's bytes.
public struct BlockView: ~Escapable {
  /// All bytes of the block.
  public let bytes: RawSpan
  /// Which block of the log it is: 1 for the first.
  public let ordinal: Int
  /// Where its first event stands.
  public let first: Position
  /// How many events it holds; at least one.
  public let count: Int
  /// When it was recorded.
  public let recorded: Timestamp

  /// How many names it uses; known only when it holds more than one event.
  private let nameCount: Int
  /// Where the first name's field is.
  internal let namesStart: Int
  /// Where the offsets of names and records are; 0 for a block of one event, which has none.
  internal let offsetsStart: Int

  /// Reads the head of a block and checks magic, format and length, and nothing else.
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) throws(BlockDefect) {
    let body = try Frame.body(of: bytes, magic: Frame.blockMagic)
    var reader = ByteReader(bytes, from: body.lowerBound, to: body.upperBound)
    guard reader.skip(BlockField.ordinal), let ordinal = reader.varint(), ordinal > 0,
      reader.skip(BlockField.first), let first = reader.varint(), first > 0,
      reader.skip(BlockField.count), let count = reader.varint(), count > 0,
      count <= UInt64(body.count), first <= .max - count, ordinal < UInt64(Int.max),
      reader.skip(BlockField.recorded), let recorded = reader.fixed64()
    else { throw .malformed("its first fields are not number, position, count and time") }
    self.bytes = bytes
    self.ordinal = Int(ordinal)
    self.first = Position(rawValue: first)
    self.count = Int(count)
    self.recorded = Timestamp(rawValue: Int64(bitPattern: recorded))
    namesStart = reader.offset
    if count == 1 {
      offsetsStart = 0
      nameCount = 0
      return
    }
    var tail = ByteReader(bytes, from: max(body.upperBound - 5, body.lowerBound), to: body.upperBound)
    guard tail.skip(BlockField.offsetsStart), let start = tail.fixed32(), Int(start) > namesStart,
      Int(start) <= body.upperBound - 5 - 4 * Int(count), (body.upperBound - 5 - Int(start)) % 4 == 0
    else { throw .malformed("its last field is not the place of its offsets") }
    offsetsStart = Int(start)
    nameCount = (body.upperBound - 5 - Int(start)) / 4 - Int(count)
  }

  /// Where its last event stands.
  public var last: Position { Position(rawValue: first.rawValue + UInt64(count - 1)) }

  /// The hash that binds it to all blocks before.
  public var hash: ChainHash { bytes.withUnsafeBytes { Frame.storedHash(of: $0) } }

  /// The state of a log that ends with this block.
  public var head: Head { Head(position: last, hash: hash, blocks: ordinal, recorded: recorded) }

  /// The event at an index, from 0.
  @_lifetime(copy self)
  public func event(at index: Int) -> EventView {
    precondition(0 <= index && index < count, "event \(index) of a block of \(count)")
    var reader = ByteReader(bytes, from: recordStart(index), to: bytes.byteCount - Frame.tailCount)
    var record = Record()
    guard record.read(&reader) else {
      preconditionFailure("a block that was not validated has a malformed record: \(first) + \(index)")
    }
    return EventView(self, record, index: index)
  }

  /// The name with a number, from 0, in the order of first use.
  @_lifetime(copy self)
  package func name(_ number: Int) -> RawSpan {
    let start: Int
    if offsetsStart != 0 {
      precondition(number < nameCount, "name \(number) of a block with \(nameCount)")
      start = offset(number)
    } else {
      var reader = ByteReader(bytes, from: namesStart, to: bytes.byteCount - Frame.tailCount)
      for _ in 0..<number {
        _ = reader.skip(BlockField.name)
        _ = reader.lengthDelimited()
      }
      start = reader.offset
    }
    var reader = ByteReader(bytes, from: start, to: bytes.byteCount - Frame.tailCount)
    guard reader.skip(BlockField.name), let range = reader.lengthDelimited() else {
      preconditionFailure("a block that was not validated has a malformed name")
    }
    return bytes.extracting(range)
  }

  /// The appends that the block holds, in order.
  public func forEachAppend(_ body: (AppendView) -> Void) {
    var reader = ByteReader(bytes, from: appendsStart, to: bytes.byteCount - Frame.tailCount)
    var index = 0
    while reader.skip(BlockField.append), let range = reader.lengthDelimited(),
      let append = AppendView(bytes, range, firstIndex: index)
    {
      body(append)
      index += append.count
    }
  }

  private var appendsStart: Int {
    var reader = ByteReader(
      bytes, from: offsetsStart == 0 ? namesStart : offset(nameCount - 1),
      to: bytes.byteCount - Frame.tailCount)
    while reader.skip(BlockField.name) { _ = reader.lengthDelimited() }
    return reader.offset
  }

  @inline(__always)
  private func recordStart(_ index: Int) -> Int {
    if offsetsStart != 0 { return offset(nameCount + index) }
    var reader = ByteReader(bytes, from: namesStart, to: bytes.byteCount - Frame.tailCount)
    while reader.skip(BlockField.name) || reader.skip(BlockField.append) { _ = reader.lengthDelimited() }
    return reader.offset
  }

  @inline(__always)
  private func offset(_ index: Int) -> Int {
    Int(
      UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offsetsStart + 4 * index, as: UInt32.self)))
  }
}

/// The tags of a block's fields, as `block.proto` has them.
internal enum BlockField {
  static let ordinal: UInt8 = 1 << 3
  static let first: UInt8 = 2 << 3
  static let count: UInt8 = 3 << 3
  static let recorded: UInt8 = 4 << 3 | 1
  static let name: UInt8 = 5 << 3 | 2
  static let append: UInt8 = 6 << 3 | 2
  static let record: UInt8 = 7 << 3 | 2
  static let offsets: UInt8 = 8 << 3 | 2
  static let offsetsStart: UInt8 = 9 << 3 | 5
}

/// One append within a block.
public struct AppendView: Sendable {
  /// What it is called.
  public let id: AppendID
  /// The index of its first event within the block.
  public let firstIndex: Int
  /// How many events it wrote.
  public let count: Int
  /// The number of the name that correlates it; nil for none.
  internal let correlation: Int?

  internal init?(_ bytes: RawSpan, _ range: Range<Int>, firstIndex: Int) {
    var reader = ByteReader(bytes, from: range.lowerBound, to: range.upperBound)
    guard reader.skip(0x0A), let id = reader.lengthDelimited().flatMap({ AppendID(bytes: bytes.extracting($0)) })
    else { return nil }
    self.id = id
    self.firstIndex = firstIndex
    var further: UInt64 = 0
    if reader.skip(0x10) {
      guard let value = reader.varint(), value > 0, value < 1 << 32 else { return nil }
      further = value
    }
    count = Int(further) + 1
    var name: UInt64 = 0
    if reader.skip(0x18) {
      guard let value = reader.varint(), value > 0, value < 1 << 32 else { return nil }
      name = value
    }
    correlation = name == 0 ? nil : Int(name) - 1
    guard reader.isAtEnd else { return nil }
  }
}
