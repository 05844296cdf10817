// Writes a block.
internal import Bytes
internal import Digests

/// Gathers the appends of one commit and writes them as a block; used again for the next.
internal struct BlockBuilder: ~Copyable {
  /// The names used so far, by their numbers.
  private(set) var names = ByteMap()
  /// How many events were added.
  private(set) var count = 0

  private var nameFields = ByteWriter(capacity: 1 << 12)
  private var nameOffsets: [UInt32] = []
  private var appendFields = ByteWriter(capacity: 1 << 12)
  private var recordFields = ByteWriter(capacity: 1 << 16)
  private var recordOffsets: [UInt32] = []
  private var body = ByteWriter(capacity: 1 << 16)
  private var frame = ByteWriter(capacity: 1 << 16)

  /// The bytes that its events take so far.
  var byteCount: Int { recordFields.count + nameFields.count }

  mutating func removeAll() {
    names.removeAll()
    count = 0
    nameFields.removeAll()
    nameOffsets.removeAll(keepingCapacity: true)
    appendFields.removeAll()
    recordFields.removeAll()
    recordOffsets.removeAll(keepingCapacity: true)
  }

  /// Begins an append of so many events, which must then be added.
  mutating func beginAppend(_ id: AppendID, count: Int, correlation: Name?) {
    let correlation = correlation.map { UInt64(number(of: $0)) + 1 } ?? 0
    let further = UInt64(count - 1)
    let byteCount =
      18 + (further == 0 ? 0 : 1 + varintByteCount(further))
      + (correlation == 0 ? 0 : 1 + varintByteCount(correlation))
    appendFields.byte(BlockField.append)
    appendFields.varint(UInt64(byteCount))
    id.withBytes { appendFields.field(1, bytes: $0) }
    if further != 0 { appendFields.field(2, varint: further) }
    if correlation != 0 { appendFields.field(3, varint: correlation) }
  }

  /// The number of a name, which is added if it is new.
  mutating func number(of name: Name) -> Int {
    let (number, isNew) = name.withBytes { names.insert($0) }
    if isNew {
      nameOffsets.append(UInt32(nameFields.count))
      name.withBytes { nameFields.field(5, bytes: $0) }
    }
    return number
  }

  /// Adds an event whose stream has a number in this block.
  mutating func add(_ event: ProposedEvent, stream: Int, version: UInt64) {
    let stream = UInt64(stream)
    let type = UInt64(number(of: event.type))
    let actor = event.actor.map { UInt64(number(of: $0)) + 1 } ?? 0
    let device = event.device.map { UInt64(number(of: $0)) + 1 } ?? 0
    let cause = event.cause?.rawValue ?? 0
    let payload = event.payload.count
    var byteCount = 1 + varintByteCount(version)
    if stream != 0 { byteCount += 1 + varintByteCount(stream) }
    if type != 0 { byteCount += 1 + varintByteCount(type) }
    if actor != 0 { byteCount += 1 + varintByteCount(actor) }
    if device != 0 { byteCount += 1 + varintByteCount(device) }
    if cause != 0 { byteCount += 1 + varintByteCount(cause) }
    if payload != 0 { byteCount += 1 + varintByteCount(UInt64(payload)) + payload }

    recordOffsets.append(UInt32(recordFields.count))
    recordFields.byte(BlockField.record)
    recordFields.varint(UInt64(byteCount))
    if stream != 0 { recordFields.field(1, varint: stream) }
    recordFields.field(2, varint: version)
    if type != 0 { recordFields.field(3, varint: type) }
    if actor != 0 { recordFields.field(4, varint: actor) }
    if device != 0 { recordFields.field(5, varint: device) }
    if cause != 0 { recordFields.field(6, varint: cause) }
    if payload != 0 { event.payload.withUnsafeBytes { recordFields.field(7, bytes: $0) } }
    count += 1
  }

  /// Writes the block that follows a head; ``withBlock(_:)`` lends it.
  mutating func finish(after head: Head, recorded: Timestamp) {
    body.removeAll()
    frame.removeAll()
    body.field(1, varint: UInt64(head.blocks + 1))
    body.field(2, varint: head.position.next.rawValue)
    body.field(3, varint: UInt64(count))
    body.field(4, fixed64: UInt64(bitPattern: recorded.rawValue))
    let namesStart = UInt32(Frame.headCount + body.count)
    nameFields.withBytes { body.bytes($0) }
    appendFields.withBytes { body.bytes($0) }
    let recordsStart = UInt32(Frame.headCount + body.count)
    recordFields.withBytes { body.bytes($0) }
    if count > 1 {
      body.byte(BlockField.offsets)
      body.varint(UInt64(4 * (nameOffsets.count + count)))
      let offsetsStart = UInt32(Frame.headCount + body.count)
      for offset in nameOffsets { body.fixed32(namesStart + offset) }
      for offset in recordOffsets { body.fixed32(recordsStart + offset) }
      body.field(9, fixed32: offsetsStart)
    }
    body.withBytes { Frame.write($0, magic: Frame.blockMagic, after: head.hash, into: &frame) }
  }

  /// Lends the bytes of the block that was finished last.
  func withBlock<R, E: Error>(_ use: (BlockView) throws(E) -> R) throws(E) -> R {
    try frame.withBytes { bytes throws(E) in
      guard let block = try? BlockView(bytes.bytes) else {
        preconditionFailure("a block was written that cannot be read: \(bytes.count) bytes")
      }
      return try use(block)
    }
  }
}
