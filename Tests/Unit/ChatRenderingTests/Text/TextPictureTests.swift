// What a list and a composer look like as a whole.
import ChatComposer
import ChatMessageList
import ChatRendering
import TerminalRendering
import Foundation
import Testing

@Test func `a list that has everything looks like this`() {
  let factory = PlainTextFactory(columns: 60)
  let drawn = factory.drawList(.all(), inputBar: factory.makeInputBar(BasicInputBar()), isLoading: true)
  #expect(drawn.text(hasColors: false) == list)
}

@Test func `a composer that has everything looks like this`() {
  #expect(PlainTextFactory(columns: 60).draw(ComposerSlot.all()).text(hasColors: false) == composer)
}

@Test func `an edit of a message that nobody knows has its banner`() {
  var slot = ComposerSlot.all("")
  (slot.quotedMessage, slot.editedMessage, slot.notice) = (nil, nil, nil)
  let drawn = PlainTextFactory(columns: 60).draw(slot)
  #expect(drawn.text(hasColors: false).hasPrefix("✎ [×] │"))
  #expect(drawn.actions.contains(.tap(.edit)))
}

@Test func `a notice that earlier messages could not be loaded lets one try again`() {
  var layout = MessageLayout<Said>([Said("a", at: 0)])
  var change = MessageChange<Said>()
  change.olderFailed = true
  layout.apply(change)
  let drawn = PlainTextFactory(columns: 60).drawList(layout)
  #expect(drawn.text(hasColors: false).contains("! Earlier messages could not be loaded: try again."))
  #expect(drawn.actions.contains(.loadOlder))
}

@Test(arguments: [
  (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (9_990, "9.9 kB"), (10_000, "10 kB"),
  (2_100_000, "2.1 MB"), (UInt64.max, "18 EB"),
]) func `sizes are told in words`(count: UInt64, words: String) {
  #expect(RenderingWords().byteCount(count) == words)
}

@Test func `a remark stands above its message wherever in its group that is`() {
  let said = (0..<3).map { index in Said("\(index)", at: Double(index)) { $0.annotations = .pinned } }
  let drawn = PlainTextFactory(columns: 60).drawList(MessageLayout(said)).text(hasColors: false)
  #expect(drawn.components(separatedBy: "📌 Pinned").count == 4)
  #expect(drawn.components(separatedBy: "Ann").count == 2)
}

@Test func `messages that have a header of their own are apart`() {
  let said = [Said("a", at: 0), Said("b", at: 1)]
  let drawn = PlainTextFactory(columns: 60).drawList(MessageLayout(said, options: .alluja)).text(hasColors: false)
  #expect(drawn.contains("Hello\n  00:00\n\nAnn\n"))
}

private let list = """
                           Loading …
                   [↑ Load earlier messages]
  Ann
    📌 Pinned
    ↳ Replied to a thread
    │ Me: quoted words
    words
    (•) words · 2 votes
    [👍 2] [🎉 1 ✓]
    ↳ 3 replies · 1 unread message · Draft
    1970-01-01 00:00 · edited

                                                       words
                             1970-01-01 00:10 · ✓✓ read by 2

                                                       Hello
                        1970-01-01 00:20 · ✗ not sent: words

  Ann
    😀
    1970-01-01 00:30

  Ann
    [Picture: words]
    https://example.org/i.png
    1970-01-01 00:40

  Ann
    [Picture: words, 1200×800, 2.1 MB]
    https://example.org/a.png
    [Video: words, 3:07]
    words
    1970-01-01 00:50

  Ann
    [File: words]
    1970-01-01 01:00

  Ann
    Hello
    [Link: words]
    words
    https://example.org
    1970-01-01 01:10

  Ann
    [GIF: words]
    1970-01-01 01:20

                                                [GIF: words]
                        1970-01-01 01:30 · only you see this
                                   [Send] [Another] [Cancel]

  Ann
    [map: words]
    1970-01-01 01:40

                          words joined

  Ann
    ⊘ Message deleted
    1970-01-01 02:00

  Ann
    ! No renderer for messages of the kind 'poll'
    1970-01-01 02:10

  ──────────────────────── 1970-01-02 ────────────────────────
  ───────────────────── 1 unread message ─────────────────────
  Ann
    Hello
    00:10

                    [↓ Load later messages]

  > Message  (Send)
  """

private let composer = """
  words
  ! words
  ✎ [×] │ words: words
  ↩ [×] │ words: words
  [words]
  [words 42 %] ×
  [words ✗ words] ×
  > w▏ords
  [Attach] [Commands]  [Send] 7 s
  ▸ [Files]
    @ words  words
    ! The suggestions could not be loaded  words
  """
