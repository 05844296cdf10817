// Sample messages: a chat message with every chat property, and a plain message of an app.
import Chat
import ChatMessageList
import Foundation
import SeededRandom

/// A chat message.
struct Said: ChatMessageType, Hashable {
  var messageID: String
  var timestamp: Date
  var by: String?
  var number: UInt64 = 0
  var text = "Hello"
  var isSystem = false
  var customID: String?
  var clientID: String?
  var isOwn: Bool { by == "me" }
  var edited: Date?
  var isDeleted = false
  var isEphemeral = false
  var delivery: MessageDelivery?
  var reactions: [MessageReaction] = []
  var thread: MessageThread?
  var quote: MessageQuote?
  var annotations: MessageAnnotations = []
  var actions: MessageActions?

  init(_ id: String, by sender: String? = "ann", at seconds: Double, _ change: (inout Said) -> Void = { _ in }) {
    (messageID, by, timestamp) = (id, sender, Date(timeIntervalSince1970: seconds))
    change(&self)
  }

  var sender: MessageSender? { by.map { MessageSender(id: $0, name: $0.capitalized) } }
  var alignment: MessageAlignment { isOwn ? .right : .left }

  var kind: MessageKind {
    if isSystem { return .system(AttributedString(text)) }
    if let customID { return .custom(Shape(id: customID, data: text)) }
    return .text(TextItem(text))
  }
}

/// A plain message of an app without chat properties.
struct Plain: MessageType {
  var messageID: String
  var timestamp: Date
  var alignment = MessageAlignment.left
  var text = "Hello"
  var kindOf: KindOf = .text

  enum KindOf: Hashable { case text, system, image, custom(String) }

  init(_ id: String, at seconds: Double, _ alignment: MessageAlignment = .left, _ kind: KindOf = .text) {
    (messageID, timestamp, self.alignment) = (id, Date(timeIntervalSince1970: seconds), alignment)
    kindOf = kind
  }

  var kind: MessageKind {
    switch kindOf {
    case .text: .text(TextItem(text))
    case .system: .system(AttributedString(text))
    case .image: .image(ImageItem(url: "https://example.org/a.png"))
    case .custom(let id): .custom(Shape(id: id, data: text))
    }
  }
}

struct Shape: CustomItem {
  let id: String
  let data: Any?
}
