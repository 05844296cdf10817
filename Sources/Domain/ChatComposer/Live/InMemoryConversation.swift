// An in-memory conversation for composers without a workspace.
public import Chat
internal import TextFolding
internal import Locks

/// An in-memory conversation for composers without a workspace: for tests, previews and experiments.
///
/// It decides and folds like a workspace. Its clock changes only by ``pass(_:)``.
public final class InMemoryConversation: Sendable {
  private let inside: Locked<Inside>

  private struct Inside {
    var state: InMemoryChatState
    var now: Timestamp
    var events: [ChatEvent] = []
    var lastID = 0
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var waiting: [Int: (until: Timestamp, resume: CheckedContinuation<Void, Never>)] = [:]
  }

  /// Creates an empty conversation.
  public init(rules: Rules = Rules(), at instant: Timestamp = Timestamp(rawValue: 0)) {
    inside = Locked(Inside(state: InMemoryChatState(rules: rules), now: instant))
  }

  /// The current state.
  public var state: InMemoryChatState { inside.withLock { $0.state } }

  /// All events, in order.
  public var events: [ChatEvent] { inside.withLock { $0.events } }

  /// The current time of its clock.
  public var now: Timestamp { inside.withLock { $0.now } }

  /// Advances the clock.
  public func pass(_ time: Microseconds) {
    let due = inside.withLock { inside in
      inside.now = inside.now + time
      let due = inside.waiting.filter { $0.value.until <= inside.now }
      for number in due.keys { inside.waiting[number] = nil }
      return due.values
    }
    for waiting in due { waiting.resume.resume() }
    tellWatchers()
  }

  /// Submits intents atomically.
  public func submit(_ intents: [ChatIntent], by actor: Author) throws(Refusal) {
    try inside.withLock { inside throws(Refusal) in
      var (state, events) = (inside.state, inside.events)
      for intent in intents {
        for event in try decide(intent, by: actor, at: inside.now, given: state) {
          fold(event, into: &state)
          events.append(event)
        }
      }
      (inside.state, inside.events) = (state, events)
    }
    tellWatchers()
  }

  /// Returns the host of a composer of this conversation.
  public func host(of key: Composer.Key) -> some ComposerHost { InMemoryHost(conversation: self, key: key) }

  /// Returns a live composer of this conversation.
  @MainActor
  public func composer(_ key: Composer.Key, options: ComposerOptions = ComposerOptions()) -> LiveComposer {
    LiveComposer(state[key] ?? Composer(key), host: host(of: key), options: options)
  }

  private func tellWatchers() {
    for watcher in inside.withLock({ Array($0.watchers.values) }) { watcher.yield() }
  }

  fileprivate func newID() -> Message.ID {
    inside.withLock { inside in
      inside.lastID += 1
      return ID(stringLiteral: "id\(inside.lastID)")
    }
  }

