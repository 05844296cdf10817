// The sort order of messages and the unread mark.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The sort key of a message: its time, then its number, then its id.
public struct MessageSortKey: Hashable, Comparable, Sendable {
  /// The time at which the message was sent.
  public let timestamp: Date
  /// The number of the message in its channel; 0 if it has none.
  public let number: UInt64
  /// The message id.
  public let id: String

  /// Creates a sort key; an extreme time is clamped to `.distantPast` … `.distantFuture`, and NaN is `.distantPast`.
  public init(_ timestamp: Date, number: UInt64 = 0, _ id: String) {
    let isNone = timestamp.timeIntervalSinceReferenceDate.isNaN
    self.timestamp = isNone ? .distantPast : min(max(.distantPast, timestamp), .distantFuture)
    (self.number, self.id) = (number, id)
  }

  /// Creates the sort key of a message.
  public init(_ message: some MessageType) {
    self.init(message.timestamp, number: message.chatMessage?.number ?? 0, message.messageID)
  }

  /// Whether one message sorts above the other; ids are compared by their UTF-8 bytes.
  public static func < (a: MessageSortKey, b: MessageSortKey) -> Bool {
    if a.timestamp != b.timestamp { return a.timestamp < b.timestamp }
    if a.number != b.number { return a.number < b.number }
    return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
  }
}

/// The boundary between read and unread messages when the list was opened, with the unread count.
public struct UnreadMark: Hashable, Sendable {
  /// The sort key of the first unread message.
  public let first: MessageSortKey
  /// The number of unread messages.
  public let count: Int

  /// Creates a mark from the first unread message and the unread count.
  public init(from first: MessageSortKey, count: Int) { (self.first, self.count) = (first, count) }
}
