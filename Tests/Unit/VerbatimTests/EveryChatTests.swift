// Threat: what every chat has is missing in the library, or a delivery or notification occurs twice or never.
import Chat
import ChatProjections
import ChildProcess
import Foundation
import Locks
import Tables
import Testing

@testable import Verbatim

@Suite struct `What every chat has` {
  private let folder = WorkspaceFolder()
  private let clock = SetClock(1_700_000_000_000_000)

  private struct Team {
    let workspace: Workspace
    let ada: Client
    let ben: Client
    let cid: Client
    var general: ChannelController { ada.channel("general") }

    func general(of client: Client) -> ChannelController { client.channel("general") }
  }

  private func team() async throws -> Team {
    let workspace = try folder.open { [clock] in $0.clock = { clock.now } }
    try await workspace.populate(["ada", "ben", "cid"])
    let clients = (["ada", "ben", "cid"] as [User.ID]).map { workspace.client(user: $0) }
    return Team(workspace: workspace, ada: clients[0], ben: clients[1], cid: clients[2])
  }

  @Test func `users find and join public channels, and accept or decline invitations`() async throws {
    let team = try await team()
    try await team.ada.channel("club").create(
      "team", Channel.Profile(name: "Chess club"), config: ChannelConfig(isPublic: true))
    try await team.ada.channel("board").create("team", Channel.Profile(name: "Board"))
    #expect(try await team.ben.channels.publicChannels(matching: "chess").channels.map(\.id) == ["club"])
    try await team.ben.channel("club").join()
    #expect(try await team.ben.channel("club").member("ben")?.role == .member)
    try await team.ada.channel("board").invite("ben", "cid")
    let invitation = try #require(try await team.ben.me.invitations().first)
    #expect(invitation.profile.name == "Board" && invitation.invitation?.by == .user("ada"))
    try await team.ben.channel("board").join()
    try await team.cid.channel("board").decline()
    #expect(try await team.ben.me.invitations() == [])
    #expect(try await team.cid.me.invitations() == [])
    #expect(try await team.cid.me.invitations(withDeclined: true).count == 1)
    #expect(try await team.ada.channel("board").members().members.map(\.key.user) == ["ada", "ben"])
    await team.workspace.close()
  }

  @Test func `a direct channel is found or created by any of its users at once`() async throws {
    let team = try await team()
    async let first = team.ada.channels.direct(with: "ben")
    async let second = team.ben.channels.direct(with: "ada")
    let (one, other) = try await (first, second)
    #expect(one.id == other.id)
    try await one.send("hello")
    #expect(try await other.messages().messages.map(\.content.text) == ["hello"])
    try await team.ben.user("ada").block()
    #expect(try await team.ben.me.blockedUsers() == ["ada"])
    await expectRefusal(.blocked(by: "ben")) { try await one.send("still?").submitted }
    try await team.ben.user("ada").unblock()
    try await one.send("thanks")
    await team.workspace.close()
  }

  @Test func `messages of blocked users do not count as unread`() async throws {
    let team = try await team()
    try await team.general(of: team.cid).send("noise")
    try await team.general.send("news")
    #expect(try await team.ben.me.unread().messages == 2)
    try await team.ben.user("cid").block()
    #expect(try await team.ben.me.unread().messages == 1)
    await team.workspace.close()
  }

  @Test func `pinned channels come first, and archived ones are apart`() async throws {
    let team = try await team()
    for id in ["a", "b", "c"] as [Channel.ID] {
      clock.set(clock.now.rawValue + 1_000_000)
      try await team.ada.channel(id).create()
    }
    try await team.ada.channel("a").pin()
    try await team.ada.channel("b").archive()
    #expect(try await team.ada.channels.page().channels.map(\.channel.id) == ["a", "c", "general"])
    let archive = ChannelFilter(isArchived: true)
    #expect(try await team.ada.channels.page(where: archive).channels.map(\.channel.id) == ["b"])
    try await team.ada.channel("a").unpin()
    try await team.ada.channel("b").unarchive()
    #expect(try await team.ada.channels.page().channels.map(\.channel.id) == ["c", "b", "a", "general"])
    // Others do not see what a member pins and archives.
    try await team.general.pin()
    try await team.general.archive()
    let own = try #require(try await team.general.member("ada"))
    #expect(own.pinned == clock.now && own.archived == clock.now)
    let shown = try #require(try await team.general(of: team.ben).member("ada"))
    #expect(shown.pinned == nil && shown.archived == nil)
    await team.workspace.close()
  }

