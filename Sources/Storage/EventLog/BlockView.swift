// A stored block, read in place.
internal import Bytes
public import Digests

/// A block as it is stored: the events of one durable commit.
///
/// Its parts are decoded from its bytes on access. ``validate()`` checks that all of it can be read; reading a record
/// of a block that would fail may trap, but never reads outside the block's bytes.
public struct BlockView: ~Escapable {
  /// All bytes of the block.
  public let bytes: RawSpan
  /// The number of the block in the log: 1 for the first.
  public let ordinal: Int
  /// The position of its first event.
  public let first: Position
  private let eventCount: UInt32
  private let namesOffset: UInt32
  /// The time at which the block was recorded.
  public let recorded: Timestamp

  /// The offsets of the parts in a block of more than one event.
  internal let directory: Directory

  /// Reads the head of a block and checks magic, format and length, and nothing else.
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) throws(BlockDefect) {
    let body = try Frame.body(of: bytes, magic: Frame.blockMagic)
    var reader = ByteReader(bytes, from: body.lowerBound, to: body.upperBound)
    guard reader.skip(BlockField.ordinal), let ordinal = reader.varint(), ordinal > 0, ordinal < UInt64(Int.max),
      reader.skip(BlockField.first), let first = reader.varint(), first > 0
    else { throw .malformed("its first fields are not number and position") }
    var further: UInt64 = 0
    if reader.skip(BlockField.further) {
      guard let value = reader.varint(), value > 0, value < UInt64(body.count), first <= .max - value else {
        throw .malformed("it is too short for the stated number of events")
      }
      further = value
    }
    guard reader.skip(BlockField.recorded), let recorded = reader.fixed64() else {
      throw .malformed("it does not state its time")
    }
    self.bytes = bytes
    self.ordinal = Int(ordinal)
    self.first = Position(rawValue: first)
    eventCount = UInt32(further) + 1
    self.recorded = Timestamp(rawValue: Int64(bitPattern: recorded))
    namesOffset = UInt32(reader.offset)
    guard
      let directory = Directory(bytes, body.upperBound, after: reader.offset, records: Int(further) + 1)
    else {
      throw .malformed("its last field does not state the place of its parts")
    }
    self.directory = directory
  }

  /// The number of events; at least one.
  public var count: Int { Int(eventCount) }

  /// The offset of the first stream's field.
  internal var namesStart: Int { Int(namesOffset) }

  /// The position of its last event.
  public var last: Position { Position(rawValue: first.rawValue + UInt64(count - 1)) }

  /// The chain hash, which covers all blocks before.
  public var hash: ChainHash { bytes.withUnsafeBytes { Frame.storedHash(of: $0) } }

  /// The head of a log that ends with this block.
  public var head: Head { Head(position: last, hash: hash, blocks: ordinal, recorded: recorded) }

  /// Returns the event at an index, from 0.
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

  /// Returns the number of the stream of the event at an index, and its version there, without the rest of its record.
  package func version(at index: Int) -> (stream: Int, version: UInt64) {
    precondition(0 <= index && index < count, "event \(index) of a block of \(count)")
    var reader = fields(from: recordStart(index))
    guard let (stream, version) = Record.readVersion(&reader) else {
      preconditionFailure("a block that was not validated has a malformed record: \(first) + \(index)")
    }
    return (Int(stream), version)
  }

  /// Returns the name of the stream with a number, from 0, in the order of first use.
  @_lifetime(copy self)
  package func stream(_ number: Int) -> RawSpan { name(BlockField.stream, number) }

  /// Returns the name of the type with a number, from 0, in the order of first use.
  @_lifetime(copy self)
  internal func type(_ number: Int) -> RawSpan { name(BlockField.type, number) }

  /// Returns the name of the correlation, author or device with a number, from 0, in the order of first use.
  @_lifetime(copy self)
  internal func name(_ number: Int) -> RawSpan { name(BlockField.name, number) }

  /// Returns the name of an append's correlation; nil for none.
  @_lifetime(copy self)
  package func correlation(of append: AppendView) -> RawSpan? {
    if let number = append.correlation { name(number) } else { nil }
  }

  /// Returns the name with a number among the fields with a tag.
  @_lifetime(copy self)
  private func name(_ tag: UInt8, _ number: Int) -> RawSpan {
    var reader = fields(from: namesStart)
    if directory.isThere {
      let range = directory.range(of: tag)
      precondition(number < range.count, "name \(number) of a block with \(range.count)")
      reader = fields(from: offset(range.lowerBound + number))
    } else {
      // The few names of a block with one event are found by counting.
      while reader.peek ?? tag < tag { reader.skipField() }
      for _ in 0..<number { reader.skipField() }
    }
    guard reader.skip(tag), let range = reader.lengthDelimited() else {
      preconditionFailure("a block that was not validated has a malformed name")
    }
    return bytes.extracting(range)
  }

  /// Passes the appends of the block, in order, to the closure.
  public func forEachAppend(_ body: (AppendView) -> Void) {
    var reader = fields(from: directory.isThere ? offset(directory.recordsStart - 1) : namesStart)
    while reader.peek ?? .max < BlockField.appendIDs { reader.skipField() }
    var appends = AppendFields(&reader, events: count)
    while let append = appends?.next() { body(append) }
  }

  @inline(__always)
  private func recordStart(_ index: Int) -> Int {
    if directory.isThere { return offset(directory.recordsStart + index) }
    var reader = fields(from: namesStart)
    while reader.peek ?? .max < BlockField.record { reader.skipField() }
    return reader.offset
  }

  @_lifetime(copy self)
  private func fields(from offset: Int) -> ByteReader {
    ByteReader(bytes, from: offset, to: bytes.byteCount - Frame.tailCount)
  }

  @inline(__always)
  private func offset(_ index: Int) -> Int {
    Int(
      UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: directory.start + 4 * index, as: UInt32.self)))
  }
}

