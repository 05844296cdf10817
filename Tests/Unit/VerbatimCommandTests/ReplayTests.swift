// Threat: a replay shows other rows or digests with one option than with another, or is silent about what it skipped.
import ChildProcess
import Foundation
import Testing
import TestThreads

@testable import VerbatimCommand

@Suite struct `A replay of a workspace` {
  private let folder = Folder()

  /// Creates a small workspace.
  private func workspace() -> String {
    #expect(verbatim("generate", folder("work"), "--messages", "40", "--users", "4", "--channels", "2").code == .done)
    return folder("work")
  }

  private func submit(_ user: String, to work: String) {
    #expect(verbatim("submit", work, "--as", user, "user", user).code == .done)
  }

  /// Takes a snapshot, and returns its position.
  private func snapshot(of work: String) throws -> Int {
    #expect(verbatim("snapshot", work).code == .done)
    return try #require(verbatim("snapshot", work, "--list").lines.last.flatMap { Int($0) })
  }

  /// Returns the lines of a replay that have a key.
  private func lines(_ key: String, _ work: String, _ options: String...) -> [String] {
    verbatim(["replay", work, "--json"] + options, input: []).lines.filter { $0.hasPrefix("{\"\(key)\":") }
  }

  private func directories(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.count == 32 }.sorted()
  }

  // What broke: a replay from a snapshot at the end of the log reported no digests, and one compared with it agreed.
  @Test func `a replay from a snapshot at the end shows the digests at the end`() throws {
    let work = workspace()
    _ = try snapshot(of: work)
    let digests = lines("position", work)
    #expect(digests.count == 1 && lines("position", work, "--from-snapshot") == digests)
  }

  // What broke: with a snapshot at the event's position nothing was folded, and no changed row was shown.
  @Test func `the rows that an event changes are the same from a snapshot at its position`() throws {
    let work = workspace()
    submit("zoe", to: work)
    let end = try snapshot(of: work)
    let changes = lines("changed", work, "--changes", "\(end)")
    #expect(!changes.isEmpty && lines("changed", work, "--changes", "\(end)", "--from-snapshot") == changes)
  }

  // What broke: the digests of the two sets of projections were added in order, and not by position, so that they were
  // those of other events where the sets began with different snapshots.
  @Test func `the digests of events are the same from snapshots at different positions`() throws {
    let work = workspace()
    _ = try snapshot(of: work)
    submit("yan", to: work)
    let second = try snapshot(of: work)
    submit("zoe", to: work)
    submit("xia", to: work)
    let sets = try directories(in: work + "/projections/snapshots")
    #expect(sets.count == 2)
    let digests = lines("event", work, "--events-from", "\(second + 1)")
    #expect(digests.count >= 2)
    for set in sets {
      let (path, hidden) = (work + "/projections/snapshots/\(set)/\(second)", folder("hidden"))
      try FileManager.default.moveItem(atPath: path, toPath: hidden)
      #expect(lines("event", work, "--events-from", "\(second + 1)", "--from-snapshot") == digests, "\(set)")
      try FileManager.default.moveItem(atPath: hidden, toPath: path)
    }
  }

  // What broke: a range that ended before it began crashed the program, and other options were ignored.
  @Test(arguments: [
    (["--events-from", "10", "--to", "5"], "--events-from is 10, after the end that --to sets: "),
    (["--changes", "10", "--to", "50"], "--changes sets the end, as --to and --at do: "),
    (["--changes", "10", "--at", "head-1s"], "--changes sets the end, as --to and --at do: "),
    (["--into", "to", "--from-snapshot"], "--into keeps tables that were folded from the first event on: "),
  ])
  func `options that contradict each other are refused`(options: [String], error: String) {
    let run = verbatim(["replay", "none"] + options, input: [])
    #expect(run.code == .misused && run.errors.hasPrefix("verbatim: " + error), "\(run.errors)")
  }

  // What broke: the tables of a first replay were continued, so that the second one folded nothing.
  @Test func `a replay keeps its tables only in a directory without tables`() throws {
    let work = workspace()
    let nowhere = verbatim("replay", work, "--into", folder("none") + "/to")
    #expect(nowhere.code == .unable && nowhere.errors.contains("/to cannot be created ("), "\(nowhere.errors)")
    #expect(verbatim("replay", work, "--into", folder("to")).code == .done)
    let tables = try directories(in: folder("to"))
    #expect(tables.count == 2)
    let again = verbatim("replay", work, "--into", folder("to"))
    #expect(again.code == .unable && again.output == "")
    #expect(again.errors.contains("The directory \(folder("to")) has tables already: "), "\(again.errors)")
    #expect(try directories(in: folder("to")) == tables)
  }

  // What broke: damaged tables, tables in use at a system crash, and no tables at all gave the same output as equal
  // ones.
  @Test func `a comparison with stored tables names what was compared and what was not`() throws {
    let work = workspace()
    let end = try snapshot(of: work)
    let equal = verbatim("replay", work, "--check-tables")
    #expect(equal.code == .done)
    let compared = "Compared with the fold, row by row: "
    #expect(equal.lines.last?.hasPrefix(compared + "the snapshot at position \(end), ") == true)
    let early = verbatim("replay", work, "--check-tables", "--to", "5")
    #expect(early.code == .done)
    #expect(early.output.contains("The snapshot at position \(end) was not compared: the replay ends at 5.\n"))
    #expect(early.output.contains(compared + "the tables "))

    let sets = try directories(in: work + "/projections")
    try #require(sets.count == 2)
    let stale = work + "/projections/\(sets[0])"
    try Data("another boot".utf8).write(to: URL(filePath: stale + "/dirty"))
    let file = try FileHandle(forUpdating: URL(filePath: work + "/projections/\(sets[1])/data.mdb"))
    try file.truncate(atOffset: 4096)
    try file.close()
    let damaged = verbatim("replay", work, "--check-tables")
    #expect(damaged.code == .refused)
    #expect(damaged.output.contains("✘ the tables projections/\(sets[1]) are damaged ("), "\(damaged.output)")
    #expect(damaged.output.contains("– The tables projections/\(sets[0]) were in use at the last system crash, "))

    try FileManager.default.removeItem(atPath: work + "/projections")
    let none = verbatim("replay", work, "--check-tables")
    #expect(none.code == .done && none.lines.last == "No stored tables or snapshots were compared.")
  }

  // What broke: the lines were in a buffer that was written only by a replay that reached its end.
  @Test(arguments: [[], ["--json"]] as [[String]])
  func `a replay that fails shows the differences that it has found`(options: [String]) throws {
    let work = folder("work")
    #expect(verbatim("generate", work, "--messages", "300").code == .done)
    #expect(verbatim("status", work).code == .done)
    let set = try #require(try directories(in: work + "/projections").first)
    let tables = try FileHandle(forUpdating: URL(filePath: work + "/projections/\(set)/data.mdb"))
    try tables.truncate(atOffset: 4096)
    try tables.close()
    var bytes = try Data(contentsOf: URL(filePath: work + "/log/data.mdb"))
    // A block in the middle, which is not read when the log is opened.
    let text = try #require(bytes.range(of: Data("messageSent".utf8), in: bytes.count / 3..<bytes.count))
    bytes[text.lowerBound + 3] ^= 1
    try bytes.write(to: URL(filePath: work + "/log/data.mdb"))
    let run = verbatim(["replay", work, "--check-tables", "--recode"] + options, input: [])
    #expect(run.code == .refused && run.errors.contains("damaged"), "\(run.errors)")
    #expect(run.output.contains("the tables projections/\(set) are damaged ("), "\(run.output)")
  }
}

