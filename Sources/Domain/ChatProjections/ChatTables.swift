// The state in tables.
public import Chat
public import Tables
internal import Projections

/// The rows of the state during folding and deciding: in the working set of the process and, beyond it, in a table
/// store.
///
/// A row that cannot be read is returned as nil and sets ``failure``: everything folded or decided since is void.
public struct ChatTables: ChatStateStore {
  /// The rules that the app configured.
  public var rules = Rules()
  private let reads: TableReads
  private let users: ChatTable<User>
  private let devices: ChatTable<Device>
  private let mutes: ChatTable<Mute>
  private let bans: ChatTable<Ban>
  private let flags: ChatTable<Flag>
  private let channels: ChatTable<Channel>
  internal let members: ChatTable<Member>
  internal let messages: ChatTable<Message>
  private let sent: ChatTable<Message.Key>
  private let reactions: ChatTable<Reaction>
  internal let drafts: ChatTable<Draft>
  internal let composers: ChatTable<Composer>
  internal let draftTargets: ChatTable<Entry<DraftTargetKey>>
  internal let draftLists: ChatTable<ListedDraft>

  internal init(_ tables: ProjectionTables, _ reads: TableReads) {
    self.reads = reads
    users = ChatTable(tables(ChatState.users), reads)
    devices = ChatTable(tables(ChatState.devices), reads)
    mutes = ChatTable(tables(ChatState.mutes), reads)
    bans = ChatTable(tables(ChatState.bans), reads)
    flags = ChatTable(tables(ChatState.flags), reads)
    channels = ChatTable(tables(ChatState.channels), reads)
    members = ChatTable(tables(ChatState.members), reads)
    messages = ChatTable(tables(ChatState.messages), reads)
    sent = ChatTable(tables(ChatState.clientIDs), reads)
    reactions = ChatTable(tables(ChatState.reactions), reads)
    drafts = ChatTable(tables(ChatState.drafts), reads)
    composers = ChatTable(tables(ChatState.composers), reads)
    draftTargets = ChatTable(tables(ChatState.draftTargets), reads)
    draftLists = ChatTable(tables(ChatState.draftLists), reads)
  }

  /// The first failure to read a row; nil when all rows could be read.
  public var failure: TablesError? { reads.failure }

  /// The user with an id.
  public subscript(id: User.ID) -> User? {
    get { users[id] }
    _modify { yield &users[id] }
  }

  /// The device of a user.
  public subscript(key: Device.Key) -> Device? {
    get { devices[key] }
    _modify { yield &devices[key] }
  }

  /// The mute with a key.
  public subscript(key: Mute.Key) -> Mute? {
    get { mutes[key] }
    _modify { yield &mutes[key] }
  }

  /// The ban with a key.
  public subscript(key: Ban.Key) -> Ban? {
    get { bans[key] }
    _modify { yield &bans[key] }
  }

  /// The flag with a key.
  public subscript(key: Flag.Key) -> Flag? {
    get { flags[key] }
    _modify { yield &flags[key] }
  }

  /// The channel with an id.
  public subscript(id: Channel.ID) -> Channel? {
    get { channels[id] }
    _modify { yield &channels[id] }
  }

  /// The current or former member with a key.
  public subscript(key: Member.Key) -> Member? {
    get { members[key] }
    _modify { yield &members[key] }
  }

  /// The message with a key.
  public subscript(key: Message.Key) -> Message? {
    get { messages[key] }
    _modify { yield &messages[key] }
  }

  /// The key of the message that an author sent under a client id.
  public subscript(key: Message.ClientKey) -> Message.Key? {
    get { sent[key] }
    _modify { yield &sent[key] }
  }

  /// The reactions of a user to a message.
  public subscript(key: Reaction.Key) -> Reaction? {
    get { reactions[key] }
    _modify { yield &reactions[key] }
  }

  /// The draft with a key, or the tombstone of a deleted one.
  public subscript(key: Draft.Key) -> Draft? {
    get { drafts[key] }
    _modify { yield &drafts[key] }
  }

  /// Returns the keys of the drafts stored for a scope, in key order.
  public func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    switch scope {
    case .channel(let id): draftTargets.rows(under: KeyPrefix(id)).map(\.key.draft)
    case .thread(let key): draftTargets.rows(under: KeyPrefix(of: key)).map(\.key.draft)
    case .member(let key): draftLists.rows(under: KeyPrefix(.place, of: key.user, in: key.channel)).map(\.key.draft)
    }
  }

  /// The composer with a key.
  public subscript(key: Composer.Key) -> Composer? {
    get { composers[key] }
    _modify { yield &composers[key] }
  }
}
