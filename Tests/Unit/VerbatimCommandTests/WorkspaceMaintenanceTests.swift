// Threat: a maintenance command reports success without effect, or has an effect where it must not.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import Testing

@testable import VerbatimCommand

/// Creates a small workspace.
private func work(_ folder: Folder) -> String {
  _ = verbatim("generate", folder("work"), "--messages", "40", "--users", "4", "--channels", "2")
  return folder("work")
}

struct `Backup and restore of a workspace` {
  private let folder = Folder()

  @Test func `a workspace that is backed up and restored has the same log`() {
    let work = work(folder)
    let saved = verbatim("backup", work, folder("saved"))
    #expect(saved.code == .done)
    #expect(saved.lines[0] == "The workspace at \(work) was copied to \(folder("saved")).")
    #expect(saved.lines.last == "checked      every block and every blob")
    let back = verbatim("restore", folder("saved"), folder("back"), "--json")
    #expect(back.code == .done)
    #expect(back.output.hasSuffix("\"verified\":true}\n"))
    for name in ["saved", "back"] {
      #expect(verbatim("log", "read", folder(name)).output == verbatim("log", "read", work).output)
    }
    #expect(verbatim("backup", work, folder("quick"), "--no-verify").lines.last == "checked      no")
  }

  @Test func `backup and restore refuse existing targets and sources that are no workspace`() {
    let work = work(folder)
    #expect(verbatim("backup", work, work).code == .unable)
    #expect(verbatim("backup", folder("none"), folder("saved")).code == .unable)
    #expect(verbatim("restore", folder("none"), folder("back")).code == .unable)
    let log = logWithEvents(2, in: folder)
    let run = verbatim("backup", log, folder("saved"))
    #expect(run.code == .unable)
    #expect(run.errors.contains("is a log without a workspace"))
    #expect(verbatim("restore", log, folder("back")).code == .unable)
    for name in ["saved", "back"] { #expect(!FileManager.default.fileExists(atPath: folder(name))) }
  }

  // What broke: the restore succeeded, and left a log on the server that no machine could open, since it had no keys.
  @Test(arguments: [false, true])
  func `a backup of an erasable workspace is not restored to a server`(hasKeys: Bool) {
    #expect(verbatim("init", folder("work"), "--erasable").code == .done)
    let options = hasKeys ? ["--with-keys"] : []
    #expect(verbatim(["backup", folder("work"), folder("saved")] + options, input: []).code == .done)
    // It is refused before the server is asked: there is none at this address.
    let run = verbatim("restore", folder("saved"), "postgres://127.0.0.1:1/chat?log=team")
    #expect(run.code == .misused && run.output.isEmpty)
    #expect(run.errors.contains("is of an erasable workspace"), "\(run.errors)")
  }
}

struct `Maintenance of tables and files` {
  private let folder = Folder()

  @Test func `rebuild recreates the tables and reports events and checkpoints`() {
    let work = work(folder)
    let shown = verbatim("show", work, "general", "--as", "ada").output
    let run = verbatim("rebuild", work)
    #expect(run.code == .done)
    #expect(run.lines[0].hasPrefix("The tables of \(work) were rebuilt: "))
    #expect(run.lines[1] == "There are no checkpoints to compare with.")
    let json = verbatim("rebuild", work, "--json")
    #expect(json.values("events") == verbatim("log", "stats", work, "--json").values("events"))
    #expect(verbatim("show", work, "general", "--as", "ada").output == shown)
    #expect(verbatim("rebuild", folder("none")).code == .unable)
    #expect(verbatim("rebuild", logWithEvents(1, in: folder)).code == .unable)
  }

