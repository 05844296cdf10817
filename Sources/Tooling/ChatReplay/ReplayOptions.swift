// The options of a replay: how the log is folded, and which lines are reported.
public import ChatProjections
public import EventLog

/// The options of a replay: how the log is folded, and which lines are reported.
public struct ReplayOptions: Sendable {
  /// The projections that are folded.
  public var projections = ProjectionSets()
  /// The last position to fold; nil for the head of the log.
  public var end: Position?
  /// The number of events that are folded before rows are written.
  public var batch: UInt64 = 100_000
  /// The number of times each stretch is folded: results that differ depend on something besides the events.
  public var times = 1
  /// Whether projections begin each stretch with written rows only, without state in memory.
  public var isForgetful = false
  /// Whether folding begins with the newest snapshot instead of empty tables.
  public var usesSnapshots = false
  /// The number of events between two positions at which table digests are reported; nil for the end only.
  public var digestDistance: UInt64?
  /// Whether digests are also reported at each checkpoint and snapshot.
  public var includesCheckpoints = false
  /// The events for which a digest of the changed rows is reported.
  public var toldEvents: ClosedRange<Position>?
  /// The event for which the changed rows are reported; folding stops after it. Takes precedence over ``end``.
  public var explained: Position?
  /// Whether each event is decoded, encoded again, and compared with the stored bytes.
  public var recodes = false
  /// Whether the tables and snapshots in the directory are compared with the folded rows. Tables at a later position
  /// than the end are compared after the rest, by folding on to their position.
  public var checksTables = false
  /// The directory in which the folded tables are kept, which must have none; nil to discard them.
  public var destination: String?
  /// Called after each stretch with the position reached.
  public var progress: (@Sendable (_ position: Position, _ end: Position) -> Void)?

  /// Creates options that fold all projections of a chat once, without additional checks.
  public init() {}
}
