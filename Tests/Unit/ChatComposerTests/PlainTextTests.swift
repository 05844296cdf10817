// Tests of the text and the caret as plain values, as an app's text view binds them.
import Chat
import ChatComposer
import Testing

@MainActor
struct PlainText {
  @Test func `setting the text records the minimal splice on grapheme boundaries`() async throws {
    let room = try await Room()
    let composer = room.composer
    let word = "Hello"
    composer.text = word
    composer.text += ", 👩‍👩‍👧"
    composer.text = "Hello, 👩‍👩‍👦"
    let count = room.done.count
    composer.text = composer.text
    #expect(room.done.count == count)
    #expect(composer.text == "Hello, 👩‍👩‍👦")
    let family = Splice(7..<15, to: "👩‍👩‍👦")
    #expect(
      room.done.suffix(3) == [.typed(Splice(0..<0, to: "Hello")), .typed(Splice(5..<5, to: ", 👩‍👩‍👧")), .typed(family)])
  }

  @Test func `the caret is a number of UTF-16 units, moved to the start of a grapheme`() async throws {
    let composer = try await Room().composer
    composer.text = "a👩‍👩‍👧b"
    #expect(composer.selectedRangeLocation == 10)
    composer.selectedRangeLocation = 4
    #expect(composer.selectedRangeLocation == 1)
    composer.selectedRangeLocation = 0
    #expect(composer.selectedRangeLocation == 0)
    composer.selectedRangeLocation = 99
    #expect(composer.selectedRangeLocation == 10)
    composer.selectedRangeLocation = -1
    #expect(composer.selectedRangeLocation == 0 && composer.notice == nil)
    let (start, end) = (1, 9)
    try composer.perform(.moveSelection(start..<end))
    #expect(composer.selectedRangeLocation == 1)
    try composer.perform(.replace(start..<end, with: "é"))
    #expect(composer.text == "aéb")
  }

  @Test func `bytes are kept where strings are equal`() async throws {
    // "é" as one scalar and as two are equal strings: comparing strings would lose the change.
    let composer = try await Room().composer
    composer.text = "\u{E9}"
    composer.text = "e\u{301}"
    #expect(composer.text.unicodeScalars.count == 2)
  }
}
