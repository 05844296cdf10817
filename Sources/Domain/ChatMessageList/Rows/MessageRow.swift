// One row of a message list, as data.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A row of a message list: dates, counts and choices without display text, so it is the same for every locale and day.
///
/// The text is in the message: ``MessageLayout/message(_:)`` finds it by ``messageID``.
public struct MessageRow: Hashable, Sendable, Identifiable {
  /// The stable id of the row: it does not change when rows are inserted before it or when its message is acknowledged.
  public let id: ID
  /// The kind of row.
  public var kind: Kind
  /// The id of the displayed message; nil for rows that show none.
  public var messageID: String?
  /// The time at which its message was sent; for a date separator, the start of the day.
  public var date: Date?
  /// The number of unread messages, replies or hidden messages, depending on the kind.
  public var count: Int?
  /// The user who is typing.
  public var userID: String?

  /// The horizontal side of the row.
  public var side: Side = .center
  /// Whether the viewer is the author.
  public var isOwn = false
  /// The position in its group, with the decorations that follow from it.
  public var placement = Placement()
  /// Whether the time is shown while the list is swiped sideways.
  public var swipeTimestamp = false

  /// The displayed content.
  public var content: MessageContent = .text
  /// The quoted message.
  public var quote: Quote?
  /// The thread of replies to the message.
  public var thread: Thread?
  /// The reactions to the message.
  public var reactions: [MessageReaction] = []
  /// The poll in the message.
  public var poll: MessagePoll?
  /// The annotations above the message.
  public var annotations: MessageAnnotations = []
  /// The delivery state of the message.
  public var delivery: MessageDelivery?
  /// Whether the message was edited.
  public var edited = false
  /// Whether the edit is shown: a deleted message does not show it.
  public var showsEdited = false
  /// Whether only the viewer sees the message.
  public var visibleOnlyToYou = false

  /// The maximum width, in the units of the list's geometry.
  public var maxWidth: Double = 0
  /// The corner radius.
  public var cornerRadius: Double = 0
  /// The available actions.
  public var actions: MessageActions = []

  /// The id of a row: its kind and its subject.
  public typealias ID = String

  /// Creates a row of a kind.
  public init(_ id: ID, _ kind: Kind) { (self.id, self.kind) = (id, kind) }

  /// The kind of a row.
  public enum Kind: Hashable, Sendable {
    /// The row is a message by a user.
    case message
    /// The row is a system message.
    case system
    /// The row separates days.
    case dateSeparator
    /// The row separates read messages from unread ones.
    case unreadSeparator
    /// The row is a typing indicator.
    case typing
    /// The row marks the start of the conversation.
    case conversationStart
    /// The row is a control that loads earlier messages.
    case loadOlder
    /// The row is a control that loads later messages.
    case loadNewer
    /// The row separates a thread's parent message from its replies.
    case threadSeparator
    /// The row is a notice: ``content`` holds the kind without a renderer, ``count`` the number of hidden messages of
    /// muted authors.
    case notice
  }

  /// The horizontal side of a row.
  public enum Side: Hashable, Sendable {
    /// The row is at the leading edge.
    case leading
    /// The row is at the trailing edge.
    case trailing
    /// The row is centered, or positioned by a custom renderer.
    case center
  }

  /// The displayed data of a quoted message.
  public struct Quote: Hashable, Sendable {
    /// The id of the quoted message.
    public var target: String
    /// The id of its author.
    public var author: String?
    /// The displayed content.
    public var content: MessageContent
    /// The availability of the quoted message.
    public var state: MessageQuote.State
  }

  /// The displayed data of a thread.
  public struct Thread: Hashable, Sendable {
    /// The number of replies.
    public var replyCount: Int
    /// The ids of some participants, at most three.
    public var participants: [String]
    /// The number of replies unread by the viewer.
    public var unread: Int
    /// Whether the viewer has an unsent draft for the thread.
    public var hasDraft: Bool
    /// Whether the message is itself a reply that is also shown in the channel.
    public var alsoInChannel: Bool
  }
}

// MARK: Positions in groups

extension MessageRow {
  /// The position of a row in its group, with its decorations: everything that depends on neighbors.
  public struct Placement: Hashable, Sendable {
    /// The position in the group.
    public var position: Position = .single
    /// Whether the row carries a header.
    public var header = false
    /// Whether the row carries a footer.
    public var footer = false
    /// Whether the author's name is shown.
    public var authorName = false
    /// The display of the author's avatar.
    public var avatar: Avatar = .none
    /// The position of the time.
    public var timestamp: Timestamp = .hidden
    /// Whether the delivery state is shown.
    public var showsDelivery = false
    /// Whether it is the first unread message.
    public var isFirstUnread = false

    /// Creates the placement of a row without a group.
    public init() {}
  }

  /// The position of a row in its group.
  public enum Position: Hashable, Sendable {
    /// The row has no group or is its only member.
    case single
    /// The row starts the group.
    case first
    /// The row is inside the group.
    case middle
    /// The row ends the group.
    case last
  }

  /// The display of the author's avatar.
  public enum Avatar: Hashable, Sendable {
    /// The avatar is shown.
    case shown
    /// A spacer of the avatar's width keeps bubbles aligned.
    case spacer
    /// The row has no avatar.
    case none
  }

  /// The position of a row's time.
  public enum Timestamp: Hashable, Sendable {
    /// The time is not shown.
    case hidden
    /// The time is shown with the row.
    case row
    /// The time is shown above the group.
    case top
    /// The time is shown below the group.
    case bottom
  }

  /// The position in the group.
  public var position: Position { placement.position }
  /// Whether the row starts its group.
  public var groupStart: Bool { isBubble && (position == .first || position == .single) }
  /// Whether the row ends its group.
  public var groupEnd: Bool { isBubble && (position == .last || position == .single) }
  /// Whether the row carries a header.
  public var header: Bool { placement.header }
  /// Whether the row carries a footer.
  public var footer: Bool { placement.footer }
  /// Whether the author's name is shown.
  public var authorName: Bool { placement.authorName }
  /// The display of the author's avatar.
  public var avatar: Avatar { placement.avatar }
  /// The position of the time.
  public var timestamp: Timestamp { placement.timestamp }
  /// Whether the delivery state is shown.
  public var showsDelivery: Bool { placement.showsDelivery }
  /// Whether it is the first unread message.
  public var isFirstUnread: Bool { placement.isFirstUnread }

  /// Whether the row is a message by a user, which belongs to a group.
  public var isBubble: Bool { kind == .message }
}