  @Test func `moderators see, claim and resolve flags, with the history of decisions`() async throws {
    let team = try await team()
    let sent = try await team.general(of: team.cid).send("rude")
    try await team.general(of: team.ben).flag(sent.key.id, reason: "rude")
    await #expect(throws: ReadError.self) { try await team.general(of: team.ben).openReviews() }
    let item = try #require(try await team.general.openReviews().items.first)
    #expect(item.openFlags.map(\.reason) == ["rude"])
    try await team.general.claimReview(of: sent.key.id)
    try await team.general.resolveFlags(on: sent.key.id, as: .acted, note: "talked to cid")
    #expect(try await team.general.openReviews().items == [])
    let review = try #require(try await team.general.review(of: sent.key.id))
    #expect(review.review.decisions.map(\.note) == ["talked to cid"] && review.openFlags == [])
    await team.workspace.close()
  }

  @Test func `a poll is sent, voted on and closed`() async throws {
    let team = try await team()
    let poll = try await team.general.sendPoll("Lunch?", ["Pizza", "Soup"], rules: Poll.Rules(isExtensible: true))
    try await team.general(of: team.ben).vote(for: ["2"], in: poll.key.id)
    try await team.general(of: team.ben).addPollOption("Salad", to: poll.key.id, id: "3")
    try await team.general(of: team.cid).vote(for: ["3"], in: poll.key.id)
    let message = try await team.general.message(poll.key.id)
    #expect(message.poll?.options.map(\.votes) == [0, 1, 1])
    #expect(try await team.general.votes(in: poll.key.id).votes.map(\.key.user) == ["ben", "cid"])
    try await team.general.closePoll(poll.key.id)
    await expectRefusal(.pollClosed(poll.key)) { try await team.general.vote(for: ["1"], in: poll.key.id) }
    let secret = try await team.general.sendPoll("Who?", ["A", "B"], rules: Poll.Rules(isAnonymous: true))
    try await team.general(of: team.ben).vote(for: ["1"], in: secret.key.id)
    #expect(try await team.general.votes(in: secret.key.id).votes == [])
    #expect(try await team.general(of: team.ben).votes(in: secret.key.id).votes.map(\.options) == [["1"]])
    await team.workspace.close()
  }

  @Test func `threads are read apart from their channel, and all is marked read at once`() async throws {
    let team = try await team()
    let parent = try await team.general.send("question")
    let thread = team.general.thread(parent.key.id)
    let reply = try await team.general(of: team.ben).thread(parent.key.id).reply("answer")
    func unread() async throws -> Int? { try await team.ada.me.threads().threads.first?.unreadReplyCount }
    #expect(try await unread() == 1)
    // Before the thread has a marker, that of the channel counts.
    try await team.general.markRead(through: reply.key.id)
    #expect(try await unread() == 0)
    try await team.general.markUnread(from: reply.key.id)
    #expect(try await unread() == 1)
    try await thread.markRead(through: reply.key.id)
    #expect(try await unread() == 0)
    try await team.general(of: team.ben).thread(parent.key.id).reply("more")
    try await team.general(of: team.cid).send("news")
    #expect(try await unread() == 1)
    #expect(try await team.ada.me.unread().messages == 1)
    #expect(try await team.ada.me.markAllRead() != nil)
    #expect(try await unread() == 0)
    #expect(try await team.ada.me.unread() == .none)
    #expect(try await team.ada.me.markAllRead() == nil)
    try await team.general(of: team.ben).thread(parent.key.id).reply("last")
    #expect(try await unread() == 1)
    try await team.general.configure(ChannelConfig(off: [.readEvents]))
    #expect(try await unread() == 0)
    await team.workspace.close()
  }

