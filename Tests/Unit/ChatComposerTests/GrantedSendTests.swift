// Tests that a composer can send exactly what deciding grants, and names the same reasons.
//
// A composer asked for the capability to edit one's own messages even from users who may edit any message, whom the
// decider permits it. Both now call the same rules. A block in a direct channel was unknown to a composer.
import Chat
import ChatComposer
import Testing

struct GrantedSends {
  private static let now = Timestamp(rawValue: 1_700_000_000_000_000)

  /// A state of the channel.
  private struct Channel: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var config = ChannelConfig()
    var isFrozen = false
    var isBanned = false
    var isMember = true
    /// The block between the users of a direct channel.
    var block: UserBlock.Key?

    var id: Chat.Channel.ID { block == nil ? "general" : .direct(among: ["ada", "bo"]) }

    init(_ name: String, _ change: (inout Channel) -> Void = { _ in }) {
      testDescription = name
      change(&self)
    }

    static let all: [Channel] =
      [
        Channel("plain"), Channel("frozen") { $0.isFrozen = true }, Channel("banned") { $0.isBanned = true },
        Channel("slow") { $0.config.slowMode = 60 }, Channel("left") { $0.isMember = false },
        Channel("blocked") { $0.block = UserBlock.Key(by: "bo", of: "ada") },
        Channel("blocking") { ($0.block, $0.isBanned) = (UserBlock.Key(by: "ada", of: "bo"), true) },
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
    let (id, ada) = (channel.id, Member.Key(channel.id, "ada"))
    let users = (["ada", "bo"] as [User.ID]).map { ChatIntent.user($0, .create(User.Profile(name: "X"))) }
    let members: [User.ID] = id.isDirect ? ["ada", "bo"] : ["bo"]
    try chat.submit(
      users + [
        .channel(id, .create("team", Chat.Channel.Profile(), ChannelConfig(), members: members)),
        .member(ada, id.isDirect ? .changeRole("first") : .add("first")),
      ], by: .system)
    try chat.submit([.message(Message.Key(id, "others"), .send(Message.Content("2")))], by: .user("bo"))
    try chat.submit([.message(Message.Key(id, "own"), .send(Message.Content("1")))], by: .user("ada"))
    try chat.submit([.channel(id, .configure(channel.config)), .member(ada, .changeRole("solo"))], by: .system)
    if channel.isFrozen { try chat.submit([.channel(id, .freeze)], by: .system) }
    let ban = Ban.Key(of: "ada", from: .channel(id))
    if channel.isBanned { try chat.submit([.ban(ban, .impose(.endless, reason: nil))], by: .system) }
    if !channel.isMember { try chat.submit([.member(ada, .remove)], by: .system) }
    if let block = channel.block { try chat.submit([.block(block, .begin)], by: .system) }
    return chat
  }

  /// Returns composers with content that needs different capabilities, in the channel and in a thread.
  private func composers(_ state: InMemoryChatState, in id: Chat.Channel.ID) throws -> [Composer] {
    let own = try #require(state[Message.Key(id, "own")])
    let others = try #require(state[Message.Key(id, "others")])
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
      let composer = Composer(Composer.Key(of: "ada", on: "phone", in: id, thread: thread))
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
      let host = chat.host(of: Composer.Key(of: "ada", on: "phone", in: channel.id))
      let composerContext = try await host.composerContext(messages: ["own", "others"], users: [])
      for composer in try composers(chat.state, in: channel.id) {
        let reducer = ComposerReducer(composer, in: composerContext)
        let refusal = reducer.refusal(at: Self.now)
        let decided = decided(reducer.plan(), in: channel.id, given: chat.state)
        #expect(
          channel.isMember ? refusal?.reason == decided?.reason : (refusal == nil) == (decided == nil),
          "\(reducer.plan()) with \(capabilities.elements): \(refusal?.description ?? "can be sent")")
      }
    }
  }

  /// Returns the refusal of the decider for the intent of a plan.
  private func decided(_ plan: SendPlan, in channel: Chat.Channel.ID, given state: InMemoryChatState) -> Refusal? {
    let intent: ChatIntent
    switch plan {
    case .message(let content): intent = .message(Message.Key(channel, "new"), .send(content))
    case .edit(let id, let edits): intent = .message(Message.Key(channel, id), .edit(edits))
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
