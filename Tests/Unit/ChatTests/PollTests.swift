// Tests of polls, forwarding, emoji, recordings, group mentions and thread markers.
import Chat
import Testing

struct Polls {
  private let options = [Poll.Option("y", "Yes"), Poll.Option("n", "No")]

  private func poll(_ rules: Poll.Rules = Poll.Rules()) -> Scene {
    Scene.general.and(.message(.m1, .openPoll(options, rules)), by: .ada)
  }

  private func vote(_ options: Poll.Option.ID...) -> ChatIntent { .vote(Vote.Key(in: .m1, by: "bo"), .cast(options)) }

  private func cast(_ options: Poll.Option.ID...) -> ChatEvent.Change {
    .vote(Vote.Key(in: .m1, by: "bo"), .cast(options))
  }

  @Test func `votes are counted, replaced and retracted`() {
    let yes = poll().when(vote("y"), by: .bo).then(cast("y"))
    #expect(yes.state[.m1]?.poll?.options.map(\.votes) == [1, 0])
    let no = yes.when(vote("n"), by: .bo).then(cast("n"))
    #expect(no.state[.m1]?.poll?.options.map(\.votes) == [0, 1])
    let none = no.when(vote(), by: .bo).then(cast())
    #expect(none.state[.m1]?.poll?.options.map(\.votes) == [0, 0])
    #expect(none.state[Vote.Key(in: .m1, by: "bo")] == nil)
  }

  @Test func `a vote is for as many options of the poll as its rules allow`() {
    poll().when(vote("y", "n"), by: .bo).thenRefused(.tooLarge(.votes, count: 2, max: 1))
    poll(Poll.Rules(votesPerUserMax: 2)).when(vote("n", "y"), by: .bo).then(cast("y", "n"))
    poll().when(vote("x"), by: .bo).thenRefused(.unknownOption("x", in: .m1))
    Scene.general.when(vote("y"), by: .bo).thenRefused(.noPoll(.m1))
    poll().when(vote("y"), by: .cy).thenRefused(.notYours("bo"))
    poll().and(.channel("general", .freeze), by: .ada).when(vote("y"), by: .bo).thenRefused(.channelFrozen("general"))
    poll().and(.message(.m1, .delete(forGood: false)), by: .ada).when(vote("y"), by: .bo)
      .thenRefused(.messageDeleted(.m1))
    Scene.general { $0.memberCapabilities[.member]?.remove(.react) }
      .and(.message(.m1, .openPoll(options, Poll.Rules())), by: .ada).when(vote("y"), by: .bo)
      .thenRefused(.notAllowed(.react, in: "general"))
  }

  @Test func `a poll closes by hand, and at its end`() {
    let closed = poll().when(.message(.m1, .closePoll), by: .ada).then(.message(.m1, .pollClosed))
    closed.when(vote("y"), by: .bo).thenRefused(.pollClosed(.m1))
    let brief = poll(Poll.Rules(expiry: .until(.start.plus(60))))
    brief.when(vote("y"), by: .bo, at: .start.plus(59)).then(cast("y"))
    brief.when(vote("y"), by: .bo, at: .start.plus(60)).thenRefused(.pollClosed(.m1))
    poll().when(.message(.m1, .closePoll), by: .bo).thenRefused(.notAllowed(.editAny, in: "general"))
  }

  @Test func `options are added by the author, and by others where the rules allow it`() {
    let more = Poll.Option("m", "Maybe")
    poll().when(.message(.m1, .addPollOption(more)), by: .ada).then(.message(.m1, .pollOptionAdded(more)))
    poll().when(.message(.m1, .addPollOption(more)), by: .bo).thenRefused(.notYours("ada"))
    poll(Poll.Rules(isExtensible: true)).when(.message(.m1, .addPollOption(more)), by: .bo)
      .then(.message(.m1, .pollOptionAdded(more)))
    poll().when(.message(.m1, .addPollOption(Poll.Option("y", "Yeah"))), by: .ada).thenRefused(.optionTwice("y"))
  }

