// Threat: a user is notified of a message that does not concern them, or not of one that does.
import Chat
import ChatProjections
import Foundation
import Testing
import Verbatim

@Suite struct `The recipients of a message` {
  private let folder = WorkspaceFolder()

  /// A channel “general” that Ada owns, with Ben and Cid.
  private struct Team {
    let workspace: Workspace

    func client(_ user: User.ID) -> Client { workspace.client(user: user) }
    func general(_ user: User.ID = "ada") -> ChannelController { client(user).channel("general") }

    func reasons(_ sent: SentMessage) async throws -> [User.ID: Recipient.Reason] {
      let recipients = try await workspace.recipients(of: sent.key)
      return Dictionary(uniqueKeysWithValues: recipients.map { ($0.user, $0.reason) })
    }
  }

  private func team(_ clock: SetClock? = nil) async throws -> Team {
    let workspace = try folder.open {
      $0.rules.memberCapabilities["deaf"] = [.send]
      if let clock { $0.clock = { clock.now } }
    }
    try await workspace.populate(["ada", "ben", "cid"])
    return Team(workspace: workspace)
  }

  @Test func `are not those who block the author, not even if it mentions them`() async throws {
    let team = try await team()
    try await team.client("ben").user("ada").block()
    let mention = Message.Content("@ben", mentions: [Mention("ben", at: 0..<4)])
    #expect(try await team.reasons(team.general().send(mention)) == ["cid": .channel])
    // The author whom they block is notified of their messages.
    #expect(try await team.reasons(team.general("ben").send("hello")) == ["ada": .channel, "cid": .channel])
    try await team.client("ben").user("ada").unblock()
    #expect(try await team.reasons(team.general().send(mention)) == ["ben": .mention, "cid": .channel])
    await team.workspace.close()
  }

