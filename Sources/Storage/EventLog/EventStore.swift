// A log with its index: append, read, follow.
internal import Locks

/// A log that one appends to, reads and follows.
///
/// All logs are used through it. It puts appends that arrive together into one block, checks what they expect, knows
/// every append again by its id, and finds streams through an index that it derives from the log. Any number of
/// processes may have a store on the same log; each call sees everything that was appended before it began.
public final class EventStore: Sendable {
  /// The chain of blocks below.
  public let log: any Log
  /// What was chosen at opening.
  public let configuration: Configuration

  internal let queue = GroupCommitQueue<AppendRequest>(
    label: "verbatim.append", limits: GroupCommitQueue.Limits(countMax: 4096, byteCountMax: 1 << 20),
    weight: { ($0.append.events.count, $0.byteCount) })
  internal let index: Locked<any LogIndex>
  /// The block in the making; the leader's.
  internal let draft: Locked<BlockDraft>
  /// What the clock said when something was recorded here.
  internal let clockHistory: Locked<ClockHistory>
  internal let reader = WorkerPool(label: "verbatim.read", count: 4)
  internal let watch = HeadWaiter()

  /// What a store's owner may choose.
  public struct Configuration: Sendable {
    /// How large an event's payload may be, in bytes.
    public var eventByteCountMax = 16 << 20
    /// How large the payloads of an append may be together, in bytes.
    public var appendByteCountMax = 256 << 20
    /// What time it is. The store never records a time before that of the last block.
    ///
    /// Setting it removes the limits of the machine's clock.
    public var clock: @Sendable () -> Timestamp = { .now } {
      didSet { clockLimits = nil }
    }
    /// How far the clock may be ahead of the log; nil if it is believed whatever it says. Limits of another clock than
    /// the machine's are set after it.
    public var clockLimits: ClockLimits? = ClockLimits()
    /// The monotonic clock that limits are checked against: the time since some moment, suspension included.
    package var uptime: @Sendable () -> Duration = { startOfUptime.duration(to: .now) }
    /// Makes the ids of appends that bring none. They must be new: the log is not asked whether it has them.
    public var newID: @Sendable (Timestamp) -> AppendID = { .timeOrdered(at: $0) }

    /// The defaults.
    public init() {}
  }

  /// A store on a log with an index of it.
  public init(log: any Log, index: any LogIndex, configuration: Configuration = Configuration()) {
    self.log = log
    self.configuration = configuration
    self.index = Locked(index)
    draft = Locked(BlockDraft(after: Head(of: log.genesis)))
    clockHistory = Locked(ClockHistory(opened: configuration.uptime()))
  }

  /// A store on a new log in memory.
  public static func inMemory(
    genesis: Genesis = .new(), configuration: Configuration = Configuration()
  ) -> EventStore {
    EventStore(
      log: InMemoryLog(genesis: genesis), index: InMemoryIndex(genesis: genesis),
      configuration: configuration)
  }

  /// The end of the log.
  public func head() throws(LogError) -> Head { try log.head() }

  /// Ends the use of the log and its index; what was answered is kept in any case. It may be called again.
  public func close() {
    index.withLock { $0.close() }
    log.close()
  }

  /// Runs the closure with the index of the log's present end.
  internal func withIndex<R>(
    _ body: (any LogIndex) throws(LogError) -> R
  ) throws(LogError) -> R {
    try index.withLock { index throws(LogError) in
      try log.catchUp(index)
      return try body(index)
    }
  }
}

/// The moment from which the monotonic clock is counted.
private let startOfUptime = ContinuousClock.now
