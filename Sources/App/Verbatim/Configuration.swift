// The configuration of a workspace.
public import Chat
package import ChatProjections
public import ContentKeys
public import EventLog
public import Projections

/// The configuration with which an app opens a workspace.
///
/// It is not stored: each process chooses its own, and no projection depends on it.
public struct Configuration: Sendable {
  /// Permissions and size limits.
  public var rules = Rules()
  /// The app's own projections; each may stop on its own, and none is folded while submits wait.
  public var projections: [any Projection.Type] = []
  /// Whether messages can be searched by their words. It costs a few microseconds per message and some space.
  public var searchesMessages = true

  /// Whether unsent composer content is kept as a draft for all devices of its user: saved, restored and deleted
  /// automatically. If false, stored drafts remain and can still be read and deleted.
  ///
  /// It is one of the ``rules``: replacing the rules replaces this setting.
  public var draftMessagesEnabled: Bool {
    get { rules.draftMessagesEnabled }
    set { rules.draftMessagesEnabled = newValue }
  }

  /// The amount of unsent content of composers that is recorded; the page <doc:RecordingLess> compares the amounts.
  public var recording = ComposerRecording.keystrokes
  /// Returns the amount for a channel; nil for ``recording``.
  public var recordingInChannel: @Sendable (Channel.ID) -> ComposerRecording? = { _ in nil }

  /// The clock. A workspace never records a time earlier than the last recorded one, whatever the clock returns.
  ///
  /// Setting it removes the limits of the machine's clock.
  public var clock: @Sendable () -> Timestamp = { .now } {
    didSet { clockLimits = nil }
  }
  /// The largest lead of the clock over the log before appends are refused; nil for no limit. Limits for a clock other
  /// than the machine's are set after ``clock``.
  public var clockLimits: ClockLimits? = ClockLimits()
  /// The source of randomness in ids, and in the keys of an erasable workspace: 64 random bits that no other process
  /// draws, and that nobody can guess.
  public var randomBits: @Sendable () -> UInt64 = { .random(in: 0 ... .max) }

  /// The maximal number of events and submits that wait to be appended; a further submit waits, or throws if it asked
  /// not to wait.
  public var waitingMax = 65_536
  /// The timeout for the writer lock, after which an error names its holder.
  public var writerLockTimeout = Duration.seconds(10)
  /// The number of bytes that must stay free on the disk; an append that would leave less is refused.
  public var freeSpaceReserve = 16 << 20
  /// Whether a workspace that cannot be written is opened read-only: on read-only media, in another user's directory,
  /// on a full disk. Its tables are then kept in memory or in ``cacheDirectory``, and submits are refused.
  public var allowsReadOnly = false
  /// The directory for the tables of read-only workspaces, and of those whose log is on a server. If nil, the former
  /// are kept in the memory of this process, the latter among the user's caches: `~/.cache/verbatim`.
  public var cacheDirectory: String?
  /// The directory for the contents of attachments of a workspace that is created on a server; all machines must have
  /// it under the same path. If nil, they are stored in the database. It is recorded with the log: later openings
  /// ignore it.
  public var blobDirectory: String?
  /// Whether the content of a workspace that is created is encrypted, so that it can be erased; its log must not be on
  /// a server. It is recorded with the log, as ``Workspace/isErasable``: later openings ignore it.
  public var isErasable = false
  /// The master key of an erasable workspace; nil for that in the environment variable
  /// `VERBATIM_MASTER_KEY` if it is set, or else in the file `master-key` of its directory.
  public var masterKey: MasterKey?
  /// The number of events between two checkpoints of the tables.
  public var checkpointDistance: UInt64 = 100_000
  /// The number of events between two snapshots of the tables, from which lost tables are recovered; nil takes none.
  public var snapshotDistance: UInt64? = 1_000_000
  /// A callback for the progress of tables that are rebuilt from the whole log.
  public var progress: (@Sendable (ProjectionStore.Progress) -> Void)?

  /// Creates the default configuration.
  public init() {}

  /// The batching delay of composer events, in milliseconds: with the commit they are on the disk within 20.
  ///
  /// A player of scenarios has a long one, and flushes after each action: then a block has the same events in each run,
  /// however the threads are scheduled.
  package var typingDelay = 15

  /// The number of times that closing tries to record what was typed.
  package var closingTriesMax = 3

  /// The projections of a workspace that is opened with this configuration.
  package var projectionSets: ProjectionSets { ProjectionSets(searchesMessages: searchesMessages, own: projections) }
}
