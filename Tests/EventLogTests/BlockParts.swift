// Blocks written by hand, each part of which a test can make wrong.
import Bytes
import Digests

@testable import EventLog

/// A block's parts; as they are, a sound block of two events.
struct BlockParts {
  var ordinal: UInt64 = 1
  var first: UInt64 = 1
  var count: UInt64 = 2
  var recorded: Int64 = 100
  var names: [[UInt8]] = [Array("stream".utf8), Array("type".utf8)]
  /// The messages of appends, without tag and length.
  var appends: [[UInt8]] = [appendMessage(further: 1)]
  /// The messages of records.
  var records: [[UInt8]] = [recordMessage(version: 1), recordMessage(version: 2, payload: [7])]
  /// Added to each offset.
  var offsetShift: UInt32 = 0
  /// Added to the place of the offsets.
  var offsetsStartShift: UInt32 = 0
  /// Left out when there is one event.
  var hasOffsets: Bool?
  /// Written behind the last field.
  var extra: [UInt8] = []

  /// The genesis that it follows.
  static let genesis = Genesis(id: AppendID(high: 1, low: 2), created: Timestamp(rawValue: 50))
  static let head = Head(of: genesis)

  /// One event and no offsets.
  static var single: BlockParts {
    BlockParts(count: 1, appends: [appendMessage()], records: [recordMessage(version: 1, payload: [1, 2])])
  }

  func body() -> [UInt8] {
    var body = ByteWriter()
    body.field(1, varint: ordinal)
    body.field(2, varint: first)
    body.field(3, varint: count)
    body.field(4, fixed64: UInt64(bitPattern: recorded))
    var offsets: [UInt32] = []
    for name in names {
      offsets.append(UInt32(Frame.headCount + body.count))
      name.withUnsafeBytes { body.field(5, bytes: $0) }
    }
    for append in appends { append.withUnsafeBytes { body.field(6, bytes: $0) } }
    for record in records {
      offsets.append(UInt32(Frame.headCount + body.count))
      record.withUnsafeBytes { body.field(7, bytes: $0) }
    }
    if hasOffsets ?? (count > 1) {
      body.byte(BlockField.offsets)
      body.varint(UInt64(4 * offsets.count))
      let start = UInt32(Frame.headCount + body.count)
      for offset in offsets { body.fixed32(offset &+ offsetShift) }
      extra.withUnsafeBytes { body.bytes($0) }
      body.field(9, fixed32: start &+ offsetsStartShift)
    } else {
      extra.withUnsafeBytes { body.bytes($0) }
    }
    return body.array()
  }

  /// The stored form, with a right checksum and the hash that follows the genesis's.
  func encoded(after previous: ChainHash? = Self.head.hash) -> [UInt8] {
    framed(body(), magic: Frame.blockMagic, after: previous)
  }
}

/// A body in its frame, with a right checksum and hash.
func framed(_ body: [UInt8], magic: UInt32, after previous: ChainHash?) -> [UInt8] {
  var frame = ByteWriter()
  body.withUnsafeBytes { Frame.write($0, magic: magic, after: previous, into: &frame) }
  return frame.array()
}

/// The message of an append.
func appendMessage(
  id: [UInt8] = [UInt8](repeating: 3, count: 16), further: UInt64 = 0, correlation: UInt64 = 0
)
  -> [UInt8]
{
  var message = ByteWriter()
  id.withUnsafeBytes { message.field(1, bytes: $0) }
  if further != 0 { message.field(2, varint: further) }
  if correlation != 0 { message.field(3, varint: correlation) }
  return message.array()
}

/// The message of a record; names are numbers, actor and device one more.
func recordMessage(
  stream: UInt64 = 0, version: UInt64, type: UInt64 = 1, actor: UInt64 = 0, device: UInt64 = 0,
  cause: UInt64 = 0, payload: [UInt8] = []
) -> [UInt8] {
  var message = ByteWriter()
  if stream != 0 { message.field(1, varint: stream) }
  message.field(2, varint: version)
  if type != 0 { message.field(3, varint: type) }
  if actor != 0 { message.field(4, varint: actor) }
  if device != 0 { message.field(5, varint: device) }
  if cause != 0 { message.field(6, varint: cause) }
  if !payload.isEmpty { payload.withUnsafeBytes { message.field(7, bytes: $0) } }
  return message.array()
}

/// What is wrong with a block that should follow a head; nil when nothing is.
func defect(_ bytes: [UInt8], after head: Head? = nil, canonical: Bool = false) -> BlockDefect? {
  do throws(BlockDefect) {
    let block = try BlockView(bytes.span.bytes)
    if let head { try block.validate(after: head) } else { try block.validate() }
    if canonical { try block.validateCanonical() }
    return nil
  } catch { return error }
}

/// Whether the form of a block is wrong, not its checksum or place.
func isMalformed(_ bytes: [UInt8]) -> Bool {
  if case .malformed = defect(bytes) { true } else { false }
}
