// The encoder of blocks.
internal import Bytes
internal import Digests

/// Collects the appends of one commit and encodes them as a block; reusable.
internal struct BlockBuilder: ~Copyable {
  /// The streams so far, by their numbers.
  private(set) var streams = NameFields(field: 5)
  private var types = NameFields(field: 6)
  private var names = NameFields(field: 7)
  /// The number of added events.
  private(set) var count = 0

  private var ids = ByteWriter()
  private var further: [UInt64] = []
  private var correlations: [UInt64] = []
  /// The proposal hash of the append that was begun, until its first event is added.
  private var proposal: UInt64 = 0
  private var records = ByteWriter(capacity: 1 << 16)
  private var recordOffsets: [UInt32] = []
  private var frame = ByteWriter(capacity: 1 << 16)

  mutating func removeAll() {
    streams.removeAll()
    types.removeAll()
    names.removeAll()
    count = 0
    ids.removeAll()
    further.removeAll(keepingCapacity: true)
    correlations.removeAll(keepingCapacity: true)
    records.removeAll()
    recordOffsets.removeAll(keepingCapacity: true)
  }

  /// Begins an append of `count` events, which must then be added.
  mutating func beginAppend(_ id: AppendID, count: Int, correlation: Name?, proposal: ProposalHash?) {
    id.withBytes { ids.bytes($0) }
    further.append(UInt64(count - 1))
    correlations.append(correlation.map { UInt64(names.number(of: $0)) + 1 } ?? 0)
    self.proposal = proposal?.rawValue ?? 0
  }

  /// Returns the number of a stream; adds the stream if it is new.
  mutating func number(ofStream stream: Name) -> Int { streams.number(of: stream) }

  /// Adds an event of several, whose stream has a number in this block.
  mutating func add(_ index: Int, of events: Span<ProposedEvent>, stream: Int, version: UInt64) {
    events[index].payload.withUnsafeBytes { payload in
      events[index].encrypted.withUnsafeBytes {
        add(index, of: events, stream: stream, version: version, payload: payload, encrypted: $0)
      }
    }
  }

  /// Adds an event of several with another payload than its own, and with encrypted content.
  ///
  /// The event is not copied, which would retain each of its parts.
  mutating func add(
    _ index: Int, of events: Span<ProposedEvent>, stream: Int, version: UInt64, payload: UnsafeRawBufferPointer,
    encrypted: UnsafeRawBufferPointer
  ) {
    let stream = UInt64(stream)
    let type = UInt64(types.number(of: events[index].type))
    let actor = events[index].actor.map { UInt64(names.number(of: $0)) + 1 } ?? 0
    let device = events[index].device.map { UInt64(names.number(of: $0)) + 1 } ?? 0
    let cause = events[index].cause?.rawValue ?? 0
    var byteCount = 1 + varintByteCount(version)
    if stream != 0 { byteCount += 1 + varintByteCount(stream) }
    if type != 0 { byteCount += 1 + varintByteCount(type) }
    if actor != 0 { byteCount += 1 + varintByteCount(actor) }
    if device != 0 { byteCount += 1 + varintByteCount(device) }
    if cause != 0 { byteCount += 1 + varintByteCount(cause) }
    if !payload.isEmpty { byteCount += 1 + varintByteCount(UInt64(payload.count)) + payload.count }
    if proposal != 0 { byteCount += 9 }
    if !encrypted.isEmpty { byteCount += 1 + varintByteCount(UInt64(encrypted.count)) + encrypted.count }

    recordOffsets.append(UInt32(records.count))
    records.byte(BlockField.record)
    records.varint(UInt64(byteCount))
    if stream != 0 { records.field(1, varint: stream) }
    records.field(2, varint: version)
    if type != 0 { records.field(3, varint: type) }
    if actor != 0 { records.field(4, varint: actor) }
    if device != 0 { records.field(5, varint: device) }
    if cause != 0 { records.field(6, varint: cause) }
    if !payload.isEmpty { records.field(7, bytes: payload) }
    if proposal != 0 { records.field(8, fixed64: proposal) }
    if !encrypted.isEmpty { records.field(9, bytes: encrypted) }
    proposal = 0
    count += 1
  }

