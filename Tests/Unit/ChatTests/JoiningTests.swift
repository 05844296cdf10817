// Tests of joining: public channels, invitations, direct channels, pinned and archived channels.
import Chat
import Testing

struct Joining {
  private let dee = Member.Key("general", "dee")
  private let open = Scene.general.and(.channel("general", .configure(ChannelConfig(isPublic: true))), by: .ada)

  @Test func `everybody can join a public channel, and nobody another`() {
    open.when(.member(dee, .join), by: .dee).then(.member(dee, .added(.member)))
    Scene.general.when(.member(dee, .join), by: .dee).thenRefused(.notMember(dee))
    open.when(.member(dee, .join), by: .bo).thenRefused(.notYours("dee"))
    open.when(.member(Member.Key("general", "bo"), .join), by: .bo).thenNothing()
    let ban = Ban.Key(of: "dee", from: .channel("general"))
    let banned = open.and(.ban(ban, .impose(.endless, reason: nil)), by: .ada)
    banned.when(.member(dee, .join), by: .dee).thenRefused(.banned(banned.state[ban]!))
  }

  @Test func `an invited user joins in the role of the invitation, or declines`() {
    let invited = Scene.general.when(.member(dee, .invite(.guest)), by: .ada).then(.member(dee, .invited(.guest)))
    #expect(invited.state[dee]?.isMember == false && invited.state["general"]?.memberCount == 5)
    #expect(invited.state[dee]?.invitation?.by == .ada)
    let joined = invited.when(.member(dee, .join), by: .dee).then(.member(dee, .added(.guest)))
    #expect(joined.state[dee]?.role == .guest && joined.state[dee]?.invitation == nil)
    let declined = invited.when(.member(dee, .decline), by: .dee).then(.member(dee, .declined))
    #expect(declined.state[dee]?.invitation?.declined == .start)
    declined.when(.member(dee, .join), by: .dee).then(.member(dee, .added(.guest)))
    declined.when(.member(dee, .invite(.guest)), by: .ada).then(.member(dee, .invited(.guest)))
    let bo = Member.Key("general", "bo")
    Scene.general.when(.member(bo, .decline), by: .bo).thenRefused(.notInvited(bo))
    // Until a former member accepts, their row keeps the former role.
    let back = Scene.general.and(.member(bo, .leave), by: .bo).and(.member(bo, .invite(.guest)), by: .ada)
    #expect(back.state[bo]?.isMember == false && back.state[bo]?.role == .member)
    back.when(.member(bo, .join), by: .bo).then(.member(bo, .added(.guest)))
  }

  @Test func `an invitation follows the rules of adding, and its author can withdraw it`() {
    Scene.general.when(.member(dee, .invite(.member)), by: .gil).thenRefused(.notAllowed(.invite, in: "general"))
    Scene.general.when(.member(dee, .invite(.owner)), by: .bo).thenRefused(.roleTooHigh(.owner))
    Scene.general.when(.member(Member.Key("general", "cy"), .invite(.guest)), by: .bo)
      .thenRefused(.memberExists(Member.Key("general", "cy")))
    Scene.general.when(.member(dee, .decline), by: .dee).thenRefused(.notInvited(dee))
    let invited = Scene.general.and(.member(dee, .invite(.member)), by: .bo)
    invited.when(.member(dee, .remove), by: .cy).thenRefused(.notAllowed(.ban, in: "general"))
    invited.when(.member(dee, .remove), by: .bo).then(.member(dee, .removed))
    invited.when(.member(dee, .remove), by: .mo).then(.member(dee, .removed))
  }

  // What broke: it was found by reading. Any member replaced the invitation of another by one to a lower role, and
  // withdrew it as their own.
  @Test func `another author's invitation is replaced only by users who may withdraw it`() {
    let refusal = Refusal.notAllowed(.ban, in: "general")
    let invited = Scene.general.and(.member(dee, .invite(.moderator)), by: .ada)
    for role in [Role.guest, .member] {
      invited.when(.member(dee, .invite(role)), by: .bo).thenNothing()
      invited.when(.member(dee, .add(role)), by: .bo).thenRefused(refusal)
      for actor in [Author.ada, .mo, .root, .system] {
        invited.when(.member(dee, .invite(role)), by: actor).then(.member(dee, .invited(role)))
        invited.when(.member(dee, .add(role)), by: actor).then(.member(dee, .added(role)))
      }
    }
    invited.when(.member(dee, .remove), by: .bo).thenRefused(refusal)
    let guest = Scene.general.and(.member(dee, .invite(.guest)), by: .ada)
    guest.when(.member(dee, .invite(.guest)), by: .bo).thenNothing()
    guest.when(.member(dee, .invite(.member)), by: .bo).thenRefused(refusal)
    guest.when(.member(dee, .add(.member)), by: .bo).then(.member(dee, .added(.member)))
    // A user who declined can be invited again, in no lower role.
    let declined = guest.and(.member(dee, .decline), by: .dee)
    declined.when(.member(dee, .invite(.guest)), by: .bo).then(.member(dee, .invited(.guest)))
    declined.when(.member(dee, .invite(.member)), by: .bo).then(.member(dee, .invited(.member)))
    invited.and(.member(dee, .decline), by: .dee).when(.member(dee, .invite(.guest)), by: .bo).thenRefused(refusal)
  }

