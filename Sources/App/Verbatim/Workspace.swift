// An open workspace: a chat in a directory.
public import Chat
internal import ChatProjections
internal import Dispatch
public import EventLog
public import EventLogLMDB
internal import LMDB
internal import Locks
public import Projections

/// A chat in a directory: submitted to, asked, followed, and gone back in time.
///
/// Any number of processes may have it open at once. What was answered is on the disk; each call sees everything that
/// was submitted before it began, by whatever process.
public final class Workspace: Sendable {
  /// Where it is kept.
  public let path: String
  /// What the app chose.
  public let configuration: Configuration
  /// What was attached: the contents of pictures and files.
  public let blobs: BlobStore

  package let store: EventStore
  /// The state, with the index by which its rows are found: all that deciding waits for.
  package let projections: ProjectionStore
  /// All other projections, which follow behind: words, and what the app has of its own.
  internal let others: ProjectionStore?
  internal let submitting: SubmitQueue
  internal let moments: MonotonicClock
  internal let sizesAtOpening: FileSizes
  internal let workers = WorkerPool(label: "verbatim.ask")
  /// The composers that somebody here has.
  internal let liveComposers = Locked<[Composer.Key: LiveComposerReference]>([:])
  private let hasClosed = Locked(false)

  /// Opens the workspace in a directory, which is made if it is not there and that is asked for.
  ///
  /// It takes a few milliseconds: what there is to fold is folded when one first asks or submits.
  public static func open(
    at path: String, creates: Bool = true, configuration: Configuration = Configuration()
  ) throws(WorkspaceError) -> Workspace {
    let path = Files.resolved(path)
    var options = LMDBLog.Options(creates: creates)
    options.writerLockTimeout = configuration.writerLockTimeout
    options.freeSpaceReserve = configuration.freeSpaceReserve
    let moments = MonotonicClock(configuration.clock, configuration.randomBits)
    if creates {
      let (id, born) = (moments.appendID(), Timestamp(rawValue: moments.now().rawValue))
      options.genesis = Genesis(id: id, created: born, application: application)
    }
    options.allowsReadOnly = configuration.allowsReadOnly && !creates
    options.cacheDirectory = configuration.cacheDirectory
    do throws(WorkspaceError) { return try open(path, options, configuration, moments) } catch {
      guard options.allowsReadOnly, error.isNoSpace else { throw error }
      options.derivesElsewhere = true
      return try open(path, options, configuration, moments)
    }
  }

  private static func open(
    _ path: String, _ options: LMDBLog.Options, _ configuration: Configuration, _ moments: MonotonicClock
  ) throws(WorkspaceError) -> Workspace {
    let store: EventStore
    do throws(OpenError) {
      store = try EventStore.open(
        at: path, options: options, configuration: EventStore.Configuration(configuration, moments))
    } catch {
      throw .log(error)
    }
    guard store.log.genesis.application == application else {
      store.close()
      throw .otherApplication(path: path, store.log.genesis.application)
    }
    do throws(ProjectionError) {
      copyCheckpoints(of: path, to: store.derivedPath)
      return try Workspace(store, at: path, configuration, moments)
    } catch {
      store.close()
      throw .projections(error)
    }
  }

  /// Gives tables that are kept elsewhere the checkpoints of the workspace, against which they are then compared.
  private static func copyCheckpoints(of path: String, to derived: String?) {
    guard let derived, derived != path else { return }
    let (from, to) = (ProjectionSets.directory(ofWorkspaceAt: path), ProjectionSets.directory(ofWorkspaceAt: derived))
    guard Files.kind(at: from + "/checkpoints") == .file, (try? Files.makeDirectory(to)) != nil else { return }
    try? Files.remove(to + "/checkpoints")
    try? Files.copy(from + "/checkpoints", to: to + "/checkpoints")
  }

  /// Whose log it is: a program that does not know it appends nothing.
  package static let application: Name = "verbatim"

  private init(
    _ store: EventStore, at path: String, _ configuration: Configuration, _ moments: MonotonicClock
  ) throws(ProjectionError) {
    (self.path, self.configuration, self.store, self.moments) = (path, configuration, store, moments)
    blobs = BlobStore(in: path, freeSpaceReserve: configuration.freeSpaceReserve)
    var options = ProjectionStore.Options(configuration)
    let sets = configuration.projectionSets
    let directory = ProjectionSets.directory(ofWorkspaceAt: store.derivedPath ?? path)
    if let derived = store.derivedPath, derived != path {
      // Where a workspace is only read, so are its snapshots.
      (options.snapshotDirectory, options.snapshotDistance) = (ProjectionSets.directory(ofWorkspaceAt: path), nil)
    }
    projections = try ProjectionStore(of: store, sets.state, at: directory, options: options)
    others = sets.others.isEmpty ? nil : try ProjectionStore(of: store, sets.others, at: directory, options: options)
    sizesAtOpening = FileSizes(store, projections, self.others)
    if let head = try? store.head() { moments.see(head) }
    submitting = SubmitQueue(store, projections, followedBy: self.others, configuration, moments)
  }

