// The keys of a conversation's tables: ids and numbers with a space between them.
internal import Bytes
internal import Chat

/// A key of a table: parts with a space between them, each an id, a number of eight bytes or, where that says
/// something, nothing.
///
/// A space comes before all characters of ids, so that the order of bytes is that of the parts: what belongs to one
/// channel lies together, whatever other channels are called.
protocol ChatKey: TableKey, Hashable, Sendable {
  /// The key that parts spell, which are read one by one; nil when they spell none.
  init?(from parts: inout KeyParts)

  /// Writes the parts.
  func spell(to writer: inout KeyWriter)
}

extension ChatKey {
  /// Lends the key's bytes.
  public func withKeyBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeTemporaryAllocation(byteCount: KeyWriter.byteCountMax, alignment: 8) { room in
      var writer = KeyWriter(room)
      spell(to: &writer)
      return body(writer.bytes)
    }
  }

  /// The key that bytes spell; nil when they spell none.
  init?(spelledBy bytes: RawSpan) {
    var parts = KeyParts(bytes)
    self.init(from: &parts)
    guard parts.isDone else { return nil }
  }
}

// MARK: Parts

/// What stands between the parts of a key.
private let space = UInt8(ascii: " ")

/// The parts of a key, read one by one.
struct KeyParts: ~Escapable {
  private let bytes: RawSpan
  /// Where the next part begins; past the end once the last was read.
  private var place = 0
  private var isSound = true

  /// The parts of a key's bytes.
  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  /// Whether all parts were read, and were what they were read as.
  var isDone: Bool { isSound && place > bytes.byteCount }

  /// The next part, an id; nil when there is none, and when it is no id.
  @_lifetime(self: copy self)
  mutating func id<Named>() -> ID<Named>? {
    guard place <= bytes.byteCount else { return nil }
    let part = place..<place + nextCount
    place = part.upperBound + 1
    let id = ID<Named>(spelledBy: bytes.extracting(part))
    if id == nil { isSound = false }
    return id
  }

  /// The next part, a number; nil when there is none.
  @_lifetime(self: copy self)
  mutating func number() -> UInt64? {
    let end = place + 8
    let isLast = end == bytes.byteCount
    guard isLast || end < bytes.byteCount && bytes.unsafeLoad(fromByteOffset: end, as: UInt8.self) == space else {
      isSound = false
      return nil
    }
    let number = UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
    place = end + 1
    return number
  }

  /// The next part, one byte; nil when there is none.
  @_lifetime(self: copy self)
  mutating func byte() -> UInt8? {
    guard place < bytes.byteCount, nextCount == 1 else { return nil }
    defer { place += 2 }
    return bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
  }

  /// The next part, a text, which ends with a zero; nil when there is none.
  @_lifetime(self: copy self)
  mutating func text() -> [UInt8]? {
    var text: [UInt8] = []
    while place < bytes.byteCount {
      let byte = bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)
      place += 1
      if byte == 0 {
        let isEnd = place == bytes.byteCount || bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self) != 0xFF
        if isEnd { return text }
        place += 1
      }
      text.append(byte)
    }
    return nil
  }

  /// Steps over the next part if it is nothing.
  @_lifetime(self: copy self)
  mutating func skipNothing() -> Bool {
    guard place < bytes.byteCount, nextCount == 0 else { return false }
    place += 1
    return true
  }

  /// Steps over the last part if it is nothing.
  @_lifetime(self: copy self)
  mutating func endsWithNothing() -> Bool {
    guard place == bytes.byteCount else { return false }
    place += 1
    return true
  }

  /// How many bytes the next part has.
  private var nextCount: Int {
    let rest = bytes.extracting(place..<bytes.byteCount)
    return rest.withUnsafeBytes { $0.firstIndex(of: space) ?? $0.count }
  }
}

/// Writes a key, part by part, to where there is room for the longest.
struct KeyWriter {
  /// Four ids, and what stands before, between and behind them; no key has a number besides more than two.
  static let byteCountMax = 4 * idLengthMax + 8

  private let room: UnsafeMutableRawBufferPointer
  private var count = 0

  init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

  /// What was written.
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

  /// Writes a part behind others.
  mutating func then<Named>(_ id: ID<Named>) {
    thenNothing()
    first(id)
  }

  /// Writes a number behind others: eight bytes, the most significant first.
  mutating func then(_ number: UInt64) {
    thenNothing()
    withUnsafeBytes(of: number.bigEndian) { bytes in
      UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: bytes)
    }
    count += 8
  }

  /// Writes the first part, one byte.
  mutating func first(_ byte: UInt8) {
    room[count] = byte
    count += 1
  }

  /// Writes a text of bytes behind others; one that is whole ends with a zero, in place of a space, so that it comes
  /// before all that it begins. A zero within the text has 255 behind it, which no id begins with.
  mutating func then(_ text: [UInt8], isWhole: Bool) {
    thenNothing()
    for byte in text {
      first(byte)
      if byte == 0 { first(0xFF as UInt8) }
    }
    if isWhole { first(0 as UInt8) }
  }

  /// Writes an empty part behind others.
  mutating func thenNothing() {
    room[count] = space
    count += 1
  }
}
