// Blobs of a log on a server, of which the files here are copies.
internal import EventLog
internal import EventLogPostgres
internal import Files

extension BlobStore {
  /// Stores the file of a blob on the server, if the log is on one.
  internal func upload(_ id: Blob.ID) throws(BlobError) {
    guard let server else { return }
    let path = filePath(of: id)
    let failure: FileError?
    do throws(LogError) {
      var reader: BlobReader?
      failure = try server.storeBlob(id.bytes) { (number: Int) throws(FileError) in
        if number == 0 { reader = try BlobReader(stored: path) }
        if let piece = try reader?.next() { return Array(piece) }
        // A blob of no bytes has one chunk without any, by which it is found.
        return number == 0 ? [] : nil
      }
    } catch {
      throw .storage(path: server.address.description, reason: error.description)
    }
    if let failure { throw .storage(path: path, reason: failure.description) }
  }

  /// Copies a blob from the server, unless it is here or the log is on no server.
  internal func download(_ id: Blob.ID) throws(BlobError) {
    guard let server, FileSystem.kind(at: filePath(of: id)) == .nothing else { return }
    var number = 0
    func next() throws(BlobError) -> [UInt8]? {
      defer { number += 1 }
      do throws(LogError) { return try server.chunk(number, ofBlob: id.bytes) } catch {
        throw .storage(path: server.address.description, reason: error.description)
      }
    }
    guard var chunk = try next() else { return }
    var file = try begin(chunk.count)
    while true {
      try requireRoom(for: chunk.count)
      try BlobError.storing(in: path) { () throws(FileError) in
        try chunk.span.bytes.withUnsafeBytes { bytes throws(FileError) in try file.write(bytes) }
      }
      guard let more = try next() else { break }
      chunk = more
    }
    do throws(FileError) {
      try FileSystem.makeDirectory(folder(of: id))
      try file.finish(as: filePath(of: id))
    } catch {
      throw BlobError(error, storingIn: path)
    }
  }
}

extension Blob.ID {
  /// The id as bytes of text.
  internal var bytes: [UInt8] { Array(text.utf8) }
}
