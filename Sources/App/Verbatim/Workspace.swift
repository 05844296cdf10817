// An open workspace: a chat stored in a directory.
public import Chat
internal import ChatProjections
public import ContentKeys
internal import Dispatch
public import EventLog
internal import EventLogLMDB
internal import EventLogPostgres
internal import Errors
internal import Files
package import Locks
public import Projections

/// A chat stored in a directory, or on a PostgreSQL server: submits commands, reads, follows changes, and reads past
/// positions.
///
/// Any number of processes may have it open at once, of any number of machines where the log is on a server. A submit
/// that returned is on the disk; each read sees everything that any process submitted before the read began.
public final class Workspace: Sendable {
  /// The path of the workspace's directory; of the directory for what this machine derives from the log, where the log
  /// is on a server.
  public let path: String
  /// The configuration with which the workspace was opened.
  public let configuration: Configuration
  /// The store for the contents of attached pictures and files.
  public let blobs: BlobStore

  /// Whether content can be erased, which was decided when the workspace was created.
  public var isErasable: Bool { store.log.genesis.isErasable }

  package let store: EventStore
  /// The keys of an erasable workspace; nil for others.
  internal let keys: ContentKeys?
  /// The tables of all projections.
  internal let tables: WorkspaceTables
  internal let submitQueue: SubmitQueue
  package let monotonicClock: MonotonicClock
  internal let sizesAtOpening: FileSizes
  internal let workers = WorkerPool(label: "verbatim.ask")
  /// The threads that open past workspaces.
  internal let pastWorkers = WorkerPool(label: "verbatim.history", count: 2)
  private let hasClosed = Locked(false)
  /// The timer that looks for new erasures; nil where nothing can be erased.
  internal let erasureWatch = Locked<(any DispatchSourceTimer)?>(nil)
  /// Values that modules above this one keep for the workspace, by their type.
  package let values = Locked<[ObjectIdentifier: any Sendable]>([:])

  /// Opens the workspace in a directory, and creates the directory if it is missing and `creates` is true.
  ///
  /// A path that begins with `postgres://` is the address of a log on a PostgreSQL server, as `PostgresAddress` of
  /// EventLogPostgres describes; index and tables are then kept in a directory of this machine, in
  /// ``Configuration/cacheDirectory``.
  ///
  /// It takes a few milliseconds: the projections catch up at the first read or submit.
  public static func open(
    at path: String, creates: Bool = true, configuration: Configuration = Configuration()
  ) throws(WorkspaceError) -> Workspace {
    let monotonicClock = MonotonicClock(configuration.clock, configuration.randomBits)
    var genesis: Genesis?
    if creates {
      let (id, born) = (monotonicClock.appendID(), Timestamp(rawValue: monotonicClock.now().rawValue))
      if configuration.isErasable, PostgresAddress.isAddress(path) { throw .erasableOnServer }
      genesis = Genesis(id: id, created: born, application: application, isErasable: configuration.isErasable)
    }
    if let address = PostgresAddress(path) { return try open(address, genesis, configuration, monotonicClock) }
    let path = FileSystem.resolved(path)
    if WorkspaceFiles.isInterrupted(path) {
      throw .log(.notALog(path: path, reason: "an interrupted backup or restore, which can be deleted"))
    }
    var options = LMDBLog.Options(creates: creates, genesis: genesis)
    options.writerLockTimeout = configuration.writerLockTimeout
    options.freeSpaceReserve = configuration.freeSpaceReserve
    options.allowsReadOnly = configuration.allowsReadOnly && !creates
    options.cacheDirectory = configuration.cacheDirectory
    do throws(WorkspaceError) { return try open(path, options, configuration, monotonicClock) } catch {
      guard options.allowsReadOnly, error.isNoSpace else { throw error }
      options.derivesElsewhere = true
      return try open(path, options, configuration, monotonicClock)
    }
  }

  private static func open(
    _ path: String, _ options: LMDBLog.Options, _ configuration: Configuration, _ monotonicClock: MonotonicClock
  ) throws(WorkspaceError) -> Workspace {
    let store = try rethrow(
      EventStore.open(
        at: path, options: options, configuration: EventStore.Configuration(configuration, monotonicClock)),
      as: WorkspaceError.log)
    return try open(store, at: path, named: path, configuration, monotonicClock)
  }

