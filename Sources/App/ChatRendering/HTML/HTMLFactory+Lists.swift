// HTML: lists, and rows without messages.
internal import Chat
public import ChatMessageList
public import ChatProjections
internal import Foundation

extension HTMLFactory {
  /// Returns the channel's title, line, last activity and unread counts.
  public func makeChannelListItem(_ item: ChannelItem) -> HTML {
    var about = [time(context.time(item.lastActivity.date, withDay: true), of: item.lastActivity.date)]
    if item.unread.messages > 0 {
      about.append(
        .element("b", ["class": "waiting"], text: words.waiting(item.unread.messages, item.unread.mentions)))
    }
    if item.member.pinned != nil { about.append(.element("span", [:], text: context.words.pinnedChannel)) }
    if item.member.archived != nil { about.append(.element("span", [:], text: context.words.archivedChannel)) }
    if item.mute != nil { about.append(.element("span", [:], text: words.muted)) }
    return entry(
      .openChannel(item.channel.id), context.title(of: item.channel), line: context.words(for: item.line), about: about)
  }

  /// Returns the thread's parent message, line and number of replies.
  public func makeThreadListItem(_ item: ThreadItem) -> HTML {
    let about = HTML.element("span", [:], text: context.words.replies(Int(item.parent.replyCount)))
    return entry(
      .openThread(item.parent.key), context.words(for: item.parent), line: context.words(for: item.line),
      about: [time(context.time(item.newest.sent.date, withDay: true), of: item.newest.sent.date), about])
  }

  /// Returns the draft's preview and location, and a button that deletes it.
  public func makeDraftListItem(_ item: DraftItem) -> HTML {
    let preview = context.words(for: item.content.preview)
    let about = [
      time(context.time(item.updated.date, withDay: true), of: item.updated.date),
      form("open", control(.deleteDraft(item.key), HTML(text: words.deleteDraft))),
    ]
    return entry(
      .openDraft(item.key), preview.isEmpty ? context.words.draft : preview, line: context.target(of: item),
      about: about)
  }

  /// Returns the item's title and text, its time and other texts, and its buttons.
  public func makeListItem(_ item: ListItem) -> HTML {
    let parts = context.parts(of: item)
    let sent = parts.time.map { time(context.time($0.date, withDay: true), of: $0.date) }
    let about = parts.about.map { HTML.element("span", ["dir": "auto"], text: $0) }
    let buttons = HTML.joined(parts.actions.map { control($0.action, HTML(text: $0.label)) })
    return entry(
      parts.open, parts.title, line: parts.line,
      about: [sent].compactMap(\.self) + about + (buttons.isEmpty ? [] : [form("open", buttons)]))
  }

  private func entry(_ action: SlotAction?, _ title: String, line: String, about: [HTML]) -> HTML {
    let name = HTML.element("b", ["dir": "auto"], text: title)
    let line = line.isEmpty ? HTML() : HTML.element("p", ["class": "line", "dir": "auto"], text: line)
    return .element(
      "article", ["class": "entry", "aria-label": title],
      [
        action.map { form("open", control($0, name)) } ?? name, line, .element("div", ["class": "about"], about),
      ])
  }

  /// Returns the items as a list in a labelled region, and the control that loads more below.
  public func makeItemList(_ slot: ItemListSlot<HTML>) -> HTML {
    // Each item is a line of the file, so that pages can be compared.
    let items = slot.items.filter { !$0.isEmpty }.flatMap { [HTML(text: "\n"), .element("li", [:], $0)] }
    var parts = items.isEmpty ? [] : [HTML.element("ol", ["class": "rows", "role": "list"], items)]
    parts += [slot.empty, slot.loading, slot.loadMore]
    return .element("section", ["class": "items", "aria-label": words.items[slot.kind] ?? ""], parts)
  }

  /// Returns the text of an empty list.
  public func makeEmptyItemList(_ kind: ItemListKind) -> HTML {
    .element("p", ["class": "notice"], text: context.words.noItems[kind] ?? "")
  }