  @Test func `the limit of options applies to opening a poll and to adding an option`() {
    let scene = Scene.general { $0.limits.pollOptionsMax = 2 }
    let opened = scene.and(.message(.m1, .openPoll(options, Poll.Rules())), by: .ada)
    let more = Poll.Option("m", "Maybe")
    let tooLarge = Refusal.tooLarge(.pollOptions, count: 3, max: 2)
    opened.when(.message(.m1, .addPollOption(more)), by: .ada).thenRefused(tooLarge)
    scene.when(.message(.m1, .openPoll(options + [more], Poll.Rules())), by: .ada).thenRefused(tooLarge)
  }

  @Test func `a poll offers a choice, and is opened once by the author of the message`() {
    let rules = Poll.Rules()
    Scene.general.when(.message(.m1, .openPoll(options, rules)), by: .bo).thenRefused(.notYours("ada"))
    Scene.general.when(.message(.m1, .openPoll([options[0]], rules)), by: .ada).thenRefused(.fewOptions(.m1))
    Scene.general.when(.message(.m1, .openPoll(options, Poll.Rules(votesPerUserMax: 0))), by: .ada)
      .thenRefused(.fewOptions(.m1))
    Scene.general.when(.message(.m1, .openPoll(options + options, rules)), by: .ada).thenRefused(.optionTwice("y"))
    poll().when(.message(.m1, .openPoll(options, Poll.Rules(isAnonymous: true))), by: .ada)
      .thenRefused(.pollExists(.m1))
    let gone = poll().and(.message(.m1, .delete(forGood: true)), by: .ada)
    #expect(gone.state[.m1]?.poll == nil)
    // The retry of an answer that was lost, after an option was added.
    poll().and(.message(.m1, .addPollOption(Poll.Option("m", "Maybe"))), by: .ada)
      .when(.message(.m1, .openPoll(options, rules)), by: .ada).thenNothing()
  }

  // What broke: it was found by reading. The votes of an option that an app made were recorded and shown.
  @Test func `options begin without votes, whatever the intent has`() {
    var forged = options
    forged[0].votes = 99
    let opened = Scene.general.when(.message(.m1, .openPoll(forged, Poll.Rules())), by: .ada)
      .then(.message(.m1, .pollOpened(options, Poll.Rules())))
    var more = Poll.Option("m", "Maybe")
    more.votes = 7
    let added = opened.when(.message(.m1, .addPollOption(more)), by: .ada)
      .then(.message(.m1, .pollOptionAdded(Poll.Option("m", "Maybe"))))
    #expect(added.state[.m1]?.poll?.options.map(\.votes) == [0, 0, 0])
  }

  // What broke: it was found by reading. Who may send no links sent them as options.
  @Test func `links in options need the capability to send links`() {
    let link = Poll.Option("l", "https://example.org")
    let scene = Scene.general { $0.memberCapabilities[.member]?.remove(.sendLinks) }
    let refusal = Refusal.notAllowed(.sendLinks, in: "general")
    scene.when(.message(.m2, .openPoll(options + [link], Poll.Rules())), by: .bo).thenRefused(refusal)
    let extensible = scene.and(.message(.m1, .openPoll(options, Poll.Rules(isExtensible: true))), by: .ada)
    extensible.when(.message(.m1, .addPollOption(link)), by: .bo).thenRefused(refusal)
    extensible.when(.message(.m1, .addPollOption(link)), by: .ada).then(.message(.m1, .pollOptionAdded(link)))
  }
}

struct Forwarding {
  private let target = Message.Key("random", "f1")
  private var scene: Scene {
    Scene.general.and(
      .channel("random", .create("team", Channel.Profile(), ChannelConfig(), members: ["dee"])), by: .bo)
  }

  private var forwarded: ChatEvent.Change {
    get throws {
      let events = try decide(.message(target, .forward(.m1)), by: .bo, at: .start, given: scene.state)
      return try #require(events.first?.change)
    }
  }

