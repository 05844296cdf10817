// Values from the bytes of an input.

/// The bytes of an input, taken one value after the other; after the last, all are 0.
struct ByteSource {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

  /// Whether all bytes were taken.
  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  /// Takes a number of two bytes.
  mutating func number() -> Int { Int(byte()) | Int(byte()) << 8 }

  /// Takes bytes after their count, at most 255.
  mutating func bytes() -> [UInt8] {
    let count = Int(byte())
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Takes a text after its count of bytes; invalid UTF-8 is repaired.
  mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }

  /// Takes all bytes that are left as a text.
  mutating func remainingText() -> String {
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// Takes a range in or around a short text.
  mutating func range() -> Range<Int> {
    let start = Int(Int8(bitPattern: byte()))
    return start..<start + Int(byte() % 16)
  }

  mutating func choice<Value>(_ values: [Value]) -> Value { values[Int(byte()) % values.count] }
}
