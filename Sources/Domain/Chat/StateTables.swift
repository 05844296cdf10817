// The tables of a state, one for each kind of row, and the subscripts of a state over its tables.

/// A table of a state: rows of one kind by their keys.
public protocol StateTable<Key, Value> {
  /// The key of a row.
  associatedtype Key
  /// The row.
  associatedtype Value

  /// The row with a key.
  subscript(key: Key) -> Value? { get set }
}

extension Dictionary: StateTable {}

/// The tables of a state, one for each kind of row.
public protocol StateTables {
  /// The table of users.
  associatedtype Users: StateTable<User.ID, User>
  /// The table of devices.
  associatedtype Devices: StateTable<Device.Key, Device>
  /// The table of mutes.
  associatedtype Mutes: StateTable<Mute.Key, Mute>
  /// The table of bans.
  associatedtype Bans: StateTable<Ban.Key, Ban>
  /// The table of flags.
  associatedtype Flags: StateTable<Flag.Key, Flag>
  /// The table of channels.
  associatedtype Channels: StateTable<Channel.ID, Channel>
  /// The table of current and former members.
  associatedtype Members: StateTable<Member.Key, Member>
  /// The table of messages.
  associatedtype Messages: StateTable<Message.Key, Message>
  /// The table of the keys of messages by their client ids.
  associatedtype Sent: StateTable<Message.ClientKey, Message.Key>
  /// The table of reactions.
  associatedtype Reactions: StateTable<Reaction.Key, Reaction>
  /// The table of drafts and the tombstones of deleted ones.
  associatedtype Drafts: StateTable<Draft.Key, Draft>
  /// The table of composers.
  associatedtype Composers: StateTable<Composer.Key, Composer>
  /// The table of consumers.
  associatedtype Consumers: StateTable<Consumer.ID, Consumer>
  /// The table of blocks.
  associatedtype Blocks: StateTable<UserBlock.Key, UserBlock>
  /// The table of reviews of flagged messages and users.
  associatedtype Reviews: StateTable<Flag.Target, Review>
  /// The table of saved messages.
  associatedtype SavedMessages: StateTable<SavedMessage.Key, SavedMessage>
  /// The table of scheduled messages.
  associatedtype ScheduledMessages: StateTable<ScheduledMessage.Key, ScheduledMessage>
  /// The table of read markers in threads.
  associatedtype ThreadMarkers: StateTable<ThreadMarker.Key, ThreadMarker>
  /// The table of votes in polls.
  associatedtype Votes: StateTable<Vote.Key, Vote>

  /// Users by their ids.
  var users: Users { get set }
  /// Devices by user and device id.
  var devices: Devices { get set }
  /// Mutes by user and target.
  var mutes: Mutes { get set }
  /// Bans by user and scope.
  var bans: Bans { get set }
  /// Flags by user and target.
  var flags: Flags { get set }
  /// Channels by their ids.
  var channels: Channels { get set }
  /// Current and former members by channel and user.
  var members: Members { get set }
  /// Messages by channel and message id.
  var messages: Messages { get set }
  /// The keys of messages by author and client id.
  var sent: Sent { get set }
  /// Reactions by message and user.
  var reactions: Reactions { get set }
  /// Drafts, or the tombstones of deleted ones, by user, channel and thread.
  var drafts: Drafts { get set }
  /// Composers by user, device, channel and thread.
  var composers: Composers { get set }
  /// Consumers by their ids.
  var consumers: Consumers { get set }
  /// Blocks by user and blocked user.
  var blocks: Blocks { get set }
  /// Reviews by flagged message or user.
  var reviews: Reviews { get set }
  /// Saved messages by user and message.
  var savedMessages: SavedMessages { get set }
  /// Scheduled messages by author and message.
  var scheduledMessages: ScheduledMessages { get set }
  /// Read markers in threads by user and parent message.
  var threadMarkers: ThreadMarkers { get set }
  /// Votes by message and user.
  var votes: Votes { get set }
}

/// A state whose rows are in tables, one for each kind: the subscripts of the state are derived from them.
public protocol TabledChatState: ChatStateStore {
  /// The tables of the state.
  associatedtype Rows: StateTables

