// The default slots of messages for any output.
public import Chat
internal import ChatComposer
public import ChatMessageList
internal import Foundation

extension ViewFactory {
  /// Returns the parts from the header on, with the annotations after it.
  public func makeMessageRow<M>(_ slot: MessageSlot<M>, _ parts: MessageParts<Output>) -> Output {
    let remarks = context.annotations(of: slot).map { Output(text: $0) }
    return .joined(
      [parts.avatar, parts.header] + remarks + [
        parts.quote, parts.bubble, parts.swipeTimestamp, parts.poll, parts.reactions, parts.thread, parts.timestamp,
        parts.status, parts.footer, parts.menu,
      ])
  }

  /// Returns the author's name.
  public func makeMessageHeader<M>(_ slot: MessageSlot<M>) -> Output {
    Output(text: slot.row.authorName ? slot.chat?.sender.map { context.name(of: $0) } ?? "" : "")
  }

  /// Returns empty output.
  public func makeMessageFooter<M>(_ slot: MessageSlot<M>) -> Output { Output() }

  /// Returns empty output.
  public func makeAvatar<M>(_ slot: MessageSlot<M>) -> Output { Output() }

  /// Returns the labels of the app's items, with the actions of the row, which are not shown.
  public func makeContextMenu<M>(_ slot: MessageSlot<M>) -> Output {
    let id = slot.message.messageID
    let actions = slot.row.actions.elements.reduce(into: Output()) { $0.carry(.message($1, id)) }
    let items = slot.menuItems.map { item in
      var output = Output(text: context.label(of: item))
      output.carry(.custom(item.id, message: id))
      return output
    }
    return .joined([actions] + items)
  }

  /// Returns the actions' labels.
  public func makeEphemeralActions<M>(_ slot: MessageSlot<M>) -> Output {
    .joined(
      EphemeralAction.allCases.map { action in
        var output = Output(text: context.label(of: action))
        output.carry(.ephemeral(action, message: slot.message.messageID))
        return output
      })
  }

  /// Returns the time.
  public func makeTimestamp<M>(_ slot: MessageSlot<M>) -> Output { Output(text: slot.time) }

  /// Returns the status texts.
  public func makeStatus<M>(_ slot: MessageSlot<M>) -> Output { Output(text: context.status(of: slot.row)) }

  /// Returns the quoted message's text.
  public func makeQuote<M>(_ quote: MessageQuote, _ slot: MessageSlot<M>) -> Output {
    var output = Output(text: context.summary(of: quote))
    if slot.isQuoteInList || quote.state == .present { output.carry(.jump(to: quote.target)) }
    return output
  }

  /// Returns the options with their votes.
  public func makePoll<M>(_ poll: MessagePoll, _ slot: MessageSlot<M>) -> Output {
    .joined(
      poll.options.map { option in
        var output = Output(text: "\(option.text) \(context.words.votes(option.votes))")
        if poll.isOpen { output.carry(.vote(option.id, message: slot.message.messageID)) }
        return output
      } + (poll.isOpen ? [] : [Output(text: context.words.pollClosed)]))
  }

  /// Returns the reaction kinds with their counts.
  public func makeReactions<M>(_ slot: MessageSlot<M>) -> Output {
    .joined(
      slot.row.reactions.map { reaction in
        var output = Output(text: "\(context.reaction(reaction.key)) \(reaction.count)")
        output.carry(.react(reaction.key, message: slot.message.messageID))
        return output
      })
  }

  /// Returns the number of replies.
  public func makeThreadLine<M>(_ thread: MessageThread, _ slot: MessageSlot<M>) -> Output {
    if thread.replyCount == 0 { return Output() }
    var output = Output(text: context.words.replies(thread.replyCount))
    output.carry(.message(.thread, slot.message.messageID))
    return output
  }

  // MARK: Bubbles

  /// Returns the text.
  public func makeTextBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output {
    Output(text: String(text.text.characters))
  }

