// The state including events that are decided and not yet appended.
public import Chat
public import EventLog
internal import Tables
package import Projections

/// The state at the end of a log with the events decided since: each intent sees the effects of those before it.
///
/// Changes are held beside the tables and discarded with this value. Events that the caller appends are folded like any
/// other block; a caller that does not append has nothing to undo.
public struct NextState: ChatStateStore {
  /// The rules that the app configured.
  public var rules: Rules { storage.rules }
  /// The end of the log.
  public var head: Head { storage.head }
  /// A single reference, since deciders receive the state repeatedly; it is copied on write.
  private var storage: Storage

  fileprivate init(_ tables: ChatTables, at head: Head, under rules: Rules) {
    storage = Storage(tables, at: head, under: rules)
  }

  fileprivate var failure: TablesError? { storage.tables.failure }

  /// Decides an intent; later decisions see the resulting events.
  public mutating func decide(
    _ intent: ChatIntent, by actor: Author, at instant: Instant
  ) throws(Refusal) -> [ChatEvent] {
    let events = try Chat.decide(intent, by: actor, at: instant, given: self)
    for event in events { fold(event, into: &self) }
    return events
  }

  /// The user with an id.
  public subscript(id: User.ID) -> User? {
    get { storage.users.row(id) { storage.tables[id] } }
    _modify { yield &own.users[id, storage.tables[id]] }
  }

  /// The device of a user.
  public subscript(key: Device.Key) -> Device? {
    get { storage.devices.row(key) { storage.tables[key] } }
    _modify { yield &own.devices[key, storage.tables[key]] }
  }

  /// The mute with a key.
  public subscript(key: Mute.Key) -> Mute? {
    get { storage.mutes.row(key) { storage.tables[key] } }
    _modify { yield &own.mutes[key, storage.tables[key]] }
  }

  /// The ban with a key.
  public subscript(key: Ban.Key) -> Ban? {
    get { storage.bans.row(key) { storage.tables[key] } }
    _modify { yield &own.bans[key, storage.tables[key]] }
  }

  /// The flag with a key.
  public subscript(key: Flag.Key) -> Flag? {
    get { storage.flags.row(key) { storage.tables[key] } }
    _modify { yield &own.flags[key, storage.tables[key]] }
  }

  /// The channel with an id.
  public subscript(id: Channel.ID) -> Channel? {
    get { storage.channels.row(id) { storage.tables[id] } }
    _modify { yield &own.channels[id, storage.tables[id]] }
  }

  /// The current or former member with a key.
  public subscript(key: Member.Key) -> Member? {
    get { storage.members.row(key) { storage.tables[key] } }
    _modify { yield &own.members[key, storage.tables[key]] }
  }

  /// The message with a key.
  public subscript(key: Message.Key) -> Message? {
    get { storage.messages.row(key) { storage.tables[key] } }
    _modify { yield &own.messages[key, storage.tables[key]] }
  }

  /// The key of the message that an author sent under a client id.
  public subscript(key: Message.ClientKey) -> Message.Key? {
    get { storage.sent.row(key) { storage.tables[key] } }
    _modify { yield &own.sent[key, storage.tables[key]] }
  }

  /// The reactions of a user to a message.
  public subscript(key: Reaction.Key) -> Reaction? {
    get { storage.reactions.row(key) { storage.tables[key] } }
    _modify { yield &own.reactions[key, storage.tables[key]] }
  }

  /// The draft with a key, or the tombstone of a deleted one.
  public subscript(key: Draft.Key) -> Draft? {
    get { storage.drafts.row(key) { storage.tables[key] } }
    _modify {
      own.changedDrafts[key.channel, default: []].insert(key)
      yield &own.drafts[key, storage.tables[key]]
    }
  }

  /// Returns the keys of the drafts stored for a scope, in key order.
  public func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    let standing = storage.tables.drafts(in: scope)
    guard let changed = storage.changedDrafts[scope.channel] else { return standing }
    let stored = changed.filter { scope.contains($0) && self[$0]?.content != nil }
    return (standing.filter { !changed.contains($0) } + stored).sorted()
  }

  /// The composer with a key.
  public subscript(key: Composer.Key) -> Composer? {
    get { storage.composers.row(key) { storage.tables[key] } }
    _modify { yield &own.composers[key, storage.tables[key]] }
  }
}

extension ProjectionStore {
  /// Calls the closure with the state at the present end of the log, to decide on it; folding is blocked until it
  /// returns.
  ///
  /// The state stays at the end of the log for as long as the caller holds the writer lock. The closure is run again
  /// when another process has folded further, so it keeps nothing it decided besides its result. A stopped projection
  /// throws ``/Projections/ProjectionError/stopped(_:)``: nothing is decided on it.
  package func deciding<R>(under rules: Rules, _ body: (inout NextState) -> R) throws(ProjectionError) -> R {
    try withProjection(ChatState.self) { state, head in
      var next = NextState(state.tables, at: head, under: rules)
      let result = body(&next)
      return next.failure.map { .failure($0) } ?? .success(result)
    }
  }
}

extension NextState {
  /// The uniquely referenced changes, copied first when they are shared.
  private var own: Storage {
    mutating get {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
      return storage
    }
  }

  /// The tables, and the changes to them.
  fileprivate final class Storage {
    let rules: Rules
    let head: Head
    let tables: ChatTables
    var users = Changes<User.ID, User>()
    var devices = Changes<Device.Key, Device>()
    var mutes = Changes<Mute.Key, Mute>()
    var bans = Changes<Ban.Key, Ban>()
    var flags = Changes<Flag.Key, Flag>()
    var channels = Changes<Channel.ID, Channel>()
    var members = Changes<Member.Key, Member>()
    var messages = Changes<Message.Key, Message>()
    var sent = Changes<Message.ClientKey, Message.Key>()
    var reactions = Changes<Reaction.Key, Reaction>()
    var drafts = Changes<Draft.Key, Draft>()
    /// The keys of the changed drafts, by channel.
    var changedDrafts: [Channel.ID: Set<Draft.Key>] = [:]
    var composers = Changes<Composer.Key, Composer>()

    init(_ tables: ChatTables, at head: Head, under rules: Rules) {
      (self.tables, self.head, self.rules) = (tables, head, rules)
    }

    convenience init(copying other: Storage) {
      self.init(other.tables, at: other.head, under: other.rules)
      users = other.users
      devices = other.devices
      mutes = other.mutes
      bans = other.bans
      flags = other.flags
      channels = other.channels
      members = other.members
      messages = other.messages
      sent = other.sent
      reactions = other.reactions
      (drafts, changedDrafts) = (other.drafts, other.changedDrafts)
      composers = other.composers
    }
  }
}

/// The changed rows of a table; nil for a removed row.
private struct Changes<Key: Hashable & Sendable, Row> {
  private var rows: [Key: Row?] = [:]

  /// Returns the changed row, or the stored row when it is unchanged.
  func row(_ key: Key, _ standing: () -> Row?) -> Row? { rows[key] ?? standing() }

  /// The changed row, or the stored row when it is unchanged; a row that was changed before is changed in place.
  subscript(key: Key, standing: @autoclosure () -> Row?) -> Row? {
    get { row(key, standing) }
    _modify {
      var row = rows.removeValue(forKey: key) ?? standing()
      defer { rows.updateValue(row, forKey: key) }
      yield &row
    }
  }
}