  @Test func `include the author of the quoted message, with the first of several reasons`() async throws {
    let team = try await team()
    let quoted = try await team.general("ben").send("why?").key.id
    #expect(
      try await team.reasons(team.general().send(Message.Content("so", quoted: quoted)))
        == ["ben": .quote, "cid": .channel])
    let parent = try await team.general().send("plan").key.id
    let reply = Message.Content("so", parent: parent, quoted: quoted)
    #expect(try await team.reasons(team.general("cid").send(reply)) == ["ada": .thread, "ben": .quote])
    // Who quotes themselves is not notified of it.
    #expect(try await team.reasons(team.general("ben").send(reply)) == ["ada": .thread, "cid": .thread])
    var both = Message.Content("@ben", mentions: [Mention("ben", at: 0..<4)], quoted: quoted)
    #expect(try await team.reasons(team.general().send(both)) == ["ben": .mention, "cid": .channel])
    both.mentions = [try #require(Mention(.channel, at: 0..<4))]
    #expect(
      try await team.reasons(team.general().send(both)) == ["ben": .group(.channel), "cid": .group(.channel)])
    await team.workspace.close()
  }

  @Test func `of a reply that is shown in the channel, too, are all members`() async throws {
    let team = try await team()
    let parent = try await team.general().send("plan").key.id
    let reply = Message.Content("yes", parent: parent, showsInChannel: true)
    #expect(try await team.reasons(team.general("ben").send(reply)) == ["ada": .thread, "cid": .channel])
    await team.workspace.close()
  }

  @Test func `are none while a message is deleted, ephemeral or pending`() async throws {
    let team = try await team()
    let everybody: [User.ID: Recipient.Reason] = ["ben": .channel, "cid": .channel]
    let sent = try await team.general().send("hello")
    try await team.general().delete(sent.key.id)
    #expect(try await team.reasons(sent) == [:])
    try await team.general().restore(sent.key.id)
    #expect(try await team.reasons(sent) == everybody)
    try await team.general().delete(sent.key.id, forGood: true)
    #expect(try await team.reasons(sent) == [:])

    let ephemeral = try await team.general().send(Message.Content("/giphy", kind: .ephemeral))
    #expect(try await team.reasons(ephemeral) == [:])
    try await team.client("ada").submit(.message(ephemeral.key, .sendEphemeral))
    #expect(try await team.reasons(ephemeral) == everybody)

    let pending = try await team.general().send(Message.Content("soon", isPending: true))
    #expect(try await team.reasons(pending) == [:])
    try await team.client("ada").submit(.message(pending.key, .fail(reason: "offline")))
    #expect(try await team.reasons(pending) == [:])
    try await team.client("ada").submit(.message(pending.key, .acknowledge))
    #expect(try await team.reasons(pending) == everybody)

    let last = try await team.general().send("gone")
    try await team.general().truncate(through: last.key.id)
    #expect(try await team.reasons(last) == [:])
    await team.workspace.close()
  }

  @Test func `are neither deactivated users, nor members who may not read, nor those who left`() async throws {
    let team = try await team()
    let mention = Message.Content("@ben", mentions: [Mention("ben", at: 0..<4)])
    let sent = try await team.general().send(mention)
    #expect(try await team.reasons(sent) == ["ben": .mention, "cid": .channel])
    try await team.workspace.submit(.user("ben", .deactivate), by: .system)
    #expect(try await team.reasons(sent) == ["cid": .channel])
    try await team.workspace.submit(.user("ben", .reactivate), by: .system)
    #expect(try await team.reasons(sent) == ["ben": .mention, "cid": .channel])
    try await team.general().changeRole(of: "ben", to: "deaf")
    #expect(try await team.reasons(sent) == ["cid": .channel])
    try await team.general().changeRole(of: "ben", to: .member)
    try await team.general("cid").leave()
    #expect(try await team.reasons(sent) == ["ben": .mention])
    await team.workspace.close()
  }

  @Test func `have not read the message, in its thread by the marker of the thread`() async throws {
    let team = try await team()
    let sent = try await team.general().send("plan")
    try await team.general("cid").markRead(through: sent.key.id)
    #expect(try await team.reasons(sent) == ["ben": .channel])
    let parent = sent.key.id
    try await team.general("ben").thread(parent).reply("mine")
    let reply = try await team.general("cid").thread(parent).reply("yours")
    #expect(try await team.reasons(reply) == ["ada": .thread, "ben": .thread])
    // The marker of the thread counts, once there is one.
    try await team.general("ben").thread(parent).markRead(through: reply.key.id)
    #expect(try await team.reasons(reply) == ["ada": .thread])
    try await team.general("ben").thread(parent).markUnread(from: reply.key.id)
    #expect(try await team.reasons(reply) == ["ada": .thread, "ben": .thread])
    let later = try await team.general("cid").send("news")
    try await team.general("ben").markRead(through: later.key.id)
    #expect(try await team.reasons(reply) == ["ada": .thread, "ben": .thread])
    // Before it, that of the channel.
    try await team.general().markRead(through: later.key.id)
    #expect(try await team.reasons(reply) == ["ben": .thread])
    await team.workspace.close()
  }

  @Test func `are not those who mute the channel or the author, until the mute ends`() async throws {
    let clock = SetClock(1_700_000_000_000_000)
    let team = try await team(clock)
    let sent = try await team.general().send("hello")
    let end = clock.now + .seconds(60)
    try await team.general("ben").mute(for: .until(end))
    try await team.client("cid").user("ada").mute(for: .until(end))
    #expect(try await team.reasons(sent) == [:])
    clock.set(end.rawValue)
    #expect(try await team.reasons(sent) == ["ben": .channel, "cid": .channel])
    await team.workspace.close()
  }

  @Test func `of a message of the app are all members`() async throws {
    let team = try await team()
    let key = Message.Key("general", "m1")
    let content = Message.Content("Welcome", kind: .system)
    try await team.workspace.submit(.message(key, .send(content)), by: .system)
    #expect(try await team.workspace.recipients(of: key).map(\.user) == ["ada", "ben", "cid"])
    await team.workspace.close()
  }

  @Test func `of a reply are no longer those who deleted theirs`() async throws {
    let team = try await team()
    let thread = try await team.general().send("plan").key.id
    let own = try await team.general("cid").thread(thread).reply("mine").key.id
    let reply = try await team.general("ben").thread(thread).reply("yours")
    #expect(try await team.reasons(reply) == ["ada": .thread, "cid": .thread])
    try await team.general("cid").delete(own)
    #expect(try await team.reasons(reply) == ["ada": .thread])
    await team.workspace.close()
  }

  @Test func `from the archive are those whom the message mentions by name or quotes`() async throws {
    let team = try await team()
    let quoted = try await team.general("ben").send("why?").key.id
    let parent = try await team.general("ben").send("plan").key.id
    try await team.general("ben").archive()
    #expect(try await team.reasons(team.general().send("hello")) == ["cid": .channel])
    let mention = Message.Content("@ben", mentions: [Mention("ben", at: 0..<4)])
    #expect(try await team.reasons(team.general().send(mention)) == ["ben": .mention, "cid": .channel])
    #expect(
      try await team.reasons(team.general().send(Message.Content("so", quoted: quoted)))
        == ["ben": .quote, "cid": .channel])
    let group = Message.Content("@all", mentions: [try #require(Mention(.channel, at: 0..<4))])
    #expect(try await team.reasons(team.general().send(group)) == ["cid": .group(.channel)])
    // What broke: the author of the quoted message was left out where the message also mentioned a group.
    let both = Message.Content("@all", mentions: group.mentions, quoted: quoted)
    #expect(
      try await team.reasons(team.general().send(both)) == ["ben": .group(.channel), "cid": .group(.channel)])
    #expect(try await team.reasons(team.general().thread(parent).reply("yes")) == [:])
    await team.workspace.close()
  }
}
