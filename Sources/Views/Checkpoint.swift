// Checkpoints: what the tables were, testified where they were first folded.
internal import Bytes
public import Digests
public import EventLog
internal import Tables

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
  public struct Digest: Hashable, Sendable {
    /// What the table is called: the view's name, a full stop, the view's name for it.
    public let table: String
    /// Its digest.
    public let digest: TableDigest
  }
}

// position (8) · hash (32) · fingerprint · for each table: its name, digest (16). Texts: length as a varint, UTF-8.
extension Checkpoint {
  internal var stored: [UInt8] {
    var writer = ByteWriter()
    writer.fixed64(position.rawValue)
    hash.withBytes { writer.bytes($0) }
    writer.text(fingerprint)
    for digest in digests {
      writer.text(digest.table)
      writer.fixed64(UInt64(truncatingIfNeeded: digest.digest.sum))
      writer.fixed64(UInt64(truncatingIfNeeded: digest.digest.sum >> 64))
    }
    return writer.array()
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
      guard let table = reader.text(), let low = reader.fixed64(), let high = reader.fixed64() else { return nil }
      digests.append(Digest(table: table, digest: TableDigest(sum: UInt128(high) << 64 | UInt128(low))))
    }
    (self.position, self.hash) = (Position(rawValue: position), hash)
    (self.fingerprint, self.digests) = (fingerprint, digests)
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
