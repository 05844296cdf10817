// A generator of intents in a world small enough that intents affect each other.
public import Chat
public import SeededRandom

/// Some users, channels and messages, a clock, and the next intent.
public struct World {
  /// The source of randomness.
  public var random: SeededRandom
  /// The time, which advances with each intent.
  public private(set) var now: Timestamp
  /// The number of intents so far: permanently deleted rows are replaced by new ones.
  var age: Int

  /// The state while an intent is generated.
  private(set) var state = InMemoryChatState()
  /// The targets of earlier intents that are younger than the stored histories.
  var recent = Recent()

  /// Whether events occur that are younger than the stored histories: refused actions, and those of consumers.
  var hasLaterEvents = true

  /// Creates a world at its beginning, or after a number of intents.
  public init(_ random: SeededRandom, age: Int = 0, at now: Timestamp = Timestamp(rawValue: 1_700_000_000_000_000)) {
    (self.random, self.age, self.now) = (random, age, now)
  }

  /// Returns the next intent and its author.
  public mutating func intent(in state: InMemoryChatState) -> (ChatIntent, Author) {
    age += 1
    self.state = state
    now = now + Microseconds(rawValue: Int64(random.pick([0, 0, 1, 100_000, 5_000_000, 60_000_000])))
    let actor = actor(age)
    let user = actor.user ?? self.user()
    // Most intents concern the author's own user.
    let owner = random.once(in: 15) ? self.user() : user
    switch age < 40 ? random.below(6) : random.below(100) {
    case 0...5: return userIntent(by: actor, owner)
    case 6...7: return (.device(Device.Key(owner, device()), deviceIntent()), actor)
    case 8...11: return (.mute(Mute.Key(by: owner, of: muteTarget()), muteIntent()), actor)
    case 12...14: return (.ban(Ban.Key(of: self.user(), from: banScope()), banIntent()), actor)
    case 15...16:
      let target = flagTarget()
      recent.flags.append(target)
      return (.flag(Flag.Key(by: owner, on: target), .raise(reason: line())), actor)
    case 17...24: return (.channel(channel(), channelIntent()), actor)
    case 25...35: return memberIntent(by: actor, owner)
    case 36...72: return messageIntent(by: actor, in: state)
    case 73...84: return (.reaction(Reaction.Key(to: messageKey(), by: owner), reactionIntent()), actor)
    case 86...93 where hasLaterEvents: return laterIntent(by: actor, owner)
    case 85...89: return (.draft(Draft.Key(by: owner, in: channel(), thread: thread()), draftIntent()), actor)
    case 90...97: return composerIntent(by: actor, owner, in: state)
    case 98 where hasLaterEvents:
      if random.once(in: 3) { return (.consumer(name("b", random.below(3)), consumerIntent()), actor) }
      return laterIntent(by: actor, owner)
    default: return (.app(subject(owner), appEvent()), actor)
    }
  }

  /// The app creates the first users; afterwards it is seldom the author.
  private mutating func actor(_ age: Int) -> Author {
    if age < 40 || random.once(in: 8) { return .system }
    return .user(user(), on: random.maybe { random in World.device(&random) })
  }
}

// MARK: Who and where

extension World {
  mutating func user() -> User.ID { random.once(in: 40) ? "nobody" : someUser() }

  mutating func someUser() -> User.ID { name("u", random.below(6)) }

  mutating func device() -> Device.ID { World.device(&random) }

  private static func device(_ random: inout SeededRandom) -> Device.ID { random.pick(["phone", "tablet", "web"]) }

  /// Returns a channel, usually an existing one; deleted ones are replaced by others.
  mutating func channel() -> Channel.ID {
    if random.once(in: 40) { return "nowhere" }
    var id: Channel.ID = name("c", age / 1000 + random.below(3))
    for _ in 0..<random.below(6) where state[id].map({ $0.deleted != nil }) ?? true {
      id = name("c", age / 1000 + random.below(3))
    }
    return id
  }

  mutating func messageID() -> Message.ID { name("m", age / 60 + random.pick([random.below(4), random.below(16)])) }

  /// Returns a message, usually an existing one.
  mutating func messageKey() -> Message.Key {
    let channel = channel()
    var key = Message.Key(channel, messageID())
    for _ in 0..<random.below(12) where state[key]?.presence != .present { key = Message.Key(channel, messageID()) }
    return key
  }

