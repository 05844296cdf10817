// Performing the actions that a user presses in a drawn list.
public import Chat
public import ChatComposer
internal import ChatMessageList
public import ChatRendering
internal import Verbatim

/// The part of a pressed action that is left to the app.
public enum PressOutcome: Hashable, Sendable {
  /// The action is complete.
  case done
  /// The app performs its own action on a message: the id of a ``/ChatMessageList/MessageMenuItem``.
  case custom(String, message: Message.ID)
  /// The app copies the text to the clipboard.
  case copy(String)
  /// The app asks for the kind of reaction to add.
  case chooseReaction(to: Message.ID)
  /// The app scrolls to a message.
  case scroll(to: Message.ID)
  /// The app shows an attachment.
  case open(Attachment)
  /// The app shows a channel.
  case openChannel(Channel.ID)
  /// The app shows a thread.
  case openThread(Message.Key)
  /// The app shows the composer of a draft.
  case openDraft(Draft.Key)
  /// The app shows a channel at a message.
  case openMessage(Message.Key)
}

/// The error of a pressed action that could not be performed.
public enum PressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The action's message is not in the list any more.
  case messageGone(String)
  /// The action belongs to another list.
  case otherList(String)
  /// The action needs a composer, and none was given.
  case noComposer(String)

  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .messageGone(let id): "The message \(id) is no longer in the list: no action was performed."
    case .otherList(let id): "“\(id)” is no action of this list: pass it to the model that was drawn with it."
    case .noComposer(let id): "“\(id)” needs a composer: open one and pass it."
    }
  }
}

extension MessageListModel {
  /// Performs a pressed action in the log, a composer or the list; returns what is left to the app.
  ///
  /// A refusal is thrown as the controllers and the composer throw it.
  public func press(_ action: SlotAction, in composer: LiveComposer? = nil) async throws -> PressOutcome {
    switch action {
    case .message(let action, let id): return try await press(action, on: try message(id), in: composer)
    case .custom(let item, let id): return .custom(item, message: try message(id).message.key.id)
    case .ephemeral(let act, let id):
      try await needed(composer, for: action).act(act, on: try message(id).message)
    case .react(let kind, let id): try await toggle(kind, on: try message(id))
    case .vote(let option, let id): try await vote(pressing: option, in: try message(id))
    case .jump(let id):
      guard let target = Message.ID(rawValue: id) else { throw PressError.messageGone(id) }
      return try await press(jumpTo: target)
    case .open(let attachment, let id): return try open(attachment, of: try message(id))
    case .loadOlder: await loadEarlier()
    case .loadNewer: try await loadLater()
    case .tap(let item): try await needed(composer, for: action).tap(item)
    case .send: try await needed(composer, for: action).send()
    case .tapAttachment(let id): try await needed(composer, for: action).tapAttachment(id)
    case .perform(let act, _): try needed(composer, for: action).perform(act)
    case .pick(let suggestion): try needed(composer, for: action).pick(suggestion)
    case .loadMore: throw PressError.otherList(action.id)
    case .openThread(let parent): return .openThread(parent)
    case .openDraft(let draft): return .openDraft(draft)
    case .openChannel, .openMessage, .review, .unmute, .join, .decline, .unsave, .cancelScheduled, .unblock:
      return try await controller.client.me.press(action)
    case .deleteDraft(let draft):
      try await controller.client.me.deleteDraftMessage(in: draft.channel, thread: draft.thread)
    }
    return .done
  }

  // MARK: Messages

  /// Jumps to a message; one that the user sees in another list only is left to the app.
  private func press(jumpTo target: Message.ID) async throws(ReadError) -> PressOutcome {
    do throws(ReadError) {
      try await jump(to: target)
      return .scroll(to: target)
    } catch {
      guard case .refused(.unknownMessage) = error else { throw error }
      let content = try await controller.message(target).content
      if content.parent == thread { throw error }
      guard let parent = content.parent, !content.showsInChannel
      else { return .openMessage(Message.Key(controller.id, target)) }
      return .openThread(Message.Key(controller.id, parent))
    }
  }

  private func press(
    _ action: MessageAction, on message: ChatMessage, in composer: LiveComposer?
  ) async throws -> PressOutcome {
    let (key, pressed) = (message.message.key, SlotAction.message(action, message.messageID))
    switch action {
    case .reply: try needed(composer, for: pressed).perform(.quote(key.id))
    case .edit: try needed(composer, for: pressed).perform(.beginEdit(message.message))
    case .delete: try await controller.delete(key.id)
    case .retry: try await controller.client.submit(.message(key, .retry))
    case .copy: return .copy(message.message.content.text.string)
    case .pin where message.annotations.contains(.pinned): try await controller.unpin(key.id)
    case .pin: try await controller.pin(key.id)
    case .react: return .chooseReaction(to: key.id)
    case .thread: return .openThread(key)
    case .flag: try await controller.flag(key.id)
    case .mute: if let author = message.message.author { try await controller.client.user(author).mute() }
    }
    return .done
  }

  private func toggle(_ kind: String, on message: ChatMessage) async throws {
    let (key, kind) = (message.message.key, try Reaction.Kind(kind))
    if message.reactions.contains(where: { $0.key == kind.text && $0.mine }) {
      try await controller.unreact(to: key.id, kind)
    } else {
      try await controller.react(to: key.id, kind)
    }
  }

  private func vote(pressing option: String, in message: ChatMessage) async throws {
    let votes = message.poll?.votes(pressing: option) ?? []
    try await controller.vote(for: votes.map { try Poll.Option.ID($0) }, in: message.message.key.id)
  }

  private func open(_ id: Attachment.ID, of message: ChatMessage) throws(PressError) -> PressOutcome {
    guard let attachment = message.attachments.first(where: { $0.id == id })
    else { throw .messageGone(message.messageID) }
    return .open(attachment)
  }

  private func message(_ id: String) throws(PressError) -> ChatMessage {
    guard let message = layout.message(id) else { throw .messageGone(id) }
    return message
  }

  private func needed(_ composer: LiveComposer?, for action: SlotAction) throws(PressError) -> LiveComposer {
    guard let composer else { throw .noComposer(action.id) }
    return composer
  }
}
