// The defaults of lists and of rows that are no messages, for any form of output.
public import Chat
public import ChatMessageList
public import ChatProjections

extension ViewFactory {
  /// What the channel is called, and its line.
  public func makeChannelListItem(_ item: ChannelItem) -> Output {
    var output = Output(text: context.title(of: item.channel) + " " + context.words(for: item.line))
    output.carry(.openChannel(item.channel.id))
    return output
  }

  /// What the thread is about, and its line.
  public func makeThreadListItem(_ item: ThreadItem) -> Output {
    var output = Output(text: item.parent.content.text.string + " " + context.words(for: item.line))
    output.carry(.openThread(item.parent.key))
    return output
  }

  /// What is written.
  public func makeDraftListItem(_ draft: Draft) -> Output {
    var output = Output(text: context.words(for: draft.content?.preview))
    output.carry(.openDraft(draft.key))
    output.carry(.deleteDraft(draft.key))
    return output
  }

  /// The rows, one below the other, above the input.
  public func makeMessageList(_ slot: ListSlot<Output>) -> Output {
    .joined([slot.loading] + slot.rows.map(\.output) + [slot.empty, slot.inputBar])
  }

  /// That there is none.
  public func makeEmptyList() -> Output { Output(text: context.words.empty) }

  /// That it is loaded.
  public func makeLoading() -> Output { Output(text: context.words.loading) }

  /// The day.
  public func makeDateSeparator(_ row: MessageRow) -> Output { Output(text: row.date.map { context.day($0) } ?? "") }

  /// How much is below.
  public func makeUnreadSeparator(_ row: MessageRow) -> Output { Output(text: context.words.unread(row.count ?? 0)) }

  /// How many replies there are.
  public func makeThreadSeparator(_ row: MessageRow) -> Output { Output(text: context.words.replies(row.count ?? 0)) }

  /// That it begins.
  public func makeConversationStart() -> Output { Output(text: context.words.conversationStart) }

  /// Loads them.
  public func makeLoadOlder() -> Output {
    var output = Output(text: context.words.loadOlder)
    output.carry(.loadOlder)
    return output
  }

  /// Loads them.
  public func makeLoadNewer() -> Output {
    var output = Output(text: context.words.loadNewer)
    output.carry(.loadNewer)
    return output
  }

  /// Who types.
  public func makeTyping(_ row: MessageRow) -> Output {
    Output(text: context.words.typing([context.name(row.userID ?? "")]))
  }

  /// What is not shown, and why.
  public func makeNotice(_ row: MessageRow) -> Output {
    var output = Output(text: context.notice(row))
    if row.messageID == nil { output.carry(.loadOlder) }
    return output
  }
}

extension RenderingContext {
  /// What a notice says.
  public func notice(_ row: MessageRow) -> String {
    if case .custom(let id) = row.content { return words.noRenderer(id) }
    return row.count.map { words.muted($0) } ?? words.olderFailed
  }

  /// What a channel is called.
  public func title(of channel: Channel) -> String {
    let name = channel.profile.name.string
    return name.isEmpty ? channel.id.text : name
  }

  /// What the line of a channel or a thread says.
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

  /// What a message says in one line.
  public func words(for message: Message) -> String {
    let text = message.content.text.string
    return text.isEmpty ? message.content.attachments.first.map { words(for: $0) } ?? "" : text
  }

  /// What a draft says in one line.
  public func words(for preview: DraftPreview?) -> String {
    switch preview {
    case .text(let text): text.userText.string
    case .attachment(let attachment): words(for: attachment.attachment)
    case .command(let command): "/" + command.id.text
    case .quote, nil: ""
    }
  }

  /// Where a draft was written: in a channel, or in one of its threads.
  public func place(of draft: Draft) -> String {
    ([draft.key.channel.text] + [draft.key.thread?.text].compactMap(\.self)).joined(separator: "/")
  }
}
