// The output of verify, salvage, backup and stats for intact and damaged logs.
import ChatCodec
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import Testing
import Verbatim

@testable import VerbatimCommand

/// Flips the lowest bit of the first byte of each occurrence of a text in a file.
private func damage(_ path: String, _ text: String) throws {
  var data = try #require(FileManager.default.contents(atPath: path))
  var start = data.startIndex
  while let range = data.range(of: Data(text.utf8), in: start..<data.endIndex) {
    data[range.lowerBound] ^= 1
    start = range.upperBound
  }
  #expect(start > data.startIndex)
  try data.write(to: URL(filePath: path))
}

/// Creates a log of three blocks, each with an event in the streams `a` and `b`; the third has the first event as its
/// cause.
private func logWithThreeBlocks(_ folder: Folder) -> String {
  let path = folder("log")
  for number in 1...3 {
    let cause = number == 3 ? #","cause":1"# : number == 2 ? #","cause":2"# : ""
    let events = ["a", "b"].map {
      #"{"stream":"\#($0)","type":"said","payload":"payload-\#(number)\#($0)"\#(cause)}"#
    }
    let line = #"{"events":[\#(events.joined(separator: ","))],"correlation":"c"}"#
    _ = verbatim("log", "append", path, "--create", input: line)
  }
  return path
}

struct Verifying {
  private let folder = Folder()

  @Test func `verify reports that an intact log holds`() {
    let log = logWithThreeBlocks(folder)
    let run = verbatim("log", "verify", log)
    #expect(run.code == .done)
    #expect(run.output.hasSuffix("The log at \(log) is undamaged: 6 events in 3 blocks.\n"))
    #expect(run.errors == "")
    let json = verbatim("log", "verify", log, "--json")
    #expect(json.code == .done)
    #expect(json.output.hasPrefix(#"{"holds":true,"position":6,"hash":""#))
    #expect(json.output.contains(#""blocks":3,"events":6,"findings":[],"notes":["#))
  }

  @Test func `verify reports a damaged block and the intact ones`() throws {
    let log = logWithThreeBlocks(folder)
    try damage(log + "/log/data.mdb", "payload-2a")
    let run = verbatim("log", "verify", log)
    #expect(run.code == .refused)
    #expect(run.output.contains("The block of positions 3–4"))
    #expect(
      run.output.hasSuffix(
        """
        The log at \(log) is damaged: 4 events in 2 blocks are intact. Restore a backup, or salvage the intact blocks \
        with `verbatim log salvage \(log)`.\n
        """))
    let json = verbatim("log", "verify", log, "--json")
    #expect(json.code == .refused)
    #expect(json.output.contains(#""holds":false"#))
    #expect(json.output.contains(#"{"place":"block","last":4,"offset":"#))
  }

  @Test func `verify of a missing log or another directory is unable`() throws {
    #expect(verbatim("log", "verify", folder("none")).code == .unable)
    try FileManager.default.createDirectory(atPath: folder("dir"), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: folder("dir/x")))
    #expect(verbatim("log", "verify", folder("dir")).code == .unable)
    #expect(verbatim("log", "read", folder("dir")).code == .unable)
    #expect(verbatim("log", "read", folder("dir/x")).code == .unable)
  }

  @Test func `the exit code of verify does not depend on a reader of its output`() {
    let log = logWithThreeBlocks(folder)
    let pipe = Pipe()
    try? pipe.fileHandleForReading.close()
    var context = Context()
    context.output = pipe.fileHandleForWriting.fileDescriptor
    #expect(Invocation(["log", "verify", log], in: context).run() == .done)
    try? damage(log + "/log/data.mdb", "payload-2a")
    #expect(Invocation(["log", "verify", log], in: context).run() == .refused)
    withExtendedLifetime(pipe) {}
  }

  @Test func `a check ended by a signal is reported`() throws {
    let script = folder("check")
    try writeScript("#!/bin/sh\nkill -SEGV $$\n", to: script)
    let run = verbatim("log", "verify", "/nowhere", executable: script)
    #expect(run.code == .unable)
    #expect(run.errors.hasPrefix("verbatim: The check was terminated by signal 11 without a result"))
  }

  @Test(arguments: [(0, .done), (1, .refused), (2, .misused), (3, .unable), (77, .unable)] as [(Int, ExitCode)])
  func `the exit code of the child process is that of verify`(code: Int, expected: ExitCode) throws {
    let script = folder("check")
    try writeScript("#!/bin/sh\necho \"$@\"\nexit \(code)\n", to: script)
    let run = verbatim("log", "verify", "-a", "--json", executable: script)
    #expect(run.code == .misused)
    let child = verbatim("log", "verify", "--json", "--", "-a", executable: script)
    #expect(child.code == expected)
    #expect(child.output == "log verify --in-process --json -- -a\n")
    #expect(verbatim("log", "verify", "a", executable: folder("nothing")).code == .unable)
  }
}

