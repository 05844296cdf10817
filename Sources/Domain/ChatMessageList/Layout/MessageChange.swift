// What can change in a list of messages.

/// What changes in a list of messages at once; what is nil stays.
public struct MessageChange<Message: MessageType> {
  /// Messages that come in, or take the place of those with the same id, or with the same name by their sender.
  public var put: [Message] = []
  /// The ids of messages that go.
  public var remove: [String] = []
  /// From where on nothing was read when the list was opened; a nil within for nothing.
  public var unread: UnreadMark??
  /// Who types, in the order in which they are shown.
  public var typing: [String]?
  /// Whether there are earlier messages to load.
  public var hasOlder: Bool?
  /// Whether there are later messages to load.
  public var hasNewer: Bool?
  /// Whether loading earlier messages failed, which a notice says.
  public var olderFailed: Bool?

  /// Nothing changes.
  public init() {}

  /// Messages come in, or are others than before.
  public static func put(_ messages: [Message]) -> MessageChange {
    var change = MessageChange()
    change.put = messages
    return change
  }

  /// Messages go.
  public static func remove(_ ids: [String]) -> MessageChange {
    var change = MessageChange()
    change.remove = ids
    return change
  }

  /// Earlier messages come in, behind which there are more or none.
  public static func prepend(_ page: [Message], hasOlder: Bool) -> MessageChange {
    var change = MessageChange.put(page)
    (change.hasOlder, change.olderFailed) = (hasOlder, false)
    return change
  }

  /// What was not read begins elsewhere, or nowhere.
  public static func unread(_ mark: UnreadMark?) -> MessageChange {
    var change = MessageChange()
    change.unread = .some(mark)
    return change
  }

  /// Others type.
  public static func typing(_ users: [String]) -> MessageChange {
    var change = MessageChange()
    change.typing = users
    return change
  }

  /// Loading earlier messages failed, or did not.
  static func olderFailed(_ failed: Bool) -> MessageChange {
    var change = MessageChange()
    change.olderFailed = failed
    return change
  }
}
