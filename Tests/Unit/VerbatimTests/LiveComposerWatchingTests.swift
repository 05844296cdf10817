// Threat: a view of a composer shows an outdated state, or an unreferenced composer stays in memory.
import ChatComposer
import ChildProcess
import Dispatch
import Foundation
import Locks
import Observation
import Testing

@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `Observing a composer` {
  private let folder = WorkspaceFolder()

  /// Returns whether an observed value is reported as changed by an action.
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

  @Test func `changes of text, suggestions, presentation and sending are reported`() async throws {
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

  @Test func `an unreferenced composer is deallocated, and the next one continues`() async throws {
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

  // What broke: a composer that was requested while the last one was released on another thread began without the
  // changes that this one had not recorded yet, which were recorded after it.
  @Test func `the next composer continues from one that is released on another thread`() async throws {
    let workspace = try folder.open { $0.recording = .pauses }
    try await workspace.populate()
    let channel = workspace.client(user: "ada", device: "phone").channel("general")
    let open = try await workspace.openComposer(Composer.Key(of: "ada", on: "phone", in: "general"))
    let typed = try await typeUntilReleasedElsewhere { try await channel.composer() }
    let next = await channel.liveComposer(over: open, ComposerOptions())
    #expect(next.text == typed)
    await workspace.close()
  }

  // What broke: what was typed last, and the store of the workspace, stayed in memory until another composer was made.
  @Test func `a composer that is deallocated keeps nothing of its workspace`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    weak var open: OpenComposer?
    do {
      let composer = try await workspace.composer()
      try composer.perform(.type("hello"))
      try await composer.flush()
      open = try await workspace.openComposer(composer.key)
    }
    await until { open == nil }
    await workspace.close()
  }

  @Test func `a block of either user of a direct channel is reported, and its end`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben"))
    let composer = try await ada.channels.direct(with: "ben").composer()
    try composer.perform(.type("hello"))
    await until { composer.canSend }
    try await ben.user("ada").block()
    await until { composer.refusal == .refused(.blocked(by: "ben")) }
    try await ben.user("ada").unblock()
    await until { composer.canSend }
    try await ada.user("ben").block()
    await until { composer.refusal == .refused(.blocking("ben")) }
    await workspace.close()
  }

  @Test func `a slow mode counts down and ends by itself`() async throws {
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

  @Test func `changes by others are visible: freezing, roles, expired bans, configuration`() async throws {
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
    try await ada.ban("ben", for: .until(Timestamp(rawValue: 1_000_200_000)))
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

  @Test func `deleting the edited message ends the edit and restores the text set aside`() async throws {
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

  @Test func `others see a typing indicator until the text is sent, cleared or left`() async throws {
    let workspace = try folder.open { $0.clock = { Timestamp(rawValue: 1_000_000) } }
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

/// Whether a change was reported.
@MainActor private final class Told { var isTold = false }

/// Types a letter in each of several composers, and releases them on another thread, until one is deallocated there;
/// returns the letters.
@MainActor
func typeUntilReleasedElsewhere(_ make: () async throws -> LiveComposer) async throws -> String {
  var typed = ""
  weak var last: LiveComposer?
  // A task may have a reference to it for a while, for which it is not released there.
  repeat {
    let box = try await Locked<LiveComposer?>(make())
    try box.withLock { composer in
      try composer?.perform(.type("a"))
      last = composer
    }
    typed += "a"
    emptyElsewhere(box)
  } while last != nil && typed.count < 100
  return typed
}

/// Releases the value of a box on another thread, while this one waits.
private func emptyElsewhere<Value: Sendable>(_ box: Locked<Value?>) {
  let isEmpty = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    box.withLock { $0 = nil }
    isEmpty.signal()
  }
  if isEmpty.wait(timeout: Deadline.fromNow) == .timedOut { Issue.record("the value was not released") }
}