  @Test func `marking all read includes hidden and archived channels`() async throws {
    let team = try await team()
    for id in ["attic", "cellar"] as [Channel.ID] {
      try await team.ben.channel(id).create(members: ["ada"])
      try await team.ben.channel(id).send("dust")
    }
    try await team.ada.channel("attic").archive()
    try await team.ada.channel("cellar").hide()
    #expect(try await team.ada.me.unread().messages == 2)
    #expect(try await team.ada.me.markAllRead() != nil)
    #expect(try await team.ada.me.unread() == .none)
    // The hidden channel stays hidden, and the archived one archived.
    #expect(try await team.ada.channels.page().channels.map(\.channel.id) == ["general"])
    await team.workspace.close()
  }

  // What broke: one mark that was refused meanwhile left everything unread.
  @Test func `marking all read leaves out a channel that the user left meanwhile`() async throws {
    let team = try await team()
    try await team.ben.channel("attic").create(members: ["ada"])
    try await team.ben.channel("attic").send("dust")
    let attic = try await team.ada.me.intentsThatReadAll()
    try await team.general(of: team.ben).send("news")
    let all = try await team.ada.me.intentsThatReadAll()
    try await team.ada.channel("attic").leave()
    #expect(all.count == 2)
    #expect(try await team.ada.me.submitGranted(all) != nil)
    #expect(try await team.ada.me.unread() == .none)
    let error = await #expect(throws: SubmitError.self) { try await team.ada.me.submitGranted(attic) }
    #expect(error?.refusal == .notMember(Member.Key("attic", "ada")))
    await team.workspace.close()
  }

  @Test func `messages are saved and forwarded`() async throws {
    let team = try await team()
    let sent = try await team.general.send("keep this")
    try await team.general(of: team.ben).save(sent.key.id, note: "read")
    let saved = try #require(try await team.ben.me.savedMessages().items.first)
    #expect(saved.message?.content.text == "keep this" && saved.saved.note == "read")
    #expect(try await team.ada.me.savedMessages().items == [])
    let direct = try await team.ben.channels.direct(with: "cid")
    let copy = try await direct.forward(sent.key)
    let content = try await direct.message(copy.key.id).content
    #expect(content.text == "keep this" && content.forwarded?.author == "ada")
    // The newest is first; an entry whose message the user may no longer read has no message.
    clock.set(clock.now.rawValue + 1_000_000)
    try await direct.save(copy.key.id)
    try await team.general.remove("ben")
    let items = try await team.ben.me.savedMessages().items
    #expect(items.map(\.saved.key.message) == [copy.key, sent.key])
    #expect(items.map { $0.message?.content.text } == ["keep this", nil])
    try await team.general(of: team.ben).unsave(sent.key.id)
    #expect(try await team.ben.me.savedMessages().items.map(\.saved.key.message) == [copy.key])
    await team.workspace.close()
  }

  // What broke: the delivery ended with the first commit that another process held up, and nothing was sent any more.
  @Test func `a delivery goes on when another process held the writer lock`() async throws {
    let workspace = try folder.open { $0.writerLockTimeout = .milliseconds(20) }
    try await workspace.populate()
    let due = Timestamp(rawValue: workspace.now.rawValue + 300_000)
    try await workspace.client(user: "ada").channel("general").schedule(Message.Content("later"), at: due, id: "s1")
    let delivering = Task { try await workspace.deliverContinuously() }
    let writerLock = try await HeldWriterLock(ofIdle: workspace)
    let before = try workspace.statistics().submits.failed
    try await until { try workspace.statistics().submits.failed > before }
    writerLock.letGo()
    try await until { try await workspace.texts() == ["later"] }
    delivering.cancel()
    try await delivering.value
    await workspace.close()
  }

