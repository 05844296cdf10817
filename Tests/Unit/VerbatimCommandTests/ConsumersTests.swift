// Stories of `verbatim consumers`: the list, a skipped event, an ended consumer.
import ChildProcess
import Foundation
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `The command consumers` {
  private let folder = Folder()

  @Test func `lists name, position and lag, skips an event and ends a consumer`() async throws {
    let chat = folder("chat")
    #expect(verbatim("generate", chat, "--messages", "20").code == .done)
    #expect(
      verbatim("consumers", chat).output == """
        There are no consumers.

        deliveries  0 due  not running here\n
        """)
    let workspace = try Workspace.open(at: chat)
    let head = try workspace.head()
    try await workspace.submit(.consumer("poll-bot", .begin(after: 3)), by: .system)
    try await workspace.submit(.consumer("export", .begin(after: head.rawValue)), by: .system)
    let running = Task { try await workspace.consume(as: "export") { _, _ in } }
    let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
    while try await workspace.consumers().first?.process == nil, ContinuousClock.now < deadline { await Task.yield() }

    let lines = verbatim("consumers", chat, "--time-zone", "UTC").lines
    try #require(lines.count == 4 && lines[0].split(separator: " ") == ["consumer", "position", "lag", "recorded"])
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(lines[1].hasPrefix("export ") && lines[1].hasSuffix("process \(process)"))
    #expect(lines[2].split(separator: " ").prefix(3) == ["poll-bot", "3", "\(head.rawValue + 2 - 3)"])
    #expect(lines[2].hasSuffix("not running here"))
    running.cancel()
    try await running.value
    await workspace.close()

    let late = verbatim("consumers", chat, "--skip", "poll-bot", "--through", "\(head.rawValue + 99)")
    #expect(late.code == .misused && late.errors.contains("The log ends at position"))
    let skipped = verbatim("consumers", chat, "--skip", "poll-bot", "--through", "9", "--json")
    #expect(skipped.code == .done && skipped.output.contains("\"name\":\"poll-bot\",\"began\":"))
    #expect(skipped.output.contains("\"position\":9,\"recorded\":9,"))
    #expect(verbatim("events", chat, "--type", "consumerSkipped.1").output.contains("through 9"))
    let none = verbatim("consumers", chat, "--skip", "nobody", "--through", "9")
    #expect(none.code == .refused && none.errors.contains("There is no consumer nobody: start it first."))
    #expect(verbatim("consumers", chat, "--end", "poll-bot").lines.count == 3)
    for arguments in [["--skip", "export"], ["--through", "3"], ["--skip", "a", "--through", "3", "--end", "a"]] {
      #expect(verbatim(["consumers", chat] + arguments, input: []).code == .misused)
    }
  }

  @Test func `shows how many deliveries are due, and the process that delivers`() async throws {
    let chat = folder("deliveries")
    let clock = Seconds()
    var configuration = Configuration()
    configuration.clock = { clock.now }
    let workspace = try Workspace.open(at: chat, configuration: configuration)
    let ada = workspace.client(user: "ada")
    try await ada.me.create(name: "Ada")
    try await ada.channel("general").create()
    for id in ["s1", "s2"] as [Message.ID] {
      try await ada.channel("general").schedule(Message.Content("Late"), at: clock.now + .seconds(1), id: id)
    }
    // The command has the clock of the machine, by which they are due.
    #expect(verbatim("consumers", chat).lines.last == "deliveries  2 due  not running here")
    #expect(verbatim("consumers", chat, "--json").output.hasSuffix(#""deliveries":{"due":2}}"# + "\n"))
    let before = try await workspace.deliveryStatus()
    #expect(before.dueCount == 0 && before.process == nil)

    let delivering = Task { try await workspace.deliverContinuously() }
    let process = ProcessInfo.processInfo.processIdentifier
    let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
    while try await workspace.deliveryStatus().process == nil, ContinuousClock.now < deadline { await Task.yield() }
    #expect(verbatim("consumers", chat).lines.last == "deliveries  2 due  process \(process)")
    #expect(verbatim("consumers", chat, "--json").output.contains(#""deliveries":{"due":2,"process":\#(process)}"#))
    clock.pass()
    while try await !ada.me.scheduledMessages().isEmpty, ContinuousClock.now < deadline { await Task.yield() }
    #expect(verbatim("consumers", chat).lines.last == "deliveries  0 due  process \(process)")
    try await workspace.submit(.consumer("adas", .begin(after: 1)), by: .user("ada"))
    #expect(verbatim("consumers", chat, "--json").output.contains(#"{"name":"adas","owner":"ada","began":"#))
    delivering.cancel()
    try await delivering.value
    await workspace.close()
  }
}
