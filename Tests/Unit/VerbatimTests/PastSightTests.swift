// Threat: the past shows what no user may see any more.
//
// A user who read the past had the roles and memberships of then: permanently deleted messages were returned with their
// text, and users who had left a channel read all of it. Now the state at the head of the log decides.
import Chat
import ChatProjections
import EventLog
import Testing
import Verbatim

@Suite struct `A user who reads the past` {
  private let folder = WorkspaceFolder()
  private let general: Channel.ID = "general"

  private func key(_ id: Message.ID) -> Message.Key { Message.Key(general, id) }

  /// Returns what a user sees of a message at a position; nil if it is refused as unknown.
  private func text(
    of id: Message.ID, as user: User.ID, in past: PastWorkspace
  ) async throws -> String? {
    let key = key(id)
    return try await past.read(as: user) { reading in
      do { return try reading.message(key).content.text.string } catch ReadError.refused(.unknownMessage) { return nil }
    }
  }

  private func refusal(_ user: User.ID, in past: PastWorkspace) async throws -> Refusal? {
    let general = general
    do {
      return try await past.read(as: user) { reading in
        _ = try reading.messages(in: general, limit: 9)
        return nil
      }
    } catch ReadError.refused(let refusal) {
      return refusal
    }
  }

  @Test func `a user sees past content with present permissions, and an operator sees all`() async throws {
    let workspace = try folder.open()
    try await workspace.populate(["ada", "ben", "eve"])
    try await workspace.send("kept", "m1")
    try await workspace.send("for good", "m2")
    try await workspace.send("by ada", "m3")
    let end = try await workspace.send("edited later", "m4").position
    let reaction = Reaction.Key(to: key("m3"), by: "ben")
    let reacted = try await workspace.submit(.reaction(reaction, .add("wave", score: 1)), by: .user("ben")).position
    try await workspace.submit(.message(key("m2"), .delete(forGood: true)), by: .user("ada"))
    try await workspace.submit(.message(key("m3"), .delete(forGood: false)), by: .user("ada"))
    try await workspace.client(user: "ada").channel(general).edit("m4", to: "edited")
    try await workspace.submit(.member(Member.Key(general, "eve"), .leave), by: .user("eve"))
    try await workspace.submit(.user("fay", .create(User.Profile(name: "Fay"))), by: .user("fay"))

    let past = try await workspace.at(end)
    for (id, ada, ben) in [
      ("m1", "kept", "kept"), ("m2", nil, nil), ("m3", "by ada", ""), ("m4", "edited later", "edited later"),
    ] as [(Message.ID, String?, String?)] {
      #expect(try await text(of: id, as: "ada", in: past) == ada, "\(id)")
      #expect(try await text(of: id, as: "ben", in: past) == ben, "\(id)")
    }
    let general = general
    #expect(try await past.read(as: "ben") { try $0.messages(in: general, limit: 9).messages.count } == 3)
    let found = try await past.read(as: "ada") { try $0.messages(matching: "good", limit: 9).messages.count }
    #expect(found == 0)
    #expect(try await refusal("eve", in: past) == .notMember(Member.Key(general, "eve")))
    #expect(try await refusal("fay", in: past) == .notMember(Member.Key(general, "fay")))
    let all = try await past.read { projections in
      try projections.chat.messages(in: general, .latest, limit: 9, for: "ada").messages.map { $0.content.text.string }
    }
    #expect(all == ["kept", "for good", "by ada", "edited later"])
    past.close()

    // A later member sees earlier messages, as in the present; and users who may restore a message see its reactions.
    try await workspace.submit(.member(Member.Key(general, "fay"), .add(.member)), by: .user("ada"))
    let later = try await workspace.at(reacted)
    #expect(try await text(of: "m1", as: "fay", in: later) == "kept")
    let key = key("m3")
    let reactions = try await later.read(as: "ada") { try $0.reactions(to: key, limit: 9).reactions.count }
    #expect(reactions == 1)
    await #expect(throws: ReadError.self) { try await later.read(as: "ben") { try $0.reactions(to: key, limit: 9) } }
    later.close()
    await workspace.close()
  }

  @Test func `reads of the past omit channels that are private now and withdrawn invitations`() async throws {
    let workspace = try folder.open()
    try await workspace.populate(["ada", "ben"])
    let ada = workspace.client(user: "ada")
    let profile = Channel.Profile(name: "Club")
    try await ada.channel("club").create("team", profile, config: ChannelConfig(isPublic: true))
    try await ada.channel("board").create("team", Channel.Profile(name: "Board"))
    let end = try await ada.channel("board").invite("ben").position
    func found() async throws -> [[Channel.ID]] {
      let past = try await workspace.at(end)
      defer { past.close() }
      return try await past.read(as: "ben") { reading in
        [try reading.publicChannels(limit: 9).channels.map(\.id), try reading.invitations().map(\.id)]
      }
    }
    #expect(try await found() == [["club"], ["board"]])
    try await ada.channel("club").configure(ChannelConfig())
    try await ada.channel("board").remove("ben")
    #expect(try await found() == [[], []])
    await workspace.close()
  }

  @Test func `messages truncated since are refused in the past as in the present`() async throws {
    let workspace = try folder.open()
    try await workspace.populate(["ada", "ben"])
    try await workspace.send("kept by nobody", "m1")
    let channel = workspace.client(user: "ada").channel(general)
    let end = try await channel.thread("m1").reply("nor this").position
    try await channel.truncate()
    let (past, key) = (try await workspace.at(end), key("m1"))
    #expect(try await text(of: "m1", as: "ben", in: past) == nil)
    await #expect {
      try await past.read(as: "ben") { try $0.replies(to: key, limit: 9) }
    } throws: { error in
      if case .refused(.unknownMessage(key)) = error as? ReadError { true } else { false }
    }
    #expect(try await past.read(as: "ada") { try $0.threads(limit: 9).threads.count } == 0)
    past.close()
    await workspace.close()
  }
}
