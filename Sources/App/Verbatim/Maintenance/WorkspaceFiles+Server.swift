// Backup and restore of a workspace whose log is on a server.
internal import Chat
internal import Digests
internal import EventLog
internal import EventLogLMDB
internal import EventLogPostgres
internal import Errors
internal import Files

extension WorkspaceFiles {
  /// Backs up the workspace of a log on a server into a new directory.
  internal func backUp(
    _ address: PostgresAddress, to directory: String, verifies: Bool, _ progress: (Step) -> Void
  ) throws(MaintenanceError) -> Copied {
    let server = try open(address, PostgresLog.Options())
    defer { server.close() }
    return try making(directory) { () throws(MaintenanceError) in
      let options = LMDBLog.Options(creates: true, genesis: server.genesis)
      let log = try rethrow(LMDBLog.open(at: directory, options: options), as: MaintenanceError.opening(log:))
      defer { log.close() }
      var copying = try copying(server, to: log, at: directory)
      try copyBlocks(&copying, progress)
      // A blob exists before the message that names it, so blobs are copied after the log.
      let (names, blobs) = (try names(of: server), BlobStore(in: directory, freeSpaceReserve: 0, on: server))
      for (number, id) in names.enumerated() {
        try rethrow(blobs.download(id), as: MaintenanceError.blobs(of: blobs))
        progress(.copied(blobs: number + 1, of: names.count))
      }
      try storing(directory) { () throws(FileError) in
        for folder in Set(names.map { blobs.folder(of: $0) }) { try FileSystem.sync(folder) }
        if !names.isEmpty { try FileSystem.sync(blobs.path) }
        try FileSystem.sync(directory)
      }
      return try report(directory, names, blobs.byteCount(of: names), false, verifies: verifies, progress)
    }
  }

  /// Copies the verified backup at ``path`` to a server, and verifies what is stored there.
  internal func restore(
    _ names: [Blob.ID], to address: PostgresAddress, _ progress: (Step) -> Void
  ) throws(MaintenanceError) -> Copied {
    let log = try openLog(at: path)
    defer { log.close() }
    let server = try open(address, PostgresLog.Options(creates: true, genesis: log.genesis))
    defer { server.close() }
    var copying = try copying(log, to: server, at: address.description)
    let blobs = BlobStore(in: path, freeSpaceReserve: 0, on: server)
    // The other way round, a reader of the server would see messages whose attachments are not there yet.
    for (number, id) in names.enumerated() {
      try rethrow(blobs.upload(id), as: MaintenanceError.blobs(of: blobs))
      progress(.copied(blobs: number + 1, of: names.count))
    }
    try copyBlocks(&copying, progress)
    let report = try asked { () throws(LogError) in try server.verify { progress(.checked($0)) } }
    if let finding = report.findings.first {
      throw .damaged(path: address.description, reason: finding.description)
    }
    for id in names { try verify(id, on: server) }
    return Copied(
      head: copying.end, hasCheckpoints: false, blobs: names.count,
      blobByteCount: blobs.byteCount(of: names), isVerified: true)
  }

  private func open(
    _ address: PostgresAddress, _ options: PostgresLog.Options
  ) throws(MaintenanceError) -> PostgresLog {
    var options = options
    options.cacheDirectory = cacheDirectory
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

  private func names(of server: PostgresLog) throws(MaintenanceError) -> [Blob.ID] {
    try asked { () throws(LogError) in try server.blobs() }.compactMap { Blob.ID(String(decoding: $0, as: UTF8.self)) }
  }

  /// Reads a blob from the server, and throws if it has another content.
  private func verify(_ id: Blob.ID, on server: PostgresLog) throws(MaintenanceError) {
    var hash = RunningHash()
    var number = 0
    while let chunk = try asked({ () throws(LogError) in try server.chunk(number, ofBlob: id.bytes) }) {
      chunk.withUnsafeBytes { hash.add($0) }
      number += 1
    }
    guard Blob.ID(hash.finish()) == id else {
      let path = server.address.description
      throw .damaged(path: path, reason: BlobError.damaged(id, path: path).description)
    }
  }

  private func asked<R>(_ body: () throws(LogError) -> R) throws(MaintenanceError) -> R {
    try rethrow(body(), as: MaintenanceError.log)
  }
}

extension BlobStore {
  fileprivate func byteCount(of names: [Blob.ID]) -> Int {
    names.reduce(0) { $0 + FileSystem.size(of: filePath(of: $1)) }
  }
}

extension MaintenanceError {
  fileprivate static func blobs(of store: BlobStore) -> (BlobError) -> MaintenanceError {
    { error in
      if case .storage(let path, let reason) = error { return .storage(path: path, reason: reason) }
      return .damaged(path: store.path, reason: error.description)
    }
  }
}
