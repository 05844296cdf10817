// The generated actions besides writing: users read, react, delete, pin, mute, leave and return.
internal import Chat
internal import RandomNumbers
internal import Verbatim

extension ConversationGenerator {
  /// Returns the actions of one second besides writing.
  mutating func doings() -> [Submission] {
    var wanted: [Submission] = []
    let room = random.below(3) == 0 ? 0 : random.below(rooms.count)
    if let said = rooms[room].said.last {
      for _ in 0..<random.below(4) { wanted += read(said, in: room) }
      if random.happens(350) { wanted += react(in: room) }
    }
    if random.happens(60) { wanted += doSomethingSeldom(in: room) }
    return wanted
  }

  private mutating func read(_ said: Said, in room: Int) -> [Submission] {
    guard let person = somebody(in: room) else { return [] }
    let key = Member.Key(rooms[room].id, people[person].id)
    let intent: Member.Intent = random.happens(700) ? .read(through: said.id) : .receive(through: said.id)
    return [wish([.member(key, intent)], of: person)]
  }

  private mutating func react(in room: Int) -> [Submission] {
    if random.happens(100), let last = rooms[room].reaction, !rooms[room].banned.contains(last.person) {
      rooms[room].reaction = nil
      return [reacting(last, .remove(last.kind), in: room)]
    }
    let said = random.one(of: rooms[room].said)
    guard let person = somebody(in: room), !said.isDeleted else { return [] }
    let kind: Reaction.Kind = random.one(of: ["like", "love", "haha", "wow", "sad"])
    let reacted = Reacted(person: person, message: said.id, kind: kind)
    rooms[room].reaction = reacted
    return [reacting(reacted, .add(kind, score: UInt32(random.number(1...3))), in: room)]
  }

  private func reacting(_ reacted: Reacted, _ intent: Reaction.Intent, in room: Int) -> Submission {
    let message = Message.Key(rooms[room].id, reacted.message)
    return wish([.reaction(Reaction.Key(to: message, by: people[reacted.person].id), intent)], of: reacted.person)
  }

  private mutating func doSomethingSeldom(in room: Int) -> [Submission] {
    switch random.below(100) {
    case ..<30: delete(in: room)
    case ..<42: pin(in: room)
    case ..<54: mute(in: room)
    case ..<60: flag(in: room)
    case ..<68: ban(in: room)
    case ..<78: comeOrGo(in: room)
    case ..<84: hide(in: room)
    case ..<90: discard()
    case ..<95: rename(in: room)
    default: change()
    }
  }
}

// MARK: Actions on messages

extension ConversationGenerator {
  /// Deletes or restores a message by its author; some deletions are permanent.
  private mutating func delete(in room: Int) -> [Submission] {
    guard !rooms[room].said.isEmpty else { return [] }
    let deleted = random.happens(300) ? rooms[room].said.lastIndex(where: \.isDeleted) : nil
    let index = deleted ?? random.below(rooms[room].said.count)
    let said = rooms[room].said[index]
    let isMember = rooms[room].members.contains(said.author) && !rooms[room].banned.contains(said.author)
    guard isMember, !writers.contains(where: { $0.needs(said.id) }) else { return [] }
    let key = Message.Key(rooms[room].id, said.id)
    if rooms[room].reaction?.message == said.id { rooms[room].reaction = nil }
    if said.isDeleted {
      rooms[room].said[index].isDeleted = false
      return [wish([.message(key, .restore)], of: said.author)]
    }
    guard random.happens(250) else {
      rooms[room].said[index].isDeleted = true
      return [wish([.message(key, .delete(forGood: false))], of: said.author)]
    }
    rooms[room].said.remove(at: index)
    drafts.removeAll { $0.room == room && $0.thread == said.id }
    return [wish([.message(key, .delete(forGood: true))], of: said.author)]
  }

  private mutating func pin(in room: Int) -> [Submission] {
    guard let said = rooms[room].said.first(where: { !$0.isDeleted }) else { return [] }
    let key = Message.Key(rooms[room].id, said.id)
    let intent: Message.Intent =
      random.happens(300) ? .unpin : .pin(random.happens(500) ? .endless : .until(now + .seconds(86_400)))
    return [wish([.message(key, intent)], of: rooms[room].owner)]
  }

