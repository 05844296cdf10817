// The options of opening a log.
public import EventLog

extension LMDBLog {
  /// The options of opening a log.
  public struct Options: Sendable {
    /// Whether a missing log is created.
    public var creates = false
    /// The genesis of a created log; a new identity when nil.
    public var genesis: Genesis?
    /// The number of bytes that must stay free on the disk: an append that would leave less is refused.
    public var freeSpaceReserve = 16 << 20
    /// The time to wait for the writer lock before throwing an error that names its holder.
    public var writerLockTimeout = Duration.seconds(10)
    /// Whether the slots of readers whose process died are freed at opening; false only for listing them.
    public var reapsReaders = true
    /// Whether a log that cannot be written is opened read-only: on read-only media, in a directory of another user, on
    /// a full disk. Derived data is then kept in memory or in ``cacheDirectory``.
    public var allowsReadOnly = false
    /// The directory for data derived from read-only logs; in memory, and for this process alone, when nil.
    public var cacheDirectory: String?

    /// Whether the log is opened read-only.
    internal var isReadOnly = false
    /// Whether derived data is kept outside the log's directory.
    package var derivesElsewhere = false

    /// Creates the default options.
    public init(creates: Bool = false, genesis: Genesis? = nil) {
      self.creates = creates
      self.genesis = genesis
    }
  }
}
