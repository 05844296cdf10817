// The rows of a list of messages, kept as messages change.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rows of a list of messages, in the order of time and id, kept as messages change.
///
/// A change derives anew the rows of the messages that it names and of their neighbors, and says by a ``RowDiff`` how
/// the rows differ; they are then the same as if all messages had been laid out afresh. It is a value: a copy stays as
/// it is.
public struct MessageLayout<Message: MessageType> {
  /// The rules by which messages are laid out.
  public var options: LayoutOptions<Message> { rules.options }
  /// How many rows were made so far.
  public internal(set) var derived = DerivedRows()
  /// Ids that several messages had which came in at once: the last of them is in the list.
  public internal(set) var duplicates: Set<String> = []

  var rules: LayoutRules<Message>
  var shelves = Shelves<Message>()
  var days: Days
  /// From where on nothing was read.
  var unread: UnreadMark?
  var typing: [String] = []
  var hasNewer = false
  var olderFailed = false
  /// Rows that belong to no message, as they are now.
  var edges = EdgeRows()

  /// Messages in any order, laid out by some rules.
  public init(
    _ messages: [Message] = [], options: LayoutOptions<Message> = .verbatim, unread: UnreadMark? = nil,
    typing: [String] = [], hasOlder: Bool = false, hasNewer: Bool = false
  ) {
    rules = LayoutRules(options)
    days = Days(by: options.calendar)
    var change = MessageChange.put(messages)
    (change.unread, change.typing) = (.some(unread), typing)
    (change.hasOlder, change.hasNewer) = (hasOlder, hasNewer)
    _ = apply(change, tellsDiff: false)
  }

  /// Changes what there is, and says how the rows differ.
  @discardableResult
  public mutating func apply(_ change: MessageChange<Message>) -> RowDiff { apply(change, tellsDiff: true) }

  /// Lays everything out by other rules, and says how the rows differ.
  @discardableResult
  public mutating func apply(_ options: LayoutOptions<Message>) -> RowDiff {
    let before = Array(rows)
    var other = MessageLayout(
      Array(messages), options: options, unread: unread, typing: typing, hasOlder: rules.hasOlder, hasNewer: hasNewer)
    if olderFailed { other.apply(.olderFailed) }
    other.derived.add(derived)
    self = other
    let after = rows.enumerated().map { PlacedRow(index: $0, row: $1, isFixed: $1.isOfMessage) }
    return RowDiff(from: before, to: after)
  }
}

/// How many rows were made: what a change costs.
public struct DerivedRows: Hashable, Sendable {
  /// Rows of messages.
  public var messages = 0
  /// Separators.
  public var separators = 0

  mutating func add(_ other: DerivedRows) {
    messages += other.messages
    separators += other.separators
  }
}

extension MessageChange {
  /// Loading earlier messages failed.
  static var olderFailed: MessageChange {
    var change = MessageChange()
    change.olderFailed = true
    return change
  }
}

extension MessageRow {
  /// Whether it is the row of a message, or the notice that stands for some.
  var isOfMessage: Bool { messageID != nil }
}
