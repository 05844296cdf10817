// Repeats one kind of work, so that a program that counts its instructions sees what an operation takes.
import Chat
import ChatCodec
import ChatProjections
import EventLog
import EventLogLMDB
import Foundation
import Projections
import Verbatim

/// A kind of work, done in rounds of equal size.
///
/// What a round takes is the difference between a run with one more round and a run without it: what is prepared, and
/// what only a first round does, does not count.
enum Work: String, CaseIterable {
  case append1 = "append-1"
  case append10 = "append-10"
  case append100 = "append-100"
  case append1000 = "append-1000"
  case submit1 = "submit-1"
  case submit64 = "submit-64"
  case scan1000 = "scan-1000"
  case decode1000 = "decode-1000"
  case fold10 = "fold-10"
  case fold1000 = "fold-1000"
  case page50 = "page-50"

  /// Runs `bench work`: prints the names, or does the work named, as often as the arguments say, and prints the number
  /// of operations in a round.
  static func run(_ arguments: [String]) throws {
    if arguments.isEmpty { return print(allCases.map(\.rawValue).joined(separator: "\n")) }
    guard arguments.count == 3, let work = Work(rawValue: arguments[0]), let rounds = Int(arguments[1]) else {
      throw Usage(message: "bench work NAME ROUNDS DIR, with a name of `bench work`")
    }
    let disk = try Disk(at: arguments[2])
    defer { disk.removeAll() }
    print(try work.run(rounds, on: disk))
  }

  /// Does the work; returns the number of operations in a round.
  private func run(_ rounds: Int, on disk: Disk) throws -> Int {
    let directory = try disk.makeDirectory()
    switch self {
    case .append1: return try append(200, commitsOf: 1, rounds, directory)
    case .append10: return try append(100, commitsOf: 10, rounds, directory)
    case .append100: return try append(50, commitsOf: 100, rounds, directory)
    case .append1000: return try append(10, commitsOf: 1000, rounds, directory)
    case .submit1: return try submit(200, batchesOf: 1, rounds, directory)
    case .submit64: return try submit(20, batchesOf: 64, rounds, directory)
    case .scan1000:
      return try withChat(1000, directory) { store in
        for _ in 0..<rounds { try FoldBench.scan(store) }
      }
    case .decode1000:
      return try withChat(1000, directory) { store in
        for _ in 0..<rounds { try FoldBench.decode(store) }
      }
    case .fold10: return try fold(10, rounds, directory)
    case .fold1000: return try fold(1000, rounds, directory)
    case .page50: return try page(rounds, directory)
    }
  }

  private static let roundsMax = 4

  private func append(_ commits: Int, commitsOf perCommit: Int, _ rounds: Int, _ directory: String) throws -> Int {
    let (vocabulary, store) = (Vocabulary(), try openStore(directory))
    defer { store.close() }
    var draws = Draws(seed: 11)
    // Most streams have events already.
    for _ in 0..<5 { _ = try store.appendBlocking(draws.proposals(1000, vocabulary)) as Receipt }
    let batches = (0..<commits * Self.roundsMax).map { _ in draws.proposals(perCommit, vocabulary) }
    for batch in batches.prefix(commits * rounds) { _ = try store.appendBlocking(batch) as Receipt }
    return commits * perCommit
  }

  private func submit(_ batches: Int, batchesOf count: Int, _ rounds: Int, _ directory: String) throws -> Int {
    let workload = SubmitWorkload()
    let workspace = try Workspace.open(at: directory + "/workspace")
    defer { workspace.closeBlocking() }
    for submission in workload.beginning { try workspace.submitBlocking(submission) }
    let all = workload.submissions(batches * count * Self.roundsMax)
    for batch in 0..<batches * rounds {
      if count == 1 {
        try workspace.submitBlocking(all[batch])
      } else {
        for result in workspace.submit(each: Array(all[batch * count..<(batch + 1) * count])) { _ = try result.get() }
      }
    }
    return batches * count
  }

  /// Passes a log with the events of a busy chat to the closure; returns their number.
  private func withChat(_ perBlock: Int, _ directory: String, _ body: (EventStore) throws -> Void) throws -> Int {
    let store = try openStore(directory)
    defer { store.close() }
    var workload = FoldWorkload(seed: 7)
    let count = 48_000
    for _ in 0..<count / perBlock { _ = try store.appendBlocking(workload.next(perBlock)) as Receipt }
    try body(store)
    return count
  }

  /// Folds the people of the chat, and as many events as the rounds have.
  private func fold(_ perBlock: Int, _ rounds: Int, _ directory: String) throws -> Int {
    let count = 10_000
    _ = try withChat(perBlock, directory) { store in
      let replay = try ProjectionReplay(FoldWorkload.projections, of: store, in: directory + "/replay")
      defer { replay.close() }
      _ = try replay.fold(through: Position(rawValue: UInt64(8_000 + count * rounds)))
    }
    return count
  }

  private func page(_ rounds: Int, _ directory: String) throws -> Int {
    let (workload, store) = (PageWorkload.cases(isQuick: true)[0], try openStore(directory))
    defer { store.close() }
    let events = workload.people() + (0..<workload.messageCount).map { workload.message($0) }
    _ = try store.appendBlocking(events.map { ChatCodec.encode($0) }) as Receipt
    let projections = try ProjectionStore(of: store, [ChatState.self], at: directory + "/projections")
    defer { projections.close() }
    var random = SplitMix(seed: 9)
    let pages = 500
    for _ in 0..<pages * rounds { keep(try PageBench.ours(projections, workload.page(&random))) }
    return pages
  }
}
