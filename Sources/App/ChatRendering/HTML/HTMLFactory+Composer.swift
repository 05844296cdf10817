// HTML: the composer.
public import Chat
public import ChatComposer
public import ChatMessageList

extension HTMLFactory {
  /// Returns a form with the parts; a plain container if no form can be sent.
  public func makeComposer(_ slot: ComposerSlot, _ parts: ComposerParts<HTML>) -> HTML {
    let title = slot.presentation.title.map { HTML.element("p", ["class": "title"], text: context.composerWords($0)) }
    let line = HTML.element("div", ["class": "line"], [parts.leading, parts.input, parts.trailing])
    return .element(
      "section", ["id": elementID("composer"), "class": "write", "aria-label": words.composer],
      form("composer", .joined([title ?? HTML(), parts.notice, parts.suggestions, line, parts.picker])))
  }

  /// Returns the text of the notice, which screen readers read aloud.
  public func makeComposerNotice(_ notice: ComposerNotice) -> HTML {
    let (look, role) = notice.isFailure ? ("failed", "alert") : ("about", "status")
    return .element("p", ["class": look, "role": role, "dir": "auto"], text: context.words(for: notice))
  }

  /// Returns the buttons in order.
  public func makeLeadingComposer(_ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig) -> HTML {
    group("leading", items.map { button($0) })
  }

  /// Returns the attachments above the text.
  public func makeComposerInput(_ slot: ComposerSlot) -> HTML {
    let items = slot.presentation.input.map { $0.id == .text ? field(slot) : draw($0, of: slot) }
    return .element("div", ["class": "input"], items)
  }

  /// Returns the buttons, and the remaining cooldown.
  public func makeTrailingComposer(
    _ items: [ComposerItem], isEnabled: Bool, hasContent: Bool, cooldown: Int
  ) -> HTML {
    let wait =
      cooldown > 0
      ? [HTML.element("span", ["class": "cooldown", "role": "timer"], text: context.words.cooldown(cooldown))] : []
    return group("trailing", wait + items.map { button($0) })
  }

  /// Returns the items as a list, or the app's picker.
  public func makeAttachmentPicker(_ picker: Composer.Picker, sources: [ComposerItem]) -> HTML {
    if case .expanded(.custom(let name)) = picker { return makeCustomPicker(name, items: sources) }
    return list(sources.map { makePickerSource($0, isOpen: $0.action == .perform(.showPicker(picker))) })
  }

  /// Returns the items as a list.
  public func makeCustomPicker(_ name: Composer.PickerName, items: [ComposerItem]) -> HTML {
    list(items.map { makePickerSource($0, isOpen: false) })
  }

  /// Returns a button, with the picture that it offers if pictures are loaded.
  public func makePickerSource(_ item: ComposerItem, isOpen: Bool) -> HTML {
    button(item, picture(of: item), isOn: isOpen ? true : nil)
  }

  /// Returns the suggestions by their kind, and whether more are being loaded.
  public func makeCommandsContainer(_ list: SuggestionList) -> HTML {
    var items = list.items.map { item in
      HTML.element("li", [:], makeSuggestion(item, of: list.kind))
    }
    if list.isLoading { items.append(.element("li", ["role": "status"], text: context.words.loading)) }
    return .element("ul", ["class": "suggestions", "role": "list", "aria-label": words.suggestions], items)
  }

  /// Returns the user's name and id.
  public func makeUserSuggestion(_ suggestion: Suggestion) -> HTML { self.suggestion(suggestion) }

  /// Returns the command and its usage.
  public func makeCommandSuggestion(_ suggestion: Suggestion) -> HTML { self.suggestion(suggestion) }

  /// Returns the suggestion's title and detail.
  public func makeCustomSuggestion(_ suggestion: Suggestion, of kind: SuggestionInfo.Key) -> HTML {
    self.suggestion(suggestion)
  }

  /// Returns the author and the text, and a button that removes the quote.
  public func makeQuotedMessage(_ quote: MessageQuote, _ item: ComposerItem) -> HTML {
    banner("quoted", words.quoting, quote, item)
  }

  /// Returns the edited message, and a button that cancels the edit.
  public func makeEditBanner(_ edited: MessageQuote?, _ item: ComposerItem) -> HTML {
    banner("editing", words.editing, edited, item)
  }

  /// Returns the name, the upload's progress, and a button that removes the attachment.
  public func makeInputAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> HTML {
    let name = name(of: attachment, item)
    var parts = [icon(item.icon), .element("span", ["dir": "auto"], text: name)]
    switch attachment.upload {
    case .done: break
    case .local: parts.append(progress(0))
    case .uploading(let permille): parts.append(progress(Int(permille) / 10))
    case .failed(let failure):
      parts.append(.element("span", ["class": "failed", "dir": "auto"], text: context.words(for: failure)))
    }
    return chip(parts, item, about: name)
  }

  /// Returns the same as for other attachments; the name is a button if the app has a closure for that.
  public func makeCustomAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> HTML {
    if !item.canOpen { return makeInputAttachment(attachment, item) }
    let name = name(of: attachment, item)
    let open = control(.tapAttachment(attachment.attachment.id), .element("span", ["dir": "auto"], text: name))
    return chip([icon(item.icon), open], item, about: name)
  }

