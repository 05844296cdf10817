// Polls: questions in messages, on whose options members vote.

// MARK: State

/// A poll in a message, whose text is the question.
public struct Poll: Hashable, Sendable {
  /// The options, in the order in which they were added.
  public var options: [Option]
  /// The rules of the poll.
  public let rules: Rules
  /// The author and time of closing; nil while the poll was not closed by hand.
  public var closed: EventOrigin?

  package init(options: [Option], rules: Rules, closed: EventOrigin? = nil) {
    (self.options, self.rules, self.closed) = (options, rules, closed)
  }

  /// Returns whether votes are accepted at an instant.
  public func isOpen(at instant: Timestamp) -> Bool { closed == nil && rules.expiry.lasts(at: instant) }

  /// An option of a poll, with the number of its votes.
  public struct Option: Hashable, Sendable {
    /// The id of an option, unique in its poll.
    public typealias ID = Chat.ID<Option>

    /// The id of the option.
    public let id: ID
    /// The text of the option.
    public let text: UserText
    /// The number of users who voted for it.
    public var votes: UInt32

    /// Creates an option without votes.
    public init(_ id: ID, _ text: UserText) { (self.id, self.text, votes) = (id, text, 0) }

    /// The option as events have it: votes are counted by the fold alone.
    fileprivate var withoutVotes: Option { Option(id, text) }

    package init(_ id: ID, _ text: UserText, votes: UInt32) { (self.id, self.text, self.votes) = (id, text, votes) }
  }

  /// The rules of a poll, which do not change.
  public struct Rules: Hashable, Sendable {
    /// The maximum number of options that a user votes for.
    public var votesPerUserMax: UInt32
    /// Whether queries name nobody's votes but one's own; the log always does.
    public var isAnonymous: Bool
    /// Whether every member who votes can add options.
    public var isExtensible: Bool
    /// The time at which the poll closes, if any.
    public var expiry: Expiry

    /// Creates rules; by default of one vote per user, by name, on fixed options, until the poll is closed by hand.
    public init(
      votesPerUserMax: UInt32 = 1, isAnonymous: Bool = false, isExtensible: Bool = false, expiry: Expiry = .endless
    ) {
      (self.votesPerUserMax, self.isAnonymous) = (votesPerUserMax, isAnonymous)
      (self.isExtensible, self.expiry) = (isExtensible, expiry)
    }
  }
}

// MARK: Votes

/// The votes of a user in a poll.
public struct Vote: Hashable, Sendable {
  /// The primary key of votes: the message of the poll, and the user.
  public struct Key: Hashable, Codable, Sendable {
    /// The message of the poll.
    public let message: Message.Key
    /// The user who votes.
    public let user: User.ID

    /// Creates the key of a user's votes in a poll.
    public init(in message: Message.Key, by user: User.ID) { (self.message, self.user) = (message, user) }
  }

  /// The key of the votes.
  public let key: Key
  /// The options voted for, in the order of the poll.
  public var options: [Poll.Option.ID]
  /// The time of the vote.
  public var at: Timestamp

  package init(key: Key, options: [Poll.Option.ID], at instant: Timestamp) {
    (self.key, self.options, at) = (key, options, instant)
  }

  /// An event of the votes of a user in a poll.
  public enum Event: Hashable, Sendable {
    /// The user voted for these options, instead of those voted for before; for none, the vote was retracted.
    case cast([Poll.Option.ID])
  }

  /// An intent on the votes of a user in a poll.
  public enum Intent: Hashable, Sendable {
    /// Votes for these options, instead of those voted for before; for none, the vote is retracted.
    case cast([Poll.Option.ID])
  }
}

// MARK: Decide

