// Threat: a wrong clock is reported as damage, or accepted as the time.
//
// One append by a machine whose clock was twenty years ahead gave its time to all later events, permanently. Now such
// an append is refused, `verbatim clock` corrects a log, and every command that reads or copies a log includes the
// correction.
import EventLog
import EventLogLMDB
import Foundation
import Testing
import Verbatim

@testable import VerbatimCommand

private let start: Int64 = 1_767_225_600_000_000
private let twentyYears: Int64 = 20 * 365 * 86_400_000_000

/// Returns a configuration with a fixed clock, optionally with the limits of the machine's clock.
private func at(_ time: Int64, isLimited: Bool = false) -> Configuration {
  var configuration = Configuration()
  configuration.clock = { Timestamp(rawValue: time) }
  if isLimited { configuration.clockLimits = ClockLimits() }
  return configuration
}

private func run(_ arguments: String..., input: String = "", by configuration: Configuration) -> Run {
  verbatim(arguments, input: Array(input.utf8), configuration: configuration)
}

@Suite struct `A wrong clock` {
  private let folder = Folder()

  @Test func `a clock far ahead of the log appends nothing without --accept-clock`() {
    let log = folder("log")
    #expect(run("log", "append", log, "--create", input: line("a", "1"), by: at(start, isLimited: true)).code == .done)
    let wrong = at(start + twentyYears, isLimited: true)
    let refused = run("log", "append", log, input: line("a", "2"), by: wrong)
    #expect(refused.code == .unable)
    #expect(refused.errors.hasPrefix("verbatim: Line 1: The clock is at 2045-12-27T00:00:00.000000Z, the last block"))
    #expect(refused.errors.contains("Commands that append accept it with --accept-clock. Nothing was appended."))
    #expect(verbatim("log", "read", log).payloads == ["1"])
    let later = at(start + 1_000_000, isLimited: true)
    #expect(run("log", "append", log, input: line("a", "2"), by: later).code == .done)
    #expect(verbatim("log", "read", log).values("recorded").last == "2026-01-01T00:00:01.000000Z")
    #expect(run("log", "append", log, "--accept-clock", input: line("a", "3"), by: wrong).code == .done)
    #expect(verbatim("log", "read", log).values("recorded").last == "2045-12-27T00:00:00.000000Z")
  }

  @Test func `a recorded wrong time is corrected, and every command includes the correction`() async throws {
    let (path, now) = (folder("chat"), at(start + 1_000_000, isLimited: true))
    try await populate(path, at: [start, start + twentyYears])
    let status = run("status", path, by: now)
    #expect(status.code == .refused)
    #expect(status.output.contains("The last block was recorded at 2045-12-27T00:00:00.000000Z, and this machine's"))
    #expect(status.output.contains("`verbatim clock \(path) --correct`"))
    let state = run("clock", path, "--json", by: now)
    #expect(state.code == .refused)
    #expect(state.values("first") == ["5"] && state.output.contains("\"late\":true"))
    #expect(run("clock", path, by: now).output.contains("The events from position 5 on have times later"))
    let corrected = run("clock", path, "--correct", by: now)
    #expect(corrected.code == .done, "\(corrected.errors)")
    #expect(corrected.output.hasSuffix("The event at position 6 corrects this; later events follow its time.\n"))
    #expect(run("clock", path, "--correct", by: now).output.hasSuffix("there is nothing to correct.\n"))
    #expect(run("status", path, by: now).code == .done)
    try await say("m3", in: path, at: start + 2_000_000)

    let events = verbatim("events", path, "--json")
    #expect(events.values("recorded").suffix(2) == ["2026-01-01T00:00:01.000000Z", "2026-01-01T00:00:02.000000Z"])
    #expect(events.values("type").dropLast().last == "app/verbatim.clockCorrected.1")
    for arguments in [
      ["log", "verify", path], ["show", path, "general", "--as", "ada"],
      ["query", "messages", path, "general", "--as", "ada", "--at", "6"], ["replay", path],
      ["backup", path, folder("backup")],
    ] {
      let run = verbatim(arguments, input: [], configuration: now)
      #expect(run.code == .done, "\(arguments[0]): \(run.errors) \(run.output)")
    }
    let lines = verbatim("export", path).output
    #expect(verbatim("import", folder("copy"), input: lines).output.hasSuffix("The chain is the exported one.\n"))
    #expect(verbatim("log", "verify", folder("copy")).code == .done)
    let read = verbatim("log", "read", path).output
    let salvaged = verbatim("log", "salvage", path, "--into", folder("salvaged"))
    #expect(salvaged.code == .done, "\(salvaged.errors)")
    #expect(verbatim("log", "read", folder("salvaged")).output == read)
    #expect(verbatim("log", "verify", folder("salvaged")).code == .done)
    // A time that falls without a correction is refused.
    let other = lines.replacingOccurrences(of: "clockCorrected.1", with: "clockCorrected.2")
    let refused = verbatim("import", folder("other"), "--changed", input: other)
    #expect(refused.code == .refused && refused.errors.contains("which does not fit 2045-"), "\(refused.errors)")
  }

