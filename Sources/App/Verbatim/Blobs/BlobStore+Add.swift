// Adding blobs to the store.
internal import Digests
internal import Errors
internal import Files

extension BlobStore {
  /// Adds a copy of a file, which is on the disk when this returns.
  ///
  /// One piece of the file at a time is in memory. `progress` receives the completed fraction, from 0 to 1, on the
  /// copying thread, which waits for it. Equal content is stored once: the copy replaces the existing file, which
  /// repairs a damaged one. In an erasable workspace each copy is encrypted with a new key, and equal content is stored
  /// each time.
  public func add(
    fileAt source: String, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(BlobError) -> Blob {
    try await offThread { store, isCancelled throws(BlobError) in
      guard !source.utf8.contains(0) else { throw .noFile(path: source) }
      let before = FileSystem.identity(ofFileNamed: source)
      var reader = try BlobReader(adding: source)
      guard let byteCount = reader.byteCount else { throw .notAFile(path: source) }
      var new = try NewBlob(in: store, byteCount: byteCount, isCancelled)
      while let piece = try reader.next(adding: source) {
        try new.add(piece)
        if new.byteCount < byteCount { progress(Double(new.byteCount) / Double(byteCount)) }
      }
      guard let after = FileSystem.identity(ofFileNamed: source) else { throw .noFile(path: source) }
      guard after == before else { throw .changed(path: source) }
      let blob = try new.finish()
      progress(1)
      return blob
    }
  }

  /// Adds bytes, which are on the disk when this returns, as with a file.
  public func add(_ bytes: [UInt8]) async throws(BlobError) -> Blob {
    try await offThread { store, isCancelled throws(BlobError) in
      try bytes.span.bytes.withUnsafeBytes { bytes throws(BlobError) in
        var new = try NewBlob(in: store, byteCount: bytes.count, isCancelled)
        for start in stride(from: 0, to: bytes.count, by: BlobReader.pieceCount) {
          try new.add(UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(BlobReader.pieceCount)))
        }
        return try new.finish()
      }
    }
  }
}

extension BlobStore {
  /// Adds the content of a blob of another store, which is on the disk when this returns.
  internal func add(_ id: Blob.ID, of other: BlobStore) throws(BlobError) -> Blob.ID {
    var new = try NewBlob(in: self, byteCount: 0, { false })
    try other.check(id, { false }) { bytes throws(BlobError) in try new.add(bytes) }
    return try new.finish().id
  }

  /// Returns the id that the content of an encrypted blob has where it is not encrypted.
  internal func contentID(of id: Blob.ID) throws(BlobError) -> Blob.ID {
    var hash = RunningHash()
    try check(id, { false }) { hash.add($0) }
    return Blob.ID(hash.finish())
  }
}

/// A blob that is being added; it leaves nothing behind unless it is finished.
private struct NewBlob: ~Copyable {
  private let store: BlobStore
  private let isCancelled: () -> Bool
  private var file: UnfinishedBlob
  /// The hash of the stored bytes.
  private var hash = RunningHash()
  private let key: SecretKey?
  private var cipher: BlobCipher?
  /// The number of bytes of the content.
  private(set) var byteCount = 0

  /// Starts a blob of about `byteCount` bytes if there is space for it.
  init(in store: BlobStore, byteCount: Int, _ isCancelled: @escaping () -> Bool) throws(BlobError) {
    (self.store, self.isCancelled) = (store, isCancelled)
    file = try store.begin(byteCount)
    key = store.isEncrypted ? .random() : nil
    cipher = nil
    if let key { cipher = BlobCipher(encryptingWith: key) }
  }

  /// Appends a piece.
  mutating func add(_ piece: UnsafeRawBufferPointer) throws(BlobError) {
    if isCancelled() { throw .cancelled }
    byteCount += piece.count
    guard var cipher = cipher.take() else { return try write(piece) }
    _ = try cipher.add(piece) { bytes throws(BlobError) in try write(bytes) }
    self.cipher = consume cipher
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(BlobError) {
    // Other writers may have filled the disk since.
    try store.requireRoom(for: bytes.count)
    try BlobError.storing(in: store.path) { () throws(FileError) in try file.write(bytes) }
    hash.add(bytes)
  }

  /// Moves the file to its final name, durably.
  consuming func finish() throws(BlobError) -> Blob {
    if let cipher = cipher.take() { _ = try cipher.finish { bytes throws(BlobError) in try write(bytes) } }
    if isCancelled() { throw .cancelled }
    let (store, byteCount) = (store, byteCount)
    let id = Blob.ID(hash.finish(), key: key)
    do throws(FileError) {
      try FileSystem.makeDirectory(store.folder(of: id))
      try file.finish(as: store.filePath(of: id))
      // Directories that existed are synced, too: the process that created them may have crashed before its fsync.
      try store.syncFolders(of: [id])
    } catch {
      throw BlobError(error, storingIn: store.path)
    }
    do throws(BlobError) { try store.upload(id) } catch {
      // A copy of what the server lacks; what another process has added is read from there.
      try? FileSystem.remove(store.filePath(of: id))
      throw error
    }
    return Blob(id: id, byteCount: byteCount)
  }
}

extension BlobStore {
  /// Creates a file for about `byteCount` bytes if there is space for them.
  internal func begin(_ byteCount: Int) throws(BlobError) -> UnfinishedBlob {
    try requireShared()
    let unfinished = path + "/unfinished"
    try BlobError.storing(in: path) { () throws(FileError) in
      try FileSystem.makeDirectory(path)
      try FileSystem.makeDirectory(unfinished)
    }
    UnfinishedBlob.removeAbandoned(in: unfinished)
    try requireRoom(for: byteCount)
    return try BlobError.storing(in: path) { () throws(FileError) in try UnfinishedBlob(in: unfinished) }
  }

  internal func requireRoom(for byteCount: Int) throws(BlobError) {
    guard let free = FileSystem.freeByteCount(at: path), free - freeSpaceReserve < byteCount else { return }
    throw .full(path: path)
  }
}

extension BlobReader {
  /// Opens a file that is added.
  fileprivate init(adding path: String) throws(BlobError) {
    self = try rethrow(BlobReader(named: path), as: { (error: FileError) in BlobError(error, reading: path) })
  }

  /// Returns the next piece of a file that is added; nil at the end.
  fileprivate mutating func next(adding path: String) throws(BlobError) -> UnsafeRawBufferPointer? {
    try rethrow(next(), as: { (error: FileError) in BlobError(error, reading: path) })
  }
}
