// All rows of a state, in dictionaries or in tables, for comparison.
import Chat
import ChatProjections
import Tables
import Projections

/// All rows of a state by key.
struct StateRows: Equatable {
  var users: [User.ID: User] = [:]
  var devices: [Device.Key: Device] = [:]
  var mutes: [Mute.Key: Mute] = [:]
  var bans: [Ban.Key: Ban] = [:]
  var flags: [Flag.Key: Flag] = [:]
  var channels: [Channel.ID: Channel] = [:]
  var members: [Member.Key: Member] = [:]
  var messages: [Message.Key: Message] = [:]
  var sent: [Message.Key] = []
  var reactions: [Reaction.Key: Reaction] = [:]
  var drafts: [Draft.Key: Draft] = [:]
  var composers: [Composer.Key: Composer] = [:]
  var consumers: [Consumer.ID: Consumer] = [:]
  var blocks: [UserBlock.Key: UserBlock] = [:]
  var reviews: [Flag.Target: Review] = [:]
  var savedMessages: [SavedMessage.Key: SavedMessage] = [:]
  var scheduledMessages: [ScheduledMessage.Key: ScheduledMessage] = [:]
  var threadMarkers: [ThreadMarker.Key: ThreadMarker] = [:]
  var votes: [Vote.Key: Vote] = [:]

  /// Reads the rows of the reference.
  init(_ state: InMemoryChatState) {
    let rows = state.rows
    (users, devices, mutes, bans, flags) = (rows.users, rows.devices, rows.mutes, rows.bans, rows.flags)
    (channels, members, messages, reactions) = (rows.channels, rows.members, rows.messages, rows.reactions)
    (drafts, composers, consumers) = (rows.drafts, rows.composers, rows.consumers)
    (blocks, reviews, votes) = (rows.blocks, rows.reviews, rows.votes)
    (savedMessages, scheduledMessages) = (rows.savedMessages, rows.scheduledMessages)
    threadMarkers = rows.threadMarkers
    // In tables this row does not hold its key: both sides are listed in key order.
    let order = rows.sent.keys.sorted { $0.author == $1.author ? $0.id < $1.id : $0.author < $1.author }
    sent = order.compactMap { state.rows.sent[$0] }
  }

  /// Reads the rows of the tables.
  init(_ reading: ProjectionReader) throws(ProjectionError) {
    users = try reading.rows(of: ChatState.users, \.id)
    devices = try reading.rows(of: ChatState.devices, \.key)
    mutes = try reading.rows(of: ChatState.mutes, \.key)
    bans = try reading.rows(of: ChatState.bans, \.key)
    flags = try reading.rows(of: ChatState.flags, \.key)
    channels = try reading.rows(of: ChatState.channels, \.id)
    members = try reading.rows(of: ChatState.members, \.key)
    messages = try reading.rows(of: ChatState.messages, \.key)
    sent = try reading.rows(of: ChatState.clientIDs)
    reactions = try reading.rows(of: ChatState.reactions, \.key)
    drafts = try reading.rows(of: ChatState.drafts, \.key)
    composers = try reading.rows(of: ChatState.composers, \.key)
    consumers = try reading.rows(of: ChatState.consumers, \.id)
    blocks = try reading.rows(of: ChatState.blocks, \.key)
    reviews = try reading.rows(of: ChatState.reviews, \.target)
    savedMessages = try reading.rows(of: ChatState.savedMessages, \.key)
    scheduledMessages = try reading.rows(of: ChatState.scheduledMessages, \.key)
    threadMarkers = try reading.rows(of: ChatState.threadMarkers, \.key)
    votes = try reading.rows(of: ChatState.votes, \.key)
  }

  /// Returns the differences in short texts.
  func differences(from other: StateRows) -> [String] {
    [
      difference("users", users, other.users), difference("devices", devices, other.devices),
      difference("mutes", mutes, other.mutes), difference("bans", bans, other.bans),
      difference("flags", flags, other.flags), difference("channels", channels, other.channels),
      difference("members", members, other.members), difference("messages", messages, other.messages),
      sent == other.sent ? nil : "clientIDs: \(sent) and \(other.sent)",
      difference("reactions", reactions, other.reactions), difference("drafts", drafts, other.drafts),
      difference("composers", composers, other.composers), difference("consumers", consumers, other.consumers),
      difference("blocks", blocks, other.blocks),
      difference("reviews", reviews, other.reviews),
      difference("savedMessages", savedMessages, other.savedMessages),
      difference("scheduledMessages", scheduledMessages, other.scheduledMessages),
      difference("threadMarkers", threadMarkers, other.threadMarkers),
      difference("votes", votes, other.votes),
    ].compactMap { $0 }
  }

  private func difference<Key: Hashable, Row: Equatable>(
    _ name: String, _ one: [Key: Row], _ other: [Key: Row]
  ) -> String? {
    let keys = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
    guard let key = keys.first else { return nil }
    return "\(keys.count) \(name), \(key): \(String(describing: one[key])) and \(String(describing: other[key]))"
  }
}

extension ProjectionReader {
  /// Returns all rows of a table in key order.
  func rows<Row: BinaryRow>(of table: ProjectionTable<ChatState, Row>) throws(ProjectionError) -> [Row] {
    var rows: [Row] = []
    try forEachRow(of: table) { _, row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// Returns all rows of a table by the keys that they hold.
  func rows<Row: BinaryRow, Key: Hashable>(
    of table: ProjectionTable<ChatState, Row>, _ key: (Row) -> Key
  ) throws(ProjectionError) -> [Key: Row] {
    Dictionary(uniqueKeysWithValues: try rows(of: table).map { (key($0), $0) })
  }
}
