// Threat: a visibility rule does not apply, or applies where it must not.
import Chat
import ChatProjections
import EventLog
import Testing
import Verbatim

@Suite struct `Visibility for a user` {
  private let house: AccessHouse
  private let general: Channel.ID = "general"
  private let now = Timestamp.accessStart + .seconds(60)

  init() throws {
    var rules = Rules()
    rules.memberCapabilities["mute"] = []
    house = try AccessHouse(rules)
    for user in ["ada", "bob", "eve", "mod", "root"] as [User.ID] {
      try happens(.user(user, .created(User.Profile(name: "Somebody"), user == "root" ? .admin : .user)))
    }
    try happens(.channel(general, .created("team", Channel.Profile(name: "General"), ChannelConfig())))
    try happens(.channel("secret", .created("team", Channel.Profile(name: "Hidden"), ChannelConfig())))
    for (user, role) in [("ada", .member), ("bob", .member), ("mod", .moderator)] as [(User.ID, Role)] {
      try happens(.member(Member.Key(general, user), .added(role)))
    }
    try happens(.member(Member.Key("secret", "bob"), .added(.member)))
  }

  private func happens(_ change: ChatEvent.Change, by user: User.ID? = nil) throws {
    try house.happens(ChatEvent(change, EventOrigin(by: user.map { .user($0) } ?? .system, at: .accessStart)))
  }

  private func says(
    _ text: UserText, as id: Message.ID, in channel: Channel.ID = "general", by user: User.ID = "bob",
    kind: Message.Kind = .regular, to parent: Message.ID? = nil, mentions: [Mention] = []
  ) throws {
    let content = Message.Content(text, kind: kind, mentions: mentions, parent: parent)
    try happens(.message(Message.Key(channel, id), .sent(content)), by: user)
  }

  private func deletes(_ id: Message.ID, by user: User.ID, forGood: Bool = false) throws {
    try happens(.message(Message.Key(general, id), .deleted(forGood: forGood)), by: user)
  }

  private func key(_ id: Message.ID) -> Message.Key { Message.Key(general, id) }

  /// Returns the result of a user's query.
  private func answer<R>(
    _ user: User.ID = "ada", _ question: (borrowing ClientReading) throws -> R
  ) throws -> R {
    try house.read(as: user, at: now) { client in try question(client) }
  }

  /// Returns the refusal of a user's query.
  private func refusal<R>(
    _ user: User.ID = "ada", _ question: (borrowing ClientReading) throws -> R
  ) throws -> Refusal? {
    do { _ = try answer(user, question) } catch ReadError.refused(let refusal) { return refusal }
    return nil
  }

  // MARK: Who asks

  @Test func `a missing or deactivated user reads nothing`() throws {
    try happens(.user("eve", .deactivated))
    #expect(try refusal("nobody") { $0.position } == .unknownUser("nobody"))
    #expect(try refusal("eve") { $0.position } == .userDeactivated("eve"))
    try happens(.user("eve", .reactivated))
    #expect(try refusal("eve") { $0.position } == nil)
  }

  // MARK: Channels

