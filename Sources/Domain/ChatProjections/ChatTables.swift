// The state in tables.
public import Chat
public import Tables
internal import Projections

/// The rows of a conversation's state as they are while they are folded into and decided on: in the working set of a
/// process, and in a folder what it does not hold.
///
/// A row that cannot be read answers nil and is told of by ``failure``: what was folded or decided since is of no use.
public struct ChatTables: ChatStateStore {
  /// What the app chose.
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

  /// Why a row could not be read, the first time that one could not; nil when all could.
  public var failure: TablesError? { reads.failure }

  /// A user.
  public subscript(id: User.ID) -> User? {
    get { users[id] }
    _modify { yield &users[id] }
  }

  /// A device of a user.
  public subscript(key: Device.Key) -> Device? {
    get { devices[key] }
    _modify { yield &devices[key] }
  }

  /// What somebody muted.
  public subscript(key: Mute.Key) -> Mute? {
    get { mutes[key] }
    _modify { yield &mutes[key] }
  }

  /// Who is banned.
  public subscript(key: Ban.Key) -> Ban? {
    get { bans[key] }
    _modify { yield &bans[key] }
  }

  /// What somebody flagged.
  public subscript(key: Flag.Key) -> Flag? {
    get { flags[key] }
    _modify { yield &flags[key] }
  }

  /// A channel.
  public subscript(id: Channel.ID) -> Channel? {
    get { channels[id] }
    _modify { yield &channels[id] }
  }

  /// Somebody who is or was a member of a channel.
  public subscript(key: Member.Key) -> Member? {
    get { members[key] }
    _modify { yield &members[key] }
  }

  /// A message.
  public subscript(key: Message.Key) -> Message? {
    get { messages[key] }
    _modify { yield &messages[key] }
  }

  /// The message that an author sent under an id of their own.
  public subscript(key: Message.ClientKey) -> Message.Key? {
    get { sent[key] }
    _modify { yield &sent[key] }
  }

  /// How a user reacted to a message.
  public subscript(key: Reaction.Key) -> Reaction? {
    get { reactions[key] }
    _modify { yield &reactions[key] }
  }

  /// A draft, or what is left of a deleted one.
  public subscript(key: Draft.Key) -> Draft? {
    get { drafts[key] }
    _modify { yield &drafts[key] }
  }

  /// Which drafts are stored for a place, in the order of their keys.
  public func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    switch scope {
    case .channel(let id): draftTargets.rows(under: KeyPrefix(id)).map(\.key.draft)
    case .thread(let key): draftTargets.rows(under: KeyPrefix(of: key)).map(\.key.draft)
    case .member(let key): draftLists.rows(under: KeyPrefix(.place, of: key.user, in: key.channel)).map(\.key.draft)
    }
  }

  /// A composer.
  public subscript(key: Composer.Key) -> Composer? {
    get { composers[key] }
    _modify { yield &composers[key] }
  }
}
