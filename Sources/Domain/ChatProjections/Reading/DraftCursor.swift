// The cursor of a page of drafts.
internal import Bytes
internal import Chat
public import EventLog

/// The sort position after which a page of drafts begins.
///
/// It is the position at which the last draft of a page was, not that draft: the next page continues there even if the
/// draft is deleted. Pages read at the log position of the first contain all drafts once. In an order by saving, a
/// draft that is saved in between moves: where later pages are read at a later log position, it is returned twice, or
/// on no page, if it moved across the cursor.
public struct DraftCursor: Hashable, Sendable {
  /// The position of the state when the first page was read.
  public let position: Position
  internal let sortPosition: DraftSortPosition

  internal init(_ sortPosition: DraftSortPosition, at position: Position) {
    (self.sortPosition, self.position) = (sortPosition, position)
  }
}

extension DraftSortPosition {
  /// Returns whether another sorts after it; ties are sorted by channel, then by thread.
  func isBefore(_ other: DraftSortPosition, by sorting: [DraftSort]) -> Bool {
    for sort in sorting {
      let (one, other) = sort.isAscending ? (self, other) : (other, self)
      switch sort.key {
      case .createdAt where one.created != other.created: return one.created < other.created
      case .updatedAt where one.updated != other.updated: return one.updated < other.updated
      case .channel where one.key.channel != other.key.channel: return one.key.channel < other.key.channel
      default: continue
      }
    }
    return key < other.key
  }
}

// MARK: Text form

/// Text of letters, digits, hyphens and underscores, which needs no escaping in URLs.
extension DraftCursor: LosslessStringConvertible {
  /// The first byte of the decoded text.
  private static let version: UInt8 = 1

  /// The cursor as text.
  public var description: String {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.varint(position.rawValue)
    writer.fixed64(UInt64(bitPattern: sortPosition.created.rawValue))
    writer.fixed64(UInt64(bitPattern: sortPosition.updated.rawValue))
    for id in [sortPosition.key.user.text, sortPosition.key.channel.text, sortPosition.key.thread?.text ?? ""] {
      writer.varint(UInt64(id.utf8.count))
      Array(id.utf8).withUnsafeBytes { writer.bytes($0) }
    }
    return writer.withBytes { urlText(of: $0) }
  }

  /// Decodes a cursor; nil when the text is not one that ``description`` returned.
  public init?(_ text: String) {
    guard let bytes = bytes(ofURLText: text) else { return nil }
    var reader = ByteReader(bytes.span.bytes)
    guard reader.skip(Self.version), let position = reader.varint(), let created = reader.fixed64(),
      let updated = reader.fixed64(), let user: User.ID = reader.id(), let channel: Channel.ID = reader.id()
    else { return nil }
    let thread: Message.ID?
    if reader.skip(0) {
      thread = nil
    } else {
      thread = reader.id()
      if thread == nil { return nil }
    }
    guard reader.isAtEnd else { return nil }
    self.position = Position(rawValue: position)
    sortPosition = DraftSortPosition(
      Draft.Key(by: user, in: channel, thread: thread), created: Timestamp(rawValue: Int64(bitPattern: created)),
      updated: Timestamp(rawValue: Int64(bitPattern: updated)))
  }
}

extension ByteReader {
  /// Reads a length-prefixed id; nil when there is none.
  @_lifetime(self: copy self)
  fileprivate mutating func id<Named>() -> ID<Named>? {
    lengthDelimited().flatMap { ID(spelledBy: bytes.extracting($0)) }
  }
}
