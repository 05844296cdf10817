// The state of a conversation as a projection of its log.
public import Chat
internal import ChatCodec
public import EventLog
internal import Tables
public import Projections

/// The projection that holds the state deciders read, one table for each kind of row, and an index by which
/// ``ChatReading`` finds its rows.
///
/// Tables and keys are documented in <doc:StateTables> and <doc:IndexTables>.
public struct ChatState: Projection {
  /// The name of the projection.
  public static let name = "state"

  /// The revision of the tables: the form of the rows, how names are folded, and the shapes the codec can read; a
  /// program with other shapes has other tables.
  public static let revision = ChatProjections.revision(13)

  /// The names of the state's tables and of its index.
  public static let tableNames =
    [
      users.name, devices.name, mutes.name, bans.name, flags.name, channels.name, members.name, messages.name,
      clientIDs.name, reactions.name, drafts.name, composers.name, consumers.name, blocks.name, reviews.name,
      savedMessages.name, scheduledMessages.name, threadMarkers.name, votes.name,
    ] + indexTableNames

  /// The rows of the state, on which intents are decided.
  private(set) var tables: ChatTables
  private let index: ChatIndex
  private var decoder = EventDecoder()
  private var rowIndexes = ComposerRowCache()

  /// Creates the state on tables as they were last left.
  public init(_ tables: ProjectionTables) {
    let reads = TableReads()
    self.tables = ChatTables(tables, reads)
    index = ChatIndex(tables, reads)
  }

  /// Folds an event; throws ``/ChatCodec/UnreadableEvent`` at one that cannot be read.
  public mutating func fold(_ event: EventView) throws {
    let position = event.position
    try fold(decoder.decode(event), at: position, stream: decoder.stream, ofGeneration: decoder.generation)
  }

  @inline(__always)
  private mutating func fold(
    _ event: ChatEvent, at position: Position, stream: Int, ofGeneration generation: Int
  ) throws(TablesError) {
    // Most events are a composer's, and each composer has a stream of its own.
    rowIndexes.keepUp(with: (generation, tables.rows.composers.generation))
    let rowIndex = rowIndexes[stream]
    tables.rows.composers.expect(rowIndex)
    index.fold(event, at: position, into: &tables)
    tables.rows.composers.expect(nil)
    if rowIndex == nil, case .composer(let key, _) = event.change {
      rowIndexes[stream] = tables.rows.composers.index(of: key)
    }
    if let failure = tables.failure { throw failure }
  }
}

// MARK: Events decoded by another thread

extension ChatState: DecodingProjection {
  /// Folds consecutive events that one decoder has decoded.
  package mutating func fold(_ events: [Decoder.Event], from first: Position) throws {
    var position = first
    for index in events.indices {
      try fold(
        events[index].event, at: position, stream: events[index].stream, ofGeneration: events[index].generation)
      position = position.next
    }
  }

  /// A decoder on another thread than the fold.
  package struct Decoder: BlockDecoder {
    /// An event with the number of its stream.
    package struct Event: Sendable {
      fileprivate let event: ChatEvent
      fileprivate let stream: Int
      /// The generation of stream numbers; negative, unlike those of the state's own decoder.
      fileprivate let generation: Int
    }

    private var decoder = EventDecoder()

    package init() {}

    package mutating func decode(_ block: BlockView, _ numbers: Range<Int>, into events: inout [Event]) throws {
      for number in numbers {
        let event = try decoder.decode(block.event(at: number))
        events.append(Event(event: event, stream: decoder.stream, generation: -1 - decoder.generation))
      }
    }
  }
}

// MARK: Tables

extension ChatState {
  /// Users, keyed by their ids.
  public static let users = ProjectionTable<ChatState, User>("users")
  /// Devices, grouped by user.
  public static let devices = ProjectionTable<ChatState, Device>("devices")
  /// Mutes, grouped by the user who muted.
  public static let mutes = ProjectionTable<ChatState, Mute>("mutes")
  /// Bans, grouped by channel; bans from everywhere first.
  public static let bans = ProjectionTable<ChatState, Ban>("bans")
  /// Flags, grouped by message and channel; flags on users first.
  public static let flags = ProjectionTable<ChatState, Flag>("flags")
  /// Channels, keyed by their ids.
  public static let channels = ProjectionTable<ChatState, Channel>("channels")
  /// Members, grouped by channel.
  public static let members = ProjectionTable<ChatState, Member>("members")
  /// Messages, grouped by channel, in the order of their ids.
  public static let messages = ProjectionTable<ChatState, Message>("messages")
  /// Keys of messages by their client ids, grouped by author.
  public static let clientIDs = ProjectionTable<ChatState, Message.Key>("clientIDs")
  /// Reactions, grouped by message.
  public static let reactions = ProjectionTable<ChatState, Reaction>("reactions")
  /// Drafts, grouped by user.
  public static let drafts = ProjectionTable<ChatState, Draft>("drafts")
  /// Composers, grouped by user and device.
  public static let composers = ProjectionTable<ChatState, Composer>("composers")
  /// Consumers, keyed by their ids.
  public static let consumers = ProjectionTable<ChatState, Consumer>("consumers")
  /// Blocks, grouped by the user who blocked.
  public static let blocks = ProjectionTable<ChatState, UserBlock>("blocks")
  /// Reviews, grouped by channel; reviews of users first.
  public static let reviews = ProjectionTable<ChatState, Review>("reviews")
  /// Saved messages, grouped by user and channel.
  public static let savedMessages = ProjectionTable<ChatState, SavedMessage>("savedMessages")
  /// Scheduled messages, grouped by author and channel.
  public static let scheduledMessages = ProjectionTable<ChatState, ScheduledMessage>("scheduledMessages")
  /// Read markers in threads, grouped by user and channel.
  public static let threadMarkers = ProjectionTable<ChatState, ThreadMarker>("threadMarkers")
  /// Votes, grouped by message.
  public static let votes = ProjectionTable<ChatState, Vote>("votes")
}
