// The default slots of lists and of rows without messages for any output.
public import Chat
public import ChatMessageList
public import ChatProjections

extension ViewFactory {
  /// Returns the channel's title and its line.
  public func makeChannelListItem(_ item: ChannelItem) -> Output {
    var output = Output(text: context.title(of: item.channel) + " " + context.words(for: item.line))
    output.carry(.openChannel(item.channel.id))
    return output
  }

  /// Returns the thread's parent message and its line.
  public func makeThreadListItem(_ item: ThreadItem) -> Output {
    var output = Output(text: item.parent.content.text.string + " " + context.words(for: item.line))
    output.carry(.openThread(item.parent.key))
    return output
  }

  /// Returns the draft's preview.
  public func makeDraftListItem(_ item: DraftItem) -> Output {
    var output = Output(text: context.words(for: item.content.preview))
    output.carry(.openDraft(item.key))
    output.carry(.deleteDraft(item.key))
    return output
  }

  /// Returns the item's title and text, with its actions.
  public func makeListItem(_ item: ListItem) -> Output {
    let parts = context.parts(of: item)
    var output = Output(text: ([parts.title, parts.line] + parts.about).filter { !$0.isEmpty }.joined(separator: " "))
    for action in [parts.open].compactMap(\.self) + parts.actions.map(\.action) { output.carry(action) }
    return output
  }

  /// Returns the items from top to bottom, then the control that loads more.
  public func makeItemList(_ slot: ItemListSlot<Output>) -> Output {
    .joined(slot.items + [slot.empty, slot.loading, slot.loadMore])
  }

  /// Returns the text of an empty list.
  public func makeEmptyItemList(_ kind: ItemListKind) -> Output { Output(text: context.words.noItems[kind] ?? "") }

  /// Returns the label with the action that loads more.
  public func makeLoadMore(_ kind: ItemListKind) -> Output {
    var output = Output(text: context.words.loadMore)
    output.carry(.loadMore(kind))
    return output
  }

  /// Returns the rows from top to bottom, then the input.
  public func makeMessageList(_ slot: ListSlot<Output>) -> Output {
    .joined([slot.loading] + slot.rows.map(\.output) + [slot.empty, slot.inputBar])
  }

  /// Returns the text of an empty conversation.
  public func makeEmptyList() -> Output { Output(text: context.words.empty) }

  /// Returns the text of a running load.
  public func makeLoading() -> Output { Output(text: context.words.loading) }

  /// Returns the day.
  public func makeDateSeparator(_ row: MessageRow) -> Output { Output(text: row.date.map { context.day($0) } ?? "") }

  /// Returns the number of unread messages below.
  public func makeUnreadSeparator(_ row: MessageRow) -> Output { Output(text: context.words.unread(row.count ?? 0)) }

  /// Returns the number of replies.
  public func makeThreadSeparator(_ row: MessageRow) -> Output { Output(text: context.words.replies(row.count ?? 0)) }

  /// Returns the text at the start of the conversation.
  public func makeConversationStart() -> Output { Output(text: context.words.conversationStart) }

  /// Returns the label with the action that loads earlier messages.
  public func makeLoadOlder() -> Output {
    var output = Output(text: context.words.loadOlder)
    output.carry(.loadOlder)
    return output
  }

  /// Returns the label with the action that loads later messages.
  public func makeLoadNewer() -> Output {
    var output = Output(text: context.words.loadNewer)
    output.carry(.loadNewer)
    return output
  }

  /// Returns the text for a typing user.
  public func makeTyping(_ row: MessageRow) -> Output {
    Output(text: context.words.typing([context.name(row.userID ?? "")]))
  }

  /// Returns what is not shown, and why.
  public func makeNotice(_ row: MessageRow) -> Output {
    var output = Output(text: context.notice(row))
    if row.messageID == nil { output.carry(.loadOlder) }
    return output
  }
}

extension RenderingContext {
  /// Returns the text of a notice.
  public func notice(_ row: MessageRow) -> String {
    if case .custom(let id) = row.content { return words.noRenderer(id) }
    return row.count.map { words.muted($0) } ?? words.olderFailed
  }

  /// Returns a channel's name, or its id if it has none.
  public func title(of channel: Channel) -> String { title(channel.id, channel.profile.name) }

  func title(_ channel: Channel.ID, _ name: UserText?) -> String {
    name.flatMap { $0.isEmpty ? nil : $0.string } ?? channel.text
  }

  /// Returns the text of a channel's or a thread's line.
  public func words(for line: ItemLine) -> String {
    switch line {
    case .failed(let message): "\(words.notSent): \(words(for: message))"
    case .draft(let preview): "\(words.draft): \(words(for: preview))"
    case .typing(let users): words.typing(users.map { name($0.text) })
    case .message(let message):
      message.author.map { "\(name($0.text)): \(words(for: message))" } ?? words(for: message)
    case .deleted: words.deleted
    case .nothing: words.empty
    }
  }

  /// Returns a message's text, or its first attachment's title.
  public func words(for message: Message) -> String { words(for: message.content) }

  func words(for content: Message.Content) -> String {
    let text = content.text.string
    return text.isEmpty ? content.attachments.first.map { words(for: $0) } ?? "" : text
  }

  /// Returns a draft's preview in one line.
  public func words(for preview: DraftPreview?) -> String {
    switch preview {
    case .text(let text): text.userText.string
    case .attachment(let attachment): words(for: attachment.attachment)
    case .command(let command): "/" + command.id.text
    case .quote, nil: ""
    }
  }

  /// Returns the channel of a draft, and for a reply the message that it replies to.
  public func target(of item: DraftItem) -> String {
    let title = title(item.key.channel, item.channelName)
    guard let thread = item.key.thread else { return title }
    return title + "/" + (item.parent.map { $0.presence == .present ? words(for: $0) : words.deleted } ?? thread.text)
  }
}
