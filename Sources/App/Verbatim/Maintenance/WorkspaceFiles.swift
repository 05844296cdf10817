// Maintenance of a workspace's files: backup, restore, compaction.
internal import Chat
internal import ContentKeys
public import EventLog
internal import Errors
internal import EventLogLMDB
internal import EventLogPostgres
internal import Files

/// The files of a workspace, which other processes may have open unless a method excludes it.
///
/// A backup needs the log, the checkpoints of the tables, the blobs and the seals. Index, tables and snapshots are
/// rebuilt from the log. A workspace on a server can be backed up into a directory, and a backup be restored to a
/// server: blocks, chain hash and blobs are the same.
public struct WorkspaceFiles: Sendable {
  /// The path of the workspace's directory, or the address of its log on a server, without a password.
  public let path: String
  /// The path, or the address with all that the connection needs.
  internal let location: String
  /// The directory of this machine for data derived from logs on servers, as in ``Configuration/cacheDirectory``.
  public var cacheDirectory: String?

  /// Creates a value for the workspace in a directory, possibly behind a symbolic link, or for that at the address of a
  /// server; opens nothing yet.
  public init(at path: String, cacheDirectory: String? = nil) {
    location = PostgresAddress.isAddress(path) ? path : FileSystem.resolved(path)
    self.path = PostgresAddress(path)?.description ?? location
    self.cacheDirectory = cacheDirectory
  }

  /// A step of progress.
  public enum Step: Hashable, Sendable {
    /// The log was checked up to a position.
    case checked(Position)
    /// A number of blobs was copied, of a total.
    case copied(blobs: Int, of: Int)
  }

  /// The outcome of a backup or a restore.
  public struct Copied: Hashable, Sendable {
    /// The head of the copied log.
    public let head: Head
    /// Whether checkpoints were copied.
    public let hasCheckpoints: Bool
    /// Whether the keys of an erasable workspace were copied, without the master key.
    public let hasKeys: Bool
    /// The number of copied blobs.
    public let blobs: Int
    /// The total size of the copied blobs in bytes.
    public let blobByteCount: Int
    /// Whether the copy was read completely and found intact.
    public let isVerified: Bool
  }

  /// Backs up the workspace into a new directory, while other processes go on: a consistent copy as of one moment.
  ///
  /// It is on the disk when this returns. Unless `verifies` is false, every block and every blob of the copy is read
  /// again, and the copy is removed if it is damaged.
  ///
  /// The keys of an erasable workspace are copied only if `hasKeys` is true, and the master key never is: without both,
  /// the content of the copy cannot be read.
  public func backUp(
    to directory: String, verifies: Bool = true, hasKeys: Bool = false, progress: (Step) -> Void = { _ in }
  ) throws(MaintenanceError) -> Copied {
    if let address {
      if hasKeys { throw .notErasable(path: path) }
      return try backUp(address, to: FileSystem.resolved(directory), verifies: verifies, progress)
    }
    let log = try openLog(at: path)
    defer { log.close() }
    if hasKeys, !log.genesis.isErasable { throw .notErasable(path: path) }
    let keys = hasKeys ? try rethrow(KeyCopy(of: path), as: MaintenanceError.opening(keys:)) : nil
    let directory = FileSystem.resolved(directory)
    return try making(directory) { () throws(MaintenanceError) in
      // Checkpoints are copied before the log, so that it contains their positions. A blob exists before the message
      // that names it, so blobs are copied after the log.
      let hasCheckpoints = try copyCheckpoints(to: directory)
      try copySeals(to: directory)
      try rethrow(log.copyData(to: directory + Self.incoming + "/log"), as: MaintenanceError.log)
      try rethrow(keys?.finish(in: directory), as: MaintenanceError.opening(keys:))
      return try finish(directory, blobNames(at: path), hasCheckpoints, verifies: verifies, progress)
    }
  }