  mutating func thread() -> Message.ID? { random.once(in: 4) ? messageID() : nil }

  private func name<Named>(_ letter: String, _ number: Int) -> ID<Named> { ID(stringLiteral: "\(letter)\(number)") }

  /// Returns the direct channel of a user with another, or with two.
  mutating func directChannel(of user: User.ID) -> (id: Channel.ID, others: [User.ID]) {
    var others = [self.user()]
    if random.once(in: 4) { others.append(self.user()) }
    return (random.once(in: 12) ? .direct(among: others) : .direct(among: others + [user]), others)
  }

  /// Returns the option of a poll.
  mutating func option() -> Poll.Option { Poll.Option(name("o", random.below(4)), random.pick(["Yes", "No"])) }

  private mutating func muteTarget() -> Mute.Target { random.bool() ? .user(user()) : .channel(channel()) }

  private mutating func banScope() -> Ban.Scope { random.once(in: 6) ? .everywhere : .channel(channel()) }

  mutating func flagTarget() -> Flag.Target { random.once(in: 4) ? .user(user()) : .message(messageKey()) }

  private mutating func subject(_ user: User.ID) -> AppEvent.Subject {
    random.pick([.user(user), .channel(channel()), .app("theme")])
  }
}

// MARK: Small values

extension World {
  /// Returns an expiry soon, none, or seldom one that has passed.
  mutating func term() -> Expiry {
    switch random.below(8) {
    case 0: .endless
    case 1: .until(now)
    default: .until(now + .seconds(Int64(1 + random.below(2000))))
    }
  }

  /// Returns a short text, seldom an empty or too long one.
  mutating func text() -> UserText {
    let odd: [UserText] = ["", " \n", "long text", random.userText(), UserText(String(repeating: "word ", count: 61))]
    return random.once(in: 12) ? random.pick(odd) : random.shortWording()
  }

  mutating func line() -> UserText? { random.maybe { random in random.pick(["spam", "rude", random.userText()]) } }

  mutating func extra() -> Extra {
    random.once(in: 8) ? random.extra() : random.pick([[:], ["colour": "red"], ["colour": 3]])
  }

  mutating func attachments() -> [Attachment] {
    let count = random.pick([0, 0, 0, 0, 1, 1, 2, 3, 4])
    return (0..<count).map { number in attachment(random.once(in: 20) ? 0 : number) }
  }

  mutating func attachment(_ number: Int) -> Attachment {
    var attachment = random.attachment()
    attachment.id = name("a", number)
    if random.once(in: 10) { return attachment }
    // Most attachments are small and at a public URL.
    let titles: [UserText?] = ["cat.png", nil]
    (attachment.title, attachment.summary, attachment.thumbnail) = (random.pick(titles), nil, nil)
    (attachment.location, attachment.extra) = (.url("https://example.org/1"), extra())
    if let byteCount = attachment.byteCount, !random.once(in: 6) { attachment.byteCount = byteCount % 1_000_000 }
    return attachment
  }

  /// Returns mentions that fit a text, seldom ones that do not.
  mutating func mentions(in text: TypedText) -> [Mention] {
    if random.once(in: 30) { return random.list { $0.mention() } }
    var mentions: [Mention] = []
    var start = 0
    for _ in 0..<random.pick([0, 0, 0, 1, 1, 2, 3, 4, 5]) where text.units.count > start {
      let end = start + 1 + random.below(min(6, text.units.count - start))
      mentions.append(Mention(mentioned(), at: UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: end)))
      start = end
    }
    return mentions
  }

  /// Returns a user, or the id that stands for a group, of which the stored histories have none.
  private mutating func mentioned() -> User.ID {
    let groups: [Mention.Group] = [.channel, .here, .role(.member), .role(.owner)]
    return hasLaterEvents && random.once(in: 3) ? User.ID(random.pick(groups)) ?? user() : user()
  }

  private mutating func appEvent() -> AppEvent {
    let name: AppEvent.Name = hasLaterEvents && random.once(in: 6) ? "verbatim.score" : "score"
    return AppEvent(name, version: UInt32(random.below(6)), payload: random.noise(random.below(120)))
  }
}