@Suite(.waitsForProcesses, .enabled(if: program != nil, "the program was not built"))
struct `A verification of a workspace in use` {
  private let folder = Folder()

  /// Writes a script that calls the program as a verification does.
  private func script(_ text: String) throws -> String {
    let path = folder("script")
    try writeScript("#!/bin/bash\nV='\(program ?? "")'\n" + text, to: path)
    return path
  }

  // What broke: each program folded up to the head at its own start, so that they had no position in common, and the
  // report was that they agree.
  @Test func `all programs fold up to the head at the start`() throws {
    let work = folder("work")
    #expect(verbatim("init", work).code == .done)
    #expect(verbatim("submit", work, "--as", "ada", "user", "ada").code == .done)
    #expect(verbatim("snapshot", work).code == .done)
    let writer = try script(
      """
      if [ "$1" = replay ]; then "$V" submit '\(work)' --as "u$$" user "u$$" >/dev/null || exit 9; fi
      exec "$V" "$@"
      """)
    let head = verbatim("log", "stats", work, "--json").values("events").first.flatMap { Int($0) } ?? 0
    let run = verbatim("verify", work, executable: writer)
    #expect(run.code == .done, "\(run.output)\(run.errors)")
    #expect(run.output.contains("✔ folds        4 programs agree at 1 position"), "\(run.output)")
    #expect(run.output.contains("✔ tables"), "\(run.output)")
    #expect(verbatim("log", "stats", work, "--json").values("events").first.flatMap { Int($0) } ?? 0 >= head + 4)
  }

  // What broke: the check of the events held whatever number of them was decoded.
  @Test func `events that no program decoded are a failed check`() throws {
    let work = folder("work")
    #expect(verbatim("init", work).code == .done)
    #expect(verbatim("submit", work, "--as", "ada", "user", "ada").code == .done)
    let other = try script(
      """
      words=(); for word; do [ "$word" = --recode ] || words+=("$word"); done
      exec "$V" "${words[@]}"
      """)
    let run = verbatim("verify", work, executable: other)
    #expect(run.code == .refused && run.output.contains("✘ events       only 0 of "), "\(run.output)")
  }

  // What broke: digests written for an empty log were compared with a fold of all later events, which has none at
  // position 0, and each later verification failed.
  @Test func `digests of an empty workspace are nothing to compare with`() throws {
    let (work, file) = (folder("work"), folder("digests"))
    #expect(verbatim("init", work).code == .done)
    #expect(verbatim("verify", work, "--write-expected", file, executable: program).code == .done)
    #expect(verbatim("submit", work, "--as", "ada", "user", "ada").code == .done)
    let run = verbatim("verify", work, "--expect", file, executable: program)
    #expect(run.code == .done, "\(run.output)\(run.errors)")
    #expect(run.output.contains("– expected     \(file) has the digests of an empty log\n"), "\(run.output)")
  }
}
