// Threat: a task with a preferred executor is suspended at each call, and misses the end of what it waits for, or lets
// other events be recorded before those that were held back.
import Chat
import ChatComposer
import ChildProcess
import Dispatch
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
      try await withTaskExecutorPreference(AnExecutor.shared) { try await composer.flush() }
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
      try await withTaskExecutorPreference(AnExecutor.shared) { try await composer.send() }
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
}

/// An executor that an app may prefer.
private final class AnExecutor: TaskExecutor {
  static let shared = AnExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
