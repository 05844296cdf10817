// The content of a blob in pieces, checked while it is copied.
internal import Digests
internal import Errors
internal import EventLog
internal import EventLogPostgres
internal import Files

/// The pieces of a stored blob. After the last one its hash is compared, if it is to be checked: then a copy of a
/// damaged blob is never finished.
internal final class BlobPieces {
  private let id: Blob.ID
  private let path: String
  /// The file that is read; nil for a blob on a server.
  private var reader: BlobReader?
  private let server: PostgresLog?
  /// The number of pieces read.
  private var count = 0
  /// The hash of the pieces read; nil for a blob that is not checked.
  private var hash: RunningHash?

  /// Opens a blob's file.
  init(of id: Blob.ID, at path: String, checks: Bool = true) throws(BlobError) {
    (self.id, self.path, server) = (id, path, nil)
    hash = checks ? RunningHash() : nil
    reader = try rethrow(BlobReader(stored: path), as: BlobError.reading(in: path))
  }

  /// Begins with a blob on a server.
  init(of id: Blob.ID, on server: PostgresLog, checks: Bool = true) {
    (self.id, self.server, path) = (id, server, server.address.description)
    hash = checks ? RunningHash() : nil
  }

  /// Returns the next piece; nil after the last, if the blob is undamaged.
  func next() throws(BlobError) -> [UInt8]? {
    if let piece = try read() {
      count += 1
      piece.withUnsafeBytes { hash?.add($0) }
      return piece
    }
    if let found = hash.take(), found.finish().description != id.hash { throw .damaged(id, path: path) }
    return nil
  }

  /// Reads the rest, and throws if the blob is damaged.
  func check() throws(BlobError) { while try next() != nil {} }

  private func read() throws(BlobError) -> [UInt8]? {
    if let server {
      do throws(LogError) { return try server.chunk(count, ofBlob: id.bytes) } catch {
        throw .storage(path: path, reason: error.description)
      }
    }
    return try reader?.next(storedIn: path).map { Array($0) }
  }
}
