// Terminal text: the parts of a message row.
internal import ChatComposer
public import ChatMessageList
public import ChatRendering

extension TextFactory {
  /// Returns author and annotations, then quote and content, then all other parts, on the message's side. The time of a
  /// swiped list is in the margin at the other side.
  public func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<TerminalText>) -> TerminalText {
    let row = slot.row
    if row.kind != .message { return .joined([parts.bubble, parts.menu]) }
    let alignment = alignment(of: row)
    let isTimeAbove = row.timestamp == .top
    let above = isTimeAbove ? parts.header.beside(parts.timestamp, by: "  ") : parts.header
    let below = isTimeAbove ? parts.status : parts.timestamp.beside(parts.status, by: " · ")
    let remarks = context.annotations(of: slot).enumerated().map { index, words in
      TerminalText(line: row.annotations.elements[index].mark + " " + words, .dim)
    }
    let name = TextAlignment(side: alignment.side, width: alignment.width, after: alignment.after)
    return .joined([
      above.placed(name), TerminalText.joined(remarks).placed(alignment),
      said(parts, row).placed(alignment), parts.poll.placed(alignment), parts.reactions.placed(alignment),
      parts.thread.placed(alignment),
      below.placed(alignment), parts.footer.placed(alignment), parts.menu.placed(alignment),
    ])
  }

  private func alignment(of row: MessageRow) -> TextAlignment {
    // A custom kind is aligned by its renderer; its other parts as those of a normal message.
    let isTrailing = row.side == .trailing || (row.side == .center && row.isOwn)
    if isTrailing {
      return TextAlignment(side: .trailing, width: row.maxWidth, after: row.avatar == .none ? 0 : gutter)
    }
    return TextAlignment(side: .leading, width: row.maxWidth, before: gutter)
  }

  /// Returns quote and content, one below the other on one side, with the picture beside the first line and the time of
  /// a swiped list in the other margin.
  private func said(_ parts: MessageParts<TerminalText>, _ row: MessageRow) -> TerminalText {
    var said: TerminalText = .joined([parts.quote, parts.bubble])
    if said.blocks.allSatisfy({ $0.alignment == nil }), !said.blocks.isEmpty {
      said.blocks = [TextBlock(lines: said.blocks.flatMap(\.lines))]
    }
    for action in parts.avatar.actions { said.carry(action) }
    if row.avatar == .shown, let picture = parts.avatar.blocks.first?.lines.first, !said.blocks.isEmpty {
      said.blocks[0].mark = picture.runs
    }
    if let time = parts.swipeTimestamp.blocks.first?.lines.first, !said.blocks.isEmpty {
      said.blocks[0].aside = time.runs
    }
    return said
  }

  /// Returns the author's name in the author's color.
  public func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> TerminalText {
    guard slot.row.authorName, let sender = slot.chat?.sender else { return TerminalText() }
    return TerminalText(line: context.name(of: sender), .colored(.color(ofUser: sender.id), isBold: true))
  }

  /// Returns the app's items as buttons side by side, with the actions of the row, which are not shown.
  public func makeContextMenu<M>(_ slot: MessageSlot<M>) -> TerminalText {
    let id = slot.message.messageID
    let actions = slot.row.actions.elements.reduce(into: TerminalText()) { $0.carry(.message($1, id)) }
    return .joined([actions, buttons(slot.menuItems.map { (context.label(of: $0), .custom($0.id, message: id)) })])
  }

  /// Returns the buttons side by side.
  public func makeEphemeralActions<M>(_ slot: MessageSlot<M>) -> TerminalText {
    buttons(EphemeralAction.allCases.map { (context.label(of: $0), .ephemeral($0, message: slot.message.messageID)) })
  }

  func buttons(_ actions: [(label: String, action: SlotAction)]) -> TerminalText {
    actions.reduce(TerminalText()) { line, action in
      var button = TerminalText(line: "[\(action.label)]".unbroken)
      button.carry(action.action)
      return line.beside(button)
    }
  }

  /// Returns the time of sending.
  public func makeTimestamp<M>(_ slot: MessageSlot<M>) -> TerminalText { TerminalText(line: slot.time, .dim) }

  /// Returns the delivery state with a mark, the edit mark and the visibility.
  public func makeStatus<M>(_ slot: MessageSlot<M>) -> TerminalText {
    let row = slot.row
    let words = context.status(of: row)
    guard row.showsDelivery, let delivery = row.delivery else { return TerminalText(line: words, .dim) }
    let isFailed = if case .failed = delivery { true } else { false }
    return TerminalText(line: delivery.mark + " " + words, isFailed ? .colored(.red, isBold: true) : .dim)
  }

  /// Returns the quoted author and text after a bar, on one line.
  public func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> TerminalText {
    var text = quoted(quote)
    if slot.isQuoteInList || quote.state == .present { text.carry(.jump(to: quote.target)) }
    return text
  }

  func quoted(_ quote: MessageQuote) -> TerminalText {
    let words = TextRun(context.summary(of: quote).inOneLine, .dim)
    let author = quote.author.map {
      TextRun(context.name(of: $0).inOneLine, .colored(.color(ofUser: $0.id), isBold: true))
    }
    let runs = author.map { [$0, TextRun(words.text.isEmpty ? "" : ": ", .dim), words] } ?? [words]
    var line = TextLine(runs, .cut)
    line.bar = [TextRun("│ ", .dim)]
    var text = TerminalText()
    text.blocks = [TextBlock(lines: [line])]
    return text
  }

  /// Returns a line for each option with its votes, marked if the reader voted for it.
  public func makePoll<M>(_ poll: MessagePoll, _ slot: MessageSlot<M>) -> TerminalText {
    var lines = poll.options.map { option in
      let mark = poll.votesMax == 1 ? (option.mine ? "(•)" : "( )") : option.mine ? "[✓]" : "[ ]"
      let words = "\(mark) \(option.text.inOneLine) · \(context.words.votes(option.votes))"
      var line = TerminalText(line: words, option.mine ? .bold : .plain)
      if poll.isOpen { line.carry(.vote(option.id, message: slot.message.messageID)) }
      return line
    }
    if !poll.isOpen { lines.append(TerminalText(line: context.words.pollClosed, .dim)) }
    return .joined(lines)
  }

  /// Returns a chip with the count for each kind, marked if the reader is among them.
  public func makeReactions<M>(_ slot: MessageSlot<M>) -> TerminalText {
    slot.row.reactions.reduce(into: TerminalText()) { line, reaction in
      let words = "[\(context.reaction(reaction.key)) \(reaction.count)\(reaction.mine ? " ✓" : "")]"
      var chip = TerminalText(line: words.unbroken, reaction.mine ? .bold : .plain)
      chip.carry(.react(reaction.key, message: slot.message.messageID))
      line = line.beside(chip)
    }
  }

  /// Returns the number of replies and of unread ones, and the draft mark.
  public func makeThreadLine<M>(_ thread: MessageThread, _ slot: MessageSlot<M>) -> TerminalText {
    var words: [String] = []
    if thread.replyCount > 0 { words.append(context.words.replies(thread.replyCount)) }
    if thread.unread > 0 { words.append(context.words.unread(thread.unread)) }
    if thread.hasDraft { words.append(context.words.draft) }
    if words.isEmpty { return TerminalText() }
    var text = TerminalText(line: "↳ " + words.joined(separator: " · "), .colored(.cyan))
    text.carry(.message(.thread, slot.message.messageID))
    return text
  }
}

extension String {
  /// The text with non-breaking spaces.
  var unbroken: String { replacing(" ", with: "\u{A0}") }
}

extension MessageDelivery {
  /// The mark of a delivery state.
  fileprivate var mark: String {
    switch self {
    case .pending: "…"
    case .sent: "✓"
    case .delivered, .read: "✓✓"
    case .failed: "✗"
    }
  }
}

extension MessageAnnotations {
  fileprivate var mark: String { self == .pinned ? "📌" : self == .alsoInChannel ? "#" : self == .forwarded ? "⇢" : "↳" }
}
