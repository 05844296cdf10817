// A list of an app's own messages, as text and on a page.
import Bindings
import Browser
import ChatMessageList
import ChatRendering
import Foundation
import TerminalRendering
import Testing

/// A message of an app, of any kind.
struct Note: MessageType, Equatable {
  let messageID: String
  var timestamp = Date(timeIntervalSince1970: 0)
  var alignment = MessageAlignment.left
  var kindOf = KindOf.text

  enum KindOf: Equatable { case text, system, image, custom }

  init(_ id: String, at seconds: Double = 0, _ alignment: MessageAlignment = .left, _ kind: KindOf = .text) {
    (messageID, timestamp) = (id, Date(timeIntervalSince1970: seconds))
    (self.alignment, kindOf) = (alignment, kind)
  }

  var kind: MessageKind {
    switch kindOf {
    case .text: .text(TextItem("text"))
    case .system: .system("system")
    case .image: .image(ImageItem(url: "https://example.org/a.png"))
    case .custom: .custom(OwnKind(id: "poll", data: nil))
    }
  }

  /// One of each kind.
  static let all = [
    Note("text"), Note("system", at: 1, .left, .system), Note("image", at: 2, .left, .image),
    Note("custom", at: 3, .right, .custom),
  ]
}

/// A form of output that leaves every slot as it is.
private struct PlainForm: ViewFactory {
  typealias Output = TerminalText
  var context = RenderingContext()
}

@Test func `a group of a text and a custom kind is drawn like one of texts`() {
  let notes = [
    Note("a", .left, .custom), Note("b", at: 1), Note("c", at: 2, .right), Note("d", at: 3, .right, .custom),
  ]
  func drawn<Output: DrawnOutput>(by factory: some ViewFactory<Output>) -> Output {
    let view = MessagesView(notes, drawing: Output.self)
      .groupingOptions([.collapseProfilePicture, .collapseEnclosingViews, .collapseTimestamps(.bottom)])
      .messageHeader { Output(text: "«\($0.messageID)»") }
      .customRenderer(forTypeWithID: "poll") { _, _ in Output(text: "a poll") }
    return factory.draw(MessageList(view))
  }
  let text = drawn(by: PlainTextFactory(columns: 60)).text(hasColors: false)
  let page = expectStrict(drawn(by: PageFactory()).markup)
  for drawn in [text, page.text] {
    #expect(["«a»", "«b»", "«c»", "«d»"].map { drawn.contains($0) } == [true, false, true, false])
    #expect(drawn.components(separatedBy: "00:00").count == 3)
  }
  let styles = page.all("span").compactMap { $0.attributes["style"] }
  let own = expectStrict(PageFactory().drawList(MessageLayout(notes.map { Note($0.messageID, $0.alignment) })).markup)
  let expected = own.all("span").compactMap { $0.attributes["style"] }
  #expect(styles == [expected[0], expected[2]] && styles[0] != styles[1])
}

@Suite struct `A menu of an app` {
  // A menu was skipped where a message had no actions: for pictures, custom kinds and system messages.
  @Test func `is asked for each message, and an empty one is no menu`() {
    func drawn<Output: DrawnOutput>(by factory: some ViewFactory<Output>) -> (menus: [String], asked: [String], Output)
    {
      var asked: [String] = []
      let view = MessagesView(Note.all, drawing: Output.self)
        .messageContextMenu { note in
          let _ = asked.append(note.messageID)
          if note.messageID != "text" { Output(text: "«menu of \(note.messageID)»") }
        }
        .customRenderer(forTypeWithID: "poll") { _, _ in Output(text: "a poll") }
      let output = factory.draw(MessageList(view))
      return (output.actions.map(\.id).filter { $0.hasSuffix(":text") }, asked, output)
    }
    let text = drawn(by: PlainTextFactory(columns: 60))
    let page = drawn(by: PageFactory(actionURL: "/act"))
    let words = [text.2.text(hasColors: false), expectStrict(page.2.markup).text]
    for drawn in words {
      for id in ["system", "image", "custom"] { #expect(drawn.contains("«menu of \(id)»"), "\(id) in \(drawn)") }
      #expect(!drawn.contains("«menu of text»"))
    }
    #expect(text.menus == [] && page.menus == [])
    #expect(text.asked == ["text", "system", "image", "custom"] && page.asked == text.asked)
  }

  @Test func `is drawn below the actions of an ephemeral message`() {
    let message = Said("a", by: "me", at: 0) { $0.isEphemeral = true }
    let view = MessagesView([message], drawing: TerminalText.self).messageContextMenu { _ in TerminalText("«menu»") }
    let drawn = PlainTextFactory(columns: 60).draw(MessageList(view)).text(hasColors: false)
    let lines = drawn.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains("[Send] [Another] [Cancel]") && lines.contains("«menu»"))
  }

