// The defaults of what belongs to a message, for any form of output.
public import Chat
internal import ChatComposer
public import ChatMessageList
internal import Foundation

extension ViewFactory {
  /// The parts, from the header on, with what is remarked behind it.
  public func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<Output>) -> Output {
    let remarks = context.annotations(of: slot.row).map { Output(text: $0) }
    return .joined(
      [parts.avatar, parts.header] + remarks + [
        parts.quote, parts.bubble, parts.reactions, parts.thread, parts.timestamp, parts.status, parts.footer,
        parts.menu,
      ])
  }

  /// Who said it.
  public func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> Output {
    Output(text: slot.row.authorName ? slot.chat?.sender.map { context.name(of: $0) } ?? "" : "")
  }

  /// Nothing.
  public func makeMessageFooter<M>(_ slot: MessageSlot<M>) -> Output { Output() }

  /// Nothing.
  public func makeAvatar<M>(_ slot: MessageSlot<M>) -> Output { Output() }

  /// What one can do, nothing drawn.
  public func makeContextMenu<M>(_ slot: MessageSlot<M>) -> Output {
    slot.row.actions.elements.reduce(into: Output()) { $0.carry(.message($1, slot.message.messageID)) }
  }

  /// What one can do, in words.
  public func makeEphemeralActions<M>(_ slot: MessageSlot<M>) -> Output {
    .joined(
      EphemeralAction.allCases.map { action in
        var output = Output(text: context.label(of: action))
        output.carry(.ephemeral(action, message: slot.message.messageID))
        return output
      })
  }

  /// The time.
  public func makeTimestamp<M>(_ slot: MessageSlot<M>) -> Output { Output(text: slot.time) }

  /// What there is to say of the message.
  public func makeStatus<M>(_ slot: MessageSlot<M>) -> Output { Output(text: context.status(of: slot.row)) }

  /// The words of the message.
  public func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> Output {
    var output = Output(text: context.summary(of: quote))
    if slot.isQuoteInList { output.carry(.jump(to: quote.target)) }
    return output
  }

  /// The kinds, with how many reacted so.
  public func makeReactions<M>(_ slot: MessageSlot<M>) -> Output {
    .joined(
      slot.row.reactions.map { reaction in
        var output = Output(text: "\(context.reaction(reaction.key)) \(reaction.count)")
        output.carry(.react(reaction.key, message: slot.message.messageID))
        return output
      })
  }

  /// How many replies there are.
  public func makeThreadLine<M>(_ thread: MessageThread, _ slot: MessageSlot<M>) -> Output {
    if thread.replyCount == 0 { return Output() }
    var output = Output(text: context.words.replies(thread.replyCount))
    output.carry(.message(.thread, slot.message.messageID))
    return output
  }

  // MARK: Bubbles

  /// The words.
  public func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output {
    Output(text: String(text.text.characters))
  }

  /// The emoji.
  public func makeJumboEmojiBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output {
    makeTextBubble(text, slot)
  }

  /// What it shows, in words.
  public func makeImageBubble<M>(_ image: ImageItem, placeholder: Output, _ slot: MessageSlot<M>) -> Output {
    placeholder
  }

  /// What they are called, and the words.
  public func makeMediaBubble<M>(_ media: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    attachments(media, text, slot)
  }

  /// What they are called, and the words.
  public func makeFileBubble<M>(_ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    attachments(files, text, slot)
  }

  /// What they are called, and the words.
  public func makeLinkBubble<M>(_ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    attachments(links, text, slot)
  }

  /// What they are called, and the words.
  public func makeGiphyBubble<M>(_ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    attachments(pictures, text, slot)
  }

  /// What they are called, and the words.
  public func makeEphemeralBubble<M>(_ shown: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    attachments(shown, text, slot)
  }

  private func attachments<M>(_ shown: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    var parts = shown.map { attachment in
      var output = Output(text: context.words(for: attachment))
      output.carry(.open(attachment.id, message: slot.message.messageID))
      return output
    }
    if let text { parts.append(makeTextBubble(text, slot)) }
    return .joined(parts)
  }

  /// The words.
  public func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output { makeTextBubble(text, slot) }

  /// That it is deleted.
  public func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> Output { Output(text: context.words.deleted) }

  /// That nothing draws it.
  public func makeCustomItem<M>(
    _ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>
  ) -> Output { Output(text: context.words.noRenderer(item.id)) }

  /// That there is a picture.
  public func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> Output {
    guard case .image(let image) = slot.message.kind else { return Output(text: context.words.image) }
    return Output(text: image.summary ?? context.words.image)
  }
}

extension RenderingContext {
  /// How far a message came, whether it was edited, who sees it: what a row has to say of these.
  public func status(of row: MessageRow) -> String {
    var parts: [String] = []
    if row.showsDelivery, let delivery = row.delivery { parts.append(words.delivery(delivery)) }
    if row.showsEdited { parts.append(words.edited) }
    if row.visibleOnlyToYou { parts.append(words.onlyYou) }
    return parts.joined(separator: ", ")
  }

  /// What is remarked above a message.
  public func annotations(of row: MessageRow) -> [String] {
    row.annotations.elements.map { annotation in
      switch annotation {
      case .pinned: words.pinned
      case .alsoInChannel: words.alsoInChannel
      default: words.repliedToThread
      }
    }
  }
}