  // What broke: only an error of a submit was tried again, not one of the read before it.
  @Test func `a delivery goes on after errors that pass, and ends with others`() {
    let passing: [ProjectionError] = [
      .tables(.busy(path: "/a")), .tables(.noSpace(path: "/a")), .log(.noSpace(StorageFailure("full"))), .outdated,
    ]
    for error in passing {
      #expect(ConsumerError.projections(.deliveries, error).passes)
      #expect(ConsumerError.notRecorded(.deliveries, .failed(nil, error)).passes)
    }
    let damage = ProjectionError.tables(.damaged(path: "/a", reason: "torn"))
    #expect(!ConsumerError.projections(.deliveries, damage).passes)
    #expect(!ConsumerError.notRecorded(.deliveries, .closed).passes)
  }

  @Test func `changes that concern one user, or moderators, are shown to nobody else`() async throws {
    let team = try await team()
    let sent = try await team.general.send("hello")
    let start = sent.position
    let poll = try await team.general.sendPoll("Who?", ["A", "B"], rules: Poll.Rules(isAnonymous: true))
    try await team.general(of: team.ben).save(sent.key.id)
    try await team.general(of: team.ben).schedule(Message.Content("later"), at: clock.now + .seconds(9), id: "s1")
    try await team.ben.user("cid").block()
    try await team.general(of: team.ben).pin()
    try await team.general(of: team.ben).archive()
    try await team.general(of: team.ben).vote(for: ["1"], in: poll.key.id)
    try await team.general(of: team.ben).flag(sent.key.id)
    try await team.general.claimReview(of: sent.key.id)
    let end = try await team.general.send("end").position

    func seen(by client: Client) async throws -> [String] {
      var kinds: [String] = []
      for try await change in client.changes(from: start.next) {
        if change.position == end { break }
        switch change.event.change {
        case .message: continue
        default: kinds.append(String("\(change.event.change)".prefix { $0 != "(" }))
        }
      }
      return kinds
    }
    #expect(try await seen(by: team.ben) == ["saved", "scheduled", "block", "member", "member", "vote", "flag"])
    #expect(try await seen(by: team.cid) == [])
    #expect(try await seen(by: team.ada) == ["flag", "review"])
    // Who may review now sees the flags of the past, and who may not any more does not.
    try await team.general.changeRole(of: "cid", to: .moderator)
    #expect(try await seen(by: team.cid) == ["flag", "review"])
    try await team.general.changeRole(of: "cid", to: .member)
    #expect(try await seen(by: team.cid) == [])
    await team.workspace.close()
  }

  @Test func `the feed begins with the event at its position, and applies present permissions`() async throws {
    let team = try await team()
    let sent = try await team.general.send("question")
    let reply = try await team.general(of: team.cid).thread(sent.key.id).reply("answer")
    try await team.general(of: team.cid).thread(sent.key.id).markRead(through: reply.key.id)
    try await team.general(of: team.ben).markRead(through: reply.key.id)
    try await team.workspace.submit(.app(.user("cid"), AppEvent("theme", payload: [1])), by: .system)
    let end = try await team.ada.me.change(User.Profile(name: "Ada")).position

    func seen(by client: Client) async throws -> [String] {
      var kinds: [String] = []
      for try await change in client.changes(from: sent.position) {
        if change.position == end { break }
        kinds.append(String("\(change.event.change)".prefix { $0 != "(" }))
      }
      return kinds
    }
    #expect(try await seen(by: team.ada) == ["message", "message", "member"])
    #expect(try await seen(by: team.ben) == ["message", "message", "member"])
    #expect(try await seen(by: team.cid) == ["message", "message", "thread", "member", "app"])
    // Without read events, the marker is only its member's own.
    try await team.general.configure(ChannelConfig(off: [.readEvents]))
    #expect(try await seen(by: team.ada) == ["message", "message"])
    #expect(try await seen(by: team.ben) == ["message", "message", "member"])
    try await team.general.remove("cid")
    #expect(try await seen(by: team.cid) == ["app"])
    await team.workspace.close()
  }

