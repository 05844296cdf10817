// Pages: the composer.
public import Chat
public import ChatComposer
public import ChatMessageList

extension HTMLFactory {
  /// A form with the parts; room to read where nothing can be sent.
  public func makeComposer(_ slot: ComposerSlot, _ parts: ComposerParts<HTML>) -> HTML {
    let title = slot.presentation.title.map { HTML.element("p", ["class": "title"], text: context.composerWords($0)) }
    let line = HTML.element("div", ["class": "line"], [parts.leading, parts.input, parts.trailing])
    return .element(
      "section", ["id": elementID("composer"), "class": "write", "aria-label": words.composer],
      form("composer", .joined([title ?? HTML(), parts.suggestions, line, parts.picker])))
  }

  /// The buttons, one after the other.
  public func makeLeadingComposer(_ items: [ComposerItem], picker: Composer.Picker, config: ChannelConfig) -> HTML {
    group("leading", items.map { button($0) })
  }

  /// What hangs on it above the text.
  public func makeComposerInput(_ slot: ComposerSlot) -> HTML {
    let items = slot.presentation.input.map { $0.id == .text ? field(slot) : draw($0, of: slot) }
    return .element("div", ["class": "input"], items)
  }

  /// The buttons, and how long one has to wait.
  public func makeTrailingComposer(_ items: [ComposerItem], isEnabled: Bool, cooldown: Int) -> HTML {
    let wait =
      cooldown > 0
      ? [HTML.element("span", ["class": "cooldown", "role": "timer"], text: context.words.cooldown(cooldown))] : []
    return group("trailing", wait + items.map { button($0) })
  }

  /// The places from where one can attach something.
  public func makeAttachmentPicker(_ picker: Composer.Picker, sources: [ComposerItem]) -> HTML {
    let items = sources.map {
      HTML.element("li", [:], makePickerSource($0, isOpen: $0.action == .perform(.showPicker(picker))))
    }
    return .element("ul", ["class": "picker", "role": "list", "aria-label": words.pickers], items)
  }

  /// A button.
  public func makePickerSource(_ item: ComposerItem, isOpen: Bool) -> HTML {
    button(item, isOn: isOpen ? true : nil)
  }

  /// What is suggested, by what it is, and whether more is awaited.
  public func makeCommandsContainer(_ list: SuggestionList) -> HTML {
    var items = list.items.map { item in
      HTML.element("li", [:], list.kind == .mentions ? makeUserSuggestion(item) : makeCommandSuggestion(item))
    }
    if list.isLoading { items.append(.element("li", ["role": "status"], text: context.words.loading)) }
    return .element("ul", ["class": "suggestions", "role": "list", "aria-label": words.suggestions], items)
  }

  /// The name, and what they are called for good.
  public func makeUserSuggestion(_ suggestion: Suggestion) -> HTML { self.suggestion(suggestion) }

  /// The command, and how it is written.
  public func makeCommandSuggestion(_ suggestion: Suggestion) -> HTML { self.suggestion(suggestion) }

  /// Who said what, and a button that quotes it no more.
  public func makeQuotedMessage(_ quote: MessageQuote, _ item: ComposerItem) -> HTML {
    banner("quoted", words.quoting, quote, item)
  }

  /// What is changed, and a button that leaves it as it was.
  public func makeEditBanner(_ edited: MessageQuote?, _ item: ComposerItem) -> HTML {
    banner("editing", words.editing, edited, item)
  }

  /// What it is called, how far it is, and a button that takes it off.
  public func makeInputAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> HTML {
    let name = item.label?.string ?? context.words(for: attachment.attachment)
    var parts = [HTML.element("span", ["dir": "auto"], text: name)]
    switch attachment.upload {
    case .done: break
    case .local: parts.append(progress(0))
    case .uploading(let permille): parts.append(progress(Int(permille) / 10))
    case .failed(let reason):
      parts.append(.element("span", ["class": "failed", "dir": "auto"], text: context.composerWords(reason)))
    }
    return chip(parts, item, about: name)
  }

