// A list in a window that is too low for it.
import ChatMessageList
import ChatRendering
import TerminalRendering
import Foundation
import Testing

private func window(_ rows: Int, _ viewport: Viewport? = nil) -> TerminalText {
  let messages = (0..<20).map { Said("\($0)", at: Double($0) / 10, AttributedString("word \($0)")) }
  let factory = PlainTextFactory(columns: 40, rows: rows)
  return factory.drawList(
    MessageLayout(messages), inputBar: factory.makeInputBar(BasicInputBar()), viewport: viewport)
}

private func lines(_ text: TerminalText) -> [String] {
  text.text(hasColors: false).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

@Test func `a window shows the end of a list, above the input`() {
  #expect(lines(window(5)) == ["  word 18", "  word 19", "  00:01", "", "> Message  (Send)"])
}

@Test(arguments: [
  (Viewport.Edge.top, ["word 10", "word 11", "word 12"]), (.center, ["word 9", "word 10", "word 11"]),
  (.bottom, ["word 8", "word 9", "word 10"]),
]) func `a window shows what the list is scrolled to`(edge: Viewport.Edge, words: [String]) {
  #expect(lines(window(5, Viewport(row: "m:10", edge: edge))).prefix(3) == words.map { "  " + $0 }[...])
}

@Test func `a window ends where the list ends`() {
  #expect(lines(window(5, Viewport(row: "m:19", edge: .top))) == lines(window(5)))
  #expect(lines(window(5, Viewport(row: "start", edge: .bottom)))[0].contains("conversation"))
  #expect(lines(window(100)).count == 26)
}

@Test func `what no window shows cannot be done`() {
  #expect(window(5).actions.contains(.message(.reply, "19")))
  #expect(!window(5).actions.contains(.message(.reply, "1")))
}
