// A search with short runs, and histories of messages with few letters, so that many words share prefixes.
import Chat
import ChatCodec
import ChatSamples
import ChatProjections
import EventLog
import TextFolding
import SeededRandom
import Projections

/// A search projection with short runs and few sources and words per row.
struct SmallSearch: SearchProjection {
  static let name = "small"
  static let revision = "1"
  static let tableNames = searchTableNames
  static let cut = {
    var cut = SearchLayout()
    (cut.texts, cut.sources, cut.wordByteCount) = (7, 3, 30)
    return cut
  }()

  private var fold: SearchFold

  init(_ tables: ProjectionTables) { fold = SearchFold(tables, of: Self.self) }

  mutating func fold(_ event: EventView) throws { try fold.fold(event) }
}

// MARK: Reference

extension Reference {
  /// Returns the messages that a query finds, by a scan of all.
  func found(_ query: String, _ question: SearchRequest) -> [Message] {
    let numbers = textNumbers
    return messages.filter { message in
      guard let channel = channel(message.key.channel), channel.config.has(.search) else { return false }
      return message.presence == .present && message.number > channel.truncated
        && (question.channel == nil || question.channel == message.key.channel)
        && (question.author == nil || question.author == message.author)
        && (message.content.kind != .ephemeral || message.author != nil && message.author == question.viewer)
        && matches(query, message.content.text.string)
    }.sorted { numbers[$0.key]! > numbers[$1.key]! }
  }

  /// The number of the newest text of each message.
  private var textNumbers: [Message.Key: Int] {
    var (numbers, count): ([Message.Key: Int], Int) = ([:], 0)
    for (_, event) in events {
      guard case .message(let key, let change) = event.change else { continue }
      switch change {
      case .sent: break
      case .edited(let edits) where edits.text != nil: break
      default: continue
      }
      count += 1
      numbers[key] = count
    }
    return numbers
  }

  /// Returns whether every word of one text is a prefix of a word of another; only case is folded.
  private func matches(_ query: String, _ text: String) -> Bool {
    let (query, text) = (query.lowercased().split(separator: " "), text.lowercased().split(separator: " "))
    return !query.isEmpty && query.allSatisfy { beginning in text.contains { $0.hasPrefix(beginning) } }
  }
}

// MARK: Histories

/// A random history of the messages of three channels, with everything that changes search results.
struct MessageHistory {
  private(set) var reference = Reference()
  private(set) var events: [ChatEvent] = []
  private var random: SeededRandom
  private var count = 0
  private static let channels: [Channel.ID] = ["a", "ab", "b"]

  init(_ random: SeededRandom) {
    self.random = random
    for channel in Self.channels {
      add(.channel(channel, .created("team", Channel.Profile(), ChannelConfig())), by: .system)
    }
  }

  private mutating func add(_ change: ChatEvent.Change, by actor: Author) {
    let event = ChatEvent(change, EventOrigin(by: actor, at: Timestamp(rawValue: Int64(events.count / 3))))
    events.append(event)
    reference.fold(event, at: Position(rawValue: UInt64(events.count)))
  }

  /// Returns a text of few letters; rarely an empty one, or one with a word longer than the kept length.
  static func text(_ random: inout SeededRandom) -> String {
    if random.once(in: 12) {
      return random.pick(["", " ", String(repeating: random.pick(["a", "b"]), count: 39 + random.below(4))])
    }
    return (0...random.below(4)).map { _ in word(&random) }.joined(separator: " ")
  }

  static func word(_ random: inout SeededRandom) -> String {
    (0...random.below(3)).map { _ in random.pick(["a", "B", "b", "c"]) }.joined()
  }

  /// Appends a random event.
  mutating func step() {
    let actor: Author = random.once(in: 8) ? .system : .user(random.pick(["u", "v", "w"]))
    let message = reference.messages.isEmpty ? nil : random.pick(reference.messages)
    guard let message, random.below(10) < 5 else { return send(by: actor) }
    if random.once(in: 60) { return changeChannel(message.key.channel) }
    guard let event = event(of: message) else { return }
    add(.message(message.key, event), by: random.bool() ? actor : message.author.map { .user($0) } ?? actor)
  }

  private mutating func send(by actor: Author) {
    count += 1
    let kind: Message.Kind = random.once(in: 6) ? .ephemeral : .regular
    let id: Message.ID = ID(stringLiteral: "m\(random.below(10))-\(count)")
    let content = Message.Content(UserText(Self.text(&random)), kind: kind)
    add(.message(Message.Key(random.pick(Self.channels), id), .sent(content)), by: actor)
  }

  private mutating func changeChannel(_ id: Channel.ID) {
    var config = ChannelConfig()
    if random.bool() { config.off.insert(.search) }
    let newest = reference.channel(id)?.newest.rawValue ?? 0
    let number = Message.Number(rawValue: UInt64(random.below(Int(newest) + 1)) / 2)
    let event: Channel.Event = random.pick([
      .configured(config), .configured(ChannelConfig()), .truncated(through: number),
      random.once(in: 12) ? .deleted : .frozen,
    ])
    add(.channel(id, event), by: .system)
  }

  private mutating func event(of message: Message) -> Message.Event? {
    switch (message.presence, random.below(12)) {
    case (.present, 0...5): .edited(Message.Edits(text: UserText(Self.text(&random))))
    case (.present, 6): .edited(Message.Edits(extra: ["n": 1]))
    case (.present, 7...8): .deleted(forGood: random.once(in: 3))
    case (.present, _):
      message.content.kind != .ephemeral ? nil : random.bool() ? .ephemeralSent : .ephemeralCancelled
    case (.deleted, 0...7): .restored
    case (.deleted, 8): .deleted(forGood: true)
    default: nil
    }
  }
}
