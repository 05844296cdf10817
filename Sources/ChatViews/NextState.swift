// The state as it would be after what was decided and is not in the log yet.
public import Chat
public import EventLog
internal import Tables
package import Views

/// The state at the end of a log, with what was decided since: each intent sees what those before it come to.
///
/// What is decided is held beside the tables and goes with this value. Who appends it has it folded like any other
/// block; who does not has nothing to undo.
public struct NextState: State {
  /// What the app chose.
  public let rules: Rules
  /// The end of the log.
  public let head: Head
  private let tables: ChatTables
  private var users = Changes<User.ID, User>()
  private var devices = Changes<Device.Key, Device>()
  private var mutes = Changes<Mute.Key, Mute>()
  private var bans = Changes<Ban.Key, Ban>()
  private var flags = Changes<Flag.Key, Flag>()
  private var channels = Changes<Channel.ID, Channel>()
  private var members = Changes<Member.Key, Member>()
  private var messages = Changes<Message.Key, Message>()
  private var sent = Changes<Message.ClientKey, Message.Key>()
  private var reactions = Changes<Reaction.Key, Reaction>()
  private var drafts = Changes<Draft.Key, Draft>()
  private var composers = Changes<Composer.Key, Composer>()

  fileprivate init(_ tables: ChatTables, at head: Head, under rules: Rules) {
    (self.tables, self.head, self.rules) = (tables, head, rules)
  }

  fileprivate var failure: TablesError? { tables.failure }

  /// Decides what somebody wants; what happens of it is seen by what is decided next.
  public mutating func decide(
    _ intent: ChatIntent, by actor: Actor, at instant: Instant
  ) throws(Refusal) -> [ChatEvent] {
    let events = try Chat.decide(intent, by: actor, at: instant, given: self)
    for event in events { fold(event, into: &self) }
    return events
  }

  /// A user.
  public subscript(id: User.ID) -> User? {
    get { users.row(id) { tables[id] } }
    _modify { yield &users[id, tables[id]] }
  }

  /// A device of a user.
  public subscript(key: Device.Key) -> Device? {
    get { devices.row(key) { tables[key] } }
    _modify { yield &devices[key, tables[key]] }
  }

  /// What somebody muted.
  public subscript(key: Mute.Key) -> Mute? {
    get { mutes.row(key) { tables[key] } }
    _modify { yield &mutes[key, tables[key]] }
  }

  /// Who is banned.
  public subscript(key: Ban.Key) -> Ban? {
    get { bans.row(key) { tables[key] } }
    _modify { yield &bans[key, tables[key]] }
  }

  /// What somebody flagged.
  public subscript(key: Flag.Key) -> Flag? {
    get { flags.row(key) { tables[key] } }
    _modify { yield &flags[key, tables[key]] }
  }

  /// A channel.
  public subscript(id: Channel.ID) -> Channel? {
    get { channels.row(id) { tables[id] } }
    _modify { yield &channels[id, tables[id]] }
  }

  /// Somebody who is or was a member of a channel.
  public subscript(key: Member.Key) -> Member? {
    get { members.row(key) { tables[key] } }
    _modify { yield &members[key, tables[key]] }
  }

  /// A message.
  public subscript(key: Message.Key) -> Message? {
    get { messages.row(key) { tables[key] } }
    _modify { yield &messages[key, tables[key]] }
  }

  /// The message that an author sent under an id of their own.
  public subscript(key: Message.ClientKey) -> Message.Key? {
    get { sent.row(key) { tables[key] } }
    _modify { yield &sent[key, tables[key]] }
  }

  /// How a user reacted to a message.
  public subscript(key: Reaction.Key) -> Reaction? {
    get { reactions.row(key) { tables[key] } }
    _modify { yield &reactions[key, tables[key]] }
  }

  /// A draft, or what is left of a deleted one.
  public subscript(key: Draft.Key) -> Draft? {
    get { drafts.row(key) { tables[key] } }
    _modify { yield &drafts[key, tables[key]] }
  }

  /// A composer.
  public subscript(key: Composer.Key) -> Composer? {
    get { composers.row(key) { tables[key] } }
    _modify { yield &composers[key, tables[key]] }
  }
}

extension ViewStore {
  /// Lends the state at the present end of the log, to decide on it; nobody folds meanwhile.
  ///
  /// It stays the end of the log for as long as who asks has the log's turn. The body may be run again, when another
  /// process has folded further: it keeps nothing of what it decided besides its answer. A state that has stopped
  /// throws
  /// ``/Views/ViewError/stopped(_:)``: nothing is decided on it.
  package func deciding<R>(under rules: Rules, _ body: (inout NextState) -> R) throws(ViewError) -> R {
    try withView(ChatState.self) { state, head in
      var next = NextState(state.tables, at: head, under: rules)
      let result = body(&next)
      return next.failure.map { .failure($0) } ?? .success(result)
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