  private static func open(
    _ address: PostgresAddress, _ genesis: Genesis?, _ configuration: Configuration, _ monotonicClock: MonotonicClock
  ) throws(WorkspaceError) -> Workspace {
    var options = PostgresLog.Options(creates: genesis != nil, genesis: genesis)
    options.writerLockTimeout = configuration.writerLockTimeout
    options.cacheDirectory = configuration.cacheDirectory
    options.blobDirectory = configuration.blobDirectory
    let store = try rethrow(
      EventStore.open(
        at: address, options: options, configuration: EventStore.Configuration(configuration, monotonicClock)),
      as: WorkspaceError.log)
    if store.isReadOnly, !configuration.allowsReadOnly {
      store.close()
      throw .log(.storage(StorageFailure(of: LogError.readOnly(path: address.description))))
    }
    return try open(
      store, at: store.derivedPath ?? "", named: address.description, configuration, monotonicClock)
  }

  private static func open(
    _ store: EventStore, at path: String, named name: String, _ configuration: Configuration,
    _ monotonicClock: MonotonicClock
  ) throws(WorkspaceError) -> Workspace {
    guard store.log.genesis.application == application else {
      store.close()
      throw .otherApplication(path: name, store.log.genesis.application)
    }
    let keys: ContentKeys?
    do throws(KeyError) { keys = try ContentKeys.attach(to: store, in: path, configuration) } catch {
      store.close()
      throw .keys(error)
    }
    do throws(ProjectionError) {
      copyCheckpoints(of: path, to: store.derivedPath)
      return try Workspace(store, keys, at: path, configuration, monotonicClock)
    } catch {
      store.close()
      throw .projections(error)
    }
  }

  /// Copies the workspace's checkpoints to tables that are stored elsewhere, which are then compared against them.
  private static func copyCheckpoints(of path: String, to derived: String?) {
    guard let derived, derived != path else { return }
    let (from, to) = (ProjectionSets.directory(ofWorkspaceAt: path), ProjectionSets.directory(ofWorkspaceAt: derived))
    guard FileSystem.kind(at: from + "/checkpoints") == .file, (try? FileSystem.makeDirectory(to)) != nil else {
      return
    }
    try? FileSystem.remove(to + "/checkpoints")
    try? FileSystem.copy(from + "/checkpoints", to: to + "/checkpoints")
  }

  /// The application name in the log's genesis; a program that does not know the name appends nothing.
  package static let application: Name = "verbatim"

  private init(
    _ store: EventStore, _ keys: ContentKeys?, at path: String, _ configuration: Configuration,
    _ monotonicClock: MonotonicClock
  ) throws(ProjectionError) {
    self.keys = keys
    (self.path, self.configuration, self.store, self.monotonicClock) = (path, configuration, store, monotonicClock)
    blobs = BlobStore(of: store.log, in: path, freeSpaceReserve: configuration.freeSpaceReserve)
    var options = ProjectionStore.Options(configuration)
    let sets = configuration.projectionSets
    let directory = ProjectionSets.directory(ofWorkspaceAt: store.derivedPath ?? path)
    if let derived = store.derivedPath, derived != path {
      // A workspace that is only read uses its snapshots and takes none.
      (options.snapshotDirectory, options.snapshotDistance) = (ProjectionSets.directory(ofWorkspaceAt: path), nil)
    }
    tables = try WorkspaceTables(of: store, sets, at: directory, options: options)
    sizesAtOpening = FileSizes(store, tables.current.state, tables.current.others)
    if let head = try? store.head() { monotonicClock.see(head) }
    submitQueue = SubmitQueue(store, tables, configuration, monotonicClock)
    removeOutdatedTables()
    watchErasures()
  }

  /// The projection of the chat state with the index of its rows: all that deciding reads.
  package var projections: ProjectionStore { tables.current.state }

  /// All other projections, which are updated asynchronously: the search index and the app's own.
  internal var others: ProjectionStore? { tables.current.others }

  /// Returns the position of the last event in the log.
  public func head() throws(ProjectionError) -> Position {
    try rethrow(store.head().position, as: ProjectionError.log)
  }

