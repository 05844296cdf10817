// Threat: a view of a composer shows what is not so any more, or a composer that nobody has stays.
import Foundation
import Observation
import Testing

@testable import Verbatim

@MainActor @Suite struct `A composer that is looked at` {
  private let folder = WorkspaceFolder()

  /// Whether a reading is told to be another after something was done.
  private func tells<Value>(_ read: () -> Value, _ action: () async throws -> Void) async rethrows -> Bool {
    let told = Told()
    withObservationTracking {
      _ = read()
    } onChange: {
      MainActor.assumeIsolated { told.isTold = true }
    }
    try await action()
    return told.isTold
  }

  @Test func `tells of its text, suggestions, presentation and sending when they change`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let composer = try await workspace.composer()
    #expect(try await tells({ composer.text }) { try composer.perform(.type("hello ")) })
    #expect(try await tells({ composer.presentation }) { try composer.perform(.type("you ")) })
    #expect(
      try await tells({ composer.suggestions }) {
        try composer.perform(.type("@be"))
        await until { composer.suggestions?.isLoading == false }
      })
    try composer.pick("ben")
    #expect(try await tells({ composer.isSending }) { try await composer.send() })
    await workspace.close()
  }

  @Test func `goes away when nobody has it, and the next one goes on`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    weak var gone: LiveComposer?
    do {
      async let (first, second) = (workspace.composer(), workspace.composer())
      let composers = try await (first, second)
      #expect(composers.0 === composers.1)
      gone = composers.0
      try composers.0.perform(.type("hello"))
    }
    await until { gone == nil }
    #expect(try await workspace.composer().text == "hello")
    await workspace.close()
  }

  @Test func `counts a slow mode down and can send again by itself`() async throws {
    let clock = SetClock(1_000_000_000)
    let workspace = try folder.open { $0.clock = { clock.now } }
    try await workspace.populate()
    let ada = workspace.client(user: "ada").channel("general")
    try await ada.setSlowMode(2)
    let composer = try await workspace.client(user: "ben", device: "phone").channel("general").composer()
    try composer.perform(.type("one"))
    try await composer.send()
    try composer.perform(.type("two"))
    await until { composer.refusal == .coolingDown(seconds: 2) }
    let told = Told()
    withObservationTracking {
      _ = composer.canSend
    } onChange: {
      MainActor.assumeIsolated { told.isTold = true }
    }
    clock.set(1_003_000_000)
    await until { told.isTold && composer.canSend }
    try await composer.send()
    #expect(try await workspace.texts() == ["one", "two"])
    await workspace.close()
  }

  @Test func `sees what others change: freezing, roles, bans that end, and what is configured`() async throws {
    let clock = SetClock(1_000_000_000)
    let workspace = try folder.open { $0.clock = { clock.now } }
    try await workspace.populate()
    let ada = workspace.client(user: "ada").channel("general")
    let composer = try await workspace.client(user: "ben", device: "phone").channel("general").composer()
    try composer.perform(.type("hello"))
    #expect(composer.canSend)
    try await ada.freeze()
    await until { composer.refusal == .frozen }
    try await ada.unfreeze()
    await until { composer.canSend }
    var config = ChannelConfig()
    config.messageLengthMax = 3
    try await ada.configure(config)
    await until { composer.refusal == .tooLong(count: 5, max: 3) }
    try await ada.configure(ChannelConfig())
    await until { composer.canSend }
    try await ada.ban("ben", for: .until(Instant(rawValue: 1_000_200_000)))
    await until { !composer.canSend }
    let told = Told()
    withObservationTracking {
      _ = composer.canSend
    } onChange: {
      MainActor.assumeIsolated { told.isTold = true }
    }
    clock.set(1_001_000_000)
    await until { told.isTold && composer.canSend }
    try await ada.remove("ben")
    await until { !composer.canSend }
    #expect(composer.text == "hello")
    await workspace.close()
  }

  @Test func `ends an edit whose message is deleted by another, and brings back what was set aside`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    try await workspace.send("sent", "m1", by: "ben")
    let message = try #require(try await workspace.read { try $0.chat.message(Message.Key("general", "m1")) })
    let composer = try await workspace.client(user: "ben", device: "phone").channel("general").composer()
    try composer.perform(.type("aside"))
    try composer.perform(.beginEdit(message))
    try composer.perform(.type(" changed"))
    try await workspace.submit(.message(message.key, .delete(forGood: false)), by: .user("ada"))
    await until { composer.composer.editing == nil }
    #expect(composer.notice == .editedMessageGone("m1") && composer.text == "aside")
    await workspace.close()
  }

  @Test func `shows others who types, until it is sent, cleared or left`() async throws {
    let workspace = try folder.open { $0.clock = { Instant(rawValue: 1_000_000) } }
    try await workspace.populate()
    let ben = workspace.client(user: "ben").channel("general")
    let composer = try await workspace.composer()
    for end in 0..<3 {
      try composer.perform(.type("hello"))
      try await composer.flush()
      #expect(try await ben.typing().map(\.user) == ["ada"])
      switch end {
      case 0: try await composer.send()
      case 1: try composer.perform(.clear)
      default: try await composer.leave()
      }
      try await composer.flush()
      #expect(try await ben.typing().isEmpty)
    }
    await workspace.close()
  }
}

/// Whether something was told.
@MainActor private final class Told { var isTold = false }
