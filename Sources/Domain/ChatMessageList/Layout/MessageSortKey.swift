// Where a message stands among the others.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where a message stands: by its time, and by its id among those of one time.
public struct MessageSortKey: Hashable, Comparable, Sendable {
  /// When it was sent.
  public let timestamp: Date
  /// What it is called.
  public let id: String

  /// The place of a message of a time; a time out of all reason, or none at all, is the next that a calendar knows.
  public init(_ timestamp: Date, _ id: String) {
    let isNone = timestamp.timeIntervalSinceReferenceDate.isNaN
    (self.timestamp, self.id) = (isNone ? .distantPast : min(max(.distantPast, timestamp), .distantFuture), id)
  }

  /// The place of a message.
  public init(_ message: some MessageType) { self.init(message.timestamp, message.messageID) }

  /// Whether one stands above the other; ids are compared by their bytes.
  public static func < (a: MessageSortKey, b: MessageSortKey) -> Bool {
    if a.timestamp != b.timestamp { return a.timestamp < b.timestamp }
    return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
  }
}

/// Up to where a list was read when it was opened, and how much waited.
public struct UnreadMark: Hashable, Sendable {
  /// The first message that was not read.
  public let first: MessageSortKey
  /// How many were not.
  public let count: Int

  /// From a message on, so many were not read.
  public init(from first: MessageSortKey, count: Int) { (self.first, self.count) = (first, count) }
}
