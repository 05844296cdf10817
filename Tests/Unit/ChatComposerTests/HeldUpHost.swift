// A host whose submits, and reads of the draft, wait until a test releases them.
import Chat
import ChatComposer

extension Room {
  /// Returns a second composer of the same user, whose submits wait.
  func composerThatIsHeldUp(isDeaf: Bool = false) async throws -> (HeldUpHost, LiveComposer) {
    let key = Composer.Key(of: "ada", on: "tablet", in: "general")
    let host = HeldUpHost(chat.host(of: key), isDeaf: isDeaf)
    let composer = LiveComposer(Composer(key), host: host, options: composer.options)
    try await composer.open()
    return (host, composer)
  }
}

/// A host whose submits wait until they are released.
@MainActor
final class HeldUpHost: ComposerHost {
  private let host: any ComposerHost
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// Whether reads of the draft wait after reading, until they are released.
  var holdsDrafts = false
  private var readDrafts: [CheckedContinuation<Void, Never>?] = []
  /// The error thrown by a released submit instead of submitting.
  var failure: Failure?
  /// Whether it reports no changes of the context.
  let isDeaf: Bool

  init(_ host: any ComposerHost, isDeaf: Bool) { (self.host, self.isDeaf) = (host, isDeaf) }

  var isHeldUp: Bool { !waiting.isEmpty }

  func letGo() {
    for submit in waiting { submit.resume() }
    waiting = []
  }

  /// The number of reads of the draft that waited or wait.
  var heldDrafts: Int { readDrafts.count }

  /// Releases a read of the draft, by the order in which the reads began to wait.
  func letGoOfDraft(_ index: Int) {
    readDrafts[index]?.resume()
    readDrafts[index] = nil
  }

  nonisolated var now: Timestamp { host.now }
  nonisolated func newID() -> Message.ID { host.newID() }
  nonisolated func record(_ events: [Composer.Event]) throws { try host.record(events) }
  nonisolated func changes() -> AsyncStream<Void> { isDeaf ? AsyncStream { _ in } : host.changes() }
  func flush() async throws { try await host.flush() }
  func wait(until instant: Timestamp) async { await host.wait(until: instant) }

  func submit(_ intents: [ChatIntent], recording events: [Composer.Event]) async throws -> Refusal? {
    await withCheckedContinuation { waiting.append($0) }
    if let failure { throw failure }
    return try await host.submit(intents, recording: events)
  }

  func draft() async throws -> Draft? {
    let draft = try await host.draft()
    if holdsDrafts { await withCheckedContinuation { readDrafts.append($0) } }
    return draft
  }

  func composerContext(messages: [Message.ID], users: [User.ID]) async throws -> ComposerContext {
    try await host.composerContext(messages: messages, users: users)
  }

  func members(of channel: Channel.ID, matching typed: UserText, limit: Int) async throws -> [User] {
    try await host.members(of: channel, matching: typed, limit: limit)
  }

  func users(matching typed: UserText, in channel: Channel.ID, limit: Int) async throws -> [User] {
    try await host.users(matching: typed, in: channel, limit: limit)
  }
}
