// Threat: a workspace is created over another one, or is reported as healthy when it is not.
import EventLog
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

/// A projection that throws for each sent message.
private struct Picky: Projection {
  struct Refused: Error {}
  static let name = "picky"
  static let revision = "1"
  static let tableNames: [String] = []

  init(_ tables: ProjectionTables) {}

  mutating func fold(_ event: EventView) throws {
    if event.type.withUnsafeBytes({ $0.starts(with: "messageSent".utf8) }) { throw Refused() }
  }
}

@Suite struct `A created workspace` {
  private let folder = Folder()

  @Test func `a created workspace is empty and can be queried`() throws {
    let run = verbatim("init", folder("new"))
    #expect(run.code == .done && run.errors == "")
    #expect(run.output.hasPrefix("An empty workspace was created at \(folder("new")). Chat in it with:\n"))
    #expect(verbatim("events", folder("new")).output == "")
    #expect(verbatim("query", "channels", folder("new"), "--as", "ada").errors.contains("ada"))
    let json = try JSONParser.parse(Array(verbatim("init", folder("c"), "--json").output.utf8).dropLast())
    #expect(json["path"]?.text == folder("c") && json["log"] != nil && json["created"] != nil)
  }

  @Test func `init refuses an existing workspace, log or file`() throws {
    #expect(verbatim("init", folder("a")).code == .done)
    let before = verbatim("log", "stats", folder("a"), "--json").output
    let again = verbatim("init", folder("a"))
    #expect(again.code == .unable && again.output == "")
    #expect(again.errors == "verbatim: There is a workspace at \(folder("a")) already: name a new one.\n")
    #expect(verbatim("log", "stats", folder("a"), "--json").output == before)
    let log = logWithEvents(1, in: folder)
    #expect(verbatim("init", log).errors == "verbatim: There is a log at \(log) already: name a new one.\n")
    try Data("text".utf8).write(to: URL(filePath: folder("file")))
    #expect(verbatim("init", folder("file")).code == .unable)
  }
}

@Suite struct `The status of a workspace` {
  private let folder = Folder()

  private func status(_ chat: Drafts, _ options: String..., configuration: Configuration = Configuration()) -> Run {
    verbatim(["status", chat.path, "--time-zone", "UTC"] + options, input: [], configuration: configuration)
  }

  @Test func `status prints the contents, the sizes and that nothing is wrong`() async throws {
    let chat = try await Drafts(in: folder)
    chat.pass()
    try await chat.ada.channel("general").send("Hello")
    let run = status(chat)
    #expect(run.code == .done && run.errors == "")
    for line in [
      "events          9 in 5 blocks", "since           2026-01-01 00:00:00", "last append     2026-01-01 00:00:01",
      "users           2", "channels        2", "messages        1", "state           folded to the end",
      "writer lock     free", "snapshots at    none",
    ] { #expect(run.lines.contains(line), "\(run.output)") }
    #expect(run.lines.contains { $0.hasPrefix("log             ") && $0.hasSuffix(" KB") })
    #expect(run.output.contains("\n\nThe checks found no problem: "))
    let json = try JSONParser.parse(Array(status(chat, "--json").output.utf8).dropLast())
    #expect(json["events"]?.text == "9" && json["users"]?.text == "2" && json["state"]?["lag"]?.text == "0")
    #expect(json["bytes"]?["blobs"]?.text == "0" && json["advice"] == .array([]) && json["stops"] == .array([]))
    #expect(json["others"] != nil && json["readers"]?["log"]?["max"] != nil && json["freeByteCount"] != nil)
    await chat.close()
  }

  @Test func `status lists problems with their remedies`() async throws {
    let chat = try await Drafts(in: folder)
    try await chat.ada.channel("general").send("Hello")
    var configuration = Configuration()
    configuration.projections = [Picky.self]
    let stopped = status(chat, configuration: configuration)
    #expect(stopped.code == .refused)
    #expect(stopped.output.contains("\nProblems:\n  The projection picky stopped before position 9 ("))
    configuration = Configuration()
    configuration.freeSpaceReserve = .max
    let full = status(chat, "--json", configuration: configuration)
    #expect(full.code == .refused && full.output.contains("bytes are free on the disk, and appends must leave"))
    await chat.close()
  }

  @Test func `status has a size for each part of the directory`() async throws {
    let chat = try await Drafts(in: folder)
    for (place, count) in [("blobs", 1500), ("outbox", 7), ("projections/snapshots", 3), ("elsewhere", 20)] {
      try FileManager.default.createDirectory(atPath: chat.path + "/" + place, withIntermediateDirectories: true)
      try Data(count: count).write(to: URL(filePath: chat.path + "/" + place + "/x"))
    }
    let json = try JSONParser.parse(Array(status(chat, "--json").output.utf8).dropLast())
    let bytes = try #require(json["bytes"])
    #expect(bytes["blobs"]?.text == "1500" && bytes["outbox"]?.text == "7" && bytes["snapshots"]?.text == "3")
    #expect(
      status(chat).lines.contains("blobs           1.5 KB") && status(chat).lines.contains("outbox          7 bytes"))
    await chat.close()
  }

  @Test func `status lists snapshots and checkpoints`() async throws {
    let chat = try await Drafts(in: folder)
    try #require(try chat.ada.workspace.takeSnapshotOfProjections() == 8)
    let json = try JSONParser.parse(Array(status(chat, "--json").output.utf8).dropLast())
    #expect(json["snapshots"]?.text == "[8]" && json["state"]?["lastSnapshot"]?.text == "8")
    #expect(status(chat).lines.contains("snapshots at    8"))
    await chat.close()
  }

  // What broke: the help named keys from before they were renamed, under which a monitoring script read nothing.
  @Test func `the help of status names the keys of its JSON`() async throws {
    let chat = try await Drafts(in: folder)
    try await chat.ada.channel("general").send("Hello")
    var configuration = Configuration()
    configuration.projections = [Picky.self]
    let workspace = try Workspace.open(at: chat.path, creates: false, configuration: configuration)
    var text = ""
    try workspace.store.log.withWriterLock {
      do { text = try WorkspaceStatus(of: workspace, at: chat.path).json } catch { Issue.record(error) }
    }
    await workspace.close()
    await chat.close()
    let json = try JSONParser.parse(Array(text.utf8))
    let help = StatusCommand.details.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard case .object(let members) = json else { throw InputDefect(text) }
    for member in members { #expect(help.contains(member.key), "\(member.key)") }
    let stop: JSON? = if case .array(let stops)? = json["stops"] { stops.first } else { nil }
    for (key, value) in [("bytes", json["bytes"]), ("stops", stop), ("writerLock", json["writerLock"])] {
      guard case .object(let members)? = value else { throw InputDefect("\(key) of \(text)") }
      let keys = members.map(\.key).joined(separator: ", ")
      #expect(help.contains("\(key) (\(keys))"), "\(keys)")
    }
  }

  @Test func `status of a missing workspace is an error`() {
    #expect(
      verbatim("status", folder("none")).errors.hasPrefix("verbatim: There is no workspace at \(folder("none")):"))
    let log = logWithEvents(1, in: folder)
    #expect(verbatim("status", log).code == .unable)
  }
}

extension Workspace {
  /// Takes a snapshot of the state; returns its position.
  fileprivate func takeSnapshotOfProjections() throws -> UInt64? { try projections.takeSnapshot()?.rawValue }
}
