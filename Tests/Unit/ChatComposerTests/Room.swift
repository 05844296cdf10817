// A channel with three people and a composer in it, as the tests of composers begin.
import Chat
import ChatComposer
import Testing

/// Ada, Bo Diddley and Cleo Moreau in a channel, with a composer of Ada's.
@MainActor
struct Room {
  let chat: InMemoryConversation
  let composer: LiveComposer

  init(
    _ config: ChannelConfig = ChannelConfig(), thread: Message.ID? = nil, as role: Role = .owner,
    _ choose: (inout ComposerOptions) -> Void = { _ in }
  ) async throws {
    chat = InMemoryConversation(at: Instant(rawValue: 1_700_000_000_000_000))
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

  /// Another composer in the same place, as after a kill: it begins with what was recorded.
  func afterKill(_ options: ComposerOptions? = nil) async throws -> LiveComposer {
    let next = chat.composer(composer.key, options: options ?? composer.options)
    try await next.open()
    return next
  }

  /// Types letter by letter.
  func type(_ text: String) throws {
    for character in text { try composer.perform(.type(TypedText(UserText(String(character))))) }
  }

  /// Waits until what is suggested has come.
  func suggested() async -> [String] {
    await until { composer.suggestions?.isLoading != true }
    return composer.suggestions?.items.map(\.id.string) ?? []
  }

  /// Picks what is suggested first, or an item that is named.
  func pick(_ id: Suggestion.ID? = nil) async throws {
    let all = await suggested()
    try composer.pick(id ?? UserText(all.first ?? ""))
  }

  /// Sends, and answers why it was refused.
  func refused() async -> SendRefusal? {
    do throws(ComposerError) { try await composer.send() } catch {
      if case .notSent(let refusal) = error { return refusal }
    }
    return nil
  }

  /// Says something as somebody, and answers the message.
  func say(_ content: Message.Content, as user: User.ID = "ada", id: Message.ID = "said") throws -> Message {
    let key = Message.Key("general", id)
    try chat.submit([.message(key, .send(content))], by: .user(user))
    guard let message = chat.state[key] else { preconditionFailure("\(key) was not said") }
    return message
  }

  /// Configures the channel anew, and waits until the composer has seen it.
  func configure(_ config: ChannelConfig) async throws {
    let owner = chat.state["general" as Channel.ID]?.creator.user ?? "ada"
    try chat.submit([.channel("general", .configure(config))], by: .user(owner))
    await until { composer.presentation.channelConfig == config }
  }

  /// What is typed.
  var text: String { composer.text.userText.string }

  /// What is written.
  var content: Composition { composer.composer.content }

  /// What was said, in order.
  var said: [Message.Content] {
    chat.events.compactMap { event in
      if case .message(_, .sent(let content)) = event.change { content } else { nil }
    }
  }

  /// Which messages those were.
  var sent: [Message.Key] {
    chat.events.compactMap { event in
      if case .message(let key, .sent) = event.change { key } else { nil }
    }
  }

  /// What was done in the composer, in order.
  var done: [Composer.Event] {
    chat.events.compactMap { event in
      if case .composer(_, let done) = event.change { done } else { nil }
    }
  }

  /// What an app recorded, in order.
  var recorded: [AppEvent] {
    chat.events.compactMap { event in
      if case .app(_, let recorded) = event.change { recorded } else { nil }
    }
  }
}

/// Gives what waits on the main actor its turn, many times over.
@MainActor
func everybodyElse() async {
  for _ in 0..<100 { await Task.yield() }
}

/// Goes on as soon as something holds; the test fails when it does not come to hold in a minute.
@MainActor
func until(sourceLocation: SourceLocation = #_sourceLocation, _ holds: () -> Bool) async {
  let deadline = ContinuousClock.now + .seconds(60)
  while !holds() {
    if ContinuousClock.now > deadline {
      Issue.record("it did not come to hold", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

/// Answers that a test gives when it likes; until then whoever asked waits.
@MainActor
final class Answers<Question: Sendable, Answer: Sendable> {
  /// What was asked, in order.
  private(set) var asked: [Question] = []
  private var waiting: [CheckedContinuation<Answer, any Error>?] = []

  func ask(_ question: Question) async throws -> Answer {
    asked.append(question)
    return try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  /// Answers the question that was asked at a place.
  func answer(_ place: Int, _ answer: Answer) { end(place, .success(answer)) }

  /// Fails the question that was asked at a place.
  func fail(_ place: Int, _ reason: Failure) { end(place, .failure(reason)) }

  private func end(_ place: Int, _ result: Result<Answer, any Error>) {
    waiting[place]?.resume(with: result)
    waiting[place] = nil
  }
}

/// Why something did not work, in words.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ reason: String) { description = reason }
}

/// What hangs on a message; the testing library calls something else so, too.
typealias Attachment = Chat.Attachment
