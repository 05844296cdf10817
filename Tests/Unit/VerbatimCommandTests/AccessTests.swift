// Threat: a file without read permission, or a log whose reader slots are all taken, is reported as damaged.
import EventLog
import EventLogLMDB
import Foundation
import Testing
import TestThreads

@testable import VerbatimCommand

// A `data.mdb` without permission to read was reported as damaged (“no meta page that can be read”), with the advice to
// restore a backup. A file that the system refuses to open is now an error of its own, before any page is read.
@Suite(
  .waitsForProcesses,
  .enabled(if: program != nil && canChangeUser, "it needs the program, and the right to run it as another user"))
struct `A file without read permission` {
  private let folder = Folder()

  /// Runs the program as a user without any files.
  private func asNobody(_ words: [String], in path: String) throws -> (code: Int32, output: String) {
    let command = (["$V"] + words).map { $0 == "$V" ? "\"$V\"" : $0.quotedForShell }.joined(separator: " ")
    return try shell("cd /; exec setpriv --reuid=65534 --regid=65534 --clear-groups \(command)", log: path)
  }

  private static let commands = [
    ["status", "DIR"], ["log", "verify", "DIR"], ["log", "verify", "DIR", "--json"], ["log", "salvage", "DIR"],
    ["log", "read", "DIR"], ["log", "stats", "DIR"], ["log", "backup", "DIR", "NEW"], ["backup", "DIR", "NEW"],
    ["events", "DIR"], ["verify", "DIR"], ["readers", "DIR"], ["compact", "DIR"], ["rebuild", "DIR"],
    ["snapshot", "DIR"], ["show", "DIR", "general", "--as", "u1"], ["query", "channels", "DIR", "--as", "u1"],
    ["export", "DIR"], ["restore", "DIR", "NEW"], ["diff", "DIR", "DIR"], ["replay", "DIR"],
  ]

  @Test(arguments: ["log/data.mdb", "log", "."])
  func `a file without read permission is a permission error in every command, never damage`(place: String) throws {
    try expectDenied(place, Self.commands)
  }

  @Test func `an index or table without read permission is a permission error in status`() throws {
    try expectDenied("index/data.mdb", [["status", "DIR"]])
    let projections = try FileManager.default.contentsOfDirectory(atPath: folder("chat") + "/projections")
    let tables = try #require(projections.first { $0.count == 32 })
    try expectDenied("projections/\(tables)/data.mdb", [["status", "DIR"]])
  }

