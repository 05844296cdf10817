// Strict JSON reading and exact writing, compared with Foundation.
import JSONLines
import Foundation
import Testing

@testable import VerbatimCommand

private func parse(_ text: String) throws(InputDefect) -> JSON { try JSONParser.parse(Array(text.utf8)) }

struct ReadingJSON {
  @Test func `each kind of value is parsed`() throws {
    #expect(try parse(" null ") == .null)
    #expect(try parse("[true,false]") == .array([.bool(true), .bool(false)]))
    #expect(try parse("-0.50e+3") == .number("-0.50e+3"))
    #expect(
      try parse(#"{ "b" : 1 , "a" : {} , "" : [ ] }"#)
        == .object([
          .init(key: "b", value: .number("1")), .init(key: "a", value: .object([])),
          .init(key: "", value: .array([])),
        ]))
  }

  @Test func `escapes are decoded`() throws {
    #expect(try parse(#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\uD83D\uDE00""#) == .string("\"\\/\u{8}\u{C}\n\r\tAé€😀"))
    #expect(try parse(#""a\u0000b""#) == .string("a\0b"))
    #expect(try parse("\"a\u{7F}é\u{2028}😀\"") == .string("a\u{7F}é\u{2028}😀"))
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "True", "'a'", "+1", "01", "-", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity",
    "1 2", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}",
    "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"",
    "\"\\uD800\"", "\"\\uD800x\"", "\"\\uD800\\n\"", "\"\\uD800\\u0041\"", "\"\\uDC00\\uD800\"", "\"\n\"",
    "\"\u{0}\"", "\u{FEFF}1", "// a\n1", "1,", "{}{}", "\u{A0}1", "\u{C}1",
  ])
  func `text that is not JSON is refused`(text: String) {
    #expect(throws: InputDefect.self) { try parse(text) }
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xF8, 0x88],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) {
    #expect(throws: InputDefect.self) { try JSONParser.parse([0x22] + bytes + [0x22]) }
    #expect(throws: InputDefect.self) { try JSONParser.parse([0x22, 0x5C, 0x6E] + bytes + [0x22]) }
    #expect(throws: InputDefect.self) { try JSONParser.parse(bytes) }
  }

  @Test func `a duplicate key is refused, even if escaped differently`() {
    #expect(throws: InputDefect.self) { try parse(#"{"a":1,"a":1}"#) }
    #expect(throws: InputDefect.self) { try parse(#"{"a":1,"\u0061":1}"#) }
    #expect(throws: Never.self) { try parse(#"{"a":{"a":1}}"#) }
    // Equal as `String`, different in their bytes.
    #expect(throws: Never.self) { try parse("{\"\u{E9}\":1,\"e\u{301}\":1}") }
  }

  @Test(arguments: [1, 15, 16, 17, 40])
  func `a duplicate key is refused among any number of members`(count: Int) throws {
    let members = (0..<count).map { "\"\($0)\":0" }.joined(separator: ",")
    #expect(try parse("{\(members)}").kind == "an object")
    for repeated in Set([0, count / 2, count - 1]) {
      #expect(throws: InputDefect.self) { try parse("{\(members),\"\(repeated)\":1}") }
    }
  }

  @Test func `the members of an object are taken in any order, each once`() throws {
    var object = try ObjectReader(try parse(#"{"first":"1","other":"2","third":"3"}"#), what: "it")
    #expect(try object.text("other") == "2" && object.text("first") == "1" && object.text("other") == nil)
    #expect(throws: InputDefect("“third” is not a key of it: leave it out.")) { try object.finish() }
    #expect(try object.text("none") == nil && object.text("third") == "3" && object.text("first") == nil)
    #expect(throws: Never.self) { try object.finish() }
  }

  @Test func `values nest up to the maximum depth`() {
    let depth = JSONParser.depthMax
    #expect(throws: Never.self) { try parse(deep(depth)) }
    #expect(throws: InputDefect.self) { try parse(deep(depth + 1)) }
    #expect(throws: InputDefect.self) { try parse(String(repeating: "[", count: 1_000_000)) }
    #expect(throws: InputDefect.self) { try parse(String(repeating: #"{"":"#, count: 1_000_000)) }
  }

  @Test func `an error contains the byte offset`() {
    #expect(throws: InputDefect("byte 6: a digit is missing")) { try parse("[1, -]") }
    #expect(throws: InputDefect("byte 8: the key “a” occurs twice in one object")) {
      try parse(#"{"a":1,"a":2}"#)
    }
  }

  private func deep(_ count: Int) -> String {
    String(repeating: "[", count: count) + String(repeating: "]", count: count)
  }
}

struct WritingJSON {
  @Test func `members are written in the order of the calls, without space`() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("b", "x")
      writer.member("nothing", nil as String?)
      writer.member("a", UInt64.max)
      writer.key("list")
      writer.array {
        $0.bool(true)
        $0.null()
        $0.integer(-1)
        for number in [1, -0.0, 2.5e-7, 1e300, .nan, -.infinity] { $0.number(number) }
        $0.object { _ in }
        $0.array { _ in }
      }
      writer.member("range", 1, 2)
    }
    writer.endLine()
    writer.integer(1)
    let list = #"[true,null,-1,1.0,-0.0,2.5e-07,1e+300,"nan","-inf",{},[]]"#
    #expect(writer.text == #"{"b":"x","a":18446744073709551615,"list":\#(list),"range":[1,2]}"# + "\n1")
  }

  @Test func `the writer escapes exactly the required characters`() {
    var writer = JSONWriter()
    writer.string("\0\u{1F}\u{8}\t\n\u{C}\r\"\\/\u{7F}é\u{9B}\u{A0}\u{2028}\u{202E}\u{61C}؛😀")
    #expect(
      writer.text == #""\u0000\u001f\b\t\n\f\r\"\\/\u007fé\u009b"# + "\u{A0}" + #"\u2028\u202e\u061c؛😀""#)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `written JSON is parsed back, by Foundation too`(seed: UInt64) throws {
    var generator = Seeded(seed)
    for _ in 0..<300 {
      let value = JSON.random(using: &generator, depth: 4)
      var writer = JSONWriter()
      writer.write(value)
      #expect(try JSONParser.parse(writer.bytes) == value, "seed \(seed): \(writer.text)")
      #expect(throws: Never.self, "seed \(seed): \(writer.text)") {
        try JSONSerialization.jsonObject(with: Data(writer.bytes), options: .fragmentsAllowed)
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `mutated bytes are parsed or refused, and never trap`(seed: UInt64) {
    var generator = Seeded(seed)
    for _ in 0..<2000 {
      var writer = JSONWriter()
      writer.write(.random(using: &generator, depth: 3))
      var bytes = writer.bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
        let place = bytes.indices.randomElement(using: &generator)!
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(Array("{}[]\",:\\u".utf8).randomElement(using: &generator)!, at: place)
        }
      }
      let isRead = (try? JSONParser.parse(bytes)) != nil
      let isReadByOthers =
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      // Foundation accepts more (duplicate keys, deeper values), but refuses numbers that are too large for it.
      let isAgreed = !isRead || isReadByOthers || !Set(bytes).isDisjoint(with: "eE".utf8)
      #expect(isAgreed, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}

struct Base64Letters {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `base64 agrees with Foundation and decodes to the same bytes`(seed: UInt64) {
    var generator = Seeded(seed)
    for count in 0..<200 {
      let some = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(base64(some) == Data(some).base64EncodedString(), "seed \(seed)")
      #expect(bytes(base64: base64(some)) == some, "seed \(seed)")
    }
  }

  @Test(arguments: [
    "A", "AA", "AAA", "AA=", "A===", "====", "=", "AA==AA==", "AAA=AAAA", "AB==", "AAB=", "AA A",
    "AAAA\n", "AA-_", "AA=A", "ÄÄ",
  ])
  func `text that is not canonical base64 is refused`(text: String) {
    #expect(bytes(base64: text) == nil)
  }
}

extension JSON {
  static func random(using generator: inout Seeded, depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &generator) {
    case 0: return .string("null")
    case 1: return .bool(Bool.random(using: &generator))
    case 2:
      let number = UInt64.random(in: 0 ... .max, using: &generator)
      return .number("\(number >> UInt64.random(in: 0...63, using: &generator))")
    case 3: return .string(randomText(using: &generator))
    case 4:
      return .array(
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          random(using: &generator, depth: depth - 1)
        })
    default:
      return .object(
        (0..<Int.random(in: 0...4, using: &generator)).map { number in
          Member(
            key: "\(number)" + randomText(using: &generator), value: random(using: &generator, depth: depth - 1))
        })
    }
  }

  private static func randomText(using generator: inout Seeded) -> String {
    let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0...0x20, 0x22...0x5C, 0x80...0xD7FF, 0xE000...0x10_FFFF]
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      let range = ranges.randomElement(using: &generator)!
      text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: range, using: &generator))!)
    }
    return text
  }
}

extension JSONWriter {
  mutating func write(_ value: JSON) {
    switch value {
    case .null: preconditionFailure("nothing writes null")
    case .bool(let value): bool(value)
    case .number(let text): integer(UInt64(text)!)
    case .string(let text): string(text)
    case .array(let values): array { writer in for value in values { writer.write(value) } }
    case .object(let members):
      object { writer in
        for member in members {
          writer.key(member.key)
          writer.write(member.value)
        }
      }
    }
  }
}
