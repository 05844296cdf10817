// A workspace for one test.
public import Chat
internal import Locks
internal import RandomNumbers
internal import Tables
public import Verbatim

/// A workspace for one test, with a clock that the test advances and ids from a seed. Its files are removed with it.
public final class TestWorkspace: Sendable {
  /// The workspace's clock.
  public let clock: TestClock
  /// The seed of all ids that the workspace makes.
  public let seed: UInt64
  private let directory: ScratchDirectory
  private let configuration: Configuration
  private let open: Locked<Workspace>

  /// Creates an empty workspace, with projections or other settings if the closure sets them.
  ///
  /// Its files are in memory, or among the temporary files where the system has no file system in memory; with a
  /// `parent`, in a new directory of that one.
  public init(
    in parent: String? = nil, clock: TestClock = TestClock(), seed: UInt64 = 1,
    _ configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    (self.clock, self.seed) = (clock, seed)
    let deadline = ContinuousClock.now + .seconds(60)
    directory = try parent.map { try ScratchDirectory(in: $0, until: deadline) } ?? .make(inMemoryUntil: deadline)
    var configuration = Configuration()
    configuration.clock = { clock.now }
    let random = Locked(SplitMix64(seed: seed))
    configuration.randomBits = { random.withLock { $0.next() } }
    configuration.freeSpaceReserve = 0
    configure(&configuration)
    self.configuration = configuration
    open = Locked(try Workspace.open(at: directory.path + "/chat", configuration: configuration))
  }

  deinit { workspace.closeBlocking() }

  /// The open workspace.
  public var workspace: Workspace { open.withLock { $0 } }

  /// The path of the workspace's directory.
  public var path: String { workspace.path }

  /// Returns a client of the workspace.
  public func client(user: User.ID, device: Device.ID? = nil) -> Client { workspace.client(user: user, device: device) }

  /// Closes the workspace and opens it again, as a process does that was restarted.
  public func reopen() async throws {
    await workspace.close()
    let next = try Workspace.open(at: path, creates: false, configuration: configuration)
    open.withLock { $0 = next }
  }
}