  // What broke: it was found by reading. Options and reasons of deleted messages, and what an author tried before an
  // ephemeral message was sent, were in the feeds of others; and later its earlier texts, in feeds that were behind.
  @Test func `the feed has no content of deleted messages, nor of ephemeral ones before they are sent`() async throws {
    let team = try await team()
    let start = try await team.general.send("start").position
    let poll = try await team.general.sendPoll("Who?", ["A", "B"], rules: Poll.Rules(isExtensible: true))
    try await team.ada.submit(.message(poll.key, .addPollOption(Poll.Option("3", "C"))))
    try await team.general.delete(poll.key.id, forGood: true)
    let giphy = Message.Key("general", "g1")
    try await team.ada.submit(.message(giphy, .send(Message.Content("cats", kind: .ephemeral))))
    let cat = Attachment("a1", .giphy, at: .url("https://example.org/cat.gif"))
    try await team.ada.submit(.message(giphy, .shuffleEphemeral([cat])))
    try await team.ada.submit(.message(giphy, .edit(Message.Edits(text: "Ben should be fired"))))
    try await team.ada.submit(.message(giphy, .edit(Message.Edits(text: "See you at 7"))))
    try await team.ada.submit(.message(giphy, .sendEphemeral))
    try await team.ada.submit(.message(giphy, .edit(Message.Edits(text: "See you at 8"))))
    let end = try await team.general.send("end").position
    func seen(by client: Client) async throws -> [String] {
      var kinds: [String] = []
      for try await change in client.changes(from: start.next) {
        if change.position == end { break }
        if case .message(_, let event) = change.event.change { kinds.append(String("\(event)".prefix { $0 != "(" })) }
      }
      return kinds
    }
    #expect(try await seen(by: team.ben) == ["deleted", "ephemeralSent", "edited"])
    let own = ["deleted", "sent", "ephemeralShuffled", "edited", "edited", "ephemeralSent", "edited"]
    #expect(try await seen(by: team.ada) == own)
    await team.workspace.close()
  }

  @Test func `the feed has the reason of a failed delivery for its author only`() async throws {
    let team = try await team()
    let start = try await team.general.send("start").position
    let pending = Message.Key("general", "p1")
    try await team.ada.submit(.message(pending, .send(Message.Content("hi", isPending: true))))
    try await team.ada.submit(.message(pending, .fail(reason: "words")))
    try await team.ada.submit(.message(pending, .retry))
    let end = try await team.general.send("end").position
    func seen(by client: Client) async throws -> [String] {
      var kinds: [String] = []
      for try await change in client.changes(from: start.next) {
        if change.position == end { break }
        if case .message(_, let event) = change.event.change { kinds.append(String("\(event)".prefix { $0 != "(" })) }
      }
      return kinds
    }
    #expect(try await seen(by: team.ada) == ["sent", "failed", "retried"])
    #expect(try await seen(by: team.ben) == ["sent", "retried"])
    await team.workspace.close()
  }

  // MARK: Deliveries

  @Test func `scheduled messages and reminders are delivered once, when they are due`() async throws {
    let team = try await team()
    let sent = try await team.general.send("remember")
    let at = clock.now + .seconds(60)
    try await team.general(of: team.ben).schedule(Message.Content("good morning"), at: at, id: "s1")
    try await team.general(of: team.ben).save(sent.key.id, remindAt: at)
    #expect(try await team.workspace.deliverDue() == 0)
    #expect(try await team.ben.me.scheduledMessages().map(\.key.message.id) == ["s1"])
    clock.set(at.rawValue)
    #expect(try await team.workspace.deliverDue() == 2)
    #expect(try await team.workspace.deliverDue() == 0)
    let message = try await team.general.message("s1")
    #expect(message.author == "ben" && message.sent == at)
    #expect(try await team.ben.me.savedMessages().items.first?.saved.reminded == at)
    #expect(try await team.ben.me.scheduledMessages() == [])
    await team.workspace.close()
  }

