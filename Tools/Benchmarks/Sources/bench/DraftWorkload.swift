// A user with many drafts in many channels, most of them in threads, and changes of these drafts.
import Synchronization
import Verbatim

/// A workspace with a user's drafts, as many targets with a deleted draft, and occasional changes.
final class DraftWorkload {
  static let user: User.ID = "user-100000"
  private static let channelCount = 100

  let workspace: Workspace
  /// The targets with a draft, and those without one.
  private(set) var stored: [Draft.Key] = []
  private(set) var missing: [Draft.Key] = []
  private let clock = SteppingInstants()
  private var random = SplitMix(seed: 17)
  private var turn = 0
  /// The number of characters in the composer in which the user types.
  private var typed = 0

  var client: Client { workspace.client(user: Self.user, device: "phone") }

  /// Creates `count` drafts, and as many deleted ones.
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
    // Half are saved again, so that the order of updates differs from the order of creation.
    try submit(stored.shuffled(using: &random)[..<(count / 2)].map { save($0) })
  }

  private func save(_ place: Draft.Key) -> ChatIntent {
    let text = TypedText("I think that is \(random.next() % 1_000_000) times better than before, and that")
    return .draft(place, .update(Composition(text), editedAt: clock.now))
  }

  /// Submits each intent on its own, many concurrently, so that each has its own instant.
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

  /// Creates, changes and deletes `count` drafts in turn.
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
    try workspace.submitBlocking(Submission(intents, by: client.actor))
  }

  private static func take(_ places: inout [Draft.Key], _ random: inout SplitMix) -> Draft.Key {
    places.swapAt(Int(random.next() % UInt64(places.count)), places.count - 1)
    return places.removeLast()
  }

  /// Types `count` characters on another device, one event each, until they are durable.
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

/// A clock that advances by a millisecond with each reading.
private final class SteppingInstants: Sendable {
  private let count = Mutex<Int64>(0)

  func next() -> Timestamp {
    Timestamp(
      rawValue: count.withLock {
        $0 += 1; return $0
      } * 1000)
  }
  var now: Timestamp { Timestamp(rawValue: count.withLock { $0 } * 1000) }
}