struct Salvaging {
  private let folder = Folder()

  @Test func `salvage prints an intact log as log read does`() {
    let log = logWithThreeBlocks(folder)
    let run = verbatim("log", "salvage", log)
    #expect(run.code == .done)
    #expect(run.output == verbatim("log", "read", log).output)
    #expect(run.errors == "Salvaged 6 events of 3 blocks.\nNothing is missing.\n")
  }

  @Test func `salvage prints every undamaged block and reports the gap`() throws {
    let log = logWithThreeBlocks(folder)
    try damage(log + "/log/data.mdb", "payload-2a")
    let run = verbatim("log", "salvage", log)
    #expect(run.code == .refused)
    #expect(run.values("position") == ["1", "2", "5", "6"])
    #expect(run.errors.hasPrefix("Salvaged 4 events of 2 blocks.\nPositions 3 to 4 are missing.\n"))
  }

  @Test func `salvage copies an intact log with the same events, append ids and times`() throws {
    let log = logWithThreeBlocks(folder)
    let run = verbatim("log", "salvage", log, "--into", folder("new"))
    #expect(run.code == .done)
    #expect(run.output == "")
    #expect(
      run.errors.hasSuffix("The log at \(folder("new")) has 6 events now. All positions and versions are unchanged.\n"))
    #expect(verbatim("log", "read", folder("new")).output == verbatim("log", "read", log).output)
    #expect(verbatim("log", "verify", folder("new")).code == .done)
  }

  @Test func `salvage moves positions behind a gap and removes lost causes`() throws {
    let log = logWithThreeBlocks(folder)
    let before = verbatim("log", "read", log)
    try damage(log + "/log/data.mdb", "payload-1a")
    let run = verbatim("log", "salvage", log, "--into", folder("new"))
    #expect(run.code == .refused)
    #expect(
      run.errors.contains("has 4 events now. Positions and versions changed from position 3 on, which is now 1."))
    #expect(run.errors.hasSuffix("4 causes pointed to missing events and were left out.\n"))
    let after = verbatim("log", "read", folder("new"))
    #expect(after.values("position") == ["1", "2", "3", "4"])
    #expect(after.values("version") == ["1", "1", "2", "2"])
    #expect(after.values("append") == before.values("append").suffix(4))
    #expect(after.values("recorded") == before.values("recorded").suffix(4))
    #expect(after.values("cause") == [])
    #expect(verbatim("log", "verify", folder("new")).code == .done)
  }

  @Test func `salvage maps a cause to the new position of its event`() throws {
    let path = folder("log")
    for (number, cause) in [(1, ""), (2, ""), (3, #","cause":2"#), (4, #","cause":1"#)] {
      let line = #"{"stream":"a","type":"t","payload":"payload-\#(number)"\#(cause)}"#
      _ = verbatim("log", "append", path, "--create", input: line)
    }
    try damage(path + "/log/data.mdb", "payload-1")
    let run = verbatim("log", "salvage", path, "--into", folder("new"))
    #expect(run.errors.hasSuffix("1 cause pointed to missing events and was left out.\n"))
    let lines = verbatim("log", "read", folder("new"))
    #expect(lines.payloads == ["payload-2", "payload-3", "payload-4"])
    #expect(lines.values("cause") == ["1"])
  }

  // What broke: a consumer kept its position in the old log, and passed as many new events as were lost.
  @Test func `salvage moves the positions of consumers with the events that they handled`() async throws {
    let path = folder("log")
    for number in 1...4 { _ = verbatim("log", "append", path, "--create", input: line("a", "payload-\(number)")) }
    let own: [Consumer.Event] = [
      .began(after: 0), .advanced(through: 1), .advanced(through: 3), .skipped(through: 4), .ended,
    ]
    let store = try EventStore.open(at: path)
    for change in own {
      let event = encode(ChatEvent(.consumer("bot", change), EventOrigin(by: .system, at: Timestamp(rawValue: 0))))
      _ = try await store.append(Append([event]))
    }
    store.close()
    try damage(path + "/log/data.mdb", "payload-2")
    #expect(verbatim("log", "salvage", path, "--into", folder("new")).code == .refused)
    let salvaged = try EventStore.open(at: folder("new"))
    let changes = try salvaged.events(from: Position(rawValue: 4), limit: 9).map { try decode($0).change }
    salvaged.close()
    #expect(
      changes
        == [.began(after: 0), .advanced(through: 1), .advanced(through: 2), .skipped(through: 3), .ended]
        .map { .consumer("bot", $0) })
  }

  @Test func `salvage does not append to an existing log`() {
    let log = logWithThreeBlocks(folder)
    let run = verbatim("log", "salvage", log, "--into", log)
    #expect(run.code == .unable)
    #expect(run.errors.hasPrefix("verbatim: There is a log at \(log) already"))
    #expect(verbatim("log", "salvage", folder("none")).code == .unable)
  }

  @Test func `salvage without a reader of its output fails`() {
    let log = logWithThreeBlocks(folder)
    let pipe = Pipe()
    try? pipe.fileHandleForReading.close()
    var context = Context()
    context.output = pipe.fileHandleForWriting.fileDescriptor
    context.errors = -1
    #expect(Invocation(["log", "salvage", log], in: context).run() == .unable)
    #expect(Invocation(["log", "read", log], in: context).run() == .done)
    #expect(Invocation(["log", "append", log], in: context).run() == .done)
    withExtendedLifetime(pipe) {}
  }
}

