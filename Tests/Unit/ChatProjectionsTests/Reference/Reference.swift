// The reference: a conversation in plain arrays, with each query a scan of every row.
import Chat
import EventLog

/// A conversation as plain arrays of rows and all its events.
///
/// It has no index and no order but that of the events. Its queries filter and sort.
struct Reference: ChatStateStore {
  var rules = Rules()
  private(set) var events: [(position: Position, event: ChatEvent)] = []
  private(set) var users: [User] = []
  private(set) var devices: [Device] = []
  private(set) var mutes: [Mute] = []
  private(set) var bans: [Ban] = []
  private(set) var flags: [Flag] = []
  private(set) var channels: [Channel] = []
  private(set) var members: [Member] = []
  private(set) var messages: [Message] = []
  private(set) var sent: [Sent] = []
  private(set) var reactions: [Reaction] = []
  private(set) var drafts: [Draft] = []
  private(set) var composers: [Composer] = []
  private(set) var consumers: [Consumer] = []
  private(set) var blocks: [UserBlock] = []
  private(set) var reviews: [Review] = []
  private(set) var savedMessages: [SavedMessage] = []
  private(set) var scheduledMessages: [ScheduledMessage] = []
  private(set) var threadMarkers: [ThreadMarker] = []
  private(set) var votes: [Vote] = []

  struct Sent {
    let client: Message.ClientKey
    var key: Message.Key
  }

  /// Creates an empty conversation.
  init() {}

  /// Folds an event.
  mutating func fold(_ event: ChatEvent, at position: Position) {
    Chat.fold(event, into: &self)
    events.append((position, event))
  }

  subscript(id: User.ID) -> User? {
    get { users.first { $0.id == id } }
    set { users.put(newValue) { $0.id == id } }
  }

  subscript(key: Device.Key) -> Device? {
    get { devices.first { $0.key == key } }
    set { devices.put(newValue) { $0.key == key } }
  }

  subscript(key: Mute.Key) -> Mute? {
    get { mutes.first { $0.key == key } }
    set { mutes.put(newValue) { $0.key == key } }
  }

  subscript(key: Ban.Key) -> Ban? {
    get { bans.first { $0.key == key } }
    set { bans.put(newValue) { $0.key == key } }
  }

  subscript(key: Flag.Key) -> Flag? {
    get { flags.first { $0.key == key } }
    set { flags.put(newValue) { $0.key == key } }
  }

  subscript(id: Channel.ID) -> Channel? {
    get { channels.first { $0.id == id } }
    set { channels.put(newValue) { $0.id == id } }
  }

  subscript(key: Member.Key) -> Member? {
    get { members.first { $0.key == key } }
    set { members.put(newValue) { $0.key == key } }
  }

  subscript(key: Message.Key) -> Message? {
    get { messages.first { $0.key == key } }
    set { messages.put(newValue) { $0.key == key } }
  }

  subscript(key: Message.ClientKey) -> Message.Key? {
    get { sent.first { $0.client == key }?.key }
    set { sent.put(newValue.map { Sent(client: key, key: $0) }) { $0.client == key } }
  }

  subscript(key: Reaction.Key) -> Reaction? {
    get { reactions.first { $0.key == key } }
    set { reactions.put(newValue) { $0.key == key } }
  }

  subscript(key: Draft.Key) -> Draft? {
    get { drafts.first { $0.key == key } }
    set { drafts.put(newValue) { $0.key == key } }
  }

  func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    drafts.filter { $0.content != nil && scope.contains($0.key) }.map(\.key).sorted()
  }

  subscript(key: Composer.Key) -> Composer? {
    get { composers.first { $0.key == key } }
    set { composers.put(newValue) { $0.key == key } }
  }

  subscript(id: Consumer.ID) -> Consumer? {
    get { consumers.first { $0.id == id } }
    set { consumers.put(newValue) { $0.id == id } }
  }

  subscript(key: UserBlock.Key) -> UserBlock? {
    get { blocks.first { $0.key == key } }
    set { blocks.put(newValue) { $0.key == key } }
  }

  subscript(key: Flag.Target) -> Review? {
    get { reviews.first { $0.target == key } }
    set { reviews.put(newValue) { $0.target == key } }
  }

  subscript(key: SavedMessage.Key) -> SavedMessage? {
    get { savedMessages.first { $0.key == key } }
    set { savedMessages.put(newValue) { $0.key == key } }
  }

  subscript(key: ScheduledMessage.Key) -> ScheduledMessage? {
    get { scheduledMessages.first { $0.key == key } }
    set { scheduledMessages.put(newValue) { $0.key == key } }
  }

  subscript(key: ThreadMarker.Key) -> ThreadMarker? {
    get { threadMarkers.first { $0.key == key } }
    set { threadMarkers.put(newValue) { $0.key == key } }
  }

  subscript(key: Vote.Key) -> Vote? {
    get { votes.first { $0.key == key } }
    set { votes.put(newValue) { $0.key == key } }
  }
}

extension Array {
  /// Replaces the matching row, or appends it; nil removes it.
  fileprivate mutating func put(_ row: Element?, where isMeant: (Element) -> Bool) {
    let place = firstIndex(where: isMeant)
    switch (place, row) {
    case (let place?, let row?): self[place] = row
    case (let place?, nil): remove(at: place)
    case (nil, let row?): append(row)
    case (nil, nil): break
    }
  }
}
