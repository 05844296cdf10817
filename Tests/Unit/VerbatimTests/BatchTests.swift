// Threat: submits in one batch are decided differently than one after the other.
import ChatSamples
import ChildProcess
import Foundation
import Locks
import SeededRandom
import Testing
import WorkspaceWorker

@testable import Verbatim

@Suite struct `Submits that share a block` {
  @Test func `submits in one block have the same outcomes as one after the other`() async throws {
    var random = SeededRandom.printingSeed()
    let folder = WorkspaceFolder()
    // The clock is stopped, so that all submits of a round are decided at one instant.
    let now = Timestamp(rawValue: 1_800_000_000_000_000)
    let gate = Gate()
    let workspace = try folder.open { configuration in
      configuration.rules = .tight
      configuration.clock = {
        gate.pass()
        return now
      }
    }
    _ = try await Worker.populate(workspace, 1)
    var world = World(SeededRandom(seed: random.next()), age: 40, at: now)
    var reference = Shadow(.tight)
    try reference.catchUp(with: workspace)
    var state = reference.state
    for round in 0..<(Choice.isLong ? 300 : 30) {
      let submissions = (0..<1 + random.below(24)).map { number in
        wish(AppendID(high: UInt64(round), low: UInt64(number)), of: &world, in: state, &random)
      }
      var expected: [Outcome] = []
      for submission in submissions { expected.append(Outcome(submission, at: now, &state)) }
      let blocks = try workspace.store.head().blocks
      let found = try await submitTogether(submissions, to: workspace, behind: gate)
      #expect(found == expected, "round \(round), seed \(random.seed)")
      try reference.catchUp(with: workspace)
      let isSame = reference.state == state
      #expect(isSame, "round \(round), seed \(random.seed)")
      #expect(try workspace.store.head().blocks <= blocks + 1)
    }
    await workspace.close()
  }

  /// Returns random intents, sometimes several; each may depend on others of its round.
  private func wish(
    _ id: AppendID, of world: inout World, in state: InMemoryChatState, _ random: inout SeededRandom
  ) -> Submission {
    let (intent, actor) = world.intent(in: state)
    if !random.once(in: 3) { return Submission([intent], by: actor, id: id) }
    // Composer events follow those of an earlier submit, or are refused.
    let key = Composer.Key(of: Worker.user(0), on: "web", in: Worker.meeting)
    let end = UTF16Offset(rawValue: (state[key]?.content.text.end.rawValue ?? 0) + random.below(3))
    let typed = ChatIntent.composer(key, .record([.typed(Splice(end..<end, to: "a"))]))
    return Submission(random.bool() ? [typed] : [typed, intent], by: .system, id: id)
  }

  /// Submits all in order while earlier submits are being decided, so that they share a block.
  private func submitTogether(
    _ submissions: [Submission], to workspace: Workspace, behind gate: Gate
  ) async throws -> [Outcome] {
    gate.close()
    let first = Submission(
      [.user("w0", .create(User.Profile(name: "Somebody")))], by: .system, id: AppendID(high: .max, low: 0))
    async let isDone = Outcome(first, to: workspace)
    await until { gate.isWaitedAt }
    var tasks: [Task<Outcome, Never>] = []
    for submission in submissions {
      tasks.append(Task { await Outcome(submission, to: workspace) })
      await until { workspace.submitQueue.waiting == tasks.count }
    }
    gate.open()
    #expect(await isDone == .vain)
    var outcomes: [Outcome] = []
    for task in tasks { outcomes.append(await task.value) }
    return outcomes
  }
}

/// The outcome of a submit.
private enum Outcome: Hashable {
  case recorded
  case vain
  case refused(Refusal, intent: Int)
  case failed(String)

  /// Decides a submission by the rules, against a state that it changes.
  init(_ submission: Submission, at instant: Timestamp, _ state: inout InMemoryChatState) {
    var after = state
    var count = 0
    for (index, intent) in submission.intents.enumerated() {
      do throws(Refusal) {
        let events = try decide(intent, by: submission.actor, at: instant, given: after)
        for event in events { fold(event, into: &after) }
        count += events.count
      } catch {
        self = .refused(error, intent: index)
        return
      }
    }
    state = after
    self = count == 0 ? .vain : .recorded
  }

  /// Submits a submission to a workspace.
  init(_ submission: Submission, to workspace: Workspace) async {
    do throws(SubmitError) {
      self = try await workspace.submit(submission).receipt == nil ? .vain : .recorded
    } catch .refused(let refusal, let intent) {
      self = .refused(refusal, intent: intent)
    } catch {
      self = .failed("\(error)")
    }
  }
}
