// Adding to the blobs.
internal import Digests
internal import LMDB

extension BlobStore {
  /// Adds a copy of a file; it is on the disk when this returns.
  ///
  /// Of the file, a piece at a time is in memory. `progress` is told how much is done, from 0 to 1, on the thread that
  /// copies; the copy waits for it. A content that is here already is kept once: the copy takes the place of what was
  /// here, so that what was damaged is whole again.
  public func add(
    fileAt source: String, progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(BlobError) -> Blob {
    try await offThread { store, isCancelled throws(BlobError) in
      guard !source.utf8.contains(0) else { throw .noFile(path: source) }
      let before = Files.identity(ofFileNamed: source)
      var reader = try BlobReader(adding: source)
      guard let byteCount = reader.byteCount else { throw .notAFile(path: source) }
      var new = try NewBlob(in: store, byteCount: byteCount, isCancelled)
      while let piece = try reader.next(adding: source) {
        try new.add(piece)
        if new.byteCount < byteCount { progress(Double(new.byteCount) / Double(byteCount)) }
      }
      guard let after = Files.identity(ofFileNamed: source) else { throw .noFile(path: source) }
      guard after == before else { throw .changed(path: source) }
      let blob = try new.finish()
      progress(1)
      return blob
    }
  }

  /// Adds bytes; they are on the disk when this returns. As with a file, a content is kept once.
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

/// A blob that is being added, and leaves nothing behind unless it is finished.
private struct NewBlob: ~Copyable {
  private let store: BlobStore
  private let isCancelled: () -> Bool
  private var file: UnfinishedBlob
  private var hash: RunningHash
  private(set) var byteCount = 0

  /// Begins one of about so many bytes, when there is room for it.
  init(in store: BlobStore, byteCount: Int, _ isCancelled: @escaping () -> Bool) throws(BlobError) {
    (self.store, self.isCancelled) = (store, isCancelled)
    file = try store.begin(byteCount)
    hash = RunningHash()
  }

  /// Adds what comes next.
  mutating func add(_ piece: UnsafeRawBufferPointer) throws(BlobError) {
    if isCancelled() { throw .cancelled }
    // Others may have filled the disk meanwhile.
    try store.requireRoom(for: piece.count)
    do throws(LMDBError) { try file.write(piece) } catch { throw BlobError(error, storingIn: store.path) }
    hash.add(piece)
    byteCount += piece.count
  }

  /// Gives it its name, durably.
  consuming func finish() throws(BlobError) -> Blob {
    if isCancelled() { throw .cancelled }
    let (store, byteCount) = (store, byteCount)
    let id = Blob.ID(hash.finish())
    do throws(LMDBError) {
      try Files.makeDirectory(store.folder(of: id))
      try file.finish(as: store.place(of: id))
      // Also what was there before: who made it may not have come to this point.
      for directory in [store.folder(of: id), store.path, store.directory] { try Files.sync(directory) }
    } catch {
      throw BlobError(error, storingIn: store.path)
    }
    return Blob(id: id, byteCount: byteCount)
  }
}

extension BlobStore {
  /// Makes a file for about so many bytes, when there is room for them.
  fileprivate func begin(_ byteCount: Int) throws(BlobError) -> UnfinishedBlob {
    let unfinished = path + "/unfinished"
    do throws(LMDBError) {
      try Files.makeDirectory(path)
      try Files.makeDirectory(unfinished)
    } catch {
      throw BlobError(error, storingIn: path)
    }
    UnfinishedBlob.removeAbandoned(in: unfinished)
    try requireRoom(for: byteCount)
    do throws(LMDBError) { return try UnfinishedBlob(in: unfinished) } catch {
      throw BlobError(error, storingIn: path)
    }
  }

  fileprivate func requireRoom(for byteCount: Int) throws(BlobError) {
    guard let free = Files.freeByteCount(at: path), free - freeSpaceReserve < byteCount else { return }
    throw .full(path: path)
  }
}

extension BlobReader {
  /// Opens a file that is to be added.
  fileprivate init(adding path: String) throws(BlobError) {
    do throws(LMDBError) { self = try BlobReader(named: path) } catch { throw BlobError(error, reading: path) }
  }

  /// The next piece of a file that is to be added; nil at the end.
  fileprivate mutating func next(adding path: String) throws(BlobError) -> UnsafeRawBufferPointer? {
    do throws(LMDBError) { return try next() } catch { throw BlobError(error, reading: path) }
  }
}
