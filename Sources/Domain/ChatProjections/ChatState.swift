// The state of a conversation as a view of its log.
public import Chat
internal import ChatCodec
public import EventLog
internal import Tables
public import Projections

/// The state of a conversation, which deciding reads, folded from a log into a table for each kind of row; and an
/// index, by which ``ChatReading`` finds its rows.
///
/// What its tables hold, and under which keys, stands in <doc:StateTables> and <doc:IndexTables>.
public struct ChatState: Projection {
  /// What it is called.
  public static let name = "state"

  /// The form of its rows, how names are folded, and what the codec can read: a program that knows other shapes has
  /// other tables.
  public static let revision = ChatProjections.revision(9)

  /// What its tables are called.
  public static let tableNames =
    [
      users.name, devices.name, mutes.name, bans.name, flags.name, channels.name, members.name, messages.name,
      clientIDs.name, reactions.name, drafts.name, composers.name,
    ] + indexTableNames

  /// Its rows, to be decided on.
  package private(set) var tables: ChatTables
  private let index: ChatIndex
  private var decoder = EventDecoder()
  private var places = ComposerRowCache()

  /// The state, with its tables as somebody left them.
  public init(_ tables: ProjectionTables) {
    let reads = TableReads()
    self.tables = ChatTables(tables, reads)
    index = ChatIndex(tables, reads)
  }

  /// Folds an event; throws ``/ChatCodec/UnreadableEvent`` at one that cannot be read.
  public mutating func fold(_ event: EventView) throws {
    let position = event.position
    let event = try decoder.decode(event)
    // Most events are a composer's, and a composer has a stream of its own.
    places.keepUp(with: (decoder.generation, tables.composers.generation))
    let place = places[decoder.stream]
    tables.composers.expect(place)
    index.fold(event, at: position, into: &tables)
    tables.composers.expect(nil)
    if place == nil, case .composer(let key, _) = event.change {
      places[decoder.stream] = tables.composers.place(of: key)
    }
    if let failure = tables.failure { throw failure }
  }
}

// MARK: Tables

extension ChatState {
  /// Users by their ids.
  public static let users = ProjectionTable<ChatState, User>("users")
  /// Devices, those of a user together.
  public static let devices = ProjectionTable<ChatState, Device>("devices")
  /// Mutes, those that a user has together.
  public static let mutes = ProjectionTable<ChatState, Mute>("mutes")
  /// Bans, those from a channel together, those from everywhere first.
  public static let bans = ProjectionTable<ChatState, Ban>("bans")
  /// Flags, those on a message and on the messages of a channel together, those on users first.
  public static let flags = ProjectionTable<ChatState, Flag>("flags")
  /// Channels by their ids.
  public static let channels = ProjectionTable<ChatState, Channel>("channels")
  /// Members, those of a channel together.
  public static let members = ProjectionTable<ChatState, Member>("members")
  /// Messages, those of a channel together, in the order of their ids.
  public static let messages = ProjectionTable<ChatState, Message>("messages")
  /// Which message an author's own id leads to, those of an author together.
  public static let clientIDs = ProjectionTable<ChatState, Message.Key>("clientIDs")
  /// Reactions, those to a message together.
  public static let reactions = ProjectionTable<ChatState, Reaction>("reactions")
  /// Drafts, those of a user together.
  public static let drafts = ProjectionTable<ChatState, Draft>("drafts")
  /// Composers, those of a user on a device together.
  public static let composers = ProjectionTable<ChatState, Composer>("composers")
}