  @Test func `of two processes that deliver continuously each message is sent once`() async throws {
    let team = try await team()
    let other = try folder.open { [clock] in $0.clock = { clock.now } }
    let workers = [team.workspace, other].map { workspace in
      Task { try await workspace.deliverContinuously() }
    }
    let at = clock.now + .seconds(10)
    for number in 1...20 {
      let id = Message.ID(stringLiteral: "s\(number)")
      try await team.general(of: team.ben).schedule(Message.Content("later"), at: at, id: id)
    }
    clock.set(at.rawValue)
    try await until { try await team.ben.me.scheduledMessages() == [] }
    #expect(try await team.workspace.texts().count == 20)
    for worker in workers { worker.cancel() }
    for worker in workers { try await worker.value }
    await other.close()
    await team.workspace.close()
  }

  @Test func `what cannot be sent is recorded as failed, and a deactivated author's waits`() async throws {
    let team = try await team()
    let at = clock.now + .seconds(60)
    try await team.general(of: team.ben).schedule(Message.Content("a"), at: at, id: "s1")
    try await team.general(of: team.cid).schedule(Message.Content("b"), at: at, id: "s2")
    try await team.general.ban("ben")
    try await team.workspace.submit(.user("cid", .deactivate), by: .system)
    clock.set(at.rawValue)
    _ = try await team.workspace.deliverDue()
    #expect(try await team.ben.me.scheduledMessages().first?.failure?.values["refusal"] == .text("banned"))
    try await team.workspace.submit(.user("cid", .reactivate), by: .system)
    #expect(try await team.workspace.deliverDue() == 1)
    #expect(try await team.workspace.texts() == ["b"])
    await team.workspace.close()
  }

  @Test func `a refused delivery is retried after a change`() async throws {
    let team = try await team()
    let at = clock.now + .seconds(60)
    try await team.general(of: team.cid).schedule(Message.Content("late"), at: at, id: "s1")
    try await team.workspace.submit(.user("cid", .deactivate), by: .system)
    let delivering = Task { try await team.workspace.deliverContinuously() }
    clock.set(at.rawValue)
    try await until { try team.workspace.statistics().submits.refused > 0 }
    try await team.workspace.submit(.user("cid", .reactivate), by: .system)
    try await until { try await team.workspace.texts() == ["late"] }
    delivering.cancel()
    try await delivering.value
    await team.workspace.close()
  }

  // MARK: Presence

  @Test func `a user is online until they end it, or their process is silent`() async throws {
    let team = try await team()
    #expect(try await team.ben.presence(of: ["ada"])["ada"] == .unknown)
    let online = try team.ada.me.appear()
    #expect(try await team.ben.presence(of: ["ada"])["ada"] == Presence(lastSeen: clock.now, isOnline: true))
    let head = try team.workspace.head()
    clock.set(clock.now.rawValue + 74_000_000)
    #expect(try await team.ben.presence(of: ["ada"])["ada"]?.isOnline == true)
    clock.set(clock.now.rawValue + 1_000_000)
    let silent = try await team.ben.presence(of: ["ada"])["ada"]
    #expect(silent?.isOnline == false && silent?.lastSeen != nil)
    await online.end()
    #expect(try await team.ben.presence(of: ["ada"])["ada"] == Presence(lastSeen: clock.now, isOnline: false))
    #expect(try team.workspace.head() == head, "presence is not in the log")
    await team.workspace.close()
  }

