// The state in tables.
internal import Chat
internal import Projections
internal import Tables

/// The rows of the state during folding and deciding: in the working set of the process and, beyond it, in a table
/// store.
///
/// A row that cannot be read is returned as nil and sets ``failure``: everything folded or decided since is void.
struct ChatTables: TabledChatState {
  /// The rules that the app configured.
  var rules = Rules()
  /// The rows of the state.
  var rows: Rows
  let draftTargets: ChatTable<Entry<DraftTargetKey>>
  let draftLists: ChatTable<ListedDraft>
  private let reads: TableReads

  init(_ tables: ProjectionTables, _ reads: TableReads) {
    self.reads = reads
    rows = Rows(tables, reads)
    draftTargets = ChatTable(tables(ChatState.draftTargets), reads)
    draftLists = ChatTable(tables(ChatState.draftLists), reads)
  }

  /// The first failure to read a row; nil when all rows could be read.
  var failure: TablesError? { reads.failure }

  /// Returns the keys of the drafts stored for a scope, in key order.
  func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    switch scope {
    case .channel(let id): draftTargets.rows(under: KeyPrefix(id)).map(\.key.draft)
    case .thread(let key): draftTargets.rows(under: KeyPrefix(of: key)).map(\.key.draft)
    case .member(let key): draftLists.rows(under: KeyPrefix(.place, of: key.user, in: key.channel)).map(\.key.draft)
    }
  }

  /// The tables of the state, one for each kind of row.
  struct Rows: StateTables {
    var users: ChatTable<User>
    var devices: ChatTable<Device>
    var mutes: ChatTable<Mute>
    var bans: ChatTable<Ban>
    var flags: ChatTable<Flag>
    var channels: ChatTable<Channel>
    var members: ChatTable<Member>
    var messages: ChatTable<Message>
    var sent: ChatTable<Message.Key>
    var reactions: ChatTable<Reaction>
    var drafts: ChatTable<Draft>
    var composers: ChatTable<Composer>
    var consumers: ChatTable<Consumer>
    var blocks: ChatTable<UserBlock>
    var reviews: ChatTable<Review>
    var savedMessages: ChatTable<SavedMessage>
    var scheduledMessages: ChatTable<ScheduledMessage>
    var threadMarkers: ChatTable<ThreadMarker>
    var votes: ChatTable<Vote>

    fileprivate init(_ tables: ProjectionTables, _ reads: TableReads) {
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
      consumers = ChatTable(tables(ChatState.consumers), reads)
      blocks = ChatTable(tables(ChatState.blocks), reads)
      reviews = ChatTable(tables(ChatState.reviews), reads)
      savedMessages = ChatTable(tables(ChatState.savedMessages), reads)
      scheduledMessages = ChatTable(tables(ChatState.scheduledMessages), reads)
      threadMarkers = ChatTable(tables(ChatState.threadMarkers), reads)
      votes = ChatTable(tables(ChatState.votes), reads)
    }
  }
}
