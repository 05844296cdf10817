// Backup and restore of a workspace whose log is on a server.
internal import Chat
internal import ChatProjections
internal import EventLog
internal import EventLogLMDB
internal import EventLogPostgres
internal import Errors
internal import Files
internal import Projections

extension WorkspaceFiles {
  /// Backs up the workspace of a log on a server into a new directory.
  internal func backUp(
    _ address: PostgresAddress, to directory: String, verifies: Bool, _ progress: (Step) -> Void
  ) throws(MaintenanceError) -> Copied {
    let server = try open(address)
    defer { server.close() }
    return try making(directory) { () throws(MaintenanceError) in
      let options = LMDBLog.Options(creates: true, genesis: server.genesis)
      let incoming = directory + Self.incoming
      let log = try rethrow(LMDBLog.open(at: incoming, options: options), as: MaintenanceError.opening(log:))
      defer { log.close() }
      var copying = try copying(server, to: log, at: directory)
      // Checkpoints are copied before the log, so that it contains their positions. A blob exists before the message
      // that names it, so blobs are copied after the log.
      let projections = ProjectionSets.directory(ofWorkspaceAt: directory)
      let hasCheckpoints = try rethrow(
        ProjectionStore.copyCheckpoints(of: server, to: projections), as: MaintenanceError.projections)
      try copyBlocks(&copying, progress)
      let (blobs, copies) = (BlobStore(copying: server, into: directory), BlobStore(in: directory, freeSpaceReserve: 0))
      let names: [Blob.ID]
      do throws(BlobError) { names = try blobs.allNames() } catch { throw MaintenanceError(error, at: blobs.path) }
      let byteCount = try copy(names, from: blobs, to: copies, checks: verifies, progress)
      log.close()
      let copied = try report(directory, names, byteCount, hasCheckpoints, verifies: verifies, progress)
      try moveLog(in: directory)
      return copied
    }
  }

  /// Copies the verified backup at ``path`` to a server, and verifies what is stored there.
  internal func restore(
    _ names: [Blob.ID], to address: PostgresAddress, blobDirectory: String?, _ progress: (Step) -> Void
  ) throws(MaintenanceError) -> Copied {
    let log = try openLog(at: path)
    defer { log.close() }
    if log.genesis.isErasable { throw .erasableBackup(path: path) }
    let server = try open(address, creating: log.genesis, blobDirectory: blobDirectory)
    defer { server.close() }
    var copying = try copying(log, to: server, at: address.description)
    let blobs = BlobStore(in: path, freeSpaceReserve: 0)
    let copies = BlobStore(of: server, in: path, freeSpaceReserve: 0)
    // The other way round, a reader of the server would see messages whose attachments are not there yet.
    let byteCount = try copy(names, from: blobs, to: copies, progress)
    try copyBlocks(&copying, progress)
    let hasCheckpoints = try rethrow(
      ProjectionStore.copyCheckpoints(in: ProjectionSets.directory(ofWorkspaceAt: path), to: server),
      as: MaintenanceError.projections)
    let report = try asked { () throws(LogError) in try server.verify { progress(.checked($0)) } }
    if let finding = report.findings.first {
      throw .damaged(path: address.description, reason: finding.description)
    }
    if let directory = server.blobDirectory {
      try verifyBlobs(at: directory, names: names)
    } else {
      for id in names { try verify(id, on: server) }
    }
    return Copied(
      head: copying.end, hasCheckpoints: hasCheckpoints, hasKeys: false, blobs: names.count,
      blobByteCount: byteCount, isVerified: true)
  }

  /// Opens the log at an address; creates it with a genesis, if one is given.
  internal func open(
    _ address: PostgresAddress, creating genesis: Genesis? = nil, blobDirectory: String? = nil,
    acceptsMissingTail: Bool = false
  ) throws(MaintenanceError) -> PostgresLog {
    var options = PostgresLog.Options(creates: genesis != nil, genesis: genesis)
    (options.cacheDirectory, options.acceptsMissingTail) = (cacheDirectory, acceptsMissingTail)
    options.blobDirectory = blobDirectory
    let log = try rethrow(PostgresLog.open(at: address, options: options), as: MaintenanceError.opening(log:))
    return try ofWorkspace(log, at: address.description)
  }

  /// Returns a copying between logs; throws unless the copy has none but the first blocks of the log.
  private func copying(_ log: any Log, to copy: any Log, at path: String) throws(MaintenanceError) -> LogCopy {
    if let copying = try asked({ () throws(LogError) in try LogCopy(of: log, in: copy) }) { return copying }
    throw .taken(path: path)
  }

  private func copyBlocks(_ copying: inout LogCopy, _ progress: (Step) -> Void) throws(MaintenanceError) {
    try asked { () throws(LogError) in
      try copying.copyBlocks {
        progress(.checked($0))
        return true
      }
    }
  }

  /// Reads a blob from the server, and throws if it has another content.
  private func verify(_ id: Blob.ID, on server: PostgresLog) throws(MaintenanceError) {
    do throws(BlobError) { try BlobPieces(of: id, on: server).check() } catch {
      throw MaintenanceError(error, at: server.address.description)
    }
  }

  private func asked<R>(_ body: () throws(LogError) -> R) throws(MaintenanceError) -> R {
    try rethrow(body(), as: MaintenanceError.log)
  }
}

extension BlobStore {
  /// Creates the store from which the blobs of a server are copied into a directory: those in the database are read
  /// into it at once.
  fileprivate convenience init(copying server: PostgresLog, into directory: String) {
    self.init(of: server, in: directory, freeSpaceReserve: 0)
  }
}
