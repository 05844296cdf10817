// A message in a layout, with its row and what neighbors have to know of it.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A message with its row, and with those that stand right above it.
struct Entry<Message: MessageType> {
  let message: Message
  let place: MessagePlace
  /// When the day of the message begins.
  let day: Date
  let group: GroupID
  let shape: Shape
  /// What stands above it.
  var leads: Leads = []
  /// Its row; that of a message that has none is not shown.
  var row: MessageRow
  /// Whether it is known who said it.
  let hasSender: Bool
  /// Whether the row is shown: of messages that a notice stands for, the last one's is.
  var isShown: Bool

  /// How many rows it has.
  var rowCount: Int { leads.count + (isShown ? 1 : 0) }
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
