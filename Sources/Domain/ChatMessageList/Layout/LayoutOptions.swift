// The options of a layout.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A decoration that a group of messages shows once instead of with every message.
public enum MessageGroupingOption: Hashable, Sendable {
  /// The avatar is shown only with the last message.
  case collapseProfilePicture
  /// The header is shown only above the first message, the footer only below the last.
  case collapseEnclosingViews
  /// The time is shown only at one end of the group. Of several such options the first is used.
  case collapseTimestamps(TimestampPositionAnchor)
}

/// The end of a group at which its time is shown.
public enum TimestampPositionAnchor: Hashable, Sendable {
  /// The time is below the last message.
  case bottom
  /// The time is above the first message.
  case top
}

/// The size of the drawing area of a list, in the units of the renderer.
public struct ListGeometry: Hashable, Sendable {
  /// The width of the area.
  public var width: Double
  /// The height of the area.
  public var height: Double

  /// Creates a size.
  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  /// The unit size, the default: widths are then fractions of the list's width.
  public static let unit = ListGeometry(width: 1, height: 1)
}

/// The rules by which messages are laid out in rows.
public struct LayoutOptions<Message: MessageType> {
  // MARK: Groups

  /// The decorations that a group shows once.
  public var grouping: [MessageGroupingOption] = [
    .collapseProfilePicture, .collapseEnclosingViews, .collapseTimestamps(.bottom),
  ]
  /// The common property of the messages of a group.
  public var groupKey: GroupKey = .sender
  /// The maximum time in seconds between two messages of a group, inclusive.
  public var maximumGap: Double = 300
  /// The rule whether a message ends its group, given the next; it replaces ``groupKey`` and ``maximumGap``.
  public var messageEndsGroup: ((Message, Message) -> Bool)?
  /// Whether a date separator ends a group.
  public var daySeparatorEndsGroup = true
  /// Whether the unread separator ends a group.
  public var unreadSeparatorEndsGroup = true
  /// Whether a system message ends a group; otherwise the group continues after it.
  public var systemEndsGroup = true

  // MARK: Separators

  /// Whether date separators are shown.
  public var showsDaySeparators = true
  /// The calendar and time zone that define days.
  public var calendar = Calendar.gregorianInUTC
  /// Whether the start of the conversation is shown once no earlier messages are left to load.
  public var showsConversationStart = true
  /// The id of the parent message if the list shows a thread; otherwise nil.
  public var threadParent: String?

  // MARK: Messages

  /// The maximum number of emoji that are shown large.
  public var jumboEmojiMax = 3
  /// The ids of the authors muted by the viewer.
  public var mutedAuthors: Set<String> = []
  /// The display of messages by muted authors.
  public var mutedMessages: MutedMessages = .show
  /// The ids of registered renderers; nil if the renderer supports every custom kind.
  public var customRenderers: Set<String>?
  /// Whether author names are shown above messages of other users.
  public var showsAuthorNames = true
  /// Whether times are shown while the list is swiped sideways.
  public var showsTimestampsOnSwipe = false
  /// The maximum width of a message, computed from the size of the list.
  public var maxWidth: (ListGeometry) -> Double = { $0.width * 0.75 }
  /// The size of the list.
  public var geometry = ListGeometry.unit
  /// The corner radius of messages.
  public var cornerRadius: Double = 8

  /// Creates the default options.
  public init() {}

  /// The common property of the messages of a group.
  public enum GroupKey: Hashable, Sendable {
    /// The messages share the author, or the side if the author is unknown.
    case sender
    /// The messages share the side, also those of custom kinds.
    case alignment
  }

  /// The display of messages by muted authors.
  public enum MutedMessages: Hashable, Sendable {
    /// The messages are shown normally.
    case show
    /// One notice replaces adjacent messages of a day.
    case collapse
    /// The messages are not shown.
    case hide
  }
}

// MARK: Presets

extension LayoutOptions {
  /// The preset of the message type: ``verbatim`` for chat messages, ``alluja`` for all others.
  public static var preset: LayoutOptions { Message.self is any ChatMessageType.Type ? .verbatim : .alluja }

  /// The preset for chats: groups by sender with all decorations collapsed and the time below.
  public static var verbatim: LayoutOptions { LayoutOptions() }

  /// The preset for plain messages: groups by side with all decorations on every message.
  public static var alluja: LayoutOptions {
    var options = LayoutOptions()
    options.grouping = []
    options.groupKey = .alignment
    options.daySeparatorEndsGroup = false
    options.systemEndsGroup = false
    options.showsConversationStart = false
    options.jumboEmojiMax = 0
    return options
  }
}

extension Calendar {
  /// The Gregorian calendar with days that start at midnight UTC.
  public static var gregorianInUTC: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}
