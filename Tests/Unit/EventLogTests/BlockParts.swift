// Hand-written blocks, each part of which a test can make invalid.
import Bytes
import Digests

@testable import EventLog

/// The parts of a block; by default, a valid block of two events.
struct BlockParts {
  var ordinal: UInt64 = 1
  var first: UInt64 = 1
  var further: UInt64 = 1
  var recorded: Int64 = 100
  var streams: [[UInt8]] = [Array("stream".utf8)]
  var types: [[UInt8]] = [Array("type".utf8)]
  var names: [[UInt8]] = []
  /// The ids of appends, concatenated.
  var ids = [UInt8](repeating: 3, count: 16)
  /// The number of further events of each append; nil omits the field.
  var appendFurther: [UInt64]? = [1]
  /// The names that correlate appends; nil omits the field.
  var correlations: [UInt64]?
  /// The messages of records.
  var records: [[UInt8]] = [recordMessage(version: 1), recordMessage(version: 2, payload: [7])]
  /// A number added to each offset.
  var offsetShift: UInt32 = 0
  /// Numbers added to the four numbers of the directory.
  var directoryShifts: [UInt32] = [0, 0, 0, 0]
  /// Whether offsets are written; they are omitted for one event.
  var hasOffsets: Bool?
  /// Bytes written after the offsets.
  var extra: [UInt8] = []

  /// The genesis that the block follows.
  static let genesis = Genesis(id: AppendID(high: 1, low: 2), created: Timestamp(rawValue: 50))
  static let head = Head(of: genesis)

  /// A block of one event without offsets.
  static var single: BlockParts {
    BlockParts(further: 0, appendFurther: nil, records: [recordMessage(version: 1, payload: [1, 2])])
  }

  func body() -> [UInt8] {
    var body = ByteWriter()
    body.field(1, varint: ordinal)
    body.field(2, varint: first)
    if further != 0 { body.field(3, varint: further) }
    body.field(4, fixed64: UInt64(bitPattern: recorded))
    var offsets: [UInt32] = []
    for (field, names) in [(5, streams), (6, types), (7, names)] as [(UInt64, [[UInt8]])] {
      for name in names {
        offsets.append(UInt32(Frame.headCount + body.count))
        name.withUnsafeBytes { body.field(field, bytes: $0) }
      }
    }
    ids.withUnsafeBytes { body.field(8, bytes: $0) }
    for (field, numbers) in [(9, appendFurther), (10, correlations)] as [(UInt64, [UInt64]?)] {
      guard let numbers else { continue }
      var packed = ByteWriter()
      for number in numbers { packed.varint(number) }
      packed.withBytes { body.field(field, bytes: $0) }
    }
    for record in records {
      offsets.append(UInt32(Frame.headCount + body.count))
      record.withUnsafeBytes { body.field(11, bytes: $0) }
    }
    if hasOffsets ?? (further != 0) { writeOffsets(offsets, &body) }
    extra.withUnsafeBytes { body.bytes($0) }
    return body.array()
  }

  private func writeOffsets(_ offsets: [UInt32], _ body: inout ByteWriter) {
    body.byte(BlockField.offsets)
    body.varint(UInt64(4 * offsets.count))
    let start = UInt32(Frame.headCount + body.count)
    for offset in offsets { body.fixed32(offset &+ offsetShift) }
    body.byte(BlockField.directory)
    body.varint(16)
    let directory = [start, UInt32(streams.count), UInt32(types.count), UInt32(names.count)]
    for (number, shift) in zip(directory, directoryShifts) { body.fixed32(number &+ shift) }
  }

  /// Returns the stored form, with a correct checksum and the hash that follows from the genesis.
  func encoded(after previous: ChainHash? = Self.head.hash) -> [UInt8] {
    framed(body(), magic: Frame.blockMagic, after: previous)
  }
}

/// Returns a body in its frame, with a correct checksum and hash.
func framed(_ body: [UInt8], magic: UInt32, after previous: ChainHash?) -> [UInt8] {
  var frame = ByteWriter()
  Frame.begin(magic, in: &frame)
  body.withUnsafeBytes { frame.bytes($0) }
  Frame.end(&frame, after: previous)
  return frame.array()
}

/// Returns the message of a record; streams and types are numbers from 0, author and device from 1.
func recordMessage(
  stream: UInt64 = 0, version: UInt64, type: UInt64 = 0, actor: UInt64 = 0, device: UInt64 = 0,
  cause: UInt64 = 0, payload: [UInt8] = [], proposal: UInt64? = nil
) -> [UInt8] {
  var message = ByteWriter()
  if stream != 0 { message.field(1, varint: stream) }
  message.field(2, varint: version)
  if type != 0 { message.field(3, varint: type) }
  if actor != 0 { message.field(4, varint: actor) }
  if device != 0 { message.field(5, varint: device) }
  if cause != 0 { message.field(6, varint: cause) }
  if !payload.isEmpty { payload.withUnsafeBytes { message.field(7, bytes: $0) } }
  if let proposal { message.field(8, fixed64: proposal) }
  return message.array()
}

/// Returns the defect of a block that should follow a head; nil for a valid block.
func defect(_ bytes: [UInt8], after head: Head? = nil, canonical: Bool = false) -> BlockDefect? {
  do throws(BlockDefect) {
    let block = try BlockView(bytes.span.bytes)
    if let head { try block.validate(after: head) } else { try block.validate() }
    if canonical { try block.validateCanonical() }
    return nil
  } catch { return error }
}

/// Returns whether the form of a block is invalid, as opposed to its checksum or position.
func isMalformed(_ bytes: [UInt8]) -> Bool {
  if case .malformed = defect(bytes) { true } else { false }
}