  /// Returns a text field and a send button, which is always enabled: the text is typed after the page is drawn.
  public func makeInputBar(_ bar: BasicInputBar) -> HTML {
    let text = textArea(bar.text, placeholder: bar.placeholder)
    let send = control(BasicInputBar.sendAction, HTML(text: bar.sendLabel))
    return .element(
      "section", ["id": elementID("composer"), "class": "write", "aria-label": words.composer],
      form("composer", .element("div", ["class": "line"], [.element("div", ["class": "input"], text), send])))
  }

  /// Draws an item of the input with its slot if it has one; otherwise as a button.
  private func draw(_ item: ComposerItem, of slot: ComposerSlot) -> HTML {
    switch item.id {
    case .edit: return makeEditBanner(slot.editedMessage, item)
    case .quote: return slot.quotedMessage.map { makeQuotedMessage($0, item) } ?? button(item)
    default: break
    }
    guard let attachment = slot.content.attachments.first(where: { item.id == .attachment($0.attachment.id) })
    else { return button(item) }
    if case .custom = attachment.attachment.kind { return makeCustomAttachment(attachment, item) }
    return makeInputAttachment(attachment, item)
  }
}

// MARK: Parts

extension HTMLFactory {
  private func group(_ look: String, _ content: [HTML]) -> HTML {
    content.isEmpty ? HTML() : .element("div", ["class": look], content)
  }

  private func list(_ items: [HTML]) -> HTML {
    .element(
      "ul", ["class": "picker", "role": "list", "aria-label": words.pickers], items.map { .element("li", [:], $0) })
  }

  private func name(of attachment: ComposedAttachment, _ item: ComposerItem) -> String {
    item.label ?? context.words(for: attachment.attachment)
  }

  /// Returns the picture that an item offers; nil if there is none, or pictures are not loaded.
  private func picture(of item: ComposerItem) -> HTML? {
    guard loadsPictures, let address = item.attachment?.address, let url = WebAddress(address) else { return nil }
    return picture(at: url.string, alt: context.label(of: item))
  }

  private func field(_ slot: ComposerSlot) -> HTML {
    textArea(slot.text, placeholder: context.composerWords(slot.presentation.placeholder))
  }

  private func textArea(_ text: String, placeholder: String) -> HTML {
    // The first line break after the tag is not part of the text.
    .element(
      "textarea",
      [
        "name": "text", "rows": "2", "dir": "auto", "placeholder": placeholder, "aria-label": words.composer,
        "readonly": formAddress == nil ? "" : nil,
      ], HTML(text: "\n" + text))
  }

  /// Returns an item with its label; one that cannot be tapped carries no action.
  private func button(_ item: ComposerItem, _ label: HTML? = nil, spoken: String? = nil, isOn: Bool? = nil) -> HTML {
    let words = HTML.element("span", ["dir": "auto"], text: context.label(of: item))
    let shown = label ?? .joined([icon(item.icon), words])
    // An item's checked state is in its icon only.
    let isOn = isOn ?? (item.icon == "checked" ? true : item.icon == "unchecked" ? false : nil)
    if item.isEnabled, item.action != .none { return control(.tap(item.id), shown, label: spoken, isOn: isOn) }
    if item.action == .none { return .element("span", ["class": "control"], shown) }
    return .element(
      "button", ["type": "button", "disabled": "", "aria-label": spoken], shown)
  }

  private func suggestion(_ suggestion: Suggestion) -> HTML {
    var parts = [icon(of: suggestion), .element("b", ["dir": "auto"], text: context.title(of: suggestion))]
    if let detail = context.detail(of: suggestion) {
      parts.append(.element("span", ["class": "about", "dir": "auto"], text: detail))
    }
    if suggestion.answer == nil { return .element("p", ["class": "notice", "role": "status"], parts) }
    return control(.pick(suggestion.id), .joined(parts))
  }

  /// Returns the icon of a suggestion; for a user, the picture if pictures are loaded.
  private func icon(of suggestion: Suggestion) -> HTML {
    guard case .chatUser? = suggestion.answer else { return icon(suggestion.icon?.string) }
    guard loadsPictures, let address = suggestion.icon.flatMap({ WebAddress($0.string) }) else { return HTML() }
    return .element(
      "img",
      [
        "class": "icon", "src": address.string, "alt": "", "loading": "lazy", "referrerpolicy": "no-referrer",
      ])
  }

  private func banner(_ look: String, _ said: String, _ quote: MessageQuote?, _ item: ComposerItem) -> HTML {
    var parts = [icon(item.icon), .element("span", ["class": "about"], text: said)]
    if let author = quote?.author { parts.append(.element("b", [:], .name(context.name(of: author)))) }
    if let quote { parts.append(.element("span", ["class": "said", "dir": "auto"], text: summary(of: quote))) }
    return .element("div", ["class": "banner " + look], parts + [takeOff(item, said)])
  }

  private func chip(_ parts: [HTML], _ item: ComposerItem, about name: String) -> HTML {
    .element("div", ["class": "chip"], parts + [takeOff(item, name)])
  }

  /// Returns a button that removes an item; empty if it cannot be removed.
  private func takeOff(_ item: ComposerItem, _ name: String) -> HTML {
    if item.action == .none { return HTML() }
    return button(item, HTML(text: "×"), spoken: words.takeOff + ": " + name)
  }

  private func progress(_ percent: Int) -> HTML {
    .element("span", ["class": "about"], text: context.words.uploading(percent))
  }
}
