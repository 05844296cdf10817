// Verbs whose action is a submission: they are also words of a command line.
internal import Chat
internal import ChatProjections
internal import JSONLines
internal import Verbatim

/// The intents of a verb at a place; the throwing type is `InputDefect`, or that of a query that the verb needs.
typealias VerbIntents = @Sendable (IntentPlace) async throws -> [ChatIntent]

/// The user, the place and the time of a verb's intents.
struct IntentPlace: Sendable {
  let workspace: Workspace
  /// The client of the user who acts; nil for the app.
  let client: Client?
  let channel: Channel.ID?
  /// The thread's parent message.
  let thread: String?
  /// The time from which durations count; nil where they are not allowed.
  let now: Timestamp?
  /// Returns the id of a message without one.
  let newMessage: @Sendable () -> Message.ID

  func actingClient() throws(InputDefect) -> Client {
    guard let client else { throw InputDefect("Only a user can do this: name the user with --as.") }
    return client
  }

  func actingUser() throws(InputDefect) -> User.ID { try actingClient().user }

  func targetChannel() throws(InputDefect) -> Channel.ID {
    guard let channel else { throw InputDefect("The channel is missing: add it, as in=general.") }
    return channel
  }

  func message(_ name: String) throws(InputDefect) -> Message.ID {
    try Message.ID(valid: name)
  }

  func threadParent() throws(InputDefect) -> Message.ID? {
    guard let thread else { return nil }
    return try message(thread)
  }

  /// Returns the key of a message in the channel.
  func key(_ name: String) throws(InputDefect) -> Message.Key {
    Message.Key(try targetChannel(), try message(name))
  }

  /// Returns the key of the user's membership of the channel.
  func membership() throws(InputDefect) -> Member.Key { Member.Key(try targetChannel(), try actingUser()) }

  func instant() throws(InputDefect) -> Timestamp {
    guard let now else {
      throw InputDefect(
        "The time counts from now, so a retry with the same id would be another intent: submit a line of JSON with "
          + "“until” or “editedAt”.")
    }
    return now
  }

  /// Throws where a retry with the same id would read a state that changed meanwhile.
  func needsFirstTry(_ state: String) throws(InputDefect) {
    guard now != nil else {
      throw InputDefect("\(state) changes, so a retry with the same id would be other intents: leave it out.")
    }
  }

  /// Returns the current configuration of the channel.
  func currentConfig() async throws -> ChannelConfig {
    let id = try targetChannel()
    try needsFirstTry("The configuration of a channel")
    return try await workspace.read { try $0.chat.anyChannel(id)?.config } ?? ChannelConfig()
  }

  /// Returns the current profile of the user; nil for an unknown one.
  func currentProfile() async throws -> User.Profile? {
    let id = try actingUser()
    try needsFirstTry("The profile of a user")
    return try await workspace.read { try $0.chat.user(id)?.profile }
  }

  /// Returns an expiry after a time span, or endless.
  func expiry(_ span: Microseconds?) throws(InputDefect) -> Expiry {
    guard let span else { return .endless }
    return .until(try instant() + span)
  }
}

extension Verb {
  /// Returns a verb that submits intents together, as the user or as the app.
  static func submitting(
    _ name: String, _ value: String, _ help: String, _ arguments: [Argument] = [], word: WordForm = .text,
    bySystem: Bool = false, read: @escaping @Sendable (inout ObjectReader) throws(InputDefect) -> VerbIntents
  ) -> Verb {
    var verb = Verb(name, value, help, arguments) { reader throws(InputDefect) in
      let intents = try read(&reader)
      return { player in
        try await player.submit(try await intents(player.place), by: bySystem ? .system : player.client.actor)
      }
    }
    (verb.intents, verb.word) = (read, word)
    return verb
  }

  /// Returns a verb with the value `true` that submits an intent.
  static func submitting(
    _ name: String, _ help: String, _ intent: @escaping @Sendable (IntentPlace) throws(InputDefect) -> ChatIntent
  ) -> Verb {
    submitting(name, "true", help, word: .none) { reader throws(InputDefect) in
      try reader.truth(name)
      return { place throws(InputDefect) in [try intent(place)] }
    }
  }

  /// Returns a verb that names a message and submits an intent.
  static func submitting(
    about name: String, _ help: String, bySystem: Bool = false,
    _ intent: @escaping @Sendable (IntentPlace, String) throws(InputDefect) -> ChatIntent
  ) -> Verb {
    submitting(name, "message", help, bySystem: bySystem) { reader throws(InputDefect) in
      let message = try reader.required(name, try reader.text(name))
      return { place throws(InputDefect) in [try intent(place, message)] }
    }
  }
}

extension Player {
  /// The place of the target.
  var place: IntentPlace {
    let workspace = workspace
    return IntentPlace(
      workspace: workspace, client: client, channel: target.channel, thread: target.thread, now: workspace.now,
      newMessage: { workspace.newID() })
  }
}
