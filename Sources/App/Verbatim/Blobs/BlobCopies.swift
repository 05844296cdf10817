// The contents of attachments of a workspace's copy that is made block for block.
internal import Chat
package import EventLog
internal import EventLogPostgres
internal import Files

/// A copying of the blobs that blocks name, from the store of one log to that of another.
///
/// The names are encrypted in an erasable workspace: all blobs are copied that are there when a block is.
package struct BlobCopies {
  private let (blobs, copies): (BlobStore, BlobStore)
  private let log: any Log
  /// The head of the log when its blobs were listed last, if its content is encrypted.
  private var listed = Position.zero
  /// The blobs that were copied, or found in the copy, or could not be read.
  private var known: Set<Blob.ID> = []
  /// The number of blobs that were copied.
  package private(set) var count = 0
  /// The reasons for which blobs were not copied: they are missing or damaged, each a sentence.
  package private(set) var failures: [String] = []

  /// Creates the copying between two logs of a workspace at their paths or addresses; nil for logs of others.
  package init?(of log: any Log, at path: String, to copy: any Log, at other: String) {
    guard log.genesis.application == Workspace.application else { return nil }
    (blobs, copies) = (Self.store(of: log, at: path), Self.store(of: copy, at: other))
    self.log = log
  }

  /// Returns the store of the blobs of a log at its path or address.
  internal static func store(of log: any Log, at path: String) -> BlobStore {
    let directory = (log as? PostgresLog)?.derivedPath ?? FileSystem.resolved(path)
    return BlobStore(of: log, in: directory, freeSpaceReserve: 0)
  }

  /// Copies the blobs whose URLs are in a block, durably. One that is missing or damaged is noted in ``failures``.
  package mutating func copyBlobs(namedIn block: BlockView) throws(LogError) {
    do throws(BlobError) { try copy(try names(in: block)) } catch { throw .storage(StorageFailure(of: error)) }
  }

  /// Copies the blobs that are there and that the copy lacks, though it has the blocks up to a position, which name
  /// them: they were missing or damaged when these were copied. Ends early when the closure returns false, and returns
  /// whether it did not.
  ///
  /// The blocks are read only if the copy lacks a blob.
  package mutating func copyBlobs(
    namedThrough end: Position, while goesOn: () -> Bool
  ) throws(LogError) -> Bool {
    if end == .zero { return true }
    let lacking: [Blob.ID]
    do throws(BlobError) { lacking = try lackingNames() } catch { throw .storage(StorageFailure(of: error)) }
    var missed = log.genesis.isErasable ? lacking : []
    var unseen = log.genesis.isErasable ? [] : Set(lacking)
    if !unseen.isEmpty {
      try log.blocks(from: .first, .forward, checks: .full) { block in
        let names = block.bytes.withUnsafeBytes { Blob.ID.all(in: $0) }
        missed += names.filter { unseen.remove($0) != nil }
        return !unseen.isEmpty && block.last < end && goesOn() ? .next : .stop
      }
    }
    for id in missed {
      if !goesOn() { return false }
      do throws(BlobError) { try copy([id]) } catch { throw .storage(StorageFailure(of: error)) }
    }
    return goesOn() || missed.isEmpty
  }

  private mutating func copy(_ names: [Blob.ID]) throws(BlobError) {
    let names = names.filter { known.insert($0).inserted }
    for id in names {
      do throws(BlobError) {
        if try blobs.copy(id, to: copies) { count += 1 }
      } catch {
        switch error {
        case .notHere, .damaged: failures.append(error.description)
        default: throw error
        }
      }
    }
    if names.isEmpty || copies.server != nil { return }
    try BlobError.storing(in: copies.path) { () throws(FileError) in
      try copies.syncFolders(of: names.filter { FileSystem.kind(at: copies.filePath(of: $0)) == .file })
    }
  }
}

extension BlobCopies {
  /// Returns the blobs that are there and that the copy lacks.
  private func lackingNames() throws(BlobError) -> [Blob.ID] {
    let names = Set(try copies.allNames())
    return try blobs.allNames().filter { !names.contains($0) }
  }

  /// Returns the blobs that a block may name.
  private mutating func names(in block: BlockView) throws(BlobError) -> [Blob.ID] {
    guard log.genesis.isErasable else { return block.bytes.withUnsafeBytes { Blob.ID.all(in: $0) } }
    guard block.head.position > listed else { return [] }
    // A blob is there before the event that names it.
    do throws(LogError) { listed = try log.head().position } catch {
      throw .storage(path: blobs.path, reason: error.description)
    }
    return try blobs.allNames()
  }
}

extension Blob.ID {
  /// Returns the ids of all blob URLs in bytes, with the keys of encrypted blobs.
  package static func all(in bytes: UnsafeRawBufferPointer) -> [Blob.ID] {
    let scheme = Array(Self.scheme.utf8)
    var (ids, start) = ([Blob.ID](), 0)
    while start + scheme.count + digitCount <= bytes.count {
      guard bytes[start] == scheme[0], bytes[start..<start + scheme.count].elementsEqual(scheme) else {
        start += 1
        continue
      }
      start += scheme.count
      // An id with a key is twice as long, and a hyphen between.
      let ends = [start + 2 * digitCount + 1, start + digitCount].filter { $0 <= bytes.count }
      let found = ends.lazy.compactMap { Blob.ID(String(decoding: bytes[start..<$0], as: UTF8.self)) }
      if let id = found.first { ids.append(id) }
    }
    return ids
  }
}
