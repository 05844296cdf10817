// The contents of attachments of a workspace that becomes an erasable one.
internal import Chat
package import EventLog
internal import Files

/// An encryption of the blobs that the events of a workspace name, for an erasable workspace with the same events.
package struct EncryptedBlobCopies {
  private let (blobs, copies): (BlobStore, BlobStore)
  /// The URLs of the encrypted copies, by those of the blobs.
  package private(set) var urls: [String: String] = [:]
  /// The encrypted blobs that events of an interrupted encryption name.
  private var known: Set<Blob.ID> = []
  /// The last event of an interrupted encryption.
  private var written = Position.zero
  /// The URLs that events of an interrupted encryption name, of those that name a blob without a key.
  private var writtenURLs: [Position: Set<String>] = [:]
  /// The blobs that the events of the erasable workspace name without a key.
  private var unencrypted: Set<Blob.ID> = []
  /// The blobs that could not be read.
  private var unreadable: Set<Blob.ID> = []
  /// The reasons for which blobs were not encrypted, each a sentence.
  package private(set) var failures: [String] = []

  /// The number of encrypted blobs.
  package var count: Int { urls.count }

  /// Creates the encryption of the blobs of a workspace in a directory or of a log on a server, for the workspace in
  /// another directory.
  package init(from path: String, on server: (any Log)?, into directory: String) {
    blobs =
      server.map { BlobCopies.store(of: $0, at: path) } ?? BlobStore(in: FileSystem.resolved(path), freeSpaceReserve: 0)
    copies = BlobStore(in: FileSystem.resolved(directory), freeSpaceReserve: 0, isEncrypted: true)
  }

  /// Continues an interrupted encryption, given an event of the erasable workspace.
  package mutating func addKnown(namedBy event: RecordedEvent) throws(BlobError) {
    let ids = ids(in: event.payload)
    for id in ids where id.key != nil && known.insert(id).inserted {
      urls[try copies.contentID(of: id).url.string] = id.url.string
    }
    written = event.position
    if ids.contains(where: { $0.key == nil }) { writtenURLs[event.position] = Set(ids.map(\.url.string)) }
    addUnencrypted(namedIn: event.payload, at: event.position)
  }

  /// Returns the URLs that replace those in the event at a position. An event of an interrupted encryption keeps the
  /// URL of a blob that was encrypted after it.
  package func urls(at position: Position) -> [String: String] {
    guard let names = writtenURLs[position] else { return urls }
    return urls.filter { !names.contains($0.key) || names.contains($0.value) }
  }

  /// Encrypts the blobs that the payload of the event at a position names, durably, unless it is one of an interrupted
  /// encryption; returns whether there are any. One that is missing or damaged is noted in ``failures``.
  package mutating func encryptBlobs(
    namedIn payload: [UInt8], at position: Position
  ) throws(BlobError) -> Bool {
    let ids = ids(in: payload)
    if position <= written { return !ids.isEmpty }
    for id in ids where id.key == nil && urls[id.url.string] == nil && !unreadable.contains(id) {
      do throws(BlobError) { urls[id.url.string] = try copies.add(id, of: blobs).url.string } catch {
        switch error {
        case .notHere, .damaged:
          unreadable.insert(id)
          unencrypted.insert(id)
          failures.append(error.description)
        default: throw error
        }
      }
    }
    return !ids.isEmpty
  }

  /// Notes in ``failures`` which blobs the payload of an event of the erasable workspace still names without a key.
  package mutating func addUnencrypted(namedIn payload: [UInt8], at position: Position) {
    for id in ids(in: payload) where id.key == nil && unencrypted.insert(id).inserted {
      failures.append(
        "The event at \(position) names the blob \(id) where its URL was not replaced, such as in a text or in the "
          + "payload of an app: copy its file to \(copies.path), if it may stay readable after an erasure.")
    }
  }

  private func ids(in payload: [UInt8]) -> [Blob.ID] { payload.withUnsafeBytes { Blob.ID.all(in: $0) } }
}
