// Writes JSON: members in the order of the calls, no whitespace, UTF-8 wherever no escape is needed.
//
// Beyond the escapes that JSON requires, characters that a terminal interprets instead of displaying are escaped: DEL,
// C1 controls, line and paragraph separators, and direction marks. Lines of JSON can therefore be printed as they are.

/// A buffer to which JSON is written.
///
/// Commas are inserted automatically; the caller must write members into objects and values into arrays.
package struct JSONWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private var depth = 0
  /// The number of arrays and objects around the innermost value so far.
  package private(set) var depthReached = 0

  package init() {}

  /// The bytes as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Discards the written bytes.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
    depthReached = 0
  }

  /// Ends a line, so that another text can follow.
  package mutating func endLine() {
    bytes.append(0x0A)
    needsComma = false
  }

  /// Writes an object as a value.
  package mutating func object(_ members: (inout JSONWriter) -> Void) { enclosed("{", "}", members) }

  /// Writes an array as a value.
  package mutating func array(_ values: (inout JSONWriter) -> Void) { enclosed("[", "]", values) }

  /// Writes a key; its value must follow.
  package mutating func key(_ key: String) {
    string(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string as a value.
  package mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { utf8($0) }
  }

  /// Writes UTF-8 bytes as a string.
  package mutating func utf8(_ text: UnsafeBufferPointer<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    var (offset, runStart) = (0, 0)
    while offset < text.count {
      let byte = text[offset]
      var count = 1
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F {
        bytes.append(contentsOf: text[runStart..<offset])
        escape(byte)
      } else if let (scalar, length) = terminalControl(in: text, at: offset) {
        bytes.append(contentsOf: text[runStart..<offset])
        escape(scalar: scalar)
        count = length
      } else {
        offset += 1
        continue
      }
      offset += count
      runStart = offset
    }
    bytes.append(contentsOf: text[runStart...])
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes an integer as a value.
  package mutating func integer(_ value: some FixedWidthInteger) {
    separate()
    bytes.append(contentsOf: String(value).utf8)
  }

  /// Writes a Boolean as a value.
  package mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes a number with a fraction or an exponent; infinities and NaN are written as strings.
  package mutating func number(_ value: Double) {
    guard value.isFinite else { return string("\(value)") }
    separate()
    bytes.append(contentsOf: "\(value)".utf8)
  }

  /// Writes null as a value.
  package mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  private mutating func enclosed(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void
  ) {
    separate()
    bytes.append(UInt8(ascii: open))
    needsComma = false
    depth += 1
    depthReached = max(depthReached, depth)
    body(&self)
    depth -= 1
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }

  fileprivate mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      bytes.removeLast()
      escape(scalar: UInt16(byte))
    }
  }

  private mutating func escape(scalar: UInt16) {
    bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
    for shift in [12, 8, 4, 0] as [UInt16] { bytes.append(hexadecimalDigits[Int(scalar >> shift & 15)]) }
  }
}

private let hexadecimalDigits = Array("0123456789abcdef".utf8)

/// Returns the multi-byte scalar at an offset if a terminal interprets it, and its length in bytes; nil for others.
private func terminalControl(in text: UnsafeBufferPointer<UInt8>, at offset: Int) -> (scalar: UInt16, length: Int)? {
  let lead = text[offset]
  guard lead == 0xC2 || lead == 0xD8 || lead == 0xE2, offset + 1 < text.count else { return nil }
  let second = text[offset + 1]
  // C1 controls are U+0080 to U+009F; U+061C is the Arabic letter mark.
  if lead == 0xC2 { return second < 0xA0 ? (UInt16(second), 2) : nil }
  if lead == 0xD8 { return second == 0x9C ? (0x061C, 2) : nil }
  guard offset + 2 < text.count else { return nil }
  let scalar = 0x2000 | UInt16(second & 0x3F) << 6 | UInt16(text[offset + 2] & 0x3F)
  switch scalar {
  case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return (scalar, 3)
  default: return nil
  }
}

extension JSONWriter {
  /// Writes a value of any kind; a number keeps its text.
  package mutating func value(_ json: JSON) {
    switch json {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let text):
      separate()
      bytes.append(contentsOf: text.utf8)
    case .string(let text): string(text)
    case .array(let values): array { for value in values { $0.value(value) } }
    case .object(let members): object { for member in members { $0.member(member.key, member.value) } }
    }
  }

  /// Writes a member with a value of any kind.
  package mutating func member(_ key: String, _ json: JSON) {
    self.key(key)
    value(json)
  }

  /// Writes a member with a string; writes nothing for nil.
  package mutating func member(_ key: String, _ text: String?) {
    guard let text else { return }
    self.key(key)
    string(text)
  }

  /// Writes a member with an integer; writes nothing for nil.
  package mutating func member<Number: FixedWidthInteger>(_ key: String, _ number: Number?) {
    guard let number else { return }
    self.key(key)
    integer(number)
  }

  /// Writes a member with an array of two numbers: the first and the last of a range.
  package mutating func member(_ key: String, _ first: UInt64, _ last: UInt64) {
    self.key(key)
    array {
      $0.integer(first)
      $0.integer(last)
    }
  }
}

extension JSONWriter {
  /// Writes a value that is already JSON text.
  package mutating func json(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }
}
