// How messages are laid out.
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a group of messages shows once, and not with every message.
public enum MessageGroupingOption: Hashable, Sendable {
  /// The picture of who said it: with the last message alone.
  case collapseProfilePicture
  /// The header and the footer: above the first message, and below the last.
  case collapseEnclosingViews
  /// The time: at one end of the group. Of several such options the first holds.
  case collapseTimestamps(TimestampPositionAnchor)
}

/// At which end of a group its time is shown.
public enum TimestampPositionAnchor: Hashable, Sendable {
  /// Below the last message.
  case bottom
  /// Above the first message.
  case top
}

/// How large what a list is drawn on is, in the units of whoever draws.
public struct ListGeometry: Hashable, Sendable {
  /// How wide.
  public var width: Double
  /// How high.
  public var height: Double

  /// A size.
  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }

  /// One by one: where nobody says how large a list is, widths are fractions of it.
  public static let unit = ListGeometry(width: 1, height: 1)
}

/// How messages are laid out: the rules by which rows come to be.
public struct LayoutOptions<Message: MessageType> {
  // MARK: Groups

  /// What a group shows once.
  public var grouping: [MessageGroupingOption] = [
    .collapseProfilePicture, .collapseEnclosingViews, .collapseTimestamps(.bottom),
  ]
  /// What messages of a group have in common.
  public var groupKey: GroupKey = .sender
  /// How much later the next message of a group may come; exactly so much is not too much.
  public var maximumGap: Double = 300
  /// Whether a group ends with its message, given the next: in place of ``groupKey`` and ``maximumGap``.
  public var messageEndsGroup: ((Message, Message) -> Bool)?
  /// Whether the separator of a day ends a group.
  public var daySeparatorEndsGroup = true
  /// Whether the separator above what was not read ends a group.
  public var unreadSeparatorEndsGroup = true
  /// Whether what the app says ends a group, or stands in its midst.
  public var systemEndsGroup = true

  // MARK: Separators

  /// Whether days are separated.
  public var showsDaySeparators = true
  /// The calendar and the time zone by which days begin.
  public var calendar = Calendar.gregorianInUTC
  /// Whether the beginning of the conversation is shown, once nothing older is left to load.
  public var showsConversationStart = true
  /// The message that the list is the thread of; nil for a list that is no thread.
  public var threadParent: String?

  // MARK: Messages

  /// How many emoji alone are shown large at most.
  public var jumboEmojiMax = 3
  /// The authors whom whoever looks mutes.
  public var mutedAuthors: Set<String> = []
  /// What becomes of what they said.
  public var mutedMessages: MutedMessages = .show
  /// The ids for which there are renderers; nil where whoever draws knows all that there are.
  public var customRenderers: Set<String>?
  /// Whether names are shown above what others said.
  public var showsAuthorNames = true
  /// Whether times are shown while the list is swiped aside.
  public var showsTimestampsOnSwipe = false
  /// How wide a message may become.
  public var maxWidth: (ListGeometry) -> Double = { $0.width * 0.75 }
  /// How large the list is.
  public var geometry = ListGeometry.unit
  /// How round messages are.
  public var cornerRadius: Double = 8

  /// The options that hold where nothing else is chosen.
  public init() {}

  /// What messages of a group have in common.
  public enum GroupKey: Hashable, Sendable {
    /// Who said them; the side on which they stand where that is not known.
    case sender
    /// The side on which they stand; an app's own kinds, which have none, are among themselves.
    case alignment
  }

  /// What becomes of what muted authors say.
  public enum MutedMessages: Hashable, Sendable {
    /// It is shown as all else.
    case show
    /// A notice stands for what follows one another on one day.
    case collapse
    /// Nothing is there.
    case hide
  }
}

// MARK: Presets

extension LayoutOptions {
  /// For a chat: groups by sender, collapsed in all respects, with the time below.
  public static var verbatim: LayoutOptions { LayoutOptions() }

  /// For plain messages: groups by side, with everything at every message.
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
  /// The calendar of most of the world, with days that begin at midnight UTC.
  public static var gregorianInUTC: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}
