// HTML: the bubbles of messages.
public import Chat
internal import ChatComposer
public import ChatMessageList
internal import Foundation

extension HTMLFactory {
  /// Returns the text with its line breaks.
  public func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML {
    .element("div", ["class": "words", "dir": "auto"], HTML(words: text.text))
  }

  /// Returns the emoji in a large font.
  public func makeJumboEmojiBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML {
    .element("div", ["class": "words large", "dir": "auto"], HTML(words: text.text))
  }

  /// Returns the picture if its bytes are available; if pictures are loaded, over the placeholder, which is visible
  /// until then; otherwise the placeholder as a link.
  public func makeImageBubble<M>(_ image: ImageItem, placeholder: HTML, _ slot: MessageSlot<M>) -> HTML {
    let alt = image.summary?.beginning ?? context.words.image
    if let data = image.data {
      guard let address = data.pictureAddress else { return placeholder }
      return .element("img", ["class": "picture", "src": address, "alt": alt])
    }
    if let own = image.url.flatMap({ localAddress(of: $0) }).flatMap({ WebAddress($0) }) {
      return .link(own, picture(at: own.string, alt: alt, over: placeholder))
    }
    guard let address = image.url.flatMap({ WebAddress($0) }) else { return placeholder }
    return .link(address, loadsPictures ? picture(at: address.string, alt: alt, over: placeholder) : placeholder)
  }

  /// Returns the pictures over their placeholders if pictures are loaded, otherwise links with placeholders or
  /// descriptions; and the text.
  public func makeMediaBubble<M>(
    _ media: [Attachment], _ text: TextItem?, placeholder: HTML?, _ slot: MessageSlot<M>
  ) -> HTML { attachments(media, text, placeholder: placeholder, slot) }

  /// Returns links with descriptions, and the text.
  public func makeFileBubble<M>(_ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    attachments(files, text, slot)
  }

  /// Returns the text, and below it links with descriptions of the pages.
  public func makeLinkBubble<M>(_ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    .joined([text.map { makeTextBubble($0, slot) } ?? HTML(), attachments(links, nil, slot)])
  }

  /// Returns the pictures, those of ``/ChatComposer/GIFCatalogue`` as inline images, and the text.
  public func makeGiphyBubble<M>(_ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    attachments(pictures, text, slot)
  }

  /// Returns the attachments as in other messages, and the text.
  public func makeEphemeralBubble<M>(_ shown: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> HTML {
    attachments(shown, text, slot)
  }

  /// Returns the text.
  public func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> HTML {
    .element("p", ["class": "words", "dir": "auto"], HTML(words: text.text))
  }

  /// Returns the text for a deleted message.
  public func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> HTML {
    .element("p", ["class": "gone"], .element("i", [:], text: slot.deletion(context.words)))
  }

  /// Returns the text for a kind without a renderer.
  public func makeCustomItem<M>(_ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>) -> HTML {
    .element("p", ["class": "notice", "dir": "auto"], text: context.words.noRenderer(item.id))
  }

  /// Returns a placeholder with the picture's description.
  public func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> HTML {
    let summary = if case .image(let image) = slot.message.kind { image.summary } else { nil as String? }
    return .element("span", ["class": "placeholder", "dir": "auto"], text: summary?.beginning ?? context.words.image)
  }
}

// MARK: Attachments

extension HTMLFactory {
  private func attachments<M>(
    _ shown: [Attachment], _ text: TextItem?, placeholder: HTML? = nil, _ slot: MessageSlot<M>
  ) -> HTML {
    var parts = shown.map {
      attachment(
        $0, placeholder: $0.kind == .image ? placeholder : nil, opening: .open($0.id, message: slot.message.messageID))
    }
    if let text { parts.append(makeTextBubble(text, slot)) }
    return .joined(parts)
  }

  /// Returns an attachment: a link if other users can reach it, otherwise a button.
  private func attachment(_ attachment: Attachment, placeholder: HTML?, opening action: SlotAction) -> HTML {
    let description = placeholder ?? title(of: attachment)
    let own = attachment.address.flatMap { localAddress(of: $0) }
    guard let address = (own ?? attachment.address).flatMap({ WebAddress($0) }) else {
      return .element(
        "div", ["class": "attachment"],
        [inlinePicture(of: attachment), form("open", control(action, description))])
    }
    var link = HTML()
    let preview = attachment.pictureAddress
    if let picture = preview.flatMap({ localAddress(of: $0) }) ?? (loadsPictures ? preview : nil) {
      let alt = (attachment.summary?.string ?? context.words(for: attachment)).beginning
      link = self.picture(at: picture, alt: alt, over: placeholder ?? HTML())
      link.append(title(of: attachment))
    } else {
      link = description
    }
    link.carry(action)
    return .element("div", ["class": "attachment"], .link(address, link))
  }

  /// Returns an attachment's title, kind, size and summary; a long title or summary is cut.
  private func title(of attachment: Attachment) -> HTML {
    let name = context.words(for: attachment)
    let kind = attachment.kind == .link ? attachment.address ?? "" : context.kind(of: attachment)
    let details = (kind == name || kind.isEmpty ? [] : [kind]) + context.facts(about: attachment)
    var parts = [HTML.element("span", ["class": "title", "dir": "auto"], text: name.beginning)]
    if !details.isEmpty { parts.append(.element("span", ["class": "about"], text: details.joined(separator: ", "))) }
    if let summary = attachment.summary, !summary.isEmpty {
      parts.append(.element("span", ["class": "summary", "dir": "auto"], text: summary.string.beginning))
    }
    return .joined(parts)
  }

  /// Returns a picture that covers its placeholder once it is loaded.
  func picture(at address: String, alt: String, over placeholder: HTML = HTML()) -> HTML {
    let picture = HTML.element(
      "img", ["class": "picture", "src": address, "alt": alt, "loading": "lazy", "referrerpolicy": "no-referrer"])
    if placeholder.isEmpty { return picture }
    return .element("div", ["class": "loadable"], [.element("div", ["aria-hidden": "true"], placeholder), picture])
  }

  /// Returns the image of an animated picture of the catalogue, without animation for readers who prefer reduced
  /// motion; empty for any other attachment.
  private func inlinePicture(of attachment: Attachment) -> HTML {
    guard attachment.kind == .giphy, case .url(let url) = attachment.location,
      let picture = GIFCatalogue.picture(at: url)
    else { return HTML() }
    let alt = (attachment.summary?.string ?? context.words(for: attachment)).beginning.escaped(for: .attribute)
    // Safe because both images are constants of the catalogue, encoded in Base64, and the description is escaped.
    return HTML(
      trusted: """
        <picture><source media="(prefers-reduced-motion: reduce)" srcset="\(picture.still.svgAddress)">\
        <img class="picture" src="\(picture.svg.svgAddress)" alt="\(alt)"></picture>
        """)
  }
}

extension String {
  /// The data URL of an SVG document.
  fileprivate var svgAddress: String { "data:image/svg+xml;base64," + Data(utf8).base64EncodedString() }
}

extension Attachment {
  /// The address of a preview picture; nil if there is none.
  fileprivate var pictureAddress: String? {
    if let thumbnail, WebAddress(thumbnail.string) != nil { return thumbnail.string }
    switch kind {
    case .image, .giphy: return address
    case .video, .audio, .file, .link, .custom: return nil
    }
  }
}
