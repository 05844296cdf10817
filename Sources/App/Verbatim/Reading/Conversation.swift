// What a list of messages shows of a channel or a thread.
public import Chat
public import ChatMessageList

/// What a list of messages shows of a channel or a thread, as a user sees it at an instant.
public struct Conversation: Equatable, Sendable {
  /// The channel.
  public var channel: Channel
  /// What the thread is about; nil for the channel itself.
  public var thread: Message.ID?
  /// The messages, in the order in which they were sent; in a thread, what it is about comes first.
  public var messages: [ChatMessage]
  /// What older ones come ``/ChatProjections/MessageSpan/before(_:)``; nil when there are none.
  public var older: Message.Number?
  /// What newer ones come ``/ChatProjections/MessageSpan/after(_:)``; nil when there are none.
  public var newer: Message.Number?
  /// Others who type, by name where they have one, in the order of their ids.
  public var typing: [MessageSender]
  /// The users whom the user mutes.
  public var muted: Set<String>
  /// Where what waits for the user begins, and how much it is; nil where nothing waits.
  public var unread: UnreadMark?
  /// Until when it is so, if nothing happens; nil for ever.
  public var until: Instant?

  /// The names of those who said something or type, by what they are called for good.
  public var names: [String: String] {
    let senders = messages.compactMap(\.sender) + messages.compactMap(\.quote?.author) + typing
    return Dictionary(senders.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  /// The rows, by some rules; whom the user mutes is put into them.
  public func layout(_ options: LayoutOptions<ChatMessage> = .verbatim) -> MessageLayout<ChatMessage> {
    MessageLayout(
      messages, options: options.of(self), unread: unread, typing: typing.map(\.id), hasOlder: older != nil,
      hasNewer: newer != nil)
  }
}

extension Conversation {
  /// Whether a list of another shows the same.
  internal func hasSameRows(as other: Conversation) -> Bool {
    var other = other
    (other.channel, other.unread, other.until) = (channel, unread, until)
    return self == other
  }
}

extension LayoutOptions<ChatMessage> {
  /// The rules, for a conversation.
  internal func of(_ conversation: Conversation) -> LayoutOptions {
    var options = self
    options.threadParent = conversation.thread?.text
    options.mutedAuthors = conversation.muted
    return options
  }
}
