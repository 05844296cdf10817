// Tests of the fold: any events in any order are folded, and one that finds no row is a no-op.
import Chat
import Testing

struct Folding {
  static let term = Expiry.until(.start)
  static let bo = Member.Key("general", "bo")

  static let users: [User.Event] = [
    .created(User.Profile(name: "Bo"), .user), .changed(User.Profile(name: "B")), .roleChanged(.admin), .deactivated,
    .reactivated,
  ]
  static let channels: [Channel.Event] = [
    .created("team", Channel.Profile(), ChannelConfig()), .changed(Channel.Profile(name: "G")),
    .configured(ChannelConfig(slowMode: 1)), .slowModeSet(2), .frozen, .unfrozen,
    .truncated(through: Message.Number(rawValue: .max)), .deleted,
  ]
  static let members: [Member.Event] = [
    .added(.member), .removed, .left, .roleChanged(.guest), .read(through: "m1"), .received(through: "m1"),
    .markedUnread(from: "m1"), .hidden, .shown, .invited(.member), .declined, .pinned, .unpinned, .archived,
    .unarchived,
  ]

  /// Every event of users, channels and members, and samples of the other rows but drafts and composers.
  static let changes: [ChatEvent.Change] =
    users.map { .user("bo", $0) } + channels.map { .channel("general", $0) } + members.map { .member(bo, $0) }
    + [Device.Event.added(Device.Info(name: "phone")), .removed].map { .device(Device.Key("bo", "phone"), $0) }
    + [Mute.Event.began(term), .ended].map { .mute(Mute.Key(by: "bo", of: .channel("general")), $0) }
    + [Ban.Event.imposed(term, reason: nil), .lifted].map { .ban(Ban.Key(of: "bo", from: .everywhere), $0) }
    + [.flag(Flag.Key(by: "bo", on: .user("ada")), .raised(reason: nil))]
    + [.message(.m1, .sent(Message.Content("one"))), .app(.user("bo"), AppEvent("waved", payload: []))]
    + [Consumer.Event.began(after: 3), .advanced(through: 5), .skipped(through: 6), .ended].map { .consumer("bot", $0) }
    + later

  static let later: [ChatEvent.Change] = {
    let (saved, scheduled) = (SavedMessage.Key(by: "bo", .m1), ScheduledMessage.Key(by: "bo", .m1))
    let thread = ThreadMarker.Key(of: "bo", in: .m1)
    return [
      .block(UserBlock.Key(by: "bo", of: "ada"), .began), .block(UserBlock.Key(by: "bo", of: "ada"), .ended),
      .review(.user("ada"), .claimed), .review(.user("ada"), .released),
      .review(.user("ada"), .resolved(.acted, note: nil)), .saved(saved, .saved(note: nil, remindAt: .start)),
      .saved(saved, .removed), .saved(saved, .reminded),
      .scheduled(scheduled, .scheduled(Message.Content("x"), at: .start)),
      .scheduled(scheduled, .cancelled), .scheduled(scheduled, .delivered),
      .scheduled(scheduled, .failed(RecordedFailure("x"))), .thread(thread, .read(through: "m1")),
      .thread(thread, .markedUnread(from: "m1")), .vote(Vote.Key(in: .m1, by: "bo"), .cast(["o"])),
      .vote(Vote.Key(in: .m1, by: "bo"), .cast([])),
    ]
  }()

  func fold(_ changes: [ChatEvent.Change], into state: InMemoryChatState = InMemoryChatState()) -> InMemoryChatState {
    changes.reduce(into: state) { Chat.fold(ChatEvent($1, EventOrigin(by: .bo, at: .start)), into: &$0) }
  }

  @Test func `any events are folded, in any order`() {
    for first in Self.changes {
      for second in Self.changes { _ = fold([first, second, second]) }
    }
    for first in Self.members {
      for second in Self.members {
        let members = [first, second, second].map { ChatEvent.Change.member(Self.bo, $0) }
        for event in Self.channels { _ = fold([.channel("general", event)], into: fold(members)) }
        for event in Self.channels { _ = fold(members, into: fold([.channel("general", event)])) }
      }
    }
  }

  @Test func `an event that finds no row is a no-op, unless it creates one`() {
    let nothing = InMemoryChatState()
    for change in Self.changes {
      switch change {
      case .user(_, .created), .device(_, .added), .mute(_, .began), .ban(_, .imposed), .flag, .channel(_, .created),
        .member(_, .added), .member(_, .invited), .message, .consumer(_, .began), .block(_, .began), .saved(_, .saved),
        .scheduled(_, .scheduled), .vote(_, .cast(["o"])):
        #expect(fold([change]) != nothing, "\(change) begins a row")
      default: #expect(fold([change]) == nothing, "\(change) begins none")
      }
    }
  }

  @Test func `members are counted whatever was recorded first`() {
    let created = ChatEvent.Change.channel("general", Self.channels[0])
    func count(_ events: [Member.Event], before: Bool) -> UInt32? {
      let members = events.map { ChatEvent.Change.member(Self.bo, $0) }
      return fold(before ? [created] + members : members + [created])["general" as Channel.ID]?.memberCount
    }
    #expect(count([.added(.member)], before: true) == 1)
    #expect(count([.added(.member), .added(.guest)], before: true) == 1)
    #expect(count([.added(.member), .left, .removed, .left], before: true) == 0)
    #expect(count([.left, .removed, .roleChanged(.guest)], before: true) == 0)
    // The member leaves a channel that counted no members.
    let state = fold([.member(Self.bo, .added(.member)), created, .member(Self.bo, .left)])
    #expect(state["general" as Channel.ID]?.memberCount == 0)
  }

  @Test func `a marker does not move to an unknown message`() {
    let scene = Scene.general.and(.member(Self.bo, .read(through: "m2")), .member(Self.bo, .receive(through: "m2")))
    let events: [Member.Event] = [.read(through: "m9"), .received(through: "m9"), .markedUnread(from: "m9")]
    for event in events { #expect(fold([.member(Self.bo, event)], into: scene.state) == scene.state) }
  }

  @Test func `the truncation of a channel never decreases`() {
    let scene = Scene.general.and(.channel("general", .truncate(through: nil)))
    let state = fold([.channel("general", .truncated(through: .zero))], into: scene.state)
    #expect(state["general" as Channel.ID]?.truncated == Message.Number(rawValue: 2))
  }

  @Test func `a channel truncated past its newest message has a defect`() {
    let state = fold([.channel("general", .truncated(through: Message.Number(rawValue: 3)))], into: Scene.general.state)
    #expect(state["general" as Channel.ID]?.defect?.contains("general") == true)
  }

  @Test func `the fold reads no rules`() {
    let events = Scene.general.events
    var strict = Rules()
    (strict.memberCapabilities, strict.userCapabilities, strict.administrators) = ([:], [:], [])
    strict.limits.nameLengthMax = 0
    var state = InMemoryChatState(rules: strict)
    for event in events { Chat.fold(event, into: &state) }
    state.rules = Scene.general.state.rules
    #expect(state == Scene.general.state)
  }
}
