// Erasing the content of a workspace.
internal import Chat
internal import ChatProjections
public import ContentKeys
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import Files
internal import Projections

extension WorkspaceFiles {
  /// Erases content of an erasable workspace, while no other process has it open: destroys its keys, removes
  /// everything that was derived from it, and builds the tables anew. Returns the completed erasure.
  ///
  /// It is recorded before anything is destroyed, and continues where it was interrupted when it is called again. What
  /// is erased stays in copies of the directory made before, for as long as these have its keys.
  public func erase(
    _ scope: Erasure.Scope, _ configuration: Configuration = Configuration()
  ) throws(MaintenanceError) -> Erasure {
    guard address == nil else { throw .notErasable(path: path) }
    try open(configuration) { workspace throws(MaintenanceError) in
      guard workspace.keys != nil else { throw .notErasable(path: path) }
      try workspace.requireUser(of: scope)
    }
    // Nothing is recorded while another process uses the workspace.
    try removeDerived()
    let requested = try openErasing(configuration) { store throws(MaintenanceError) in
      try rethrow(store.requestErasure(of: scope), as: MaintenanceError.erasing)
    }
    return try finish(requested, configuration)
  }

  /// Continues the erasures that were interrupted, if there are any, and returns them.
  public func resumeErasures(
    _ configuration: Configuration = Configuration()
  ) throws(MaintenanceError) -> [Erasure] {
    guard address == nil else { throw .notErasable(path: path) }
    let pending = try openErasing(configuration) { store throws(MaintenanceError) in
      try rethrow(store.erasures(), as: MaintenanceError.log).filter { $0.completed == nil }
    }
    var completed: [Erasure] = []
    for erasure in pending { completed.append(try finish(erasure, configuration)) }
    return completed
  }

  private func finish(
    _ erasure: Erasure, _ configuration: Configuration
  ) throws(MaintenanceError) -> Erasure {
    // Opening the keys destroys those that were erased.
    try openErasing(configuration) { store throws(MaintenanceError) in
      try rethrow(store.record(.keysDestroyed, of: erasure), as: MaintenanceError.erasing)
    }
    try removeDerived()
    return try open(configuration) { workspace throws(MaintenanceError) in
      try rethrow(workspace.catchUpProjections(), as: MaintenanceError.projections)
      try rethrow(workspace.store.record(.completed, of: erasure), as: MaintenanceError.erasing)
      let erasures = try rethrow(workspace.store.erasures(), as: MaintenanceError.log)
      return erasures.first { $0.position == erasure.position } ?? erasure
    }
  }

  /// Removes tables, snapshots, histories and checkpoints, durably: all files that content or hashes of it are in.
  private func removeDerived() throws(MaintenanceError) {
    let directory = ProjectionSets.directory(ofWorkspaceAt: path)
    let isRemoved = try rethrow(
      ProjectionStore.discard(behind: .zero, at: directory), as: MaintenanceError.projections)
    guard isRemoved else { throw .inUse(path: path) }
    try storing(directory) { () throws(FileError) in
      guard try FileSystem.isDirectory(at: directory) else { return }
      // What an interrupted removal or an unfinished snapshot left is no table store, and has content, too.
      for name in try FileSystem.names(in: directory)
      where FileSystem.kind(at: directory + "/" + name) == .directory {
        try FileSystem.removeTree(directory + "/" + name)
      }
      try FileSystem.sync(directory)
    }
  }

  /// Opens the log with its keys, and not the tables.
  private func openErasing<R>(
    _ configuration: Configuration, _ body: (EventStore) throws(MaintenanceError) -> R
  ) throws(MaintenanceError) -> R {
    let store = try rethrow(
      EventStore.open(at: path, options: LMDBLog.Options()), as: MaintenanceError.opening(log:))
    defer { store.close() }
    let keys = try rethrow(
      ContentKeys.attach(to: store, in: path, configuration),
      as: MaintenanceError.opening(keys:))
    guard keys != nil else { throw .notErasable(path: path) }
    return try body(store)
  }
}

extension Workspace {
  /// Throws if a scope names a user who does not exist.
  fileprivate func requireUser(of scope: Erasure.Scope) throws(MaintenanceError) {
    let name: Name? =
      switch scope {
      case .user(let name): name
      case .typing(let name, _): name
      }
    guard let name else { return }
    let user = User.ID(rawValue: name.text)
    let isKnown = try rethrow(
      projections.read { reading throws(ProjectionError) in
        guard let user else { return false }
        return try reading.chat.user(user) != nil
      }, as: MaintenanceError.projections)
    guard isKnown else { throw .unknownUser(name.text) }
  }
}
