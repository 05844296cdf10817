// Halves of surrogate pairs: no text that is being typed holds one.
import Chat
import Testing

struct Surrogates {
  /// A text held half a pair of surrogates, which no stored text can: a draft with it read back from the log was
  /// another than the one that was saved. Half a pair becomes U+FFFD where it comes in.
  @Test func `half a pair of surrogates comes in as U+FFFD`() {
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