  /// The same.
  public func makeCustomAttachment(_ attachment: ComposedAttachment, _ item: ComposerItem) -> HTML {
    makeInputAttachment(attachment, item)
  }

  /// A text and a button that sends it.
  public func makeInputBar(_ bar: BasicInputBar) -> HTML {
    let text = textArea(bar.text, placeholder: bar.placeholder)
    let send = control(.tap(.send), HTML(text: bar.sendLabel))
    return .element(
      "section", ["id": elementID("composer"), "class": "write", "aria-label": words.composer],
      form("composer", .element("div", ["class": "line"], [.element("div", ["class": "input"], text), send])))
  }

  /// Draws an item of the input by its slot, where it has one; a button otherwise.
  private func draw(_ item: ComposerItem, of slot: ComposerSlot) -> HTML {
    switch item.id {
    case .edit: return makeEditBanner(slot.subject, item)
    case .quote: return slot.subject.map { makeQuotedMessage($0, item) } ?? button(item)
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

  private func field(_ slot: ComposerSlot) -> HTML {
    textArea(slot.content.text.userText.string, placeholder: context.composerWords(slot.presentation.placeholder))
  }

  private func textArea(_ text: String, placeholder: String) -> HTML {
    // The first line break behind the tag is none of the text.
    .element(
      "textarea",
      [
        "name": "text", "rows": "2", "dir": "auto", "placeholder": placeholder, "aria-label": words.composer,
        "readonly": formAddress == nil ? "" : nil,
      ], HTML(text: "\n" + text))
  }

  /// An item with what is written on it; what cannot be tapped carries no action.
  private func button(_ item: ComposerItem, _ label: HTML? = nil, spoken: String? = nil, isOn: Bool? = nil) -> HTML {
    let shown = label ?? .element("span", ["dir": "auto"], text: context.label(of: item))
    // An item whose action is done shows so by its picture alone.
    let isOn = isOn ?? (item.icon == "checked" ? true : item.icon == "unchecked" ? false : nil)
    if item.isEnabled, item.action != .none { return control(.tap(item.id), shown, label: spoken, isOn: isOn) }
    if item.action == .none { return .element("span", ["class": "control"], shown) }
    return .element(
      "button", ["type": "button", "disabled": "", "aria-label": spoken], shown)
  }

  private func suggestion(_ suggestion: Suggestion) -> HTML {
    var parts = [HTML.element("b", ["dir": "auto"], text: suggestion.title.string)]
    if let detail = suggestion.detail {
      parts.append(.element("span", ["class": "about", "dir": "auto"], text: detail.string))
    }
    if suggestion.answer == nil { return .element("p", ["class": "notice", "role": "status"], parts) }
    return control(.pick(suggestion.id), .joined(parts))
  }

  private func banner(_ look: String, _ said: String, _ quote: MessageQuote?, _ item: ComposerItem) -> HTML {
    var parts = [HTML.element("span", ["class": "about"], text: said)]
    if let author = quote?.author { parts.append(.element("b", [:], .name(context.name(of: author)))) }
    if let quote { parts.append(.element("span", ["class": "said", "dir": "auto"], text: summary(of: quote))) }
    return .element("div", ["class": "banner " + look], parts + [takeOff(item, said)])
  }

  private func chip(_ parts: [HTML], _ item: ComposerItem, about name: String) -> HTML {
    .element("div", ["class": "chip"], parts + [takeOff(item, name)])
  }

  /// A button that takes an item off; nothing where it stays.
  private func takeOff(_ item: ComposerItem, _ name: String) -> HTML {
    if item.action == .none { return HTML() }
    return button(item, HTML(text: "×"), spoken: words.takeOff + ": " + name)
  }

  private func progress(_ percent: Int) -> HTML {
    .element("span", ["class": "about"], text: context.words.uploading(percent))
  }
}
