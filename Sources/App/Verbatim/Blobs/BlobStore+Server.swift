// Blobs of a log on a server, and copies of blobs between stores.
internal import EventLog
internal import EventLogPostgres
internal import Files

extension BlobStore {
  /// Creates the store of the blobs of a log: on its server, in the directory that all machines share, or in the
  /// workspace's directory. `directory` is that of the workspace, or of what this machine derives from the log.
  internal convenience init(of log: any Log, in directory: String, freeSpaceReserve: Int) {
    let server = log as? PostgresLog
    if let shared = server?.blobDirectory {
      self.init(in: shared, freeSpaceReserve: freeSpaceReserve, isShared: true)
    } else {
      self.init(
        in: directory, freeSpaceReserve: freeSpaceReserve, on: server, isEncrypted: log.genesis.isErasable)
    }
  }

  /// Stores the file of a blob on the server, if the log is on one.
  internal func upload(_ id: Blob.ID) throws(BlobError) {
    if let server { _ = try send(id, to: server) }
  }

  /// Copies a blob from the server, unless it is here or the log is on no server.
  internal func download(_ id: Blob.ID, checks: Bool = true) throws(BlobError) {
    guard let server, FileSystem.kind(at: filePath(of: id)) == .nothing else { return }
    let isThere = try asking(server) { () throws(LogError) in try server.hasBlob(id.bytes) }
    if isThere { try receive(id, BlobPieces(of: id, on: server, checks: checks)) }
  }

  /// Returns whether a blob's file is a damaged copy of what is on the server.
  internal func isDamagedCopy(_ id: Blob.ID) throws(BlobError) -> Bool {
    if server == nil || FileSystem.kind(at: filePath(of: id)) == .nothing { return false }
    do throws(BlobError) {
      try BlobPieces(of: id, at: filePath(of: id)).check()
      return false
    } catch {
      if case .damaged = error { return true }
      throw error
    }
  }

  /// Removes the file of a blob, which the server has.
  internal func removeFile(of id: Blob.ID) throws(BlobError) {
    try BlobError.storing(in: path) { () throws(FileError) in try FileSystem.remove(filePath(of: id)) }
  }

  /// Copies a blob to another store, unless it is there; on the way to a directory, its content is checked if `checks`
  /// is true, and it is on the disk once the folders are synced. Returns whether it was not there.
  ///
  /// The file of a log on a server is a copy of what is there: a damaged one is downloaded again.
  @discardableResult
  internal func copy(_ id: Blob.ID, to other: BlobStore, checks: Bool = true) throws(BlobError) -> Bool {
    try other.requireShared()
    do throws(BlobError) { return try copyFile(of: id, to: other, checks: checks) } catch {
      guard case .damaged = error, try isDamagedCopy(id) else { throw error }
    }
    try removeFile(of: id)
    return try copyFile(of: id, to: other, checks: checks)
  }

  private func copyFile(of id: Blob.ID, to other: BlobStore, checks: Bool) throws(BlobError) -> Bool {
    try download(id, checks: checks)
    guard FileSystem.kind(at: filePath(of: id)) != .nothing else { throw .notHere(id, path: path) }
    if let server = other.server { return try send(id, to: server) }
    if FileSystem.kind(at: other.filePath(of: id)) == .file { return false }
    try other.receive(id, BlobPieces(of: id, at: filePath(of: id), checks: checks))
    return true
  }

  /// Returns the ids of all blobs, on the server or in the directory.
  internal func allNames() throws(BlobError) -> [Blob.ID] {
    try requireShared()
    guard let server else { return try BlobError.storing(in: path) { () throws(FileError) in try names() } }
    return try asking(server) { () throws(LogError) in try server.blobs() }
      .compactMap { Blob.ID(String(decoding: $0, as: UTF8.self)) }
  }

  /// Stores the file of a blob on a server, unless the server has it; returns whether it was stored.
  private func send(_ id: Blob.ID, to server: PostgresLog) throws(BlobError) -> Bool {
    let path = filePath(of: id)
    var isStored = false
    let failure = try asking(server) { () throws(LogError) -> BlobError? in
      if try server.hasBlob(id.bytes) { return nil }
      isStored = true
      // Chunks stay on the server once they are stored, so the content is checked before.
      do throws(BlobError) { try BlobPieces(of: id, at: path).check() } catch { return error }
      var pieces: BlobPieces?
      return try server.storeBlob(id.bytes) { (number: Int) throws(BlobError) in
        if number == 0 { pieces = try BlobPieces(of: id, at: path) }
        if let piece = try pieces?.next() { return piece }
        // A blob of no bytes has one chunk without any, by which it is found.
        return number == 0 ? [] : nil
      }
    }
    if let failure { throw failure }
    return isStored
  }

  /// Stores pieces as the file of a blob.
  private func receive(_ id: Blob.ID, _ pieces: BlobPieces) throws(BlobError) {
    var file = try begin(0)
    while let piece = try pieces.next() {
      try requireRoom(for: piece.count)
      try BlobError.storing(in: path) { () throws(FileError) in
        try piece.span.bytes.withUnsafeBytes { bytes throws(FileError) in try file.write(bytes) }
      }
    }
    do throws(FileError) {
      try FileSystem.makeDirectory(folder(of: id))
      try file.finish(as: filePath(of: id))
    } catch {
      throw BlobError(error, storingIn: path)
    }
  }

  private func asking<R>(_ server: PostgresLog, _ body: () throws(LogError) -> R) throws(BlobError) -> R {
    do throws(LogError) { return try body() } catch {
      throw .storage(path: server.address.description, reason: error.description)
    }
  }

  /// Syncs the folders of blobs, the directory of the store, and the one that contains it.
  internal func syncFolders(of ids: [Blob.ID]) throws(FileError) {
    for folder in Set(ids.map { folder(of: $0) }) { try FileSystem.sync(folder) }
    if !ids.isEmpty { try FileSystem.sync(path) }
    try FileSystem.sync(directory)
  }

  /// Throws when the directory that all machines share is not there.
  internal func requireShared() throws(BlobError) {
    if isShared, FileSystem.kind(at: path) != .directory {
      throw .storage(path: path, reason: "all machines share this directory, and it is not there: mount it")
    }
  }
}

extension Blob.ID {
  /// The digits of the hash as bytes of text.
  internal var bytes: [UInt8] { Array(hash.utf8) }
}
