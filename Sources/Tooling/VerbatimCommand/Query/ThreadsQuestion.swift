// `verbatim query threads`, `search` and `typing`: a user's threads, message search, and typing users.
internal import Chat
internal import ChatProjections
internal import Terminal
internal import Verbatim

/// The query for the threads that a user takes part in.
struct ThreadsQuestion: Question {
  static let name = "threads"
  static let summary = "Shows the threads of a user, the one with the newest reply first."
  static let details = """
    --json: threads, each a ThreadItem: parent, newest, ownReplyCount, unreadReplyCount, draftReply, typing,
    failed.
    """
  static let examples = ["verbatim query threads chat --as ada"]

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.threads, \.next) { cursor, limit throws(ReadError) in
      try reading.threads(after: cursor, limit: limit)
    }
    let columns: [TextTable.Column] = [
      .init("thread", style: .bold), .init("about", isCut: true), .init("replies", isNumber: true), .init("last"),
      .init("what", isCut: true),
    ]
    return try Answer(
      found.items, key: "threads", called: "threads", page, hasMore: found.hasMore, as: columns
    ) { item throws(ReadError) in
      let (key, author) = (item.parent.key, try reading.author(of: item.parent))
      return [
        "\(key.channel.text)/\(key.id.text)", (author.isEmpty ? "" : author + ": ") + reading.words(of: item.parent),
        "\(item.parent.replyCount)", page.times(item.newest.sent), try reading.words(of: item.line),
      ]
    }
  }
}

/// The query for messages by their text.
struct SearchQuestion: Question {
  static let name = "search"
  static let summary = "Searches messages by words, the newest text first."
  static let details = """
    Each word of WORDS must be a prefix of a word of the text, ignoring case and diacritics. The first
    search in a workspace builds the search index.

    --json: messages. A message has key (channel, id), author, content, number, sent, edited, editCount,
    presence, pin, reactions, replyCount, delivery.
    """
  static let examples = [
    "verbatim query search chat hello --as ada", "verbatim query search chat 'see you' --as ada --channel general",
  ]
  static let findsWords = true

  static var parameters: [Parameter<Self>] {
    [
      .positional("WORDS", "The words to search; quote several words.", \.words),
      .option("channel", "CHANNEL", "Only in this channel.", \.channel),
      .option("by", "USER", "Only messages of this user.", \.author),
    ]
  }

  var words = ""
  var channel: Channel.ID?
  var author: User.ID?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.messages, \.next) { cursor, limit throws(ReadError) in
      try reading.messages(matching: words, in: channel, by: author, after: cursor, limit: limit)
    }
    return try Answer(
      found.items, key: "messages", called: "such messages", page, hasMore: found.hasMore,
      as: [.init("channel")] + .messages
    ) { message throws(ReadError) in
      [message.key.channel.text] + (try reading.row(of: message, page.times))
    }
  }
}

/// The query for the users who are typing.
struct TypingQuestion: Question {
  static let name = "typing"
  static let summary = "Shows the other users who are typing in a channel, the last typing first."
  static let details = "--json: typing, each with user and typed, the time of the last change of their text."
  static let examples = [
    "verbatim query typing chat general --as ada", "verbatim query typing chat general --as ada --at 1200",
    "verbatim query typing chat general --as ada --now 2026-11-22T12:30:00Z",
  ]
  static let isPaged = false

  static var parameters: [Parameter<Self>] {
    [
      .positional("CHANNEL", "The channel.", \.channel),
      .option("thread", "MESSAGE", "The parent message, for a thread.", \.thread),
    ]
  }

  var channel: Channel.ID = "general"
  var thread: Message.ID?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let typing = try reading.typing(in: channel, thread: thread)
    var answer = try Answer(
      typing, key: "typing", called: "users", page, hasMore: false,
      as: [.init("user", style: .bold), .init("name", isCut: true), .init("typed last")]
    ) { typing throws(ReadError) in
      [typing.user.text, try reading.name(of: typing.user), page.times(typing.typed)]
    }
    if typing.isEmpty { answer.nothing = "No user is typing." }
    return answer
  }
}
