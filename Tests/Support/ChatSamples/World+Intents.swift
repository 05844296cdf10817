// Random intents on users, channels, members and reactions.
internal import Chat
internal import SeededRandom

extension World {
  mutating func userIntent(by actor: Author, _ owner: User.ID) -> (ChatIntent, Author) {
    let other = random.once(in: 40) ? user() : someUser()
    switch age < 40 ? 0 : random.below(16) {
    case 0...2: return (.user(random.bool() && owner != "nobody" ? owner : someUser(), .create(profile())), actor)
    case 3...4: return (.user(owner, .change(profile())), actor)
    case 5...6: return (.user(other, .changeRole(random.pick([.user, .user, .guest, .admin]))), actor)
    case 7: return (.user(other, .deactivate), actor)
    default: return (.user(other, .reactivate), random.once(in: 3) ? actor : .system)
    }
  }

  private mutating func profile() -> User.Profile {
    User.Profile(name: random.pick(["Ada", "Bo", text()]), image: line(), extra: extra())
  }

  mutating func deviceIntent() -> Device.Intent {
    random.once(in: 3)
      ? .remove : .add(Device.Info(name: random.pick(["mine", text()]), pushService: line(), pushToken: line()))
  }

  mutating func muteIntent() -> Mute.Intent { random.once(in: 3) ? .end : .begin(term()) }

  mutating func consumerIntent() -> Consumer.Intent {
    let position = UInt64(random.below(age))
    switch random.below(8) {
    case 0...2: return .begin(after: position)
    case 3...5: return .advance(through: position)
    case 6: return .skip(through: position)
    default: return .end
    }
  }

  mutating func banIntent() -> Ban.Intent { random.once(in: 3) ? .impose(term(), reason: line()) : .lift }

  mutating func channelIntent() -> Channel.Intent {
    switch random.below(40) {
    case 0...9: .create("team", channelProfile(), config(), members: members())
    case 10...14: .change(channelProfile())
    case 15...20: .configure(config())
    case 21...25: .setSlowMode(random.pick([0, 1, 600, 3600]))
    case 26: .freeze
    case 27...35: .unfreeze
    case 36...37: .truncate(through: random.once(in: 4) ? nil : messageID())
    case 38: random.once(in: 3) ? .delete : .unfreeze
    default: .change(channelProfile())
    }
  }

  private mutating func members() -> [User.ID] { (0..<random.pick([0, 1, 2, 3, 3, 4])).map { _ in user() } }

  private mutating func channelProfile() -> Channel.Profile {
    Channel.Profile(name: random.pick(["General", "", text()]), image: line(), extra: extra())
  }

  mutating func config() -> ChannelConfig {
    var off = ChannelConfig().off
    for flag in ChannelFlag.allCases where random.once(in: 6) { off.insert(flag) }
    return ChannelConfig(
      off: random.bool() ? [] : off, messageLengthMax: random.pick([20, 5000]),
      slowMode: random.pick([0, 0, 0, 600]), commands: random.maybe { $0.pick([[], ["giphy"]]) })
  }

  mutating func memberIntent(by actor: Author, _ owner: User.ID) -> (ChatIntent, Author) {
    let channel = channel()
    let others = Member.Key(channel, user())
    let own = Member.Key(channel, owner)
    let roles: [Role] = [.owner, .moderator, .moderator, .member, .member, .member, .member, .guest, "listener"]
    switch random.below(24) {
    case 0...8: return (.member(others, .add(random.pick(roles))), random.once(in: 3) ? .system : actor)
    case 9: return (.member(others, .remove), actor)
    case 10...11: return (.member(others, .changeRole(random.pick(roles))), actor)
    case 12: return (.member(own, .leave), actor)
    case 13...15: return (.member(own, .read(through: messageID())), actor)
    case 16...18: return (.member(own, .receive(through: messageID())), actor)
    case 19...20: return (.member(own, .markUnread(from: messageID())), actor)
    case 21...22: return (.member(own, .hide), actor)
    default: return (.member(own, .show), actor)
    }
  }

  mutating func reactionIntent() -> Reaction.Intent {
    let kind = random.pick(["like", "love", "haha", "sad"] as [Reaction.Kind])
    return random.once(in: 3) ? .remove(kind) : .add(kind, score: UInt32(random.below(12)))
  }
}
