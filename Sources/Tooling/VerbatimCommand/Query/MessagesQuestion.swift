// `verbatim query messages`, `thread` and `message`: messages, replies, and a single message.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Terminal
internal import Verbatim

private let messageKeys = """
  A message has key (channel, id), author, content, number, sent, edited, editCount, presence, pin,
  reactions, replyCount, delivery.
  """

/// The query for the messages of a channel.
struct MessagesQuestion: Question {
  static let name = "messages"
  static let summary = "Shows the messages of a channel: the newest, and page by page earlier ones."
  static let details = "--json: messages, the oldest first.\n" + messageKeys
  static let examples = [
    "verbatim query messages chat general --as ada", "verbatim query messages chat general --as ada --around m12",
    "verbatim query messages chat general --as ada --at 1200 --limit 100 --json",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("CHANNEL", "The channel.", \.channel),
      .option("around", "MESSAGE", "Shows this message and its neighbors, on one page.", \.message),
      .flag("pinned", "Shows pinned messages, the last pinned first.", \.isPinned),
    ]
  }

  var channel: Channel.ID = "general"
  var message: Message.ID?
  var isPinned = false

  func contradiction() -> String? {
    message != nil && isPinned ? "--around and --pinned cannot be combined: leave one out." : nil
  }

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    if isPinned {
      let found = try page.read(\.messages, \.next) { cursor, limit throws(ReadError) in
        try reading.pinned(in: channel, after: cursor, limit: limit)
      }
      return try answer(reading, found.items, page, hasMore: found.hasMore)
    }
    guard let message else {
      let found = try page.read(\.messages, \.older) { older, limit throws(ReadError) in
        try reading.messages(in: channel, older.map { .before($0) } ?? .latest, limit: limit)
      }
      return try answer(reading, found.items, page, hasMore: found.hasMore)
    }
    let found = try reading.messages(in: channel, .around(message), limit: page.limit)
    return try answer(reading, found.messages, page, hasMore: false)
  }

  private func answer(
    _ reading: ClientReading, _ messages: [Message], _ page: Page, hasMore: Bool
  ) throws(ReadError) -> Answer {
    try Answer(
      messages, key: "messages", called: "messages", page, hasMore: hasMore, as: .messages
    ) { message throws(ReadError) in try reading.row(of: message, page.times) }
  }
}

/// The query for the replies to a message.
struct ThreadQuestion: Question {
  static let name = "thread"
  static let summary = "Shows the replies to a message: the newest, and page by page earlier ones."
  static let details = "--json: messages, the oldest first.\n" + messageKeys
  static let examples = ["verbatim query thread chat general m12 --as ada"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("CHANNEL", "The channel.", \.channel),
      .positional("MESSAGE", "The parent message.", \.message),
    ]
  }

  var channel: Channel.ID = "general"
  var message: Message.ID = "m"

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.messages, \.older) { older, limit throws(ReadError) in
      try reading.replies(to: Message.Key(channel, message), older.map { .before($0) } ?? .latest, limit: limit)
    }
    return try Answer(
      found.items, key: "messages", called: "replies", page, hasMore: found.hasMore, as: .messages
    ) { message throws(ReadError) in try reading.row(of: message, page.times) }
  }
}

/// The query for one message.
struct MessageQuestion: Question {
  static let name = "message"
  static let summary = "Shows a message with its reactions and readers."
  static let details = """
    --json: message; reactions, each with key and scores; readers and receivers, each with user, read,
    readAt and received, as far as the channel allows. At most 1000 of each are shown.
    \(messageKeys)
    """
  static let examples = ["verbatim query message chat general m12 --as ada"]
  static let isPaged = false
  static var parameters: [Parameter<Self>] {
    [.positional("CHANNEL", "The channel.", \.channel), .positional("MESSAGE", "The message.", \.message)]
  }

  var channel: Channel.ID = "general"
  var message: Message.ID = "m"

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let key = Message.Key(channel, message)
    let message = try reading.message(key)
    // A user who may not see a deleted message's content sees none of its reactions, and none are listed.
    let reactions = message.reactions.isEmpty ? [] : try reading.reactions(to: key, limit: 1000).reactions
    let readers = try reading.readers(of: key, limit: 1000).markers
    let receivers = try reading.receivers(of: key, limit: 1000).markers
    var list = PropertyList()
    list.add("message", "\(message.key.id.text) in \(message.key.channel.text), its number \(message.number.rawValue)")
    list.add("author", message.author == nil ? "the app" : try reading.author(of: message))
    list.add("sent", page.times(message.sent))
    list.add("edited", message.edited.map { "\(page.times($0)), \(counted(message.editCount, "time"))" })
    list.add("deleted", message.presence.origin.map { page.times($0.at) })
    list.add("pinned", message.isPinned(at: reading.instant) ? message.pin.map { page.times($0.term) } : nil)
    list.add("text", message.content.text.string)
    list.add("kind", message.content.kind == .regular ? nil : JSON(of: message.content.kind).text)
    list.add("quotes", message.content.quoted?.text)
    list.add("replies to", message.content.parent?.text)
    list.add("mentions", try reading.names(of: message.content.mentions.map(\.user)))
    for attachment in message.content.attachments { list.add("attachment", JSON(of: attachment).text) }
    list.add("extra", message.content.extra.isEmpty ? nil : message.content.extra.json.text)
    list.add("replies", message.replyCount > 0 ? "\(message.replyCount)" : nil)
    for total in message.reactions {
      let users = reactions.filter { $0.score(of: total.kind) != nil }.map(\.key.user)
      list.add(total.kind.text, try reading.names(of: users))
    }
    list.add("read by", try reading.names(of: readers.map(\.user)))
    list.add("reached", try reading.names(of: receivers.map(\.user)))
    if case .failed(let reason) = message.delivery { list.add("not sent", reason.string) }
    return Answer(
      list,
      [
        JSON.Member("message", message), JSON.Member("reactions", reactions), JSON.Member("readers", readers),
        JSON.Member("receivers", receivers),
      ])
  }
}

extension Message.Presence {
  /// The author and the time of the deletion, where known.
  fileprivate var origin: EventOrigin? {
    if case .deleted(let origin) = self { origin } else { nil }
  }
}
