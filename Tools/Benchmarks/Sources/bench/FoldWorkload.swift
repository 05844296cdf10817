// The workload of a busy chat: users type, send, read, react, edit.
import Chat
import ChatCodec
import ChatProjections
import EventLog
import Projections

/// Chat events in a realistic mix: of twelve, ten are text changes while typing, one is a sent message, one is another
/// event.
struct FoldWorkload {
  /// The projections that fold the events.
  static let projections: [any Projection.Type] = [ChatState.self]

  static let userCount = 1000
  static let channelCount = 200
  static let membersPerChannel = 20
  /// The number of users who write concurrently.
  static let writerCount = 300

  private var random: SplitMix
  private var writers: [Writer] = []
  private var messageCount = 0
  private var sent: [(key: Message.Key, author: User.ID)] = []
  private var queue: [ChatEvent] = []
  private var clock: Int64 = 1_767_225_600_000_000
  /// The source of texts; nil to use the same text for all.
  private var speech: Speech?

  private struct Writer {
    let key: Composer.Key
    var length = 0
  }

  init(seed: UInt64, speech: Speech? = nil) {
    random = SplitMix(seed: seed)
    self.speech = speech
    people()
    for number in 0..<Self.writerCount {
      let channel = below(Self.channelCount)
      let user = (channel + number % Self.membersPerChannel * 37) % Self.userCount
      writers.append(Writer(key: Composer.Key(of: Self.user(user), on: "phone", in: Self.channel(channel))))
    }
  }

  /// Returns the next events.
  mutating func next(_ count: Int) -> [ProposedEvent] {
    while queue.count < count { twelve() }
    defer { queue.removeFirst(count) }
    return queue.prefix(count).map { encode($0) }
  }

  /// Returns the next events of a workload that only sends messages.
  mutating func messages(_ count: Int) -> [ProposedEvent] {
    while queue.count < count { send() }
    defer { queue.removeFirst(count) }
    return queue.prefix(count).map { encode($0) }
  }

  private static func user(_ number: Int) -> User.ID { ID(stringLiteral: "user-\(100_000 + number)") }

  private static func channel(_ number: Int) -> Channel.ID { ID(stringLiteral: "channel-\(1000 + number)") }

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  private mutating func add(_ change: ChatEvent.Change, by user: User.ID) {
    clock += 1000
    queue.append(ChatEvent(change, EventOrigin(by: .user(user, on: "phone"), at: Timestamp(rawValue: clock))))
  }

  private mutating func people() {
    for number in 0..<Self.userCount {
      let id = Self.user(number)
      add(.user(id, .created(User.Profile(name: "Somebody \(number)"), .user)), by: id)
    }
    for number in 0..<Self.channelCount {
      let (id, owner) = (Self.channel(number), Self.user(number))
      let profile = Channel.Profile(name: "Channel \(number)")
      add(.channel(id, .created("messaging", profile, ChannelConfig())), by: owner)
      for member in 0..<Self.membersPerChannel {
        let user = Self.user((number + member * 37) % Self.userCount)
        add(.member(Member.Key(id, user), .added(.member)), by: owner)
      }
    }
  }

  private mutating func twelve() {
    for _ in 0..<10 { type() }
    send()
    somethingElse()
  }

  /// Most characters are appended; some edits remove a character, some are in the middle.
  private mutating func type() {
    let number = below(writers.count)
    let (key, length) = (writers[number].key, writers[number].length)
    let place = below(10) == 0 ? below(length + 1) : length
    let isRemoval = length > 0 && below(8) == 0
    let start = UTF16Offset(rawValue: isRemoval ? max(0, place - 1) : place)
    let splice = isRemoval ? Splice(start..<UTF16Offset(rawValue: place), to: "") : Splice(start..<start, to: "e")
    writers[number].length += isRemoval ? start.rawValue - place : 1
    add(.composer(key, .typed(splice)), by: key.user)
  }

  private mutating func send() {
    let key = writers[below(writers.count)].key
    messageCount += 1
    let id = "01JABCDEFGHJKMNPQR" + String(20_000_000 + messageCount)
    let message = Message.Key(key.channel, ID(stringLiteral: id))
    let text = speech?.text() ?? "The quick brown fox jumps over the lazy dog, and that is all there is to say."
    let content = Message.Content(UserText(text), client: ID(stringLiteral: "c" + id))
    add(.message(message, .sent(content)), by: key.user)
    sent.append((message, key.user))
    if sent.count > 500 { sent.removeFirst(250) }
  }

  private mutating func somethingElse() {
    let (message, author) = sent[below(sent.count)]
    let reader = writers[below(writers.count)].key.user
    switch below(10) {
    case 0...4:
      let number = below(writers.count)
      writers[number].length = 0
      add(.composer(writers[number].key, .sent(message.id, keeping: nil)), by: writers[number].key.user)
    case 5, 6: add(.member(Member.Key(message.channel, author), .read(through: message.id)), by: author)
    case 7: add(.reaction(Reaction.Key(to: message, by: reader), .added("like", score: 1)), by: reader)
    case 8: add(.message(message, .edited(Message.Edits(text: "What I meant is something else."))), by: author)
    default:
      add(.member(Member.Key(message.channel, author), .received(through: message.id)), by: author)
    }
  }
}