  /// All devices wrote the same file: one that ended made the user appear offline until another wrote again.
  @Test func `a user is online while any of their devices is`() async throws {
    let team = try await team()
    let other = try folder.open { [clock] in $0.clock = { clock.now } }
    let phone = try other.client(user: "ada", device: "phone").me.appear()
    let laptop = try team.ada.me.appear()
    func presence() async throws -> Presence? { try await team.ben.presence(of: ["ada"])["ada"] }
    func wait(_ seconds: Int64) { clock.set(clock.now.rawValue + seconds * 1_000_000) }
    wait(1)
    await laptop.end()
    #expect(try await presence() == Presence(lastSeen: clock.now, isOnline: true))
    let mention = try #require(Mention(.here, at: 0..<5))
    let sent = try await team.general(of: team.ben).send(Message.Content("@here", mentions: [mention]))
    #expect(try await team.workspace.recipients(of: sent.key).first?.reason == .group(.here))
    wait(2)
    await phone.end()
    #expect(try await presence() == Presence(lastSeen: clock.now, isOnline: false))
    // One that is killed counts for as long as it would have written, and the newest time is the last seen one.
    let killed = try other.client(user: "ada").me.appear()
    wait(60)
    let third = try team.ada.me.appear()
    await third.end()
    #expect(try await presence() == Presence(lastSeen: clock.now, isOnline: true))
    wait(15)
    #expect(try await presence()?.isOnline == false)
    await killed.end()
    await other.close()
    await team.workspace.close()
  }

  @Test func `the files of a user's presence are used again, bounded, and ignored if they are invalid`() async throws {
    let team = try await team()
    let path = team.workspace.path
    let directory = path + "/presence/ada"
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
    func presence() async throws -> Presence? { try await team.ben.presence(of: ["ada"])["ada"] }
    // Earlier versions wrote a single file.
    try FileManager.default.createDirectory(atPath: path + "/presence", withIntermediateDirectories: true)
    try Data(count: 32).write(to: URL(fileURLWithPath: directory))
    #expect(try await presence() == .unknown)
    for _ in 0..<3 { await (try team.ada.me.appear()).end() }
    #expect(try names() == ["0"])
    var online = try (0..<64).map { _ in try team.ada.me.appear() }
    #expect(try names().count == 64)
    #expect(throws: PresenceError.self) { try team.ada.me.appear() }
    for user in online { await user.end() }
    online = []
    #expect(try await presence() == Presence(lastSeen: clock.now, isOnline: false))

    // The first file is valid and online, the second damaged, the third a link, and others have other names.
    for name in try names() where name != "0" { try FileManager.default.removeItem(atPath: directory + "/" + name) }
    let user = try team.ada.me.appear()
    let valid = try Data(contentsOf: URL(fileURLWithPath: directory + "/0"))
    #expect(valid.count == 32)
    await user.end()
    var damaged = valid
    damaged[8] ^= 1
    try damaged.write(to: URL(fileURLWithPath: directory + "/1"))
    try valid.write(to: URL(fileURLWithPath: path + "/elsewhere"))
    try FileManager.default.createSymbolicLink(
      atPath: directory + "/2", withDestinationPath: path + "/elsewhere")
    try valid.write(to: URL(fileURLWithPath: directory + "/03"))
    try valid.write(to: URL(fileURLWithPath: directory + "/64"))
    #expect(try await presence() == Presence(lastSeen: clock.now, isOnline: false))
    try valid.write(to: URL(fileURLWithPath: directory + "/4"))
    #expect(try await presence() == Presence(lastSeen: clock.now, isOnline: true))
    // What was written by a clock that is far ahead counts for nothing.
    let ahead = SetClock(clock.now.rawValue + 74_000_000)
    let other = try folder.open { $0.clock = { ahead.now } }
    let early = try other.client(user: "ben").me.appear()
    #expect(try await team.ada.presence(of: ["ben"])["ben"] == Presence(lastSeen: ahead.now, isOnline: true))
    await early.end()
    ahead.set(clock.now.rawValue + 75_000_000)
    let late = try other.client(user: "ben").me.appear()
    #expect(try await team.ada.presence(of: ["ben"])["ben"] == .unknown)
    await late.end()
    await other.close()
    await team.workspace.close()
  }