extension Decision {
  func openPoll(
    _ options: [Poll.Option], _ pollRules: Poll.Rules, in message: Message, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Message.Event] {
    let options = options.map(\.withoutVotes)
    if let poll = message.poll {
      // A retry is a no-op, whether or not options were added since.
      guard poll.rules == pollRules, poll.options.map(\.withoutVotes).starts(with: options) else {
        throw .pollExists(message.key)
      }
      return []
    }
    try needsVisibleToAll(message)
    try permissions.needsThaw()
    try permissions.needsNoBlock()
    try permissions.needs(.send)
    guard options.count >= 2, pollRules.votesPerUserMax >= 1 else { throw .fewOptions(message.key) }
    try check(options.count, by: .pollOptions, max: rules.limits.pollOptionsMax)
    var ids: Set<Poll.Option.ID> = []
    for option in options {
      guard ids.insert(option.id).inserted else { throw .optionTwice(option.id) }
      try check(line: option.text)
      try permissions.needsRight(toLinkIn: option.text)
    }
    try check(pollRules.expiry)
    return [.pollOpened(options, pollRules)]
  }

  func addOption(
    _ option: Poll.Option, in message: Message, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Message.Event] {
    let poll = try openPoll(of: message)
    if let existing = poll.options.first(where: { $0.id == option.id }) {
      guard existing.text == option.text else { throw .optionTwice(option.id) }
      return []
    }
    try permissions.needsRightToVote()
    if message.author != actor.user || actor.user == nil, !poll.rules.isExtensible {
      try needsRight(toActForAuthorOf: message)
    }
    try check(line: option.text)
    try permissions.needsRight(toLinkIn: option.text)
    try check(poll.options.count + 1, by: .pollOptions, max: rules.limits.pollOptionsMax)
    return [.pollOptionAdded(option.withoutVotes)]
  }

  func closePoll(
    of message: Message, _ permissions: ChannelPermissions
  ) throws(Refusal) -> [Message.Event] {
    guard let poll = message.poll else { throw .noPoll(message.key) }
    try permissions.needs(own: .editOwn, any: .editAny, forMessageOf: message.author)
    return poll.closed == nil ? [.pollClosed] : []
  }

  func decide(_ intent: Vote.Intent, on key: Vote.Key) throws(Refusal) -> [Vote.Event] {
    let options =
      switch intent {
      case .cast(let options): options
      }
    let channel = try known(key.message.channel)
    _ = try known(key.user)
    guard key.user == actor.user else { throw .notYours(key.user) }
    let permissions = permissions(in: channel)
    let message = try reachable(key.message, in: channel, permissions)
    try permissions.needs(.read)
    try needsPresence(of: message)
    let poll = try openPoll(of: message)
    try permissions.needsRightToVote(retracting: options.isEmpty)
    let chosen = poll.options.map(\.id).filter { options.contains($0) }
    if let unknown = options.first(where: { !chosen.contains($0) }) { throw .unknownOption(unknown, in: key.message) }
    try check(chosen.count, by: .votes, max: Int(poll.rules.votesPerUserMax))
    return chosen == state[key]?.options ?? [] ? [] : [.cast(chosen)]
  }

  private func openPoll(of message: Message) throws(Refusal) -> Poll {
    guard let poll = message.poll else { throw .noPoll(message.key) }
    guard poll.isOpen(at: instant) else { throw .pollClosed(message.key) }
    return poll
  }
}

// MARK: Fold

extension Vote.Event {
  func fold(on key: Vote.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    let options =
      switch self {
      case .cast(let options): options
      }
    let before = state[key]?.options ?? []
    state[key] = options.isEmpty ? nil : Vote(key: key, options: options, at: origin.at)
    for id in before where !options.contains(id) { state[key.message]?.count(votesFor: id, by: -1) }
    for id in options where !before.contains(id) { state[key.message]?.count(votesFor: id, by: 1) }
  }
}

extension Message {
  fileprivate mutating func count(votesFor id: Poll.Option.ID, by change: Int) {
    guard let index = poll?.options.firstIndex(where: { $0.id == id }) else { return }
    poll?.options[index].votes.add(change)
  }
}
