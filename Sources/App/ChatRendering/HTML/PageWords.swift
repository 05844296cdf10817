// The texts that only pages use: for screen readers and buttons.

/// The texts that only pages use: for screen readers and buttons.
public struct PageWords: Sendable {
  /// The label of the message list.
  public var messages = "Messages"
  /// The labels of the lists of items.
  public var items: [ItemListKind: String] = [
    .channels: "Channels", .threads: "Threads", .drafts: "Drafts", .found: "Found messages",
    .flagged: "Reported messages", .mutes: "Mutes", .invitations: "Invitations", .publicChannels: "Public channels",
    .saved: "Saved messages", .scheduled: "Scheduled messages", .blocks: "Blocked users",
  ]
  /// The label of the composer.
  public var composer = "Write a message"
  /// The skip link to the messages.
  public var skipToMessages = "Skip to the messages"
  /// The skip link to the unread messages.
  public var skipToUnread = "Skip to what is unread"
  /// The skip link to the composer.
  public var skipToComposer = "Skip to the input"
  /// The label of the reader's own messages if no name is known.
  public var you = "You"
  /// The label of the menu of a message.
  public var menu = "What to do with this message"
  /// The text before a quoted message.
  public var inReplyTo = "In reply to"
  /// The label of the reactions.
  public var reactions = "Reactions"
  /// The label of the options of a poll.
  public var poll = "Poll"
  /// The text for a reaction kind, its count, and whether the reader is among them.
  public var reaction: @Sendable (String, Int, Bool) -> String = { kind, count, mine in
    "\(kind), \(count) \(count == 1 ? "person" : "people")\(mine ? ", you too" : "")"
  }
  /// The text for the number of unread messages and of mentions among them.
  public var waiting: @Sendable (Int, Int) -> String = { count, mentions in
    "\(count) unread" + (mentions > 0 ? ", \(mentions) of them for you" : "")
  }
  /// The text for a muted channel.
  public var muted = "Muted"
  /// The label for removing an item from the composer.
  public var takeOff = "Remove"
  /// The label for deleting a draft.
  public var deleteDraft = "Delete draft"
  /// The text above an edited message.
  public var editing = "Editing"
  /// The text above a quoted message.
  public var quoting = "Replying to"
  /// The label of the suggestions.
  public var suggestions = "Suggestions"
  /// The label of the attachment sources.
  public var pickers = "Attach"

  /// Creates the English texts.
  public init() {}
}
