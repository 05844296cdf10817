// How a log is folded again, and what is told of it.
public import ChatProjections
public import EventLog

/// How a log is folded again, and what is told of it.
public struct ReplayOptions: Sendable {
  /// Which views are folded.
  public var projections = ProjectionSets()
  /// Where to stop; nil for the end of the log.
  public var end: Position?
  /// The instant to stop at, behind the last event that was recorded then or before; it goes before ``end``.
  public var instant: Timestamp?
  /// How many events are folded before rows are written.
  public var batch: UInt64 = 100_000
  /// How often each of these stretches is folded: what comes out in two ways depends on something besides the events.
  public var times = 1
  /// Whether views begin each stretch with nothing but what was written.
  public var isForgetful = false
  /// Whether tables begin with the newest snapshot, instead of nothing.
  public var usesSnapshots = false
  /// How many events lie between two positions at which the tables' digests are told; nil for at the end only.
  public var digestDistance: UInt64?
  /// Whether digests are told, too, wherever there is a checkpoint or a snapshot.
  public var includesCheckpoints = false
  /// Of which events it is told what they change, as a digest.
  public var toldEvents: ClosedRange<Position>?
  /// The event of which it is told which rows it changes; nothing is folded behind it.
  public var explained: Position?
  /// Whether each event is decoded and encoded again, and held against what is stored.
  public var recodes = false
  /// Whether the tables and snapshots that lie in the directory are held against what is folded, row by row.
  public var checksTables = false
  /// The directory in which the tables are left; nil for none.
  public var destination: String?
  /// Is told how far it came, after each stretch.
  public var progress: (@Sendable (_ position: Position, _ end: Position) -> Void)?

  /// A fold of everything that a chat keeps, as quick as it goes.
  public init() {}
}
