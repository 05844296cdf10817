// Pages: what messages say and show.
public import Chat
public import ChatMessageList
internal import Foundation

extension HTMLFactory {
  /// The words, each line as it was written.
  public func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML {
    .element("div", ["class": "words", "dir": "auto"], HTML(words: text.text))
  }

  /// The emoji, large.
  public func makeJumboEmojiBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML {
    .element("div", ["class": "words large", "dir": "auto"], HTML(words: text.text))
  }

  /// The picture where it is at hand as bytes, or is to be loaded; otherwise a link to it.
  public func makeImageBubble<M>(_ image: ImageItem, placeholder: HTML, _ slot: MessageSlot<M>) -> HTML {
    let alt = image.summary ?? context.words.image
    if let data = image.data {
      guard let address = data.pictureAddress else { return placeholder }
      return .element("img", ["class": "picture", "src": address, "alt": alt])
    }
    guard let address = image.url.flatMap({ WebAddress($0) }) else { return placeholder }
    return .link(address, loadsPictures ? picture(at: address.string, alt: alt) : placeholder)
  }

  /// The pictures where they are to be loaded, otherwise links with what there is to say of them; and the words.
  public func makeMediaBubble<M>(_ media: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    attachments(media, text, slot)
  }

  /// Links with what there is to say of them, and the words.
  public func makeFileBubble<M>(_ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    attachments(files, text, slot)
  }

  /// The words, and below them links with what there is to say of the pages.
  public func makeLinkBubble<M>(_ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    .joined([text.map { makeTextBubble($0, slot) } ?? HTML(), attachments(links, nil, slot)])
  }

  /// As pictures, and the words.
  public func makeGiphyBubble<M>(_ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    attachments(pictures, text, slot)
  }

  /// As any other, and the words.
  public func makeEphemeralBubble<M>(_ shown: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    attachments(shown, text, slot)
  }

  /// The words.
  public func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML {
    .element("p", ["class": "words", "dir": "auto"], HTML(words: text.text))
  }

  /// That it is deleted.
  public func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> HTML {
    .element("p", ["class": "gone"], .element("i", [:], text: context.words.deleted))
  }

  /// That nothing draws it.
  public func makeCustomItem<M>(_ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>) -> HTML {
    .element("p", ["class": "notice", "dir": "auto"], text: context.words.noRenderer(item.id))
  }

  /// That there is a picture, and what it shows.
  public func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> HTML {
    let summary = if case .image(let image) = slot.message.kind { image.summary } else { nil as String? }
    return .element("span", ["class": "placeholder", "dir": "auto"], text: summary ?? context.words.image)
  }
}

// MARK: Attachments

extension HTMLFactory {
  private func attachments<M>(_ shown: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    var parts = shown.map { attachment($0, opening: .open($0.id, message: slot.message.messageID)) }
    if let text { parts.append(makeTextBubble(text, slot)) }
    return .joined(parts)
  }

  /// An attachment, by a link where it is reached by others, otherwise by a button.
  private func attachment(_ attachment: Attachment, opening action: SlotAction) -> HTML {
    guard let address = attachment.address.flatMap({ WebAddress($0) }) else {
      return .element("div", ["class": "attachment"], form("open", control(action, title(of: attachment))))
    }
    var link = HTML()
    if loadsPictures, let picture = attachment.pictureAddress {
      link = self.picture(at: picture, alt: attachment.summary?.string ?? context.words(for: attachment))
    }
    link.append(title(of: attachment))
    link.carry(action)
    return .element("div", ["class": "attachment"], .link(address, link))
  }

  /// What it is called, what it is, and how large.
  private func title(of attachment: Attachment) -> HTML {
    let name = context.words(for: attachment)
    let kind = attachment.kind == .link ? attachment.address ?? "" : context.kind(of: attachment)
    let details = (kind == name || kind.isEmpty ? [] : [kind]) + context.facts(about: attachment)
    var parts = [HTML.element("span", ["class": "title", "dir": "auto"], text: name)]
    if !details.isEmpty { parts.append(.element("span", ["class": "about"], text: details.joined(separator: ", "))) }
    if let summary = attachment.summary, !summary.isEmpty {
      parts.append(.element("span", ["class": "summary", "dir": "auto"], text: summary.string))
    }
    return .joined(parts)
  }

  private func picture(at address: String, alt: String) -> HTML {
    .element(
      "img", ["class": "picture", "src": address, "alt": alt, "loading": "lazy", "referrerpolicy": "no-referrer"])
  }
}

extension Attachment {
  /// Where a picture of it is.
  fileprivate var pictureAddress: String? {
    if let thumbnail, WebAddress(thumbnail.string) != nil { return thumbnail.string }
    switch kind {
    case .image, .giphy: return address
    case .video, .audio, .file, .link, .custom: return nil
    }
  }
}
