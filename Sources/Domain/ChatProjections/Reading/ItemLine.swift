// The line that a channel or a thread shows in a list.
public import Chat

/// The line of a channel or a thread in a user's list: the first of these cases that applies.
///
/// It has no text: the app words “Not sent”, “Draft:”, “is typing” itself. None of this moves the item: a draft, a
/// failed message and typing users leave its time, its sort position and its unread count as they are.
public enum ItemLine: Hashable, Sendable {
  /// The user's newest message could not be delivered, whether or not others sent messages since.
  case failed(Message)
  /// The user has a draft that is not sent or deleted.
  case draft(DraftPreview)
  /// Other users are typing, in the order of their ids.
  case typing([User.ID])
  /// The newest message is present.
  case message(Message)
  /// The newest message is deleted: a placeholder is shown.
  case deleted(Message)
  /// There are no messages yet.
  case nothing

  /// Whether to show a read mark for the newest message, which is so only where the line is that message: a draft hides
  /// it.
  public var showsReadMark: Bool {
    if case .message = self { true } else { false }
  }

  internal init(failed: Message?, draft: Draft?, typing: [User.ID], newest: Message?) {
    if let failed {
      self = .failed(failed)
    } else if let preview = draft?.content?.preview {
      self = .draft(preview)
    } else if !typing.isEmpty {
      self = .typing(typing)
    } else if let newest {
      self = newest.presence == .present ? .message(newest) : .deleted(newest)
    } else {
      self = .nothing
    }
  }
}

extension ChannelItem {
  /// The line of the channel.
  public var line: ItemLine { ItemLine(failed: failed, draft: draft, typing: typing, newest: newest) }
}

extension ThreadItem {
  /// The line of the thread, which always has a reply.
  public var line: ItemLine { ItemLine(failed: failed, draft: draftReply, typing: typing, newest: newest) }
}
