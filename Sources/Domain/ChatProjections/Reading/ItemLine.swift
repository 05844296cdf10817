// The line that a channel or a thread shows in a list.
public import Chat

/// What the line of a channel or a thread in somebody's list shows: the first of these that there is.
///
/// It says which case it is, and has no words: the app words “Not sent”, “Draft:”, “is typing” as it likes. None of this
/// changes where the item stands: a draft, a failed message and who types leave its time, its place in the order and
/// what waits as they are.
public enum ItemLine: Hashable, Sendable {
  /// The newest of their messages that could not be delivered, also where others have said something since.
  case failed(Message)
  /// What they have written and not sent, until it is sent or deleted.
  case draft(DraftPreview)
  /// Others who type, in the order of their ids.
  case typing([User.ID])
  /// The newest message.
  case message(Message)
  /// The newest message, which is deleted: a placeholder.
  case deleted(Message)
  /// Nothing was said yet.
  case nothing

  /// Whether a mark of who has read the newest message belongs beside it, which is so only where the line is that
  /// message: a draft hides it.
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
  /// What the line of the channel shows.
  public var line: ItemLine { ItemLine(failed: failed, draft: draft, typing: typing, newest: newest) }
}

extension ThreadItem {
  /// What the line of the thread shows; there is always a reply.
  public var line: ItemLine { ItemLine(failed: failed, draft: draft, typing: typing, newest: newest) }
}