  /// Encodes the block that follows a head; ``withBlock(_:)`` passes it on.
  mutating func finish(after head: Head, recorded: Timestamp) {
    frame.removeAll()
    Frame.begin(Frame.blockMagic, in: &frame)
    frame.field(1, varint: UInt64(head.blocks + 1))
    frame.field(2, varint: head.position.next.rawValue)
    if count > 1 { frame.field(3, varint: UInt64(count - 1)) }
    frame.field(4, fixed64: UInt64(bitPattern: recorded.rawValue))
    let starts = (streams.write(into: &frame), types.write(into: &frame), names.write(into: &frame))
    ids.withBytes { frame.field(8, bytes: $0) }
    frame.packedField(9, further)
    frame.packedField(10, correlations)
    let recordsStart = UInt32(frame.count)
    records.withBytes { frame.bytes($0) }
    if count > 1 {
      let offsets = streams.offsets.count + types.offsets.count + names.offsets.count + count
      frame.byte(BlockField.offsets)
      frame.varint(UInt64(4 * offsets))
      let start = UInt32(frame.count)
      for offset in streams.offsets { frame.fixed32(starts.0 + offset) }
      for offset in types.offsets { frame.fixed32(starts.1 + offset) }
      for offset in names.offsets { frame.fixed32(starts.2 + offset) }
      for offset in recordOffsets { frame.fixed32(recordsStart + offset) }
      frame.byte(BlockField.directory)
      frame.varint(16)
      frame.fixed32(start)
      for count in [streams.offsets.count, types.offsets.count, names.offsets.count] { frame.fixed32(UInt32(count)) }
    }
    Frame.end(&frame, after: head.hash)
  }

  /// Passes the block that was finished last to the closure, for whose duration it is valid.
  func withBlock<R, E: Error>(_ use: (BlockView) throws(E) -> R) throws(E) -> R {
    try frame.withBytes { bytes throws(E) in
      guard let block = try? BlockView(bytes.bytes) else {
        preconditionFailure("a written block of \(bytes.count) bytes cannot be read")
      }
      return try use(block)
    }
  }
}

/// Distinct names of one kind in a block being built, encoded as fields in the order of first use.
internal struct NameFields: ~Copyable {
  private let field: UInt64
  private var numbers = ByteMap()
  private var fields = ByteWriter()
  /// The offset of each field within the fields.
  private(set) var offsets: [UInt32] = []

  init(field: UInt64) { self.field = field }

  mutating func removeAll() {
    numbers.removeAll()
    fields.removeAll()
    offsets.removeAll(keepingCapacity: true)
  }

  /// Returns the number of a name, or nil if it was not added.
  func known(_ name: Name) -> Int? { name.withBytes { numbers.number(of: $0) } }

  /// Returns the number of a name; adds the name if it is new.
  mutating func number(of name: Name) -> Int {
    let (number, isNew) = name.withBytes { numbers.insert($0) }
    if isNew {
      offsets.append(UInt32(fields.count))
      name.withBytes { fields.field(field, bytes: $0) }
    }
    return number
  }

  /// Appends the fields to a frame and returns their offset in the frame.
  func write(into frame: inout ByteWriter) -> UInt32 {
    let start = UInt32(frame.count)
    fields.withBytes { frame.bytes($0) }
    return start
  }
}

extension ByteWriter {
  /// Writes numbers as one packed field, unless all are 0.
  fileprivate mutating func packedField(_ number: UInt64, _ values: [UInt64]) {
    guard values.contains(where: { $0 != 0 }) else { return }
    varint(number << 3 | 2)
    varint(UInt64(values.reduce(0) { $0 + varintByteCount($1) }))
    for value in values { varint(value) }
  }
}
