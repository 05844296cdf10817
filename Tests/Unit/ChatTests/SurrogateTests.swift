// Tests of unpaired surrogates: no typed text contains one.
import Chat
import Testing

struct Surrogates {
  /// What broke: a typed text could contain an unpaired surrogate, which no stored text can, so that a draft read back
  /// from the log differed from the saved one. Unpaired surrogates now become U+FFFD on input.
  @Test func `an unpaired surrogate becomes U+FFFD`() {
    #expect(TypedText(units: [0x48, 0xD83D, 0x69, 0xDC4B]).units == [0x48, 0xFFFD, 0x69, 0xFFFD])
    #expect(TypedText(units: [0xDC4B, 0xD83D]).units == [0xFFFD, 0xFFFD])
    #expect(TypedText(units: [0xD83D, 0xDC4B]).units == [0xD83D, 0xDC4B])
    var text: TypedText = "a\u{1F44B}b"
    text.apply(Splice(1..<2, to: "-"))
    #expect(text == "a-b")
    text = "a\u{1F44B}b"
    text.apply(Splice(2..<2, to: "-"))
    #expect(text == "a-\u{1F44B}b")
  }
}
