// A user with many drafts in many channels, most of them for threads, and what becomes of them.
import Synchronization
import Verbatim

/// A workspace with somebody's drafts, as many places where one was deleted, and what is changed from time to time.
final class DraftWorkload {
  static let user: User.ID = "user-100000"
  private static let channelCount = 100

  let workspace: Workspace
  /// Where drafts are, and where there are none.
  private(set) var stored: [Draft.Key] = []
  private(set) var missing: [Draft.Key] = []
  private let clock = SteppingInstants()
  private var random = SplitMix(seed: 17)
  private var turn = 0
  /// How many letters stand in the composer in which somebody types.
  private var typed = 0

  var client: Client { workspace.client(user: Self.user, device: "phone") }

  /// So many drafts, and so many that are deleted.
  init(count: Int, at path: String) throws {
    var configuration = Configuration()
    configuration.draftMessagesEnabled = true
    configuration.searchesMessages = false
    configuration.clock = { [clock] in clock.next() }
    workspace = try Workspace.open(at: path, configuration: configuration)
    try fill(count)
  }

  private func fill(_ count: Int) throws {
    try submit([.user(Self.user, .create(User.Profile(name: "Ada")))])
    let channels = (0..<Self.channelCount).map { Channel.ID(stringLiteral: "channel-\(1000 + $0)") }
    try submit(channels.map { .channel($0, .create("team", Channel.Profile(), ChannelConfig(), members: [])) })
    let places = (0..<2 * count).map { number -> Draft.Key in
      let thread: Message.ID? =
        number < Self.channelCount ? nil : ID(stringLiteral: "01JABCDEFGHJKMNPQR\(20_000_000 + number)")
      return Draft.Key(by: Self.user, in: channels[number % channels.count], thread: thread)
    }
    try submit(
      places.compactMap { place in
        place.thread.map { .message(Message.Key(place.channel, $0), .send(Message.Content("What do you think?"))) }
      })
    let shuffled = places.shuffled(using: &random)
    try submit(shuffled.map { save($0) })
    (stored, missing) = (Array(shuffled[..<count]), Array(shuffled[count...]))
    try submit(missing.map { .draft($0, .delete(.discarded, editedAt: clock.now)) })
    // Half are saved again, so that they were not saved last in the order in which they were saved first.
    try submit(stored.shuffled(using: &random)[..<(count / 2)].map { save($0) })
  }

  private func save(_ place: Draft.Key) -> ChatIntent {
    let text = TypedText(UserText("I think that is \(random.next() % 1_000_000) times better than before, and that"))
    return .draft(place, .update(Composition(text), editedAt: clock.now))
  }

  /// Submits each by itself, many at a time, so that each has its own instant.
  private func submit(_ intents: [ChatIntent]) throws {
    let (workspace, actor, lanes) = (workspace, client.actor, 64)
    try waiting {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
          group.addTask {
            for index in stride(from: lane, to: intents.count, by: lanes) {
              try await workspace.submit(intents[index], by: actor)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// So many drafts come, change and go, by turns.
  func change(_ count: Int) throws {
    var intents: [ChatIntent] = []
    for _ in 0..<count {
      turn += 1
      switch turn % 3 {
      case 0:
        let place = Self.take(&missing, &random)
        intents.append(save(place))
        stored.append(place)
      case 1: intents.append(save(stored[Int(random.next() % UInt64(stored.count))]))
      default:
        let place = Self.take(&stored, &random)
        intents.append(.draft(place, .delete(.discarded, editedAt: clock.now)))
        missing.append(place)
      }
    }
    try workspace.submit(Submission(intents, by: client.actor))
  }

  private static func take(_ places: inout [Draft.Key], _ random: inout SplitMix) -> Draft.Key {
    places.swapAt(Int(random.next() % UInt64(places.count)), places.count - 1)
    return places.removeLast()
  }

  /// Letters are typed elsewhere, one event each, until so many are on the disk.
  func type(_ count: Int) throws {
    let (workspace, key) = (workspace, Composer.Key(of: Self.user, on: "desk", in: "channel-1000"))
    typed = try waiting { [typed] in
      var length = typed
      let composer = try await workspace.openComposer(key)
      for number in 0..<count {
        let end = UTF16Offset(rawValue: length)
        let splice = length < 200 ? Splice(end..<end, to: "a") : Splice(.start..<end, to: "")
        length = length < 200 ? length + 1 : 0
        try composer.record([.typed(splice)])
        if number % 1000 == 999 { try await composer.flush() }
      }
      try await composer.flush()
      return length
    }
  }
}

/// A clock that is a millisecond further whenever it is asked.
private final class SteppingInstants: Sendable {
  private let count = Mutex<Int64>(0)

  func next() -> Instant {
    Instant(
      rawValue: count.withLock {
        $0 += 1; return $0
      } * 1000)
  }
  var now: Instant { Instant(rawValue: count.withLock { $0 } * 1000) }
}