  @Test func `by default belongs to messages with actions or with items of the app`() {
    let view = MessagesView(Note.all, drawing: HTML.self)
      .customRenderer(forTypeWithID: "poll") { _, _ in HTML(text: "a poll") }
    let page = PageFactory(actionURL: "/act").draw(MessageList(view))
    #expect(page.actions.map(\.id).filter { $0 != "composer:send" } == ["copy:text"])
    #expect(expectStrict(page.markup).all("details").count == 1)
    let items = view.messageMenuItems { [MessageMenuItem("save", title: "Save \($0.messageID)")] }
    let other = expectStrict(PageFactory(actionURL: "/act").draw(MessageList(items)).markup)
    #expect(other.all("details").count == 4)
  }

  @Test func `has the items of the app below the actions, in text and on a page`() {
    func draw<Output: DrawnOutput>(_ factory: some ViewFactory<Output>) -> Output {
      let view = MessagesView(Note.all, drawing: Output.self)
        .customRenderer(forTypeWithID: "poll") { _, _ in Output(text: "a poll") }
        .messageMenuItems { note in
          if note.kindOf == .image { return [] }
          return [MessageMenuItem("to:do", title: "Do later", icon: "⏰"), MessageMenuItem("save", title: "Save <it>")]
        }
      return factory.draw(MessageList(view))
    }
    let ids = ["text", "system", "custom"].flatMap { id in
      (id == "text" ? ["copy:text"] : []) + ["custom:to%3Ado:\(id)", "custom:save:\(id)"]
    }
    let text = draw(PlainTextFactory(columns: 60))
    #expect(text.actions.map(\.id) == ids)
    #expect(text.text(hasColors: false).components(separatedBy: "[⏰ Do later] [Save <it>]").count == 4)
    #expect(draw(PlainForm()).text(hasColors: false).contains("⏰ Do later"))
    let page = draw(PageFactory(actionURL: "/act"))
    #expect(page.actions.map(\.id).filter { $0 != "composer:send" } == ids)
    let buttons = expectStrict(page.markup).all("button").map { ($0.attributes["value"] ?? "", $0.text) }
    #expect(buttons.filter { $0.0.contains("save") }.map(\.1) == Array(repeating: "Save <it>", count: 3))
    #expect(buttons.first { $0.0 == SlotAction.custom("to:do", message: "text").pageID }?.1 == "⏰ Do later")
    let reading = draw(PageFactory())
    #expect(reading.actions.map(\.id) == page.actions.map(\.id) && !reading.markup.contains("Do later"))
  }
}

@Suite struct `A swiped list` {
  private func list<Output: DrawnOutput>(
    _ notes: [Note], drawing: Output.Type, allows: Bool = true
  ) -> MessageList<Note, Output, BasicInputBar> {
    let view = MessagesView(notes, drawing: Output.self)
      .groupingOptions([.collapseTimestamps(.bottom)])
      .customRenderer(forTypeWithID: "poll") { note, _ in Output(text: note.alignment == .left ? "a poll" : "our poll")
      }
      .messageTimestampFormatter { "at \(Int($0.timeIntervalSince1970))" }
      .showTimestampsOnSwipe(allows)
    return MessageList(view)
  }

