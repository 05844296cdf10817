// Threat: a search misses a message, finds it by former words or twice, or finds it for a user who must not see it.
import Chat
import ChatSamples
import ChatProjections
import Digests
import EventLog
import SeededRandom
import Testing
import Projections

@Suite struct `Search results` {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func projections(_ store: EventStore, _ name: String = "projections") throws -> ProjectionStore {
    try ProjectionStore(of: store, [ChatState.self, SmallSearch.self, ChatSearch.self], at: scratch.path + "/" + name)
  }

  /// Runs some queries, all pages of each, on the search with short runs and on the real one.
  private func expectSame(
    _ projections: ProjectionStore, _ reference: Reference, _ random: inout SeededRandom, _ place: String
  ) throws {
    var random_ = random
    try projections.read { reading throws(ProjectionError) in
      for _ in 0..<12 {
        let query = random_.pick([MessageHistory.word(&random_), MessageHistory.text(&random_)])
        var question = SearchRequest(query, limit: random_.pick([1, 2, 3, 10, 1000]))
        question.channel = random_.maybe { $0.pick(["a", "ab", "b", "nowhere"]) }
        question.author = random_.once(in: 3) ? random_.pick(["u", "v", "nobody"]) : nil
        question.viewer = random_.maybe { $0.pick(["u", "v", "w"]) }
        let expected = reference.found(query, question).map(\.key)
        let comment: Comment = "\(query), \(question), \(place)"
        #expect(try all(reading.chat, question, in: SmallSearch.self).map(\.key) == expected, comment)
        #expect(try all(reading.chat, question, in: ChatSearch.self).map(\.key) == expected, comment)
      }
    }
    random = random_
    #expect(projections.stops == [])
  }

  /// Returns the messages of all pages; expects each but the last to be full.
  private func all<Owner: SearchProjection>(
    _ chat: borrowing ChatReading, _ question: SearchRequest, in owner: Owner.Type
  ) throws(ProjectionError) -> [Message] {
    var (question, found): (SearchRequest, [Message]) = (question, [])
    repeat {
      let page = try chat.messages(question, in: owner)
      #expect(page.next == nil ? page.messages.count <= question.limit : page.messages.count == question.limit)
      found += page.messages
      if page.next != nil, page.next == question.cursor {
        Issue.record("a page leads to itself")
        break
      }
      question.cursor = page.next
    } while question.cursor != nil
    return found
  }

  @Test(arguments: [true, false])
  func `search results equal a scan of all messages, at every moment`(inMemory: Bool) throws {
    var random = SeededRandom.printingSeed()
    let seed = random.seed
    var history = MessageHistory(random)
    let store = try scratch.log(inMemory: inMemory)
    var projections = try projections(store)
    var appended = 0
    for step in 0..<700 {
      history.step()
      guard random.once(in: 3) else { continue }
      try store.append(Array(history.events[appended...]))
      appended = history.events.count
      if random.once(in: 10) { try projections.catchUp() }
      guard random.once(in: 12) else { continue }
      try expectSame(projections, history.reference, &random, "seed \(seed), step \(step)")
      if random.once(in: 3) {
        projections.close()
        projections = try self.projections(store)
        try expectSame(projections, history.reference, &random, "seed \(seed), opened again at step \(step)")
      }
    }
  }

  @Test func `two stores that fold alternately into one table store find the same messages`() throws {
    var random = SeededRandom.printingSeed()
    let seed = random.seed
    var history = MessageHistory(random)
    let store = try scratch.log(inMemory: false)
    let projections = [try projections(store), try projections(store)]
    var appended = 0
    for step in 0..<500 {
      history.step()
      try store.append(Array(history.events[appended...]))
      appended = history.events.count
      let one = projections[random.below(2)]
      if random.once(in: 4) { try one.catchUp() }
      if random.once(in: 20) { try expectSame(one, history.reference, &random, "seed \(seed), step \(step)") }
    }
  }

  @Test func `the search tables do not depend on block sizes`() throws {
    var random = SeededRandom.printingSeed()
    var history = MessageHistory(random)
    for _ in 0..<400 { history.step() }
    var digests: [[Checkpoint.Digest]] = []
    for size in [1, 7, 100, history.events.count] {
      let store = try scratch.log(inMemory: true)
      for start in stride(from: 0, to: history.events.count, by: size) {
        try store.append(Array(history.events[start..<min(history.events.count, start + size)]))
      }
      let projections = try projections(store, "views-\(size)")
      digests.append(try #require(try projections.checkpoint()).digests)
      try expectSame(projections, history.reference, &random, "seed \(random.seed), \(size) in a block")
      try projections.read { reading throws(ProjectionError) in
        let count = try reading.row(of: Array("texts".utf8), in: ProjectionTable<SmallSearch, TextNumber>("counts"))
        var open: UInt64 = 0
        try reading.forEachRow(of: ProjectionTable<SmallSearch, UnindexedText>("open")) { _, _ in
          open += 1
          return true
        }
        // A text in a run is not kept twice.
        #expect(count?.rawValue ?? 0 > 100 && open == (count?.rawValue ?? 0) % SmallSearch.cut.texts)
      }
    }
    #expect(Set(digests).count == 1, "seed \(random.seed)")
  }

  @Test func `search results are present messages, each once, for any events in any order`() throws {
    var random = SeededRandom.printingSeed()
    var history = MessageHistory(random)
    for _ in 0..<600 { history.step() }
    let events = (history.events + random.events(ofEach: 8)).shuffled(using: &random)
    let store = try scratch.log(inMemory: true)
    for start in stride(from: 0, to: events.count, by: 100) { try store.append(Array(events[start...].prefix(100))) }
    let projections = try projections(store)
    var (state, next) = (InMemoryChatState(), Position.first)
    try store.fold(from: &next, into: &state)
    try projections.read { reading throws(ProjectionError) in
      for query in ["a", "b", "c", "ab", "hello", "two words"] {
        let found = try all(reading.chat, SearchRequest(query, limit: 5), in: SmallSearch.self)
        #expect(Set(found.map(\.key)).count == found.count, "seed \(random.seed)")
        #expect(found.allSatisfy { state[$0.key] == $0 && $0.presence == .present }, "seed \(random.seed)")
      }
    }
    #expect(projections.stops == [], "seed \(random.seed)")
  }
}
