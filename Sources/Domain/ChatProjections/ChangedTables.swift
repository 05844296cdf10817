// The tables of a state with changes that are not folded into them.
package import Chat

/// The tables of the state with the changes to their rows, which are held beside them.
package struct ChangedTables: StateTables {
  package var users: ChangedTable<User.ID, User>
  package var devices: ChangedTable<Device.Key, Device>
  package var mutes: ChangedTable<Mute.Key, Mute>
  package var bans: ChangedTable<Ban.Key, Ban>
  package var flags: ChangedTable<Flag.Key, Flag>
  package var channels: ChangedTable<Channel.ID, Channel>
  package var members: ChangedTable<Member.Key, Member>
  package var messages: ChangedTable<Message.Key, Message>
  package var sent: ChangedTable<Message.ClientKey, Message.Key>
  package var reactions: ChangedTable<Reaction.Key, Reaction>
  package var drafts: ChangedDrafts
  package var composers: ChangedTable<Composer.Key, Composer>
  package var consumers: ChangedTable<Consumer.ID, Consumer>
  package var blocks: ChangedTable<UserBlock.Key, UserBlock>
  package var reviews: ChangedTable<Flag.Target, Review>
  package var savedMessages: ChangedTable<SavedMessage.Key, SavedMessage>
  package var scheduledMessages: ChangedTable<ScheduledMessage.Key, ScheduledMessage>
  package var threadMarkers: ChangedTable<ThreadMarker.Key, ThreadMarker>
  package var votes: ChangedTable<Vote.Key, Vote>

  init(_ rows: ChatTables.Rows) {
    users = ChangedTable(rows.users)
    devices = ChangedTable(rows.devices)
    mutes = ChangedTable(rows.mutes)
    bans = ChangedTable(rows.bans)
    flags = ChangedTable(rows.flags)
    channels = ChangedTable(rows.channels)
    members = ChangedTable(rows.members)
    messages = ChangedTable(rows.messages)
    sent = ChangedTable(rows.sent)
    reactions = ChangedTable(rows.reactions)
    drafts = ChangedDrafts(rows.drafts)
    composers = ChangedTable(rows.composers)
    consumers = ChangedTable(rows.consumers)
    blocks = ChangedTable(rows.blocks)
    reviews = ChangedTable(rows.reviews)
    savedMessages = ChangedTable(rows.savedMessages)
    scheduledMessages = ChangedTable(rows.scheduledMessages)
    threadMarkers = ChangedTable(rows.threadMarkers)
    votes = ChangedTable(rows.votes)
  }
}

/// A table with changes to its rows.
package struct ChangedTable<Key: Hashable, Value>: StateTable {
  private let stored: (Key) -> Value?
  /// The changed rows; nil for a removed row.
  private var changes: [Key: Value?] = [:]

  init(_ table: ChatTable<Value>) where Value: ChatRow, Value.RowKey == Key { stored = { table[$0] } }

  /// The changed row, or the stored row when it is unchanged; a row that was changed before is changed in place.
  package subscript(key: Key) -> Value? {
    // Most tables have no changes: a key is not hashed for them.
    get { changes.isEmpty ? stored(key) : changes[key] ?? stored(key) }
    _modify { yield &changes[key, default: stored(key)] }
  }
}

/// The table of drafts with changes to its rows, which are also found by channel.
package struct ChangedDrafts: StateTable {
  /// The keys of the changed drafts, by channel.
  private(set) var changed: [Channel.ID: Set<Draft.Key>] = [:]
  private var drafts: ChangedTable<Draft.Key, Draft>

  init(_ table: ChatTable<Draft>) { drafts = ChangedTable(table) }

  /// The draft with a key, or the tombstone of a deleted one.
  package subscript(key: Draft.Key) -> Draft? {
    get { drafts[key] }
    _modify {
      changed[key.channel, default: []].insert(key)
      yield &drafts[key]
    }
  }
}
