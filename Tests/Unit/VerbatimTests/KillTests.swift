// Threat: the process that submits is killed at any moment.
import ChildProcess
import Foundation
import SeededRandom
import Tables
import Testing
import TestThreads
import Verbatim
import WorkspaceWorker

@testable import Projections

@Suite(.waitsForProcesses) struct `A killed process` {
  @Test func `after a kill, completed submits are whole, others whole or absent, and the workspace is usable at once`()
    async throws
  {
    var random = SeededRandom.printingSeed()
    let folder = WorkspaceFolder()
    var workspace = try folder.openAsWorker()
    _ = try await Worker.populate(workspace, 1)
    var (next, answered, typed, lost) = (0, 0, 0, 0)
    for round in 0..<(Choice.isLong ? 200 : 10) {
      let place = Place(round: round, seed: random.seed)
      let script = Script(device: "d\(round)")
      let tasks = 1 + random.below(4)
      // In every other round the test itself has it open all the time.
      if round % 2 == 0 { await workspace.close() }
      let last = try kill(script, in: folder, from: next, tasks: tasks, &random, place)
      if round % 2 == 0 { workspace = try folder.openAsWorker() }

      let begun = next..<(last.answers.map(\.number).max() ?? next - 1) + 1 + tasks
      try await expectWhole(last.answers, of: script, begun, in: workspace, place)
      let kept = try await typedText(by: script, in: workspace, place)
      #expect(kept >= last.typed, "\(place): answered behind \(last.typed) letters, and \(kept) are there")
      lost += try await tryAgain(script, begun, last.answers, in: workspace, place)
      try expectRecounted(workspace, place)
      (next, answered, typed) = (begun.upperBound, answered + last.answers.count, typed + kept)
    }
    try expectFoldsToSame(workspace, "seed \(random.seed)")
    await workspace.close()
    print("\(answered) of \(next) submits were answered, \(lost) were not recorded; \(typed) letters were kept.")
  }
}

/// The run and the round.
private struct Place: CustomStringConvertible {
  let round: Int
  let seed: UInt64

  var description: String { "round \(round), seed \(seed)" }
}

/// The outcome that a worker reported.
private struct Answer {
  let number: Int
  let positions: ClosedRange<UInt64>
  /// The number of letters typed before.
  let typed: Int

  init?(_ line: String) {
    let words = line.split(separator: " ")
    let numbers = words.dropFirst().compactMap { UInt64($0) }
    guard words.first == "did", numbers.count == 4, numbers[1] <= numbers[2] else { return nil }
    (number, positions, typed) = (Int(numbers[0]), numbers[1]...numbers[2], Int(numbers[3]))
  }
}

/// Kills a worker at a random point of its work; returns the outcomes reported before.
private func kill(
  _ script: Script, in folder: WorkspaceFolder, from first: Int, tasks: Int, _ random: inout SeededRandom,
  _ place: Place
) throws -> (answers: [Answer], typed: Int) {
  let child = try folder.startWorker("go-on", script.device.text, "\(first)", "\(tasks)")
  try child.expect("ready")
  var lines: [String] = []
  for _ in 0..<random.below(60) { lines.append(try #require(try child.line())) }
  // Not a wait for anything: it only varies the moment between two lines.
  usleep(UInt32(random.below(10_000)))
  #expect(child.end() == .signal(SIGKILL), "\(place)")
  lines += try child.lines()
  let answers = lines.compactMap { Answer($0) }
  #expect(answers.count == lines.count, "\(place): \(lines)")
  return (answers, answers.map(\.typed).max() ?? 0)
}

/// Expects every reported append at its position, and every other one whole or absent.
private func expectWhole(
  _ answers: [Answer], of script: Script, _ begun: Range<Int>, in workspace: Workspace, _ place: Place
) async throws {
  // What the killed process appended last may still be under way to a server, or be visible only once it is durable.
  try workspace.store.log.completeInterruptedCommit()
  let events = try workspace.store.events(limit: .max)
  var places: [AppendID: [UInt64]] = [:]
  for event in events { places[event.append, default: []].append(event.position.rawValue) }
  for answer in answers {
    #expect(places[script.id(answer.number)] == Array(answer.positions), "\(place), submit \(answer.number)")
  }
  let found = try await workspace.read { reading in
    try begun.map { number in try script.messages(number).filter { try reading.chat.message($0) != nil }.count }
  }
  for (number, messages) in zip(begun, found) {
    let receipt = try await workspace.receipt(of: script.id(number))
    let positions = places[script.id(number)] ?? []
    #expect(
      receipt.map { Array($0.positions.lowerBound.rawValue...$0.positions.upperBound.rawValue) } ?? [] == positions)
    #expect(positions.isEmpty || positions.count == script.eventCount(number), "\(place), submit \(number)")
    #expect(messages == (receipt == nil ? 0 : script.messages(number).count), "\(place), submit \(number)")
  }
}

/// Returns the number of letters in the composer, which are a prefix of those typed.
private func typedText(by script: Script, in workspace: Workspace, _ place: Place) async throws -> Int {
  let composers = try await workspace.read { try $0.chat.composers(of: script.composer.user) }
  let text = composers.first { $0.key == script.composer }?.content.text.userText.string ?? ""
  #expect(text == typed(0..<text.utf8.count).string, "\(place)")
  return text.utf8.count
}

/// Retries the submits with an unknown outcome, which are recorded once afterwards; returns the number that was not.
private func tryAgain(
  _ script: Script, _ begun: Range<Int>, _ answers: [Answer], in workspace: Workspace, _ place: Place
) async throws -> Int {
  var lost = 0
  for number in begun {
    let before = try await workspace.receipt(of: script.id(number))
    let head = try workspace.head()
    let again = try await workspace.submit(script.submission(number))
    if let before { #expect(again.receipt == before, "\(place), submit \(number)") } else { lost += 1 }
    #expect((try workspace.head() == head) == (before != nil), "\(place), submit \(number)")
    #expect(try await workspace.submit(script.submission(number)) == again, "\(place), submit \(number)")
  }
  return lost
}

/// Expects that the tables' hash sums match their rows.
private func expectRecounted(_ workspace: Workspace, _ place: Place) throws {
  _ = try workspace.projections.checkpoint()
  let isSame = try workspace.projections.engine.tableStore.lend { reading throws(TablesError) in
    try reading.recountedDigests() == reading.digests()
  }
  #expect(isSame, "\(place)")
}
