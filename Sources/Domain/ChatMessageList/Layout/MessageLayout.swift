// The rows of a list of messages, kept as messages change.

/// The rows of a list of messages, in the order of time and id, kept as messages change.
///
/// A change derives anew the rows of the messages that it names and of their neighbors, and says by a ``RowDiff`` how
/// the rows differ; they are then the same as if all messages had been laid out afresh. It is a value: a copy stays as
/// it is.
public struct MessageLayout<Message: MessageType> {
  /// The rules by which messages are laid out.
  public let options: LayoutOptions<Message>
  var layoutState: LayoutState
  private let maker: EntryMaker<Message>

  /// Messages in any order, laid out by some rules.
  public init(
    _ messages: [Message] = [], options: LayoutOptions<Message> = .verbatim, unread: UnreadMark? = nil,
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

  /// Changes what there is, and says how the rows differ.
  @discardableResult
  public mutating func apply(_ change: MessageChange<Message>) -> RowDiff { apply(change, tellsDiff: true) }

  /// Lays everything out by other rules, and says how the rows differ.
  @discardableResult
  public mutating func apply(_ options: LayoutOptions<Message>) -> RowDiff {
    let before = Array(rows)
    var other = MessageLayout(
      Array(messages), options: options, unread: layoutState.unread, typing: layoutState.typing, hasOlder: hasOlder,
      hasNewer: hasNewer)
    other.apply(.olderFailed(layoutState.olderFailed))
    other.layoutState.derived.add(derived)
    other.layoutState.duplicates = duplicates
    self = other
    let after = rows.enumerated().map { PositionedRow(index: $0, row: $1, isFixed: $1.isOfMessage) }
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

  /// Entries of messages that are not there yet as they are.
  private mutating func entries(of messages: [Message]) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(messages.count)
    let isFirst = messageCount == 0
    // Of all that there is it is found out later, and faster, what came twice.
    for message in isFirst ? messages : lastOfEachRow(messages) {
      if !isFirst, self.message(message.messageID) == message { continue }
      let place = MessageSortKey(message)
      entries.append(maker.entry(for: message, at: place, on: layoutState.day(of: place.timestamp)))
    }
    return entries
  }

  /// Messages, of those with one id the last, and of those with one row, whether or not it is there as it is.
  private mutating func lastOfEachRow(_ messages: [Message]) -> [Message] {
    messages.lastOfEach({ $0.messageID }, noting: &layoutState.duplicates)
      .lastOfEach { MessageRow.id(of: $0, $0.chatMessage) }
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

extension [String] {
  /// Each once, where it comes first.
  fileprivate var unique: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension MessageRow {
  /// Whether it is the row of a message, or the notice that stands for some.
  var isOfMessage: Bool { messageID != nil }
}
