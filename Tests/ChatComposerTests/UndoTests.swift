// Undoing: a step at a time, each as somebody would count them, and never into another text.
import Chat
import ChatComposer
import Testing

struct Undoing {
  @Test func `a word with the space behind it is one step`() {
    var desk = Desk()
    desk.type("one two")
    desk.act(.undo)
    #expect(desk.shown == "one |")
    desk.act(.undo)
    #expect(desk.shown == "|")
    #expect(!desk.composing.canUndo)
    desk.act(.redo)
    #expect(desk.shown == "one |")
    desk.act(.redo)
    #expect(desk.shown == "one two|")
    #expect(desk.composing.canRedo == false)
  }

  @Test func `a text view that tells the caret after each letter does not make each letter a step`() {
    // Each no-op move of the caret ended the run, so that undoing took back one letter after the other.
    var desk = Desk()
    for (count, text) in ["o", "on", "one"].enumerated() {
      desk.act(.setText(TypedText(Wording(text))))
      desk.actInVain(.moveSelection(UTF16Offset(rawValue: count + 1)..<UTF16Offset(rawValue: count + 1)))
    }
    desk.act(.undo)
    #expect(desk.shown == "|")
  }
}