struct `Backup and stats of a log` {
  private let folder = Folder()

  @Test func `a backup has the events of the log`() throws {
    let log = logWithThreeBlocks(folder)
    let run = verbatim("log", "backup", log, folder("copy"))
    #expect(run.code == .done)
    #expect(run.output == "The log at \(log) was copied to \(folder("copy")), up to position 6 at least.\n")
    #expect(verbatim("log", "verify", folder("copy")).code == .done)
    #expect(verbatim("log", "read", folder("copy")).output == verbatim("log", "read", log).output)
    #expect(verbatim("log", "backup", log, folder("copy")).code == .unable)
    #expect(verbatim("log", "backup", folder("none"), folder("other")).code == .unable)
    #expect(verbatim("log", "backup", log).code == .misused)
  }

  @Test func `stats reports the contents and size of a log`() throws {
    let log = logWithThreeBlocks(folder)
    let text = verbatim("log", "stats", log)
    #expect(text.code == .done)
    for row in ["application  none", "events       6", "blocks       3", "writer lock  free"] {
      #expect(text.lines.contains(row))
    }
    let json = verbatim("log", "stats", log, "--json")
    #expect(json.values("events") == ["6"])
    #expect(json.values("blocks") == ["3"])
    #expect(json.values("writerLockHolder") == [])
    #expect(Int(json.values("fileByteCount")[0])! > 0)
  }

  @Test func `stats of an empty log has no last append`() {
    _ = verbatim("log", "append", folder("log"), "--create")
    #expect(verbatim("log", "stats", folder("log")).lines.contains("last append  none"))
    #expect(verbatim("log", "stats", folder("none")).code == .unable)
  }
}
