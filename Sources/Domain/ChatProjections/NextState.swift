// The state as it would be after what was decided and is not in the log yet.
public import Chat
public import EventLog
internal import Tables
package import Projections

/// The state at the end of a log, with what was decided since: each intent sees what those before it come to.
///
/// What is decided is held beside the tables and goes with this value. Who appends it has it folded like any other
/// block; who does not has nothing to undo.
public struct NextState: ChatStateStore {
  /// What the app chose.
  public var rules: Rules { storage.rules }
  /// The end of the log.
  public var head: Head { storage.head }
  /// One reference, since deciding is handed the state again and again; it is copied when one of two is changed.
  private var storage: Storage

  fileprivate init(_ tables: ChatTables, at head: Head, under rules: Rules) {
    storage = Storage(tables, at: head, under: rules)
  }

  fileprivate var failure: TablesError? { storage.tables.failure }

  /// Decides what somebody wants; what happens of it is seen by what is decided next.
  public mutating func decide(
    _ intent: ChatIntent, by actor: Author, at instant: Instant
  ) throws(Refusal) -> [ChatEvent] {
    let events = try Chat.decide(intent, by: actor, at: instant, given: self)
    for event in events { fold(event, into: &self) }
    return events
  }

  /// A user.
  public subscript(id: User.ID) -> User? {
    get { storage.users.row(id) { storage.tables[id] } }
    _modify { yield &own.users[id, storage.tables[id]] }
  }

  /// A device of a user.
  public subscript(key: Device.Key) -> Device? {
    get { storage.devices.row(key) { storage.tables[key] } }
    _modify { yield &own.devices[key, storage.tables[key]] }
  }

  /// What somebody muted.
  public subscript(key: Mute.Key) -> Mute? {
    get { storage.mutes.row(key) { storage.tables[key] } }
    _modify { yield &own.mutes[key, storage.tables[key]] }
  }

  /// Who is banned.
  public subscript(key: Ban.Key) -> Ban? {
    get { storage.bans.row(key) { storage.tables[key] } }
    _modify { yield &own.bans[key, storage.tables[key]] }
  }

  /// What somebody flagged.
  public subscript(key: Flag.Key) -> Flag? {
    get { storage.flags.row(key) { storage.tables[key] } }
    _modify { yield &own.flags[key, storage.tables[key]] }
  }

  /// A channel.
  public subscript(id: Channel.ID) -> Channel? {
    get { storage.channels.row(id) { storage.tables[id] } }
    _modify { yield &own.channels[id, storage.tables[id]] }
  }

  /// Somebody who is or was a member of a channel.
  public subscript(key: Member.Key) -> Member? {
    get { storage.members.row(key) { storage.tables[key] } }
    _modify { yield &own.members[key, storage.tables[key]] }
  }

  /// A message.
  public subscript(key: Message.Key) -> Message? {
    get { storage.messages.row(key) { storage.tables[key] } }
    _modify { yield &own.messages[key, storage.tables[key]] }
  }

  /// The message that an author sent under an id of their own.
  public subscript(key: Message.ClientKey) -> Message.Key? {
    get { storage.sent.row(key) { storage.tables[key] } }
    _modify { yield &own.sent[key, storage.tables[key]] }
  }

  /// How a user reacted to a message.
  public subscript(key: Reaction.Key) -> Reaction? {
    get { storage.reactions.row(key) { storage.tables[key] } }
    _modify { yield &own.reactions[key, storage.tables[key]] }
  }

  /// A draft, or what is left of a deleted one.
  public subscript(key: Draft.Key) -> Draft? {
    get { storage.drafts.row(key) { storage.tables[key] } }
    _modify {
      own.changedDrafts[key.channel, default: []].insert(key)
      yield &own.drafts[key, storage.tables[key]]
    }
  }

  /// Which drafts are stored for a place, in the order of their keys.
  public func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    let standing = storage.tables.drafts(in: scope)
    guard let changed = storage.changedDrafts[scope.channel] else { return standing }
    let stored = changed.filter { scope.contains($0) && self[$0]?.content != nil }
    return (standing.filter { !changed.contains($0) } + stored).sorted()
  }

  /// A composer.
  public subscript(key: Composer.Key) -> Composer? {
    get { storage.composers.row(key) { storage.tables[key] } }
    _modify { yield &own.composers[key, storage.tables[key]] }
  }
}

extension ProjectionStore {
  /// Lends the state at the present end of the log, to decide on it; nobody folds meanwhile.
  ///
  /// It stays the end of the log for as long as who asks has the log's turn. The body may be run again, when another
  /// process has folded further: it keeps nothing of what it decided besides its answer. A state that has stopped
  /// throws
  /// ``/Projections/ProjectionError/stopped(_:)``: nothing is decided on it.
  package func deciding<R>(under rules: Rules, _ body: (inout NextState) -> R) throws(ProjectionError) -> R {
    try withProjection(ChatState.self) { state, head in
      var next = NextState(state.tables, at: head, under: rules)
      let result = body(&next)
      return next.failure.map { .failure($0) } ?? .success(result)
    }
  }
}

extension NextState {
  /// The changes, to be changed: nobody else's any more.
  private var own: Storage {
    mutating get {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
      return storage
    }
  }

  /// The tables, and what would be other in them.
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
    /// The keys of those drafts, by their channels.
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

/// Rows of a table that would be others; nil for one that would not be there.
private struct Changes<Key: Hashable & Sendable, Row> {
  private var rows: [Key: Row?] = [:]

  /// A row; as it is in the table where it would be no other.
  func row(_ key: Key, _ standing: () -> Row?) -> Row? { rows[key] ?? standing() }

  /// A row, of which this stands in the table; it is changed where it lies, once it has been.
  subscript(key: Key, standing: @autoclosure () -> Row?) -> Row? {
    get { row(key, standing) }
    _modify {
      var row = rows.removeValue(forKey: key) ?? standing()
      defer { rows.updateValue(row, forKey: key) }
      yield &row
    }
  }
}
