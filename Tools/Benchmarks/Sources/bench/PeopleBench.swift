// Measures finding users and channels among many: mention suggestions and list contents.
import Chat
import ChatCodec
import ChatProjections
import EventLog
import Projections

/// The benchmarks of user queries, in microseconds per query.
struct PeopleBench {
  let options: Options
  let disk: Disk

  func run() throws -> Grid {
    let workload = PeopleWorkload(memberCount: options.isQuick ? 10_000 : 100_000)
    let directory = try disk.makeDirectory()
    let store = try workload.fill()
    let projections = try ProjectionStore(of: store, [ChatState.self], at: directory + "/projections")
    guard try projections.checkpoint()?.position == store.head().position, projections.stops.isEmpty else {
      throw Usage(message: "the state stopped: \(projections.stops)")
    }
    defer { projections.close() }
    var figures = ["p50", "p99"].map { (name: $0, figures: [String: Figure]()) }
    let questions = workload.questions
    for (name, ask) in questions {
      let rounds = try (0..<options.rounds).map { _ in try measure(projections, ask) }
      for column in figures.indices {
        figures[column].figures[name] = Figure(unit: .microseconds, samples: rounds.map { $0[column] })
      }
    }
    let title =
      "Questions about \(workload.memberCount) members and \(workload.channelCount) channels, µs"
    return Grid("people", title, columns: figures, rows: questions.map(\.name))
  }

  /// Returns the median and the 99th percentile of a query's duration.
  private func measure(_ projections: ProjectionStore, _ ask: PeopleWorkload.Question) throws -> [Double] {
    var times: [Double] = []
    try projections.read { reading throws(ProjectionError) in
      let start = ContinuousClock.now
      // Slow queries are repeated less often.
      while times.count < 20 || times.count < 1000 && secondsSince(start) < 2 {
        // The fastest of five runs counts, which excludes the load by other processes.
        var least = Double.infinity
        for _ in 0..<5 {
          let begin = ContinuousClock.now
          keep(try ask(reading.chat, times.count))
          least = min(least, secondsSince(begin))
        }
        times.append(least * 1_000_000)
      }
    }
    times.sort()
    return [times[times.count / 2], times[times.count * 99 / 100]]
  }
}

/// Many users in two channels, in one of which all have sent a message; and a user who is in many channels.
struct PeopleWorkload {
  typealias Question = (borrowing ChatReading, Int) throws(ProjectionError) -> Int

  let memberCount: Int
  var channelCount: Int { memberCount / 10 }

  private static let firstNames = (0..<1500).map { Self.name($0 &* 7919 &+ 13) }
  private static let lastNames = (0..<6000).map { Self.name($0 &* 104_729 &+ 71) }

  /// The queries, each with varying letters, names or numbers of names.
  var questions: [(name: String, ask: Question)] {
    var all: [(name: String, ask: Question)] = []
    for (place, channel) in [("all active", "lively"), ("none active", "silent")] as [(String, Channel.ID)] {
      let typed: [(String, (Int) -> UserText)] = [
        ("nothing typed", { _ in "" }), ("a letter", { UserText(String(Self.firstNames[$0 % 1500].prefix(1))) }),
        ("two letters", { UserText(String(Self.firstNames[$0 % 1500].prefix(2))) }),
        ("three letters", { UserText(String(Self.lastNames[$0 % 6000].prefix(3))) }),
        ("a last name", { UserText(Self.lastNames[$0 % 6000]) }), ("what none is called", { "xq\($0)" }),
      ]
      for (name, typed) in typed {
        all.append(
          (
            "\(name), \(place)",
            { chat, number throws(ProjectionError) in
              try chat.members(of: channel, matching: typed(number), limit: 10).count
            }
          ))
      }
    }
    for (name, order) in [("activity", .lastActivity), ("unread", .unreadFirst), ("name", .name)]
      as [(String, ChannelOrder)]
    {
      all.append(
        (
          "20 channels by \(name)",
          { chat, _ throws(ProjectionError) in
            try chat.channels(of: "user-100000", by: order, at: Timestamp(rawValue: .max), limit: 20).channels.count
          }
        ))
    }
    return all
  }

  func fill() throws -> EventStore {
    let clock = SteppingClock()
    var configuration = EventStore.Configuration()
    configuration.clock = { clock.next() }
    let store = EventStore.inMemory(configuration: configuration)
    var block: [ProposedEvent] = []
    func add(_ change: ChatEvent.Change, by user: User.ID?, perBlock: Int = 1000) throws {
      let actor = user.map { Author.user($0, on: nil) } ?? .system
      block.append(encode(ChatEvent(change, EventOrigin(by: actor, at: Timestamp(rawValue: 0)))))
      if block.count >= perBlock { try end() }
    }
    func end() throws {
      if !block.isEmpty { _ = try store.appendBlocking(block) as Receipt }
      block = []
    }
    var random = SplitMix(seed: 11)
    let channels =
      ["lively", "silent"] + (0..<channelCount).map { Channel.ID(stringLiteral: "channel-\(100_000 + $0)") }
    for (number, id) in channels.enumerated() {
      let profile = Channel.Profile(name: UserText(Self.name(number &* 31)))
      try add(.channel(id, .created("messaging", profile, ChannelConfig())), by: nil)
      if number > 1 { try add(.member(Member.Key(id, user(0)), .added(.member)), by: nil) }
    }
    for number in 0..<memberCount {
      let first = Self.firstNames[Int(random.next() % 1500)]
      let name = UserText(first + " " + Self.lastNames[Int(random.next() % 6000)])
      try add(.user(user(number), .created(User.Profile(name: name), .user)), by: user(number))
      for id in channels[..<2] { try add(.member(Member.Key(id, user(number)), .added(.member)), by: nil) }
    }
    try end()
    // Each event has an instant of its own.
    for number in (0..<memberCount).shuffled(using: &random) {
      let key = Message.Key("lively", ID(stringLiteral: "m\(number)"))
      try add(.message(key, .sent(Message.Content("hello"))), by: user(number), perBlock: 1)
    }
    for (number, id) in channels.dropFirst(2).enumerated().shuffled(using: &random) where number % 4 != 0 {
      for count in 0..<1 + number % 3 {
        let key = Message.Key(id, ID(stringLiteral: "m\(count)"))
        try add(.message(key, .sent(Message.Content("hello"))), by: user(count + 1), perBlock: 1)
      }
    }
    return store
  }

  private func user(_ number: Int) -> User.ID { ID(stringLiteral: "user-\(100_000 + number)") }

  /// Returns a name that users have or can have.
  func name(_ number: Int) -> String { Self.firstNames[number % 1500] }

  /// Returns a name of two or three syllables.
  private static func name(_ number: Int) -> String {
    let starts = ["b", "br", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "sh", "t", "v", "w", "z", ""]
    let ends = ["a", "an", "e", "el", "i", "in", "o", "or", "u", "um"]
    var (rest, name) = (UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 >> 20, "")
    for _ in 0..<2 + rest % 2 {
      name += starts[Int(rest / 2 % 20)] + ends[Int(rest / 40 % 10)]
      rest /= 400
    }
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}

/// A clock that advances by a millisecond with each reading, and starts far after the log's first timestamp.
// Safe because only the appending thread reads it.
private final class SteppingClock: @unchecked Sendable {
  private var now: Int64 = 10_000_000_000_000_000

  func next() -> Timestamp {
    now += 1000
    return Timestamp(rawValue: now)
  }
}
