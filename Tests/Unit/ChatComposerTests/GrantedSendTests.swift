// Tests that a composer can send exactly what deciding grants, and names the same reasons.
//
// A composer asked for the capability to edit one's own messages even from users who may edit any message, whom the
// decider permits it. Both now call the same rules.
import Chat
import ChatComposer
import Testing

struct GrantedSends {
  private static let key = Composer.Key(of: "ada", on: "phone", in: "general")
  private static let now = Timestamp(rawValue: 1_700_000_000_000_000)

  /// A state of the channel.
  private struct Channel: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var config = ChannelConfig()
    var isFrozen = false
    var isBanned = false
    var isMember = true

    init(_ name: String, _ change: (inout Channel) -> Void = { _ in }) {
      testDescription = name
      change(&self)
    }

    static let all: [Channel] =
      [
        Channel("plain"), Channel("frozen") { $0.isFrozen = true }, Channel("banned") { $0.isBanned = true },
        Channel("slow") { $0.config.slowMode = 60 }, Channel("left") { $0.isMember = false },
        Channel("everything") { ($0.config.off, $0.config.slowMode, $0.isBanned) = (.all, 60, true) },
      ]
      + [ChannelFlag.replies, .quotes, .uploads, .urlEnrichment].map { flag in
        Channel("without \(flag)") { $0.config.off = [flag] }
      }
  }

  /// Returns a conversation with messages of Ada and of Bo, in a state of the channel and with some capabilities.
  private func conversation(_ channel: Channel, _ capabilities: Capabilities) throws -> InMemoryConversation {
    var rules = Rules()
    rules.memberCapabilities["solo"] = capabilities
    rules.memberCapabilities["first"] = .all
    let chat = InMemoryConversation(rules: rules, at: Self.now)
    let ada = Member.Key("general", "ada")
    let users = (["ada", "bo"] as [User.ID]).map { ChatIntent.user($0, .create(User.Profile(name: "X"))) }
    try chat.submit(
      users + [
        .channel("general", .create("team", Chat.Channel.Profile(), ChannelConfig(), members: ["bo"])),
        .member(ada, .add("first")),
      ], by: .system)
    try chat.submit([.message(Message.Key("general", "others"), .send(Message.Content("2")))], by: .user("bo"))
    try chat.submit([.message(Message.Key("general", "own"), .send(Message.Content("1")))], by: .user("ada"))
    try chat.submit([.channel("general", .configure(channel.config)), .member(ada, .changeRole("solo"))], by: .system)
    if channel.isFrozen { try chat.submit([.channel("general", .freeze)], by: .system) }
    let ban = Ban.Key(of: "ada", from: .channel("general"))
    if channel.isBanned { try chat.submit([.ban(ban, .impose(.endless, reason: nil))], by: .system) }
    if !channel.isMember { try chat.submit([.member(ada, .remove)], by: .system) }
    return chat
  }

  /// Returns composers with content that needs different capabilities, in the channel and in a thread.
  private func composers(_ state: InMemoryChatState) throws -> [Composer] {
    let own = try #require(state[Message.Key("general", "own")])
    let others = try #require(state[Message.Key("general", "others")])
    let contents: [[Composer.Action]] = [
      [.setText("words")], [.setText("see https://pages.example")],
      [.attach(Attachment("a", .file, at: .url("https://files.example/a")))],
      [.attach(Attachment("l", .link, at: .url("https://pages.example")))],
      [.quote("others"), .setText("words")],
      [.quote("others"), .setText("www.a"), .attach(Attachment("a", .image, at: .url("https://files.example/a")))],
    ]
    let edits: [[Composer.Action]] = [own, others].flatMap { message in
      [
        [.beginEdit(message), .setText("other")], [.beginEdit(message), .setText("www.a")],
        [.beginEdit(message), .attach(Attachment("a", .file, at: .url("https://files.example/a")))],
      ]
    }
    func composer(_ actions: [Composer.Action], thread: Message.ID? = nil) throws -> Composer {
      var composerContext = ComposerContext()
      composerContext.messages = ["own": .present(own), "others": .present(others)]
      let composer = Composer(Composer.Key(of: "ada", on: "phone", in: "general", thread: thread))
      var reducer = ComposerReducer(composer, in: composerContext)
      for action in actions { _ = try reducer.act(action, at: Self.now) }
      return reducer.composer
    }
    return try (contents + edits).map { try composer($0) } + contents.map { try composer($0, thread: "others") }
  }

  @Test(arguments: Channel.all)
  private func `a composer can send exactly what deciding grants, and names the same reason`(
    channel: Channel
  ) async throws {
    // A composer does not know whether the user is a member, and names the capability.
    let single = Capability.allCases.map { Capabilities([.read, .send, .reply, $0]) }
    // All can read: a host gives users who cannot read a channel no capabilities.
    let allButOne = Capability.allCases.filter { $0 != .read }.map { missing in
      Capabilities(Capability.allCases.filter { $0 != missing })
    }
    for capabilities in [[.read], .all] + single + allButOne {
      let chat = try conversation(channel, capabilities)
      let composerContext = try await chat.host(of: Self.key).composerContext(messages: ["own", "others"], users: [])
      for composer in try composers(chat.state) {
        let reducer = ComposerReducer(composer, in: composerContext)
        let (refusal, decided) = (reducer.refusal(at: Self.now), decided(reducer.plan(), given: chat.state))
        #expect(
          channel.isMember ? refusal?.reason == decided?.reason : (refusal == nil) == (decided == nil),
          "\(reducer.plan()) with \(capabilities.elements): \(refusal?.description ?? "can be sent")")
      }
    }
  }

  /// Returns the refusal of the decider for the intent of a plan.
  private func decided(_ plan: SendPlan, given state: InMemoryChatState) -> Refusal? {
    let intent: ChatIntent
    switch plan {
    case .message(let content): intent = .message(Message.Key("general", "new"), .send(content))
    case .edit(let id, let edits): intent = .message(Message.Key("general", id), .edit(edits))
    case .command: preconditionFailure("no command was written")
    }
    do throws(Refusal) { _ = try decide(intent, by: .user("ada"), at: Self.now, given: state) } catch { return error }
    return nil
  }
}

extension SendRefusal {
  /// The reason, in the words that both kinds of refusals share.
  fileprivate var reason: String {
    switch self {
    case .frozen: "frozen"
    case .banned: "banned"
    case .notAllowed(let capability): "not allowed to \(capability)"
    case .off(let flag): "\(flag) off"
    case .coolingDown(let seconds): "wait \(seconds)"
    default: description
    }
  }
}

extension Refusal {
  /// The reason, in the words that both kinds of refusals share.
  fileprivate var reason: String {
    switch self {
    case .channelFrozen: "frozen"
    case .banned: "banned"
    case .notAllowed(let capability, _): "not allowed to \(capability)"
    case .off(let flag, _): "\(flag) off"
    case .coolingDown(let end): "wait \((end - Timestamp(rawValue: 1_700_000_000_000_000)).rawValue / 1_000_000)"
    default: description
    }
  }
}