  // What broke: it was found by reading. Any member invited others as guests, who then joined a public channel as
  // guests, also after the invitation was withdrawn.
  @Test func `an invitation lowers the role of nobody who joins a public channel`() {
    for intent in [Member.Intent.invite(.guest), .add(.guest)] {
      open.when(.member(dee, intent), by: .bo).thenRefused(.notAllowed(.ban, in: "general"))
    }
    open.when(.member(dee, .invite(.member)), by: .bo).then(.member(dee, .invited(.member)))
    let byModerator = open.when(.member(dee, .invite(.guest)), by: .mo).then(.member(dee, .invited(.guest)))
    let before = Scene.general.and(.member(dee, .invite(.guest)), by: .bo)
      .and(.channel("general", .configure(ChannelConfig(isPublic: true))), by: .ada)
    for scene in [byModerator, before, before.and(.member(dee, .decline), by: .dee)] {
      scene.when(.member(dee, .join), by: .dee).then(.member(dee, .added(.member)))
    }
    open.and(.member(dee, .invite(.moderator)), by: .ada)
      .when(.member(dee, .join), by: .dee).then(.member(dee, .added(.moderator)))
    // A guest who left is invited as a guest by any member, and is one again.
    let gil = Member.Key("general", "gil")
    open.and(.member(gil, .leave), by: .gil)
      .when(.member(gil, .invite(.guest)), by: .bo, at: .start.plus(5)).then(.member(gil, .invited(.guest)))
      .when(.member(gil, .join), by: .gil, at: .start.plus(5)).then(.member(gil, .added(.guest)))
  }

  @Test func `a direct channel belongs to a set of users, whoever creates it`() {
    let id = Channel.ID.direct(among: ["ada", "bo"])
    #expect(id == .direct(among: ["bo", "ada", "bo"]) && id.isDirect && id != .direct(among: ["ada", "cy"]))
    // Under another id, nobody would find the direct channels of recorded logs.
    #expect(id == "direct.abc291218d45e641cd88753b6684971d8b37dd48974df5e7fd3ee93a")
    func create(_ members: User.ID...) -> ChatIntent {
      .channel(id, .create(.direct, Channel.Profile(), ChannelConfig(), members: members))
    }
    let scene = Scene.general.when(create("bo"), by: .ada).then(
      .channel(id, .created(.direct, Channel.Profile(), ChannelConfig())),
      .member(Member.Key(id, "ada"), .added(.member)), .member(Member.Key(id, "bo"), .added(.member)))
    #expect(scene.state[id]?.participants == ["ada", "bo"])
    scene.when(create("ada"), by: .bo).thenNothing()
    scene.when(create("cy"), by: .ada).thenRefused(.otherMembers(id))
    scene.when(create("ada", "bo"), by: .cy).thenRefused(.otherMembers(id))
    for intent in [.add(.member), .invite(.member)] as [Member.Intent] {
      scene.when(.member(Member.Key(id, "cy"), intent), by: .root).thenRefused(.directChannel(id))
    }
    scene.when(.member(Member.Key(id, "bo"), .leave), by: .bo).thenRefused(.directChannel(id))
    scene.when(.member(Member.Key(id, "bo"), .remove), by: .root).thenRefused(.directChannel(id))
    scene.and(.channel(id, .delete)).when(create("ada"), by: .bo).thenRefused(.channelDeleted(id))
  }

  // What broke: it was found by reading. A direct channel could be made public: everybody joined, and nobody could be
  // removed.
  @Test func `nobody joins a direct channel, nor makes it public`() {
    let id = Channel.ID.direct(among: ["ada", "bo"])
    let isPublic = ChannelConfig(isPublic: true)
    Scene.general.when(.channel(id, .create(.direct, Channel.Profile(), isPublic, members: ["bo"])), by: .ada)
      .thenRefused(.directChannel(id))
    var scene = Scene.general.and(
      .channel(id, .create(.direct, Channel.Profile(), ChannelConfig(), members: ["bo"])), by: .ada)
    scene.when(.channel(id, .configure(isPublic)), by: .root).thenRefused(.directChannel(id))
    // As an event of before, in a log.
    scene.fold(ChatEvent(.channel(id, .configured(isPublic)), EventOrigin(by: .root, at: .start)))
    scene.when(.member(Member.Key(id, "dee"), .join), by: .dee).thenRefused(.directChannel(id))
  }

