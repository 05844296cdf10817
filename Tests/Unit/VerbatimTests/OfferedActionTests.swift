// Threat: a message offers an action that deciding refuses, or hides one that it grants.
//
// The list asked for the capability to quote but not for the one to send: a member who might only read and quote was
// offered a reply, and the composer refused it once it was written. Both now call the rules of the decider. A block in
// a direct channel was a check of sending alone, of which the list knew nothing; and an edit was offered on one's own
// forwarded message, which nobody may edit.
import Chat
import ChatProjections
import Testing
import Verbatim
import VerbatimUI

struct OfferedActions {
  /// A state of a channel, of a channel of its own.
  private struct State {
    let name: Channel.ID
    var off: SmallSet<ChannelFlag> = []
    var isFrozen = false
    var isBanned = false
    /// The user who blocks the other, in a direct channel of Sol and another user.
    var blocker: User.ID?
    var other: User.ID = "bo"

    static func direct(with other: User.ID, blocker: User.ID) -> State {
      State(name: .direct(among: [sol, other]), blocker: blocker, other: other)
    }
  }

  private static let states = [
    State(name: "plain"), State(name: "frozen", isFrozen: true), State(name: "banned", isBanned: true),
    State(name: "frozenBan", isFrozen: true, isBanned: true), State(name: "noQuotes", off: [.quotes]),
    State(name: "noReplies", off: [.replies]), State(name: "noReactions", off: [.reactions]),
    State(name: "nothing", off: .all), State(name: "all", off: .all, isFrozen: true, isBanned: true),
    .direct(with: "bo", blocker: sol), .direct(with: "cy", blocker: "cy"),
  ]
  private static let sol = User.ID("sol")

  /// Records the channels, each with messages of Sol, another user and the app, and replies to the other's message.
  private func record(in house: AccessHouse) throws {
    func happen(_ intent: ChatIntent, by author: Author = .system) throws {
      for event in try decide(intent, by: author, at: .accessStart, given: house.state()) { try house.happens(event) }
    }
    for user in ["sol", "bo", "cy"] as [User.ID] { try happen(.user(user, .create(User.Profile(name: "X")))) }
    for state in Self.states {
      func say(_ id: Message.ID, _ content: Message.Content, by author: Author) throws {
        try happen(.message(Message.Key(state.name, id), .send(content)), by: author)
      }
      let (profile, other) = (Channel.Profile(name: "General"), Author.user(state.other))
      let members = state.blocker == nil ? [state.other] : [state.other, Self.sol]
      try happen(.channel(state.name, .create("team", profile, ChannelConfig(), members: members)))
      let sol = Member.Key(state.name, Self.sol)
      try happen(.member(sol, state.blocker == nil ? .add("solo") : .changeRole("solo")))
      try say("own", Message.Content("1"), by: .user("sol"))
      try say("others", Message.Content("2"), by: other)
      try say("apps", Message.Content("3"), by: .system)
      try say("ownReply", Message.Content("4", parent: "others"), by: .user("sol"))
      try say("othersReply", Message.Content("5", parent: "others"), by: other)
      let source = Message.Key(state.name, "others")
      try happen(.message(Message.Key(state.name, "forwarded"), .forward(source)), by: .user("sol"))
      try happen(.channel(state.name, .configure(ChannelConfig(off: state.off))))
      if state.isFrozen { try happen(.channel(state.name, .freeze)) }
      let ban = Ban.Key(of: Self.sol, from: .channel(state.name))
      if state.isBanned { try happen(.ban(ban, .impose(.endless, reason: nil))) }
      if let blocker = state.blocker {
        let block = UserBlock.Key(by: blocker, of: blocker == Self.sol ? state.other : Self.sol)
        try happen(.block(block, .begin))
      }
    }
  }

  /// Returns the intent of an action; nil for actions that no intent performs, or that rows offer on others' messages
  /// only.
  private func intent(of action: MessageAction, on message: ChatMessage, in thread: Message.ID?) -> ChatIntent? {
    let key = message.message.key
    switch action {
    case .reply:
      let content = Message.Content("!", parent: thread, quoted: key.id)
      return .message(Message.Key(key.channel, "new"), .send(content))
    case .edit: return .message(key, .edit(Message.Edits(text: "other")))
    case .delete: return .message(key, .delete(forGood: false))
    case .pin: return .message(key, .pin(.endless))
    case .react: return .reaction(Reaction.Key(to: key, by: Self.sol), .add("wow", score: 1))
    case .flag: return .flag(Flag.Key(by: Self.sol, on: .message(key)), .raise(reason: nil))
    case .mute:
      guard let author = message.message.author, author != Self.sol else { return nil }
      return .mute(Mute.Key(by: Self.sol, of: .user(author)), .begin(.endless))
    case .retry, .copy, .thread: return nil
    }
  }

  @Test func `a message offers exactly the actions that deciding grants`() throws {
    var rules = Rules()
    rules.memberCapabilities["solo"] = .all
    let house = try AccessHouse(rules)
    try record(in: house)
    let single = Capability.allCases.map { Capabilities([.read, $0]) }
    let allButOne = Capability.allCases.filter { $0 != .read }.map { missing in
      Capabilities(Capability.allCases.filter { $0 != missing })
    }
    var granted: Set<MessageAction> = []
    var refused: Set<MessageAction> = []
    for capabilities in single + allButOne {
      house.rules.memberCapabilities["solo"] = capabilities
      let state = try house.state()
      for (channel, thread) in Self.states.flatMap({ [($0.name, nil), ($0.name, "others" as Message.ID)] }) {
        let conversation = try house.read(as: Self.sol, at: .accessStart) { reading in
          try reading.conversation(in: channel, thread: thread, limit: 10)
        }
        #expect(conversation.messages.count == (thread == nil ? 4 : 3))
        for message in conversation.messages {
          for action in MessageAction.allCases {
            guard let intent = intent(of: action, on: message, in: thread) else { continue }
            let refusal = refusal(of: intent, given: state)
            if refusal == nil { granted.insert(action) } else { refused.insert(action) }
            #expect(
              message.actions?.contains(action) == (refusal == nil),
              """
              \(action) on \(message.messageID) in \(channel), thread \(thread?.text ?? "none"), with \
              \(capabilities.elements): \(refusal?.description ?? "granted")
              """)
          }
        }
      }
    }
    #expect(granted == [.reply, .edit, .delete, .pin, .react, .flag, .mute])
    #expect(refused == granted.subtracting([.mute]))
  }

  private func refusal(of intent: ChatIntent, given state: InMemoryChatState) -> Refusal? {
    do throws(Refusal) { _ = try decide(intent, by: .user(Self.sol), at: .accessStart, given: state) } catch {
      return error
    }
    return nil
  }
}
