// The inputs and intermediate results of a factory's slots.
public import Chat
public import ChatMessageList
public import Foundation

/// A message to draw, with its row.
public struct MessageSlot<Message: MessageType> {
  /// The row.
  public let row: MessageRow
  /// The message.
  public let message: Message
  /// The time of sending as text.
  public let time: String
  /// Whether the quoted message is in the list.
  public let isQuoteInList: Bool
  /// The actions of the app in the message's menu.
  public let menuItems: [MessageMenuItem]

  /// The message as a chat message; nil for a plain one.
  public var chat: (any ChatMessageType)? { message.chatMessage }

  /// Returns the text for a deleted message.
  package func deletion(_ words: RenderingWords) -> String { chat?.isErased == true ? words.erased : words.deleted }
}

/// The drawn parts of a message row; a missing part is empty.
public struct MessageParts<Output: DrawnOutput> {
  /// The header above the message.
  public var header = Output()
  /// The bubble with the content.
  public var bubble = Output()
  /// The quoted message.
  public var quote = Output()
  /// The poll.
  public var poll = Output()
  /// The reactions.
  public var reactions = Output()
  /// The line of the thread.
  public var thread = Output()
  /// The time of sending.
  public var timestamp = Output()
  /// The time of sending beside the message, while the list is swiped sideways.
  public var swipeTimestamp = Output()
  /// The delivery state and the edit mark.
  public var status = Output()
  /// The footer below the message.
  public var footer = Output()
  /// The author's picture.
  public var avatar = Output()
  /// The menu of actions.
  public var menu = Output()
}

/// A drawn row of a list.
public struct DrawnRow<Output: DrawnOutput> {
  /// The row.
  public let row: MessageRow
  /// The row's output.
  public let output: Output

  package init(row: MessageRow, output: Output) { (self.row, self.output) = (row, output) }
}

/// The drawn parts of a list.
public struct ListSlot<Output: DrawnOutput> {
  /// The rows from top to bottom.
  public var rows: [DrawnRow<Output>]
  /// The output in place of rows if there are no messages.
  public var empty: Output
  /// The loading indicator; empty if nothing is being loaded.
  public var loading: Output
  /// The input bar below the list.
  public var inputBar: Output
  /// The scroll position of the list.
  public var viewport: Viewport?
}

/// The drawn parts of a composer; a missing part is empty.
public struct ComposerParts<Output: DrawnOutput> {
  /// The title above the input.
  public var title = Output()
  /// The notice for the user.
  public var notice = Output()
  /// The items before the input.
  public var leading = Output()
  /// The input.
  public var input = Output()
  /// The items after the input.
  public var trailing = Output()
  /// The attachment picker.
  public var picker = Output()
  /// The suggestions.
  public var suggestions = Output()
}

/// The texts, icons, names and calendar for drawing: everything that is not part of a message.
public struct RenderingContext: Sendable {
  /// The fixed texts.
  public var words = RenderingWords()
  /// The icons by the names that commands and items use.
  public var icons = Icon.all
  /// The function from a user's id to a name.
  public var name: @Sendable (String) -> String = { $0 }
  /// The calendar and the time zone of displayed times.
  public var calendar = Calendar.gregorianInUTC
  /// The current instant.
  public var now = Timestamp(rawValue: 0)

  /// Creates a context with English texts, the icons of the package, ids as names, and UTC.
  public init() {}
}

/// The kind of a list of items.
public enum ItemListKind: String, CaseIterable, Hashable, Sendable {
  /// A list of channels.
  case channels
  /// A list of threads.
  case threads
  /// A list of drafts.
  case drafts
  /// A list of found messages.
  case found
  /// A list of flagged messages, for moderators.
  case flagged
  /// A list of mutes.
  case mutes
  /// A list of channels to which the user is invited.
  case invitations
  /// A list of public channels.
  case publicChannels
  /// A list of saved messages.
  case saved
  /// A list of scheduled messages.
  case scheduled
  /// A list of blocked users.
  case blocks
}

/// The drawn parts of a list of items; a missing part is empty.
public struct ItemListSlot<Output: DrawnOutput> {
  /// The kind of the list.
  public let kind: ItemListKind
  /// The items from top to bottom.
  public var items: [Output]
  /// The text in place of the items, if there are none.
  public var empty = Output()
  /// The loading indicator, until the items were read once.
  public var loading = Output()
  /// The control that loads more items, if there are more.
  public var loadMore = Output()
}