  /// What broke: a snapshot without read permission was reported as useless, “delete it”, with exit code 1.
  @Test func `a snapshot without read permission is a permission error in snapshot check and verify`() throws {
    let chat = try openToAll()
    let snapshot = try #require(try paths(of: chat).first { $0.contains("/snapshots/") && $0.hasSuffix("/data.mdb") })
    try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: chat + "/" + snapshot)
    let run = try asNobody(["snapshot", chat, "--check"], in: chat)
    #expect(run.code == 3 && run.output.contains("was not checked: ") && !run.output.contains("delete"), "\(run)")
    let verified = try asNobody(["verify", chat], in: chat)
    #expect(verified.code == 3 && verified.output.contains("Permission denied"), "\(verified)")
  }

  /// What broke: `verify` locked the tables that it compares, and failed where they are not writable; `snapshot
  /// --check` found no snapshots there, and `readers` failed with LMDB's message.
  @Test func `reading commands need no write permission in a workspace of another user`() throws {
    let chat = try openToAll()
    for name in try paths(of: chat) + ["."] {
      let isDirectory = name == "." || (try? FileManager.default.contentsOfDirectory(atPath: chat + "/" + name)) != nil
      try FileManager.default.setAttributes(
        [.posixPermissions: isDirectory ? 0o555 : 0o444], ofItemAtPath: chat + "/" + name)
    }
    let end = try #require(try asNobody(["snapshot", chat, "--list"], in: chat).output.split(separator: "\n").last)
    let check = try asNobody(["snapshot", chat, "--check"], in: chat)
    #expect(
      check.code == 0 && check.output.contains("The snapshot of position \(end) in \(chat)/projections/"), "\(check)")
    let verified = try asNobody(["verify", chat], in: chat)
    #expect(verified.code == 0 && verified.output.contains("4 sets of tables and snapshots compared"), "\(verified)")
    let readers = try asNobody(["readers", chat], in: chat)
    #expect(readers.code == 3 && readers.output.contains("are unknown"), "\(readers)")
  }

  private func paths(of chat: String) throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: chat) }

  /// Creates a workspace with tables and a snapshot that every user may read and write.
  private func openToAll() throws -> String {
    let (chat, manager) = (folder("chat"), FileManager.default)
    try? manager.removeItem(atPath: chat)
    #expect(verbatim("generate", chat, "--messages", "20").code == .done)
    #expect(verbatim("snapshot", chat).code == .done)
    try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    for name in try paths(of: chat) + ["."] {
      try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: chat + "/" + name)
    }
    return chat
  }

  private func expectDenied(_ place: String, _ commands: [[String]]) throws {
    let (chat, manager) = (try openToAll(), FileManager.default)
    try manager.setAttributes([.posixPermissions: 0o000], ofItemAtPath: chat + "/" + place)
    defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: chat + "/" + place) }
    for words in commands {
      let words = words.map { $0.replacing("DIR", with: chat).replacing("NEW", with: folder("new")) }
      let run = try asNobody(words, in: chat)
      #expect(run.code == 3, "\(words): \(run.output)")
      #expect(run.output.contains("Permission denied"), "\(words): \(run.output)")
      let lower = run.output.lowercased()
      #expect(!lower.contains("damage") && !lower.contains("salvage") && !lower.contains("restore a backup"), "\(run)")
    }
  }
}

/// Whether a child process can be run as another user.
private let canChangeUser: Bool = {
  (try? shell("setpriv --reuid=65534 --regid=65534 --clear-groups true"))?.code == 0
}()

// With all 2,048 slots of the reader table taken, every command failed with LMDB's message and the advice to check
// permissions, including `readers`, which lists the readers. It now lists them without taking a slot.
@Suite(.waitsForProcesses) struct `A log whose reader slots are all taken` {
  private let folder = Folder()

  @Test func `a full reader table is reported by reading commands and still listed by readers`() async throws {
    let path = logWithEvents(1, in: folder)
    let log = try LMDBLog.open(at: path)
    defer { log.close() }
    var runs: [String: Run] = [:]
    let commands = [
      ["readers", path], ["readers", path, "--json"], ["readers", path, "--reap"], ["log", "read", path],
      ["log", "stats", path],
    ]
    // Each transaction begins within the previous one, which needs a large stack.
    runs = await withCheckedContinuation { continuation in
      let thread = Thread {
        var found: [String: Run] = [:]
        nest(2_048, log) { for words in commands { found[words.joined(separator: " ")] = verbatim(words, input: []) } }
        continuation.resume(returning: found)
      }
      thread.stackSize = 1 << 29
      thread.start()
    }
    func run(_ index: Int) throws -> Run { try #require(runs[commands[index].joined(separator: " ")]) }
    #expect(try run(0).code == .done && run(0).lines.count == 2_049)
    #expect(try run(0).output.hasSuffix("All 2048 slots are taken: no other reader can begin until one is freed.\n"))
    #expect(try run(1).code == .done && run(1).output.contains("\"max\":2048,\"readers\":[{"))
    #expect(try run(2).output.hasSuffix("0 slots freed.\n"))
    for index in [3, 4] {
      let run = try run(index)
      #expect(run.code == .unable)
      #expect(run.errors.contains("All reader slots of ") && run.errors.contains("which the command readers lists."))
      #expect(!run.errors.contains("directory and files"))
    }
    #expect(verbatim("log", "read", path).code == .done)
  }
}

/// Runs the body within `count` nested read transactions.
private func nest(_ count: Int, _ log: LMDBLog, _ body: () -> Void) {
  if count == 0 { return body() }
  try! log.blocks(from: .first, .forward, checks: .none) { _ in
    nest(count - 1, log, body)
    return .stop
  }
}
