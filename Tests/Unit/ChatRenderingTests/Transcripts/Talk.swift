// What people say in a chat, as somebody's app gets it: with the package's own messages.
@testable import Chat
import ChatMessageList
import ChatRendering
import ChatProjections
import Foundation

/// Messages of a chat with what a list knows besides them, seen by Mia.
struct Talk: Transcript {
  let name: String
  let title: String
  var isForReading = false
  var hasColors = false
  var thread: String?
  /// Up to where it was read: the first message that was not, and how many were not.
  var unread: (from: String, count: Int)?
  var typing: [String] = []
  var hasOlder = false
  var hasNewer = false
  var olderFailed = false
  var isLoading = false
  var muting: (authors: Set<String>, become: LayoutOptions<ChatMessage>.MutedMessages)?
  var renderers: Set<String>?
  var input = ""
  let messages: [ChatMessage]

  init(_ name: String, _ title: String, _ messages: [ChatMessage], _ change: (inout Talk) -> Void = { _ in }) {
    (self.name, self.title, self.messages) = (name, title, messages)
    change(&self)
  }

  var layout: MessageLayout<ChatMessage> {
    var options = LayoutOptions<ChatMessage>.verbatim
    (options.threadParent, options.customRenderers) = (thread, renderers)
    if let muting { (options.mutedAuthors, options.mutedMessages) = (muting.authors, muting.become) }
    let first = unread.flatMap { unread in messages.first { $0.messageID == unread.from } }
    let mark = first.map { UnreadMark(from: MessageSortKey($0), count: unread?.count ?? 0) }
    var layout = MessageLayout(
      messages, options: options, unread: mark, typing: typing, hasOlder: hasOlder, hasNewer: hasNewer)
    var change = MessageChange<ChatMessage>()
    change.olderFailed = olderFailed
    layout.apply(change)
    return layout
  }

  var rows: [MessageRow] { Array(layout.rows) }

  func draw<Factory: ViewFactory>(with factory: Factory) -> Factory.Output {
    factory.drawList(layout, inputBar: factory.makeInputBar(BasicInputBar(text: input)), isLoading: isLoading)
  }
}

// MARK: Messages

/// A message and what belongs to it elsewhere, to be changed before it is shown.
struct Telling {
  var message: Message
  var details: ChatMessage.Details
}

/// What somebody says, as Mia sees it; what the app says, where nobody does.
func said(
  _ id: Message.ID, by author: User.ID?, at sent: Timestamp, _ text: UserText = "",
  _ change: (inout Telling) -> Void = { _ in }
) -> ChatMessage {
  let content = Message.Content(text, kind: author == nil ? .system : .regular)
  var telling = Telling(
    message: Message(
      key: Message.Key("general", id), author: author, content: content, number: Message.Number(rawValue: 1),
      sent: sent, delivery: .settled), details: ChatMessage.Details())
  telling.details.sender = author.map { sender($0.text) }
  let isOwn = author == "mia"
  if isOwn { telling.details.delivery = .read(2) }
  let others = MessageActions(.flag, .mute)
  let own = MessageActions(.edit, .delete, .retry)
  telling.details.actions = MessageActions(.reply, .copy, .pin, .react, .thread).union(isOwn ? own : others)
  change(&telling)
  return ChatMessage(telling.message, seenBy: "mia", telling.details)
}

/// A time in November 2026.
func on(_ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64 = 0) -> Timestamp {
  Timestamp(rawValue: (1_793_491_200 + ((day - 1) * 24 + hour) * 3600 + minute * 60 + second) * 1_000_000)
}

// MARK: People

private let names = [
  "mia": "Mia Berg", "leo": "Leo Okafor", "ada": "Ada", "zoe": "Zoë van Dam", "sam": "Sam", "noa": "נועה", "rui": "王瑞",
]

/// Somebody by what they are called for good.
func sender(_ id: String) -> MessageSender { MessageSender(id: id, name: names[id] ?? id) }

extension RenderingContext {
  /// With the names of all who say something, late on the day on which they do.
  static var people: RenderingContext {
    var context = RenderingContext()
    context.name = { names[$0] ?? $0 }
    context.now = on(22, 18, 0)
    return context
  }
}