  /// Verifies the backup at ``path`` and copies it into a new directory, or to a new log on a server, as a workspace.
  ///
  /// A restore to a server that was interrupted is continued when it is made again; one of an erasable workspace is
  /// refused, since a server has no keys. `blobDirectory` is that of
  /// ``Configuration/blobDirectory``, for a log that is created.
  public func restore(
    to directory: String, blobDirectory: String? = nil, progress: (Step) -> Void = { _ in }
  ) throws(MaintenanceError) -> Copied {
    try requireDirectory()
    let head = try verifiedHead(at: path, progress)
    let names = try blobNames(at: path)
    try verifyBlobs(at: path, names: names)
    if let address = PostgresAddress(directory) {
      return try restore(names, to: address, blobDirectory: blobDirectory, progress)
    }
    let directory = FileSystem.resolved(directory)
    return try making(directory) { () throws(MaintenanceError) in
      let hasCheckpoints = try copyCheckpoints(to: directory)
      try copySeals(to: directory)
      // A backup may be on read-only media, so it is not opened.
      try storing(directory) { () throws(FileError) in
        let incoming = directory + Self.incoming + "/log"
        try FileSystem.makeDirectory(incoming)
        try FileSystem.copy(path + "/log/data.mdb", to: incoming + "/data.mdb")
        try FileSystem.sync(incoming + "/data.mdb")
        guard try FileSystem.isFile(at: path + "/keys") else { return }
        try FileSystem.copy(path + "/keys", to: directory + "/keys")
        try FileSystem.sync(directory + "/keys")
      }
      try rethrow(
        LMDBLog.removeIncompleteCommit(ofLogAt: path, fromCopyAt: directory + Self.incoming),
        as: MaintenanceError.opening(log:))
      return try finish(directory, names, hasCheckpoints, head, verifies: true, progress)
    }
  }

  /// Compacts the log's file: rewrites it without its free pages, while no process has it open; returns its size in
  /// bytes before and after.
  public func compact(progress: (Step) -> Void = { _ in }) throws(MaintenanceError) -> (before: Int, after: Int) {
    try requireDirectory()
    return try rethrow(LMDBLog.compact(logAt: path) { progress(.checked($0)) }, as: MaintenanceError.compaction)
  }

  /// The address of the log, if it is on a server.
  internal var address: PostgresAddress? { PostgresAddress(location) }

  private func requireDirectory() throws(MaintenanceError) {
    if address != nil { throw .notADirectory(path: path) }
  }
}

extension MaintenanceError {
  /// Creates the error for a blob of a workspace at a path.
  internal init(_ error: BlobError, at path: String) {
    switch error {
    case .damaged, .undecryptable, .notHere, .noFile, .notAFile: self = .damaged(path: path, reason: error.description)
    // What could not be read or copied may be intact.
    case .storage(let path, let reason), .unreadable(let path, let reason), .notCopied(let path, let reason):
      self = .storage(path: path, reason: reason)
    case .full(let path): self = .storage(path: path, reason: "its disk is full")
    case .changed(let path): self = .storage(path: path, reason: "it changed while it was copied")
    case .cancelled: self = .storage(path: path, reason: "its task was cancelled")
    }
  }

  internal static func opening(keys error: KeyError) -> MaintenanceError { .opening(.keys(error)) }

  internal static func opening(log error: OpenError) -> MaintenanceError { .opening(.log(error)) }

  fileprivate static func compaction(_ error: CompactError) -> MaintenanceError {
    switch error {
    case .opening(let error): .opening(log: error)
    case .log(let error): .log(error)
    case .inUse, .moved: .compacting(error)
    }
  }
}

// MARK: The log

extension WorkspaceFiles {
  internal static let incoming = "/incoming"

  internal func openLog(at path: String) throws(MaintenanceError) -> LMDBLog {
    var options = LMDBLog.Options()
    options.allowsReadOnly = true
    return try ofWorkspace(
      rethrow(LMDBLog.open(at: path, options: options), as: MaintenanceError.opening(log:)), at: path)
  }

