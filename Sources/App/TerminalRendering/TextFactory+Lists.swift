// Terminal text: lists, and rows without messages.
internal import Chat
public import ChatMessageList
public import ChatProjections
public import ChatRendering

extension TextFactory {
  /// Returns the rows, with an empty line between groups, or between all messages with their own header, and above the
  /// input. If the number of rows is limited, those at the scroll position; the last ones if there is none.
  public func makeMessageList(_ slot: ListSlot<TerminalText>) -> TerminalText {
    var pieces: [(MessageRow.ID?, TerminalText)] = [(nil, slot.loading)]
    var last: MessageRow?
    for row in slot.rows {
      if let last, row.row.isApart(from: last) { pieces.append((nil, .emptyLine)) }
      pieces.append((row.row.id, row.output))
      last = row.row
    }
    pieces.append((nil, slot.empty))
    let isEmpty = pieces.allSatisfy { $0.1.blocks.isEmpty }
    let input = slot.inputBar.isEmpty || isEmpty ? slot.inputBar : .joined([.emptyLine, slot.inputBar])
    if let rows {
      pieces = visible(pieces, in: max(1, rows - input.height(in: columns)), slot.viewport)
    }
    var text: TerminalText = .joined(pieces.map(\.1) + [input])
    text.columns = columns
    return text
  }

  /// Returns the pieces that a window of some rows shows, clipped at its edges.
  private func visible(
    _ pieces: [(MessageRow.ID?, TerminalText)], in rows: Int, _ viewport: Viewport?
  ) -> [(MessageRow.ID?, TerminalText)] {
    var ranges: [Range<Int>] = []
    for (_, piece) in pieces {
      let start = ranges.last?.upperBound ?? 0
      ranges.append(start..<start + piece.height(in: columns))
    }
    let end = ranges.last?.upperBound ?? 0
    var top = end - rows
    if let viewport, let index = pieces.firstIndex(where: { $0.0 == viewport.row }) {
      switch viewport.edge {
      case .top: top = ranges[index].lowerBound
      case .center: top = ranges[index].lowerBound + (ranges[index].count - rows) / 2
      case .bottom: top = ranges[index].upperBound - rows
      }
    }
    top = max(0, min(top, end - rows))
    return zip(pieces, ranges).compactMap { piece, range in
      let seen = range.clamped(to: top..<top + rows)
      if seen.isEmpty { return nil }
      return (
        piece.0, piece.1.rows(seen.lowerBound - range.lowerBound..<seen.upperBound - range.lowerBound, in: columns)
      )
    }
  }

  /// Returns the text of an empty conversation, centred.
  public func makeEmptyList() -> TerminalText { centered(context.words.empty) }

  /// Returns the text of a running load, centred.
  public func makeLoading() -> TerminalText { centered(context.words.loading) }

  // MARK: Rows

  /// Returns the day between strokes.
  public func makeDateSeparator(_ row: MessageRow) -> TerminalText {
    TerminalText(line: row.date.map { context.day($0) } ?? "", .dim, .rule)
  }

  /// Returns the number of unread messages below, between strokes.
  public func makeUnreadSeparator(_ row: MessageRow) -> TerminalText {
    TerminalText(line: context.words.unread(row.count ?? 0), .colored(.red, isBold: true), .rule)
  }

  /// Returns the number of replies between strokes.
  public func makeThreadSeparator(_ row: MessageRow) -> TerminalText {
    TerminalText(line: context.words.replies(row.count ?? 0), .dim, .rule)
  }

  /// Returns the text at the start of the conversation, centred.
  public func makeConversationStart() -> TerminalText { centered(context.words.conversationStart) }

  /// Returns a centred button that loads earlier messages.
  public func makeLoadOlder() -> TerminalText { button("↑ " + context.words.loadOlder, .loadOlder) }

  /// Returns a centred button that loads later messages.
  public func makeLoadNewer() -> TerminalText { button("↓ " + context.words.loadNewer, .loadNewer) }

  /// Returns the text for a typing user.
  public func makeTyping(_ row: MessageRow) -> TerminalText {
    TerminalText(line: context.words.typing([context.name(row.userID ?? "")]) + " …", .dim)
  }

  /// Returns what is not shown and why, centred, with a mark.
  public func makeNotice(_ row: MessageRow) -> TerminalText {
    var text = warning(context.notice(row)).placed(on: .center)
    if row.messageID == nil { text.carry(.loadOlder) }
    return text
  }

  private func centered(_ words: String) -> TerminalText { TerminalText(line: words, .dim).placed(on: .center) }

  private func button(_ words: String, _ action: SlotAction) -> TerminalText {
    var text = TerminalText(line: "[\(words)]").placed(on: .center)
    text.carry(action)
    return text
  }

