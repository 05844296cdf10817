// A content-addressed store of attachments beside the log.
public import Chat
internal import Digests
internal import Errors
internal import EventLogPostgres
internal import Files
internal import Locks

/// A directory of blobs: the contents of attachments, each stored once under its hash.
///
/// Where the log is on a server, blobs are stored there, and the directory has copies of those that this machine added
/// or read; or in a directory that all machines share.
///
/// An added blob is on the disk when the call returns, and stays there. Any number of processes may add and read
/// concurrently. The store does not know which messages use a blob.
public final class BlobStore: Sendable {
  /// The directory of the blobs; it is created with the first blob.
  public let path: String

  internal let directory: String
  internal let freeSpaceReserve: Int
  /// The log on a server that has the blobs; nil for a log in a directory.
  internal let server: PostgresLog?
  /// Whether the directory is that of a log on a server, shared by all machines, and was created with the log.
  internal let isShared: Bool
  /// Whether blobs that are added are encrypted.
  internal let isEncrypted: Bool
  private let workers = WorkerPool(label: "verbatim.blobs", count: 4)

  /// Creates the store of the workspace in a directory; `freeSpaceReserve` bytes must stay free on its disk.
  internal init(
    in directory: String, freeSpaceReserve: Int, on server: PostgresLog? = nil, isShared: Bool = false,
    isEncrypted: Bool = false
  ) {
    (self.server, self.isShared, self.isEncrypted) = (server, isShared, isEncrypted)
    (self.directory, path) = (directory, directory + "/blobs")
    self.freeSpaceReserve = max(0, freeSpaceReserve)
  }

  /// Returns the path of a blob's file, for other readers; nil if the blob is not in the store, or is encrypted.
  ///
  /// It does not check the content: ``verify(_:)`` does. A blob that is only on the server is copied first. The content
  /// of an encrypted blob is in no file: use ``read(_:)`` or ``copy(_:toFileAt:)``.
  public func path(of id: Blob.ID) -> String? {
    if id.key != nil { return nil }
    try? download(id)
    let path = filePath(of: id)
    return FileSystem.kind(at: path) == .file ? path : nil
  }

  /// Returns the path of the blob that an attachment's URL names; nil if the URL names no blob, none in the store, or
  /// an encrypted one.
  public func path(of url: UserText) -> String? { Blob.ID(url: url).flatMap { path(of: $0) } }

  /// Returns the content of a blob; throws if it is damaged.
  public func read(_ id: Blob.ID) async throws(BlobError) -> [UInt8] {
    try await offThread { store, isCancelled throws(BlobError) in
      var content: [UInt8] = []
      try store.check(id, isCancelled) { bytes throws(BlobError) in content.append(contentsOf: bytes) }
      return content
    }
  }

  /// Copies the content of a blob to a new file, which is on the disk when this returns; throws if the blob is damaged,
  /// and leaves no file behind.
  public func copy(_ id: Blob.ID, toFileAt path: String) async throws(BlobError) {
    try await offThread { store, isCancelled throws(BlobError) in
      let path = FileSystem.resolvedDirectory(of: path)
      switch FileSystem.kind(at: path) {
      case .nothing: break
      case .unreachable: throw .notCopied(path: path, reason: "its directory cannot be reached")
      default: throw .notCopied(path: path, reason: "it exists")
      }
      let (directory, failure) = (FileSystem.parent(of: path), BlobError.writing(path))
      var file = try rethrow(UnfinishedBlob(in: directory), as: failure)
      try store.check(id, isCancelled) { bytes throws(BlobError) in try rethrow(file.write(bytes), as: failure) }
      do throws(FileError) {
        try file.finish(as: path)
        try FileSystem.sync(directory)
      } catch {
        throw failure(error)
      }
    }
  }

  /// Reads a whole blob, and throws if it is damaged.
  public func verify(_ id: Blob.ID) async throws(BlobError) {
    try await offThread { store, isCancelled throws(BlobError) in try store.check(id, isCancelled) { _ in } }
  }

  /// Lends the content of a blob in pieces, and throws at the end if it is damaged.
  internal func check(
    _ id: Blob.ID, _ isCancelled: () -> Bool, _ take: (UnsafeRawBufferPointer) throws(BlobError) -> Void
  ) throws(BlobError) {
    try requireShared()
    let path = filePath(of: id)
    // One that is downloaded is checked on the way.
    if try isDamagedCopy(id) { try removeFile(of: id) }
    try download(id)
    guard FileSystem.kind(at: path) != .nothing else { throw .notHere(id, path: self.path) }
    var hash = RunningHash()
    var cipher: BlobCipher?
    var isDecrypted = true
    if let key = id.key.flatMap({ SecretKey(hexadecimal: $0) }) { cipher = BlobCipher(decryptingWith: key) }
    var reader = try rethrow(BlobReader(stored: path), as: BlobError.reading(in: self.path))
    while let piece = try reader.next(storedIn: self.path), !isCancelled() {
      hash.add(piece)
      if cipher == nil { try take(piece) }
      if isDecrypted { isDecrypted = try cipher?.add(piece, take) != false }
    }
    if isCancelled() { throw .cancelled }
    if let cipher = cipher.take(), isDecrypted { isDecrypted = try cipher.finish(take) }
    guard hash.finish().description == id.hash else { throw .damaged(id, path: path) }
    guard isDecrypted else { throw .undecryptable(id, path: path) }
  }

  /// Returns the ids of all blobs in the directory, in order.
  internal func names() throws(FileError) -> [Blob.ID] {
    guard try FileSystem.isDirectory(at: path) else { return [] }
    var names: [Blob.ID] = []
    for folder in try FileSystem.names(in: path).sorted() where folder.utf8.count == 2 {
      names += try FileSystem.names(in: path + "/" + folder).sorted().compactMap { Blob.ID($0) }
    }
    return names
  }

  /// Returns the directory of all blobs whose hash begins with the same byte.
  internal func folder(of id: Blob.ID) -> String { path + "/" + id.hash.prefix(2) }

  internal func filePath(of id: Blob.ID) -> String { folder(of: id) + "/" + id.hash }

  /// Runs a blocking closure on a worker thread rather than on a thread of the task executor.
  internal func offThread<R: Sendable>(
    _ body: @escaping @Sendable (BlobStore, _ isCancelled: @escaping () -> Bool) throws(BlobError) -> R
  ) async throws(BlobError) -> R {
    let cancelled = Locked(false)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        workers.run {
          let isCancelled = { cancelled.withLock { $0 } }
          continuation.resume(returning: Result { () throws(BlobError) in try body(self, isCancelled) })
        }
      }
    } onCancel: {
      cancelled.withLock { $0 = true }
    }
    return try result.get()
  }
}
