// The event store: a log with its index.
internal import Locks

/// A log with streams: append, read and follow.
///
/// Every log is used through it. It commits appends that arrive together as one block (group commit), checks their
/// expectations, recognizes retries by their append ids, and finds streams through an index that it derives from the
/// log. Any number of processes may have a store on the same log; each call sees everything that was appended before it
/// began.
public final class EventStore: Sendable {
  /// The underlying chain of blocks.
  public let log: any Log
  /// The directory of the data derived from the log; nil when it is in memory.
  package let derivedPath: String?
  /// The configuration given when the store was opened.
  public let configuration: Configuration

  internal let queue = GroupCommitQueue<AppendRequest>(
    label: "verbatim.append", limits: GroupCommitQueue.Limits(countMax: 4096, byteCountMax: 1 << 20),
    weight: { ($0.append.events.count, $0.byteCount) })
  internal let index: Locked<any LogIndex>
  /// The block being built by the thread that commits the batch.
  internal let draft: Locked<BlockDraft>
  /// The clock readings at appends of this store.
  internal let clockHistory: Locked<ClockHistory>
  internal let reader = WorkerPool(label: "verbatim.read", count: 4)
  internal let watch = HeadWaiter()

  /// The settings of a store.
  public struct Configuration: Sendable {
    /// The maximum size of an event's payload in bytes.
    public var eventByteCountMax = 16 << 20
    /// The maximum size of all payloads of an append in bytes.
    public var appendByteCountMax = 256 << 20
    /// Returns the current time. The store never records a time before that of the last block.
    ///
    /// Setting it removes the limits of the machine's clock.
    public var clock: @Sendable () -> Timestamp = { .now } {
      didSet { clockLimits = nil }
    }
    /// The bounds on how far the clock may be ahead of the log; nil accepts any clock. Set the limits of a custom clock
    /// after ``clock``.
    public var clockLimits: ClockLimits? = ClockLimits()
    /// The monotonic clock that limits are checked against: the time since a fixed moment, including suspension.
    package var uptime: @Sendable () -> Duration = { startOfUptime.duration(to: .now) }
    /// Creates the ids of appends without one. They must be new: the log is not searched for them.
    public var newID: @Sendable (Timestamp) -> AppendID = { .timeOrdered(at: $0) }

    /// Creates the default configuration.
    public init() {}
  }

  /// The index of the log.
  package var currentIndex: any LogIndex { index.withLock { $0 } }

  /// Creates a store on a log and an index of it.
  public convenience init(log: any Log, index: any LogIndex, configuration: Configuration = Configuration()) {
    self.init(log: log, index: index, at: nil, configuration: configuration)
  }

  /// Creates a store on a log and an index of it, with a directory for data derived from the log.
  package init(log: any Log, index: any LogIndex, at derivedPath: String?, configuration: Configuration) {
    self.log = log
    self.derivedPath = derivedPath
    self.configuration = configuration
    self.index = Locked(index)
    draft = Locked(BlockDraft(after: Head(of: log.genesis)))
    clockHistory = Locked(ClockHistory(opened: configuration.uptime()))
  }

  /// Creates a store on a new in-memory log.
  public static func inMemory(
    genesis: Genesis = .new(), configuration: Configuration = Configuration()
  ) -> EventStore {
    EventStore(
      log: InMemoryLog(genesis: genesis), index: InMemoryIndex(genesis: genesis),
      configuration: configuration)
  }

  /// Whether the log was opened read-only.
  public var isReadOnly: Bool { log.isReadOnly }

  /// Returns the end of the log.
  public func head() throws(LogError) -> Head { try log.head() }

  /// Closes the log and its index; acknowledged appends are durable in any case. Closing again is a no-op.
  public func close() {
    index.withLock { $0.close() }
    log.close()
  }

  /// Runs the closure with the index caught up to the current head, or to the last seen one.
  internal func withIndex<R>(
    toLastSeen: Bool = false, _ body: (any LogIndex) throws(LogError) -> R
  ) throws(LogError) -> R {
    try index.withLock { index throws(LogError) in
      try log.catchUp(index, toLastSeen: toLastSeen, as: { $0 })
      return try body(index)
    }
  }
}

/// The moment at which the monotonic clock starts.
private let startOfUptime = ContinuousClock.now