  fileprivate func changes() -> AsyncStream<Void> {
    let (stream, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = inside.withLock { inside in
      inside.lastID += 1
      inside.watchers[inside.lastID] = watcher
      return inside.lastID
    }
    watcher.onTermination = { [weak self] _ in self?.inside.withLock { $0.watchers[number] = nil } }
    return stream
  }

  fileprivate func wait(until instant: Timestamp) async {
    let number = inside.withLock { inside in
      inside.lastID += 1
      return inside.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = inside.withLock { inside in
          let waits = inside.now < instant && !Task.isCancelled
          if waits { inside.waiting[number] = (instant, continuation) }
          return !waits
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      inside.withLock { $0.waiting.removeValue(forKey: number) }?.resume.resume()
    }
  }
}

// MARK: Composer host

private struct InMemoryHost: ComposerHost {
  let conversation: InMemoryConversation
  let key: Composer.Key

  var now: Timestamp { conversation.now }
  func newID() -> Message.ID { conversation.newID() }
  func changes() -> AsyncStream<Void> { conversation.changes() }
  func wait(until instant: Timestamp) async { await conversation.wait(until: instant) }
  func flush() async throws {}

  func record(_ events: [Composer.Event]) throws {
    try conversation.submit([.composer(key, .record(events))], by: .user(key.user, on: key.device))
  }

  func submit(_ intents: [ChatIntent], recording events: [Composer.Event]) async throws -> Refusal? {
    let all = intents + (events.isEmpty ? [] : [.composer(key, .record(events))])
    do throws(Refusal) { try conversation.submit(all, by: .user(key.user, on: key.device)) } catch { return error }
    return nil
  }

  func composerContext(messages: [Message.ID], users: [User.ID]) async throws -> ComposerContext {
    ComposerContext(of: key, in: conversation.state, at: now, messages: messages, users: users)
  }

  func draft() async throws -> Draft? { conversation.state[key.draft] }

  func members(of channel: Channel.ID, matching typed: UserText, limit: Int) async throws -> [User] {
    let state = conversation.state
    return state.people(matching: typed, in: channel, limit: limit, except: key.user) {
      state[Member.Key(channel, $0)]?.isMember == true
    }
  }

  func users(matching typed: UserText, in channel: Channel.ID, limit: Int) async throws -> [User] {
    conversation.state.people(matching: typed, in: channel, limit: limit, except: key.user) { _ in true }
  }
}

extension ComposerContext {
  /// Derives the context of a composer from a state.
  init(of key: Composer.Key, in state: InMemoryChatState, at now: Timestamp, messages: [Message.ID], users: [User.ID]) {
    self.init()
    limits = state.rules.limits
    let member = state[Member.Key(key.channel, key.user)]
    let bans = [Ban.Scope.everywhere, .channel(key.channel)].compactMap { state[Ban.Key(of: key.user, from: $0)] }
    guard let channel = state[key.channel], channel.deleted == nil else {
      capabilities = []
      return
    }
    (config, isFrozen, lastSent) = (channel.config, channel.isFrozen, member?.lastSent)
    ban = bans.first { $0.holds(at: now) }
    block = channel.blocks(of: key.user).lazy.compactMap { state[$0] }.first
    capabilities = state.rules.capabilities(of: state[key.user], as: member)
    for id in messages {
      let message = state[Message.Key(key.channel, id)]
      self.messages[id] = message.flatMap { $0.presence == .present ? .present($0) : nil } ?? .gone
    }
    let authors = self.messages.values.compactMap { if case .present(let message) = $0 { message.author } else { nil } }
    for id in users + authors { names[id] = state[id]?.shownName }
  }
}

// MARK: Users

extension InMemoryChatState {
  /// Returns users whose id, name or one of its words starts with the typed text, best match first.
  fileprivate func people(
    matching typed: UserText, in channel: Channel.ID, limit: Int, except user: User.ID,
    where isWanted: (User.ID) -> Bool
  ) -> [User] {
    let query = FoldedText(typed.string)
    let found = rows.users.values.filter { $0.id != user && !$0.isDeactivated && isWanted($0.id) }
      .compactMap { user in Rank(user, query, self[Member.Key(channel, user.id)]?.lastSent) }
    return found.sorted { $0.comesBefore($1) }.prefix(limit).map(\.user)
  }
}

/// The match quality of a user for the typed text.
private struct Rank {
  let user: User
  private let grade: Int
  private let sent: Timestamp
  private let name: FoldedText

  init?(_ user: User, _ query: FoldedText, _ sent: Timestamp?) {
    let (id, name) = (FoldedText(user.id.text), FoldedText(user.profile.name.string))
    (self.user, self.sent, self.name) = (user, sent ?? Timestamp(rawValue: .min), name)
    if query.bytes.isEmpty {
      grade = 0
    } else if id == query || name == query {
      grade = 0
    } else if name.starts(with: query) {
      grade = 1
    } else if name.hasWord(startingWith: query) {
      grade = 2
    } else if id.starts(with: query) {
      grade = 3
    } else {
      return nil
    }
  }

  func comesBefore(_ other: Rank) -> Bool {
    if grade != other.grade { return grade < other.grade }
    if sent != other.sent { return sent > other.sent }
    return name == other.name ? user.id < other.user.id : name < other.name
  }
}
