// Measures reading a page of messages, from our tables and from SQLite.
import Chat
import ChatCodec
import ChatProjections
import EventLog
import EventLogLMDB
import Foundation
import Projections

/// The benchmarks of a page of 50 messages: anywhere in a channel of 100,000, and the newest of any of 10,000.
struct PageBench {
  static let pageSize = 50
  let options: Options
  let disk: Disk

  func run() throws -> Grid {
    let pages = options.isQuick ? 500 : 5_000
    let columns = try PageWorkload.cases(isQuick: options.isQuick).map { workload in
      let directory = try disk.makeDirectory()
      let store = try EventStore.open(at: directory + "/log", options: LMDBLog.Options(creates: true))
      defer { store.close() }
      let sqlite = try SQLiteMessages(path: directory + "/messages.db")
      var events = workload.people()
      for message in 0..<workload.messageCount {
        let event = workload.message(message)
        events.append(event)
        if events.count >= 10_000 || message == workload.messageCount - 1 {
          _ = try store.appendBlocking(events.map { encode($0) }) as Receipt
          try sqlite.insert(events)
          events.removeAll(keepingCapacity: true)
        }
      }
      let projections = try ProjectionStore(of: store, [ChatState.self], at: directory + "/projections")
      try projections.read { _ in }
      defer { projections.close() }
      var random = SplitMix(seed: 9)
      let contestants: [Contestant] = [
        { try times(pages, "ours") { try Self.ours(projections, workload.page(&random)) } },
        { try times(pages, "sqlite") { try sqlite.page(workload.page(&random), Self.pageSize) } },
      ]
      return (workload.name, try inTurn(contestants, rounds: options.rounds, unit: .nanoseconds))
    }
    return Grid(
      "pages", "A page of \(Self.pageSize) messages, ns", columns: columns,
      rows: ["ours, p50", "sqlite, p50", "ours, p99", "sqlite, p99"],
      ratios: [Ratio("sqlite, p50", to: "ours, p50"), Ratio("sqlite, p99", to: "ours, p99")])
  }

  static func ours(_ projections: ProjectionStore, _ page: PageWorkload.Page) throws -> Int {
    try projections.read { reading throws(ProjectionError) in
      let span = page.before.map { MessageSpan.before($0) } ?? .latest
      return try reading.chat.messages(in: page.channel, span, limit: Self.pageSize).messages.count
    }
  }

  /// Returns the 50th and the 99th percentile of page reads, after a warm-up.
  private func times(_ count: Int, _ name: String, _ page: () throws -> Int) throws -> [String: Double] {
    for _ in 0..<count / 5 { keep(try page()) }
    var nanoseconds: [Double] = []
    for _ in 0..<count {
      var found = 0
      nanoseconds.append(try seconds { found = try page() } * 1e9)
      guard found == Self.pageSize else { throw Usage(message: "\(name) found \(found) messages") }
    }
    nanoseconds.sort()
    return [name + ", p50": nanoseconds[count / 2], name + ", p99": nanoseconds[count * 99 / 100]]
  }
}

/// Channels with messages, and pages of them.
struct PageWorkload {
  let name: String
  let channelCount: Int
  let messageCount: Int

  /// The requested page: the newest, or the one before a message.
  struct Page {
    let channel: Channel.ID
    let before: Message.Number?
  }

  static func cases(isQuick: Bool) -> [PageWorkload] {
    let scale = isQuick ? 20 : 1
    return [
      PageWorkload(name: "a channel of 100,000", channelCount: 1, messageCount: 100_000 / scale),
      PageWorkload(name: "10,000 channels", channelCount: 10_000 / scale, messageCount: 600_000 / scale),
    ]
  }

  private static let users = (0..<100).map { User.ID(stringLiteral: "user-\(100 + $0)") }
  private static let words = "The quick brown fox jumps over the lazy dog, and that is all there is to say."

  func channel(_ number: Int) -> Channel.ID { ID(stringLiteral: "channel-\(10_000 + number)") }

  func people() -> [ChatEvent] {
    let users = Self.users.map { ChatEvent.Change.user($0, .created(User.Profile(name: "Somebody"), .user)) }
    let channels = (0..<channelCount).map { number in
      ChatEvent.Change.channel(channel(number), .created("messaging", Channel.Profile(), ChannelConfig()))
    }
    return (users + channels).map { ChatEvent($0, EventOrigin(by: .system, at: Timestamp(rawValue: 0))) }
  }

  /// Returns the message with a number; consecutive messages are in different channels.
  func message(_ number: Int) -> ChatEvent {
    let key = Message.Key(
      channel(number % channelCount), ID(stringLiteral: "01JABCDEFGHJKMNPQR\(20_000_000 + number)"))
    let user = Self.users[number * 37 % Self.users.count]
    let content = Message.Content(UserText(Self.words), client: ID(stringLiteral: "c\(20_000_000 + number)"))
    return ChatEvent(
      .message(key, .sent(content)),
      EventOrigin(by: .user(user, on: "phone"), at: Timestamp(rawValue: Int64(number) * 1000)))
  }

  func page(_ random: inout SplitMix) -> Page {
    if channelCount > 1 { return Page(channel: channel(Int(random.next() % UInt64(channelCount))), before: nil) }
    let before = 52 + random.next() % UInt64(messageCount - 52)
    return Page(channel: channel(0), before: Message.Number(rawValue: before))
  }
}
