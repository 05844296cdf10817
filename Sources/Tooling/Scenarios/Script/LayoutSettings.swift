// The layout options of a list in a scenario's line.
internal import ChatMessageList
internal import Foundation
internal import JSONLines

/// The layout options of a preset, with the overrides of a line.
struct LayoutSettings: Sendable {
  private var isPlain = false
  private var grouping: [MessageGroupingOption]?
  private var gap: Double?
  private var endings: Set<String>?
  private var groupKey: GroupKey?
  private var isMuted: Muted?
  private var days: Bool?
  private var dayEnds: Bool?
  private var unreadEnds: Bool?
  private var systemEnds: Bool?
  private var start: Bool?
  private var names: Bool?
  private var jumbo: Int?
  private var swipe: Bool?
  private var maxWidth: Double?
  private var width: Double?
  private var corner: Double?
  private var renderers: [String]?

  private enum GroupKey { case sender, alignment }
  private enum Muted { case show, collapse, hide }

  static let keys = [
    Verb.Argument("preset", "`verbatim`, for a chat, or `alluja`, for plain messages"),
    Verb.Argument(
      "grouping", "the parts shown once per group: `picture`, `enclosing`, `timestampTop`, `timestampBottom`"),
    Verb.Argument("gap", "the maximum number of seconds between two messages of a group"),
    Verb.Argument("endsGroup", "the messages that end their group in any case"),
    Verb.Argument("groupKey", "the grouping criterion: `sender` or `alignment`"),
    Verb.Argument("muted", "the handling of muted authors: `show`, `collapse` or `hide`"),
    Verb.Argument("daySeparators", "whether days have separators"),
    Verb.Argument("dayEndsGroup", "whether the separator of a day ends a group"),
    Verb.Argument("unreadEndsGroup", "whether the unread separator ends a group"),
    Verb.Argument("systemEndsGroup", "whether a system message ends a group"),
    Verb.Argument("conversationStart", "whether the start of the conversation is shown"),
    Verb.Argument("authorNames", "whether author names are shown"),
    Verb.Argument("jumboEmoji", "the maximum number of emoji shown large"),
    Verb.Argument("swipeTimestamps", "whether swiping the list shows times"),
    Verb.Argument("maxWidth", "the maximum width of a message, as a fraction of the list"),
    Verb.Argument("width", "the width of the list"), Verb.Argument("cornerRadius", "the corner radius of messages"),
    Verb.Argument("renderers", "the custom kinds with a renderer"),
  ]

  init(_ reader: inout ObjectReader) throws(InputDefect) {
    isPlain = try reader.choice("preset", [("verbatim", false), ("alluja", true)]) ?? false
    let words: [String: MessageGroupingOption] = [
      "picture": .collapseProfilePicture, "enclosing": .collapseEnclosingViews,
      "timestampTop": .collapseTimestamps(.top), "timestampBottom": .collapseTimestamps(.bottom),
    ]
    grouping = try reader.texts("grouping")?.map { word throws(InputDefect) in
      guard let option = words[word] else {
        throw InputDefect(
          "“\(word)” is not a value of “grouping”: use picture, enclosing, timestampTop or timestampBottom.")
      }
      return option
    }
    gap = try reader.number("gap")
    endings = try reader.texts("endsGroup").map { Set($0) }
    groupKey = try reader.choice("groupKey", [("sender", .sender), ("alignment", .alignment)])
    isMuted = try reader.choice("muted", [("show", .show), ("collapse", .collapse), ("hide", .hide)])
    days = try reader.bool("daySeparators")
    dayEnds = try reader.bool("dayEndsGroup")
    unreadEnds = try reader.bool("unreadEndsGroup")
    systemEnds = try reader.bool("systemEndsGroup")
    start = try reader.bool("conversationStart")
    names = try reader.bool("authorNames")
    jumbo = try reader.count("jumboEmoji")
    swipe = try reader.bool("swipeTimestamps")
    maxWidth = try reader.number("maxWidth")
    width = try reader.number("width")
    corner = try reader.number("cornerRadius")
    renderers = try reader.texts("renderers")
  }

  /// Returns the options for a type of messages.
  func options<Message: MessageType>(of type: Message.Type, zone: TimeZone) -> LayoutOptions<Message> {
    var options: LayoutOptions<Message> = isPlain ? .alluja : .verbatim
    var calendar = Calendar.gregorianInUTC
    calendar.timeZone = zone
    options.calendar = calendar
    options.grouping = grouping ?? options.grouping
    options.maximumGap = gap ?? options.maximumGap
    if let endings { options.messageEndsGroup = { message, _ in endings.contains(message.messageID) } }
    if let groupKey { options.groupKey = groupKey == .sender ? .sender : .alignment }
    if let isMuted {
      options.mutedMessages = isMuted == .show ? .show : isMuted == .collapse ? .collapse : .hide
    }
    options.showsDaySeparators = days ?? options.showsDaySeparators
    options.daySeparatorEndsGroup = dayEnds ?? options.daySeparatorEndsGroup
    options.unreadSeparatorEndsGroup = unreadEnds ?? options.unreadSeparatorEndsGroup
    options.systemEndsGroup = systemEnds ?? options.systemEndsGroup
    options.showsConversationStart = start ?? options.showsConversationStart
    options.showsAuthorNames = names ?? options.showsAuthorNames
    options.jumboEmojiMax = jumbo ?? options.jumboEmojiMax
    options.showsTimestampsOnSwipe = swipe ?? options.showsTimestampsOnSwipe
    if let maxWidth { options.maxWidth = { $0.width * maxWidth } }
    if let width { options.geometry = ListGeometry(width: width, height: width) }
    options.cornerRadius = corner ?? options.cornerRadius
    options.customRenderers = renderers.map { Set($0) } ?? options.customRenderers
    return options
  }
}
