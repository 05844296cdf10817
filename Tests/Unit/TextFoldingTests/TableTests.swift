// Threat: what was folded once is folded to something else later, or on another machine.
import TextFolding
import SeededRandom
import Testing

struct `The table of letters` {
  /// Every scalar there can be, 256 in a text, each on a line of its own.
  private static let texts: [String] = stride(from: 0 as UInt32, to: 0x110000, by: 0x100).map { first in
    var text = String.UnicodeScalarView()
    for scalar in (first..<first + 0x100).compactMap(Unicode.Scalar.init) {
      text.append(scalar)
      text.append("\n")
    }
    return String(text)
  }

  /// The hashes of the tables: a change of a table requires a new `FoldedText.version`, and new hashes here.
  @Test func `is frozen`() {
    var (foldings, words) = (Checksum(), Checksum())
    for text in Self.texts {
      foldings.add(FoldedText(text).bytes)
      forEachWord(of: text) { word in
        words.add(word)
        words.add([0])
      }
    }
    #expect(FoldedText.version == 1)
    #expect(foldings.sum == 8_174_477_467_842_498_816)
    #expect(words.sum == 12_342_347_177_529_524_776)
  }

  @Test func `folds what is folded to itself`() {
    for text in Self.texts {
      let folded = FoldedText(text)
      #expect(folded.bytes.withUnsafeBytes { FoldedText(utf8: $0) } == folded, "near \(text.prefix(1))")
      #expect(String(validating: folded.bytes, as: UTF8.self) != nil)
    }
  }

  @Test func `folds texts scalar by scalar, whatever stands beside`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<300 {
      let parts = (0..<random.below(12)).map { _ in random.text() }
      #expect(FoldedText(parts.joined()).bytes == parts.flatMap { FoldedText($0).bytes }, "seed \(random.seed)")
    }
  }

  @Test func `takes bytes that spell nothing for the sign of that`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<3000 {
      let noise =
        random.noise(random.below(40)) + (random.below(2) == 0 ? [] : Array("é東".utf8.prefix(random.below(6))))
      let expected = FoldedText(String(decoding: noise, as: UTF8.self)).bytes.filter { $0 < 0x80 }
      let folded = noise.withUnsafeBytes { FoldedText(utf8: $0) }
      #expect(folded.bytes.filter { $0 < 0x80 } == expected, "seed \(random.seed)")
      #expect(String(validating: folded.bytes, as: UTF8.self) != nil, "seed \(random.seed)")
    }
    let surrogate: [UInt8] = [0x61, 0xED, 0xA0, 0x80, 0x62, 0xC0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0xC3]
    let folded = surrogate.withUnsafeBytes { String(decoding: FoldedText(utf8: $0).bytes, as: UTF8.self) }
    #expect(folded == "a\u{FFFD}\u{FFFD}\u{FFFD}b" + String(repeating: "\u{FFFD}", count: 7))
  }
}

/// FNV-1a over 64 bits.
struct Checksum {
  private(set) var sum: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}

extension SeededRandom {
  /// One of some values.
  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// A text of few scalars from all over.
  mutating func text() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<below(4) {
      let limit = pick([0x80, 0x250, 0x3100, 0xFFFF, 0x1_FFFF, 0x10_FFFF])
      if let scalar = Unicode.Scalar(UInt32(below(limit))) { text.append(scalar) }
    }
    return String(text)
  }
}