  /// Returns an opened log; closes it and throws if it is that of another application.
  internal func ofWorkspace<Opened: Log>(_ log: Opened, at path: String) throws(MaintenanceError) -> Opened {
    let application = log.genesis.application
    if application == Workspace.application { return log }
    log.close()
    throw .opening(.otherApplication(path: path, application))
  }

  /// Returns whether a directory has what an interrupted backup or restore left, in which no log is.
  static func isInterrupted(_ directory: String) -> Bool {
    FileSystem.kind(at: directory + incoming) == .directory && FileSystem.kind(at: directory + "/log") == .nothing
  }

  /// Moves the log to its place after everything was copied and verified: an interrupted copy has none. From here on,
  /// the directory is a workspace that other processes may use.
  internal func moveLog(in directory: String) throws(MaintenanceError) {
    try storing(directory) { () throws(FileError) in
      try FileSystem.rename(directory + Self.incoming + "/log", to: directory + "/log")
      for path in ["/log", ""] { try FileSystem.sync(directory + path) }
    }
    try? FileSystem.removeTree(directory + Self.incoming)
  }

  private func verifiedHead(at path: String, _ progress: (Step) -> Void) throws(MaintenanceError) -> Head {
    let report = try rethrow(
      LogCheck.verify(logAt: path) { progress(.checked($0)) }, as: MaintenanceError.opening(log:))
    // A damaged index is rebuilt, and is not copied.
    let findings = report.findings.filter { $0.location != .index }
    if let finding = findings.first { throw .damaged(path: path, reason: finding.description) }
    guard let head = report.head else { throw .damaged(path: path, reason: "its log has no last block.") }
    return head
  }

  /// Copies the blobs, and moves the copied log to its place; throws if it has another head than a given one.
  private func finish(
    _ directory: String, _ names: [Blob.ID], _ hasCheckpoints: Bool, _ head: Head? = nil, verifies: Bool,
    _ progress: (Step) -> Void
  ) throws(MaintenanceError) -> Copied {
    let (blobs, copies) = (BlobStore(in: path, freeSpaceReserve: 0), BlobStore(in: directory, freeSpaceReserve: 0))
    let byteCount = try copy(names, from: blobs, to: copies, checks: verifies, progress)
    let copied = try report(directory, names, byteCount, hasCheckpoints, verifies: verifies, progress)
    if let head, copied.head != head {
      throw .damaged(
        path: directory, reason: "it changed while it was copied: end the processes that have the backup open.")
    }
    try moveLog(in: directory)
    return copied
  }

  /// Returns the report of a copy whose log is not in its place yet, and verifies it unless `verifies` is false.
  internal func report(
    _ directory: String, _ names: [Blob.ID], _ byteCount: Int, _ hasCheckpoints: Bool, verifies: Bool,
    _ progress: (Step) -> Void
  ) throws(MaintenanceError) -> Copied {
    if verifies {
      _ = try verifiedHead(at: directory + Self.incoming, progress)
      try verifyBlobs(at: directory, names: names)
    }
    let log = try openLog(at: directory + Self.incoming)
    defer { log.close() }
    return Copied(
      head: try rethrow(log.head(), as: MaintenanceError.log), hasCheckpoints: hasCheckpoints,
      hasKeys: ContentKeys.isThere(in: directory), blobs: names.count, blobByteCount: byteCount,
      isVerified: verifies)
  }
}

// MARK: Checkpoints and blobs

extension WorkspaceFiles {
  private func copyCheckpoints(to directory: String) throws(MaintenanceError) -> Bool {
    try storing(directory) { () throws(FileError) in
      guard try FileSystem.isFile(at: path + "/projections/checkpoints") else { return false }
      try FileSystem.makeDirectory(directory + "/projections")
      try FileSystem.copy(path + "/projections/checkpoints", to: directory + "/projections/checkpoints")
      for path in ["/projections/checkpoints", "/projections", ""] { try FileSystem.sync(directory + path) }
      return true
    }
  }

