// One row of a message list, as data.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A row of a message list: dates, counts and choices, and no words, so that it is the same in every language and on
/// every day.
///
/// What a message says is in the message: ``MessageLayout/message(_:)`` finds it by ``messageID``.
public struct MessageRow: Hashable, Sendable, Identifiable {
  /// What the row is called, as long as it is there: it stays when rows come before it, and when a message is
  /// acknowledged.
  public let id: ID
  /// What kind of row it is.
  public var kind: Kind
  /// The message that it shows; nil for rows that show none.
  public var messageID: String?
  /// When its message was sent; the beginning of a day for the separator of a day.
  public var date: Date?
  /// How many: unread messages, replies, messages that are not shown.
  public var count: Int?
  /// Who types.
  public var userID: String?

  /// On which side it stands.
  public var side: Side = .center
  /// Whether whoever looks said it.
  public var isOwn = false
  /// Where it stands in its group, and what that has it carry.
  public var placement = Placement()
  /// Whether the time is shown while the list is swiped aside.
  public var swipeTimestamp = false

  /// What it shows.
  public var content: MessageContent = .text
  /// What it quotes.
  public var quote: Quote?
  /// The thread about it.
  public var thread: Thread?
  /// How it is reacted to.
  public var reactions: [MessageReaction] = []
  /// What is remarked above it.
  public var annotations: MessageAnnotations = []
  /// How far it came.
  public var delivery: MessageDelivery?
  /// Whether it was edited.
  public var edited = false
  /// Whether that is shown: what is deleted was edited in vain.
  public var showsEdited = false
  /// Whether only whoever looks sees it.
  public var visibleOnlyToYou = false

  /// How wide it may become, in the units of the list's geometry.
  public var maxWidth: Double = 0
  /// How round its corners are.
  public var cornerRadius: Double = 0
  /// What one can do with it.
  public var actions: MessageActions = []

  /// What a row is called: its kind, and what it is about.
  public typealias ID = String

  /// A row of a kind.
  public init(_ id: ID, _ kind: Kind) { (self.id, self.kind) = (id, kind) }

  /// What kind of row it is.
  public enum Kind: Hashable, Sendable {
    /// A message of somebody.
    case message
    /// What the app said.
    case system
    /// A day begins.
    case dateSeparator
    /// What is below was not read.
    case unreadSeparator
    /// Somebody types.
    case typing
    /// Nothing was said before.
    case conversationStart
    /// There are earlier messages to load.
    case loadOlder
    /// There are later messages to load.
    case loadNewer
    /// Above is the message, below are the replies to it.
    case threadSeparator
    /// Something is not shown as it would be: ``content`` says what has no renderer, ``count`` how many messages of
    /// muted authors are not shown.
    case notice
  }

  /// On which side a row stands.
  public enum Side: Hashable, Sendable {
    /// Where lines begin.
    case leading
    /// Where lines end.
    case trailing
    /// In the middle, or where a custom renderer places it.
    case center
  }

  /// What a row tells of the message that it quotes.
  public struct Quote: Hashable, Sendable {
    /// Which message.
    public var target: String
    /// Who said it.
    public var author: String?
    /// What it shows.
    public var content: MessageContent
    /// What is known of it.
    public var state: MessageQuote.State
  }

  /// What a row tells of the thread about its message.
  public struct Thread: Hashable, Sendable {
    /// How many replies stand in it.
    public var replyCount: Int
    /// Some who replied, three at most.
    public var participants: [String]
    /// How many replies wait for whoever looks.
    public var unread: Int
    /// Whether they have written something for it that is not sent.
    public var hasDraft: Bool
    /// Whether the message is itself a reply, and stands in the channel too.
    public var alsoInChannel: Bool
  }
}

// MARK: Places in groups

extension MessageRow {
  /// Where a row stands in its group, and what that has it carry: all that depends on its neighbors.
  public struct Placement: Hashable, Sendable {
    /// Where in the group.
    public var position: Position = .single
    /// Whether there is room for a header.
    public var header = false
    /// Whether there is room for a footer.
    public var footer = false
    /// Whether the name of who said it is shown.
    public var authorName = false
    /// The picture of who said it.
    public var avatar: Avatar = .none
    /// Where the time is shown.
    public var timestamp: Timestamp = .hidden
    /// Whether it is shown how far it came.
    public var showsDelivery = false
    /// Whether it is the first message that was not read.
    public var isFirstUnread = false

    /// A row in no group.
    public init() {}
  }

  /// Where in its group a row stands.
  public enum Position: Hashable, Sendable {
    /// It has no group, or is the only one.
    case single
    /// It begins the group.
    case first
    /// In the midst.
    case middle
    /// It ends the group.
    case last
  }

  /// The picture of who said it.
  public enum Avatar: Hashable, Sendable {
    /// It is there.
    case shown
    /// Room as wide, so that bubbles stand below one another.
    case spacer
    /// There is none.
    case none
  }

  /// Where the time is shown.
  public enum Timestamp: Hashable, Sendable {
    /// Nowhere.
    case hidden
    /// With the row.
    case row
    /// Above the group.
    case top
    /// Below the group.
    case bottom
  }

  /// Where in its group it stands.
  public var position: Position { placement.position }
  /// Whether its group begins with it.
  public var groupStart: Bool { isBubble && (position == .first || position == .single) }
  /// Whether its group ends with it.
  public var groupEnd: Bool { isBubble && (position == .last || position == .single) }
  /// Whether there is room for a header.
  public var header: Bool { placement.header }
  /// Whether there is room for a footer.
  public var footer: Bool { placement.footer }
  /// Whether the name of who said it is shown.
  public var authorName: Bool { placement.authorName }
  /// The picture of who said it.
  public var avatar: Avatar { placement.avatar }
  /// Where the time is shown.
  public var timestamp: Timestamp { placement.timestamp }
  /// Whether it is shown how far it came.
  public var showsDelivery: Bool { placement.showsDelivery }
  /// Whether it is the first message that was not read.
  public var isFirstUnread: Bool { placement.isFirstUnread }

  /// Whether it is a message of somebody, which has a place in a group.
  public var isBubble: Bool { kind == .message }
}
