// The default slots of a composer for any output: plain text with actions.
public import Chat
public import ChatComposer
public import ChatMessageList

extension ViewFactory {
  /// Returns the parts, beginning with the title.
  public func makeComposer(_ slot: ComposerSlot, _ parts: ComposerParts<Output>) -> Output {
    .joined([
      parts.title, parts.notice, parts.leading, parts.input, parts.trailing, parts.picker, parts.suggestions,
    ])
  }

  /// Returns the composer unchanged.
  public func makeComposerModifier(_ composer: Output) -> Output { composer }

  /// Returns the text of the notice.
  public func makeComposerNotice(_ notice: ComposerNotice) -> Output { Output(text: context.words(for: notice)) }

  /// Returns the items in order.
  public func makeLeadingComposer(_ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig) -> Output {
    .joined(items.map { draw($0) })
  }

  /// Returns the attachments and the text.
  public func makeComposerInput(_ slot: ComposerSlot) -> Output {
    .joined(slot.presentation.input.map { draw($0, of: slot) })
  }

  /// Returns the items in order.
  public func makeTrailingComposer(
    _ items: [ComposerItem], isEnabled: Bool, hasContent: Bool, cooldown: Int
  ) -> Output {
    .joined(items.map { draw($0) })
  }

  /// Returns the items in order, or the app's picker.
  public func makeAttachmentPicker(_ picker: Composer.Picker, sources: [ComposerItem]) -> Output {
    if case .expanded(.custom(let name)) = picker { return makeCustomPicker(name, items: sources) }
    return .joined(sources.map { makePickerSource($0, isOpen: $0.action == .perform(.showPicker(picker))) })
  }

  /// Returns the items in order.
  public func makeCustomPicker(_ name: Composer.PickerName, items: [ComposerItem]) -> Output {
    .joined(items.map { makePickerSource($0, isOpen: false) })
  }

  /// Returns the item.
  public func makePickerSource(_ item: ComposerItem, isOpen: Bool) -> Output { draw(item) }

  /// Returns the suggestions by their kind.
  public func makeCommandsContainer(_ list: SuggestionList) -> Output {
    .joined(list.items.map { makeSuggestion($0, of: list.kind) })
  }

  /// Returns the suggestion's title.
  public func makeUserSuggestion(_ suggestion: Suggestion) -> Output { draw(suggestion) }

  /// Returns the suggestion's title.
  public func makeCommandSuggestion(_ suggestion: Suggestion) -> Output { draw(suggestion) }

  /// Returns the suggestion's title.
  public func makeCustomSuggestion(_ suggestion: Suggestion, of kind: SuggestionInfo.Key) -> Output { draw(suggestion) }

  /// Returns a suggestion by the kind of its list.
  public func makeSuggestion(_ suggestion: Suggestion, of kind: SuggestionInfo.Key?) -> Output {
    switch kind {
    case .mentions?: makeUserSuggestion(suggestion)
    case .instantCommands?: makeCommandSuggestion(suggestion)
    default: makeCustomSuggestion(suggestion, of: kind ?? .failure)
    }
  }

  private func draw(_ suggestion: Suggestion) -> Output {
    var output = Output(text: context.title(of: suggestion))
    if suggestion.answer != nil { output.carry(.pick(suggestion.id)) }
    return output
  }

  /// Returns the message's text.
  public func makeQuotedMessage(_ quote: MessageQuote, _ item: ComposerItem) -> Output {
    .joined([Output(text: context.summary(of: quote)), draw(item)])
  }

  /// Returns the message's text.
  public func makeEditBanner(_ edited: MessageQuote?, _ item: ComposerItem) -> Output {
    .joined([Output(text: edited.map { context.summary(of: $0) } ?? ""), draw(item)])
  }

  /// Returns the attachment's label.
  public func makeInputAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> Output { draw(item) }

  /// Returns the attachment's label, which can also be opened if the app has a closure for that.
  public func makeCustomAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> Output {
    var output = draw(item)
    if item.canOpen { output.carry(.tapAttachment(attachment.attachment.id)) }
    return output
  }

  /// Returns the text, or the placeholder if it is empty, with the action that sends it.
  public func makeInputBar(_ bar: BasicInputBar) -> Output {
    var output = Output(text: bar.text.isEmpty ? bar.placeholder : bar.text)
    if bar.canSend { output.carry(BasicInputBar.sendAction) }
    return output
  }

  /// Draws an item of the input with its slot; the text itself as plain text.
  public func draw(_ item: ComposerItem, of slot: ComposerSlot) -> Output {
    switch item.id {
    case .text:
      return Output(text: slot.text.isEmpty ? context.composerWords(slot.presentation.placeholder) : slot.text)
    case .edit: return makeEditBanner(slot.editedMessage, item)
    case .quote: return slot.quotedMessage.map { makeQuotedMessage($0, item) } ?? draw(item)
    default: break
    }
    guard let attachment = slot.content.attachments.first(where: { item.id == .attachment($0.attachment.id) })
    else { return draw(item) }
    if case .custom = attachment.attachment.kind { return makeCustomAttachment(attachment, item) }
    return makeInputAttachment(attachment, item)
  }

  /// Draws an item's label with its tap action.
  func draw(_ item: ComposerItem) -> Output {
    var output = Output(text: context.label(of: item))
    if item.isEnabled, item.action != .none { output.carry(.tap(item.id)) }
    return output
  }
}

extension MessageOutput {
  /// Returns the parts in order.
  public static func joined(_ parts: [Self]) -> Self { parts.reduce(into: Self()) { $0.append($1) } }
}

extension RenderingContext {
  /// Returns a message in one line.
  public func summary(of quote: MessageQuote) -> String {
    switch quote.state {
    case .deleted: return words.deleted
    case .notLoaded: return words.quoteNotLoaded
    case .present: break
    }
    if !quote.text.isEmpty { return quote.text }
    switch quote.content {
    case .image: return words.image
    case .media(let kinds): return kinds.first == .video ? words.video : words.image
    case .file: return words.file
    case .giphy: return words.giphy
    case .text, .jumboEmoji, .link, .custom, .deletedPlaceholder, .ephemeral: return ""
    }
  }
}
