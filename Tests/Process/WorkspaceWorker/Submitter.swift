// A worker that submits all kinds of intents in several ways.
import ChatSamples
import SeededRandom
package import Verbatim

/// A worker that submits, and its results.
struct Submitter {
  /// The result of each submit, as lines.
  private(set) var lines: [String] = []
  private let workspace: Workspace
  private let number: Int
  private var random: SeededRandom
  private var world: World
  private var shadow = Shadow(.tight)
  private var typedCount = 0
  /// The number of submits that another worker makes, too.
  private var sharedCount = 0
  private var ownCount = 0

  init(_ workspace: Workspace, number: Int, _ random: SeededRandom) {
    (self.workspace, self.number, self.random) = (workspace, number, random)
    world = World(SeededRandom(seed: self.random.next()), age: 36 + number, at: workspace.now)
  }

  /// Makes a number of submits, and types concurrently.
  mutating func run(_ count: Int) async throws {
    let composer = try await workspace.openComposer(Composer.Key(of: user, on: "web", in: Worker.meeting))
    var done = 0
    while done < count {
      if random.once(in: 8) { try shadow.catchUp(with: workspace) }
      switch random.below(16) {
      case 0...5: done += await note(wish())
      case 6: done += await note(Submission((0...1 + random.below(3)).map { _ in intent() }, by: .system))
      case 7...9: done += await note(conversation())
      case 10: done += await noteConflict()
      case 11: done += await note(shared())
      case 12: done += await noteTwice()
      case 13: done += await noteTogether()
      default: try await type(in: composer)
      }
    }
    try await composer.flush()
    lines.append("typed \(composer.composer.content.text.userText)")
  }

  private var user: User.ID { Worker.user(number) }
}

// MARK: What is wanted

extension Submitter {
  /// Returns a random intent of a small world.
  private mutating func wish() -> Submission {
    let (intent, actor) = world.intent(in: shadow.state)
    return Submission([intent], by: actor)
  }

  private mutating func intent() -> ChatIntent { world.intent(in: shadow.state).0 }

  /// Returns several intents that succeed together.
  private mutating func conversation() -> Submission {
    let key = Message.Key(Worker.meeting, newID())
    return Submission(
      [
        .message(key, .send(Message.Content("hello"))), .message(key, .edit(Message.Edits(text: "hello, all"))),
        .reaction(Reaction.Key(to: key, by: user), .add("like", score: 1)),
        .mute(Mute.Key(by: user, of: .channel(Worker.meeting)), .begin(.endless)),
        .member(Member.Key(Worker.meeting, user), .read(through: key.id)),
      ], by: .user(user))
  }

  /// Returns a message with all its parts that another worker submits, too, under the same id.
  private mutating func shared() -> Submission {
    sharedCount += 1
    let pair = number / 2
    var random = SeededRandom(seed: UInt64(pair << 32 | sharedCount))
    let content = Message.Content(
      UserText("both " + random.shortWording().string), mentions: [Mention(Worker.user(0), at: 0..<4)],
      attachments: random.once(in: 4) ? [random.attachment()] : [],
      extra: random.once(in: 4) ? random.extra() : ["colour": "red", "size": 3])
    return Submission(
      [.message(Message.Key(Worker.meeting, ID(stringLiteral: "both-\(pair)-\(sharedCount)")), .send(content))],
      by: .system, id: AppendID(high: UInt64(pair), low: UInt64(sharedCount)), correlation: "both")
  }

  /// Returns a message under an id of this worker.
  private mutating func own() -> Submission {
    ownCount += 1
    return Submission(
      [.message(Message.Key(Worker.meeting, newID()), .send(Message.Content("once")))], by: .user(user),
      id: AppendID(high: UInt64(1000 + number), low: UInt64(ownCount)))
  }

  private func newID() -> Message.ID { workspace.newID() }

  /// Types some characters without waiting for the disk, and seldom waits.
  private mutating func type(in composer: OpenComposer) async throws {
    for _ in 0..<random.below(12) {
      let events = (0...random.below(3)).map { typing(after: typedCount + $0) }
      try composer.record(events)
      typedCount += events.count
    }
    if random.once(in: 4) { try await composer.flush() }
  }
}

/// Returns the event that types a character after `count` others.
func typing(after count: Int) -> Composer.Event {
  let end = UTF16Offset(rawValue: count)
  return .typed(Splice(end..<end, to: typed(count..<count + 1)))
}

/// Returns a range of the characters that workers type.
package func typed(_ numbers: Range<Int>) -> UserText {
  UserText(String(decoding: numbers.map { UInt8(ascii: "a") + UInt8($0 % 26) }, as: UTF8.self))
}

// MARK: What comes of it

extension Submitter {
  /// Submits from a task or a thread, and occasionally checks that reads include the submit.
  private mutating func note(_ submission: Submission) async -> Int {
    let outcome = random.bool() ? await workspace.outcome(of: submission) : workspace.outcomeWaiting(submission)
    lines.append(words(outcome))
    if case .success(let submitted) = outcome, random.once(in: 8) {
      let position = try? await workspace.read { $0.position }
      if position.map({ $0 < submitted.position }) ?? true { lines.append("error not read: \(submitted.position)") }
    }
    return 1
  }

  /// Submits twice under the same id: the results must be equal, and another content must be rejected.
  private mutating func noteTwice() async -> Int {
    let submission = own()
    let (first, second) = (await workspace.outcome(of: submission), await workspace.outcome(of: submission))
    lines += [words(first), words(second)]
    if words(first) != words(second) { lines.append("error \(words(first)), then \(words(second))") }
    var other = submission
    other.correlation = "other"
    guard case .failure(.append(.idReused)) = await workspace.outcome(of: other) else {
      lines.append("error an id was used twice: \(words(first))")
      return 3
    }
    return 3
  }

  /// Submits with an unmet expected version.
  private mutating func noteConflict() async -> Int {
    var submission = own()
    submission.expectations = [StreamExpectation("channel/meeting", .none)]
    guard case .failure(.conflict) = await workspace.outcome(of: submission) else {
      lines.append("error no conflict")
      return 1
    }
    return 1
  }

  /// Submits the intents of several tasks concurrently.
  private mutating func noteTogether() async -> Int {
    let wishes = (0..<4).map { _ in wish() }
    let workspace = workspace
    lines += await withTaskGroup(of: String.self) { group in
      for wish in wishes { group.addTask { words(await workspace.outcome(of: wish)) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return wishes.count
  }
}

private func words(_ outcome: Result<Submitted, SubmitError>) -> String {
  switch outcome {
  case .success(let submitted):
    guard let receipt = submitted.receipt else { return "nothing" }
    return "receipt \(receipt.id) \(receipt.positions.lowerBound) \(receipt.positions.upperBound)"
  case .failure(.refused(let refusal, let intent)): return "refused \(RefusalKind(refusal)) \(intent)"
  // A message cannot be forwarded until the tables are replaced after an erasure.
  case .failure(.failed(_, .outdated)): return "nothing"
  case .failure(let error): return "error \(error)"
  }
}

extension Workspace {
  fileprivate func outcome(of submission: Submission) async -> Result<Submitted, SubmitError> {
    do throws(SubmitError) { return .success(try await submit(submission)) } catch { return .failure(error) }
  }

  fileprivate func outcomeWaiting(_ submission: Submission) -> Result<Submitted, SubmitError> {
    Result { () throws(SubmitError) in try submitBlocking(submission) }
  }
}
