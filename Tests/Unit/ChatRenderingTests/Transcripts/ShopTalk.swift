// An app's own messages, which know nothing of a chat, in a list with everything that an app draws itself.
import ChatMessageList
import ChatRendering
import TerminalRendering
import Foundation

/// A message of a shop.
struct ShopNote: MessageType, Hashable {
  let messageID: String
  let timestamp: Date
  let alignment: MessageAlignment
  let shows: Shows

  enum Shows: Hashable {
    case words(String, MessageColor?), told(String), picture(ImageItem), order(Int), rating(Int)
  }

  var kind: MessageKind {
    switch shows {
    case .words(let text, let color): .text(TextItem(text, background: color))
    case .told(let text): .system(AttributedString(text))
    case .picture(let picture): .image(picture)
    case .order(let number): .custom(Own(id: "order", data: number))
    case .rating(let stars): .custom(Own(id: "rating", data: stars))
    }
  }

  struct Own: CustomItem {
    let id: String
    let data: Any?
  }
}

/// A shop and a customer.
struct ShopTalk: Transcript {
  let name = "shop"
  let title = "The tea shop"

  private static let green = MessageColor(red: 0x1B, green: 0x5E, blue: 0x20)
  private static let sand = MessageColor(red: 0xF3, green: 0xE3, blue: 0xB5)

  private var notes: [ShopNote] {
    let shown: [(MessageAlignment, ShopNote.Shows)] = [
      (.left, .told("A new order")),
      (.left, .words("Thank you for your order!", Self.green)),
      (.left, .order(4711)),
      (.right, .words("Could you add a tin of the smoked one?", nil)),
      (.left, .told("Lin took over")),
      (.right, .words("The small one, please.", nil)),
      (.left, .picture(ImageItem(data: tin, summary: "A tin with a hill on it"))),
      (.left, .picture(ImageItem(url: "https://example.org/tin.png", summary: "The same tin, open"))),
      (.left, .words("Like this?", Self.sand)),
      (.right, .words("😀", nil)),
      (.right, .rating(4)),
    ]
    return shown.enumerated().map { index, shown in
      ShopNote(
        messageID: "n\(index)", timestamp: on(22, 14, Int64(index)).date, alignment: shown.0, shows: shown.1)
    }
  }

  private func list<Output: DrawnOutput>(
    drawing: Output.Type
  ) -> MessageList<ShopNote, Output, BasicInputBar> {
    let view = MessagesView(
      notes, inputBar: BasicInputBar(placeholder: "Ask us", sendLabel: "Ask"), drawing: Output.self
    )
    .messageMaxWidth(0.8)
    .messageCornerRadius(16)
    .messageHeader { Output(text: $0.alignment == .left ? "The tea shop" : "") }
    .messageFooter { Output(text: $0.messageID == "n8" ? "Prices with tax" : "") }
    .messageAvatar { Output(text: $0.alignment == .left ? "T" : "Y") }
    .messageContextMenu { Self.menu(of: $0) }
    .messageTimestampFormatter { "\(Int($0.timeIntervalSince(on(22, 14, 0).date) / 60)) min" }
    .messageImagePlaceholder { Output(text: Self.placeholder(for: $0)) }
    .customRenderer(forTypeWithID: "order") { note, _ in Output(text: Self.words(note) + " is being packed") }
    .customRenderer(forTypeWithID: "rating") { note, _ in Output(text: "Rated " + Self.words(note)) }
    return MessageList(view)
  }

  private static func menu<Output: DrawnOutput>(of note: ShopNote) -> Output {
    var menu = Output(text: note.messageID == "n3" ? "Take it back" : "")
    if !menu.isEmpty { menu.carry(.message(.delete, note.messageID)) }
    return menu
  }

  private static func placeholder(for note: ShopNote) -> String {
    if case .picture(let picture) = note.shows { "Loading: \(picture.summary ?? "")" } else { "" }
  }

  private static func words(_ note: ShopNote) -> String {
    switch note.shows {
    case .order(let number): "Order \(number)"
    case .rating(let stars): String(repeating: "★", count: stars) + String(repeating: "☆", count: 5 - stars)
    default: ""
    }
  }

  var rows: [MessageRow] { Array(list(drawing: TerminalText.self).rows) }

  func draw<Factory: ViewFactory>(with factory: Factory) -> Factory.Output {
    factory.draw(list(drawing: Factory.Output.self))
  }
}

/// The file of a picture of 24 by 24 points.
private let tin = Array(
  Data(
    base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYAgMAAACdGdVrAAAACVBMVEWPuOj/yD08ej9+9IsjAAAAPklEQVR42mNgwAEYQ8EUa6g"
      + "DIQqqEitoAJNMC8AU1yowpbUKLLpqFVB01aJVq1aA2EDQAKEWQKgVEGoVlAIAqEsfy7TIfe0AAAAASUVORK5CYII=") ?? Data())