  @Test func `a forwarded message has the content of the first source, and names it`() throws {
    let once = try scene.when(.message(target, .forward(.m1)), by: .bo).then(forwarded)
    let row = try #require(once.state[target])
    #expect(row.content.text == "one" && row.author == "bo")
    #expect(row.content.forwarded?.source == .m1 && row.content.forwarded?.author == "ada")
    let twice = once.and(.message(Message.Key("random", "f2"), .forward(target)), by: .dee)
    #expect(twice.state[Message.Key("random", "f2")]?.content.forwarded?.source == .m1)
    once.when(.message(target, .edit(Message.Edits(text: "other"))), by: .bo).thenRefused(.messageIsForwarded(target))
    let edited = once.and(.message(.m1, .edit(Message.Edits(text: "new"))), by: .ada)
    edited.when(.message(target, .forward(.m1)), by: .bo).thenNothing()
  }

  @Test func `attachments are forwarded with the text, and mentions and the thread are not`() throws {
    var content = Message.Content("@bo", mentions: [Mention("bo", at: 0..<3)], attachments: [Probe.image])
    content.parent = "m1"
    let sent = scene.and(.message(.m3, .send(content)), by: .ada).and(.message(target, .forward(.m3)), by: .bo)
    let copy = try #require(sent.state[target]?.content)
    #expect(copy.text == "@bo" && copy.attachments == [Probe.image])
    #expect(copy.mentions == [] && copy.parent == nil)
  }

  @Test func `only what the author reads can be forwarded, and nobody makes up a source`() throws {
    scene.when(.message(target, .forward(.m1)), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
    // Authors cannot forward their own messages from a channel that they left, either.
    let bo = Member.Key("general", "bo")
    scene.and(.member(bo, .leave), by: .bo).when(.message(target, .forward(.m2)), by: .bo)
      .thenRefused(.notMember(bo))
    let gone = scene.and(.message(.m1, .delete(forGood: false)), by: .ada)
    gone.when(.message(target, .forward(.m1)), by: .bo).thenRefused(.messageDeleted(.m1))
    let whispered = scene.and(.message(.m3, .send(Message.Content("?", kind: .ephemeral))), by: .bo)
    whispered.when(.message(target, .forward(.m3)), by: .bo).thenRefused(.messageIsEphemeral(.m3))
    guard case .message(_, .sent(let content)) = try forwarded else { return }
    scene.when(.message(target, .send(content)), by: .bo).thenRefused(.messageIsForwarded(target))
  }
}

struct Emoji {
  @Test(arguments: ["👍", "👍🏽", "❤️", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "🇨🇭", "like", "+1"])
  func `an emoji or a word is a kind of reaction`(text: String) throws {
    let kind = try Reaction.Kind(text)
    let key = Reaction.Key(to: .m1, by: "bo")
    let scene = Scene.general.when(.reaction(key, .add(kind, score: 1)), by: .bo)
      .then(.reaction(key, .added(kind, score: 1)))
    #expect(scene.state[.m1]?.reactions.map(\.kind) == [kind])
  }

  @Test(arguments: ["é", "👍 ", "a👍", "1👍", "👍#", "", "日", "\u{1}", String(repeating: "👍", count: 17)])
  func `other text is no kind of reaction, and emoji are no other id`(text: String) {
    #expect(throws: IDError.self) { try Reaction.Kind(text) }
    let thumb = "👍"
    #expect(throws: IDError.self) { try User.ID(thumb) }
  }
}

struct Recordings {
  @Test func `a waveform is part of a recording, and counts against its size`() {
    let limit = Scene.general { $0.limits.attachmentByteCountMax = 100 }
    func voice(_ count: Int) -> Message.Content {
      Message.Content(
        attachments: [
          Attachment(
            "a", .audio, at: .url("https://example.org/a"), duration: Microseconds(rawValue: 9),
            waveform: [UInt8](repeating: 7, count: count))
        ])
    }
    limit.when(.message(.m3, .send(voice(8))), by: .bo).then(.message(.m3, .sent(voice(8))))
    limit.when(.message(.m3, .send(voice(80))), by: .bo)
      .thenRefused(.tooLarge(.attachmentByteCount, count: 165, max: 100))
  }
}

struct GroupMentions {
  @Test func `a group is mentioned in place of a user, by those who may`() throws {
    let group = try #require(Mention(.channel, at: 0..<8))
    #expect(group.group == .channel && Mention(.role(.moderator), at: 0..<8)?.group == .role(.moderator))
    #expect(Mention("ada", at: 0..<4).group == nil)
    #expect(Mention(.role(Role(stringLiteral: String(repeating: "r", count: 59))), at: 0..<4) == nil)
    let content = Message.Content("@channel hi", mentions: [group])
    Scene.general.when(.message(.m3, .send(content)), by: .bo).then(.message(.m3, .sent(content)))
    Scene.general.when(.message(.m3, .send(content)), by: .gil)
      .thenRefused(.notAllowed(.mentionGroups, in: "general"))
    let unknown = Message.Content("@nobody hi", mentions: [Mention("nobody", at: 0..<7)])
    Scene.general.when(.message(.m3, .send(unknown)), by: .bo).thenRefused(.unknownUser("nobody"))
  }