  @Test func `a user sees channels in which they may read, as a member or by their role`() throws {
    #expect(try refusal { client in try client.channel("none") } == .unknownChannel("none"))
    #expect(
      try refusal { client in try client.channel("secret") }
        == .notMember(Member.Key("secret", "ada")))
    #expect(try answer { client in try client.channel(general).id } == general)
    #expect(try answer("root") { client in try client.channel("secret").profile.name } == "Hidden")
    try happens(.member(Member.Key(general, "ada"), .roleChanged("mute")))
    #expect(
      try refusal { client in try client.channel(general) } == .notAllowed(.read, in: general))
    try happens(.channel("secret", .deleted))
    #expect(
      try refusal("bob") { client in try client.channel("secret") } == .channelDeleted("secret"))
  }

  @Test func `lists and searches contain visible channels only, without shorter pages`() throws {
    for number in 1...3 {
      let channel: Channel.ID = ID(stringLiteral: "c\(number)")
      try happens(.channel(channel, .created("team", Channel.Profile(), ChannelConfig())))
      try happens(.member(Member.Key(channel, "ada"), .added(number == 2 ? "mute" : .member)))
      try says("hello ada", as: "h", in: channel, mentions: [Mention("ada", at: 6..<9)])
      try says("mine", as: "t", in: channel, by: "ada")
      try says("hello", as: "r", in: channel, to: "t")
    }
    try says("hello", as: "h", in: "secret")
    try house.read(as: "ada", at: now) { client throws in
      let list = try client.channels(by: .name, limit: 2)
      #expect(list.channels.map(\.channel.id) == ["c1", "c3"])
      let rest = try client.channels(by: .name, after: list.next, limit: 2)
      #expect(rest.channels.map(\.channel.id) == [general] && rest.next == nil)
      #expect(try client.unread() == Unread(messages: 2, mentions: 2))
      #expect(try client.mentions(limit: 2).messages.map(\.key.channel) == ["c1", "c3"])
      #expect(try client.mentions(limit: 2).next == nil)
      #expect(try client.threads(limit: 2).threads.map(\.parent.key.channel) == ["c1", "c3"])
      #expect(Set(try client.messages(matching: "hello", limit: 9).messages.map(\.key.channel)) == ["c1", "c3"])
    }
    #expect(
      try answer("root") { client in try client.messages(matching: "hello", limit: 9).messages.count }
        == 7)
    #expect(
      try refusal { client in try client.messages(matching: "hello", in: "c2", limit: 9) }
        == .notAllowed(.read, in: "c2"))
  }

  @Test func `a user who left a channel reads nothing of it, not even their own messages`() throws {
    try says("mine", as: "m1", by: "ada")
    try says("ada", as: "m2", to: "m1", mentions: [Mention("ada", at: 0..<3)])
    try happens(
      .draft(
        Draft.Key(by: "ada", in: general, thread: "m1"),
        .updated(Composition("so"), Edit(at: .accessStart, on: nil))), by: "ada")
    #expect(try answer { client in try client.drafts(limit: 9).drafts[0].parent?.key } == key("m1"))
    try happens(.member(Member.Key(general, "ada"), .left), by: "ada")
    #expect(
      try refusal { client in try client.message(key("m1")) }
        == .notMember(Member.Key(general, "ada")))
    try house.read(as: "ada", at: now) { client throws in
      #expect(try client.mentions(limit: 9).messages == [] && client.threads(limit: 9).threads == [])
      #expect(
        try client.channels(limit: 9).channels == [] && client.messages(matching: "mine", limit: 9).messages == [])
      let drafts = try client.drafts(limit: 9).drafts
      #expect(drafts.map(\.content) == [Composition("so")] && drafts[0].parent == nil)
    }
  }

  // MARK: Ephemeral messages

  @Test func `another's ephemeral message is in no result, whatever the log contains`() throws {
    try says("psst ada", as: "e", kind: .ephemeral, mentions: [Mention("ada", at: 5..<8)])
    try happens(.message(key("e"), .pinned(.endless)))
    try says("re", as: "r", by: "ada", to: "e")
    try happens(.reaction(Reaction.Key(to: key("e"), by: "ada"), .added("like", score: 1)), by: "ada")
    try happens(.composer(Composer.Key(of: "mod", on: "web", in: general, thread: "e"), .typed(Splice(0..<0, to: "a"))))
    let unknown = Refusal.unknownMessage(key("e"))
    #expect(try refusal { client in try client.message(key("e")) } == unknown)
    #expect(
      try refusal { client in try client.messages(in: general, .around("e"), limit: 9) } == unknown)
    #expect(try refusal { client in try client.replies(to: key("e"), limit: 9) } == unknown)
    #expect(try refusal { client in try client.reactions(to: key("e"), limit: 9) } == unknown)
    #expect(try refusal { client in try client.readers(of: key("e"), limit: 9) } == unknown)
    #expect(try refusal { client in try client.receivers(of: key("e"), limit: 9) } == unknown)
    #expect(try refusal { client in try client.biography(of: key("e")) } == unknown)
    #expect(try refusal { client in try client.typing(in: general, thread: "e") } == unknown)
    try house.read(as: "ada", at: now) { client throws in
      #expect(try client.messages(in: general, limit: 9).messages == [])
      #expect(try client.channels(limit: 9).channels.map(\.newest) == [nil])
      #expect(try client.pinned(in: general, limit: 9).messages == [])
      #expect(try client.mentions(limit: 9).messages == [] && client.threads(limit: 9).threads == [])
      #expect(try client.messages(matching: "psst", limit: 9).messages == [])
      #expect(try client.unread() == .none && client.firstUnread(in: general) == nil)
    }
    #expect(try answer("bob") { client in try client.message(key("e")).content.text } == "psst ada")
    let all = try answer("bob") { client in try client.messages(in: general, .around("e"), limit: .max).messages }
    #expect(all.map(\.key.id) == ["e"])
  }

  @Test func `truncated and permanently deleted messages are refused as unknown`() throws {
    try says("one", as: "m1")
    try says("two", as: "m2")
    try says("re", as: "r", to: "m2")
    try happens(.channel(general, .truncated(through: Message.Number(rawValue: 1))))
    try deletes("m2", by: "bob", forGood: true)
    for id in ["m1", "m2", "m3"] as [Message.ID] {
      #expect(
        try refusal("bob") { client in try client.message(key(id)) } == .unknownMessage(key(id)))
    }
    #expect(
      try refusal { client in try client.replies(to: key("m1"), limit: 1) }
        == .unknownMessage(key("m1")))
    #expect(
      try answer { client in try client.replies(to: key("m2"), limit: 9).messages.map(\.key.id) } == [
        "r"
      ])
  }

  // MARK: Deleted messages

  @Test func `the content of a deleted message is visible to users who may restore it only`() throws {
    try says("own", as: "m1", by: "ada")
    try happens(.reaction(Reaction.Key(to: key("m1"), by: "bob"), .added("like", score: 1)), by: "bob")
    let options = [Poll.Option("1", "own"), Poll.Option("2", "else")]
    try happens(.message(key("m1"), .pollOpened(options, Poll.Rules())), by: "ada")
    try happens(.message(key("m1"), .failed(reason: "own")))
    try deletes("m1", by: "ada")
    func text(for user: User.ID) throws -> UserText {
      try answer(user) { client in try client.message(key("m1")).content.text }
    }
    #expect(try text(for: "ada") == "own" && text(for: "mod") == "own" && text(for: "root") == "own")
    let placeholder = try answer("bob") { client in try client.message(key("m1")) }
    #expect(placeholder.content == Message.Content() && placeholder.author == "ada")
    #expect(placeholder.reactions == [] && placeholder.delivery == .settled)
    #expect(placeholder.poll == nil)
    #expect(try answer { client in try client.message(key("m1")).poll?.options } == options)
    #expect(
      try refusal("bob") { client in try client.reactions(to: key("m1"), limit: 9) }
        == .messageDeleted(key("m1")))
    try house.read(as: "bob", at: now) { client throws in
      #expect(try client.messages(in: general, limit: 9).messages == [placeholder])
      #expect(try client.channels(limit: 9).channels.first { $0.channel.id == general }?.newest == placeholder)
    }
    #expect(try answer { client in try client.messages(matching: "own", limit: 9).messages } == [])
    // An author may not restore a message that another user deleted.
    try happens(.message(key("m1"), .restored), by: "ada")
    try deletes("m1", by: "mod")
    #expect(try text(for: "ada") == "" && text(for: "mod") == "own")
    try happens(.ban(Ban.Key(of: "mod", from: .channel(general)), .imposed(.endless, reason: nil)))
    #expect(try text(for: "mod") == "")
  }

  // What broke: it was found by reading. A user whom others had blocked, or who had left, went on writing to them, in
  // reasons of failures.
  @Test func `the reason of a failed delivery is visible to its author only`() throws {
    try says("hello", as: "m1")
    try says("re", as: "r", to: "m1")
    for id in ["m1", "r"] as [Message.ID] { try happens(.message(key(id), .failed(reason: "words")), by: "bob") }
    try happens(.message(key("m1"), .pinned(.endless)))
    func deliveries(for user: User.ID) throws -> Set<Message.Delivery> {
      let messages = try answer(user) { client throws -> [Message] in
        var messages = [try client.message(key("m1"))]
        messages += try client.messages(in: general, limit: 9).messages
        messages += try client.replies(to: key("m1"), limit: 9).messages
        messages += try client.pinned(in: general, limit: 9).messages
        messages += try client.messages(matching: "hello", limit: 9).messages
        messages += try client.channels(limit: 9).channels.compactMap(\.newest)
        return messages.filter { $0.key.channel == general }
      }
      return Set(messages.map(\.delivery))
    }
    #expect(try deliveries(for: "bob") == [.failed(reason: "words")])
    for user in ["ada", "mod", "root"] as [User.ID] { #expect(try deliveries(for: user) == [.failed(reason: "")]) }
  }

  @Test func `a deleted parent of a thread or a draft is visible as any other deleted message`() throws {
    try says("own", as: "m1")
    try says("re", as: "r", by: "ada", to: "m1")
    try happens(
      .draft(
        Draft.Key(by: "ada", in: general, thread: "m1"),
        .updated(Composition("so"), Edit(at: .accessStart, on: nil))), by: "ada")
    try deletes("m1", by: "bob")
    try house.read(as: "ada", at: now) { client throws in
      #expect(try client.threads(limit: 9).threads.map(\.parent.content.text) == [""])
      #expect(try client.drafts(limit: 9).drafts.map(\.parent?.content.text) == [""])
    }
    #expect(
      try answer("bob") { client in try client.threads(limit: 9).threads[0].parent.content.text }
        == "own")
  }

  @Test func `a message's biography is visible to its author, and to users who may edit or delete it`() throws {
    try says("one", as: "m1")
    try happens(.message(key("m1"), .edited(Message.Edits(text: "two"))), by: "bob")
    func biography(for user: User.ID) throws -> Int {
      try answer(user) { client in try client.biography(of: key("m1")).count }
    }
    #expect(try biography(for: "bob") == 2 && biography(for: "mod") == 2)
    #expect(
      try refusal { client in try client.biography(of: key("m1")) }
        == .notAllowed(.editAny, in: general))
    try deletes("m1", by: "mod")
    #expect(
      try refusal("bob") { client in try client.biography(of: key("m1")) }
        == .messageDeleted(key("m1")))
    #expect(try biography(for: "mod") == 3)
    // What broke: an author saw when a message was flagged, and in the studio by whom and why.
    try says("three", as: "m2")
    let flag = Flag.Key(by: "ada", on: .message(key("m2")))
    try happens(.flag(flag, .raised(reason: "he threatens me")), by: "ada")
    try happens(.review(.message(key("m2")), .claimed), by: "mod")
    #expect(try answer("bob") { client in try client.biography(of: key("m2")).count } == 1)
    #expect(try answer("mod") { client in try client.biography(of: key("m2")).count } == 3)
  }

  // MARK: Others

  @Test func `drafts, composers, commands and mutes are visible to their user only`() throws {
    for user in ["ada", "bob"] as [User.ID] {
      let composer = Composer.Key(of: user, on: "web", in: general)
      let text = UserText(user.text)
      try happens(
        .draft(
          Draft.Key(by: user, in: general), .updated(Composition(TypedText(text)), Edit(at: .accessStart, on: nil))),
        by: user)
      try happens(.composer(composer, .opened), by: user)
      try happens(.composer(composer, .typed(Splice(0..<0, to: text))), by: user)
      let run = CommandExecution("run", of: ComposedCommand("giphy"), arguments: text)
      try happens(.composer(composer, .commandStarted(run)), by: user)
      try happens(.mute(Mute.Key(by: user, of: .channel(general)), .began(.endless)), by: user)
    }
    try house.read(as: "ada", at: now) { client throws in
      #expect(try client.draft(in: general)?.content?.text == "ada")
      #expect(try client.drafts(limit: 9).drafts.map(\.key.user) == ["ada"])
      #expect(try client.composers().map(\.key.user) == ["ada"])
      #expect(try client.openComposers().map(\.key.user) == ["ada"])
      #expect(try client.commands(limit: 9).commands.map(\.execution.arguments) == ["ada"])
      #expect(try client.mutes().map(\.key.user) == ["ada"])
      #expect(try client.mute(of: .channel(general))?.key.user == "ada")
    }
    try house.read(as: "ada", at: .accessStart + .seconds(1)) { client throws in
      #expect(try client.typing(in: general) == [TypingUser("bob", typed: .accessStart)])
    }
  }

  @Test func `lists contain the user's own drafts and failed messages, and other typing users`() throws {
    try says("parent", as: "p", by: "ada")
    for (user, id) in [("ada", "m1"), ("bob", "m2"), ("mod", "m3")] as [(User.ID, Message.ID)] {
      try says("so", as: id, by: user, to: "p")
      try happens(.message(key(id), .failed(reason: "offline")))
      for thread in [nil, "p"] as [Message.ID?] {
        let (edit, composer) = (
          Edit(at: .accessStart, on: nil), Composer.Key(of: user, on: "web", in: general, thread: thread)
        )
        let draft = Draft.Key(by: user, in: general, thread: thread)
        try happens(.draft(draft, .updated(Composition(TypedText(user.text)), edit)), by: user)
        try happens(.composer(composer, .typed(Splice(0..<0, to: "a"))), by: user)
      }
    }
    try house.read(as: "bob", at: .accessStart + .seconds(1)) { client throws in
      let channel = try client.channels(limit: 9).channels.first { $0.channel.id == general }
      let thread = try client.threads(limit: 9).threads.first
      #expect(channel?.draft?.content?.text == "bob" && thread?.draftReply?.content?.text == "bob")
      #expect(channel?.typing == ["ada", "mod"] && thread?.typing == ["ada", "mod"])
      #expect(channel?.failed == nil && thread?.failed?.key.id == "m2")
    }
    // A list's line omits what the channel does not share.
    var config = ChannelConfig()
    config.off = [.typingEvents]
    try happens(.channel(general, .configured(config)))
    try deletes("p", by: "ada")
    try house.read(as: "bob", at: .accessStart + .seconds(1)) { client throws in
      let channel = try client.channels(limit: 9).channels.first { $0.channel.id == general }
      let thread = try client.threads(limit: 9).threads.first
      #expect(channel?.typing == [] && thread?.typing == [])
      // The deleted message is withheld, and the user's own draft is still shown.
      #expect(channel?.newest?.content.text == "" && channel?.draft?.content?.text == "bob")
      #expect(thread?.parent.content.text == "" && thread?.failed?.content.text == "so")
    }
    try happens(.member(Member.Key(general, "bob"), .left), by: "bob")
    try house.read(as: "bob", at: .accessStart + .seconds(1)) { client throws in
      #expect(try client.channels(limit: 9).channels.map(\.channel.id) == ["secret"])
      #expect(try client.threads(limit: 9).threads == [])
    }
  }

  @Test func `a user sees their own bans, a channel's if they may ban there, all as an administrator`() throws {
    for scope in [.channel(general), .everywhere] as [Ban.Scope] {
      try happens(.ban(Ban.Key(of: "bob", from: scope), .imposed(.endless, reason: "spam")))
    }
    #expect(try answer("bob") { client in try client.ban(in: general)?.key.scope } == .everywhere)
    #expect(try answer { client in try client.ban(in: general) } == nil)
    func refused(_ user: User.ID, _ scope: Ban.Scope) throws -> Refusal? {
      try refusal(user) { client in try client.bans(from: scope, limit: 9) }
    }
    #expect(try refused("ada", .channel(general)) == .notAllowed(.ban, in: general))
    #expect(try refused("eve", .channel(general)) == .notMember(Member.Key(general, "eve")))
    #expect(try refused("mod", .channel(general)) == nil && refused("root", .everywhere) == nil)
    #expect(try refused("mod", .everywhere) == .notAdministrator)
    try happens(.ban(Ban.Key(of: "mod", from: .everywhere), .imposed(.endless, reason: nil)))
    #expect(try refused("mod", .channel(general)) != nil)
    #expect(try answer("mod") { client in try client.messages(in: general, limit: 1).messages } == [])
  }

  @Test func `members' markers are visible as far as the channel shares them`() throws {
    try says("one", as: "m1", by: "ada")
    for event in [.read(through: "m1"), .received(through: "m1"), .hidden] as [Member.Event] {
      try happens(.member(Member.Key(general, "bob"), event), by: "bob")
    }
    func bob(for user: User.ID) throws -> Member? {
      try answer(user) { client in try client.member(Member.Key(general, "bob")) }
    }
    let one = Message.Number(rawValue: 1)
    #expect(try bob(for: "bob")?.hidden == one && bob(for: "ada")?.hidden == nil)
    #expect(try bob(for: "ada")?.read == one && bob(for: "ada")?.received == one)
    var config = ChannelConfig()
    config.off = [.readEvents, .deliveryEvents]
    try happens(.channel(general, .configured(config)))
    #expect(try bob(for: "ada")?.read == .zero && bob(for: "ada")?.received == .zero)
    #expect(try bob(for: "bob")?.read == one)
    let listed = try answer { client in try client.members(of: general, limit: 9).members }
    #expect(listed.first { $0.key.user == "bob" } == (try bob(for: "ada")))
    #expect(try answer { client in try client.markers(in: general, limit: 9).markers } == [])
  }

  @Test func `every user's profile is visible, and suggestions in visible channels`() throws {
    try house.read(as: "ada", at: now) { client throws in
      #expect(try client.user("root")?.profile.name == "Somebody" && client.user("nobody") == nil)
      #expect(try client.users(matching: "some").map(\.id) == ["bob", "eve", "mod", "root"])
      #expect(try client.members(of: general, matching: "some").map(\.id) == ["bob", "mod"])
    }
    let unseen = Refusal.notMember(Member.Key("secret", "ada"))
    #expect(try refusal { client in try client.users(matching: "", in: "secret") } == unseen)
    #expect(try refusal { client in try client.members(of: "secret", matching: "") } == unseen)
  }
}
