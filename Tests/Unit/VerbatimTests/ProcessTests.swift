// Threat: processes that submit to one workspace lose, repeat or reorder events, or deadlock.
import ChildProcess
import SeededRandom
import Testing
import TestThreads
import Verbatim
import WorkspaceWorker

@Suite(.waitsForProcesses) struct `A workspace of many processes` {
  /// The number of submitting processes.
  private static let submitters = 8
  /// The number of reading and following processes.
  private static let readers = 2

  @Test func `all submits of all processes are recorded once without gaps, with consistent reads`() async throws {
    var random = SeededRandom.printingSeed()
    let folder = WorkspaceFolder()
    let workspace = try folder.openAsWorker()
    var prelude = try await Worker.populate(workspace, Self.submitters)
    let crowd = try Crowd(
      in: folder, submitters: Self.submitters, readers: Self.readers, count: Choice.isLong ? 1000 : 100, &random)
    try crowd.submitAll()
    let end = try workspace.head().next
    try crowd.letReadersEnd(at: end)
    prelude.append(try await workspace.submit(.user("last", .create(User.Profile(name: "Last"))), by: .system))
    #expect(prelude.last?.position == end)
    let found = try crowd.gather()
    let place: Comment = "seed \(random.seed)"

    #expect(found.errors == [], place)
    try expectGapless(prelude.compactMap(\.receipt).map(Found.Receipt.init) + found.receipts, in: workspace, place)
    try expectTyped(found.typed, in: workspace, place)
    try await expectSame(found.answers, in: workspace, place, &random)
    #expect(found.followed == Array(repeating: "to \(end.next)", count: Self.readers), place)
    #expect(Set(found.digests) == [try Worker.digests(workspace)], place)
    #expect(found.digests.count == Self.submitters + Self.readers)
    try expectFoldsToSame(workspace, place)
    await workspace.close()
    print(
      "\(end) events; \(found.receipts.count) receipts, \(found.refusals) refusals, \(found.vain) in vain, "
        + "\(found.answers.count) answers.")
  }
}

// MARK: What must hold

/// Expects that every position belongs to one receipt or to composer events, and that a receipt has all positions of
/// its append.
private func expectGapless(_ receipts: [Found.Receipt], in workspace: Workspace, _ place: Comment) throws {
  var byID: [AppendID: Found.Receipt] = [:]
  for receipt in receipts {
    #expect(byID.updateValue(receipt, forKey: receipt.id) ?? receipt == receipt, place)
  }
  let events = try workspace.store.events(limit: .max)
  var places: [AppendID: [UInt64]] = [:]
  for (index, event) in events.enumerated() {
    #expect(event.position.rawValue == UInt64(index) + 1, place)
    places[event.append, default: []].append(event.position.rawValue)
    let isTyped = event.stream.text.hasPrefix("composer/w")
    #expect((byID[event.append] == nil) == isTyped, "\(place) at \(event.position) of \(event.stream)")
  }
  for receipt in byID.values {
    #expect(places[receipt.id] == Array(receipt.first...receipt.last), "\(place) of \(receipt)")
  }
  var versions: [Name: UInt64] = [:]
  for event in events {
    versions[event.stream, default: 0] += 1
    #expect(event.version.rawValue == versions[event.stream], place)
  }
}

/// Expects that composers hold everything typed before the last flush.
private func expectTyped(_ typed: [String], in workspace: Workspace, _ place: Comment) throws {
  var shadow = Shadow(workspace.configuration.rules)
  try shadow.catchUp(with: workspace)
  for (number, text) in typed.enumerated() {
    let key = Composer.Key(of: Worker.user(number), on: "web", in: Worker.meeting)
    #expect(shadow.state[key]?.content.text.userText.string ?? "" == text, place)
    #expect(WorkspaceWorker.typed(0..<text.utf8.count).string == text, place)
  }
}

/// Expects that every read equals the log folded to its position, and a read of that past position.
private func expectSame(
  _ answers: [Found.Answer], in workspace: Workspace, _ place: Comment, _ random: inout SeededRandom
) async throws {
  let answers = answers.sorted { $0.position < $1.position }
  try #require(!answers.isEmpty)
  var shadow = Shadow(workspace.configuration.rules)
  let events = try workspace.store.events(limit: .max)
  for answer in answers {
    while shadow.position < answer.position { try shadow.fold(events[Int(shadow.position.rawValue)]) }
    #expect(Worker.word(Facts.rows(of: shadow.state)) == answer.rows, "\(place) at \(answer.position)")
  }
  for _ in 0..<(Choice.isLong ? 60 : 6) {
    let answer = answers[random.below(answers.count)]
    let past = try await workspace.at(answer.position)
    let facts = try await past.read { try Facts($0) }
    #expect(Worker.word(facts.rows) == answer.rows, "\(place) back at \(answer.position)")
    #expect(Worker.word(facts.pages) == answer.pages, "\(place) back at \(answer.position)")
    past.close()
  }
}

/// Expects that the tables equal the log folded from its first event.
func expectFoldsToSame(_ workspace: Workspace, _ place: Comment) throws {
  let other = WorkspaceFolder()
  let projections = try ProjectionStore(of: workspace.store, [ChatState.self], at: other.path)
  let anew = try projections.checkpoint()
  #expect(anew?.digests == (try workspace.projections.checkpoint())?.digests, place)
  projections.close()
}