  @Test func `no user has the id of a group`() {
    Scene.general.when(.user("@here", .create(User.Profile(name: "Here"))), by: .system)
      .thenRefused(.reservedUser("@here"))
  }
}

struct ThreadMarkers {
  private let key = ThreadMarker.Key(of: "bo", in: .m1)
  private var scene: Scene {
    Scene.general.and(.message(.m3, .send(Message.Content("reply", parent: "m1"))), by: .ada)
      .and(.message(Message.Key("general", "m4"), .send(Message.Content("again", parent: "m1"))), by: .ada)
  }

  // What broke: marking a thread read set its first marker below that of the channel, and read replies were unread.
  @Test func `a thread without a marker is read through that of the channel`() {
    let read = scene.and(.member(Member.Key("general", "bo"), .read(through: "m4")), by: .bo)
    read.when(.thread(key, .read(through: "m3")), by: .bo).thenNothing()
    let unread = read.when(.thread(key, .markUnread(from: "m3")), by: .bo)
      .then(.thread(key, .markedUnread(from: "m3")))
    unread.when(.thread(key, .read(through: "m3")), by: .bo).then(.thread(key, .read(through: "m3")))
    scene.and(.member(Member.Key("general", "bo"), .read(through: "m3")), by: .bo)
      .when(.thread(key, .read(through: "m4")), by: .bo).then(.thread(key, .read(through: "m4")))
  }

  @Test func `replies of a thread are marked as read up to one that was deleted for good`() {
    let gone = scene.and(.message(Message.Key("general", "m4"), .delete(forGood: true)), by: .ada)
    let read = gone.when(.thread(key, .read(through: "m4")), by: .bo).then(.thread(key, .read(through: "m4")))
    read.when(.thread(key, .read(through: "m4")), by: .bo).thenNothing()
    #expect(read.state[key]?.read.rawValue == 4)
    gone.when(.thread(key, .markUnread(from: "m4")), by: .bo).thenRefused(.unknownMessage(.m4))
  }

  @Test func `a member marks replies of a thread as read and unread`() {
    let read = scene.when(.thread(key, .read(through: "m4")), by: .bo).then(.thread(key, .read(through: "m4")))
    #expect(read.state[key]?.read.rawValue == 4)
    read.when(.thread(key, .read(through: "m3")), by: .bo).thenNothing()
    let unread = read.when(.thread(key, .markUnread(from: "m3")), by: .bo)
      .then(.thread(key, .markedUnread(from: "m3")))
    #expect(unread.state[key]?.read.rawValue == 2)
    scene.when(.thread(key, .read(through: "m2")), by: .bo).thenRefused(.notReply(.m2, to: "m1"))
    scene.when(.thread(key, .read(through: "m3")), by: .cy).thenRefused(.notYours("bo"))
    let dee = ThreadMarker.Key(of: "dee", in: .m1)
    let off = scene.and(.channel("general", .configure(ChannelConfig(off: [.readEvents]))))
    for intent in [.read(through: "m3"), .markUnread(from: "m3")] as [ThreadMarker.Intent] {
      off.when(.thread(key, intent), by: .bo).thenRefused(.off(.readEvents, in: "general"))
    }
    scene.when(.thread(dee, .read(through: "m3")), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
  }
}
