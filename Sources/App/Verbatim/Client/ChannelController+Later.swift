// A channel's controller: polls, saved and scheduled messages, and reviews.
public import Chat
public import ChatProjections

// MARK: Polls

extension ChannelController {
  /// Sends a message with a poll: the text is the question, and the options get the ids `1`, `2`, `3` …
  @discardableResult
  public func sendPoll(
    _ question: UserText, _ options: [UserText], rules: Poll.Rules = Poll.Rules(), id message: Message.ID? = nil
  ) async throws(SubmitError) -> SentMessage {
    let key = Message.Key(id, message ?? client.workspace.newID())
    let choices = options.enumerated().map { Poll.Option(ID(stringLiteral: "\($0.offset + 1)"), $0.element) }
    let submitted = try await client.submit([
      .message(key, .send(Message.Content(question))), .message(key, .openPoll(choices, rules)),
    ])
    return SentMessage(key: key, submitted: submitted)
  }

  /// Votes for options of a poll in place of those voted for before; without any, retracts the vote.
  @discardableResult
  public func vote(for options: [Poll.Option.ID], in message: Message.ID) async throws(SubmitError) -> Submitted {
    try await client.submit(.vote(Vote.Key(in: Message.Key(id, message), by: client.user), .cast(options)))
  }

  /// Adds an option to a poll, under a new id or a given one.
  @discardableResult
  public func addPollOption(
    _ text: UserText, to message: Message.ID, id option: Poll.Option.ID? = nil
  ) async throws(SubmitError) -> Submitted {
    let option = Poll.Option(option ?? client.workspace.newID(), text)
    return try await client.submit(.message(Message.Key(id, message), .addPollOption(option)))
  }

  /// Closes a poll.
  @discardableResult
  public func closePoll(_ message: Message.ID) async throws(SubmitError) -> Submitted {
    try await client.submit(.message(Message.Key(id, message), .closePoll))
  }

  /// Returns votes in a poll, for one option or for any; in an anonymous poll only the user's own.
  public func votes(
    in message: Message.ID, for option: Poll.Option.ID? = nil, after user: User.ID? = nil, limit: Int = 100
  ) async throws(ReadError) -> VotePage {
    let key = Message.Key(id, message)
    return try await client.ask { reading throws(ReadError) in
      try reading.votes(in: key, for: option, after: user, limit: limit)
    }
  }
}

// MARK: Saved and scheduled messages

extension ChannelController {
  /// Saves a message for later, with a note and a reminder.
  @discardableResult
  public func save(
    _ message: Message.ID, note: UserText? = nil, remindAt: Timestamp? = nil
  ) async throws(SubmitError) -> Submitted {
    try await client.submit(.saved(saved(message), .save(note: note, remindAt: remindAt)))
  }

  /// Removes a message from the saved ones.
  @discardableResult
  public func unsave(_ message: Message.ID) async throws(SubmitError) -> Submitted {
    try await client.submit(.saved(saved(message), .remove))
  }

  /// Schedules a message, which ``Workspace/deliverContinuously()`` sends; with the id of a scheduled one, replaces
  /// its content and time.
  @discardableResult
  public func schedule(
    _ content: Message.Content, at instant: Timestamp, id message: Message.ID? = nil
  ) async throws(SubmitError) -> SentMessage {
    let key = scheduled(message ?? client.workspace.newID())
    let submitted = try await client.submit(.scheduled(key, .schedule(content, at: instant)))
    return SentMessage(key: key.message, submitted: submitted)
  }

  /// Cancels a scheduled message.
  @discardableResult
  public func cancelScheduled(_ message: Message.ID) async throws(SubmitError) -> Submitted {
    try await client.submit(.scheduled(scheduled(message), .cancel))
  }

  private func saved(_ message: Message.ID) -> SavedMessage.Key {
    SavedMessage.Key(by: client.user, Message.Key(id, message))
  }

  private func scheduled(_ message: Message.ID) -> ScheduledMessage.Key {
    ScheduledMessage.Key(by: client.user, Message.Key(id, message))
  }
}

// MARK: Reviews

extension ChannelController {
  /// Returns flagged messages that wait for a decision, the first flagged first; requires the permission to moderate.
  public func openReviews(after cursor: ReviewCursor? = nil, limit: Int = 30) async throws(ReadError) -> ReviewPage {
    try await client.ask { reading throws(ReadError) in
      try reading.openReviews(in: id, after: cursor, limit: limit)
    }
  }

  /// Returns the flags on a message and all decisions about them; nil if it was never flagged.
  public func review(of message: Message.ID) async throws(ReadError) -> ReviewItem? {
    let target = Flag.Target.message(Message.Key(id, message))
    return try await client.ask { reading throws(ReadError) in try reading.review(of: target) }
  }

  /// Claims the review of a message: other moderators leave it to the user.
  @discardableResult
  public func claimReview(of message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submit(.claim, on: message)
  }

  /// Releases the claim of a review.
  @discardableResult
  public func releaseReview(of message: Message.ID) async throws(SubmitError) -> Submitted {
    try await submit(.release, on: message)
  }

  /// Resolves the flags on a message.
  @discardableResult
  public func resolveFlags(
    on message: Message.ID, as outcome: Review.Outcome, note: UserText? = nil
  ) async throws(SubmitError) -> Submitted {
    try await submit(.resolve(outcome, note: note), on: message)
  }

  private func submit(_ intent: Review.Intent, on message: Message.ID) async throws(SubmitError) -> Submitted {
    try await client.submit(.review(.message(Message.Key(id, message)), intent))
  }
}
