// Random events of users and members, whether or not a decider allows them: similar names, and many of each kind.
import Chat
import ChatSamples
import SeededRandom

/// A generator of events for some users and channels, at instants that are often equal.
struct PeopleEvents {
  var random: SeededRandom
  private(set) var now = Timestamp(rawValue: 10_000_000_000_000_000)
  private var rest: [ChatEvent.Change]
  private var sent: Set<Message.Key> = []

  init(_ random: SeededRandom) {
    self.random = random
    // The message numbers of a channel begin with its creation.
    rest = (["general", "team", "x"] as [Channel.ID]).map { id in
      .channel(id, .created(id == "x" ? "other" : "team", Channel.Profile(name: "General"), ChannelConfig()))
    }
  }

  /// Returns the next events, all at one instant.
  mutating func next() -> [ChatEvent] {
    if random.bool() { now = now + Microseconds(rawValue: Int64(random.below(3))) }
    return (0..<1 + random.below(6)).map { _ in
      let user = user()
      let actor: Author = random.once(in: 12) ? .system : .user(user, on: nil)
      return ChatEvent(rest.popLast() ?? change(user), EventOrigin(by: actor, at: now))
    }
  }

  private mutating func change(_ user: User.ID) -> ChatEvent.Change {
    let channel = channel()
    switch random.below(40) {
    case 0...6: return .user(user, .created(User.Profile(name: name()), .user))
    case 7...8: return .user(user, .changed(User.Profile(name: name())))
    case 9: return .user(user, random.bool() ? .deactivated : .reactivated)
    case 10...20: return .member(Member.Key(channel, user), member())
    case 21: return .channel(channel, channelEvent())
    case 22...23:
      let target: Mute.Target = random.bool() ? .user(self.user()) : .channel(channel)
      return .mute(Mute.Key(by: user, of: target), random.once(in: 4) ? .ended : .began(term()))
    case 24...26:
      let scope: Ban.Scope = random.once(in: 3) ? .everywhere : .channel(channel)
      return .ban(Ban.Key(of: user, from: scope), random.once(in: 5) ? .lifted : .imposed(term(), reason: nil))
    default:
      let key = Message.Key(channel, message())
      return .message(key, messageEvent(key))
    }
  }

  private mutating func user() -> User.ID {
    random.pick(["bo", "Bo", "ada", "adam", "ab-1", "u1", "u2", "u3", "zoe", "mike", "Mo", "z", "b.b", "_b", "bob"])
  }

  private mutating func channel() -> Channel.ID { random.pick(["general", "general", "team", "x"]) }

  private mutating func message() -> Message.ID { ID(stringLiteral: "m\(random.below(30))") }

  private mutating func name() -> UserText {
    let names: [UserText] = [
      "Bo", "bo", "BO", "Bo ", "Bo Adam", "Ada", "Ada Bo", "ada bo", "Mike Bo-Zoe", "Zoe Mike", "", " ", "b", "B b",
      "Bob Bobson", "bo\0bo", "bo\0", "Bo\u{1}", "Ünal Bo", "unal", "ｕｎａｌ BO", "Bó", "李 明", "李明", "Z", "Mo Mo", "1 Bo",
    ]
    if random.once(in: 8) {
      // Names that are equal up to the maximum length of a key.
      return UserText(String(repeating: "Bo ", count: 21) + random.pick(["b", "bo", "bo a", "bo b", "bo B", "z"]))
    }
    return random.pick(names)
  }

  private mutating func member() -> Member.Event {
    switch random.below(12) {
    case 0...6: .added(random.pick([.member, .owner]))
    case 7: .removed
    case 8: .left
    case 9: .read(through: message())
    case 10: .received(through: message())
    default: random.bool() ? .hidden : .shown
    }
  }

  private mutating func channelEvent() -> Channel.Event {
    switch random.below(12) {
    case 0...7: .changed(Channel.Profile(name: name()))
    case 8: .truncated(through: Message.Number(rawValue: UInt64(random.below(9))))
    case 9: .frozen
    case 10: random.once(in: 3) ? .deleted : .unfrozen
    default:
      .configured(
        ChannelConfig(off: random.pick([[], [.readEvents], [.deliveryEvents], [.readEvents, .deliveryEvents]])))
    }
  }

  private mutating func messageEvent(_ key: Message.Key) -> Message.Event {
    switch random.below(10) {
    case 0...1 where sent.contains(key): return .ephemeralSent
    case 2: return .deleted(forGood: random.bool())
    default:
      sent.insert(key)
      return .sent(content())
    }
  }

  private mutating func content() -> Message.Content {
    var content = Message.Content("hello")
    if random.once(in: 6) { content.kind = .ephemeral }
    return content
  }

  private mutating func term() -> Expiry {
    random.bool() ? .endless : .until(now + Microseconds(rawValue: Int64(random.below(60))))
  }
}