  // MARK: Lists of items

  /// Returns the items, one below the other, and the control that loads more; if the number of rows is limited,
  /// those from the top on, above the control.
  public func makeItemList(_ slot: ItemListSlot<TerminalText>) -> TerminalText {
    let rest: TerminalText = .joined([slot.empty, slot.loading, slot.loadMore])
    var items = slot.items
    if let rows {
      var left = max(1, rows - rest.height(in: columns))
      items = Array(
        items.prefix { item in
          left -= item.height(in: columns)
          return left >= 0
        })
    }
    var text: TerminalText = .joined(items + [rest])
    text.columns = columns
    return text
  }

  /// Returns the text of an empty list, centred.
  public func makeEmptyItemList(_ kind: ItemListKind) -> TerminalText { centered(context.words.noItems[kind] ?? "") }

  /// Returns a centred button that loads more items.
  public func makeLoadMore(_ kind: ItemListKind) -> TerminalText {
    button("↓ " + context.words.loadMore, .loadMore(kind))
  }

  /// Returns marks for a pinned and an archived channel, the channel's title, unread counts and line, on one line.
  public func makeChannelListItem(_ item: ChannelItem) -> TerminalText {
    let unread = item.unread
    let mentions = unread.mentions > 0 ? " @\(unread.mentions)" : ""
    let title = TextRun(context.title(of: item.channel), .bold)
    let waiting = TextRun(unread == .none ? "" : " (\(unread.messages)\(mentions))", .colored(.red, isBold: true))
    let marks = (item.member.pinned == nil ? "" : "📌 ") + (item.member.archived == nil ? "" : "▤ ")
    return oneLine([TextRun(marks, .plain), title, waiting] + words(for: item.line), .openChannel(item.channel.id))
  }

  /// Returns the thread's parent message and its line, on one line.
  public func makeThreadListItem(_ item: ThreadItem) -> TerminalText {
    let title = TextRun("↳ " + context.words(for: item.parent).prefix(titleLengthMax), .bold)
    return oneLine([title] + words(for: item.line), .openThread(item.parent.key))
  }

  /// Returns the draft's preview and location, on one line.
  public func makeDraftListItem(_ item: DraftItem) -> TerminalText {
    let runs = [
      TextRun(context.words.draft + ": ", .dim), TextRun(context.words(for: item.content.preview)),
      TextRun("  " + context.target(of: item), .dim),
    ]
    var text = oneLine(runs, .openDraft(item.key))
    text.carry(.deleteDraft(item.key))
    return text
  }

  /// Returns the item's title and text on one line; its time, other texts and buttons below.
  public func makeListItem(_ item: ListItem) -> TerminalText {
    let parts = context.parts(of: item)
    let line = parts.line.isEmpty ? [] : [TextRun("  " + parts.line)]
    var text = oneLine([TextRun(parts.title, .bold)] + line, parts.open)
    let time = parts.time.map { context.time($0.date, withDay: true) }
    let about = ([time] + parts.about).compactMap(\.self).joined(separator: " · ")
    let buttons = buttons(parts.actions.map { ($0.label, $0.action) })
    text.append(TerminalText(line: about, .dim).beside(buttons, by: "  ").placed(TextAlignment(before: 2)))
    return text
  }

  private func words(for line: ItemLine) -> [TextRun] {
    let isFailed = if case .failed = line { true } else { false }
    let words = isFailed ? "✗ " + context.words(for: line) : context.words(for: line)
    return [TextRun("  "), TextRun(words, isFailed ? .colored(.red) : .plain)]
  }

  private func oneLine(_ runs: [TextRun], _ action: SlotAction?) -> TerminalText {
    var text = TerminalText()
    text.blocks = [TextBlock(lines: [TextLine(runs.map { TextRun($0.text.inOneLine, $0.look) }, .cut)])]
    text.columns = columns
    if let action { text.carry(action) }
    return text
  }
}

/// The maximal number of characters of a parent message in its thread's title.
private let titleLengthMax = 40

extension TerminalText {
  fileprivate static var emptyLine: TerminalText {
    var text = TerminalText()
    text.blocks = [TextBlock(lines: [TextLine([])])]
    return text
  }
}

extension MessageRow {
  /// Whether the row is a message of a user or of the app.
  private var isMessage: Bool { isBubble || kind == .system }

  /// Returns whether an empty line separates the row from the one above.
  fileprivate func isApart(from above: MessageRow) -> Bool {
    // A notice refers to messages that are not shown, and does not belong to those below it.
    above.isMessage ? header || !isBubble : above.kind == .notice && isMessage
  }
}
