// A content-addressed store of attachments beside the log.
public import Chat
internal import Digests
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
  private let workers = WorkerPool(label: "verbatim.blobs", count: 4)

  /// Creates the store of the workspace in a directory; `freeSpaceReserve` bytes must stay free on its disk.
  internal init(in directory: String, freeSpaceReserve: Int, on server: PostgresLog? = nil, isShared: Bool = false) {
    (self.server, self.isShared) = (server, isShared)
    (self.directory, path) = (directory, directory + "/blobs")
    self.freeSpaceReserve = max(0, freeSpaceReserve)
  }

  /// Returns the path of a blob's file, for other readers; nil if the blob is not in the store.
  ///
  /// It does not check the content: ``verify(_:)`` does. A blob that is only on the server is copied first.
  public func path(of id: Blob.ID) -> String? {
    try? download(id)
    let path = filePath(of: id)
    return FileSystem.kind(at: path) == .file ? path : nil
  }

  /// Returns the path of the blob that an attachment's URL names; nil if the URL names no blob or none in the store.
  public func path(of url: UserText) -> String? { Blob.ID(url: url).flatMap { path(of: $0) } }

  /// Returns the content of a blob; throws if it is damaged.
  public func read(_ id: Blob.ID) async throws(BlobError) -> [UInt8] {
    try await offThread { store, isCancelled throws(BlobError) in
      var bytes: [UInt8] = []
      try store.check(id, isCancelled) { bytes.append(contentsOf: $0) }
      return bytes
    }
  }

  /// Reads a whole blob, and throws if it is damaged.
  public func verify(_ id: Blob.ID) async throws(BlobError) {
    try await offThread { store, isCancelled throws(BlobError) in try store.check(id, isCancelled) { _ in } }
  }

  internal func check(
    _ id: Blob.ID, _ isCancelled: () -> Bool, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(BlobError) {
    try requireShared()
    try download(id)
    let path = filePath(of: id)
    guard FileSystem.kind(at: path) != .nothing else { throw .notHere(id, path: self.path) }
    var hash = RunningHash()
    do throws(FileError) {
      var reader = try BlobReader(stored: path)
      while let piece = try reader.next(), !isCancelled() {
        hash.add(piece)
        take(piece)
      }
    } catch {
      throw .storage(path: self.path, reason: error.description)
    }
    if isCancelled() { throw .cancelled }
    guard Blob.ID(hash.finish()) == id else { throw .damaged(id, path: path) }
  }

  /// Returns the directory of all blobs whose hash begins with the same byte.
  internal func folder(of id: Blob.ID) -> String { path + "/" + id.text.prefix(2) }

  internal func filePath(of id: Blob.ID) -> String { folder(of: id) + "/" + id.text }

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
