// Checkpoints: digests of the tables, recorded when a position was first folded.
internal import Bytes
public import Digests
public import EventLog

/// The digests of the tables of a set of projections at a position.
///
/// It outlives the tables, and every later fold is compared with it.
public struct Checkpoint: Hashable, Sendable {
  /// The position of the tables.
  public let position: Position
  /// The hash of the block that ends at the position.
  public let hash: ChainHash
  /// The fingerprint of the projections at their revisions.
  public let fingerprint: String
  /// The digest of each table.
  public let digests: [Digest]

  /// The digest of a table.
  ///
  /// Tables of the same name and revision must have the same digest at a position, whatever else is folded with them.
  public struct Digest: Hashable, Sendable {
    /// The name of the projection.
    public let projection: String
    /// The revision of the projection.
    public let revision: String
    /// The table's name within the projection.
    public let name: String
    /// The table's digest.
    public let digest: TableDigest

    /// The table's full name: the projection's name, a full stop, the name within the projection.
    public var table: String { "\(projection).\(name)" }

    internal init(projection: String, revision: String, name: String, digest: TableDigest) {
      (self.projection, self.revision, self.name, self.digest) = (projection, revision, name, digest)
    }

    fileprivate func isOfSameTable(as other: Digest) -> Bool {
      projection == other.projection && revision == other.revision && name == other.name
    }
  }

  internal init(position: Position, hash: ChainHash, fingerprint: String, digests: [Digest]) {
    (self.position, self.hash) = (position, hash)
    (self.fingerprint, self.digests) = (fingerprint, digests)
  }

  /// Returns the contradiction between this checkpoint and one recorded before; nil when both can be true.
  internal func contradiction(to recorded: Checkpoint) -> ProjectionError? {
    guard recorded.position == position else { return nil }
    if recorded.hash != hash { return .otherLog(position: position) }
    for found in digests {
      for other in recorded.digests where other.isOfSameTable(as: found) && other.digest != found.digest {
        return .differs(table: found.table, position: position, recorded: other.digest, found: found.digest)
      }
    }
    return nil
  }
}

// The stored form is described byte by byte on the page “Projections on disk”.
extension Checkpoint {
  internal var stored: [UInt8] {
    var writer = ByteWriter()
    writer.fixed64(position.rawValue)
    hash.withBytes { writer.bytes($0) }
    writer.text(fingerprint)
    for digest in digests {
      for text in [digest.projection, digest.revision, digest.name] { writer.text(text) }
      writer.fixed64(UInt64(truncatingIfNeeded: digest.digest.sum))
      writer.fixed64(UInt64(truncatingIfNeeded: digest.digest.sum >> 64))
    }
    return writer.array()
  }

  /// Returns the position of a stored checkpoint without decoding the rest: a long log has many.
  internal static func position(ofStored stored: RawSpan) -> Position? {
    var reader = ByteReader(stored)
    return reader.fixed64().map { Position(rawValue: $0) }
  }

  internal init?(stored: RawSpan) {
    guard stored.byteCount >= 40 else { return nil }
    let hash = stored.extracting(8..<40).withUnsafeBytes { ChainHash(bytes: $0) }
    var reader = ByteReader(stored)
    guard let position = reader.fixed64(), let hash else { return nil }
    reader = ByteReader(stored, from: 40)
    guard let fingerprint = reader.text() else { return nil }
    var digests: [Digest] = []
    while !reader.isAtEnd {
      guard let projection = reader.text(), let revision = reader.text(), let name = reader.text(),
        let low = reader.fixed64(), let high = reader.fixed64()
      else { return nil }
      let digest = TableDigest(sum: UInt128(high) << 64 | UInt128(low))
      digests.append(Digest(projection: projection, revision: revision, name: name, digest: digest))
    }
    self.init(position: Position(rawValue: position), hash: hash, fingerprint: fingerprint, digests: digests)
  }
}

extension ByteWriter {
  fileprivate mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      varint(UInt64(utf8.count))
      bytes(UnsafeRawBufferPointer(utf8))
    }
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  fileprivate mutating func text() -> String? {
    guard let range = lengthDelimited() else { return nil }
    return bytes.extracting(range).withUnsafeBytes { String(validating: $0, as: UTF8.self) }
  }
}
