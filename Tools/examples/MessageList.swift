// A list of an app's own messages: kinds, grouping, headers, menus, renderers and scrolling.
import Foundation
import VerbatimUI

struct Note: MessageType {
  var messageID: String
  var timestamp = Date(timeIntervalSince1970: 0)
  var kind: MessageKind
  var alignment: MessageAlignment = .left
  /// The number of edits: a list shows a note again if it differs from before.
  var version = 0

  static func == (a: Note, b: Note) -> Bool { (a.messageID, a.version) == (b.messageID, b.version) }
}

// Custom items, each with a renderer.

struct Greeting: CustomItem {
  let id: String
  let data: Any?
}

let notes = [
  Note(messageID: "1", kind: .text(TextItem("Hello")), alignment: .right),
  Note(messageID: "2", kind: .custom(Greeting(id: "custom1", data: "Ann"))),
  Note(messageID: "3", kind: .custom(Greeting(id: "custom2", data: "Bo")), alignment: .right),
]

func loadEarlier() async throws {}
let formatter = DateFormatter()
formatter.dateFormat = "HH:mm"

let bar = BasicInputBar(text: ValueBinding("")) { text in print("sent: \(text)") }
let view = MessagesView(notes, inputBar: bar, drawing: HTML.self)
  .groupingOptions([.collapseProfilePicture, .collapseEnclosingViews, .collapseTimestamps(.bottom)])
  .configureMessageEndsGroup { note, next in note.alignment != next.alignment }
  .messageMaxWidth { $0.width * 0.75 }
  .messageCornerRadius(8)
  .messageHeader { HTML(text: $0.alignment == .left ? "Ann" : "Bo") }
  .messageFooter { _ in HTML() }
  .messageAvatar { note in if case .custom = note.kind { HTML() } else { .element("i", ["class": "avatar"]) } }
  .messageContextMenu { note in if note.alignment == .right { HTML(text: "Delete") } }
  .messageImagePlaceholder { _ in HTML(text: "…") }
  .messageTimestampFormatter { formatter.string(from: $0) }
  .customRenderer(forTypeWithID: "custom1") { note, _ in
    if case .custom(let item) = note.kind { HTML(text: "Custom 1: Hi, \(item.data as? String ?? "unknown")") }
  }
  .customRenderer(forTypeWithID: "custom2") { note, info in
    if case .custom(let item) = note.kind {
      .element(
        "div", ["style": "width: \(info.suggestedWidth); float: \(note.alignment)"],
        text: "Custom 2: Bye, \(item.data as? String ?? "unknown")")
    }
  }
  .showTimestampsOnSwipe()
  .proxyOnAppear { proxy in proxy.scrollTo("3") }
  .proxyOnMessagesChange { proxy, messages in if let last = messages.last { proxy.scrollTo(last.messageID) } }
  .refreshable { try await loadEarlier() }

// A program that uses it.

struct Pages: HTMLFactory {
  let context = RenderingContext()
  let actionURL: String? = "/act"
}

let list = MessageList(view)
list.appear()
let markup = Pages().draw(list).markup
for text in ["Hello", "Custom 1: Hi, Ann", "Custom 2: Bye, Bo", "Delete", "avatar"] {
  print(text, markup.contains(text))
}
print(list.viewport?.row ?? "no row")
list.setMessages(notes + [Note(messageID: "4", kind: .system("Bo left"))])
print(list.viewport?.row ?? "no row")

// Prints:
//   Hello true
//   Custom 1: Hi, Ann true
//   Custom 2: Bye, Bo true
//   Delete true
//   avatar true
//   m:3
//   m:4
