// Drawing a composer with a factory.
internal import Chat
public import ChatComposer
internal import ChatMessageList

extension ViewFactory {
  /// Draws a composer.
  public func draw(_ slot: ComposerSlot) -> Output {
    let shown = slot.presentation
    var parts = ComposerParts<Output>()
    if let title = shown.title { parts.title = Output(text: context.composerWords(title)) }
    if let notice = slot.notice { parts.notice = makeComposerNotice(notice) }
    parts.leading = makeLeadingComposer(shown.leading, picker: shown.picker, config: shown.channelConfig)
    parts.input = makeComposerInput(slot)
    parts.trailing = makeTrailingComposer(
      shown.trailing, isEnabled: shown.canSend, hasContent: shown.hasContent, cooldown: shown.cooldown)
    if shown.picker != .collapsed {
      parts.picker = makeAttachmentPicker(shown.picker, sources: shown.pickerSources)
    }
    if let suggestions = shown.suggestions { parts.suggestions = makeCommandsContainer(suggestions) }
    return makeComposerModifier(makeComposer(slot, parts))
  }

  /// Draws a live composer at the present instant.
  @MainActor
  public func draw(_ composer: LiveComposer) -> Output { draw(composer.slot) }
}
