// Story: a user asks for the chat of yesterday at two, and not for a position that first must be looked up.
import EventLog
import EventLogLMDB
import Foundation
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `A point in a log` {
  private let folder = Folder()

  /// Creates a chat with a message in each of the seconds 1 to 3, at the positions 9 to 11.
  private func chat() async throws -> Drafts {
    let chat = try await Drafts(in: folder)
    for text in ["one", "two", "three"] {
      chat.pass()
      try await chat.ben.channel("general").send(text)
    }
    return chat
  }

  /// Runs a query for the messages at a point, and returns its position.
  private func position(_ chat: Drafts, _ options: String...) -> [String] {
    chat.ask("messages", ["general", "--json"] + options).values("position")
  }

  @Test func `an instant means the last event at or before it`() async throws {
    let chat = try await chat()
    for (point, expected) in [
      ("10", "10"), ("2026-01-01T00:00:02Z", "10"), ("2026-01-01T00:00:02.999999Z", "10"),
      ("2026-01-01T01:00:01+01:00", "9"), ("2026-01-01 00:00", "8"), ("2026-01-01T00:00:01", "9"), ("head-1s", "10"),
      ("head-3s", "8"), ("2030-01-01T00:00:00Z", "11"),
    ] {
      #expect(position(chat, "--at", point) == [expected], "\(point)")
    }
    // The instant of the results is the given one, not that of the event.
    let late = chat.ask("mutes", "--at", "2026-01-01T00:00:02.5Z", "--json")
    #expect(late.values("instant") == ["2026-01-01T00:00:02.500000Z"])
    let zoned = verbatim(
      "query", "messages", chat.path, "general", "--as", "ada", "--json", "--time-zone", "Europe/Berlin", "--at",
      "2026-01-01 01:00:02")
    #expect(zoned.values("position") == ["10"])
    await chat.close()
  }

  @Test func `a span counts back from now`() async throws {
    let path = folder("now")
    let clock = Seconds()
    var configuration = Configuration()
    configuration.clock = { clock.now }
    func run(_ words: String...) -> Run { verbatim(words, input: [], configuration: configuration) }
    #expect(run("init", path).code == .done)
    #expect(run("submit", path, "--as", "ada", "user", "ada").code == .done)
    for _ in 0..<90 { clock.pass() }
    #expect(run("submit", path, "--as", "ada", "channel", "general").code == .done)
    clock.pass()
    func positions(_ point: String...) -> [String] {
      point.flatMap { run("query", "user", path, "ada", "--as", "ada", "--json", "--at", $0).values("position") }
    }
    #expect(positions("-0s", "-1s", "-2s", "-1m30s", "-91s") == ["3", "3", "1", "1", "1"])
    let early = run("query", "user", path, "ada", "--as", "ada", "--at", "-1d2h")
    #expect(early.code == .unable)
    #expect(
      early.errors == """
        verbatim: The log at \(path) has no event at 2025-12-30T22:01:31.000000Z or before: give a later instant.\n
        """)
  }

  @Test func `all commands with --at read a point in the same forms`() async throws {
    let chat = try await chat()
    func show(_ point: String) -> String {
      verbatim("show", chat.path, "general", "--as", "ada", "--at", point, "--time-zone", "UTC").output
    }
    #expect(show("head-1s").contains("two") && !show("head-1s").contains("three") && show("head-1s") == show("10"))
    #expect(show("2026-01-01 00:00:02") == show("10"))
    func replayed(_ point: String) -> [String] {
      verbatim("replay", chat.path, "--at", point, "--json").values("end")
    }
    for point in ["10", "head-1s", "2026-01-01T00:00:02Z"] { #expect(replayed(point) == ["10"]) }
    let early = verbatim("replay", chat.path, "--at", "2025-01-01T00:00:00Z")
    #expect(early.code == .unable && early.errors.contains("has no event at 2025-01-01T00:00:00.000000Z or before"))
    let diff = verbatim("diff", "\(chat.path)@head-1s", "\(chat.path)@2026-01-01T00:00:03Z").output
    #expect(diff == verbatim("diff", "\(chat.path)@10", "\(chat.path)@11").output && diff.contains("of 10…11 differ"))
    let biography = ["biography", chat.path, "general/none", "--as", "ada", "--at"]
    #expect(verbatim(biography + ["head-1s"], input: []).code == .refused)
    await chat.close()
  }

  @Test(arguments: [
    "0", "yesterday", "-", "-1", "-1x", "-1m2h", "--1d", "head", "head-", "2026-02-30 10:00", "2026-01-01", "1d",
    "18446744073709551616", "-9999999d", "2026-01-01T10",
  ])
  func `the error of any other text names the forms`(text: String) {
    for words in [
      ["query", "channels", "none", "--as", "ada"], ["show", "none", "general", "--as", "ada"], ["replay", "none"],
      ["biography", "none", "m1", "--as", "ada"],
    ] {
      let run = verbatim(words + ["--at=" + text], input: [])
      #expect(run.code == .misused)
      #expect(
        run.errors.hasPrefix(
          "verbatim: --at is “\(text)” and must be a position, as 1200, an instant, as 2026-11-22T12:30:00Z or "
            + "'2026-11-22 14:00', or a span before now, as -1d or -2h30m, or before the last event, as head-1d.\n"),
        "\(run.errors)")
    }
  }

  @Test func `a date and time on the day of a clock change is that of its zone`() throws {
    let log = folder("log")
    #expect(verbatim("log", "append", log, "--create", input: line("a", "1")).code == .done)
    let store = try EventStore.open(at: log)
    defer { store.close() }
    for (text, instant) in [
      ("2026-03-29 01:59", "2026-03-29T00:59:00Z"), ("2026-03-29 03:00", "2026-03-29T01:00:00Z"),
      ("2026-10-25 03:00", "2026-10-25T02:00:00Z"), ("2026-07-01 12:00:30", "2026-07-01T10:00:30Z"),
    ] {
      let place = try LogPoint(argument: text).place(
        in: store, Zone(argument: "Europe/Berlin"), now: Timestamp(rawValue: 0))
      #expect(place == .instant(Timestamp(rfc3339: instant)!), "\(text)")
    }
  }
}
