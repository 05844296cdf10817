// Threat: an observer of one property is notified by changes of another, or not at all.
import Chat
import ChatComposer
import Observation
import Testing

@MainActor @Suite struct `Observing a live composer` {
  /// Counts the notifications of one value; it registers again after each.
  @MainActor private final class Observer {
    private(set) var count = 0
    private let read: @MainActor () -> Void

    init(_ read: @escaping @MainActor () -> Void) {
      self.read = read
      register()
    }

    private func register() {
      withObservationTracking {
        read()
      } onChange: { [weak self] in
        MainActor.assumeIsolated { self?.count += 1 }
        Task { @MainActor in self?.register() }
      }
    }
  }

  @Test func `a send notifies observers of it twice, and typing meanwhile does not`() async throws {
    let room = try await Room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("hello"))
    let (sending, busy) = (Observer { _ = composer.isSending }, Observer { _ = composer.isBusy })
    let (stopped, suggestions) = (Observer { _ = composer.stopped }, Observer { _ = composer.suggestions })
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    await everybodyElse()
    #expect(sending.count == 1 && busy.count >= 1)
    for letter in ["a", "b", "c"] {
      try composer.perform(.type(letter))
      await everybodyElse()
    }
    #expect(sending.count == 1)
    host.letGo()
    _ = try await sent.value
    await everybodyElse()
    #expect(sending.count == 2)
    #expect(stopped.count == 0 && suggestions.count == 0)
    #expect(composer.text == "abc")
  }
}
