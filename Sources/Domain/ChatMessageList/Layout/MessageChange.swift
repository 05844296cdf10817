// The changes to a list of messages.

/// A batch of changes to a list of messages; nil fields leave their values unchanged.
public struct MessageChange<Message: MessageType> {
  /// The messages to insert, or to replace those with the same id or the same sender and client id.
  public var put: [Message] = []
  /// The ids of messages to remove.
  public var remove: [String] = []
  /// The new unread mark; an inner nil removes it.
  public var unread: UnreadMark??
  /// The users who are typing, in display order.
  public var typing: [String]?
  /// Whether earlier messages can be loaded.
  public var hasOlder: Bool?
  /// Whether later messages can be loaded.
  public var hasNewer: Bool?
  /// Whether loading earlier messages failed, which a notice shows.
  public var olderFailed: Bool?

  /// Creates an empty change.
  public init() {}

  /// Returns a change that inserts or replaces messages.
  public static func put(_ messages: [Message]) -> MessageChange {
    var change = MessageChange()
    change.put = messages
    return change
  }

  /// Returns a change that removes messages.
  public static func remove(_ ids: [String]) -> MessageChange {
    var change = MessageChange()
    change.remove = ids
    return change
  }

  /// Returns a change that inserts a page of earlier messages, with whether more can be loaded before it.
  public static func prepend(_ page: [Message], hasOlder: Bool) -> MessageChange {
    var change = MessageChange.put(page)
    (change.hasOlder, change.olderFailed) = (hasOlder, false)
    return change
  }

  /// Returns a change that moves or removes the unread mark.
  public static func unread(_ mark: UnreadMark?) -> MessageChange {
    var change = MessageChange()
    change.unread = .some(mark)
    return change
  }

  /// Returns a change of the users who are typing.
  public static func typing(_ users: [String]) -> MessageChange {
    var change = MessageChange()
    change.typing = users
    return change
  }

  /// Returns a change of whether loading earlier messages failed.
  static func olderFailed(_ failed: Bool) -> MessageChange {
    var change = MessageChange()
    change.olderFailed = failed
    return change
  }
}
