// The contents of a message list for a channel or a thread.
public import Chat
public import ChatMessageList
internal import Verbatim

/// The contents of a message list for a channel or a thread, as a user sees it at an instant.
public struct Conversation: Equatable, Sendable {
  /// The channel.
  public var channel: Channel
  /// The id of the thread's parent message; nil for the channel itself.
  public var thread: Message.ID?
  /// The messages in sending order; in a thread, the parent comes first.
  public var messages: [ChatMessage]
  /// The number for loading older messages with ``/ChatProjections/MessageSpan/before(_:)``; nil if there are none.
  public var older: Message.Number?
  /// The number for loading newer messages with ``/ChatProjections/MessageSpan/after(_:)``; nil if there are none.
  public var newer: Message.Number?
  /// The other users who are typing, by name if they have one, in the order of their ids.
  public var typing: [MessageSender]
  /// The users whom the user mutes or blocks.
  public var muted: Set<String>
  /// The start of the unread messages and their count; nil if there are none.
  public var unread: UnreadMark?
  /// The instant until which the conversation is valid without further events; nil if it does not expire.
  public var until: Timestamp?
  /// The users with a shown name, and those who can block the reader in the channel.
  internal var users: Set<User.ID>

  /// The names of the authors and typing users by user id.
  public var names: [String: String] {
    let senders = messages.compactMap(\.sender) + messages.compactMap(\.quote?.author) + typing
    return Dictionary(senders.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the layout by some options, with the users whom the user mutes or blocks applied.
  public func layout(_ options: LayoutOptions<ChatMessage> = .verbatim) -> MessageLayout<ChatMessage> {
    MessageLayout(
      messages, options: options.of(self), unread: unread, typing: typing.map(\.id), hasOlder: older != nil,
      hasNewer: newer != nil)
  }
}

extension Conversation {
  /// The number before the first message, apart from the parent of a thread; nil if there is none.
  internal var start: Message.Number? { messages.first { $0.messageID != thread?.text }?.message.number.previous }

  /// Returns whether a list of another conversation shows the same rows.
  internal func hasSameRows(as other: Conversation) -> Bool {
    var other = other
    (other.channel, other.unread, other.until, other.users) = (channel, unread, until, users)
    return self == other
  }
}

extension LayoutOptions<ChatMessage> {
  /// Returns the options for a conversation.
  internal func of(_ conversation: Conversation) -> LayoutOptions {
    var options = self
    options.threadParent = conversation.thread?.text
    options.mutedAuthors = conversation.muted
    return options
  }
}