/// The offset table of a block: where it begins and how many offsets of each kind it has; empty for a block of one
/// event.
internal struct Directory {
  // Four bytes each, since every event view carries a copy.
  private let startOffset: UInt32
  private let streamCount: UInt32
  private let typeCount: UInt32
  private let nameCount: UInt32

  /// The location of the first offset.
  var start: Int { Int(startOffset) }
  var streams: Int { Int(streamCount) }
  var types: Int { Int(typeCount) }
  var names: Int { Int(nameCount) }

  /// The number of bytes of its field, which is the last of the body.
  static let byteCount = 18

  /// Reads the directory at the end of a body; nil when it is malformed.
  init?(_ bytes: RawSpan, _ end: Int, after namesStart: Int, records: Int) {
    if records == 1 {
      (startOffset, streamCount, typeCount, nameCount) = (0, 0, 0, 0)
      return
    }
    guard end - Self.byteCount > namesStart else { return nil }
    var reader = ByteReader(bytes, from: end - Self.byteCount, to: end)
    guard reader.skip(BlockField.directory), reader.skip(16), let start = reader.fixed32(),
      let streams = reader.fixed32(), let types = reader.fixed32(), let names = reader.fixed32(),
      Int(start) > namesStart, streams > 0, types > 0
    else { return nil }
    (startOffset, streamCount, typeCount, nameCount) = (start, streams, types, names)
    guard self.start + 4 * (recordsStart + records) == end - Self.byteCount else { return nil }
  }

  var isThere: Bool { startOffset != 0 }

  /// The index of the first record's offset.
  var recordsStart: Int { streams + types + names }

  /// The indices of the offsets of fields with a tag.
  func range(of tag: UInt8) -> Range<Int> {
    switch tag {
    case BlockField.stream: 0..<streams
    case BlockField.type: streams..<streams + types
    default: streams + types..<recordsStart
    }
  }
}

/// The tags of a block's fields, as in `block.proto`.
internal enum BlockField {
  static let ordinal: UInt8 = 1 << 3
  static let first: UInt8 = 2 << 3
  static let further: UInt8 = 3 << 3
  static let recorded: UInt8 = 4 << 3 | 1
  static let stream: UInt8 = 5 << 3 | 2
  static let type: UInt8 = 6 << 3 | 2
  static let name: UInt8 = 7 << 3 | 2
  static let appendIDs: UInt8 = 8 << 3 | 2
  static let appendFurther: UInt8 = 9 << 3 | 2
  static let correlations: UInt8 = 10 << 3 | 2
  static let record: UInt8 = 11 << 3 | 2
  static let offsets: UInt8 = 12 << 3 | 2
  static let directory: UInt8 = 13 << 3 | 2
}

extension ByteReader {
  /// Advances past a length-delimited field.
  @inline(__always)
  @_lifetime(self: copy self)
  fileprivate mutating func skipField() {
    guard let tag = peek, skip(tag), lengthDelimited() != nil else {
      preconditionFailure("a block that was not validated has a malformed field")
    }
  }
}
