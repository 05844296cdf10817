// Threat: a draft is lost, returns, or overwrites text from another device of the same user.
import Chat
import Testing

@testable import ChatComposer

@MainActor
struct DraftsOfComposers {
  private func room() async throws -> Room { try await Room { $0.draftMessagesEnabled = true } }

  /// Returns a room whose composer is filled from a draft.
  private func filled(_ text: String = "hello") async throws -> Room {
    let room = try await room()
    try room.type(text)
    try await room.composer.leave()
    try await room.composer.open()
    #expect(room.text == text)
    return room
  }

  @Test func `clearing deletes the draft in one append with the cleared composer`() async throws {
    let room = try await filled()
    let before = room.chat.events.count
    try room.composer.perform(.clear)
    #expect(room.text.isEmpty)
    try await room.composer.flush()
    let changes = room.chat.events.dropFirst(before).map(\.change)
    guard changes.count == 2, case .draft(room.composer.key.draft, .deleted(.cleared, _)) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
    #expect(changes[1] == .composer(room.composer.key, .cleared(keeping: nil)))
    #expect(!room.composer.composer.isTouched)
    try await room.composer.leave()
    #expect(room.chat.events.count == before + 3)
  }

  @Test func `deleting the last letter deletes the draft, and undo recreates it`() async throws {
    let room = try await filled("x")
    try room.composer.perform(.backspace)
    try await room.composer.flush()
    #expect(room.draft == nil)
    try room.composer.perform(.undo)
    #expect(room.text == "x" && room.draft == nil)
    try await room.composer.leave()
    #expect(room.draft == "x")
  }

  @Test func `clearing without a draft records only the clear`() async throws {
    let room = try await room()
    try room.type("x")
    let before = room.chat.events.count
    try room.composer.perform(.clear)
    #expect(room.chat.events.count == before + 1)
    try await room.composer.leave()
    #expect(room.chat.events.dropFirst(before).allSatisfy { if case .draft = $0.change { false } else { true } })
  }

  @Test func `with drafts disabled nothing is saved, filled or deleted, and stored drafts stay`() async throws {
    let room = try await Room()
    let draft = ChatIntent.draft(room.composer.key.draft, .update(Composition("stored"), editedAt: room.chat.now))
    try room.chat.submit([draft], by: .user("ada", on: "desk"))
    try await room.composer.leave()
    try await room.composer.open()
    #expect(room.text.isEmpty)
    try room.type("one")
    try room.composer.perform(.clear)
    try room.type("two")
    try await room.composer.send()
    try room.type("three")
    try await room.composer.leave()
    #expect(room.draft == "stored")
    #expect(room.chat.state[room.composer.key]?.content.text == "three")
  }

  @Test func `content filled from a draft stays when drafts are disabled`() async throws {
    let room = try await filled()
    var options = room.composer.options
    options.draftMessagesEnabled = false
    let next = try await room.afterKill(options)
    await next.refreshContext()
    #expect(next.text == "hello" && !next.composer.isTouched)
    try await next.leave()
    #expect(room.chat.state[next.key]?.content.text == "hello" && room.draft == "hello")
  }

  @Test func `events during a clear are recorded after it`() async throws {
    let room = try await filled()
    let (host, composer) = try await room.composerThatIsHeldUp()
    #expect(composer.text == "hello")
    try composer.perform(.clear)
    try composer.perform(.type("new"))
    await until { host.isHeldUp }
    #expect(room.draft == "hello" && composer.text == "new")
    host.letGo()
    try await composer.flush()
    #expect(room.draft == nil && composer.text == "new")
    #expect(room.chat.state[composer.key]?.content == composer.composer.content)
  }

