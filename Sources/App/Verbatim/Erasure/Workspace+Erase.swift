// Erasing the content of a workspace.
public import Chat
internal import ChatCodec
internal import ChatProjections
public import ContentKeys
internal import Dispatch
internal import Errors
public import EventLog
internal import EventLogLMDB
internal import Files
internal import Locks
internal import Projections

extension Name {
  /// Creates a name with the characters of an id, which are valid in names: `Erasure.Scope.user(Name(user))`.
  public init<Named>(_ id: ID<Named>) { self.init(stringLiteral: id.text) }
}

extension Workspace {
  /// Erases content of an erasable workspace: destroys its keys, builds the tables anew without it, and removes all
  /// files that were derived from it. Returns the completed erasure.
  ///
  /// Submits and reads go on meanwhile, also in other processes that have the workspace open: each of them builds or
  /// takes the new tables, and the erasure is completed when the last has closed the old ones. It is recorded before
  /// anything is destroyed; after an interruption or an error, ``resumeErasures()`` continues it. Erased content stays
  /// in copies of the directory made before, for as long as these have its keys.
  public func erase(_ scope: Erasure.Scope) async throws(MaintenanceError) -> Erasure {
    try await offThread { workspace throws(MaintenanceError) in try workspace.eraseNow(scope) }
  }

  /// Erases content of an erasable workspace, as ``erase(_:)`` does.
  @available(*, noasync, message: "it builds the tables: use the async erase")
  public func eraseBlocking(_ scope: Erasure.Scope) throws(MaintenanceError) -> Erasure { try eraseNow(scope) }

  /// Continues the erasures that were interrupted, if there are any, and returns them.
  public func resumeErasures() async throws(MaintenanceError) -> [Erasure] {
    try await offThread { workspace throws(MaintenanceError) in try workspace.resumeErasuresNow() }
  }

  /// Continues the erasures that were interrupted, as ``resumeErasures()`` does.
  @available(*, noasync, message: "it builds the tables: use the async resumeErasures")
  public func resumeErasuresBlocking() throws(MaintenanceError) -> [Erasure] { try resumeErasuresNow() }

  private func eraseNow(_ scope: Erasure.Scope) throws(MaintenanceError) -> Erasure {
    guard let keys else { throw .notErasable(path: path) }
    try requireUser(of: scope)
    try requireBound(of: scope)
    try requireRest(of: scope, keys)
    // An interrupted one of the same scope is completed, too.
    let pending = try rethrow(store.requestErasure(of: scope, with: keys), as: MaintenanceError.erasing)
    let finished = try finish(pending, keys)
    return finished[finished.endIndex - 1]
  }

  private func resumeErasuresNow() throws(MaintenanceError) -> [Erasure] {
    guard let keys else { throw .notErasable(path: path) }
    let pending = try rethrow(store.erasures(), as: MaintenanceError.log).filter { $0.completed == nil }
    return try finish(pending, keys)
  }

  /// Erases what a policy does not keep any more, and completes what was interrupted.
  internal func expireNow(_ policy: RetentionPolicy) throws(MaintenanceError) -> [Erasure] {
    guard let keys else { throw .notErasable(path: path) }
    try rethrow(store.readErasures(), as: MaintenanceError.log)
    let (channels, erasures) = (try rethrow(keys.channels(), as: MaintenanceError.opening(keys:)), keys.erasures)
    for scope in policy.scopes(at: now, in: channels) {
      guard try rethrow(keys.hasKeys(of: scope), as: MaintenanceError.opening(keys:)),
        try rethrow(store.hasEvents(in: scope, notIn: erasures), as: MaintenanceError.log)
      else { continue }
      try rethrow(store.requestErasure(of: scope, with: keys), as: MaintenanceError.erasing)
    }
    return try resumeErasuresNow()
  }

  /// Completes erasures; other processes have as long to close the old tables as this one needs, and at least
  /// `patience`.
  internal func finish(
    _ erasures: [Erasure], _ keys: ContentKeys, patience: Duration = .seconds(30)
  ) throws(MaintenanceError) -> [Erasure] {
    if erasures.isEmpty { return [] }
    let began = ContinuousClock.now
    try rethrow(store.readErasures(), as: MaintenanceError.log)
    try rethrow(keys.destroyErased(of: store.log, path), as: MaintenanceError.opening(keys:))
    for erasure in erasures { try rethrow(store.record(.keysDestroyed, of: erasure), as: MaintenanceError.erasing) }
    var outdated = try rethrow(outdatedTables(), as: MaintenanceError.projections)
    try rethrow(renewTables(), as: MaintenanceError.projections)
    let deadline = ContinuousClock.now + max(patience, began.duration(to: .now))
    let pause = DispatchSemaphore(value: 0)
    for index in outdated.indices {
      while try !rethrow(outdated[index].remove(), as: MaintenanceError.projections) {
        guard ContinuousClock.now < deadline else { throw .outdatedInUse(path: path) }
        _ = pause.wait(timeout: .now() + .milliseconds(20))
      }
    }
    for erasure in erasures { try rethrow(store.record(.completed, of: erasure), as: MaintenanceError.erasing) }
    let positions = Set(erasures.map(\.position))
    return try rethrow(store.erasures(), as: MaintenanceError.log).filter { positions.contains($0.position) }
  }

