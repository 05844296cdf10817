// Lists and rows that are no messages, as text.
public import Chat
public import ChatMessageList
public import ChatProjections

extension TextFactory {
  /// The rows, with an empty line between groups, or between all messages that have a header of their own, and above
  /// the input. Where there are only so many
  /// rows, those to which the list is scrolled; the last ones when it is not.
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

  /// The pieces that a window of so many rows shows, those at its edges in part.
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
    if let viewport, let place = pieces.firstIndex(where: { $0.0 == viewport.row }) {
      switch viewport.edge {
      case .top: top = ranges[place].lowerBound
      case .center: top = ranges[place].lowerBound + (ranges[place].count - rows) / 2
      case .bottom: top = ranges[place].upperBound - rows
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

  /// That there is none, in the middle.
  public func makeEmptyList() -> TerminalText { centered(context.words.empty) }

  /// That it is loaded, in the middle.
  public func makeLoading() -> TerminalText { centered(context.words.loading) }

  // MARK: Rows

  /// The day, between strokes.
  public func makeDateSeparator(_ row: MessageRow) -> TerminalText {
    TerminalText(line: row.date.map { context.day($0) } ?? "", .dim, .rule)
  }

  /// How much is below, between strokes.
  public func makeUnreadSeparator(_ row: MessageRow) -> TerminalText {
    TerminalText(line: context.words.unread(row.count ?? 0), .colored(.red, isBold: true), .rule)
  }

  /// How many replies there are, between strokes.
  public func makeThreadSeparator(_ row: MessageRow) -> TerminalText {
    TerminalText(line: context.words.replies(row.count ?? 0), .dim, .rule)
  }

  /// That it begins, in the middle.
  public func makeConversationStart() -> TerminalText { centered(context.words.conversationStart) }

  /// A button, in the middle.
  public func makeLoadOlder() -> TerminalText { button("↑ " + context.words.loadOlder, .loadOlder) }

  /// A button, in the middle.
  public func makeLoadNewer() -> TerminalText { button("↓ " + context.words.loadNewer, .loadNewer) }

  /// Who types.
  public func makeTyping(_ row: MessageRow) -> TerminalText {
    TerminalText(line: context.words.typing([context.name(row.userID ?? "")]) + " …", .dim)
  }

  /// What is not shown and why, in the middle, with a mark.
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

  // MARK: Lists of channels, threads and drafts

  /// What the channel is called, how much waits there, and its line: in one line.
  public func makeChannelListItem(_ item: ChannelItem) -> TerminalText {
    let unread = item.unread
    let mentions = unread.mentions > 0 ? " @\(unread.mentions)" : ""
    let title = TextRun(context.title(of: item.channel), .bold)
    let waiting = TextRun(unread == .none ? "" : " (\(unread.messages)\(mentions))", .colored(.red, isBold: true))
    return oneLine([title, waiting] + words(for: item.line), .openChannel(item.channel.id))
  }

  /// What the thread is about, and its line: in one line.
  public func makeThreadListItem(_ item: ThreadItem) -> TerminalText {
    let title = TextRun("↳ " + context.words(for: item.parent).prefix(titleLengthMax), .bold)
    return oneLine([title] + words(for: item.line), .openThread(item.parent.key))
  }

  /// What is written, and where, in one line.
  public func makeDraftListItem(_ draft: Draft) -> TerminalText {
    let runs = [
      TextRun(context.words.draft + ": ", .dim), TextRun(context.words(for: draft.content?.preview)),
      TextRun("  " + context.place(of: draft), .dim),
    ]
    var text = oneLine(runs, .openDraft(draft.key))
    text.carry(.deleteDraft(draft.key))
    return text
  }

  private func words(for line: ItemLine) -> [TextRun] {
    let isFailed = if case .failed = line { true } else { false }
    let words = isFailed ? "✗ " + context.words(for: line) : context.words(for: line)
    return [TextRun("  "), TextRun(words, isFailed ? .colored(.red) : .plain)]
  }

  private func oneLine(_ runs: [TextRun], _ action: SlotAction) -> TerminalText {
    var text = TerminalText()
    text.blocks = [TextBlock(lines: [TextLine(runs.map { TextRun($0.text.inOneLine, $0.look) }, .cut)])]
    text.columns = columns
    text.carry(action)
    return text
  }
}

/// How many letters of a message are shown where it is the title of its thread.
private let titleLengthMax = 40

extension TerminalText {
  fileprivate static var emptyLine: TerminalText {
    var text = TerminalText()
    text.blocks = [TextBlock(lines: [TextLine([])])]
    return text
  }
}

extension MessageRow {
  /// Whether somebody or the app said something.
  private var isMessage: Bool { isBubble || kind == .system }

  /// Whether an empty line stands between it and the row above.
  fileprivate func isApart(from above: MessageRow) -> Bool {
    // What is not shown is about messages, and no part of those below it.
    above.isMessage ? header || !isBubble : above.kind == .notice && isMessage
  }
}
