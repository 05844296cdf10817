// A strict JSON parser (RFC 8259).

/// A cursor in the bytes of a JSON text.
package struct JSONParser {
  /// The maximum nesting depth of arrays and objects.
  package static let depthMax = 32

  private let bytes: [UInt8]
  private var offset = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses a value that spans all of the bytes.
  package static func parse(_ bytes: [UInt8]) throws(InputDefect) -> JSON {
    var parser = JSONParser(bytes)
    parser.skipSpace()
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.offset == bytes.count else { throw parser.error("there are bytes after the value") }
    return value
  }

  private mutating func value(depth: Int) throws(InputDefect) -> JSON {
    guard let first = peek else { throw error("the input ends before a value") }
    switch first {
    case UInt8(ascii: "{") where depth < Self.depthMax: return try object(depth)
    case UInt8(ascii: "[") where depth < Self.depthMax: return try array(depth)
    case UInt8(ascii: "{"), UInt8(ascii: "["): throw error("values are nested more than \(Self.depthMax) levels deep")
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw error("this is not a value")
    }
  }

  // MARK: Objects and arrays

  private mutating func object(_ depth: Int) throws(InputDefect) -> JSON {
    var members: [JSON.Member] = []
    var keys: Set<[UInt8]> = []
    offset += 1
    skipSpace()
    if skip("}") { return .object([]) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw error("a key in quotes is missing") }
      let start = offset
      let key = try string()
      guard !isTaken(key, among: members, &keys) else {
        throw InputDefect(byte: start + 1, "the key “\(key)” occurs twice in one object")
      }
      skipSpace()
      guard skip(":") else { throw error("a colon is missing after a key") }
      skipSpace()
      members.append(JSON.Member(key: key, value: try value(depth: depth + 1)))
      skipSpace()
    } while skip(",")
    guard skip("}") else { throw error("an object is not closed") }
    return .object(members)
  }

  /// Returns whether an object has a key already; `keys` has those of an object with many members.
  private func isTaken(_ key: String, among members: [JSON.Member], _ keys: inout Set<[UInt8]>) -> Bool {
    if members.count < 16 {
      // Texts may be equal and have other bytes.
      return members.contains { $0.key == key && $0.key.utf8.elementsEqual(key.utf8) }
    }
    if keys.isEmpty { for member in members { keys.insert(Array(member.key.utf8)) } }
    return !keys.insert(Array(key.utf8)).inserted
  }

  private mutating func array(_ depth: Int) throws(InputDefect) -> JSON {
    var values: [JSON] = []
    offset += 1
    skipSpace()
    if skip("]") { return .array([]) }
    repeat {
      skipSpace()
      values.append(try value(depth: depth + 1))
      skipSpace()
    } while skip(",")
    guard skip("]") else { throw error("an array is not closed") }
    return .array(values)
  }

  // MARK: Words and numbers

  private mutating func word(_ word: String, _ value: JSON) throws(InputDefect) -> JSON {
    guard bytes[offset...].starts(with: word.utf8) else { throw error("this is not a value") }
    offset += word.utf8.count
    return value
  }

  /// Parses a number and returns its text.
  private mutating func number() throws(InputDefect) -> String {
    let start = offset
    _ = skip("-")
    if !skip("0") { try digits() }
    if skip(".") { try digits() }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      try digits()
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func digits() throws(InputDefect) {
    let start = offset
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else { throw error("a digit is missing") }
  }

  // MARK: Strings

  private mutating func string() throws(InputDefect) -> String {
    offset += 1
    let start = offset
    var unescaped: [UInt8] = []
    var runStart = offset
    var isASCII = true
    while let byte = peek, byte != UInt8(ascii: "\"") {
      if byte >= 0x80 { isASCII = false }
      guard byte >= 0x20 else { throw error("a string has an unescaped control character") }
      guard byte == UInt8(ascii: "\\") else {
        offset += 1
        continue
      }
      unescaped.append(contentsOf: bytes[runStart..<offset])
      unescaped.append(contentsOf: try escape())
      runStart = offset
    }
    guard peek != nil else { throw error("a string is not closed") }
    if runStart > start { unescaped.append(contentsOf: bytes[runStart..<offset]) }
    let content = runStart == start ? bytes[start..<offset] : unescaped[...]
    let text = content.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    // Bytes that are not UTF-8 were replaced. `String(validating:as:)` is generic, and takes ten times as long.
    guard isASCII || text.utf8.elementsEqual(content) else {
      throw InputDefect(byte: start + 1, "the string that begins here is not UTF-8")
    }
    offset += 1
    return text
  }

  /// Returns the bytes of an escape sequence.
  private mutating func escape() throws(InputDefect) -> [UInt8] {
    offset += 1
    guard let letter = peek else { throw error("a string is not closed") }
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default:
      offset -= 1
      throw error("this is not an escape sequence")
    }
  }

  /// Parses the scalar after `\u`: four digits, or twice four for a surrogate pair.
  private mutating func scalar() throws(InputDefect) -> Unicode.Scalar {
    let start = offset
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let lone = InputDefect(byte: start + 1, "a surrogate is unpaired")
    guard first < 0xDC00, skip("\\"), skip("u") else { throw lone }
    let second = try hexadecimal()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw lone }
    return scalar
  }

  private mutating func hexadecimal() throws(InputDefect) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("four hexadecimal digits must follow")
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }

  // MARK: Bytes

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  private func error(_ defect: String) -> InputDefect { InputDefect(byte: offset + 1, defect) }
}
