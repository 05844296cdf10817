// What stands before the first block: which log this is.
internal import Bytes
public import Digests

/// What a log is born with; it never changes, and the chain of blocks begins with its hash.
public struct Genesis: Hashable, Sendable {
  /// The log's identity: no other log has it.
  public let id: AppendID
  /// When the log was made.
  public let created: Timestamp
  /// Whose log it is: nil for a raw one; a program that keeps more than a raw log puts its name here, so that nobody
  /// appends past it.
  public let application: Name?

  /// A genesis with its parts.
  public init(id: AppendID, created: Timestamp, application: Name? = nil) {
    self.id = id
    self.created = created
    self.application = application
  }

  /// A genesis with a new identity.
  public static func new(at instant: Timestamp = .now, application: Name? = nil) -> Genesis {
    Genesis(
      id: .timeOrdered(at: instant), created: instant, application: application)
  }

  /// The stored form: a frame whose body holds the parts as fields.
  public func encoded() -> [UInt8] {
    var frame = ByteWriter()
    Frame.begin(Frame.genesisMagic, in: &frame)
    id.withBytes { frame.field(1, bytes: $0) }
    frame.field(2, fixed64: UInt64(bitPattern: created.rawValue))
    application?.withBytes { frame.field(3, bytes: $0) }
    Frame.end(&frame, after: nil)
    return frame.array()
  }

  /// Reads the stored form.
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
    guard reader.isAtEnd else { throw .malformed("there are bytes behind its last field") }
  }

  /// Reads the stored form and checks its checksum and hash.
  package init(validating bytes: RawSpan) throws(BlockDefect) {
    try self.init(decoding: bytes)
    try Frame.checkSum(of: bytes)
    try Frame.checkHash(of: bytes, after: nil)
  }

  /// The hash that the first block's is bound to.
  public var hash: ChainHash {
    encoded().withUnsafeBytes { Frame.storedHash(of: $0) }
  }
}

extension Name {
  /// The name that stored bytes are; nil when they are none.
  internal init?(_ bytes: RawSpan) {
    let isName = bytes.withUnsafeBytes { Name.defect(in: $0) == nil }
    guard isName else { return nil }
    self = bytes.withUnsafeBytes { Name(validated: $0) }
  }
}