  // What broke: it was found by reading. A guest left, joined again, and was a member.
  @Test func `leaving and joining again gives back no capability`() {
    let bo = Member.Key("general", "bo")
    func joined(by role: Role) -> Scene {
      open.and(.member(bo, .changeRole(role)), by: .ada).and(.member(bo, .leave), by: .bo)
    }
    joined(by: .guest).when(.member(bo, .join), by: .bo).then(.member(bo, .added(.guest)))
    joined(by: .moderator).when(.member(bo, .join), by: .bo).then(.member(bo, .added(.member)))
  }

  @Test func `members pin and archive channels for themselves`() {
    let bo = Member.Key("general", "bo")
    let pinned = Scene.general.when(.member(bo, .pin), by: .bo).then(.member(bo, .pinned))
    #expect(pinned.state[bo]?.pinned == .start)
    pinned.when(.member(bo, .unpin), by: .bo).then(.member(bo, .unpinned))
    let archived = pinned.when(.member(bo, .archive), by: .bo).then(.member(bo, .archived))
    #expect(archived.state[bo]?.archived == .start)
    archived.when(.member(bo, .unarchive), by: .bo).then(.member(bo, .unarchived))
    pinned.when(.member(bo, .pin), by: .cy).thenRefused(.notYours("bo"))
    pinned.when(.member(dee, .pin), by: .dee).thenRefused(.notMember(dee))
  }
}

struct Blocking {
  private let block = UserBlock.Key(by: "bo", of: "ada")
  private let direct = Channel.ID.direct(among: ["ada", "bo"])
  private var scene: Scene {
    Scene.general.and(
      .channel(direct, .create(.direct, Channel.Profile(), ChannelConfig(), members: ["bo"])), by: .ada)
  }

  @Test func `neither writes to the other in the direct channel while one blocks the other`() {
    let blocked = scene.when(.block(block, .begin), by: .bo).then(.block(block, .began))
    let message = ChatIntent.message(Message.Key(direct, "d1"), .send(Message.Content("hi")))
    blocked.when(message, by: .ada).thenRefused(.blocked(by: "bo"))
    blocked.when(message, by: .bo).thenRefused(.blocking("ada"))
    blocked.when(.message(.m3, .send(Message.Content("hi"))), by: .ada)
      .then(.message(.m3, .sent(Message.Content("hi"))))
    // After a block, creating the channel again is a no-op only for the user who blocks.
    func create(_ member: User.ID) -> ChatIntent {
      .channel(direct, .create(.direct, Channel.Profile(), ChannelConfig(), members: [member]))
    }
    blocked.when(create("bo"), by: .ada).thenRefused(.blocked(by: "bo"))
    blocked.when(create("ada"), by: .bo).thenNothing()
    let over = blocked.when(.block(block, .end), by: .bo).then(.block(block, .ended))
    over.when(message, by: .ada).then(.message(Message.Key(direct, "d1"), .sent(Message.Content("hi"))))
    scene.when(.block(UserBlock.Key(by: "bo", of: "bo"), .begin), by: .bo).thenRefused(.oneself)
    scene.when(.block(block, .begin), by: .cy).thenRefused(.notYours("bo"))
  }