  /// Finds the outdated tables of the directory, and those of processes that only read it, in the configured one.
  private func outdatedTables() throws(ProjectionError) -> [OutdatedTables] {
    var directories = [tables.directory]
    if let cache = configuration.cacheDirectory {
      let derived = LMDBLog.derivedPath(of: store.log.genesis, in: cache)
      directories.append(ProjectionSets.directory(ofWorkspaceAt: derived))
    }
    var outdated: [OutdatedTables] = []
    for directory in directories where FileSystem.kind(at: directory) == .directory {
      outdated.append(try OutdatedTables(in: directory, of: store.log))
    }
    return outdated
  }

  /// Throws if a scope names a user who does not exist.
  private func requireUser(of scope: Erasure.Scope) throws(MaintenanceError) {
    guard let name = scope.user else { return }
    guard let user = User.ID(rawValue: name.text) else { throw .unknownUser(name.text) }
    let version = try rethrow(store.version(of: StreamSubject.user(user).name), as: MaintenanceError.log)
    if version == .zero { throw .unknownUser(name.text) }
  }

  /// Throws if a scope has days to come, whose content could not be encrypted once their keys were destroyed.
  private func requireBound(of scope: Erasure.Scope) throws(MaintenanceError) {
    let end = Day(of: now).next.start
    if let bound = scope.end, bound > end { throw .notYet(end) }
  }

  /// Throws if a scope has the present day, whose keys an earlier erasure destroyed: what was written since has the
  /// keys of the next day.
  private func requireRest(of scope: Erasure.Scope, _ keys: ContentKeys) throws(MaintenanceError) {
    guard let end = scope.end, end > now else { return }
    let known = try rethrow(store.erasures(), as: MaintenanceError.log)
    // One that was interrupted is completed.
    if known.contains(where: { $0.scope == scope.wholeDays && $0.completed == nil }) { return }
    try rethrow(store.readErasures(), as: MaintenanceError.log)
    if keys.erasures.covers(scope) { throw .erasedToday(end) }
  }
}

extension Workspace {
  /// Replaces the tables by new ones, if erasures were requested since they were opened, and ends the open composers
  /// that have erased content: opened again, they have the rest.
  internal func renewTables() throws(ProjectionError) {
    if try tables.renew() { removeOutdatedTables() }
    try endErasedComposers()
  }

  /// Ends the open composers with content that was erased since they were read, as far as that is known; after an error
  /// and while they are being written to, they are looked at again with the next look for erasures.
  internal func endErasedComposers() throws(ProjectionError) {
    let count = projections.erasureCount
    let composers = submitQueue.openComposers.filter { $0.erasureCount < count }
    if composers.isEmpty { return }
    let scopes = try rethrow(store.erasures(), as: ProjectionError.log).map(\.scope)
    for composer in composers {
      let isCovered = scopes.dropFirst(composer.erasureCount).contains { $0.covers(composer.key) }
      switch try isCovered ? isStored(composer) : true {
      case true?: composer.keepsContent(after: count)
      case false?: composer.end()
      case nil: continue
      }
    }
  }

  /// Removes what erasures left in the directory of a workspace that is only read: no process that erases finds it
  /// there, unless it was configured with it.
  internal func removeOutdatedTables() {
    guard keys != nil, let derived = store.derivedPath, derived != path,
      var outdated = try? OutdatedTables(in: tables.directory, of: store.log)
    else { return }
    // Those that another process has open are removed by the last one.
    _ = try? outdated.remove()
  }

  /// Whether an open composer has the content that the log has for it; nil if that is not known yet.
  private func isStored(_ composer: OpenComposer) throws(ProjectionError) -> Bool? {
    // While the user types, the next letter can be in the composer and not yet in the log.
    for _ in 0..<3 {
      submitQueue.flushBlocking()
      if let isStored = try composer.isStored(as: storedComposer(composer.key)) { return isStored }
    }
    return nil
  }

  /// Renews the tables soon after any process requested an erasure.
  internal func watchErasures() {
    guard keys != nil else { return }
    let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "verbatim.erasures", qos: .utility))
    source.schedule(deadline: .now() + Self.erasureDelay, repeating: Self.erasureDelay, leeway: .milliseconds(100))
    var failed: ContinuousClock.Instant?
    source.setEventHandler { [weak self] in
      if let failed, failed.duration(to: .now) < .seconds(10) { return }
      do throws(ProjectionError) {
        try self?.renewTables()
        failed = nil
      } catch {
        // For example, the disk is full: the old tables go on, and the process that erases reports that.
        failed = .now
      }
    }
    source.activate()
    erasureWatch.withLock { $0 = source }
  }

  /// Ends the watch.
  internal func stopWatchingErasures() { erasureWatch.withLock { $0 }?.cancel() }

  /// The time between two looks for new erasures.
  private static var erasureDelay: DispatchTimeInterval { .milliseconds(250) }
}

extension Erasure.Scope {
  /// The user whose content is covered; nil for that of all.
  fileprivate var user: Name? {
    switch self {
    case .user(let name): name
    case .typing(let name, _): name
    case .typingInChannel, .messages: nil
    }
  }

  /// Whether it covers content of some day of a composer.
  fileprivate func covers(_ composer: Composer.Key) -> Bool {
    switch self {
    case .user(let name), .typing(let name?, _): name.text == composer.user.text
    case .typing(nil, _): true
    case .typingInChannel(let name, _): name.text == composer.channel.text
    case .messages: false
    }
  }
}
