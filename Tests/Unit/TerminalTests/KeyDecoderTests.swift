// Tests decoding of bytes into keys, whole and in pieces.
import SeededRandom
import Terminal
import Testing

struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

  private func keys(_ bytes: [UInt8]) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.decode(bytes)
  }

  private func keys(inPieces pieces: [[UInt8]]) -> [Key] {
    var decoder = KeyDecoder()
    return joined(pieces.flatMap { decoder.decode($0) } + decoder.flush())
  }

  /// Merges adjacent text keys, so that the split of the bytes makes no difference.
  private func joined(_ keys: [Key]) -> [Key] {
    keys.reduce(into: []) { joined, key in
      if case .text(let more) = key, case .text(let text)? = joined.last {
        joined[joined.endIndex - 1] = .text(text + more)
      } else {
        joined.append(key)
      }
    }
  }

  @Test func `text and control characters are separate keys`() {
    #expect(keys("Grüße 東京 👩‍👩‍👧") == [.text("Grüße 東京 👩‍👩‍👧")])
    #expect(
      keys("a\rb\t\u{7F}\u{08}") == [
        .text("a"), .named(.enter), .text("b"), .named(.tab), .named(.backspace), .named(.backspace),
      ])
    #expect(
      keys("\u{01}\u{1A}\n\u{00}\u{1C}\u{1F}") == "az".map { .letter($0, .control) } + [
        .letter("j", .control), .letter(" ", .control), .letter("\\", .control), .letter("_", .control),
      ])
  }

  @Test(arguments: [
    ("[A", Key.named(.up)), ("OB", .named(.down)), ("[C", .named(.right)), ("[D", .named(.left)),
    ("[1;2A", .named(.up, .shift)), ("[1;3B", .named(.down, .alt)), ("[1;5C", .named(.right, .control)),
    ("[1;8D", .named(.left, [.shift, .alt, .control])), ("[1;2:3A", .named(.up, .shift)),
    ("[H", .named(.home)), ("OF", .named(.end)), ("[1~", .named(.home)), ("[8~", .named(.end)),
    ("[1;5H", .named(.home, .control)), ("[3~", .named(.delete)), ("[3;5~", .named(.delete, .control)),
    ("[5~", .named(.pageUp)), ("[6;3~", .named(.pageDown, .alt)), ("[Z", .named(.tab, .shift)),
    ("OM", .named(.enter)), ("[13;2u", .named(.enter, .shift)), ("[27;2;13~", .named(.enter, .shift)),
    ("[97;5u", .letter("a", .control)), ("[97u", .text("a")), ("[27u", .named(.escape)),
    ("b", .letter("b", .alt)), ("\r", .named(.enter, .alt)), ("\u{7F}", .named(.backspace, .alt)),
    ("é", .letter("é", .alt)), ("\u{06}", .letter("f", [.alt, .control])),
  ])
  func `a sequence is one key, separate from the text after it`(sequence: String, key: Key) {
    #expect(joined(keys("\u{1B}\(sequence)\r")) == [key, .named(.enter)])
  }

  @Test(arguments: [
    "[?25h", "[[A", "[15~", "[?C", "[1 q", "[99999999999999999999~", "[201~", "OP", "[I", "[1;1;1;1;1R",
    "]0;a title\u{07}", "]11;rgb:00/00\u{1B}\\", "P1$r0m\u{1B}\\", "_a\u{1B}\\", "[1114112u", "[55296u",
  ])
  func `an unknown sequence is discarded whole`(sequence: String) {
    #expect(keys("a\u{1B}\(sequence)b") == [.text("a"), .text("b")])
  }

  @Test func `an escape is a key when no more bytes follow`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]).isEmpty)
    #expect(decoder.isUndecided)
    #expect(decoder.flush() == [.named(.escape)])
    #expect(!decoder.isUndecided)
    #expect(decoder.flush().isEmpty)
    #expect(decoder.decode("[A".utf8) == [.text("[A")])
    #expect(keys("\u{1B}\u{1B}[A") == [.named(.escape), .named(.up)])
  }

  @Test(arguments: "[O]PX^_") func `alt with a character that begins sequences is a key when no more bytes follow`(
    letter: Character
  ) {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}\(letter)".utf8).isEmpty)
    #expect(decoder.flush() == [.letter(letter, .alt)])
  }

  @Test(arguments: ["[1", "]0;title", "]\u{1B}", "[[", "O1"])
  func `an incomplete sequence is dropped when no more bytes follow`(start: String) {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}\(start)".utf8).isEmpty)
    #expect(decoder.flush().isEmpty)
    #expect(decoder.decode("a".utf8) == [.text("a")])
  }

  @Test func `an interrupted sequence ends where another begins`() {
    #expect(keys("\u{1B}[1\u{1B}[A") == [.named(.up)])
    #expect(keys("\u{1B}[1é") == [.text("é")])
    #expect(keys("\u{1B}[1\r") == [.named(.enter)])
    #expect(keys("\u{1B}]title\u{1B}[A") == [.named(.up)])
  }

  @Test func `invalid UTF-8 bytes become replacement characters`() {
    #expect(keys([0x61, 0xFF, 0x62]) == [.text("a\u{FFFD}b")])
    #expect(keys([0xC3, 0x0D]) == [.text("\u{FFFD}"), .named(.enter)])
    #expect(keys([0x1B, 0xFF, 0x61]) == [.letter("\u{FFFD}", .alt), .text("a")])
    #expect(keys([0x1B, 0xC3, 0x61]) == [.letter("\u{FFFD}", .alt), .text("a")])
  }

  @Test func `a character split between two reads is one key after any delay`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x61, 0xF0, 0x9F]) == [.text("a")])
    #expect(!decoder.isUndecided)
    #expect(decoder.flush().isEmpty)
    #expect(decoder.decode([0x98, 0x80]) == [.text("😀")])
  }

  @Test func `a paste is one key with its whole content`() {
    let content = "one\r\u{1B}[A\u{03}\u{1B}[200~é\u{1B}[201"
    #expect(keys("a\u{1B}[200~\(content)\u{1B}[201~b") == [.text("a"), .paste(content), .text("b")])
    #expect(keys("\u{1B}[200~\u{1B}[201~") == [.paste("")])
    #expect(keys([0x1B] + Array("[200~".utf8) + [0xFF, 0x1B] + Array("[201~".utf8)) == [.paste("\u{FFFD}")])
  }

  @Test func `a paste waits for its end`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[200~a\u{1B}".utf8).isEmpty)
    #expect(!decoder.isUndecided)
    #expect(decoder.flush().isEmpty)
    #expect(decoder.decode("[201~".utf8) == [.paste("a")])
  }

  @Test func `a huge paste is assembled from small reads`() {
    let content = String(repeating: "東京\r\u{1B}[201 ~", count: 20_000)
    let bytes = Array("\u{1B}[200~\(content)\u{1B}[201~x".utf8)
    var decoder = KeyDecoder()
    let pieces = stride(from: 0, to: bytes.count, by: 4095).map { bytes[$0..<min($0 + 4095, bytes.count)] }
    #expect(pieces.flatMap { decoder.decode($0) } == [.paste(content), .text("x")])
  }

  @Test func `bytes decode to the same keys however they are split`() {
    var random = SeededRandom.printingSeed()
    let parts: [[UInt8]] = [
      [0x1B], [0x5B], [0x4F], [0x1B, 0x5B], [0x5D], [0x50], [0x5C], [0x07], [0x3B], [0x31], [0x32], [0x7E], [0x41],
      [0x75],
      Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8), Array("\u{1B}[1;5A".utf8), Array("é東😀".utf8), [0xC3],
      [0xE6, 0x9D],
      [0xF0, 0x9F, 0x98], [0x80], [0xED, 0xA0, 0x80], [0x0D], [0x7F],
    ]
    for _ in 0..<20_000 {
      let bytes = (0..<random.below(20)).flatMap { _ in
        random.below(4) == 0 ? random.noise(1) : parts[random.below(parts.count)]
      }
      var pieces: [[UInt8]] = [[]]
      for byte in bytes {
        if random.below(3) == 0 { pieces.append([]) }
        pieces[pieces.endIndex - 1].append(byte)
      }
      #expect(keys(inPieces: pieces) == keys(inPieces: [bytes]), "\(pieces)")
    }
  }
}
