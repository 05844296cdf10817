// The words that only a page says: to those who hear it, and on its buttons.

/// The words that only a page says: to those who hear it, and on its buttons.
public struct PageWords: Sendable {
  /// What the list is.
  public var messages = "Messages"
  /// What the composer is.
  public var composer = "Write a message"
  /// Passes over all else, to the messages.
  public var skipToMessages = "Skip to the messages"
  /// Passes over what was read.
  public var skipToUnread = "Skip to what is unread"
  /// Passes over the messages.
  public var skipToComposer = "Skip to the input"
  /// Whoever looks, where no name is known.
  public var you = "You"
  /// Opens what one can do with a message.
  public var menu = "What to do with this message"
  /// Before what a message quotes.
  public var inReplyTo = "In reply to"
  /// How a message is reacted to.
  public var reactions = "Reactions"
  /// A kind of reaction, how many reacted so, and whether whoever looks did.
  public var reaction: @Sendable (String, Int, Bool) -> String = { kind, count, mine in
    "\(kind), \(count) \(count == 1 ? "person" : "people")\(mine ? ", you too" : "")"
  }
  /// How many wait, of them so many that mention whoever looks.
  public var waiting: @Sendable (Int, Int) -> String = { count, mentions in
    "\(count) unread" + (mentions > 0 ? ", \(mentions) of them for you" : "")
  }
  /// What one is not told of.
  public var muted = "Muted"
  /// Takes something off what is written.
  public var takeOff = "Remove"
  /// Throws away what is written and not sent.
  public var deleteDraft = "Delete draft"
  /// That a message is changed.
  public var editing = "Editing"
  /// That a message is quoted.
  public var quoting = "Replying to"
  /// What is suggested.
  public var suggestions = "Suggestions"
  /// From where one can attach something.
  public var pickers = "Attach"

  /// English.
  public init() {}
}
