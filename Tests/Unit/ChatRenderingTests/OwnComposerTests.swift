// A composer as an app likes it: arranged by its items, and drawn by slots of the app's own.
import Chat
import ChatComposer
import ChatMessageList
import ChatRendering
import TerminalRendering
import Testing

/// A composer with some words in it, drawn.
private func slot(_ text: String, _ choose: (inout ComposerAppearance) -> Void) throws -> ComposerSlot {
  var options = ComposerOptions()
  choose(&options.appearance)
  var composing = ComposerReducer(Composer(Composer.Key(of: "ada", on: "phone", in: "general")), options: options)
  let now = Timestamp(rawValue: 0)
  if !text.isEmpty { _ = try composing.act(.type(text), at: now) }
  return ComposerSlot(
    composing.presentation(at: now), composing.content, selection: composing.composer.selection)
}

/// Shows the button that sends only where there is something to send, and a frame around all.
private struct Framed: TextFactory {
  var context = RenderingContext()
  var columns = 40

  func makeTrailingComposer(
    _ items: [ComposerItem], isEnabled: Bool, hasContent: Bool, cooldown: Int
  ) -> TerminalText {
    var output = TerminalText()
    if hasContent {
      output = TerminalText("GO")
      output.carry(.tap(.send))
    }
    return output
  }

  func makeComposerModifier(_ composer: TerminalText) -> TerminalText {
    .joined([TerminalText("┄┄┄┄"), composer, TerminalText("┄┄┄┄")])
  }
}

struct `A composer as an app likes it` {
  /// No commands button, the send button within the input, another picture and another placeholder.
  private func arrange(_ appearance: inout ComposerAppearance) {
    appearance.remove(.commands)
    appearance.move(.send, to: .input)
    appearance.change(.attachments) { $0.icon = "camera.fill" }
    appearance.placeholders = [.new: "iMessage"]
  }

  @Test func `draws what is left where it was put`() throws {
    let empty = PlainTextFactory(columns: 40).draw(try slot("", arrange)).text(hasColors: false)
    #expect(empty.contains("iMessage"))
    let drawn = PlainTextFactory(columns: 40).draw(try slot("Hi", arrange))
    #expect(Set(drawn.actions.map(\.id)) == ["composer:attachments", "composer:send"])
    #expect(drawn.text(hasColors: false).contains("Hi"))
    let page = PageFactory(actionURL: "/act").draw(try slot("Hi", arrange))
    #expect(Set(page.actions) == Set(drawn.actions))
    #expect(!page.markup.contains("composer:commands"))
  }

  @Test func `has the app's own slots among the others`() throws {
    let full = Framed().draw(try slot("Hi") { _ in })
    let lines = full.text(hasColors: false).split(separator: "\n")
    #expect(lines.first == "┄┄┄┄" && lines.last == "┄┄┄┄")
    #expect(full.text(hasColors: false).contains("GO") && full.actions.last == .tap(.send))
    let empty = Framed().draw(try slot("") { _ in })
    #expect(!empty.text(hasColors: false).contains("GO") && !empty.actions.contains(.tap(.send)))
  }

  @Test func `has a title in each state for which the app has one`() throws {
    let titled = try slot("Hi") { $0.titles[.new] = "Custom state" }
    #expect(PlainTextFactory(columns: 40).draw(titled).text(hasColors: false).hasPrefix("Custom state"))
    #expect(PageFactory().draw(titled).markup.contains("Custom state"))
  }
}