  @Test func `the presence of a user is hidden from those whom they block, and changes are followed`() async throws {
    let team = try await team()
    let online = try team.ada.me.appear()
    try await team.ada.user("cid").block()
    #expect(try await team.cid.presence(of: ["ada"])["ada"] == .unknown)
    var changes = team.ben.presences(of: ["ada"], every: .milliseconds(1)).makeAsyncIterator()
    #expect(await changes.next()?["ada"]?.isOnline == true)
    await online.end()
    #expect(await changes.next()?["ada"]?.isOnline == false)
    await team.workspace.close()
  }

  @Test func `releasing an appearance sets the user offline and notifies followers once`() async throws {
    let looks = Locked(0)
    let workspace = try folder.open { [clock] in
      $0.clock = {
        looks.withLock { $0 += 1 }
        return clock.now
      }
    }
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada"), workspace.client(user: "ben"))
    var online: OnlineUser? = try ada.me.appear()
    let following = Task {
      var seen: [Bool] = []
      for await presences in ben.presences(of: ["ada"], every: .milliseconds(1)) {
        seen.append(presences["ada"]?.isOnline == true)
        if seen.count == 2 { break }
      }
      return seen
    }
    // The feed reads the clock at each check.
    await until { looks.withLock { $0 } > 100 }
    #expect(online != nil)
    online = nil
    #expect(try await within("the feed of presences") { await following.value } == [true, false])
    await workspace.close()
  }

  // MARK: Notifications

  @Test func `those whom a message concerns are notified`() async throws {
    let team = try await team()
    for device in ["tablet", "phone"] as [Device.ID] {
      try await team.ben.me.add(device, Device.Info(name: "Mine", pushToken: "t"))
    }
    func reasons(_ key: Message.Key) async throws -> [User.ID: Recipient.Reason] {
      let recipients = try await team.workspace.recipients(of: key)
      return Dictionary(uniqueKeysWithValues: recipients.map { ($0.user, $0.reason) })
    }
    let plain = try await team.general.send("hello")
    #expect(try await reasons(plain.key) == ["ben": .channel, "cid": .channel])
    #expect(try await team.workspace.recipients(of: plain.key).first?.devices.map(\.key.id) == ["phone", "tablet"])
    let mention = try await team.general.send(Message.Content("@ben", mentions: [Mention("ben", at: 0..<4)]))
    #expect(try await reasons(mention.key) == ["ben": .mention, "cid": .channel])
    let reply = try await team.general(of: team.cid).thread(plain.key.id).reply("yes")
    #expect(try await reasons(reply.key) == ["ada": .thread])
    let silent = try await team.general.send(Message.Content("psst", isSilent: true))
    #expect(try await reasons(silent.key) == [:])
    try await team.general(of: team.cid).mute()
    #expect(try await reasons(plain.key) == ["ben": .channel])
    try await team.ben.user("ada").mute()
    #expect(try await reasons(plain.key) == [:])
    await team.workspace.close()
  }

  @Test func `groups are notified by channel, presence and role, and count as mentions`() async throws {
    let team = try await team()
    func send(_ group: Mention.Group) async throws -> [User.ID: Recipient.Reason] {
      let mention = try #require(Mention(group, at: 0..<5))
      let sent = try await team.general.send(Message.Content("@here", mentions: [mention]))
      let recipients = try await team.workspace.recipients(of: sent.key)
      return Dictionary(uniqueKeysWithValues: recipients.map { ($0.user, $0.reason) })
    }
    #expect(try await send(.channel) == ["ben": .group(.channel), "cid": .group(.channel)])
    let online = try team.cid.me.appear()
    #expect(try await send(.here) == ["ben": .channel, "cid": .group(.here)])
    try await team.general.changeRole(of: "ben", to: .moderator)
    #expect(try await send(.role(.moderator)) == ["ben": .group(.role(.moderator)), "cid": .channel])
    #expect(try await team.ben.me.unread() == Unread(messages: 3, mentions: 3))
    #expect(try await team.cid.me.unread() == Unread(messages: 3, mentions: 2))
    try await team.general(of: team.ben).archive()
    #expect(try await send(.channel) == ["cid": .group(.channel)])
    await online.end()
    await team.workspace.close()
  }
}
