// A stored event, read in place.
internal import Bytes

/// An event as it is stored in a block; it lends its parts.
public struct EventView: ~Escapable {
  private let block: BlockView
  internal let index: Int
  /// The number, within the block, of its stream's name.
  package let streamNumber: Int
  /// Where it stands in its stream: 1 for the first.
  public let version: StreamVersion
  /// The position of the event that caused it; nil for none.
  public let cause: Position?
  private let typeNumber: Int
  private let actorNumber: Int
  private let deviceNumber: Int
  private let payloadRange: Range<Int>

  /// Reads the record whose field begins at an offset; nil when it is malformed.
  @_lifetime(copy block)
  internal init?(_ block: BlockView, at offset: Int, index: Int) {
    let bytes = block.bytes
    let end = bytes.byteCount - Frame.tailCount
    guard offset >= Frame.headCount, offset < end else { return nil }
    var outer = ByteReader(bytes, from: offset, to: end)
    guard outer.skip(BlockField.record), let range = outer.lengthDelimited() else { return nil }
    var reader = ByteReader(bytes, from: range.lowerBound, to: range.upperBound)
    var stream: UInt64 = 0
    var type: UInt64 = 0
    var actor: UInt64 = 0
    var device: UInt64 = 0
    var cause: UInt64 = 0
    var payload = range.upperBound..<range.upperBound
    if reader.skip(0x08) {
      guard let value = reader.varint(), value > 0 else { return nil }
      stream = value
    }
    guard reader.skip(0x10), let version = reader.varint(), version > 0 else { return nil }
    if reader.skip(0x18) {
      guard let value = reader.varint(), value > 0 else { return nil }
      type = value
    }
    if reader.skip(0x20) {
      guard let value = reader.varint(), value > 0 else { return nil }
      actor = value
    }
    if reader.skip(0x28) {
      guard let value = reader.varint(), value > 0 else { return nil }
      device = value
    }
    if reader.skip(0x30) {
      guard let value = reader.varint(), value > 0 else { return nil }
      cause = value
    }
    if reader.skip(0x3A) {
      guard let value = reader.lengthDelimited(), !value.isEmpty else { return nil }
      payload = value
    }
    guard reader.isAtEnd, stream | type | actor | device < 1 << 31 else { return nil }
    self.block = block
    self.index = index
    self.version = StreamVersion(rawValue: version)
    self.cause = cause == 0 ? nil : Position(rawValue: cause)
    streamNumber = Int(stream)
    typeNumber = Int(type)
    actorNumber = Int(actor)
    deviceNumber = Int(device)
    payloadRange = payload
  }

  /// Where it stands in the log.
  public var position: Position { Position(rawValue: block.first.rawValue + UInt64(index)) }

  /// When it was recorded.
  public var recorded: Timestamp { block.recorded }

  /// The bytes of its stream's name.
  public var stream: RawSpan {
    @_lifetime(copy self)
    get { block.name(streamNumber) }
  }

  /// The bytes of its type's name.
  public var type: RawSpan {
    @_lifetime(copy self)
    get { block.name(typeNumber) }
  }

  /// The bytes of the name of who did it; nil when nobody was named.
  public var actor: RawSpan? {
    @_lifetime(copy self)
    get { actorNumber == 0 ? nil : block.name(actorNumber - 1) }
  }

  /// The bytes of the name of the device it was done on; nil when none was named.
  public var device: RawSpan? {
    @_lifetime(copy self)
    get { deviceNumber == 0 ? nil : block.name(deviceNumber - 1) }
  }

  /// What was recorded.
  public var payload: RawSpan {
    @_lifetime(copy self)
    get { block.bytes.extracting(payloadRange) }
  }

  /// The highest number of a name that it uses.
  internal var nameNumberMax: Int {
    max(max(streamNumber, typeNumber), max(actorNumber - 1, deviceNumber - 1))
  }

  /// The numbers of the names that it uses, in the order in which they are first written.
  internal var nameNumbers: (stream: Int, type: Int, actor: Int?, device: Int?) {
    (
      streamNumber, typeNumber, actorNumber == 0 ? nil : actorNumber - 1,
      deviceNumber == 0 ? nil : deviceNumber - 1
    )
  }
}