  /// Returns the emoji.
  public func makeJumboEmojiBubble<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output {
    makeTextBubble(text, slot)
  }

  /// Returns the placeholder.
  public func makeImageBubble<M>(_ image: ImageItem, placeholder: Output, _ slot: MessageSlot<M>) -> Output {
    placeholder
  }

  /// Returns the pictures' placeholders or titles, the other attachments' titles and the text.
  public func makeMediaBubble<M>(
    _ media: [Attachment], _ text: TextItem?, placeholder: Output?, _ slot: MessageSlot<M>
  ) -> Output { attachments(media, text, placeholder: placeholder, slot) }

  /// Returns the attachments' titles and the text.
  public func makeFileBubble<M>(_ files: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    attachments(files, text, slot)
  }

  /// Returns the attachments' titles and the text.
  public func makeLinkBubble<M>(_ links: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    attachments(links, text, slot)
  }

  /// Returns the attachments' titles and the text.
  public func makeGiphyBubble<M>(_ pictures: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    attachments(pictures, text, slot)
  }

  /// Returns the attachments' titles and the text.
  public func makeEphemeralBubble<M>(_ shown: [Attachment], _ text: TextItem?, _ slot: MessageSlot<M>) -> Output {
    attachments(shown, text, slot)
  }

  private func attachments<M>(
    _ shown: [Attachment], _ text: TextItem?, placeholder: Output? = nil, _ slot: MessageSlot<M>
  ) -> Output {
    var parts = shown.map { attachment in
      let picture = attachment.kind == .image ? placeholder : nil
      var output = picture ?? Output(text: context.words(for: attachment))
      output.carry(.open(attachment.id, message: slot.message.messageID))
      return output
    }
    if let text { parts.append(makeTextBubble(text, slot)) }
    return .joined(parts)
  }

  /// Returns the text.
  public func makeSystemMessage<M>(_ text: TextItem, _ slot: MessageSlot<M>) -> Output { makeTextBubble(text, slot) }

  /// Returns the text for a deleted message.
  public func makeDeletedMessage<M>(_ slot: MessageSlot<M>) -> Output { Output(text: slot.deletion(context.words)) }

  /// Returns the text for a kind without a renderer.
  public func makeCustomItem<M>(
    _ item: any CustomItem, _ info: CustomRendererInfo, _ slot: MessageSlot<M>
  ) -> Output { Output(text: context.words.noRenderer(item.id)) }

  /// Returns the picture's description, or the word for a picture.
  public func makeImagePlaceholder<M>(_ slot: MessageSlot<M>) -> Output {
    guard case .image(let image) = slot.message.kind else { return Output(text: context.words.image) }
    return Output(text: image.summary ?? context.words.image)
  }
}

extension RenderingContext {
  /// Returns the title of a menu item, after the glyph of its icon if it has one.
  public func label(of item: MessageMenuItem) -> String {
    icon(item.icon)?.glyph.map { $0 + " " + item.title } ?? item.title
  }

  /// Returns the delivery state, the edit mark and the visibility that a row shows.
  public func status(of row: MessageRow) -> String {
    var parts: [String] = []
    if row.showsDelivery, let delivery = row.delivery { parts.append(words.delivery(delivery)) }
    if row.showsEdited { parts.append(words.edited) }
    if row.visibleOnlyToYou { parts.append(words.onlyYou) }
    return parts.joined(separator: ", ")
  }

  /// Returns the texts of a message's annotations.
  public func annotations<M>(of slot: MessageSlot<M>) -> [String] {
    slot.row.annotations.elements.map { annotation in
      switch annotation {
      case .pinned: words.pinned
      case .alsoInChannel: words.alsoInChannel
      case .forwarded: words.forwarded(slot.chat?.forwardedFrom.map { name(of: $0) })
      default: words.repliedToThread
      }
    }
  }
}
