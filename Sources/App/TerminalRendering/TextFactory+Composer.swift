// Terminal text: composers.
public import Chat
public import ChatComposer
public import ChatMessageList
public import ChatRendering

extension TextFactory {
  /// Returns the title, the notice, the input, the buttons on one line, then the picker and the suggestions.
  public func makeComposer(_ slot: ComposerSlot, _ parts: ComposerParts<TerminalText>) -> TerminalText {
    var text: TerminalText = .joined([
      parts.title.looking(.bold), parts.notice, parts.input, parts.leading.beside(parts.trailing, by: "  "),
      parts.picker, parts.suggestions,
    ])
    text.columns = columns
    return text
  }

  /// Returns the text of the notice, after a `!` if it reports a failure.
  public func makeComposerNotice(_ notice: ComposerNotice) -> TerminalText {
    let words = context.words(for: notice)
    return notice.isFailure ? TerminalText("! " + words, .colored(.red)) : TerminalText(words, .dim)
  }

  /// Returns the buttons side by side.
  public func makeLeadingComposer(
    _ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig
  ) -> TerminalText { chips(items) }

  /// Returns the edited or quoted message, the attachments, and the text with its caret after a `>`.
  public func makeComposerInput(_ slot: ComposerSlot) -> TerminalText {
    let drawn = slot.presentation.input.map { item in
      item.id == .text ? written(slot) : item.hasSlot ? draw(item, of: slot) : chip(item)
    }
    return .joined(drawn)
  }

  /// Returns the buttons side by side, and the seconds until the user may send again.
  public func makeTrailingComposer(
    _ items: [ComposerItem], isEnabled: Bool, hasContent: Bool, cooldown: Int
  ) -> TerminalText {
    cooldown > 0
      ? chips(items).beside(TerminalText(line: context.words.cooldown(cooldown), .colored(.yellow))) : chips(items)
  }

  /// Returns the items side by side, or the app's picker.
  public func makeAttachmentPicker(_ picker: Composer.Picker, sources: [ComposerItem]) -> TerminalText {
    if case .expanded(.custom(let name)) = picker { return makeCustomPicker(name, items: sources) }
    return sources.reduce(TerminalText()) { line, item in
      line.beside(makePickerSource(item, isOpen: item.action == .perform(.showPicker(picker))))
    }
  }

  /// Returns the items side by side.
  public func makeCustomPicker(_ name: Composer.PickerName, items: [ComposerItem]) -> TerminalText {
    items.reduce(TerminalText()) { $0.beside(makePickerSource($1, isOpen: false)) }
  }

  /// Returns a button, with a mark if the source is open.
  public func makePickerSource(_ item: ComposerItem, isOpen: Bool) -> TerminalText {
    isOpen ? TerminalText(line: "▸", .bold).beside(chip(item), by: "\u{A0}") : chip(item)
  }

  /// Returns the suggestions below one another, and whether more are being loaded.
  public func makeCommandsContainer(_ list: SuggestionList) -> TerminalText {
    let items = list.items.map { makeSuggestion($0, of: list.kind) }
    return .joined(items + (list.isLoading ? [TerminalText(line: "  " + context.words.loading, .dim)] : []))
  }

  /// Returns the user's name and id.
  public func makeUserSuggestion(_ suggestion: Suggestion) -> TerminalText { suggested(suggestion) }

  /// Returns the command and its arguments.
  public func makeCommandSuggestion(_ suggestion: Suggestion) -> TerminalText { suggested(suggestion) }

  /// Returns the suggestion's title and detail.
  public func makeCustomSuggestion(_ suggestion: Suggestion, of kind: SuggestionInfo.Key) -> TerminalText {
    suggested(suggestion)
  }

  /// Returns the author and the text after a bar, with the control that removes the quote.
  public func makeQuotedMessage(_ quote: MessageQuote, _ item: ComposerItem) -> TerminalText {
    banner("quote", quoted(quote), item)
  }

  /// Returns the edited message after a bar, with the control that cancels the edit.
  public func makeEditBanner(_ edited: MessageQuote?, _ item: ComposerItem) -> TerminalText {
    banner("edit", edited.map { quoted($0) } ?? TerminalText(line: context.label(of: item)), item)
  }

  /// Returns the name, the upload's progress, and the control that removes the attachment.
  public func makeInputAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> TerminalText {
    let name = item.label ?? context.words(for: attachment.attachment)
    let look: TextLook = if case .failed = attachment.upload { .colored(.red) } else { .plain }
    let words = "[\(glyph(item.icon))\(name)\(mark(of: attachment.upload))]"
    return tapped(TerminalText(line: words + (item.isTappable ? " ×" : ""), look), item)
  }

  /// Returns the same as for other attachments, which can also be opened if the app has a closure for that.
  public func makeCustomAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> TerminalText {
    var text = makeInputAttachment(attachment, item)
    if item.canOpen { text.carry(.tapAttachment(attachment.attachment.id)) }
    return text
  }

