// Threat: names that are confused, and bytes that are no name.
import SeededRandom
import Testing

@testable import EventLog

@Suite struct `Name validation` {
  @Test(arguments: ["a", " ", "é", "日本", "👩‍👩‍👧", "\u{A0}", "~", "/", "\u{FFFD}", "\u{200B}"])
  func `a text without control characters is a valid name`(text: String) throws {
    let name = try Name(text)
    #expect(name.text == text && name.description == text)
    #expect(name.withBytes { Array($0) } == Array(text.utf8))
  }

  @Test func `a name has 1 to 320 bytes`() {
    #expect(defect("") == .empty)
    #expect(defect("a") == nil)
    #expect(defect(String(repeating: "a", count: 320)) == nil)
    #expect(defect(String(repeating: "a", count: 321)) == .tooLong(byteCount: 321))
    #expect(defect(String(repeating: "é", count: 160)) == nil)
    #expect(defect(String(repeating: "é", count: 160) + "a") == .tooLong(byteCount: 321))
    #expect(defect(String(repeating: "a", count: 100_000)) == .tooLong(byteCount: 100_000))
  }

  @Test func `a name with a C0 or C1 control character or delete is invalid`() throws {
    for value in 0...0x2FF as ClosedRange<UInt32> {
      let scalar = try #require(Unicode.Scalar(value))
      let isControl = value < 0x20 || (0x7F...0x9F).contains(value)
      for text in ["\(scalar)", "a\(scalar)", "\(scalar)a", "é\(scalar)"] {
        if (defect(text) == .controlCharacter) != isControl { Issue.record("U+\(String(value, radix: 16))") }
      }
    }
  }

  @Test(
    arguments: [
      [0x80], [0xC3], [0xC3, 0x28], [0xA9], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80],
      [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFF], [0x61, 0xE2, 0x82],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are an invalid name`(bytes: [UInt8]) {
    #expect(bytes.withUnsafeBytes { Name.defect(in: $0) } == .notUTF8)
  }

  @Test func `names with different bytes differ, even if they look alike`() {
    let (one, two) = ("caf\u{E9}" as Name, "cafe\u{301}" as Name)
    #expect(one.text == two.text)
    #expect(one != two)
    #expect(Set([one, two, one]).count == 2)
    #expect(two < one && !(one < two))
  }

  @Test func `names are equal and ordered as their bytes`() throws {
    var random = SeededRandom.printingSeed()
    let letters = ["a", "b", "e\u{301}", "\u{E9}", "日", "👍", "z"]
    let names = try (0..<60).map { _ in
      try Name((0...random.below(4)).map { _ in letters[random.below(letters.count)] }.joined())
    }
    for a in names {
      for b in names {
        let (x, y) = (Array(a.text.utf8), Array(b.text.utf8))
        #expect((a == b) == (x == y))
        #expect((a < b) == x.lexicographicallyPrecedes(y))
        if a == b { #expect(a.hashValue == b.hashValue) }
      }
    }
  }

  @Test func `an invalid name literal traps`() async {
    await #expect(processExitsWith: .failure) { _ = Name(stringLiteral: "") }
  }

  @Test func `the description of a name error is one sentence that ends with a remedy`() throws {
    for text in ["", String(repeating: "a", count: 400), "a\u{7}b"] {
      let error = #expect(throws: NameError.self) { try Name(text) }
      expectSentence(error, verbs: ["give", "leave"])
      #expect(error?.text == text)
    }
    expectSentence(NameError(text: "?", defect: .notUTF8), verbs: ["encode"])
  }

  private func defect(_ text: String) -> NameError.Defect? {
    do throws(NameError) {
      _ = try Name(text)
      return nil
    } catch { return error.defect }
  }
}

/// Expects the description of an error to be one sentence, with the remedy after its last colon.
func expectSentence(
  _ error: (any Error)?, verbs: [String], _ location: SourceLocation = #_sourceLocation
) {
  let text = error.map { "\($0)" } ?? ""
  let advice = text.split(separator: ": ").last ?? ""
  let isSentence = text.hasSuffix(".") && !text.contains(". ") && !text.contains("\n")
  #expect(isSentence && verbs.contains { advice.hasPrefix($0 + " ") }, "\(text)", sourceLocation: location)
}
