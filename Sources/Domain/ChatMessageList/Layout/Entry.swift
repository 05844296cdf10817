// A message in a layout, with its row and what neighbors have to know of it.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A message with its row, and with what stands right above that.
///
/// Layouts that are copies of one another share entries: one that is shared is not changed, but a copy of it.
class Entry {
  final let place: MessageSortKey
  /// When the day of the message begins.
  final let day: Date
  final let group: GroupID
  final let shape: Shape
  /// Whether it is known who said it.
  final let hasSender: Bool
  /// Its row; that of a message that has none is not shown.
  final var row: MessageRow
  /// What stands above it.
  final var leads: Leads = []
  /// Whether the row is shown: of messages that a notice stands for, the last one's is.
  final var isShown = false
  /// Whether the change that is being made brought it.
  final var isNew = true

  init(at place: MessageSortKey, on day: Date, in group: GroupID, _ shape: Shape, row: MessageRow, hasSender: Bool) {
    (self.place, self.day, self.group, self.shape) = (place, day, group, shape)
    (self.row, self.hasSender) = (row, hasSender)
  }

  /// Whether its row is called by its sender's name for it: only between these two is there such a sign.
  final var isNamedBySender: Bool { row.id.utf8.contains(UInt8(ascii: "/")) }

  /// How many rows it has.
  final var rowCount: Int { leads.count + (isShown ? 1 : 0) }

  func copy() -> Entry { fatalError("An entry has a message.") }

  /// Takes over what the entry that it is a copy of shows.
  final func showing(leads: Leads, isShown: Bool) -> Self {
    (self.leads, self.isShown, isNew) = (leads, isShown, false)
    return self
  }
}

/// An entry with its message.
final class MessageEntry<Message: MessageType>: Entry {
  let message: Message

  init(
    _ message: Message, at place: MessageSortKey, on day: Date, in group: GroupID, _ shape: Shape, row: MessageRow,
    hasSender: Bool
  ) {
    self.message = message
    super.init(at: place, on: day, in: group, shape, row: row, hasSender: hasSender)
  }

  /// The message of an entry of a list of such messages.
  static func message(of entry: Entry) -> Message {
    // Safe because a list makes entries of its own kind of message alone.
    unsafeDowncast(entry, to: MessageEntry.self).message
  }

  override func copy() -> Entry {
    MessageEntry(message, at: place, on: day, in: group, shape, row: row, hasSender: hasSender)
      .showing(leads: leads, isShown: isShown)
  }
}

/// What messages of a group have in common.
enum GroupID: Hashable, Sendable {
  case sender(String)
  case side(MessageAlignment)
  /// An app's own kind, which stands on no side.
  case none
}

/// What a message is in the list.
enum Shape: Hashable, Sendable {
  /// It is said by somebody, and has a place in a group.
  case bubble
  /// It stands by itself: what the app says, and what nothing can draw.
  case system
  /// A notice stands for it and for those like it before it.
  case collapsed
  /// It has no row.
  case hidden
}

/// Rows that stand above that of a message, in this order.
struct Leads: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let threadSeparator = Leads(rawValue: 1)
  static let loadOlder = Leads(rawValue: 2)
  static let dateSeparator = Leads(rawValue: 4)
  static let unreadSeparator = Leads(rawValue: 8)

  private static let all: [Leads] = [.threadSeparator, .loadOlder, .dateSeparator, .unreadSeparator]

  var count: Int { rawValue.nonzeroBitCount }

  var elements: [Leads] { isEmpty ? [] : Self.all.filter { contains($0) } }
}
