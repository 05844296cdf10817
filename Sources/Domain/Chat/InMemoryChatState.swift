// The in-memory implementation of the chat state.

/// A chat state in dictionaries: for tests, and the reference for all other implementations.
public struct InMemoryChatState: TabledChatState, Hashable, Sendable {
  /// The rules of the app.
  public var rules: Rules
  /// The rows of the state in dictionaries.
  public var rows = Rows()

  /// Creates an empty state.
  public init(rules: Rules = Rules()) { self.rules = rules }

  /// Returns the keys of the stored drafts in a scope, in key order.
  public func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    rows.drafts.values.filter { $0.content != nil && scope.contains($0.key) }.map(\.key).sorted()
  }

  /// The dictionaries of the state, one for each kind of row.
  public struct Rows: StateTables, Hashable, Sendable {
    /// Users by their ids.
    public var users: [User.ID: User] = [:]
    /// Devices by user and device id.
    public var devices: [Device.Key: Device] = [:]
    /// Mutes by user and target.
    public var mutes: [Mute.Key: Mute] = [:]
    /// Bans by user and scope.
    public var bans: [Ban.Key: Ban] = [:]
    /// Flags by user and target.
    public var flags: [Flag.Key: Flag] = [:]
    /// Channels by their ids.
    public var channels: [Channel.ID: Channel] = [:]
    /// Current and former members by channel and user.
    public var members: [Member.Key: Member] = [:]
    /// Messages by channel and message id.
    public var messages: [Message.Key: Message] = [:]
    /// The keys of messages by author and client id.
    public var sent: [Message.ClientKey: Message.Key] = [:]
    /// Reactions by message and user.
    public var reactions: [Reaction.Key: Reaction] = [:]
    /// Drafts, or the tombstones of deleted ones, by user, channel and thread.
    public var drafts: [Draft.Key: Draft] = [:]
    /// Composers by user, device, channel and thread.
    public var composers: [Composer.Key: Composer] = [:]
    /// Consumers by their ids.
    public var consumers: [Consumer.ID: Consumer] = [:]
    /// Blocks by user and blocked user.
    public var blocks: [UserBlock.Key: UserBlock] = [:]
    /// Reviews by flagged message or user.
    public var reviews: [Flag.Target: Review] = [:]
    /// Saved messages by user and message.
    public var savedMessages: [SavedMessage.Key: SavedMessage] = [:]
    /// Scheduled messages by author and message.
    public var scheduledMessages: [ScheduledMessage.Key: ScheduledMessage] = [:]
    /// Read markers in threads by user and parent message.
    public var threadMarkers: [ThreadMarker.Key: ThreadMarker] = [:]
    /// Votes by message and user.
    public var votes: [Vote.Key: Vote] = [:]

    /// Creates empty dictionaries.
    public init() {}
  }
}
