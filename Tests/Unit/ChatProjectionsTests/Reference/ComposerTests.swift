// Threat: queries for composers and drafts are wrong in rare cases: two devices, bans, commands in odd orders.
import Chat
import ChatCodec
import ChatSamples
import ChatProjections
import EventLog
import SeededRandom
import Testing
import Projections

@Suite struct `Queries for composers and drafts` {
  private let scratch: Scratch
  private let store: EventStore
  private let projections: ProjectionStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.log(inMemory: true)
    projections = try scratch.projections(store)
  }

  /// Appends events some microseconds after the beginning.
  private func happen(_ changes: ChatEvent.Change..., at time: Int64 = 0) throws {
    scratch.clock.instantOfHistory = Timestamp(rawValue: time)
    try store.append(changes.map { ChatEvent($0, EventOrigin(by: .system, at: instant(time))) })
  }

  /// Returns that instant on the log's clock.
  private func instant(_ time: Int64) -> Timestamp {
    Timestamp(rawValue: time + scratch.clock.now.rawValue - scratch.clock.instantOfHistory.rawValue)
  }

  private func reference() throws -> Reference {
    var reference = Reference()
    for event in try store.events(from: .first, limit: .max) { reference.fold(try decode(event), at: event.position) }
    return reference
  }

  // MARK: Busy channels

  @Test func `queries in a busy channel equal the reference, for any events in any order`() throws {
    var random = SeededRandom.printingSeed()
    for user in people { try happen(.user(user, .created(User.Profile(name: "Somebody"), .user))) }
    try happen(.channel("general", .created("team", Channel.Profile(name: "General"), ChannelConfig())))
    for user in people { try happen(.member(Member.Key("general", user), .added(.member))) }
    var (time, answers) = (Int64(0), 0)
    for step in 1...600 {
      time += random.pick([0, 1, 500_000, 1_000_000, 3_000_000])
      try happen(something(at: time, &random), at: time)
      guard step.isMultiple(of: 20) else { continue }
      var asking = Asking(random, try reference(), "seed \(random.seed), step \(step)")
      answers += asking.reference.typing(in: "general", thread: nil, at: instant(time), except: nil).count
      try projections.read { reading throws(ProjectionError) in try asking.askAboutComposers(reading.chat) }
    }
    #expect(answers > 10, "seed \(random.seed)")
  }

  private let people: [User.ID] = ["ada", "bob", "cleo"]

  private func something(at time: Int64, _ random: inout SeededRandom) -> ChatEvent.Change {
    let user = random.pick(people)
    let key = Composer.Key(
      of: user, on: random.pick(["phone", "tablet"]), in: "general", thread: random.pick([nil, nil, "m1"]))
    let id: CommandExecution.ID = random.pick(["e1", "e2", "e3"])
    switch random.below(20) {
    case 0: return .composer(key, .sent("m2", keeping: nil))
    case 1: return .composer(key, .left(keepingContent: random.bool()))
    case 2...3: return .composer(key, .commandStarted(CommandExecution(id, of: ComposedCommand("mute"), arguments: "")))
    case 4: return .composer(key, .commandExecuted(id))
    case 5:
      let failure = random.pick([.text("offline"), RecordedFailure("noMoney", ["euros": 3])])
      return .composer(key, .commandFailed(id, failure))
    case 6: return .composer(key, .commandInterrupted(id))
    case 7:
      let scope: Ban.Scope = random.bool() ? .everywhere : .channel("general")
      let end = instant(time + random.pick([1, 3_000_000]))
      return .ban(Ban.Key(of: user, from: scope), random.once(in: 3) ? .lifted : .imposed(.until(end), reason: nil))
    case 8: return .user(user, random.once(in: 3) ? .deactivated : .reactivated)
    default: return .composer(key, .typed(Splice(0..<0, to: "e")))
    }
  }

  // MARK: One by one

  @Test func `a user typing on two devices is returned once, for seven seconds from the last letter`() throws {
    try happen(.channel("general", .created("team", Channel.Profile(name: "General"), ChannelConfig())))
    for user in ["ada", "bob"] as [User.ID] { try happen(.member(Member.Key("general", user), .added(.member))) }
    for (time, user, device) in [(1, "ada", "tablet"), (2, "ada", "phone"), (2, "bob", "phone")]
      as [(Int64, User.ID, Device.ID)]
    {
      let key = Composer.Key(of: user, on: device, in: "general")
      try happen(.composer(key, .typed(Splice(0..<0, to: "e"))), at: time * 1_000_000)
    }
    func typing(at time: Int64) throws -> [TypingUser] {
      try projections.read { reading throws(ProjectionError) in
        try reading.chat.typing(in: "general", at: instant(time))
      }
    }
    let second = instant(2_000_000)
    #expect(try typing(at: 8_999_999) == [TypingUser("ada", typed: second), TypingUser("bob", typed: second)])
    #expect(try typing(at: 1_500_000) == [TypingUser("ada", typed: instant(1_000_000))])
    #expect(try typing(at: 9_000_000) == [])
  }

  @Test func `a draft in a thread is listed with its parent message, as long as the user can see it`() throws {
    try happen(.channel("general", .created("team", Channel.Profile(name: "General"), ChannelConfig())))
    for (id, kind) in [("m1", .regular), ("m2", .regular), ("m3", .ephemeral), ("m4", .regular)]
      as [(Message.ID, Message.Kind)]
    {
      try happen(.message(Message.Key("general", id), .sent(Message.Content("text", kind: kind))))
    }
    try happen(.channel("general", .truncated(through: Message.Number(rawValue: 1))))
    try happen(.message(Message.Key("general", "m2"), .deleted(forGood: true)))
    for thread in ["m3", "m2", nil, "m1", "m4"] as [Message.ID?] {
      let key = Draft.Key(by: "ada", in: "general", thread: thread)
      try happen(.draft(key, .updated(Composition(TypedText("text")), Edit(at: instant(0), on: nil))))
    }
    let drafts = try projections.read { reading throws(ProjectionError) in
      try reading.chat.drafts(of: "ada", sorting: [], limit: 9).drafts
    }
    #expect(drafts.map(\.key.thread) == [nil, "m1", "m2", "m3", "m4"])
    #expect(drafts.map(\.parent?.key.id) == [nil, nil, nil, nil, "m4"])
    #expect(try drafts == reference().drafts(of: "ada", sorting: []))
  }

  @Test func `a draft cursor continues at its sort position, whatever happens to the draft that was there`() throws {
    func save(_ channel: Channel.ID, at time: Int64) throws {
      let edit = Edit(at: instant(time), on: nil)
      try happen(.draft(Draft.Key(by: "ada", in: channel), .updated(Composition(TypedText("text")), edit)), at: time)
    }
    for (time, channel) in [(1, "a"), (2, "b"), (3, "c"), (4, "d")] as [(Int64, Channel.ID)] {
      try save(channel, at: time)
    }
    let newest = [DraftSort(key: .updatedAt, isAscending: false)]
    func page(after cursor: DraftCursor? = nil) throws -> DraftPage {
      try projections.read { reading throws(ProjectionError) in
        try reading.chat.drafts(of: "ada", sorting: newest, after: cursor, limit: 2)
      }
    }
    let first = try page()
    #expect(first.drafts.map(\.key.channel) == ["d", "c"])
    #expect(first.drafts.map(\.id) == ["ada/d", "ada/c"])
    // The draft at the cursor moves to the front, and so does one after it, which is then on no page.
    try save("c", at: 5)
    try save("a", at: 6)
    let second = try page(after: first.next)
    #expect(second.drafts.map(\.key.channel) == ["b"])
    #expect(second.next == nil)
  }

  @Test func `the history of a message keeps contents that its row has lost`() throws {
    let key = Message.Key("general", "m1")
    try happen(.channel("general", .created("team", Channel.Profile(name: "General"), ChannelConfig())))
    try happen(.message(key, .sent(Message.Content("a secret"))), at: 1)
    try happen(.message(key, .edited(Message.Edits(text: "nothing"))), at: 2)
    try happen(.message(key, .pinned(.endless)), .message(key, .deleted(forGood: true)), at: 3)
    let history = try projections.history(of: key)
    #expect(history.map(\.content.text) == ["a secret", "nothing", ""])
    #expect(history.map(\.presence) == [.present, .present, .gone])
    #expect(history.map(\.position.rawValue) == [2, 3, 5])
    let positions = try projections.read { reading throws(ProjectionError) in
      let message = try reading.chat.message(key)
      #expect(message?.presence == .gone && message?.content.text == "")
      return try reading.chat.biography(of: key)
    }
    #expect(positions.map(\.rawValue) == [2, 3, 4, 5])
  }
}
