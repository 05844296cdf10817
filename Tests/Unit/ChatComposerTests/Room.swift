// A test fixture: a channel with three users and a composer.
import Chat
import ChatComposer
import ChildProcess
import Testing

/// A channel with Ada, Bo Diddley and Cleo Moreau, and a composer of Ada's.
@MainActor
struct Room {
  let chat: InMemoryConversation
  let composer: LiveComposer

  init(
    _ config: ChannelConfig = ChannelConfig(), thread: Message.ID? = nil, as role: Role = .owner,
    _ choose: (inout ComposerOptions) -> Void = { _ in }
  ) async throws {
    chat = InMemoryConversation(at: Timestamp(rawValue: 1_700_000_000_000_000))
    let names: [(User.ID, UserText)] = [("ada", "Ada"), ("bo", "Bo Diddley"), ("cleo", "Cleo Moreau")]
    for (user, name) in names {
      try chat.submit([.user(user, .create(User.Profile(name: name)))], by: .user(user))
    }
    let owner: User.ID = role == .owner ? "ada" : "cleo"
    try chat.submit(
      [
        .channel(
          "general", .create("team", Channel.Profile(), config, members: ["ada", "bo", "cleo"].filter { $0 != owner }))
      ],
      by: .user(owner))
    if let thread {
      try chat.submit([.message(Message.Key("general", thread), .send(Message.Content("What?")))], by: .user("cleo"))
    }
    var options = ComposerOptions()
    choose(&options)
    composer = chat.composer(Composer.Key(of: "ada", on: "phone", in: "general", thread: thread), options: options)
    try await composer.open()
  }

  /// Returns another composer with the same key, as after a kill: it continues from the recorded events.
  func afterKill(_ options: ComposerOptions? = nil) async throws -> LiveComposer {
    let next = chat.composer(composer.key, options: options ?? composer.options)
    try await next.open()
    return next
  }

  /// Types letter by letter.
  func type(_ text: String) throws {
    for character in text { try composer.perform(.type(String(character))) }
  }

  /// Waits for the suggestions and returns their ids.
  func suggested() async -> [String] {
    await until { composer.suggestions?.isLoading != true }
    return composer.suggestions?.items.map(\.id.string) ?? []
  }

  /// Picks the first suggestion, or the one with the given id.
  func pick(_ id: Suggestion.ID? = nil) async throws {
    let all = await suggested()
    try composer.pick(id ?? UserText(all.first ?? ""))
  }

  /// Sends, and returns the refusal if there is one.
  func refused() async -> SendRefusal? {
    do throws(ComposerError) { try await composer.send() } catch {
      if case .notSent(let refusal) = error { return refusal }
    }
    return nil
  }

  /// Sends a message as a user and returns it.
  func say(_ content: Message.Content, as user: User.ID = "ada", id: Message.ID = "said") throws -> Message {
    let key = Message.Key("general", id)
    try chat.submit([.message(key, .send(content))], by: .user(user))
    guard let message = chat.state[key] else { preconditionFailure("\(key) was not said") }
    return message
  }

  /// Changes the configuration of the channel, and waits until the composer has seen it.
  func configure(_ config: ChannelConfig) async throws {
    let owner = chat.state["general" as Channel.ID]?.creator.user ?? "ada"
    try chat.submit([.channel("general", .configure(config))], by: .user(owner))
    await until { composer.presentation.channelConfig == config }
  }

  /// The typed text.
  var text: String { composer.text }

  /// The content of the composer.
  var content: Composition { composer.composer.content }

  /// The contents of the sent messages, in order.
  var said: [Message.Content] {
    chat.events.compactMap { event in
      if case .message(_, .sent(let content)) = event.change { content } else { nil }
    }
  }

  /// The keys of the sent messages.
  var sent: [Message.Key] {
    chat.events.compactMap { event in
      if case .message(let key, .sent) = event.change { key } else { nil }
    }
  }

  /// The events of composers, in order.
  var done: [Composer.Event] {
    chat.events.compactMap { event in
      if case .composer(_, let done) = event.change { done } else { nil }
    }
  }

  /// The custom events of the app, in order.
  var recorded: [AppEvent] {
    chat.events.compactMap { event in
      if case .app(_, let recorded) = event.change { recorded } else { nil }
    }
  }
}

/// Yields to the tasks waiting on the main actor, many times.
@MainActor
func everybodyElse() async {
  for _ in 0..<100 { await Task.yield() }
}

/// Returns once a condition holds; the test fails if it does not hold until the deadline.
@MainActor
func until(sourceLocation: SourceLocation = #_sourceLocation, _ holds: () -> Bool) async {
  let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
  while !holds() {
    if ContinuousClock.now > deadline {
      Issue.record("it did not come to hold", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

/// Results that a test provides on demand; until then the callers wait.
@MainActor
final class Answers<Question: Sendable, Answer: Sendable> {
  /// The received queries, in order.
  private(set) var asked: [Question] = []
  private var waiting: [CheckedContinuation<Answer, any Error>?] = []

  func ask(_ question: Question) async throws -> Answer {
    asked.append(question)
    return try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  /// Returns a result for the query at an index.
  func answer(_ place: Int, _ answer: Answer) { end(place, .success(answer)) }

  /// Fails the query at an index.
  func fail(_ place: Int, _ reason: any Error) { end(place, .failure(reason)) }

  private func end(_ place: Int, _ result: Result<Answer, any Error>) {
    waiting[place]?.resume(with: result)
    waiting[place] = nil
  }
}

/// An error with a text.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ reason: String) { description = reason }
}

/// An error with a code and values.
struct CodedFailure: CodedError {
  let code: RecordedFailure.Code = "acme.quota"
  let values: Extra = ["max": 5]

  static let recorded = RecordedFailure("acme.quota", ["max": 5])
}

/// The attachment of a message; the testing library declares a type of the same name.
typealias Attachment = Chat.Attachment
