// The genesis of a log: its identity, hashed before the first block.
internal import Bytes
public import Digests

/// The identity of a log; it never changes, and the hash chain begins with its hash.
public struct Genesis: Hashable, Sendable {
  /// The unique identity of the log.
  public let id: AppendID
  /// The time at which the log was created.
  public let created: Timestamp
  /// The application that owns the log, nil for a raw one; a program that derives more from the log puts its name here,
  /// so that no other program appends to it.
  public let application: Name?
  /// Whether the content of events is encrypted, so that it can be erased by destroying keys.
  public let isErasable: Bool

  /// Creates a genesis from its parts.
  public init(id: AppendID, created: Timestamp, application: Name? = nil, isErasable: Bool = false) {
    self.id = id
    self.created = created
    self.application = application
    self.isErasable = isErasable
  }

  /// Creates a genesis with a new identity.
  public static func new(at instant: Timestamp = .now, application: Name? = nil) -> Genesis {
    Genesis(
      id: .timeOrdered(at: instant), created: instant, application: application)
  }

  /// Returns the stored form: a frame whose body holds the parts as fields.
  public func encoded() -> [UInt8] {
    var frame = ByteWriter()
    Frame.begin(Frame.genesisMagic, in: &frame)
    id.withBytes { frame.field(1, bytes: $0) }
    frame.field(2, fixed64: UInt64(bitPattern: created.rawValue))
    application?.withBytes { frame.field(3, bytes: $0) }
    if isErasable { frame.field(4, varint: 1) }
    Frame.end(&frame, after: nil)
    return frame.array()
  }

  /// Decodes the stored form.
  public init(decoding bytes: RawSpan) throws(BlockDefect) {
    let body = try Frame.body(of: bytes, magic: Frame.genesisMagic)
    var reader = ByteReader(bytes, from: body.lowerBound, to: body.upperBound)
    guard reader.skip(0x0A), let idRange = reader.lengthDelimited(),
      let id = AppendID(bytes: bytes.extracting(idRange)),
      reader.skip(0x11), let created = reader.fixed64()
    else { throw .malformed("its first fields are not an id and a time") }
    self.id = id
    self.created = Timestamp(rawValue: Int64(bitPattern: created))
    if reader.skip(0x1A) {
      guard let range = reader.lengthDelimited(), let name = Name(bytes.extracting(range)) else {
        throw .malformed("its application is not a name")
      }
      application = name
    } else {
      application = nil
    }
    isErasable = reader.skip(0x20)
    if isErasable, !reader.skip(1) { throw .malformed("its mark of an erasable log is not 1") }
    guard reader.isAtEnd else { throw .malformed("there are bytes after its last field") }
  }

  /// Decodes the stored form and checks its checksum and hash.
  package init(validating bytes: RawSpan) throws(BlockDefect) {
    try self.init(decoding: bytes)
    try Frame.checkSum(of: bytes)
    try Frame.checkHash(of: bytes, after: nil)
  }

  /// The hash that the chain hash of the first block includes.
  public var hash: ChainHash {
    encoded().withUnsafeBytes { Frame.storedHash(of: $0) }
  }
}

extension Name {
  /// Creates a name from stored bytes; nil when they are invalid.
  package init?(_ bytes: RawSpan) {
    let isName = bytes.withUnsafeBytes { Name.defect(in: $0) == nil }
    guard isName else { return nil }
    self = bytes.withUnsafeBytes { Name(validated: $0) }
  }
}