  @Test func `a draft that was read before a clear does not return after it`() async throws {
    let room = try await filled()
    let (host, composer) = try await room.composerThatIsHeldUp(isDeaf: true)
    await composer.waitUntilIdle()
    host.holdsDrafts = true
    let refreshed = Task { await composer.refreshContext() }
    await until { host.heldDrafts == 1 }
    try composer.perform(.clear)
    await until { host.isHeldUp }
    host.letGo()
    await until { !composer.recording.isHolding }
    #expect(room.draft == nil && composer.text.isEmpty)
    host.letGoOfDraft(0)
    await refreshed.value
    #expect(composer.text.isEmpty)
    host.holdsDrafts = false
    for index in 1..<host.heldDrafts { host.letGoOfDraft(index) }
    await composer.waitUntilIdle()
    #expect(composer.text.isEmpty)
  }

  // What broke: it was found by reading. The edits were those of before the wait for an earlier append.
  @Test func `text typed while an edit waits for an append is saved with it`() async throws {
    let room = try await filled()
    let message = try room.say(Message.Content("old"))
    let (host, composer) = try await room.composerThatIsHeldUp()
    await until { composer.text == "hello" }
    try composer.perform(.clear)
    await until { host.isHeldUp }
    try composer.perform(.beginEdit(message))
    try composer.perform(.type("er"))
    let saving = Task { try await composer.send() }
    await Task.yield()
    try composer.perform(.type(" one"))
    await until {
      host.letGo()
      return !composer.isBusy && composer.composer.editing == nil
    }
    #expect(try await saving.value == .edit("said"))
    #expect(room.chat.state[message.key]?.content.text == "older one")
  }

  @Test func `text typed while leaving waits for an append is in the draft`() async throws {
    let room = try await filled()
    let (host, composer) = try await room.composerThatIsHeldUp()
    await until { composer.text == "hello" }
    try composer.perform(.clear)
    await until { host.isHeldUp }
    try composer.perform(.type("new"))
    let leaving = Task { try await composer.leave() }
    await everybodyElse()
    try composer.perform(.type("er"))
    await until {
      host.letGo()
      return !composer.composer.isOpen
    }
    try await leaving.value
    #expect(room.draft == "newer")
  }