  /// The rows of the state in tables.
  var rows: Rows { get set }
}

// Inlinable, so that the subscripts of each state are specialized where the state is declared.
extension TabledChatState {
  /// The row of a user.
  @inlinable public subscript(id: User.ID) -> User? {
    get { rows.users[id] }
    _modify { yield &rows.users[id] }
  }

  /// The row of a user's device.
  @inlinable public subscript(key: Device.Key) -> Device? {
    get { rows.devices[key] }
    _modify { yield &rows.devices[key] }
  }

  /// The row of a user's mute.
  @inlinable public subscript(key: Mute.Key) -> Mute? {
    get { rows.mutes[key] }
    _modify { yield &rows.mutes[key] }
  }

  /// The row of a user's ban.
  @inlinable public subscript(key: Ban.Key) -> Ban? {
    get { rows.bans[key] }
    _modify { yield &rows.bans[key] }
  }

  /// The row of a user's flag.
  @inlinable public subscript(key: Flag.Key) -> Flag? {
    get { rows.flags[key] }
    _modify { yield &rows.flags[key] }
  }

  /// The row of a channel.
  @inlinable public subscript(id: Channel.ID) -> Channel? {
    get { rows.channels[id] }
    _modify { yield &rows.channels[id] }
  }

  /// The row of a current or former member of a channel.
  @inlinable public subscript(key: Member.Key) -> Member? {
    get { rows.members[key] }
    _modify { yield &rows.members[key] }
  }

  /// The row of a message.
  @inlinable public subscript(key: Message.Key) -> Message? {
    get { rows.messages[key] }
    _modify { yield &rows.messages[key] }
  }

  /// The key of the message that an author sent under a client id.
  @inlinable public subscript(key: Message.ClientKey) -> Message.Key? {
    get { rows.sent[key] }
    _modify { yield &rows.sent[key] }
  }

  /// The row of a user's reactions to a message.
  @inlinable public subscript(key: Reaction.Key) -> Reaction? {
    get { rows.reactions[key] }
    _modify { yield &rows.reactions[key] }
  }

  /// The row of a draft, or the tombstone of a deleted one.
  @inlinable public subscript(key: Draft.Key) -> Draft? {
    get { rows.drafts[key] }
    _modify { yield &rows.drafts[key] }
  }

  /// The row of a composer.
  @inlinable public subscript(key: Composer.Key) -> Composer? {
    get { rows.composers[key] }
    _modify { yield &rows.composers[key] }
  }

  /// The row of a consumer.
  @inlinable public subscript(id: Consumer.ID) -> Consumer? {
    get { rows.consumers[id] }
    _modify { yield &rows.consumers[id] }
  }

  /// The row of a user's block of another user.
  @inlinable public subscript(key: UserBlock.Key) -> UserBlock? {
    get { rows.blocks[key] }
    _modify { yield &rows.blocks[key] }
  }

  /// The row of the review of a flagged message or user.
  @inlinable public subscript(key: Flag.Target) -> Review? {
    get { rows.reviews[key] }
    _modify { yield &rows.reviews[key] }
  }

  /// The row of a saved message.
  @inlinable public subscript(key: SavedMessage.Key) -> SavedMessage? {
    get { rows.savedMessages[key] }
    _modify { yield &rows.savedMessages[key] }
  }

  /// The row of a scheduled message.
  @inlinable public subscript(key: ScheduledMessage.Key) -> ScheduledMessage? {
    get { rows.scheduledMessages[key] }
    _modify { yield &rows.scheduledMessages[key] }
  }

  /// The row of a user's read marker in a thread.
  @inlinable public subscript(key: ThreadMarker.Key) -> ThreadMarker? {
    get { rows.threadMarkers[key] }
    _modify { yield &rows.threadMarkers[key] }
  }

  /// The row of a user's votes in a poll.
  @inlinable public subscript(key: Vote.Key) -> Vote? {
    get { rows.votes[key] }
    _modify { yield &rows.votes[key] }
  }
}
