// How text lies and looks: sides, widths, colors.
import Chat
import ChatMessageList
import ChatRendering
import TerminalRendering
import Foundation
import Terminal
import Testing

private func lines(_ text: TerminalText, _ columns: Int) -> [String] {
  text.text(columns: columns, hasColors: false).components(separatedBy: "\n")
}

private let long = AttributedString("one two three four five six seven eight nine ten")

@Test func `one's own stand on the right, others on the left, no wider than the row allows`() {
  var options = LayoutOptions<Said>.verbatim
  options.grouping = [.collapseEnclosingViews, .collapseTimestamps(.bottom)]
  options.maxWidth = { _ in 0.5 }
  let layout = MessageLayout([Said("a", at: 0, long), Said("b", by: "me", at: 1, long)], options: options)
  let drawn = PlainTextFactory(columns: 40).drawList(layout).text(hasColors: false)
  let said = drawn.components(separatedBy: "\n").filter { $0.contains("o") && !$0.contains("con") }
  #expect(said.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.allSatisfy { $0.count <= 22 })
  #expect(said.contains("  one two three four"))
  #expect(said.contains { $0.hasPrefix(String(repeating: " ", count: 18)) && $0.hasSuffix("one two three four") })
}

@Test func `a width in columns is as wide as it says`() {
  let text = TerminalText("one two three").placed(on: .trailing, width: 7)
  let indent = String(repeating: " ", count: 13)
  #expect(lines(text, 20) == [indent + "one two", indent + "three"])
}

@Test func `a list with the width of the terminal is drawn for it`() {
  var options = LayoutOptions<Said>.verbatim
  options.geometry = ListGeometry(width: 40, height: 10)
  let layout = MessageLayout([Said("a", at: 0, long)], options: options)
  let drawn = PlainTextFactory(columns: 40).drawList(layout).text(hasColors: false)
  #expect(drawn.components(separatedBy: "\n").contains("  one two three four five six"))
}

@Test(arguments: [Double.nan, .infinity, -1, 0, 1e300, 1e-300])
func `a width that is none is no trap`(width: Double) {
  #expect(!lines(TerminalText("a b").placed(on: .center, width: width), 10).isEmpty)
}

@Test func `without colors there is nothing but letters, and with them looks`() {
  let layout = MessageLayout.all()
  let factory = PlainTextFactory(columns: 60)
  #expect(!factory.drawList(layout).text(hasColors: false).contains("\u{1B}"))
  let colored = factory.drawList(layout).text(hasColors: true)
  #expect(colored.contains("\u{1B}[0;2m"))
  #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == factory.drawList(layout).text(hasColors: false))
}

@Test func `people keep their colors, which are those of their ids`() {
  let drawn = { (id: String) in
    var message = Said("a", by: id, at: 0)
    message.name = "Name"
    let text = PlainTextFactory(columns: 60).drawList(MessageLayout([message])).text(hasColors: true)
    return text.firstMatch(of: /1;(3\d)mName/)?.1
  }
  // Written down, so that no other machine and no later version finds others.
  #expect(["ann", "bo", "cy", "dee"].map { drawn($0) } == ["32", "34", "35", "36"])
}

@Test func `links have their addresses, and whoever is meant stands out`() {
  var words = AttributedString("see here and Bo")
  words[words.range(of: "here")!].link = URL(string: "https://example.org")
  words[words.range(of: "Bo")!][MentionAttribute.self] = "bo"
  #expect(lines(TerminalText(words), 80) == ["see here <https://example.org> and Bo"])
  let looks = TerminalText(words).text(columns: 80, hasColors: true)
  #expect(looks.contains("\u{1B}[0;4mhere") && looks.contains("\u{1B}[0;1mBo"))
}

@Test func `pictures of people have room beside what they say`() {
  let view = MessagesView([Said("a", at: 0), Said("b", at: 1)], drawing: TerminalText.self)
    .messageAvatar { _ in TerminalText("🦊") }
  struct Wide: TextFactory {
    var context = RenderingContext()
    var columns = 40
    var avatarColumns: Int { 2 }
  }
  let drawn = Wide().draw(MessageList(view)).text(hasColors: false).components(separatedBy: "\n")
  #expect(drawn.contains("   Hello") && drawn.contains("🦊 Hello"))
}

@Test func `times stand above where a group has them there`() {
  let view = MessagesView([Said("a", at: 0)], drawing: TerminalText.self).groupingOptions([.collapseTimestamps(.top)])
  #expect(PlainTextFactory().draw(MessageList(view)).text(hasColors: false).contains("Ann  00:00\n"))
}

@Test func `what is selected stands between two carets`() {
  var slot = ComposerSlot.all("Hello")
  slot.selection = 1..<3
  #expect(PlainTextFactory().makeComposerInput(slot).text(hasColors: false).hasSuffix("> H▏el▏lo"))
  slot.content.text = ""
  #expect(PlainTextFactory().makeComposerInput(slot).text(hasColors: false).hasSuffix("> ▏Message"))
}

@Test func `how long something runs is told in hours, minutes and seconds`() {
  let context = RenderingContext()
  #expect(
    [-5, 0, 59, 187, 3_723].map { context.duration(.seconds($0)) } == ["0:00", "0:00", "0:59", "3:07", "1:02:03"])
}