  /// Copies the seals: before the log, so that it has their events.
  private func copySeals(to directory: String) throws(MaintenanceError) {
    try storing(directory) { () throws(FileError) in
      guard try FileSystem.isDirectory(at: path + "/seals") else { return }
      try FileSystem.makeDirectory(directory + "/seals")
      for name in try FileSystem.names(in: path + "/seals").sorted() where SealDirectory.isFile(name) {
        try FileSystem.copy(path + "/seals/" + name, to: directory + "/seals/" + name)
        try FileSystem.sync(directory + "/seals/" + name)
      }
      for path in ["/seals", ""] { try FileSystem.sync(directory + path) }
    }
  }

  /// Returns the stored blobs in order, without unfinished ones.
  internal func blobNames(at path: String) throws(MaintenanceError) -> [Blob.ID] {
    try storing(path) { () throws(FileError) in try BlobStore(in: path, freeSpaceReserve: 0).names() }
  }

  /// Copies blobs between stores, durably, and checks them meanwhile unless `checks` is false; returns their total size
  /// in bytes.
  internal func copy(
    _ names: [Blob.ID], from blobs: BlobStore, to copies: BlobStore, checks: Bool = true, _ progress: (Step) -> Void
  ) throws(MaintenanceError) -> Int {
    var byteCount = 0
    for (number, id) in names.enumerated() {
      do throws(BlobError) { try blobs.copy(id, to: copies, checks: checks) } catch {
        throw MaintenanceError(error, at: blobs.path)
      }
      byteCount += FileSystem.size(of: blobs.filePath(of: id))
      progress(.copied(blobs: number + 1, of: names.count))
    }
    if copies.server == nil {
      try storing(copies.directory) { () throws(FileError) in try copies.syncFolders(of: names) }
    }
    return byteCount
  }

  internal func verifyBlobs(at path: String, names: [Blob.ID]) throws(MaintenanceError) {
    let store = BlobStore(in: path, freeSpaceReserve: 0)
    for id in names {
      _ = try storing(path) { () throws(FileError) in try FileSystem.isFile(at: store.filePath(of: id)) }
      do throws(BlobError) { try store.check(id, { false }) { _ in } } catch {
        if case .storage(_, let reason) = error { throw .storage(path: store.filePath(of: id), reason: reason) }
        throw MaintenanceError(error, at: path)
      }
    }
  }
}

// MARK: Directories

extension WorkspaceFiles {
  /// Runs the closure with a new directory and ``incoming`` in it; both are removed if the closure throws before the
  /// log is in its place.
  internal func making<R>(_ directory: String, _ body: () throws(MaintenanceError) -> R) throws(MaintenanceError) -> R {
    let incoming = directory + Self.incoming
    let isTaken = try storing(directory) { () throws(FileError) -> Bool in
      switch FileSystem.kind(at: directory) {
      case .directory: if try !FileSystem.names(in: directory).isEmpty { return true }
      case .file, .special: return true
      case .nothing, .unreachable: try FileSystem.makeDirectory(directory)
      }
      // Of several processes that found the directory empty, the one that creates this goes on.
      guard try FileSystem.makeNewDirectory(incoming) else { return true }
      if try FileSystem.names(in: directory).count == 1 { return false }
      try FileSystem.removeDirectory(incoming)
      return true
    }
    if isTaken { throw .taken(path: directory) }
    do throws(MaintenanceError) {
      let result = try body()
      try storing(directory) { () throws(FileError) in try FileSystem.syncAbove(directory + "/..") }
      return result
    } catch {
      // A workspace whose log is in its place may be in use, also if another process made it.
      let isWorkspace = FileSystem.kind(at: directory + "/log") != .nothing
      try? FileSystem.removeTree(isWorkspace ? incoming : directory)
      throw error
    }
  }

  internal func storing<R>(_ directory: String, _ body: () throws(FileError) -> R) throws(MaintenanceError) -> R {
    try rethrow(
      body(),
      as: { (error: FileError) in
        error.unexpectedFile.map { MaintenanceError.unexpectedFile($0.description) }
          ?? .storage(path: directory, reason: error.description)
      })
  }
}