  /// Returns a button that loads more items.
  public func makeLoadMore(_ kind: ItemListKind) -> HTML {
    form("load", control(.loadMore(kind), HTML(text: context.words.loadMore)))
  }

  /// Returns the rows as a live region, which screen readers follow as it grows, above the input.
  ///
  /// The row of the scroll position has the focus when the page is opened, so that browsers scroll to it.
  public func makeMessageList(_ slot: ListSlot<HTML>) -> HTML {
    // Each row is a line of the file, so that pages can be compared.
    let rows = slot.rows.filter { !$0.output.isEmpty }.flatMap { [HTML(text: "\n"), row($0, slot.viewport)] }
    var list = slot.loading
    if !rows.isEmpty { list.append(.element("ol", ["class": "rows", "role": "list"], rows)) }
    list.append(slot.empty)
    return .joined([
      .element(
        "section", ["class": "messages", "id": elementID("messages"), "role": "log", "aria-label": words.messages], list
      ),
      slot.inputBar,
    ])
  }

  /// Returns a row as an item of the list.
  package func row(_ drawn: DrawnRow<HTML>, _ viewport: Viewport? = nil) -> HTML {
    let row = drawn.row
    let isAtViewport = viewport?.row == row.id
    let isReached = isAtViewport || row.kind == .unreadSeparator || row.messageID != nil
    return .element(
      "li",
      [
        "id": elementID(of: row), "class": look(of: row),
        "tabindex": isReached ? "-1" : nil, "data-viewport": isAtViewport ? viewport.map { "\($0.edge)" } : nil,
        "autofocus": isAtViewport ? "" : nil,
      ], drawn.output)
  }

  /// Returns the CSS classes of a row: one that ends a group or has a footer gets a larger margin.
  private func look(of row: MessageRow) -> String {
    if !row.isBubble { return "row alone" }
    return row.groupEnd || row.footer ? "row end" : "row"
  }

  /// Returns the text of an empty conversation.
  public func makeEmptyList() -> HTML { .element("p", ["class": "notice"], text: context.words.empty) }

  /// Returns the text of a running load.
  public func makeLoading() -> HTML {
    .element("p", ["class": "notice", "role": "status"], text: context.words.loading)
  }

  /// Returns the day with its machine-readable date.
  public func makeDateSeparator(_ row: MessageRow) -> HTML {
    let day = row.date.map { context.day($0) } ?? ""
    let date = row.id.hasPrefix("d:") ? String(row.id.dropFirst(2)) : nil
    return separator("day", day, .element("time", ["datetime": date], text: day))
  }

  /// Returns the number of unread messages below.
  public func makeUnreadSeparator(_ row: MessageRow) -> HTML {
    let said = context.words.unread(row.count ?? 0)
    return separator("unread", said, .element("b", [:], text: said))
  }

  /// Returns the number of replies.
  public func makeThreadSeparator(_ row: MessageRow) -> HTML {
    let said = context.words.replies(row.count ?? 0)
    return separator("replies", said, .element("span", [:], text: said))
  }

  private func separator(_ look: String, _ said: String, _ content: HTML) -> HTML {
    .element("div", ["class": "separator " + look, "role": "separator", "aria-label": said], content)
  }

  /// Returns the text at the start of the conversation.
  public func makeConversationStart() -> HTML {
    .element("p", ["class": "notice"], text: context.words.conversationStart)
  }

  /// Returns a button that loads earlier messages.
  public func makeLoadOlder() -> HTML { form("load", control(.loadOlder, HTML(text: context.words.loadOlder))) }

  /// Returns a button that loads later messages.
  public func makeLoadNewer() -> HTML { form("load", control(.loadNewer, HTML(text: context.words.loadNewer))) }

  /// Returns the text for a typing user.
  public func makeTyping(_ row: MessageRow) -> HTML {
    .element("p", ["class": "typing", "dir": "auto"], text: context.words.typing([context.name(row.userID ?? "")]))
  }

  /// Returns what is not shown, and why. The row for earlier messages already has the button that retries.
  public func makeNotice(_ row: MessageRow) -> HTML {
    .element("p", ["class": "notice", "dir": "auto"], text: context.notice(row))
  }
}