  /// Where the log ends.
  public func head() throws(ProjectionError) -> Position {
    do throws(LogError) { return try store.head().position } catch { throw .log(error) }
  }

  /// What time it is: never before what was recorded last.
  public var now: Instant {
    if let head = try? store.head() { moments.see(head) }
    return moments.now()
  }

  /// Corrects the log's clock: records the time that this workspace's clock says, though later times were recorded
  /// before, and returns the position of the event that says so; nil if no later time was recorded.
  ///
  /// The page *Clocks* of EventLog says what it changes.
  @discardableResult
  public func correctClock() async throws(ProjectionError) -> Position? {
    let result = await offThread { workspace in
      Result { () throws(LogError) in
        let correction = try workspace.store.correctClock()
        workspace.moments.see(try workspace.store.head())
        return correction?.position
      }
    }
    do throws(LogError) { return try result.get() } catch { throw .log(error) }
  }

  /// A new id, for whatever is to be named.
  public func newID<Named>(for _: Named.Type = Named.self) -> ID<Named> {
    // Others may have recorded what is later.
    _ = now
    guard let id = ID<Named>(rawValue: moments.id()) else { preconditionFailure("an id was made that is none") }
    return id
  }

  /// Views that could not fold an event; each stands before it. Where the state does, nothing can be submitted.
  public var stops: [ProjectionStop] { projections.stops + (others?.stops ?? []) }

  /// The event before which the state stands, if it could not be folded.
  internal var stateStop: ProjectionStop? { projections.stops.first { $0.projection == ChatState.name } }

  /// Ends the use of the workspace, when all that was submitted has its answer. It may be called again.
  ///
  /// Nothing is lost where it is forgotten: what was answered is on the disk, and what was not folded into tables is
  /// folded by the next who opens.
  @available(*, noasync, message: "it waits for the disk: use the async close")
  public func closeBlocking() {
    hasClosed.withLock { hasClosed in
      if hasClosed { return }
      hasClosed = true
      submitting.close()
      others?.close()
      projections.close()
      store.close()
    }
  }

  /// Ends the use of the workspace, when all that was submitted has its answer. It may be called again.
  public func close() async {
    await offThread { $0.closeBlocking() }
  }

  /// Runs what waits on a thread of its own kind, not on one of those that run tasks.
  internal func offThread<R: Sendable>(_ body: @escaping @Sendable (Workspace) -> R) async -> R {
    await withCheckedContinuation { continuation in
      workers.run { continuation.resume(returning: body(self)) }
    }
  }
}

/// Why a workspace could not be opened.
public enum WorkspaceError: Error, Sendable {
  /// Its log.
  case log(OpenError)
  /// What lies there is the log of something else; nil for one without an owner.
  case otherApplication(path: String, Name?)
  /// The tables that are folded from the log.
  case projections(ProjectionError)
}

extension WorkspaceError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .log(let error): error.description
    case .otherApplication(let path, let application?):
      "The log at \(path) belongs to another program (\(application)): open it with that one."
    case .otherApplication(let path, nil):
      "The log at \(path) is no workspace but a log by itself: open it as a log, or take another path."
    case .projections(let error): error.description
    }
  }
}

extension WorkspaceError {
  /// Whether the disk has no room for the tables.
  fileprivate var isNoSpace: Bool {
    if case .projections(let error) = self { error.isNoSpace } else { false }
  }
}

extension EventStore.Configuration {
  /// The clock of a workspace with its limits, and ids that rise.
  package init(_ configuration: Verbatim.Configuration) {
    self.init()
    clock = { [clock = configuration.clock] in Timestamp(rawValue: clock().rawValue) }
    clockLimits = configuration.clockLimits
  }

  fileprivate init(_ configuration: Verbatim.Configuration, _ moments: MonotonicClock) {
    self.init(configuration)
    newID = { _ in moments.appendID() }
  }
}

extension ProjectionStore.Options {
  fileprivate init(_ configuration: Configuration) {
    self.init()
    checkpointDistance = configuration.checkpointDistance
    snapshotDistance = configuration.snapshotDistance
    progress = configuration.progress
  }
}