  /// What either of the users could still deliver by changing an old message.
  ///
  /// The block was checked when sending only: a blocked user could edit an old message, restore a deleted one, add a
  /// poll or an option to it, react or vote, and the other read it.
  @Test func `a block stops every way to write in the direct channel, and none to take back`() {
    let poll = Message.Key(direct, "d2")
    let deleted = Message.Key(direct, "d3")
    func old(_ author: Author, _ user: User.ID) -> Scene {
      scene.and(.message(Message.Key(direct, "d1"), .send(Message.Content("old"))), by: author)
        .and(
          .message(poll, .send(Message.Content("Lunch?"))),
          .message(poll, .openPoll([Poll.Option("1", "Yes"), Poll.Option("2", "No")], Poll.Rules())),
          .message(deleted, .send(Message.Content("gone"))), .message(deleted, .delete(forGood: false)),
          .reaction(Reaction.Key(to: poll, by: user), .add("like", score: 1)),
          .vote(Vote.Key(in: poll, by: user), .cast(["1"])), by: author
        )
        .and(.block(block, .begin), by: .bo)
    }
    let sides: [(Author, User.ID, Refusal)] = [(.ada, "ada", .blocked(by: "bo")), (.bo, "bo", .blocking("ada"))]
    for (author, user, refusal) in sides {
      let scene = old(author, user)
      let message = Message.Key(direct, "d1")
      let (reaction, vote) = (Reaction.Key(to: poll, by: user), Vote.Key(in: poll, by: user))
      let options = [Poll.Option("1", "Read"), Poll.Option("2", "this")]
      let writing: [ChatIntent] = [
        .message(message, .edit(Message.Edits(text: "new"))), .message(deleted, .restore),
        .message(message, .openPoll(options, Poll.Rules())),
        .message(poll, .addPollOption(Poll.Option("3", "Read this"))),
        .reaction(reaction, .add("love", score: 1)), .vote(vote, .cast(["2"])),
        .app(.channel(direct), AppEvent("sketch", payload: [1])),
      ]
      for intent in writing { scene.when(intent, by: author).thenRefused(refusal) }
      scene.when(.message(message, .edit(Message.Edits(text: "old"))), by: author).thenNothing()
      let removed = scene.when(.message(message, .delete(forGood: false)), by: author)
      removed.then(.message(message, .deleted(forGood: false)))
      let erased = scene.when(.message(deleted, .delete(forGood: true)), by: author)
      erased.then(.message(deleted, .deleted(forGood: true)))
      scene.when(.reaction(reaction, .remove("like")), by: author).then(.reaction(reaction, .removed("like")))
      scene.when(.vote(vote, .cast([])), by: author).then(.vote(vote, .cast([])))
      scene.when(.message(poll, .closePoll), by: author).then(.message(poll, .pollClosed))
      // The app and administrators are not concerned, and the block ends with all its effects.
      scene.when(.message(message, .edit(Message.Edits(text: "new"))), by: .root)
        .then(.message(message, .edited(Message.Edits(text: "new"))))
      scene.when(writing[0], by: .system).then(.message(message, .edited(Message.Edits(text: "new"))))
      let over = scene.and(.block(block, .end), by: .bo)
      for intent in writing { _ = over.and(intent, by: author) }
    }
  }

  @Test func `events that a block would refuse now fold as they did when they were recorded`() {
    let message = Message.Key(direct, "d1")
    var scene = scene.and(.message(message, .send(Message.Content("old"))), by: .ada)
      .and(.block(block, .begin), by: .bo)
    scene.fold(ChatEvent(.message(message, .edited(Message.Edits(text: "new"))), EventOrigin(by: .ada, at: .start)))
    scene.fold(
      ChatEvent(
        .reaction(Reaction.Key(to: message, by: "ada"), .added("like", score: 1)), EventOrigin(by: .ada, at: .start)))
    #expect(scene.state[message]?.content.text == "new" && scene.state[message]?.reactions.map(\.count) == [1])
  }

  @Test func `a blocked user cannot add or invite the other, nor begin a direct channel`() {
    let key = UserBlock.Key(by: "dee", of: "bo")
    let scene = Scene.general.and(.block(key, .begin), by: .dee)
    let dee = Member.Key("general", "dee")
    scene.when(.member(dee, .add(.member)), by: .bo).thenRefused(.blocked(by: "dee"))
    scene.when(.member(dee, .invite(.member)), by: .bo).thenRefused(.blocked(by: "dee"))
    let id = Channel.ID.direct(among: ["dee", "bo"])
    scene.when(.channel(id, .create(.direct, Channel.Profile(), ChannelConfig(), members: ["dee"])), by: .bo)
      .thenRefused(.blocked(by: "dee"))
    scene.when(.member(dee, .add(.member)), by: .ada).then(.member(dee, .added(.member)))
    let team = ChatIntent.channel("team", .create("team", Channel.Profile(), ChannelConfig(), members: ["cy", "dee"]))
    scene.when(team, by: .bo).thenRefused(.blocked(by: "dee"))
    _ = scene.and(team, by: .ada)
  }

  @Test func `a block has no effect in a direct channel of three users`() {
    let group = Channel.ID.direct(among: ["ada", "bo", "cy"])
    let scene = Scene.general.and(
      .channel(group, .create(.direct, Channel.Profile(), ChannelConfig(), members: ["bo", "cy"])), by: .ada
    )
    .and(.block(block, .begin), by: .bo)
    for (author, id) in [(.ada, "d1"), (.bo, "d2")] as [(Author, Message.ID)] {
      let message = Message.Key(group, id)
      scene.when(.message(message, .send(Message.Content("hi"))), by: author)
        .then(.message(message, .sent(Message.Content("hi"))))
    }
  }
}
