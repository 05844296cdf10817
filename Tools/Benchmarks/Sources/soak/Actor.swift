// What the writers and readers of a long run do.
import Chat
import VerbatimUI

/// The users and channels of a long run.
@MainActor struct Cast {
  let workspace: Workspace
  let users: [User.ID]
  let channels: [Channel.ID]

  init(in workspace: Workspace, writers: Int) async throws {
    let users = (0..<200).map { User.ID(stringLiteral: "user-\($0)") }
    self.workspace = workspace
    self.users = users
    channels = (0..<20).map { Channel.ID(stringLiteral: "channel-\($0)") }
    try await workspace.submit(users.map { .user($0, .create(User.Profile(name: "A user"))) }, by: .system)
    for channel in channels {
      try await workspace.submit(
        [.channel(channel, .create("team", Channel.Profile(), ChannelConfig(), members: []))]
          + users.map { .member(Member.Key(channel, $0), .add(.member)) }, by: .system)
    }
  }
}

/// One of those who write or read: a user on a device, with random decisions of its own.
@MainActor final class Actor {
  private let cast: Cast
  private let client: Client
  private let times: Times
  private var random: Numbers

  init(_ number: Int, of cast: Cast, seed: UInt64, _ times: Times) {
    (self.cast, self.times) = (cast, times)
    client = cast.workspace.client(user: cast.users[number % cast.users.count], device: "device")
    random = Numbers(state: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
  }

  // MARK: Writing

  func write(_ progress: Progress) async throws {
    while !progress.isOver {
      let channel = client.channel(random.pick(cast.channels))
      do throws(SubmitError) {
        let submitted = try await act(in: channel)
        if let submitted { progress.reach(submitted.position) }
      } catch {
        // Whose message was deleted meanwhile, or who is no member at the moment.
        guard case .refused = error else { throw error }
      }
    }
  }

  /// Does one thing of those that people do in a chat.
  private func act(in channel: ChannelController) async throws(SubmitError) -> Submitted? {
    switch random.below(100) {
    case ..<45: return try await type(in: channel, sends: true)
    case ..<50: return try await type(in: channel, sends: false)
    default: break
    }
    guard let message = await someMessage(in: channel) else { return try await type(in: channel, sends: true) }
    let (id, isOwn) = (message.key.id, message.author == client.user)
    switch random.below(50) {
    case ..<15: return try await timed { () throws(SubmitError) in try await channel.react(to: id, "like") }
    case ..<20: return try await timed { () throws(SubmitError) in try await channel.unreact(to: id, "like") }
    case ..<32: return try await timed { () throws(SubmitError) in try await channel.markRead(through: id) }
    case ..<36:
      let text = sentence()
      return try await timed { () throws(SubmitError) in try await channel.thread(id).reply(text).submitted }
    case ..<40 where isOwn:
      let text = sentence()
      return try await timed { () throws(SubmitError) in try await channel.edit(id, to: text) }
    case ..<43 where isOwn: return try await timed { () throws(SubmitError) in try await channel.delete(id) }
    case ..<46: return try await timed { () throws(SubmitError) in try await channel.mute() }
    case ..<49: return try await timed { () throws(SubmitError) in try await channel.unmute() }
    default:
      // Someone leaves and is added again.
      let key = Member.Key(channel.id, random.pick(Array(cast.users.suffix(20))))
      let workspace = cast.workspace
      _ = try? await workspace.submit(.member(key, .remove), by: .system)
      return try await timed { () throws(SubmitError) in
        try await workspace.submit(.member(key, .add(.member)), by: .system)
      }
    }
  }

  /// Types a sentence letter by letter, and sends it or leaves it as a draft.
  private func type(in channel: ChannelController, sends: Bool) async throws(SubmitError) -> Submitted? {
    do {
      var options = ComposerOptions()
      options.draftMessagesEnabled = true
      let composer = try await channel.composer(options: options)
      for letter in sentence() { try composer.perform(.type(String(letter))) }
      try await timed { if sends { _ = try await composer.send() } else { try await composer.leave() } }
      return nil
    } catch let error as SubmitError { throw error } catch {
      fatalError("a composer failed: \(error)")
    }
  }

  private func someMessage(in channel: ChannelController) async -> Message? {
    let began = ContinuousClock.now
    let page = try? await channel.messages(limit: 25)
    times.add(.read, began.duration(to: .now))
    return page.flatMap { $0.messages.isEmpty ? nil : random.pick($0.messages) }
  }

  private func timed<R, Failed: Error>(_ body: () async throws(Failed) -> R) async throws(Failed) -> R {
    let began = ContinuousClock.now
    let result = try await body()
    times.add(.submit, began.duration(to: .now))
    return result
  }

  // MARK: Reading

  /// Reads as apps do that show a chat, with a pause after each read.
  func read(_ progress: Progress) async throws {
    while !progress.isOver {
      let channel = client.channel(random.pick(cast.channels))
      let began = ContinuousClock.now
      switch random.below(6) {
      case 0: _ = try await client.channels.page(limit: 20)
      case 1: _ = try await client.me.unread()
      case 2: _ = try await client.channels.messages(matching: random.pick(words), limit: 10)
      case 3: _ = try await channel.members(limit: 50)
      case 4: _ = try await client.me.threads(limit: 10)
      default: _ = try await channel.messages(limit: 50)
      }
      times.add(.read, began.duration(to: .now))
      progress.reach(try cast.workspace.head())
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func sentence() -> String {
    (0..<3 + random.below(9)).map { _ in random.pick(words) }.joined(separator: " ")
  }
}

private let words =
  "a the we you it not yet soon later today tomorrow train meeting lunch paper green river window garden number"
  .split(separator: " ").map(String.init)

/// Random numbers from a seed.
private struct Numbers {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
