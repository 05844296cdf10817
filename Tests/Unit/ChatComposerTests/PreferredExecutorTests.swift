// Threat: a task with a preferred executor is suspended at each call, and misses the end of what it waits for, or lets
// other events be recorded before those that were held back.
import Chat
import ChatComposer
import ChildProcess
import TestThreads
import Testing

@MainActor
struct `A composer used by tasks with a preferred executor` {
  // What broke: a flush began to wait after the append that it waited for had ended, and never returned.
  @Test(arguments: 0..<16)
  func `a flush ends with the append that it waits for, whenever that ends`(turns: Int) async throws {
    let room = try await Room { $0.draftMessagesEnabled = true }
    let draft = ChatIntent.draft(room.composer.key.draft, .update(Composition("hello"), editedAt: room.chat.now))
    try room.chat.submit([draft], by: .user("ada", on: "desk"))
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.clear)
    await until { host.isHeldUp }

    let flushed = Task {
      try await withTaskExecutorPreference(AppExecutor.shared) { try await composer.flush() }
    }
    for _ in 0..<turns { await Task.yield() }
    host.letGo()
    try await within("the flush") { try await flushed.value }
    #expect(room.chat.state[composer.key.draft]?.content == nil)
  }

  @Test(arguments: 0..<16)
  func `what is typed after a failed send is recorded after what was typed during it`(turns: Int) async throws {
    let room = try await Room()
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("Hi"))
    host.failure = Failure("the disk is full")
    let sent = Task {
      try await withTaskExecutorPreference(AppExecutor.shared) { try await composer.send() }
    }
    await until { host.isHeldUp }
    try composer.perform(.type(" a"))
    host.letGo()
    for _ in 0..<turns { await Task.yield() }
    try composer.perform(.type(" b"))

    await #expect(throws: ComposerError.self) { try await within("the send") { _ = try await sent.value } }
    try await composer.flush()
    let typed = room.done.compactMap { if case .typed(let splice, _) = $0 { splice.text } else { nil } }
    #expect(typed == ["Hi", " a", " b"])
  }

  // What broke: the letter was in neither the draft nor the composer.
  @Test(arguments: 0..<16)
  func `a letter typed while a composer is left is in the draft`(turns: Int) async throws {
    let room = try await Room { $0.draftMessagesEnabled = true }
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("Hi"))
    let left = Task { try await withTaskExecutorPreference(AppExecutor.shared) { try await composer.leave() } }
    await until { composer.isBusy }
    for _ in 0..<turns { await Task.yield() }
    try composer.perform(.type("!"))

    await until {
      host.letGo()
      return !composer.composer.isOpen && !composer.isBusy
    }
    try await within("the leave") { try await left.value }
    #expect(room.chat.state[composer.key.draft]?.content?.text == "Hi!")
  }

  // What broke: the letter was lost with the saved edit.
  @Test(arguments: 0..<16)
  func `a letter typed while an edit is saved is saved or still in the edit`(turns: Int) async throws {
    let room = try await Room()
    let message = try room.say(Message.Content("old"))
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.beginEdit(message))
    try composer.perform(.type("er"))
    let sent = Task { try await withTaskExecutorPreference(AppExecutor.shared) { try await composer.send() } }
    await until { composer.isBusy }
    for _ in 0..<turns { await Task.yield() }
    try composer.perform(.type("!"))

    await until { host.isHeldUp }
    host.letGo()
    #expect(try await within("the send") { try await sent.value } == .edit("said"))
    let saved = room.chat.state[message.key]?.content.text
    #expect(saved == "older!" || composer.composer.editing == "said" && composer.text == "older!")
  }

  // What broke: the leave went on after the opening, and closed the composer.
  @Test func `a composer that is opened while its draft is refused stays open`() async throws {
    let room = try await Room { $0.draftMessagesEnabled = true }
    let (host, composer) = try await room.composerThatIsHeldUp()
    try composer.perform(.type("Hi"))
    try room.chat.submit([.channel("general", .delete)], by: .system)
    let left = Task { try await withTaskExecutorPreference(AppExecutor.shared) { try await composer.leave() } }
    await until { host.isHeldUp }
    let opened = Task { try await composer.open() }
    await everybodyElse()

    await until {
      host.letGo()
      return !composer.isBusy
    }
    try await within("the leave") { try await left.value }
    try await within("the opening") { try await opened.value }
    #expect(composer.composer.isOpen && composer.text == "Hi")
  }
}
