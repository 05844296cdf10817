// `verbatim query reviews`, `review` and `votes`: the moderation queue, one review, and the votes of a poll.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Terminal
internal import Verbatim

/// The query for the reviews with open flags.
struct ReviewsQuestion: Question {
  static let name = "reviews"
  static let summary = "Shows the moderation queue: flagged messages of a channel, or flagged users."
  static let details = """
    Moderators of a channel see its queue; administrators see that of users. The flag that has waited
    longest comes first.

    --json: reviews, each with review (target, flagCount, opened, claim, decisions) and flags, each with key
    (user, target), reason, raised, round.
    """
  static let examples = [
    "verbatim query reviews chat --as ada --channel general", "verbatim query reviews chat --as root",
  ]
  static var parameters: [Parameter<Self>] {
    [.option("channel", "CHANNEL", "The channel; default the queue of flagged users.", \.channel)]
  }

  var channel: Channel.ID?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.items, \.next) { cursor, limit throws(ReadError) in
      try reading.openReviews(in: channel, after: cursor, limit: limit)
    }
    return try Answer(
      found.items, key: "reviews", called: "open reviews", page, hasMore: found.hasMore,
      as: [
        .init(channel == nil ? "user" : "message", style: .bold), .init("since"), .init("flags", isNumber: true),
        .init("claimed by"), .init("reasons", isCut: true),
      ]
    ) { item throws(ReadError) in
      [
        item.review.target.words, page.times(item.review.opened), "\(item.review.flagCount)",
        try item.review.claim.map { claim throws(ReadError) in try reading.name(of: claim.actor) } ?? "",
        item.openFlags.compactMap(\.reason?.string).joined(separator: "; "),
      ]
    }
  }
}

/// The query for the flags and decisions of one message or user.
struct ReviewQuestion: Question {
  static let name = "review"
  static let summary = "Shows the flags of a message or user, and every decision about them."
  static let details = """
    --json: review (target, flagCount, opened, claim, decisions) and flags; empty for what was never flagged.
    """
  static let examples = [
    "verbatim query review chat m1 --as ada --channel general", "verbatim query review chat ben --as root",
  ]
  static let isPaged = false
  static var parameters: [Parameter<Self>] {
    [
      .positional("TARGET", "The message, with --channel, or the user.", \.target),
      .option("channel", "CHANNEL", "The channel of the message.", \.channel),
    ]
  }

  var target = ""
  var channel: Channel.ID?

  func contradiction() -> String? {
    Message.ID(rawValue: target) == nil ? "“\(target)” is not an id of a message or user" : nil
  }

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    guard let message = Message.ID(rawValue: target), let user = User.ID(rawValue: target) else {
      preconditionFailure("the target was checked")
    }
    let item = try reading.review(of: channel.map { .message(Message.Key($0, message)) } ?? .user(user))
    var list = PropertyList()
    if let review = item?.review {
      list.add("target", review.target.words)
      list.add("open flags", "\(review.flagCount)")
      if let claim = review.claim { list.add("claimed", try words(claim, reading, page)) }
    }
    for flag in item?.flags ?? [] {
      let isOpen = flag.isOpen(in: item?.review)
      let reason = flag.reason.map { ": \($0.string)" } ?? ""
      list.add(
        isOpen ? "flag" : "resolved flag",
        "\(page.times(flag.raised)) by \(try reading.name(of: flag.key.user))\(reason)")
    }
    for decision in item?.review.decisions ?? [] {
      let note = decision.note.map { ": \($0.string)" } ?? ""
      list.add("decision", "\(decision.outcome.text), \(try words(decision.origin, reading, page))\(note)")
    }
    var answer = Answer(list, [JSON.Member("review", item?.review as Any), JSON.Member("flags", item?.flags as Any)])
    if item == nil { answer.nothing = "\(target) was never flagged." }
    return answer
  }

  private func words(_ origin: EventOrigin, _ reading: ClientReading, _ page: Page) throws(ReadError) -> String {
    "\(page.times(origin.at)) by \(try reading.name(of: origin.actor))"
  }
}

/// The query for the votes in a poll.
struct VotesQuestion: Question {
  static let name = "votes"
  static let summary = "Shows the votes in a poll, in the order of the users' ids."
  static let details = """
    Of an anonymous poll it shows the user's own votes.

    --json: votes, each with key (message, user), options, at.
    """
  static let examples = [
    "verbatim query votes chat general m1 --as ada", "verbatim query votes chat general m1 --as ada --option pizza",
  ]
  static var parameters: [Parameter<Self>] {
    [
      .positional("CHANNEL", "The channel.", \.channel),
      .positional("MESSAGE", "The message with the poll.", \.message),
      .option("option", "OPTION", "Only votes for this option.", \.option),
    ]
  }

  var channel: Channel.ID = "general"
  var message: Message.ID = "m1"
  var option: Poll.Option.ID?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let key = Message.Key(channel, message)
    let found = try page.read(\.votes, \.next) { cursor, limit throws(ReadError) in
      try reading.votes(in: key, for: option, after: cursor, limit: limit)
    }
    let options = try reading.message(key).poll?.options ?? []
    return try Answer(
      found.items, key: "votes", called: "votes", page, hasMore: found.hasMore,
      as: [.init("user", style: .bold), .init("name", isCut: true), .init("for", isCut: true)]
    ) { vote throws(ReadError) in
      [
        vote.key.user.text, try reading.name(of: vote.key.user),
        options.filter { vote.options.contains($0.id) }.map(\.text.string).joined(separator: ", "),
      ]
    }
  }
}

extension Flag.Target {
  /// The id of the message or user.
  fileprivate var words: String {
    switch self {
    case .message(let key): key.id.text
    case .user(let id): id.text
    }
  }
}

extension ClientReading {
  /// Returns the name of an author.
  fileprivate func name(of author: Author) throws(ReadError) -> String {
    try author.user.map { user throws(ReadError) in try name(of: user) } ?? "the app"
  }
}
