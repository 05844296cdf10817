// Threat: the process is killed at any moment while a user writes.
import ChildProcess
import Foundation
import Locks
import SeededRandom
import Testing
import Verbatim
import VerbatimUI
import WorkspaceWorker

@MainActor @Suite struct `A composer whose process is killed` {
  private let folder = WorkspaceFolder()

  @Test func `a composer holds a prefix of the typed text, and everything that was confirmed`() async throws {
    var random = SeededRandom.printingSeed()
    var workspace = try folder.openAsWorker()
    _ = try await Worker.populate(workspace, 2)
    var (ages, done, lost): ([Double], Int, Int) = ([], 0, 0)
    for round in 0..<(Choice.isLong ? 200 : 20) {
      // In every other round the test itself has it open all the time.
      if round % 2 == 0 { await workspace.close() }
      let before = round % 2 == 0 ? nil : try await standing(in: workspace)
      let killed = try Killed(in: folder, word: "r\(round)", &random)
      if round % 2 == 0 { workspace = try folder.openAsWorker() }
      let place = Comment(rawValue: "round \(round), seed \(random.seed)")
      if let before { #expect(killed.states.first == before, place) }

      let found = try await standing(in: workspace)
      let texts = try await workspace.read { reading in
        try reading.chat.messages(in: Worker.meeting, .latest, limit: 1000, for: Worker.written.user).messages.map {
          $0.content.text.string
        }
      }
      let sent = killed.sends.map { number in texts.count { $0.contains("r\(round)n\(number).") } }
      let last = killed.states.indices.last { number in
        killed.states[number] == found
          && zip(killed.sends, sent).allSatisfy { $1 == ($0 <= number ? 1 : 0) }
      }
      guard let last else {
        Issue.record("\(place): \(found) was never there with \(sent) of \(killed.sends); kept \(killed.kept)")
        return
      }
      #expect(last >= killed.kept, place)
      if let age = killed.age(of: last + 1) { ages.append(age) }
      (done, lost) = (done + killed.states.count - 1, lost + killed.states.count - 1 - last)
    }
    await workspace.close()
    ages.sort()
    let (middle, oldest) = (ages.isEmpty ? 0 : ages[ages.count / 2], ages.last ?? 0)
    print(
      "\(done) things were done, \(lost) were lost; the oldest of each kill was \(middle) ms old in the middle, "
        + "\(oldest) ms at most.")
    if Choice.isLong { #expect(middle <= 20) }
  }

  @Test func `a composer killed during a command shows a notice, keeps the text and does not repeat the command`()
    async throws
  {
    let first = try folder.openAsWorker()
    _ = try await Worker.populate(first, 2)
    await first.close()
    let child = try folder.startWorker("hang")
    try child.expect("hangs")
    #expect(child.end() == .signal(SIGKILL))
    let calls = Calls()
    let workspace = try folder.openAsWorker()
    let composer = try await workspace.composer(with: [HangingCommand { calls.add() }])
    #expect(composer.notice == .commandInterrupted("hang"))
    #expect(composer.composer.execution == nil && composer.canSend)
    #expect(composer.composer.content.command?.id == "hang" || composer.text.contains("for ever"))
    try await composer.flush()
    #expect(calls.count == 0)
    await workspace.close()
    // The notice is shown once.
    let again = try folder.openAsWorker()
    #expect(try await again.composer().notice == nil)
    await again.close()
  }

  private func standing(in workspace: Workspace) async throws -> String {
    // Opening completes the interrupted commit of a killed process.
    _ = try await workspace.openComposer(Worker.written)
    let stored = try await workspace.read { try $0.chat.composers(of: Worker.written.user) }
    return seen(stored.first { $0.key == Worker.written } ?? Composer(Worker.written))
  }
}

/// A counter of calls.
private final class Calls: Sendable {
  private let number = Locked(0)

  var count: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}

extension Workspace {
  @MainActor
  fileprivate func composer(with commands: [any CommandHandler] = []) async throws -> LiveComposer {
    var options = ComposerOptions()
    if !commands.isEmpty { options.commands = DefaultCommandsConfig(instantCommands: commands) }
    return try await client(user: Worker.written.user, device: Worker.written.device)
      .channel(Worker.meeting).composer(options: options)
  }
}

/// The reports of a killed writer.
private struct Killed {
  /// The visible state after each step begun; the first is the initial one.
  private(set) var states: [String] = []
  /// The steps that sent a message.
  private(set) var sends: [Int] = []
  /// The number of steps that were confirmed.
  private(set) var kept = 0
  private var times: [Int: UInt64] = [:]
  private let time: UInt64

  init(in folder: WorkspaceFolder, word: String, _ random: inout SeededRandom) throws {
    let child = try folder.startWorker("write", word, "\(random.below(1 << 30))")
    var lines: [String] = []
    for _ in 0..<2 + random.below(400) { lines.append(try #require(try child.line())) }
    // Not a wait for anything: it only varies the moment between two lines.
    usleep(UInt32(random.below(20_000)))
    time = uptime()
    #expect(child.end() == .signal(SIGKILL))
    lines += try child.lines()
    for line in lines {
      let words = line.split(separator: " ")
      let number = try #require(Int(words[1]))
      switch words[0] {
      case "did": times[number] = UInt64(words[2])
      case "kept": kept = max(kept, number)
      default:
        try #require(number == states.count)
        if words[0] == "send" { sends.append(number) }
        states.append(String(words[2]))
      }
    }
  }

  /// Returns the milliseconds between a step and the kill; nil if the step was not done.
  func age(of number: Int) -> Double? {
    times[number].map { Double(Int64(bitPattern: time &- $0)) / 1_000_000 }
  }
}