  private mutating func flag(in room: Int) -> [Submission] {
    guard let said = rooms[room].said.last(where: { !$0.isDeleted }), let person = somebody(in: room) else { return [] }
    let key = Flag.Key(by: people[person].id, on: .message(Message.Key(rooms[room].id, said.id)))
    return [wish([.flag(key, .raise(reason: random.happens(500) ? "spam" : nil))], of: person)]
  }

  /// Discards a draft.
  private mutating func discard() -> [Submission] {
    guard !drafts.isEmpty else { return [] }
    let draft = drafts.remove(at: random.below(drafts.count))
    let key = Draft.Key(by: people[draft.person].id, in: rooms[draft.room].id, thread: draft.thread)
    return [wish([.draft(key, .delete(.discarded, editedAt: now))], of: draft.person)]
  }
}

// MARK: Actions on users and channels

extension ConversationGenerator {
  private mutating func mute(in room: Int) -> [Submission] {
    guard let person = somebody(in: room) else { return [] }
    let other = random.one(of: rooms[room].members)
    let target: Mute.Target =
      other == person || random.happens(500) ? .channel(rooms[room].id) : .user(people[other].id)
    let expiry: Expiry = random.happens(500) ? .endless : .until(now + .seconds(Int64(random.number(60...7200))))
    let intent: Mute.Intent = random.happens(400) ? .end : .begin(expiry)
    return [wish([.mute(Mute.Key(by: people[person].id, of: target), intent)], of: person)]
  }

  /// Bans a user who is not writing, or lifts a ban, by the channel's owner.
  private mutating func ban(in room: Int) -> [Submission] {
    let owner = rooms[room].owner
    let scope = Ban.Scope.channel(rooms[room].id)
    if let banned = rooms[room].banned.popLast() {
      return [wish([.ban(Ban.Key(of: people[banned].id, from: scope), .lift)], of: owner)]
    }
    let person = random.one(of: rooms[room].members)
    guard person != owner, person != 0, !people[person].isWriting else { return [] }
    rooms[room].banned.append(person)
    let expiry: Expiry = random.happens(300) ? .endless : .until(now + .seconds(3600))
    let intent = Ban.Intent.impose(expiry, reason: random.happens(500) ? "Three times the same picture" : nil)
    return [wish([.ban(Ban.Key(of: people[person].id, from: scope), intent)], of: owner)]
  }

  /// Lets a user who is not writing leave, or adds a former member again.
  private mutating func comeOrGo(in room: Int) -> [Submission] {
    let (id, owner) = (rooms[room].id, rooms[room].owner)
    if let former = rooms[room].former.popLast() {
      rooms[room].members.append(former)
      return [wish([.member(Member.Key(id, people[former].id), .add(.member))], of: owner)]
    }
    let index = random.below(rooms[room].members.count)
    let person = rooms[room].members[index]
    let stays = person == owner || people[person].isWriting || rooms[room].banned.contains(person)
    guard !stays, rooms[room].members.count > 2 else { return [] }
    rooms[room].members.remove(at: index)
    rooms[room].former.append(person)
    drafts.removeAll { $0.room == room && $0.person == person }
    if rooms[room].reaction?.person == person { rooms[room].reaction = nil }
    let key = Member.Key(id, people[person].id)
    return random.happens(700)
      ? [wish([.member(key, .leave)], of: person)] : [wish([.member(key, .remove)], of: owner)]
  }

  private mutating func hide(in room: Int) -> [Submission] {
    guard let person = somebody(in: room) else { return [] }
    let key = Member.Key(rooms[room].id, people[person].id)
    return [wish([.member(key, random.happens(500) ? .hide : .show)], of: person)]
  }

  /// Changes the channel's name, by its owner.
  private mutating func rename(in room: Int) -> [Submission] {
    let name = UserText("\(rooms[room].topic) · \(random.one(of: Phrases.topics))")
    return [wish([.channel(rooms[room].id, .change(Channel.Profile(name: name)))], of: rooms[room].owner)]
  }

  /// Changes the profile image of a user.
  private mutating func change() -> [Submission] {
    let person = random.below(people.count)
    let image = UserText("https://files.example.org/face-\(random.below(100)).png")
    let profile = User.Profile(name: UserText(people[person].name), image: image)
    return [wish([.user(people[person].id, .change(profile))], of: person)]
  }
}
