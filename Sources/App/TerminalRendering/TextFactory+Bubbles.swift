// Terminal text: the bubbles of messages.
public import Chat
public import ChatMessageList
internal import Foundation
public import ChatRendering

extension TextFactory {
  /// Returns the text with its styles.
  public func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> TerminalText { TerminalText(text.text) }

  /// Returns the placeholder and the address.
  public func makeImageBubble<M>(
    _ image: ImageItem, placeholder: TerminalText, _ slot: MessageSlot<M>
  ) -> TerminalText {
    var text = placeholder
    if image.data == nil, let url = image.url { text.append(TerminalText(line: url, .dim)) }
    return text
  }

  /// Returns a placeholder with the picture's description and size.
  public func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> TerminalText {
    guard case .image(let image) = slot.message.kind else { return boxed(context.words.image) }
    return boxed(
      context.words.image, image.summary, [image.data.map { context.words.byteCount(UInt64($0.count)) }])
  }

  /// Returns the placeholder of each picture or a description of each attachment, and the text.
  public func makeMediaBubble<M>(
    _ media: [Attachment], _ text: TextItem?, placeholder: TerminalText?, _ slot: MessageSlot<M>
  ) -> TerminalText { attachments(media, text, placeholder: placeholder, slot) }

  /// Returns a description of each attachment, and the text.
  public func makeFileBubble<M>(_ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> TerminalText {
    attachments(files, text, slot)
  }

  /// Returns the text, and below it a description of the page.
  public func makeLinkBubble<M>(_ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> TerminalText {
    .joined([words(text, slot), attachments(links, nil, slot)])
  }

  /// Returns a description of each attachment, and the text.
  public func makeGiphyBubble<M>(
    _ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { attachments(pictures, text, slot) }

  /// Returns a description of each attachment, and the text.
  public func makeEphemeralBubble<M>(
    _ shown: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>
  ) -> TerminalText { attachments(shown, text, slot) }

  private func attachments<M>(
    _ shown: [Attachment], _ text: TextItem?, placeholder: TerminalText? = nil, _ slot: MessageSlot<M>
  ) -> TerminalText {
    let drawn = shown.map { attachment in
      var text = described(attachment, as: attachment.kind == .image ? placeholder : nil)
      text.carry(.open(attachment.id, message: slot.message.messageID))
      return text
    }
    return .joined(drawn + [words(text, slot)])
  }

  private func words<M>(_ text: TextItem?, _ slot: MessageSlot<M>) -> TerminalText {
    text.map { makeTextBubble($0, slot) } ?? TerminalText()
  }

  /// Returns the system message, centred.
  public func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> TerminalText {
    TerminalText(text.text).looking(.dim).placed(TextAlignment(side: .center, before: gutter, after: gutter))
  }

  /// Returns the text for a deleted message, with a mark.
  public func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> TerminalText {
    TerminalText(line: "⊘ " + slot.deletion(context.words), .dim)
  }

  /// Returns the text for a kind without a renderer, with a mark.
  public func makeCustomItem<M>(
    _ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>
  ) -> TerminalText { warning(context.words.noRenderer(item.id)) }

  func warning(_ words: String) -> TerminalText { TerminalText(line: "! " + words, .colored(.yellow)) }

  // MARK: Attachments

  /// Returns the placeholder, or an attachment's kind, title and facts; below, its summary and address.
  private func described(_ attachment: Attachment, as placeholder: TerminalText?) -> TerminalText {
    var text =
      placeholder
      ?? boxed(context.kind(of: attachment), attachment.title?.string, context.facts(about: attachment))
    if let summary = attachment.summary, !summary.isEmpty { text.append(TerminalText(line: summary.string)) }
    if let address = attachment.address { text.append(TerminalText(line: address, .dim)) }
    return text
  }

  /// Returns `[Picture: title, facts]`.
  private func boxed(_ kind: String, _ title: String? = nil, _ facts: [String?] = []) -> TerminalText {
    let known = ([title?.isEmpty == false ? title : nil] + facts).compactMap(\.self)
    let words = known.isEmpty ? kind : kind + ": " + known.joined(separator: ", ")
    return TerminalText(line: "[\(words)]", .bold)
  }
}
