// A slot that an app decorates: without the default drawing, an app that wants another border would draw all anew.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import TerminalRendering
import Testing

/// Draws another border around the list of suggestions and around texts, and users in capitals.
private struct FramedPages: HTMLFactory {
  var context = RenderingContext()

  func makeCommandsContainer(_ list: SuggestionList) -> HTML {
    .element("div", ["class": "frame"], self.ChatRendering::makeCommandsContainer(list))
  }

  func makeUserSuggestion(_ suggestion: Suggestion) -> HTML {
    .element("i", [:], self.ChatRendering::makeUserSuggestion(suggestion))
  }

  func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML {
    .element("div", ["class": "frame"], self.ChatRendering::makeTextBubble(text, slot))
  }

  func makeComposerModifier(_ composer: HTML) -> HTML {
    .element("div", ["class": "red", "style": "background: red"], self.ChatRendering::makeComposerModifier(composer))
  }
}

private struct FramedText: TextFactory {
  var context = RenderingContext()
  var columns = 40

  func makeCommandsContainer(_ list: SuggestionList) -> TerminalText {
    .joined([TerminalText("┄┄┄┄"), self.TerminalRendering::makeCommandsContainer(list), TerminalText("┄┄┄┄")])
  }

  func makeUserSuggestion(_ suggestion: Suggestion) -> TerminalText {
    TerminalText("*").beside(self.TerminalRendering::makeUserSuggestion(suggestion))
  }

  func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> TerminalText {
    TerminalText("«").beside(self.TerminalRendering::makeTextBubble(text, slot))
  }
}

struct `A slot of an app` {
  private let list = SuggestionList(
    .mentions, query: "b", range: 0..<2,
    items: [Suggestion("bo", title: "Bo", detail: "bo", symbol: "@", answer: .chatUser("bo", name: "Bo"))],
    isLoading: true)

  @Test func `wraps the default on a page, with the app's own slots within it`() {
    let own = FramedPages().makeCommandsContainer(list)
    let user = PageFactory().makeUserSuggestion(list.items[0]).markup
    let usual = PageFactory().makeCommandsContainer(list)
    #expect(own.markup == "<div class=\"frame\">\(usual.markup.replacing(user, with: "<i>\(user)</i>"))</div>")
    #expect(own.actions == usual.actions)
  }

  @Test func `wraps the default in text, with the app's own slots within it`() {
    let own = FramedText().makeCommandsContainer(list)
    let lines = own.text(hasColors: false).split(separator: "\n")
    #expect(lines == ["┄┄┄┄", "*   @ Bo  bo", "  Loading …", "┄┄┄┄"])
    #expect(own.actions == PlainTextFactory().makeCommandsContainer(list).actions)
  }

  @Test func `wraps the default of a message, for each kind of message`() {
    let message = Posted("m", at: 0) { $0.item = .text("Hello") }
    let layout = MessageLayout([message])
    let page = FramedPages().drawList(layout)
    let bubble = "<div class=\"words\" dir=\"auto\">Hello</div>"
    #expect(page.markup.contains("<div class=\"frame\">\(bubble)</div>"))
    #expect(FramedText().drawList(layout).text(hasColors: false).contains("« Hello"))
  }

  @Test func `wraps a whole composer on a page`() {
    let read = expectStrict(FramedPages().draw(everyComposer()).markup)
    let plain = PageFactory().draw(everyComposer())
    #expect(read.elements.first?.attributes["style"] == "background: red")
    #expect(read.elements.count == expectStrict(plain.markup).elements.count + 3 + 1)
    #expect(FramedPages().draw(everyComposer()).actions == plain.actions)
  }
}