  // What broke: without the damaged correction, the events after it got the wrong time before it.
  @Test func `a salvaged log keeps the times of the events after a damaged correction`() throws {
    let log = folder("log")
    for (number, time) in [start, start + twentyYears, start + 2_000_000, start + 3_000_000].enumerated() {
      if number == 2 { #expect(run("clock", log, "--correct", by: at(start + 1_000_000)).code == .done) }
      #expect(run("log", "append", log, "--create", input: line("a", "\(number)"), by: at(time)).code == .done)
    }
    var times = verbatim("log", "read", log).values("recorded")
    try #require(times.count == 5 && times[2] < times[1])
    let file = URL(filePath: log + "/log/data.mdb")
    var data = try Data(contentsOf: file)
    while let range = data.range(of: Data("clockCorrected".utf8)) { data[range.lowerBound] ^= 1 }
    try data.write(to: file)
    let salvaged = verbatim("log", "salvage", log, "--into", folder("new"))
    #expect(salvaged.code == .refused && salvaged.errors.contains("Position 3 is missing."), "\(salvaged.errors)")
    #expect(salvaged.errors.contains("Missing corrections of the clock that were made anew: 1."), "\(salvaged.errors)")
    // The new correction has the time of the event that follows.
    times[2] = times[3]
    #expect(verbatim("log", "read", folder("new")).values("recorded") == times)
    #expect(verbatim("log", "verify", folder("new")).code == .done)
  }

  @Test(arguments: [.max, .min, start + 10_000 * twentyYears, -twentyYears * 100, 0] as [Int64])
  func `an extreme recorded time is not reported as damage`(_ time: Int64) async throws {
    let path = folder("chat")
    try await populate(path, at: [time, time])
    for arguments in [
      ["log", "verify", path], ["show", path, "general", "--as", "ada", "--time-zone", "UTC"],
      ["query", "messages", path, "general", "--as", "ada"],
      ["query", "message", path, "general", "m1", "--as", "ada"],
      ["query", "channels", path, "--as", "ada"], ["query", "members", path, "general", "--as", "ada"],
      ["query", "messages", path, "general", "--as", "ada", "--at", "3"], ["events", path], ["events", path, "--json"],
      ["biography", path, "general/m1", "--as", "ada"], ["log", "read", path], ["log", "stats", path],
      ["replay", path], ["snapshot", path], ["rebuild", path], ["export", path, folder("lines")],
      ["import", folder("copy"), folder("lines")], ["backup", path, folder("backup")],
      ["log", "salvage", path, "--into", folder("salvaged")],
    ] {
      let run = verbatim(arguments, input: [])
      #expect(run.code == .done, "\(arguments.prefix(2)): \(run.errors)")
    }
    let status = verbatim("status", path)
    #expect(status.errors == "" && !status.output.contains("damage"), "\(status.errors)")
    #expect(status.code == (time > start + twentyYears ? .refused : .done))
  }
}

/// Creates a workspace whose messages are sent at given times.
private func populate(_ path: String, at times: [Int64]) async throws {
  let workspace = try Workspace.open(at: path, configuration: at(times[0]))
  let ada = workspace.client(user: "ada")
  try await ada.me.create(name: "Ada")
  try await ada.channel("general").create()
  await workspace.close()
  for (number, time) in times.enumerated() { try await say(ID(stringLiteral: "m\(number + 1)"), in: path, at: time) }
}

private func say(_ id: Message.ID, in path: String, at time: Int64) async throws {
  let workspace = try Workspace.open(at: path, configuration: at(time))
  try await workspace.client(user: "ada").channel("general").send("Hello", id: id)
  await workspace.close()
}
