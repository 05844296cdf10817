// Random intents that are younger than the stored histories.
internal import Chat
internal import SeededRandom

extension World {
  mutating func laterIntent(by actor: Author, _ owner: User.ID) -> (ChatIntent, Author) {
    switch random.below(64) {
    case 61...63: return (.channel(channel(), .configure(ChannelConfig(isPublic: true))), .system)
    case 60: return (.user("@here", .create(User.Profile(name: "Here"))), .system)
    case 0...3: return (.block(UserBlock.Key(by: owner, of: user()), random.once(in: 3) ? .end : .begin), actor)
    case 4...13: return (.review(recent(\.flags) ?? flagTarget(), reviewIntent()), reviewer(actor))
    case 14...19: return savedIntent(by: actor, owner)
    case 20...26: return scheduledIntent(by: actor, owner)
    case 27...31: return threadIntent(by: actor, owner)
    case 32...37: return (.vote(Vote.Key(in: recent(\.polls) ?? messageKey(), by: owner), .cast(votes())), actor)
    case 38...45: return pollIntent(by: actor)
    case 46...47: return (.message(Message.Key(channel(), messageID()), .forward(messageKey())), actor)
    case 48...50: return directIntent(by: actor, owner)
    case 51:
      return (.channel(channel(), .configure(ChannelConfig(isPublic: random.bool()))), random.bool() ? .system : actor)
    default: return joiningIntent(by: actor, owner)
    }
  }

  /// Returns one of the last few targets of intents, if there are any.
  private mutating func recent<Target>(_ targets: KeyPath<Recent, [Target]>) -> Target? {
    let all = recent[keyPath: targets]
    return all.isEmpty || random.once(in: 8) ? nil : all[all.count - 1 - random.below(min(3, all.count))]
  }

  // MARK: Joining

  private mutating func joiningIntent(by actor: Author, _ owner: User.ID) -> (ChatIntent, Author) {
    if random.once(in: 3) {
      let key = Member.Key(channel(), user())
      recent.invited.append(key)
      return (.member(key, .invite(random.pick([.member, .guest, .owner]))), actor)
    }
    if random.bool(), let key = recent(\.invited) {
      return (.member(key, random.pick([.join, .decline, .decline, .remove])), .user(key.user))
    }
    if random.bool(), let key = recent(\.listed) {
      return (.member(key, random.pick([.unpin, .unarchive, .unarchive])), .user(key.user))
    }
    let key = Member.Key(channel(), owner)
    recent.listed.append(key)
    return (.member(key, random.pick([.join, .decline, .pin, .archive])), .user(owner))
  }

  private mutating func directIntent(by actor: Author, _ owner: User.ID) -> (ChatIntent, Author) {
    if random.once(in: 3), let id = recent(\.direct) {
      if random.once(in: 4) { return (.channel(id, .create("team", Channel.Profile(), config(), members: [])), actor) }
      if let participants = state[id]?.participants, !participants.isEmpty, !random.once(in: 3) {
        let (one, other) = (random.pick(participants), random.pick(participants))
        let block = UserBlock.Key(by: one, of: other)
        if random.once(in: 3) { return (.block(block, random.once(in: 3) ? .end : .begin), .user(one)) }
        return (.message(Message.Key(id, messageID()), .send(Message.Content("Hi"))), .user(one))
      }
      return (.member(Member.Key(id, owner), random.pick([.leave, .remove, .add(.member), .invite(.member)])), actor)
    }
    let (id, others) = directChannel(of: owner)
    recent.direct.append(id)
    return (.channel(id, .create(.direct, Channel.Profile(), ChannelConfig(), members: others)), .user(owner))
  }

  // MARK: Reviews, saved and scheduled messages

  private mutating func reviewer(_ actor: Author) -> Author { random.bool() ? .system : actor }

  private mutating func reviewIntent() -> Review.Intent {
    switch random.below(8) {
    case 0...3: .claim
    case 4...5: .release
    default: .resolve(random.pick([.dismissed, .acted, "warned"]), note: line())
    }
  }

  private mutating func savedIntent(by actor: Author, _ owner: User.ID) -> (ChatIntent, Author) {
    if random.bool(), let key = recent(\.saved) {
      return (.saved(key, random.once(in: 3) ? .remove : .remind), .user(key.user))
    }
    let key = SavedMessage.Key(by: owner, messageKey())
    recent.saved.append(key)
    let remindAt = random.once(in: 3) ? term().end : now + .seconds(Int64(1 + random.below(30)))
    return (.saved(key, .save(note: line(), remindAt: remindAt)), actor)
  }

  private mutating func scheduledIntent(by actor: Author, _ owner: User.ID) -> (ChatIntent, Author) {
    if !random.once(in: 3), let key = recent(\.scheduled) {
      return (.scheduled(key, random.once(in: 6) ? .cancel : .deliver), .user(key.author))
    }
    let key = ScheduledMessage.Key(by: owner, Message.Key(channel(), messageID()))
    recent.scheduled.append(key)
    let at = random.once(in: 3) ? term().end : now + .seconds(Int64(1 + random.below(20)))
    let intent = ScheduledMessage.Intent.schedule(Message.Content(text()), at: at ?? now + .seconds(60))
    // Only authors can schedule their messages.
    return (.scheduled(key, intent), random.once(in: 8) ? actor : .user(owner))
  }

  // MARK: Threads and polls

  private mutating func threadIntent(by actor: Author, _ owner: User.ID) -> (ChatIntent, Author) {
    var reply = messageKey()
    for _ in 0..<24 where state[reply]?.content.parent == nil { reply = messageKey() }
    let parent = state[reply]?.content.parent ?? messageID()
    let key = ThreadMarker.Key(of: owner, in: Message.Key(reply.channel, parent))
    return (.thread(key, random.once(in: 3) ? .markUnread(from: reply.id) : .read(through: reply.id)), actor)
  }

  private mutating func votes() -> [Poll.Option.ID] { (0..<random.pick([0, 1, 1, 1, 2, 3])).map { _ in option().id } }

  private mutating func pollIntent(by actor: Author) -> (ChatIntent, Author) {
    if random.bool(), let key = recent(\.polls) {
      let writer: Author = random.bool() ? .system : actor
      switch random.below(8) {
      case 0...4: return (.message(key, .addPollOption(option())), writer)
      case 5: return (.message(key, .closePoll), writer)
      default: return (.message(key, poll()), writer)
      }
    }
    let key = messageKey()
    recent.polls.append(key)
    return (.message(key, poll()), .system)
  }

  private mutating func poll() -> Message.Intent {
    let options = (0..<random.pick([1, 2, 3, 3, 3, 6])).map { number in
      Poll.Option(ID(stringLiteral: "o\(random.once(in: 12) ? 0 : number)"), "Yes")
    }
    let rules = Poll.Rules(
      votesPerUserMax: UInt32(random.pick([0, 1, 1, 2])), isAnonymous: random.bool(), isExtensible: random.bool(),
      expiry: random.bool() ? .endless : term())
    return .openPoll(options, rules)
  }
}

/// The targets of earlier intents, so that intents follow each other.
struct Recent {
  var invited: [Member.Key] = []
  var listed: [Member.Key] = []
  var direct: [Channel.ID] = []
  var flags: [Flag.Target] = []
  var saved: [SavedMessage.Key] = []
  var scheduled: [ScheduledMessage.Key] = []
  var polls: [Message.Key] = []
}
