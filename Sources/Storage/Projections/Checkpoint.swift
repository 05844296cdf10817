// Checkpoints: what the tables were, testified where they were first folded.
internal import Bytes
public import Digests
public import EventLog

/// What the tables of a set of views were at a position.
///
/// It is testimony: it outlives the tables, and a later folding is held against it.
public struct Checkpoint: Hashable, Sendable {
  /// Where the tables stood.
  public let position: Position
  /// The hash of the block that ends there.
  public let hash: ChainHash
  /// Which views, in which form.
  public let fingerprint: String
  /// The digest of each table.
  public let digests: [Digest]

  /// The digest of a table.
  ///
  /// Tables of the same name and revision must have the same digest at a position, whatever else is folded with them.
  public struct Digest: Hashable, Sendable {
    /// The name of the view.
    public let projection: String
    /// Which of its forms it had.
    public let revision: String
    /// What the view calls the table.
    public let name: String
    /// The table's digest.
    public let digest: TableDigest

    /// What the table is called: the view's name, a full stop, the view's name for it.
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

  /// What another, testified before, says against this one; nil when both can be true.
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

// The stored form is described byte by byte on the page “Views on disk”.
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

  /// The position of a stored checkpoint, without a look at the rest: there is one for each piece of a long log.
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