  @Test func `snapshots can be taken, listed and checked`() throws {
    let work = work(folder)
    let end = verbatim("log", "stats", work, "--json").values("events")[0]
    #expect(verbatim("snapshot", work, "--list").output == "There are no snapshots.\n")
    #expect(verbatim("snapshot", work, "--check").code == .done)
    #expect(verbatim("snapshot", work).output == "A snapshot was taken at position \(end).\n")
    #expect(verbatim("snapshot", work, "--list").output == end + "\n")
    #expect(verbatim("snapshot", work, "--list", "--json").output == "{\"snapshots\":[\(end)]}\n")
    #expect(verbatim("snapshot", work, "--check").code == .done)
    #expect(verbatim("snapshot", work, "--check", "--list").code == .misused)
    let directory = URL(filePath: work + "/projections/snapshots")
    for set in try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil) {
      try Data("damage".utf8).write(to: set.appending(path: "\(end)/data.mdb"))
    }
    let damaged = verbatim("snapshot", work, "--check")
    #expect(damaged.code == .refused)
    #expect(damaged.output.contains("is not used ("))
    #expect(verbatim("snapshot", folder("none")).code == .unable)
  }

  @Test func `compact rewrites the log's file unless it is open`() throws {
    let work = work(folder)
    let before = verbatim("log", "read", work).output
    let run = verbatim("compact", work)
    #expect(run.code == .done)
    #expect(run.output.hasPrefix("The log's file of \(work) takes "))
    #expect(verbatim("log", "verify", work).code == .done)
    #expect(verbatim("log", "read", work).output == before)
    let log = try LMDBLog.open(at: work)
    let refused = verbatim("compact", work)
    #expect(refused.code == .unable)
    #expect(refused.errors.contains("has the log at \(work) open: end it, then try again."))
    log.close()
  }

  @Test(.enabled(if: program != nil, "the program was not built"))
  func `compact refuses a log that another process has open`() throws {
    let work = work(folder)
    let script = """
      "$V" log tail "$L" --follow > "$L.tail" & tail=$!
      for i in {1..500}; do [ -s "$L.tail" ] && break; sleep 0.02; done
      "$V" compact "$L"; echo "code $?"
      kill $tail; wait $tail
      "$V" compact "$L" > /dev/null; echo "code $?"
      """
    let run = try shell(script, log: work)
    #expect(run.output.contains("has the log at \(work) open: end it, then try again.\ncode 3\n"), "\(run.output)")
    #expect(run.output.hasSuffix("code 0\n"), "\(run.output)")
  }

  @Test func `readers lists the readers with their lag`() throws {
    let work = work(folder)
    #expect(verbatim("readers", work).output == "There are no readers.\n")
    let log = try LMDBLog.open(at: work)
    var run: Run?
    var json: Run?
    try log.blocks(from: .first, .forward, checks: .none) { _ in
      run = verbatim("readers", work)
      json = verbatim("readers", work, "--json", "--reap")
      return .stop
    }
    log.close()
    let process = ProcessInfo.processInfo.processIdentifier
    #expect(run?.lines.count == 1)
    #expect(run?.output.hasPrefix("process \(process) (") == true)
    #expect(run?.output.contains("  reads transaction ") == true)
    #expect(run?.output.hasSuffix(", 0 behind\n") == true)
    #expect(json?.output.contains("\"process\":\(process),") == true)
    #expect(json?.output.hasSuffix("\"stale\":false}],\"reaped\":0}\n") == true)
    #expect(verbatim("readers", folder("none")).code == .unable)
  }

  @Test(.enabled(if: program != nil, "the program was not built"))
  func `readers lists a dead reader, and --reap frees its slot`() throws {
    _ = verbatim("generate", folder("work"), "--messages", "300", "--keystrokes")
    let work = folder("work")
    // While one process has the log open, the reader table is kept.
    let log = try LMDBLog.open(at: work)
    defer { log.close() }
    var died = false
    for _ in 0..<20 where !died {
      let child = Process()
      child.executableURL = URL(filePath: program ?? "")
      child.arguments = ["log", "verify", "--in-process", work]
      child.standardOutput = FileHandle.nullDevice
      try child.run()
      for _ in 0..<2000 where child.isRunning {
        let readers = verbatim("readers", work, "--json").output
        if readers.contains("\"process\":\(child.processIdentifier),") { break }
      }
      kill(child.processIdentifier, SIGKILL)
      try child.waitUntilExit(of: "log verify")
      died = verbatim("readers", work).output.contains("process \(child.processIdentifier)  died; reads transaction ")
    }
    #expect(died)
    #expect(verbatim("readers", work, "--reap").output.hasSuffix("1 slot freed.\n"))
    #expect(verbatim("readers", work).output == "There are no readers.\n")
  }
}
