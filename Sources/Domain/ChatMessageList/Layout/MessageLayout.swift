// The rows of a list of messages, updated incrementally.

/// The rows of a list of messages, ordered by time, number and id, and updated incrementally.
///
/// A change rederives only the rows of the messages that it names and of their neighbors, and returns a ``RowDiff``;
/// the result equals a layout of all messages from scratch. It has value semantics: a copy does not change.
public struct MessageLayout<Message: MessageType> {
  /// The layout options.
  public let options: LayoutOptions<Message>
  var layoutState: LayoutState
  private let maker: EntryMaker<Message>

  /// Creates a layout of messages in any order, by default with the preset of their type.
  public init(
    _ messages: [Message] = [], options: LayoutOptions<Message> = .preset, unread: UnreadMark? = nil,
    typing: [String] = [], hasOlder: Bool = false, hasNewer: Bool = false
  ) {
    self.options = options
    maker = EntryMaker(options)
    layoutState = LayoutState(rules: LayoutRules(options), days: Days(by: options.calendar))
    var change = MessageChange.put(messages)
    (change.unread, change.typing) = (.some(unread), typing)
    (change.hasOlder, change.hasNewer) = (hasOlder, hasNewer)
    _ = apply(change, tellsDiff: false)
  }

  /// Applies a change and returns the row diff.
  @discardableResult
  public mutating func apply(_ change: MessageChange<Message>) -> RowDiff { apply(change, tellsDiff: true) }

  /// Lays out all messages by new options and returns the row diff.
  @discardableResult
  public mutating func apply(_ options: LayoutOptions<Message>) -> RowDiff { apply(options, nil) }

  /// Lays out all messages by new options, applies a change, and returns the row diff of both.
  @discardableResult
  package mutating func apply(_ options: LayoutOptions<Message>, _ change: MessageChange<Message>?) -> RowDiff {
    let before = Array(rows)
    let replaced = Set((change?.put ?? []).filter { message($0.messageID) != $0 }.map(\.messageID))
    var other = MessageLayout(
      Array(messages), options: options, unread: layoutState.unread, typing: layoutState.typing, hasOlder: hasOlder,
      hasNewer: hasNewer)
    other.apply(.olderFailed(layoutState.olderFailed))
    other.layoutState.derived.add(derived)
    other.layoutState.duplicates = duplicates
    if let change { other.apply(change) }
    self = other
    let after = rows.enumerated().map { index, row in
      let isNamed = row.messageID.map(replaced.contains) ?? false
      // A change can move the messages that it names.
      return PositionedRow(index: index, row: row, isFixed: row.isOfMessage && change == nil, isNamed: isNamed)
    }
    return RowDiff(from: before, to: after)
  }

  private mutating func apply(_ change: MessageChange<Message>, tellsDiff: Bool) -> RowDiff {
    var touched = ChangedEntries()
    layoutState.remove(change.remove, &touched)
    if let unread = change.unread { layoutState.unread = unread }
    if let typing = change.typing { layoutState.typing = typing.unique }
    if let hasNewer = change.hasNewer { layoutState.hasNewer = hasNewer }
    if let failed = change.olderFailed { layoutState.olderFailed = failed }
    if let hasOlder = change.hasOlder { layoutState.setHasOlder(hasOlder, &touched) }
    layoutState.put(entries(of: change.put), &touched)
    return layoutState.settle(touched, tellsDiff: tellsDiff)
  }

  /// Returns entries for the messages that are new or differ from the stored ones.
  private mutating func entries(of messages: [Message]) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(messages.count)
    let isFirst = messageCount == 0
    // In an initial fill, duplicates are detected later, at a lower cost.
    for message in isFirst ? messages : lastOfEachRow(messages) {
      if !isFirst, self.message(message.messageID) == message { continue }
      let sortKey = MessageSortKey(message)
      entries.append(maker.entry(for: message, at: sortKey, on: layoutState.day(of: sortKey.timestamp)))
    }
    return entries
  }

  /// Returns the last message of each id and of each row, whether or not the list contains it unchanged.
  private mutating func lastOfEachRow(_ messages: [Message]) -> [Message] {
    messages.lastOfEach({ $0.messageID }, noting: &layoutState.duplicates)
      .lastOfEach { MessageRow.id(of: $0, $0.chatMessage) }
  }
}

/// The number of rows derived: the cost of changes.
public struct DerivedRows: Hashable, Sendable {
  /// The number of message rows.
  public var messages = 0
  /// The number of separators.
  public var separators = 0

  mutating func add(_ other: DerivedRows) {
    messages += other.messages
    separators += other.separators
  }
}

extension [String] {
  /// The elements without duplicates, each at its first position.
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension MessageRow {
  /// Whether it is the row of a message, or the notice that represents some.
  var isOfMessage: Bool { messageID != nil }
}
