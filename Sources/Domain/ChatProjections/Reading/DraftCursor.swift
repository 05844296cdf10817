// Where a page of drafts begins.
internal import Bytes
internal import Chat
public import EventLog

/// Behind which place in the order a page begins.
///
/// It is the place where the last draft of a page stood, not that draft: the next page goes on there, whatever became
/// of it. Pages that are read at one position, that of the first, have all drafts once. What is saved meanwhile has
/// another place where the order is that of saving: where later pages are read further on, it comes twice, or not on
/// any page, if it moved across the cursor.
public struct DraftCursor: Hashable, Sendable {
  /// Where the conversation stood when the first page was read.
  public let position: Position
  internal let place: DraftSortPosition

  internal init(_ place: DraftSortPosition, at position: Position) { (self.place, self.position) = (place, position) }
}

extension DraftSortPosition {
  /// Whether another stands behind it; in the order of their channels, then of their threads, where nothing else tells
  /// them apart.
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

// MARK: As a text

/// A text of letters, digits, strokes and underscores, which can stand in an address as it is.
extension DraftCursor: LosslessStringConvertible {
  /// The first byte of what the text spells.
  private static let version: UInt8 = 1

  /// The cursor, spelled.
  public var description: String {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.varint(position.rawValue)
    writer.fixed64(UInt64(bitPattern: place.created.rawValue))
    writer.fixed64(UInt64(bitPattern: place.updated.rawValue))
    for id in [place.key.user.text, place.key.channel.text, place.key.thread?.text ?? ""] {
      writer.varint(UInt64(id.utf8.count))
      Array(id.utf8).withUnsafeBytes { writer.bytes($0) }
    }
    return writer.withBytes { urlText(of: $0) }
  }

  /// The cursor that a text spells; nil when it is not one that a cursor was spelled as.
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
    place = DraftSortPosition(
      Draft.Key(by: user, in: channel, thread: thread), created: Instant(rawValue: Int64(bitPattern: created)),
      updated: Instant(rawValue: Int64(bitPattern: updated)))
  }
}

extension ByteReader {
  /// Reads an id behind its length; nil when there is none.
  @_lifetime(self: copy self)
  fileprivate mutating func id<Named>() -> ID<Named>? {
    lengthDelimited().flatMap { ID(spelledBy: bytes.extracting($0)) }
  }
}
