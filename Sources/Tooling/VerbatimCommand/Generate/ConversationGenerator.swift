// A generated conversation: a sequence of submissions drawn from a seed.
internal import Chat
internal import RandomNumbers
internal import Verbatim

/// The size of a generated conversation.
struct ConversationSize: Hashable, Sendable {
  /// The number of users.
  var users = 20
  /// The number of channels.
  var channels = 5
  /// The number of messages sent.
  var messages = 1000
  /// Whether each character is recorded as it is typed.
  var keystrokes = false
}

/// The submissions at one instant; they are committed as one block of the log.
struct Moment: Hashable, Sendable {
  /// The instant of the submissions.
  let instant: Timestamp
  /// The submissions, in order.
  let submissions: [Submission]
}

/// A generator of a conversation that continues until all messages are sent.
///
/// It tracks its own effects and submits nothing that would be refused. It depends on nothing but its seed: two
/// generators with the same seed and size are deterministic, moment for moment.
struct ConversationGenerator: Sendable {
  /// The start of conversations: the morning of the first of January 2026.
  static let start = Timestamp(rawValue: 1_767_254_400_000_000)

  let size: ConversationSize
  let seed: UInt64
  var random: SplitMix64
  /// The current instant.
  private(set) var now: Timestamp
  var people: [Person] = []
  var rooms: [GeneratedChannel] = []
  var writers: [Writer] = []
  var drafts: [LeftDraft] = []
  /// The number of messages sent.
  var sentCount = 0
  /// The number of messages begun, so that no more are sent than requested.
  var begunCount = 0
  /// Whether the conversation goes on in real time: without pauses of all users, and with fewer writers.
  var isLive = false
  /// The number of texts begun, from which the seeds of their rhythms follow.
  var textCount: UInt64 = 0
  /// The instant of the next actions besides typing, where keystrokes are recorded.
  private var nextActions: Timestamp
  /// The pause of all users that begins when nobody is writing.
  private var pendingPause = 0
  private var beginning: [[Submission]] = []
  private var hasEnded = false

  init(seed: UInt64, size: ConversationSize, startingAt start: Timestamp = Self.start) {
    (self.size, self.seed, now, nextActions) = (size, seed, start, start)
    random = SplitMix64(seed: seed)
    people = (0..<max(1, size.users)).map { Person(number: $0, &random) }
    rooms = (0..<max(1, size.channels)).map { room($0) }
    // Reversed, because elements are taken from the end.
    beginning = (arrivals() + openings()).reversed()
  }

  /// Advances the time to an instant, unless it is later already.
  mutating func advance(to instant: Timestamp) { now = max(now, instant) }

  /// Returns the next moment; nil at the end.
  mutating func next() -> Moment? {
    while !hasEnded {
      pass()
      let wanted = beginning.popLast() ?? goOn()
      if !wanted.isEmpty { return Moment(instant: now, submissions: wanted) }
    }
    return nil
  }

  /// Advances the time: by about a second, at times by a pause, now and then by a night. Where keystrokes are recorded,
  /// it advances by a fraction of a second, in which a user types one key at most.
  private mutating func pass() {
    var microseconds = size.keystrokes ? random.number(90_000...180_000) : random.number(700_000...1_300_000)
    if !size.keystrokes { microseconds += pause() }
    now = now + Microseconds(rawValue: Int64(microseconds))
  }

  /// Returns the duration of a pause of all users: mostly none.
  private mutating func pause() -> Int {
    var microseconds = 0
    if random.happens(10) { microseconds += random.number(20...600) * 1_000_000 }
    if random.happens(1) { microseconds += random.number(6...11) * 3_600_000_000 }
    return microseconds
  }

  private mutating func goOn() -> [Submission] {
    if sentCount >= size.messages {
      hasEnded = true
      return farewells()
    }
    guard size.keystrokes else {
      beginWriting()
      return write() + doings()
    }
    guard now >= nextActions else { return write() }
    nextActions = now + .seconds(1)
    if pendingPause == 0, !isLive { pendingPause = pause() }
    if pendingPause == 0 {
      beginWriting()
    } else if writers.isEmpty {
      // No pause of all users interrupts a text.
      now = now + Microseconds(rawValue: Int64(pendingPause))
      pendingPause = 0
    }
    return write() + doings()
  }

  /// Lets the users who are still writing leave their composers, which keep the text.
  private mutating func farewells() -> [Submission] {
    guard size.keystrokes else { return [] }
    return writers.filter(\.hasBegun).map { record([.left(keepingContent: true)], $0) }
  }
}

// MARK: Random choices

/// A generated user.
struct Person: Sendable {
  let id: User.ID
  let name: String
  let phrases: Phrases
  /// The number of characters typed per second.
  let pace: Int
  /// Whether the user is writing in a channel.
  var isWriting = false

  fileprivate init(number: Int, _ random: inout SplitMix64) {
    let name = Phrases.names[number % Phrases.names.count]
    let round = number / Phrases.names.count
    self.name = round == 0 ? name : "\(name) \(round + 1)"
    id = ID(stringLiteral: "\(name.lowercased().asciiLetters)\(round == 0 ? "" : "-\(round + 1)")")
    phrases = random.one(of: Phrases.spoken)
    pace = random.number(3...8)
  }
}

/// The state of a channel, as far as the generator needs it.
struct GeneratedChannel: Sendable {
  let id: Channel.ID
  let topic: String
  let owner: Int
  /// The members, the owner first.
  var members: [Int]
  /// The former members.
  var former: [Int] = []
  /// The banned members.
  var banned: [Int] = []
  /// The latest messages, without those deleted for good.
  var said: [Said] = []
  /// The last reaction, if it may be removed.
  var reaction: Reacted?
}

/// A reaction of a user to a message.
struct Reacted: Sendable {
  let person: Int
  let message: Message.ID
  let kind: Reaction.Kind
}

/// A sent message.
struct Said: Sendable {
  let id: Message.ID
  let author: Int
  var text: String
  /// Whether the message is a reply in a thread.
  let isReply: Bool
  var isDeleted = false
}

/// A text that was written and not sent.
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
    // All users are in the first channel; the others have few members.
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

  /// Returns a submission by a user, on one of the user's devices.
  func wish(_ intents: [ChatIntent], of person: Int, on device: Device.ID? = "phone") -> Submission {
    Submission(intents, by: .user(people[person].id, on: device))
  }

  /// Returns a member of a channel who is not banned; nil if the drawn member is.
  mutating func somebody(in room: Int) -> Int? {
    let person = random.one(of: rooms[room].members)
    return rooms[room].banned.contains(person) ? nil : person
  }
}

// MARK: Setup

extension ConversationGenerator {
  /// Returns the submissions that create the users, 50 at a time.
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

  /// Returns the submissions that create the channels with their members.
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
  /// The text with each character that is not ASCII replaced by x.
  fileprivate var asciiLetters: String {
    String(decoding: unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: "x") }, as: UTF8.self)
  }
}
