// What was attached, kept beside the log under the hash of its content.
public import Chat
internal import Digests
internal import LMDB
internal import Locks

/// A folder of blobs: the contents of what is attached to messages, each kept once and found by its hash.
///
/// What was added is on the disk when the call returns, and stays there. Any number of processes may add and read at
/// once. It does not know which messages a blob is attached to.
public final class BlobStore: Sendable {
  /// The folder in which they are kept; it is made with the first.
  public let path: String

  internal let directory: String
  internal let freeSpaceReserve: Int
  private let workers = WorkerPool(label: "verbatim.blobs", count: 4)

  /// The blobs of the workspace in a directory; so many bytes must stay free on its disk.
  internal init(in directory: String, freeSpaceReserve: Int) {
    (self.directory, path) = (directory, directory + "/blobs")
    self.freeSpaceReserve = max(0, freeSpaceReserve)
  }

  /// Where the content of a blob lies, for others to read; nil when it is not here.
  ///
  /// Whether its bytes are those that were added is not asked: ``verify(_:)`` does.
  public func path(of id: Blob.ID) -> String? {
    let path = place(of: id)
    return Files.kind(at: path) == .file ? path : nil
  }

  /// Where the content lies that the address in an attachment names; nil when it names no blob, or none that is here.
  public func path(of url: UserText) -> String? { Blob.ID(url: url).flatMap { path(of: $0) } }

  /// The content of a blob, when it is what was added.
  public func read(_ id: Blob.ID) async throws(BlobError) -> [UInt8] {
    try await offThread { store, isCancelled throws(BlobError) in
      var bytes: [UInt8] = []
      try store.check(id, isCancelled) { bytes.append(contentsOf: $0) }
      return bytes
    }
  }

  /// Reads a blob from end to end, and throws unless it is what was added.
  public func verify(_ id: Blob.ID) async throws(BlobError) {
    try await offThread { store, isCancelled throws(BlobError) in try store.check(id, isCancelled) { _ in } }
  }

  internal func check(
    _ id: Blob.ID, _ isCancelled: () -> Bool, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(BlobError) {
    let path = place(of: id)
    guard Files.kind(at: path) != .nothing else { throw .notHere(id, path: self.path) }
    var hash = RunningHash()
    do throws(LMDBError) {
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

  /// The folder of all blobs whose hash begins with the same byte.
  internal func folder(of id: Blob.ID) -> String { path + "/" + id.text.prefix(2) }

  internal func place(of id: Blob.ID) -> String { folder(of: id) + "/" + id.text }

  /// Runs what waits for the disk on a thread of its own kind, not on one of those that run tasks.
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
