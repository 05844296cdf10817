// What is chosen when a log is opened.
public import EventLog

extension LMDBLog {
  /// What is chosen at opening.
  public struct Options: Sendable {
    /// Whether a missing log is made.
    public var creates = false
    /// What a log that is made is born with; a new identity when nil.
    public var genesis: Genesis?
    /// How many bytes must stay free on the disk: an append that would leave less is refused.
    public var freeSpaceReserve = 16 << 20
    /// How long to wait for the turn to append, before saying who has it.
    public var writerLockTimeout = Duration.seconds(10)
    /// Whether the places of readers whose process has died are freed at opening; only who wants to see them leaves
    /// them.
    public var reapsReaders = true
    /// Whether a log that cannot be written is opened for reading alone: on read-only media, in a directory of another
    /// user, on a full disk. Whatever is derived from it is then kept in memory or in ``cacheDirectory``.
    public var allowsReadOnly = false
    /// The directory that keeps what is derived from logs that are only read; in memory, and for this process alone,
    /// when nil.
    public var cacheDirectory: String?

    /// Whether the log is opened for reading alone.
    internal var isReadOnly = false
    /// Whether what is derived from the log is kept elsewhere than beside it.
    package var derivesElsewhere = false

    /// The defaults.
    public init(creates: Bool = false, genesis: Genesis? = nil) {
      self.creates = creates
      self.genesis = genesis
    }
  }
}
