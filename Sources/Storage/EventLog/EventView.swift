// A stored event, read in place.
internal import Bytes

/// An event as it is stored in a block; its parts are read from the block's bytes.
public struct EventView: ~Escapable {
  private let block: BlockView
  internal let index: Int
  private let record: Record
  /// The payload with decrypted content; nil where the block has the payload.
  private let decrypted: RawSpan?
  private let erasure: UInt64

  @_lifetime(copy block)
  internal init(_ block: BlockView, _ record: Record, index: Int) {
    self.block = block
    self.record = record
    self.index = index
    (decrypted, erasure) = (nil, 0)
  }

  /// Creates the view of an event with another payload: that with its content, or without it if that was erased.
  @_lifetime(copy event, copy payload)
  internal init(_ event: EventView, payload: RawSpan, erasedBy erasure: Position?) {
    (block, record, index) = (event.block, event.record, event.index)
    (decrypted, self.erasure) = (payload, erasure?.rawValue ?? 0)
  }

  /// The position of the first event of its block.
  package var blockStart: Position { block.first }

  /// Passes the appends of its block, in order, to the closure.
  internal func forEachAppendOfBlock(_ body: (AppendView) -> Void) { block.forEachAppend(body) }

  /// The number of its stream within the block.
  package var streamNumber: Int { Int(record.stream) }

  /// The version of the event in its stream: 1 for the first.
  public var version: StreamVersion { StreamVersion(rawValue: record.version) }

  /// The position of the event that caused it; nil for none.
  public var cause: Position? { record.cause == 0 ? nil : Position(rawValue: record.cause) }

  /// The position of the event in the log.
  public var position: Position { Position(rawValue: block.first.rawValue + UInt64(index)) }

  /// The time at which the event was recorded.
  public var recorded: Timestamp { block.recorded }

  /// The bytes of its stream's name.
  public var stream: RawSpan {
    @_lifetime(copy self)
    get { block.stream(Int(record.stream)) }
  }

  /// The bytes of its type's name.
  public var type: RawSpan {
    @_lifetime(copy self)
    get { block.type(Int(record.type)) }
  }

  /// The bytes of the author's name; nil for none.
  public var actor: RawSpan? {
    @_lifetime(copy self)
    get { record.actor == 0 ? nil : block.name(Int(record.actor) - 1) }
  }

  /// The bytes of the device's name; nil for none.
  public var device: RawSpan? {
    @_lifetime(copy self)
    get { record.device == 0 ? nil : block.name(Int(record.device) - 1) }
  }

  /// The recorded bytes; where content is encrypted, with the decrypted content, or without it if that was erased.
  public var payload: RawSpan {
    @_lifetime(copy self)
    get {
      if let decrypted { return decrypted }
      return block.bytes.extracting(Int(record.payloadStart)..<Int(record.payloadEnd))
    }
  }

  /// The encrypted content, as it is stored; nil when the event has none, or it is decrypted.
  public var encrypted: RawSpan? {
    @_lifetime(copy self)
    get {
      if decrypted != nil || record.encryptedEnd == 0 { return nil }
      return block.bytes.extracting(Int(record.encryptedStart)..<Int(record.encryptedEnd))
    }
  }

  /// The position of the erasure that destroyed the key of the content; nil while the content can be read.
  public var erasedBy: Position? { erasure == 0 ? nil : Position(rawValue: erasure) }

  /// A hash of the intent of its append; nil where none was given, and for all events of an append but the first.
  public var proposal: ProposalHash? { ProposalHash(rawValue: record.proposal) }

  /// The number of its type within the block.
  package var typeNumber: Int { Int(record.type) }

  /// The number of its author's name within the block.
  package var actorNumber: Int? { record.actor == 0 ? nil : Int(record.actor) - 1 }

  /// The number of its device's name within the block.
  package var deviceNumber: Int? { record.device == 0 ? nil : Int(record.device) - 1 }
}

/// The fields of a stored event: numbers of names within its block, and the range of its payload.
///
/// Streams and types are numbered from 0; authors and devices from 1, and 0 means none.
internal struct Record {
  var stream: UInt32 = 0
  var type: UInt32 = 0
  var actor: UInt32 = 0
  var device: UInt32 = 0
  var payloadStart: UInt32 = 0
  var payloadEnd: UInt32 = 0
  /// The range of the encrypted content; empty, from 0, for none.
  var encryptedStart: UInt32 = 0
  var encryptedEnd: UInt32 = 0
  var version: UInt64 = 0
  var cause: UInt64 = 0
  var proposal: UInt64 = 0

  /// Reads the next record and advances past it; false when it is malformed.
  ///
  /// It overwrites the fields in place instead of returning a value, which is several times faster.
  @inline(__always)
  @_lifetime(outer: copy outer)
  mutating func read(_ outer: inout ByteReader) -> Bool {
    guard outer.skip(BlockField.record), let range = outer.lengthDelimited() else { return false }
    var reader = ByteReader(outer.bytes, from: range.lowerBound, to: range.upperBound)
    guard Self.readName(&reader, 0x08, &stream), reader.skip(0x10), let version = reader.varint(), version > 0,
      Self.readName(&reader, 0x18, &type), Self.readName(&reader, 0x20, &actor),
      Self.readName(&reader, 0x28, &device)
    else { return false }
    self.version = version
    cause = 0
    if reader.skip(0x30) {
      guard let value = reader.varint(), value > 0 else { return false }
      cause = value
    }
    payloadStart = UInt32(range.upperBound)
    payloadEnd = payloadStart
    if reader.skip(0x3A) {
      guard let payload = reader.lengthDelimited(), !payload.isEmpty else { return false }
      payloadStart = UInt32(payload.lowerBound)
      payloadEnd = UInt32(payload.upperBound)
    }
    proposal = 0
    if reader.skip(0x41) {
      guard let value = reader.fixed64(), value > 0 else { return false }
      proposal = value
    }
    (encryptedStart, encryptedEnd) = (0, 0)
    if reader.skip(0x4A) {
      guard let encrypted = reader.lengthDelimited(), !encrypted.isEmpty else { return false }
      encryptedStart = UInt32(encrypted.lowerBound)
      encryptedEnd = UInt32(encrypted.upperBound)
    }
    return reader.isAtEnd
  }

  /// Reads the first fields of the next record, the number of the stream and the version; nil when they are malformed.
  @inline(__always)
  @_lifetime(reader: copy reader)
  static func readVersion(_ reader: inout ByteReader) -> (stream: UInt32, version: UInt64)? {
    var stream: UInt32 = 0
    guard reader.skip(BlockField.record), reader.varint() != nil, readName(&reader, 0x08, &stream), reader.skip(0x10),
      let version = reader.varint()
    else { return nil }
    return (stream, version)
  }

  /// Reads the number of a name, 0 when the field is absent.
  @inline(__always)
  @_lifetime(reader: copy reader)
  private static func readName(_ reader: inout ByteReader, _ tag: UInt8, _ number: inout UInt32) -> Bool {
    number = 0
    guard reader.skip(tag) else { return true }
    guard let value = reader.varint(), value > 0, value < 1 << 31 else { return false }
    number = UInt32(value)
    return true
  }

  /// Returns whether its name numbers are within the given counts and its cause is before a position.
  func isValid(streams: Int, types: Int, names: Int, at position: Position) -> Bool {
    stream < streams && type < types && actor <= names && device <= names && cause < position.rawValue
  }
}