  // What broke: the composer was still open when it was opened, and the leave closed it afterwards.
  @Test func `a composer that is opened while it is left continues with the draft`() async throws {
    let room = try await room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("hello"))
    let leaving = Task { try await composer.leave() }
    await until { host.isHeldUp }
    let opening = Task { try await composer.open() }
    await everybodyElse()
    host.letGo()
    try await leaving.value
    try await opening.value
    #expect(composer.composer.isOpen && composer.text == "hello")
    try composer.perform(.type("!"))
    let again = Task { try await composer.leave() }
    await until { host.isHeldUp }
    host.letGo()
    try await again.value
    #expect(room.draft == "hello!")
  }

  @Test func `a composer that is opened again while a leave waits for a send stays open`() async throws {
    let room = try await room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("hello"))
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    let leaving = Task { try await composer.leave() }
    await everybodyElse()
    try await composer.open()
    var isOver = false
    Task {
      _ = try await (sent.value, leaving.value)
      isOver = true
    }
    await until {
      host.letGo()
      return isOver
    }
    #expect(composer.composer.isOpen && room.said.map(\.text) == ["hello"])
  }

  // What broke: only what was typed during the append stayed, on this device, and replaced the draft later.
  @Test(arguments: [" there", nil]) func `what is typed while the draft is saved is in the draft`(
    typed: String?
  ) async throws {
    let room = try await room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("hello"))
    let leaving = Task { try await composer.leave() }
    await until { host.isHeldUp }
    if let typed { try composer.perform(.type(typed)) } else { try composer.perform(.backspace) }
    var isLeft = false
    Task {
      try await leaving.value
      isLeft = true
    }
    await until {
      host.letGo()
      return isLeft
    }
    #expect(room.draft == typed.map { "hello" + $0 } ?? "hell")
    #expect(composer.text.isEmpty && !composer.composer.isOpen)
  }

  // What broke: the empty composer replaced a draft that was saved elsewhere meanwhile.
  @Test(arguments: [true, false])
  func `leaving an empty composer keeps a draft that it never showed`(isDeaf: Bool) async throws {
    let room = try await room()
    let (host, composer) = try await room.composerThatIsHeldUp(isDeaf: isDeaf)
    try composer.perform(.type("x"))
    try room.chat.submit([room.saving("theirs", at: 0)], by: .user("ada", on: "desk"))
    if !isDeaf { await until { composer.draftSync.latest?.content == Composition("theirs") } }
    try composer.perform(.backspace)
    let leaving = Task { try await composer.leave() }
    await until {
      host.letGo()
      return !composer.composer.isOpen
    }
    try await leaving.value
    #expect(room.draft == "theirs")
  }

  @Test func `a draft that is saved elsewhere fills a composer that was emptied`() async throws {
    let room = try await room()
    try room.type("x")
    try room.composer.perform(.backspace)
    try await room.save("theirs", at: 0)
    await until { room.text == "theirs" }
    // A draft that was shown, and removed here, does not return.
    try room.composer.perform(.clear)
    try await room.composer.flush()
    await room.composer.refreshContext()
    #expect(room.text.isEmpty && room.draft == nil)
  }

  // What broke: the reopened composer took the draft for one that it had shown, and deleted it.
  @Test(arguments: [true, false])
  func `a composer that was killed leaves a draft alone that was saved since`(isEmpty: Bool) async throws {
    let room = try await room()
    let (_, killed) = try await room.composerThatIsHeldUp(isDeaf: true)
    try killed.perform(.type("x"))
    if isEmpty { try killed.perform(.backspace) }
    room.chat.pass(.seconds(1))
    try await room.save("theirs", at: 0)
    for leaves in [true, false] {
      let composer = room.chat.composer(killed.key, options: killed.options)
      try await composer.open()
      if !isEmpty {
        #expect(composer.text == "x")
        try composer.perform(.backspace)
        try await composer.flush()
      }
      if !leaves || !isEmpty { await until { composer.text == "theirs" } }
      try await composer.leave()
      #expect(room.draft == "theirs")
      if !isEmpty { return }
    }
  }

  // What broke: the deletion of the retried send was older than the draft, which came back into the composer.
  @Test func `a send that is retried after the draft was saved deletes the draft`() async throws {
    let room = try await room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    func submitting<R: Sendable>(_ body: @escaping @MainActor () async throws -> R) async throws -> R {
      var isOver = false
      let task = Task {
        defer { isOver = true }
        return try await body()
      }
      await until {
        host.letGo()
        return isOver
      }
      return try await task.value
    }
    try composer.perform(.type("Hello"))
    host.failure = Failure("the disk is full")
    await #expect(throws: ComposerError.self) { try await submitting { try await composer.send() } }
    host.failure = nil
    room.chat.pass(.seconds(1))
    try await submitting { try await composer.leave() }
    #expect(room.draft == "Hello")
    try await composer.open()
    #expect(composer.text == "Hello")
    _ = try await submitting { try await composer.send() }
    await composer.refreshContext()
    #expect(room.said.map(\.text) == ["Hello"])
    #expect(room.draft == nil && composer.text.isEmpty)
  }

  // What broke: the edit of a message marked the draft as changed here, so that the older one replaced the newer.
  @Test(arguments: [true, false])
  func `a draft that was left alone during the edit of a message gives way to a newer one`(saves: Bool) async throws {
    let room = try await filled()
    let message = try room.say(Message.Content("old"))
    try room.composer.perform(.beginEdit(message))
    try room.type("er")
    if saves { try await room.composer.send() } else { try room.composer.perform(.cancelEdit) }
    #expect(room.text == "hello")
    room.chat.pass(.seconds(1))
    try await room.save("theirs", at: 0)
    await until { room.text == "theirs" }
    try await room.composer.leave()
    #expect(room.draft == "theirs")
  }

  @Test(arguments: [true, false])
  func `a draft whose deletion failed at the clear is deleted later and does not return`(
    leaves: Bool
  ) async throws {
    let room = try await filled()
    let (host, composer) = try await room.composerThatIsHeldUp()
    host.failure = Failure("the disk is full")
    try composer.perform(.clear)
    await until { host.isHeldUp }
    host.letGo()
    await until { !composer.recording.isHolding }
    #expect(room.draft == "hello" && composer.text.isEmpty)
    #expect(room.chat.state[composer.key]?.content == Composition())
    await composer.refreshContext()
    #expect(composer.text.isEmpty)
    host.failure = nil
    let done = Task { try await leaves ? composer.leave() : composer.flush() }
    await until { host.isHeldUp }
    host.letGo()
    try await done.value
    #expect(room.draft == nil)
  }

  @Test
  func `typed text stays when another device changes the draft, and becomes the draft on leave`()
    async throws
  {
    let room = try await filled()
    try room.type("!")
    room.chat.pass(.seconds(1))
    try await room.save("theirs", at: 0)
    #expect(room.text == "hello!")
    room.chat.pass(.seconds(1))
    try room.discard()
    await until { room.composer.draftSync.latest?.content == nil }
    #expect(room.text == "hello!")
    try await room.composer.leave()
    #expect(room.draft == "hello!")
    #expect(room.superseded.isEmpty)
  }

  @Test
  func `an unseen draft of a device whose clock is ahead survives a send and fills the composer`()
    async throws
  {
    let room = try await room()
    // The composer receives no change reports and has to refresh by itself.
    let (host, composer) = try await room.composerThatIsHeldUp(isDeaf: true)
    try composer.perform(.type("mine"))
    let sent = Task { try await composer.send() }
    await until { host.isHeldUp }
    try room.chat.submit([room.saving("theirs", at: 3600)], by: .user("ada", on: "desk"))
    host.letGo()
    _ = try await sent.value
    #expect(room.draft == "theirs" && room.superseded == [nil])
    await until { composer.text == "theirs" }
  }

  @Test func `a change to a draft saved by a device whose clock is ahead is ordered after it`() async throws {
    for what in ["type", "clear", "send"] {
      let room = try await room()
      try await room.save("theirs", at: 3600)
      await until { room.text == "theirs" }
      switch what {
      case "type": try room.type("!")
      case "clear": try room.composer.perform(.clear)
      default: try await room.composer.send()
      }
      try await room.composer.flush()
      if what == "type" { try await room.composer.leave() }
      #expect(room.draft == (what == "type" ? "theirs!" : nil), "\(what)")
      #expect(room.superseded.isEmpty)
      // The remains of the deleted draft do not remove the text written next either.
      try await room.composer.open()
      try room.composer.perform(.setText("next"))
      try await room.composer.leave()
      #expect(room.draft == "next")
    }
  }
}

extension Room {
  /// The text of the draft.
  fileprivate var draft: String? { chat.state[composer.key.draft]?.content?.text.userText.string }

  /// The contents that arrived too late to become the draft.
  fileprivate var superseded: [Composition?] {
    chat.events.compactMap { event in
      if case .draft(_, .superseded(let content, _)) = event.change { content } else { nil }
    }
  }

  /// Returns the intent of another device to save a draft, with a clock ahead by some seconds.
  fileprivate func saving(_ text: TypedText, at seconds: Int64) -> ChatIntent {
    .draft(composer.key.draft, .update(Composition(text), editedAt: chat.now + .seconds(seconds)))
  }

  /// Saves a draft on another device, and waits until the composer has seen it.
  fileprivate func save(_ text: TypedText, at seconds: Int64) async throws {
    try chat.submit([saving(text, at: seconds)], by: .user("ada", on: "desk"))
    await until { composer.draftSync.latest?.content == Composition(text) }
  }

  /// Discards the draft on another device.
  fileprivate func discard() throws {
    let intent = ChatIntent.draft(composer.key.draft, .delete(.discarded, editedAt: chat.now))
    try chat.submit([intent], by: .user("ada", on: "laptop"))
  }
}