  /// The current time, never earlier than the last recorded one that this process has seen.
  public var now: Timestamp {
    if let head = try? store.log.lastSeenHead() { monotonicClock.see(head) }
    return monotonicClock.now()
  }

  /// Corrects the log's clock: records the time of this workspace's clock even if later times were recorded before.
  /// Returns the position of the correction event; nil if no later time was recorded.
  ///
  /// The page *Clocks* of EventLog describes the effects.
  @discardableResult
  public func correctClock() async throws(ProjectionError) -> Position? {
    let result = await offThread { workspace in
      Result { () throws(LogError) in
        let correction = try workspace.store.correctClock()
        workspace.monotonicClock.see(try workspace.store.head())
        return correction?.position
      }
    }
    return try rethrow(result.get(), as: ProjectionError.log)
  }

  /// Returns a new id for any kind of entity.
  public func newID<Named>(for _: Named.Type = Named.self) -> ID<Named> {
    // Another process may have recorded a later time.
    _ = now
    guard let id = ID<Named>(rawValue: monotonicClock.id()) else { preconditionFailure("a created id is invalid") }
    return id
  }

  /// Projections that stopped before an event they could not fold, as far as they were read or caught up. If the chat
  /// state stopped, nothing can be submitted.
  public var stops: [ProjectionStop] { projections.stops + (others?.stops ?? []) }

  /// The event before which the chat state stopped because it could not be folded; nil if it has not stopped.
  internal var stateStop: ProjectionStop? { projections.stops.first { $0.projection == ChatState.name } }

  /// Closes the workspace after all pending submits have completed; idempotent.
  ///
  /// Nothing is lost without it: a submit that returned is on the disk, and events that are not yet folded into the
  /// tables are folded after the next open.
  @available(*, noasync, message: "it blocks until the disk has finished: use the async close")
  public func closeBlocking() {
    hasClosed.withLock { hasClosed in
      if hasClosed { return }
      hasClosed = true
      stopWatchingErasures()
      submitQueue.close()
      tables.close()
      store.close()
    }
  }

  /// Closes the workspace after all pending submits have completed; idempotent.
  public func close() async {
    await offThread { $0.closeBlocking() }
  }

  /// Runs a blocking closure on a worker thread rather than on a thread of the task executor.
  package func offThread<R: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (Workspace) throws(Failure) -> R
  ) async throws(Failure) -> R {
    try await workers.result { () throws(Failure) in try body(self) }
  }
}

/// The error of opening a workspace.
public enum WorkspaceError: Error, Sendable {
  /// The log could not be opened.
  case log(OpenError)
  /// The directory contains the log of another application; nil for a log without an application name.
  case otherApplication(path: String, Name?)
  /// A workspace was to be erasable, and its log on a PostgreSQL server.
  case erasableOnServer
  /// The keys of an erasable workspace could not be opened.
  case keys(KeyError)
  /// The projections' tables could not be opened.
  case projections(ProjectionError)
}

extension WorkspaceError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .log(let error): error.description
    case .otherApplication(let path, let application?):
      "The log at \(path) belongs to another program (\(application)): open it with that one."
    case .otherApplication(let path, nil):
      "\(path) is a log without a workspace: open it as a log, or give another path."
    case .erasableOnServer:
      "A log on a PostgreSQL server cannot be erasable: open it without Configuration.isErasable, or in a directory."
    case .keys(let error): error.description
    case .projections(let error): error.description
    }
  }
}

extension WorkspaceError {
  /// Whether the disk has no space left for the tables.
  fileprivate var isNoSpace: Bool {
    if case .projections(let error) = self { error.isNoSpace } else { false }
  }
}

extension EventStore.Configuration {
  /// The event store's configuration with the clock and the clock limits of a workspace.
  package init(_ configuration: Verbatim.Configuration) {
    self.init()
    clock = { [clock = configuration.clock] in Timestamp(rawValue: clock().rawValue) }
    clockLimits = configuration.clockLimits
  }

  fileprivate init(_ configuration: Verbatim.Configuration, _ monotonicClock: MonotonicClock) {
    self.init(configuration)
    newID = { _ in monotonicClock.appendID() }
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
