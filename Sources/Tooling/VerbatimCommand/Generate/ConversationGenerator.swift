// A conversation that nobody had: who wants what, moment after moment, all of it from a seed.
internal import Chat
internal import Verbatim

/// How large a conversation is.
struct ConversationSize: Hashable, Sendable {
  /// How many people there are.
  var users = 20
  /// How many channels they talk in.
  var channels = 5
  /// How many messages they send.
  var messages = 1000
  /// Whether each letter is recorded as it is typed.
  var keystrokes = false
}

/// What happens at one instant; it makes one block of the log.
struct Moment: Hashable, Sendable {
  /// When.
  let instant: Instant
  /// What is wanted, in order.
  let submissions: [Submission]
}

/// A conversation that goes on for as long as there are messages to send.
///
/// It knows what it made happen, and wants nothing that would be refused. It draws from nothing but its seed, so that
/// two with the same seed and size are the same, moment for moment.
struct ConversationGenerator: Sendable {
  /// When conversations begin: in the morning of the first day of 2026.
  static let start = Instant(rawValue: 1_767_254_400_000_000)

  let size: ConversationSize
  var random: SeededNumbers
  /// What time it is.
  private(set) var now = Self.start
  var people: [Person] = []
  var rooms: [GeneratedChannel] = []
  var writers: [Writer] = []
  var drafts: [LeftDraft] = []
  /// How many messages were sent.
  var sentCount = 0
  /// How many were begun, so that no more are sent than are wanted.
  var begunCount = 0
  private var beginning: [[Submission]] = []
  private var hasEnded = false

  init(seed: UInt64, size: ConversationSize) {
    self.size = size
    random = SeededNumbers(seed: seed)
    people = (0..<max(1, size.users)).map { Person(number: $0, &random) }
    rooms = (0..<max(1, size.channels)).map { room($0) }
    // Who comes first is taken last.
    beginning = (arrivals() + openings()).reversed()
  }

  /// What happens next; nil when all is over.
  mutating func next() -> Moment? {
    while !hasEnded {
      pass()
      let wanted = beginning.popLast() ?? goOn()
      if !wanted.isEmpty { return Moment(instant: now, submissions: wanted) }
    }
    return nil
  }

  /// Time passes: about a second, at times a pause, and now and then a night.
  private mutating func pass() {
    var microseconds = random.number(700_000...1_300_000)
    if random.happens(10) { microseconds += random.number(20...600) * 1_000_000 }
    if random.happens(1) { microseconds += random.number(6...11) * 3_600_000_000 }
    now = now + Microseconds(rawValue: Int64(microseconds))
  }

  private mutating func goOn() -> [Submission] {
    if sentCount >= size.messages {
      hasEnded = true
      return farewells()
    }
    return write() + doings()
  }

  /// Who was still writing when it was over goes away, and keeps what was written.
  private mutating func farewells() -> [Submission] {
    guard size.keystrokes else { return [] }
    return writers.filter(\.hasBegun).map { record([.left(keepingContent: true)], $0) }
  }
}

// MARK: Who, where, what

/// Somebody who takes part.
struct Person: Sendable {
  let id: User.ID
  let name: String
  let phrases: Phrases
  /// How many letters they type in a second.
  let pace: Int
  /// Whether they are writing somewhere.
  var isWriting = false

  fileprivate init(number: Int, _ random: inout SeededNumbers) {
    let name = Phrases.names[number % Phrases.names.count]
    let round = number / Phrases.names.count
    self.name = round == 0 ? name : "\(name) \(round + 1)"
    id = ID(stringLiteral: "\(name.lowercased().asciiLetters)\(round == 0 ? "" : "-\(round + 1)")")
    phrases = random.one(of: Phrases.spoken)
    pace = random.number(3...8)
  }
}

/// A channel, as far as those who talk in it care.
struct GeneratedChannel: Sendable {
  let id: Channel.ID
  let topic: String
  let owner: Int
  /// Who is in it, the owner first.
  var members: [Int]
  /// Who was in it and left.
  var former: [Int] = []
  /// Who may not write in it for now.
  var banned: [Int] = []
  /// What was said last, and can still be seen.
  var said: [Said] = []
  /// The last reaction, if it may be taken back.
  var reaction: Reacted?
}

/// A reaction of somebody to a message.
struct Reacted: Sendable {
  let person: Int
  let message: Message.ID
  let kind: Reaction.Kind
}

/// A message that somebody sent.
struct Said: Sendable {
  let id: Message.ID
  let author: Int
  var text: String
  /// Whether it is a reply in a thread.
  let isReply: Bool
  var isDeleted = false
}

/// Something that was written and not sent.
struct LeftDraft: Sendable {
  let person: Int
  let room: Int
  let thread: Message.ID?
  let text: String
}

extension ConversationGenerator {
  private mutating func room(_ number: Int) -> GeneratedChannel {
    let topic = Phrases.topics[number % Phrases.topics.count]
    let round = number / Phrases.topics.count
    let id = round == 0 ? topic : "\(topic)-\(round + 1)"
    let owner = number % people.count
    // Everybody is in the first; others are for a few.
    if number == 0 {
      let members = Array(people.indices)
      return GeneratedChannel(id: ID(stringLiteral: id), topic: topic, owner: owner, members: members)
    }
    let count = min(people.count, random.number(2...24))
    var members = [owner]
    while members.count < count {
      let person = random.below(people.count)
      if !members.contains(person) { members.append(person) }
    }
    return GeneratedChannel(id: ID(stringLiteral: id), topic: topic, owner: owner, members: members)
  }

  /// A submission by somebody, on one of their devices.
  func wish(_ intents: [ChatIntent], of person: Int, on device: Device.ID? = "phone") -> Submission {
    Submission(intents, by: .user(people[person].id, on: device))
  }

  /// Somebody in a room who may do something there.
  mutating func somebody(in room: Int) -> Int? {
    let person = random.one(of: rooms[room].members)
    return rooms[room].banned.contains(person) ? nil : person
  }
}

// MARK: How it begins

extension ConversationGenerator {
  /// Everybody comes, a few at a time.
  private func arrivals() -> [[Submission]] {
    let all = people.indices.map { number in
      let person = people[number]
      let device = Device.Key(person.id, "phone")
      return wish(
        [
          .user(person.id, .create(User.Profile(name: UserText(person.name)))),
          .device(device, .add(Device.Info(name: "Phone of \(person.name)"))),
        ], of: number)
    }
    let admin = Submission([.user(people[0].id, .changeRole(.admin))], by: .system)
    return stride(from: 0, to: all.count, by: 50).map { Array(all[$0..<min($0 + 50, all.count)]) } + [[admin]]
  }

  /// The channels are made, with those who are in them.
  private func openings() -> [[Submission]] {
    rooms.map { room in
      let members = room.members.dropFirst().map { people[$0].id }
      let profile = Channel.Profile(name: UserText(room.topic))
      let config = ChannelConfig()
      let first = wish(
        [.channel(room.id, .create("messaging", profile, config, members: Array(members.prefix(100))))], of: room.owner)
      let more = members.dropFirst(100).map { ChatIntent.member(Member.Key(room.id, $0), .add(.member)) }
      return [first] + (more.isEmpty ? [] : [wish(more, of: room.owner)])
    }
  }
}

extension String {
  /// The text with the letters of ASCII alone, and x for all others.
  fileprivate var asciiLetters: String {
    String(decoding: unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: "x") }, as: UTF8.self)
  }
}
