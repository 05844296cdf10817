// The keys of the chat tables: ids and numbers separated by spaces.
internal import Bytes
internal import Chat

/// A key of a table: parts separated by spaces, each an id, an eight-byte number or, where that has a meaning, empty.
///
/// A space sorts before every character of an id, so byte order is the order of the parts: the rows of one channel are
/// adjacent, whatever other channels are called.
protocol ChatKey: TableKey, Hashable, Sendable {
  /// Decodes a key from its parts, read one by one; nil when they are not a valid key.
  init?(from parts: inout KeyParts)

  /// Writes the parts of the key.
  func spell(to writer: inout KeyWriter)
}

extension ChatKey {
  /// Calls the closure with the key's bytes, which are valid for the duration of the closure.
  public func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeTemporaryAllocation(byteCount: KeyWriter.byteCountMax, alignment: 8) { room in
      var writer = KeyWriter(room)
      spell(to: &writer)
      return body(writer.bytes)
    }
  }

  /// Decodes a key from bytes; nil when they are not a valid key.
  init?(spelledBy bytes: RawSpan) {
    var parts = KeyParts(bytes)
    self.init(from: &parts)
    guard parts.isDone else { return nil }
  }
}

// MARK: Parts

/// The separator between the parts of a key.
private let space = UInt8(ascii: " ")

/// A reader of a key's parts, one by one.
struct KeyParts: ~Escapable {
  private let bytes: RawSpan
  /// The offset of the next part; past the end once the last part was read.
  private var offset = 0
  private var isSound = true

  /// Creates a reader over a key's bytes, from an offset at which a part begins.
  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, from offset: Int = 0) { (self.bytes, self.offset) = (bytes, offset) }

  /// Whether all parts were read and each was valid.
  var isDone: Bool { isSound && offset > bytes.byteCount }

  /// Reads the next part as an id; nil when there is no part or it is not an id.
  @_lifetime(self: copy self)
  mutating func id<Named>() -> ID<Named>? {
    guard offset <= bytes.byteCount else { return nil }
    let part = offset..<offset + nextCount
    offset = part.upperBound + 1
    let id = ID<Named>(spelledBy: bytes.extracting(part))
    if id == nil { isSound = false }
    return id
  }

  /// Reads the next part as a number; nil when there is none.
  @_lifetime(self: copy self)
  mutating func number() -> UInt64? {
    let end = offset + 8
    let isLast = end == bytes.byteCount
    guard isLast || end < bytes.byteCount && bytes.unsafeLoad(fromByteOffset: end, as: UInt8.self) == space else {
      isSound = false
      return nil
    }
    let number = UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    offset = end + 1
    return number
  }

  /// Reads the next part as one byte; nil when there is none.
  @_lifetime(self: copy self)
  mutating func byte() -> UInt8? {
    guard offset < bytes.byteCount, nextCount == 1 else { return nil }
    defer { offset += 2 }
    return bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// Reads the next part as a zero-terminated text; nil when there is none.
  @_lifetime(self: copy self)
  mutating func text() -> [UInt8]? {
    var text: [UInt8] = []
    while offset < bytes.byteCount {
      let byte = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      offset += 1
      if byte == 0 {
        let isEnd = offset == bytes.byteCount || bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) != 0xFF
        if isEnd { return text }
        offset += 1
      }
      text.append(byte)
    }
    return nil
  }

  /// The bytes of the parts that were not yet read.
  var rest: RawSpan {
    @_lifetime(copy self)
    get { bytes.extracting(min(offset, bytes.byteCount)..<bytes.byteCount) }
  }

  /// Skips the next part if it is empty; returns whether it was.
  @_lifetime(self: copy self)
  mutating func skipNothing() -> Bool {
    guard offset < bytes.byteCount, nextCount == 0 else { return false }
    offset += 1
    return true
  }

  /// Skips the last part if it is empty; returns whether it was.
  @_lifetime(self: copy self)
  mutating func endsWithNothing() -> Bool {
    guard offset == bytes.byteCount else { return false }
    offset += 1
    return true
  }

  /// The number of bytes of the next part.
  private var nextCount: Int {
    let rest = bytes.extracting(offset..<bytes.byteCount)
    return rest.withUnsafeBytes { $0.firstIndex(of: space) ?? $0.count }
  }
}

/// A writer of a key, part by part, into a buffer that fits the longest key.
struct KeyWriter {
  /// The longest key: four ids and the bytes before, between and after them; no key has more than two numbers besides.
  static let byteCountMax = 4 * idLengthMax + 8

  private let room: UnsafeMutableRawBufferPointer
  private var count = 0

  init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

  /// The bytes written so far.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<count]) }

  /// Writes the first part.
  mutating func first<Named>(_ id: ID<Named>) {
    let utf8 = id.text.utf8
    let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
    let written: Int? = utf8.withContiguousStorageIfAvailable { bytes in
      rest.copyMemory(from: UnsafeRawBufferPointer(bytes))
      return bytes.count
    }
    if let written {
      count += written
    } else {
      rest.copyBytes(from: utf8)
      count += utf8.count
    }
  }

  /// Writes a separator and an id.
  mutating func then<Named>(_ id: ID<Named>) {
    thenNothing()
    first(id)
  }

  /// Writes a separator and a number as eight big-endian bytes.
  mutating func then(_ number: UInt64) {
    thenNothing()
    withUnsafeBytes(of: number.bigEndian) { bytes in
      UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: bytes)
    }
    count += 8
  }

  /// Writes one byte as the first part.
  mutating func first(_ byte: UInt8) {
    room[count] = byte
    count += 1
  }

  /// Writes a separator and a text. A whole text ends with a zero instead of a space, so that it sorts before all texts
  /// of which it is a prefix. A zero within the text is escaped by a following 255, with which no id begins.
  mutating func then(_ text: [UInt8], isWhole: Bool) {
    thenNothing()
    for byte in text {
      first(byte)
      if byte == 0 { first(0xFF as UInt8) }
    }
    if isWhole { first(0 as UInt8) }
  }

  /// Writes a separator that ends an empty part.
  mutating func thenNothing() {
    room[count] = space
    count += 1
  }
}