  // The row said that its time was shown on a swipe, but no list could be swiped and no renderer drew the time.
  @Test func `shows each time in text beside its message, which does not move`() {
    let notes = [
      Note("a"), Note("b", at: 1, .left, .custom), Note("s", at: 2, .left, .system), Note("c", at: 3, .right),
      Note("d", at: 4, .right, .custom),
    ]
    let list = list(notes, drawing: TerminalText.self)
    let factory = PlainTextFactory(columns: 40)
    func lines() -> [String] { factory.draw(list).text(hasColors: false).split(separator: "\n").map(String.init) }
    let still = lines()
    list.isSwiped = true
    let swiped = lines()
    #expect(
      swiped == [
        "────────────── 1970-01-01 ──────────────",
        "  text                              at 0",
        "  a poll                            at 1",
        "  at 1",
        "                 system",
        "at 3                              text",
        "at 4                          our poll",
        "                                  at 4",
        "> Message  (Send)",
      ])
    let moved = zip(still, swiped).filter { before, after in
      // Whatever was there is still there, in its columns.
      zip(before, after).contains { $0 != " " && $0 != $1 }
    }
    #expect(moved.isEmpty && still.count == swiped.count)
    list.isSwiped = false
    #expect(lines() == still)
    let row = list.rows[1]
    #expect(factory.draw(row, of: list).text(columns: 40, hasColors: false) == "  text")
  }

  @Test func `puts a time where there is room, and cuts it where there is not enough`() {
    let long = String(repeating: "word ", count: 9)
    func drawn(_ width: Double, _ text: String) -> [Substring] {
      let said = Said("a", at: 0, AttributedString(text))
      let view = MessagesView([said], drawing: TerminalText.self).messageMaxWidth(width).showTimestampsOnSwipe()
        .messageTimestampFormatter { _ in "a quarter past nine" }.groupingOptions([.collapseEnclosingViews])
      let list = MessageList(view)
      list.isSwiped = true
      return PlainTextFactory(columns: 30).draw(list).text(hasColors: false).split(separator: "\n").dropFirst(4)
        .map { $0 }
    }
    #expect(drawn(1, long + "end")[0] == "  word word word word word")
    #expect(drawn(1, long + "end")[1] == "  word word word word end a q…")
    #expect(drawn(1, String(repeating: "x", count: 28))[0] == "  xxxxxxxxxxxxxxxxxxxxxxxxxxxx")
    #expect(drawn(0.75, "Hello")[0] == "  Hello    a quarter past nine")
    #expect(drawn(1, "Hi!\nHo").prefix(2) == ["  Hi!      a quarter past nine", "  Ho"])
  }

  @Test func `shows each time on a page outside of the flow, hidden from screen readers`() {
    let list = list(Note.all, drawing: HTML.self)
    func times() -> [String] {
      expectStrict(PageFactory().draw(list).markup).all("div").filter { $0.attributes["class"] == "swiped" }.map(\.text)
    }
    #expect(times() == [])
    list.isSwiped = true
    #expect(times() == ["at 0", "at 2", "at 3"])
    let other = self.list(Note.all, drawing: HTML.self, allows: false)
    other.isSwiped = true
    #expect(!PageFactory().draw(other).markup.contains("swiped"))
  }

  @Test func `moves no message on a page, and covers none with its time`() throws {
    let list = list([Note("a"), Note("b", at: 1, .right), Note("c", at: 2, .right, .custom)], drawing: HTML.self)
    func look() throws -> Sight {
      let page = PageFactory().page(title: "A chat", PageFactory().draw(list))
      return try Browser.shared().look(at: page, width: 360)
    }
    let places = """
      JSON.stringify([...document.querySelectorAll('.row, .body, .bubble')].map(b => b.getBoundingClientRect()))
      """
    let still: String = try look().evaluate(places)
    list.isSwiped = true
    let swiped = try look()
    #expect(try swiped.evaluate(places) == still)
    #expect(swiped.problems == [] && swiped.scrollWidth <= swiped.clientWidth)
    let sides = "[...document.querySelectorAll('.swiped')].map(t => t.getBoundingClientRect().left > innerWidth / 2)"
    #expect(try swiped.evaluate(sides + ".join()") == "true,false,false")
  }
}

@Suite struct `An input bar` {
  @MainActor private final class Screen {
    var text = ""
    var sent: [String] = []
  }

  // The bar was a copy of a text: a send button was drawn, and nothing could be sent.
  @MainActor @Test func `sends the text of the app when its drawn action is pressed, and clears it`() throws {
    let screen = Screen()
    let bar = BasicInputBar(text: ValueBinding(screen, \.text), placeholder: "Ask us", sendLabel: "Ask") {
      screen.sent.append($0)
    }
    func draw<Output: DrawnOutput>(_ factory: some ViewFactory<Output>) -> Output {
      factory.draw(MessageList(MessagesView([Note](), inputBar: bar, drawing: Output.self)))
    }
    let factory = PlainTextFactory(columns: 60)
    #expect(draw(factory).text(hasColors: false).contains("> Ask us  (Ask)") && draw(factory).actions == [])
    screen.text = "When?"
    #expect(draw(factory).text(hasColors: false).contains("> When?  [Ask]"))
    let page = draw(PageFactory(actionURL: "/act"))
    #expect(expectStrict(page.markup).all("textarea").map(\.text) == ["\nWhen?"])
    let actions = [draw(factory).actions, page.actions, draw(PlainForm()).actions]
    #expect(Set(actions.map(\.count)) == [1] && Set(actions).count == 1)
    let action = try #require(actions[0].first)

    #expect(!bar.press(.loadOlder) && screen.sent.isEmpty)
    #expect(bar.press(action))
    #expect(screen.sent == ["When?"] && screen.text == "")
    #expect(!bar.press(action))
    bar.text = " \n "
    #expect(!bar.press(action))
    #expect(screen.sent == ["When?"] && screen.text == " \n ")
  }
}
