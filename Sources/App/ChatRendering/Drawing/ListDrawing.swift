// Drawing a list with a factory and an app's own builders.
public import ChatMessageList
internal import Foundation

extension ViewFactory {
  /// Draws a list, with the builders and the input bar of the app.
  public func draw<M, InputBar>(
    _ list: MessageList<M, Output, InputBar>, inputBar: (InputBar) -> Output
  ) -> Output {
    drawList(
      list.layout, list.view.builders, inputBar: inputBar(list.view.inputBar), viewport: list.viewport,
      isLoading: list.isRefreshing, isSwiped: list.isSwiped)
  }

  /// Draws a list with the basic input bar.
  public func draw<M>(_ list: MessageList<M, Output, BasicInputBar>) -> Output {
    draw(list) { makeInputBar($0) }
  }

  /// Draws a list without an input bar.
  public func draw<M>(_ list: MessageList<M, Output, Void>) -> Output { draw(list) { Output() } }

  /// Draws one row of a list, with the builders of the app.
  public func draw<M, InputBar>(_ row: MessageRow, of list: MessageList<M, Output, InputBar>) -> Output {
    draw(row, of: list.layout, list.view.builders, isSwiped: list.isSwiped)
  }

  /// Draws a layout.
  public func drawList<M>(
    _ layout: MessageLayout<M>, _ builders: MessageBuilders<M, Output> = MessageBuilders(),
    inputBar: Output = Output(), viewport: Viewport? = nil, isLoading: Bool = false, isSwiped: Bool = false
  ) -> Output {
    let rows = layout.rows.map { DrawnRow(row: $0, output: draw($0, of: layout, builders, isSwiped: isSwiped)) }
    // Before they are read, or where that failed, it is unknown whether there are messages.
    let isEmpty = layout.messageCount == 0 && !isLoading && layout.rows.first?.kind != .notice
    return makeMessageList(
      ListSlot(
        rows: rows, empty: isEmpty ? makeEmptyList() : Output(),
        loading: isLoading ? makeLoading() : Output(), inputBar: inputBar, viewport: viewport))
  }

  /// Draws one row of a layout.
  public func draw<M>(
    _ row: MessageRow, of layout: MessageLayout<M>, _ builders: MessageBuilders<M, Output> = MessageBuilders(),
    isSwiped: Bool = false
  ) -> Output {
    switch row.kind {
    case .dateSeparator: return makeDateSeparator(row)
    case .unreadSeparator: return makeUnreadSeparator(row)
    case .threadSeparator: return makeThreadSeparator(row)
    case .conversationStart: return makeConversationStart()
    case .loadOlder: return makeLoadOlder()
    case .loadNewer: return makeLoadNewer()
    case .typing: return makeTyping(row)
    case .notice: return makeNotice(row)
    case .message, .system: break
    }
    guard let message = row.messageID.flatMap({ layout.message($0) }) else { return makeNotice(row) }
    let target = row.quote?.target
    let slot = MessageSlot(
      row: row, message: message, time: time(of: row, in: layout, builders),
      isQuoteInList: target.map { layout.index(ofMessage: $0) != nil } ?? false,
      menuItems: builders.menuItems?(message) ?? [])
    return draw(slot, builders, isSwiped: isSwiped && row.swipeTimestamp)
  }

  private func time<M>(
    of row: MessageRow, in layout: MessageLayout<M>, _ builders: MessageBuilders<M, Output>
  ) -> String {
    guard let date = row.date else { return "" }
    return builders.timestamp?(date) ?? context.time(date, withDay: !layout.isInSection(row))
  }
}

// MARK: Messages

extension ViewFactory {
  private func draw<M>(
    _ slot: MessageSlot<M>, _ builders: MessageBuilders<M, Output>, isSwiped: Bool
  ) -> Output {
    var parts = MessageParts<Output>()
    parts.bubble = bubble(slot, builders)
    parts.menu = menu(slot, builders)
    if slot.row.kind == .system { return makeMessageRow(slot, parts) }
    let (row, message) = (slot.row, slot.message)
    if row.header { parts.header = builders.header?(message) ?? makeMessageHeader(slot) }
    if row.footer { parts.footer = builders.footer?(message) ?? makeMessageFooter(slot) }
    if row.avatar == .shown { parts.avatar = builders.avatar?(message) ?? makeAvatar(slot) }
    if row.avatar == .spacer { parts.avatar = makeAvatar(slot) }
    if row.timestamp != .hidden { parts.timestamp = makeTimestamp(slot) }
    if isSwiped { parts.swipeTimestamp = makeTimestamp(slot) }
    if row.quote != nil, let quote = slot.chat?.quote { parts.quote = makeQuote(quote, slot) }
    if let poll = row.poll { parts.poll = makePoll(poll, slot) }
    if !row.reactions.isEmpty { parts.reactions = makeReactions(slot) }
    if row.thread != nil, let thread = slot.chat?.thread { parts.thread = makeThreadLine(thread, slot) }
    parts.status = makeStatus(slot)
    return makeMessageRow(slot, parts)
  }

  /// Draws the menu of a message: that of the app if it gives one, else the default menu if it has items. An ephemeral
  /// message of the reader has its own actions above the menu.
  private func menu<M>(_ slot: MessageSlot<M>, _ builders: MessageBuilders<M, Output>) -> Output {
    var menu = Output()
    if slot.row.content == .ephemeral, slot.row.isOwn { menu = makeEphemeralActions(slot) }
    if let contextMenu = builders.contextMenu {
      menu.append(contextMenu(slot.message))
    } else if !slot.row.actions.isEmpty || !slot.menuItems.isEmpty {
      menu.append(makeContextMenu(slot))
    }
    return menu
  }

  private func bubble<M>(_ slot: MessageSlot<M>, _ builders: MessageBuilders<M, Output>) -> Output {
    let attachments = slot.chat?.attachments ?? []
    if slot.row.content == .deletedPlaceholder { return makeDeletedMessage(slot) }
    switch slot.message.kind {
    case .system(let text): return makeSystemMessage(TextItem(text), slot)
    case .custom(let item):
      let info = CustomRendererInfo(slot.row)
      return builders.custom[item.id]?(slot.message, info) ?? makeCustomItem(item, info, slot)
    case .image(let image):
      return makeImageBubble(
        image, placeholder: builders.imagePlaceholder?(slot.message) ?? makeImagePlaceholder(slot), slot)
    case .text(let text):
      let words = text.text.characters.isEmpty ? nil : text
      switch slot.row.content {
      case .jumboEmoji: return makeJumboEmojiBubble(text, slot)
      case .media:
        let placeholder = builders.imagePlaceholder?(slot.message)
        return makeMediaBubble(
          attachments, words, placeholder: placeholder.flatMap { $0.isEmpty ? nil : $0 }, slot)
      case .file: return makeFileBubble(attachments, words, slot)
      case .custom(let id):
        let drawn = builders.custom[id].map { $0(slot.message, CustomRendererInfo(slot.row)) }
        return drawn ?? makeFileBubble(attachments, words, slot)
      case .link: return makeLinkBubble(attachments, words, slot)
      case .giphy: return makeGiphyBubble(attachments, words, slot)
      case .ephemeral: return makeEphemeralBubble(attachments, words, slot)
      case .text, .image, .deletedPlaceholder: return makeTextBubble(text, slot)
      }
    }
  }
}

extension CustomRendererInfo {
  fileprivate init(_ row: MessageRow) {
    self.init(suggestedWidth: row.maxWidth, cornerRadius: row.cornerRadius)
  }
}