  /// Returns the typed text after a `>`, and the button, in parentheses if the text cannot be sent.
  public func makeInputBar(_ bar: BasicInputBar) -> TerminalText {
    let button = bar.canSend ? "[\(bar.sendLabel)]" : "(\(bar.sendLabel))"
    let words = bar.text.isEmpty ? TerminalText(line: bar.placeholder, .dim) : TerminalText(bar.text)
    var text = prompted(words).beside(TerminalText(line: button.unbroken, bar.canSend ? .bold : .dim), by: "  ")
    if bar.canSend { text.carry(.tap(.send)) }
    return text
  }

  // MARK: Parts

  /// Returns the text with its caret, or with the selection between two; the placeholder if it is empty.
  private func written(_ slot: ComposerSlot) -> TerminalText {
    let text = slot.content.text
    if text.isEmpty {
      let placeholder = TextRun(context.composerWords(slot.presentation.placeholder), .dim)
      return prompted(TerminalText(runs: [TextRun(caret), placeholder]))
    }
    let selection = text.clamp(slot.selection)
    let (start, end) = (selection.lowerBound.rawValue, selection.upperBound.rawValue)
    var selected = TextLook()
    selected.isInverse = true
    let parts = [0..<start, start..<end, end..<text.units.count].map {
      String(decoding: text.units[$0], as: UTF16.self)
    }
    let mark = selection.isEmpty ? [TextRun(caret)] : [TextRun(caret), TextRun(parts[1], selected), TextRun(caret)]
    return prompted(TerminalText(runs: [TextRun(parts[0])] + mark + [TextRun(parts[2])]))
  }

  private var caret: String { "▏" }

  private func prompted(_ words: TerminalText) -> TerminalText {
    var text = words
    for (index, line) in (text.blocks.first?.lines ?? []).indices.enumerated() {
      text.blocks[0].lines[line].bar = [TextRun(index == 0 ? "> " : "  ", .bold)]
    }
    return text
  }

  private func banner(_ icon: String, _ quote: TerminalText, _ item: ComposerItem) -> TerminalText {
    var text = quote
    let mark = context.icon(item.icon ?? icon)?.glyph ?? ""
    if text.blocks.isEmpty { text.blocks = [TextBlock(lines: [TextLine([])])] }
    text.blocks[0].lines[0].bar = [TextRun(mark + (item.isTappable ? " [×]" : "") + " │ ", .dim)]
    return tapped(text, item)
  }

  private func suggested(_ suggestion: Suggestion) -> TerminalText {
    let sign = suggestion.answer == nil ? "! " : suggestion.symbol.map { $0.string.inOneLine + " " } ?? ""
    // The icon of a user is a picture.
    let isUser = if case .chatUser? = suggestion.answer { true } else { false }
    let icon = isUser ? "" : glyph(suggestion.icon?.string).inOneLine
    let runs = [
      TextRun("  " + sign + icon, .dim), TextRun(context.title(of: suggestion).inOneLine, .bold),
      TextRun(context.detail(of: suggestion).map { "  " + $0.inOneLine } ?? "", .dim),
    ]
    var text = TerminalText()
    text.blocks = [TextBlock(lines: [TextLine(runs, .cut)])]
    if suggestion.answer != nil { text.carry(.pick(suggestion.id)) }
    return text
  }

  /// Returns the mark of an upload's progress.
  private func mark(of upload: ComposedAttachment.Upload) -> String {
    switch upload {
    case .local: " …"
    case .uploading(let permille): " " + context.words.uploading(Int(permille) / 10)
    case .done: ""
    case .failed(let failure): " ✗ " + context.words(for: failure)
    }
  }

  private func chips(_ items: [ComposerItem]) -> TerminalText {
    items.reduce(TerminalText()) { $0.beside(chip($1)) }
  }

  /// Returns an item's label: in brackets if it can be tapped, in parentheses if not.
  private func chip(_ item: ComposerItem) -> TerminalText {
    let label = glyph(item.icon) + context.label(of: item)
    let words = item.isTappable ? "[\(label)]" : "(\(label))"
    return tapped(TerminalText(line: words.unbroken, item.isTappable ? .bold : .dim), item)
  }

  /// Returns the glyph of an icon with a space after it; empty if there is none.
  private func glyph(_ icon: String?) -> String { context.icon(icon)?.glyph.map { $0 + " " } ?? "" }

  private func tapped(_ drawn: TerminalText, _ item: ComposerItem) -> TerminalText {
    var text = drawn
    if item.isTappable { text.carry(.tap(item.id)) }
    return text
  }
}

extension ComposerItem {
  fileprivate var isTappable: Bool { isEnabled && action != .none }

  /// Whether the item has a slot of its own.
  fileprivate var hasSlot: Bool { id == .edit || id == .quote || id.string.hasPrefix("attachment/") }
}
