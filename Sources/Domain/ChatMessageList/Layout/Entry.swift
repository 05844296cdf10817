// A message in a layout, with its row and the data that its neighbors need.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A message with its row and the rows directly above it.
///
/// Copies of a layout share entries: a shared entry is copied before it is changed.
class Entry {
  final let sortKey: MessageSortKey
  /// The start of the day of the message.
  final let day: Date
  final let group: GroupID
  final let shape: Shape
  /// Whether the author is known.
  final let hasSender: Bool
  /// The row; not shown if the message has none.
  final var row: MessageRow
  /// The rows above it.
  final var leads: LeadingRows = []
  /// Whether the row is shown: of messages collapsed into a notice, only the last one's is.
  final var isShown = false
  /// Whether the current change inserted it.
  final var isNew = true

  init(at sortKey: MessageSortKey, on day: Date, in group: GroupID, _ shape: Shape, row: MessageRow, hasSender: Bool) {
    (self.sortKey, self.day, self.group, self.shape) = (sortKey, day, group, shape)
    (self.row, self.hasSender) = (row, hasSender)
  }

  /// Whether the row id is derived from the client id: only such an id contains a `/`.
  final var isNamedBySender: Bool { row.id.utf8.contains(UInt8(ascii: "/")) }

  /// The number of rows.
  final var rowCount: Int { leads.count + (isShown ? 1 : 0) }

  func copy() -> Entry { fatalError("An entry has at least one message.") }

  /// Copies the display state of the original entry.
  final func showing(leads: LeadingRows, isShown: Bool) -> Self {
    (self.leads, self.isShown, isNew) = (leads, isShown, false)
    return self
  }
}

/// An entry with its typed message.
final class MessageEntry<Message: MessageType>: Entry {
  let message: Message

  init(
    _ message: Message, at sortKey: MessageSortKey, on day: Date, in group: GroupID, _ shape: Shape, row: MessageRow,
    hasSender: Bool
  ) {
    self.message = message
    super.init(at: sortKey, on: day, in: group, shape, row: row, hasSender: hasSender)
  }

  /// Returns the message of an entry of a list of this message type.
  static func message(of entry: Entry) -> Message {
    // Safe because a list creates only entries of its own message type.
    unsafeDowncast(entry, to: MessageEntry.self).message
  }

  override func copy() -> Entry {
    MessageEntry(message, at: sortKey, on: day, in: group, shape, row: row, hasSender: hasSender)
      .showing(leads: leads, isShown: isShown)
  }
}

/// The common property of the messages of a group.
enum GroupID: Hashable, Sendable {
  case sender(String)
  case side(MessageAlignment)
}

/// The role of a message in the list.
enum Shape: Hashable, Sendable {
  /// A message by a user, which belongs to a group.
  case bubble
  /// A row outside of groups: a system message or a message without a renderer.
  case system
  /// A message collapsed into a notice together with adjacent ones.
  case collapsed
  /// A message without a row.
  case hidden
}

/// The rows above the row of a message, in this order.
struct LeadingRows: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let threadSeparator = LeadingRows(rawValue: 1)
  static let loadOlder = LeadingRows(rawValue: 2)
  static let dateSeparator = LeadingRows(rawValue: 4)
  static let unreadSeparator = LeadingRows(rawValue: 8)

  private static let all: [LeadingRows] = [.threadSeparator, .loadOlder, .dateSeparator, .unreadSeparator]

  var count: Int { rawValue.nonzeroBitCount }

  var elements: [LeadingRows] { isEmpty ? [] : Self.all.filter { contains($0) } }
}
