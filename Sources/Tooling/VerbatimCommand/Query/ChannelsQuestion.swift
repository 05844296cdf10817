// `verbatim query channels` and `verbatim query channel`: the channels of a user, and a single channel.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import JSONLines
internal import Terminal
internal import Verbatim

/// The query for the channels of a user.
struct ChannelsQuestion: Question {
  static let name = "channels"
  static let summary = "Shows the channel list of a user."
  static let details = """
    --json: channels, each a ChannelItem: channel, member, newest, unread (messages, mentions), mute,
    lastActivity, draft, typing, failed.
    """
  static let examples = [
    "verbatim query channels chat --as ada", "verbatim query channels chat --as ada --unread --by name",
    "verbatim query channels chat --as ada --at 1200 --json",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .option(
        "by", "ORDER", "The order: lastActivity, unreadFirst or name; default lastActivity.", \.order),
      .options("kind", "KIND", "Only channels of this kind; can be repeated.", \.kinds),
      .option("name", "TEXT", "Only channels whose name or one of its words has this prefix.", \.prefix),
      .flag("unread", "Only channels with unread messages.", \.isUnread),
      .flag("hidden", "Only hidden channels; by default they are left out.", \.isHidden),
      .flag("archived", "Only channels in the archive; by default they are left out.", \.isArchived),
      .flag("muted", "Only muted channels.", \.isMuted),
      .flag("frozen", "Only frozen channels.", \.isFrozen),
    ]
  }

  var order: ListOrder?
  var kinds: [Channel.Kind] = []
  var prefix: String?
  var isUnread = false
  var isHidden = false
  var isArchived = false
  var isMuted = false
  var isFrozen = false

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let filter = ChannelFilter(
      kinds: kinds.isEmpty ? nil : Set(kinds), isHidden: isHidden, isArchived: isArchived,
      isMuted: isMuted ? true : nil,
      isFrozen: isFrozen ? true : nil, unreadOnly: isUnread, name: prefix.map { UserText($0) })
    let found = try page.read(\.channels, \.next) { cursor, limit throws(ReadError) in
      try reading.channels(where: filter, by: order?.order ?? .lastActivity, after: cursor, limit: limit)
    }
    let columns: [TextTable.Column] = [
      .init("channel", style: .bold), .init("name", isCut: true), .init("waiting", isNumber: true), .init("last"),
      .init("what", isCut: true),
    ]
    return try Answer(
      found.items, key: "channels", called: "channels", page, hasMore: found.hasMore, as: columns
    ) { item throws(ReadError) in
      let marks = [
        (item.member.pinned != nil, "pinned"), (item.mute != nil, "muted"), (item.channel.isFrozen, "frozen"),
      ].filter(\.0).map { " [\($0.1)]" }
      return [
        item.channel.id.text, item.channel.profile.name.string + marks.joined(), item.unread.words,
        page.times(item.lastActivity), try reading.words(of: item.line),
      ]
    }
  }
}

/// The query for one channel.
struct ChannelQuestion: Question {
  static let name = "channel"
  static let summary = "Shows a channel: its profile, its configuration, and the user's state in it."
  static let details = """
    --json: channel, and of the user member, unread (messages, mentions), mute and ban, if present. A
    channel has id, kind, profile, config, isFrozen, creator, created, changed, newest, newestForAll,
    truncated, memberCount.
    """
  static let examples = ["verbatim query channel chat general --as ada"]
  static let isPaged = false
  static var parameters: [Parameter<Self>] { [.positional("CHANNEL", "The channel.", \.channel)] }

  var channel: Channel.ID = "general"

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let channel = try reading.channel(channel)
    let member = try reading.member(Member.Key(channel.id, reading.user))
    let unread = try reading.unread(in: channel.id)
    let mute = try reading.mute(of: .channel(channel.id))
    let ban = try reading.ban(in: channel.id)
    var list = PropertyList()
    list.add("channel", channel.id.text)
    list.add("name", channel.profile.name.string)
    list.add("image", channel.profile.image?.string)
    list.add("kind", channel.kind.text)
    list.add("created", page.times(channel.created))
    list.add("by", try channel.creator.user.map { user throws(ReadError) in try reading.name(of: user) } ?? "the app")
    list.add("members", "\(channel.memberCount)")
    list.add("frozen", channel.isFrozen ? "frozen: no sending, editing or reacting" : nil)
    list.add("off", channel.config.off.elements.map { "\($0)" }.joined(separator: ", "))
    list.add("slow mode", channel.config.slowMode > 0 ? counted(channel.config.slowMode, "second") : nil)
    list.add("commands", channel.config.commands.map { $0.map(\.text).joined(separator: ", ") })
    list.add("extra", channel.profile.extra.isEmpty ? nil : channel.profile.extra.json.text)
    list.add("role", member?.role.text ?? "no member")
    list.add("waiting", unread.words)
    list.add("muted", mute.map { page.times($0.term) })
    list.add("banned", ban.map { page.times($0.term) + ($0.reason.map { ": " + $0.string } ?? "") })
    return Answer(
      list,
      [
        JSON.Member("channel", channel), JSON.Member("member", member as Any), JSON.Member("unread", unread),
        JSON.Member("mute", mute as Any), JSON.Member("ban", ban as Any),
      ])
  }
}

// MARK: Descriptions

extension JSON.Member {
  /// Creates a member of any value; nil becomes null.
  init(_ key: String, _ value: Any) { self.init(key: key, value: JSON(of: value)) }
}

extension Unread {
  /// The unread counts; empty where nothing is unread.
  var words: String {
    messages == 0 ? "" : "\(messages)" + (mentions > 0 ? " (\(counted(mentions, "mention")))" : "")
  }
}

extension ClientReading {
  /// Returns the preview line of a channel or a thread in a list.
  func words(of line: ItemLine) throws(ReadError) -> String {
    switch line {
    case .failed(let message): "Not sent: " + words(of: message)
    case .draft(let preview): "Draft: " + preview.words
    case .typing(let users): try names(of: users) + (users.count == 1 ? " is typing" : " are typing")
    case .message(let message), .deleted(let message):
      try author(of: message).isEmpty ? words(of: message) : author(of: message) + ": " + words(of: message)
    case .nothing: ""
    }
  }
}

// MARK: Arguments

/// A channel order as an argument.
struct ListOrder: ArgumentValue, Sendable {
  let order: ChannelOrder

  private static let orders: [ChannelOrder] = [.lastActivity, .unreadFirst, .name]
  static var choices: [String] { orders.map { "\($0)" } }

  init(argument text: String) throws(ValueDefect) {
    guard let order = Self.orders.first(where: { "\($0)" == text }) else {
      throw ValueDefect(expected: "lastActivity, unreadFirst or name")
    }
    self.order = order
  }
}
