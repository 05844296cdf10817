// Measures message search: folding the index, its size, and queries.
import Chat
import ChatProjections
import EventLog
import Foundation
import TextFolding
import Projections

/// The benchmarks of the search.
struct SearchBench {
  let options: Options
  let disk: Disk

  func run() throws -> [Grid] { [try folding(), try asking()] }

  // MARK: Folding

  private func folding() throws -> Grid {
    let columns = try [10, 1000].map { perBlock -> (name: String, figures: [String: Figure]) in
      let directory = try disk.makeDirectory()
      let store = try openStore(directory)
      defer { store.close() }
      let count = options.isQuick ? 60_000 : perBlock < 100 ? 240_000 : 1_200_000
      var workload = FoldWorkload(seed: 7, speech: Speech(seed: 8))
      for _ in 0..<count / perBlock { _ = try store.appendBlocking(workload.next(perBlock)) }
      let contestants: [Contestant] = [
        { ["read": try perMessage(count / 12) { try scan(store) }] },
        { ["search": try perMessage(count / 12) { try fold(store, [ChatSearch.self]) }] },
        { ["state": try perMessage(count / 12) { try fold(store, [ChatState.self]) }] },
        { ["state and search": try perMessage(count / 12) { try fold(store, [ChatState.self, ChatSearch.self]) }] },
        { ["letters": letters()] },
      ]
      return ("\(perBlock) in a block", try inTurn(contestants, rounds: options.rounds, unit: .nanoseconds))
    }
    return Grid(
      "search fold", "A message with eleven other events, folded and written, ns of processor time", columns: columns,
      rows: ["read", "search", "state", "state and search", "letters"])
  }

  private func fold(_ store: EventStore, _ types: [any Projection.Type]) throws {
    try disk.withDirectory { directory in
      let projections = try ProjectionStore(of: store, types, at: directory + "/projections")
      guard try projections.checkpoint()?.position == store.head().position, projections.stops.isEmpty else {
        throw Usage(message: "the views stopped: \(projections.stops)")
      }
      projections.close()
    }
  }

  private func scan(_ store: EventStore) throws {
    var sum = 0
    try store.log.blocks(from: .first, .forward, checks: .full) { block in
      for index in 0..<block.count { sum &+= block.event(at: index).payload.byteCount }
      return .next
    }
    keep(sum)
  }

  private func perMessage(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return Double(clock() - start) * 1e9 / Double(CLOCKS_PER_SEC) / Double(count)
  }

  /// Returns the nanoseconds to split a text of ten words into words.
  private func letters() -> Double {
    var speech = Speech(seed: 9)
    let texts = (0..<1000).map { _ in speech.text() }
    var sum = 0
    let taken = seconds { for _ in 0..<20 { for text in texts { forEachWord(of: text) { sum &+= $0.count } } } }
    keep(sum)
    return taken * 1e9 / 20_000
  }

  // MARK: Asking

  private func asking() throws -> Grid {
    let count = options.isQuick ? 30_000 : 1_000_000
    let directory = try disk.makeDirectory()
    let store = try openStore(directory)
    defer { store.close() }
    var workload = FoldWorkload(seed: 7, speech: Speech(seed: 8))
    for _ in 0..<count / 1000 { _ = try store.appendBlocking(workload.messages(1000)) }
    // Another half a run of messages, which remain in the open run.
    _ = try store.appendBlocking(workload.messages(2000))
    let projections = try ProjectionStore(of: store, [ChatState.self, ChatSearch.self], at: directory + "/projections")
    try projections.catchUp()
    defer { projections.close() }
    let contestants = questions.map { question -> Contestant in
      { [question.name: try time(projections, question.ask)] }
    }
    var figures = try inTurn(contestants, rounds: options.rounds, unit: .nanoseconds)
    let alone = try ProjectionStore(of: store, [ChatSearch.self], at: directory + "/search")
    try alone.catchUp()
    alone.close()
    let size = Double(disk.size(of: directory + "/search").onDisk) / Double(count)
    figures["bytes for a message"] = Figure(unit: .bytes, samples: [size])
    return Grid(
      "search", "Questions to \(count) messages, ns by the clock, and what is stored", columns: [("", figures)],
      rows: questions.map(\.name) + ["bytes for a message"])
  }

  private struct Question {
    let name: String
    let ask: (borrowing ChatReading) throws(ProjectionError) -> SearchPage

    init(_ name: String, _ text: String, in channel: Channel.ID? = nil, by author: User.ID? = nil) {
      self.name = name
      ask = { chat throws(ProjectionError) in try chat.messages(matching: text, in: channel, by: author, limit: 20) }
    }
  }

  private var questions: [Question] {
    let (often, seldom) = (Speech.word(3), Speech.word(Speech.wordCount - 5))
    return [
      Question("a word that nobody said", "qqqq"), Question("a word seldom said", seldom),
      Question("a word often said", often), Question("one letter", "b"),
      Question("two words often said", often + " " + Speech.word(5)),
      Question("often and seldom", often + " " + seldom),
      Question("often, in one of 200 channels", often, in: "channel-1003"),
      Question("often, by one of 1000 users", often, by: "user-100111"),
    ]
  }

  /// Returns the duration of a query after a warm-up.
  private func time(
    _ projections: ProjectionStore, _ ask: (borrowing ChatReading) throws(ProjectionError) -> SearchPage
  ) throws -> Double {
    let rounds = 5
    return try projections.read { reading throws(ProjectionError) in
      keep(try ask(reading.chat))
      let start = ContinuousClock.now
      for _ in 0..<rounds { keep(try ask(reading.chat)) }
      return secondsSince(start) * 1e9 / Double(rounds)
    }
  }
}
