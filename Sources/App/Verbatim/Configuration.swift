// What an app may choose.
public import Chat
public import ChatComposer
package import ChatProjections
public import EventLog
public import Projections

/// What an app chooses when it opens a workspace.
///
/// It is a value and is kept by nobody: each process chooses for itself, and nothing that is folded depends on it.
public struct Configuration: Sendable {
  /// Who may do what, and how large things may be.
  public var rules = Rules()
  /// Views of the app's own; each may stop alone, and none is folded while others wait to submit.
  public var projections: [any Projection.Type] = []
  /// Whether messages are found by their words. It costs a few microseconds a message and some space.
  public var searchesMessages = true

  /// Symbols, commands, limits and providers of composers.
  public var composer = ComposerOptions()

  /// Whether what is left in a composer is kept as a draft, for all devices of its user: saved, filled in again and
  /// deleted by themselves. Without, drafts that are stored stay, and can be asked for and deleted.
  ///
  /// It is one of the ``rules``: others that are put in their place bring their own.
  public var draftMessagesEnabled: Bool {
    get { rules.draftMessagesEnabled }
    set { rules.draftMessagesEnabled = newValue }
  }

  /// What time it is. A workspace never records an earlier time than the last one, whatever the clock says.
  ///
  /// Setting it removes the limits of the machine's clock.
  public var clock: @Sendable () -> Instant = { .now } {
    didSet { clockLimits = nil }
  }
  /// How far the clock may be ahead of the log before nothing is appended; nil if it is believed whatever it says.
  /// Limits of another clock than the machine's are set after it.
  public var clockLimits: ClockLimits? = ClockLimits()
  /// What makes ids unlike those of others: 64 bits that nobody else draws.
  public var randomBits: @Sendable () -> UInt64 = { .random(in: 0 ... .max) }

  /// How many events and submits may wait to be appended; who submits more waits, or is refused if it asked not to
  /// wait.
  public var waitingMax = 65_536
  /// How long to wait for the turn to append, before it is said who has it.
  public var writerLockTimeout = Duration.seconds(10)
  /// How many bytes must stay free on the disk: what would leave less is not appended.
  public var freeSpaceReserve = 16 << 20
  /// Whether a workspace that cannot be written is opened for reading alone: on read-only media, in a directory of
  /// another user, on a full disk. Its tables are then kept in memory or in ``cacheDirectory``; what is submitted is
  /// refused.
  public var allowsReadOnly = false
  /// The directory that keeps the tables of workspaces that are only read; in memory, and for this process alone, when
  /// nil.
  public var cacheDirectory: String?
  /// How many events lie between two checkpoints of the tables.
  public var checkpointDistance: UInt64 = 100_000
  /// How many events lie between two snapshots of the tables, from which the past is reached; with nil, none are taken.
  public var snapshotDistance: UInt64? = 1_000_000
  /// Is told how far tables came that are folded from a whole log.
  public var progress: (@Sendable (ProjectionStore.Progress) -> Void)?

  /// What is chosen where an app chooses nothing.
  public init() {}

  /// The views of a workspace that is opened so.
  package var projectionSets: ProjectionSets { ProjectionSets(searchesMessages: searchesMessages, own: projections) }
}

extension Instant {
  /// What the machine's clock says.
  public static var now: Instant { Instant(rawValue: Timestamp.now.rawValue) }
}
