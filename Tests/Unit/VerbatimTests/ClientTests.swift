// Threat: a controller submits another intent than its name says, or in another user's name.
import ChildProcess
import Foundation
import Testing

@testable import Verbatim

@Suite struct `A client` {
  private let folder = WorkspaceFolder()

  private struct Team {
    let workspace: Workspace
    let ada: Client
    let ben: Client
    var general: ChannelController { ada.channel("general") }
  }

  private func team() async throws -> Team {
    let workspace = try folder.open()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben"))
    try await ada.me.create(name: "Ada")
    try await ben.me.create(name: "Ben")
    try await ada.channel("general").create("team", Channel.Profile(name: "General"), members: ["ben"])
    return Team(workspace: workspace, ada: ada, ben: ben)
  }

  @Test func `a client submits in the name of its user and device`() async throws {
    let team = try await team()
    let sent = try await team.general.send("hello")
    let event = try #require(try team.workspace.store.event(at: sent.position))
    #expect(event.actor == "ada" && event.device == "phone")
    #expect(try await team.ben.channel("general").message(sent.key.id).author == "ada")
    await expectRefusal(.notAllowed(.editAny, in: "general")) {
      try await team.ben.channel("general").edit(sent.key.id, to: "mine")
    }
    await team.workspace.close()
  }

  @Test func `a client manages a channel: profile, configuration, members, moderation`() async throws {
    let team = try await team()
    let general = team.general
    try await general.change(Channel.Profile(name: "All"))
    try await general.setSlowMode(5)
    #expect(try await general.get().profile.name == "All")
    #expect(try await general.get().config.slowMode == 5)
    try await general.configure(ChannelConfig())
    try await general.freeze()
    #expect(try await general.get().isFrozen)
    try await general.unfreeze()
    try await team.workspace.client(user: "cid").me.create(name: "Cid")
    try await general.add("cid")
    #expect(try await general.members().members.map(\.key.user) == ["ada", "ben", "cid"])
    #expect(try await general.members(matching: "ci").map(\.id) == ["cid"])
    try await general.changeRole(of: "cid", to: .moderator)
    #expect(try await general.member("cid")?.role == .moderator)
    try await general.remove("cid")
    #expect(try await general.member("cid") == nil)
    try await team.ben.channel("general").hide()
    #expect(try await team.ben.channels.page().channels == [])
    try await team.ben.channel("general").show()
    #expect(try await team.ben.channels.page().channels.count == 1)
    try await general.ban("ben", reason: "rest")
    #expect(try await general.bans().bans.map(\.key.user) == ["ben"])
    #expect(try await team.ben.channel("general").ownBan()?.reason == "rest")
    try await general.liftBan(of: "ben")
    #expect(try await team.ben.channel("general").ownBan() == nil)
    try await team.ben.channel("general").leave()
    await #expect(throws: ReadError.self) { try await team.ben.channel("general").get() }
    try await general.delete()
    await #expect(throws: ReadError.self) { try await general.get() }
    await team.workspace.close()
  }

  @Test func `a client sends, edits, deletes, pins, reacts to and marks messages`() async throws {
    let team = try await team()
    let (general, ben) = (team.general, team.ben.channel("general"))
    let sent = try await general.send("one", id: "m1")
    #expect(try await general.send("one", id: "m1").submitted.receipt == nil && sent.key.id == "m1")
    try await general.edit("m1", to: "uno")
    #expect(try await ben.message("m1").content.text == "uno")
    #expect(try await ben.unread().messages == 1)
    #expect(try await ben.firstUnread()?.key.id == "m1")
    try await ben.markReceived(through: "m1")
    try await ben.markRead(through: "m1")
    #expect(try await team.ben.me.unread() == .none)
    #expect(try await general.markers().markers.first { $0.user == "ben" }?.read == Message.Number(rawValue: 1))
    try await ben.markUnread(from: "m1")
    #expect(try await team.ben.channels.unread().messages == 1)
    try await ben.react(to: "m1", "wave", score: 3)
    #expect(try await general.reactions(to: "m1").reactions.map(\.key.user) == ["ben"])
    try await ben.unreact(to: "m1", "wave")
    #expect(try await general.reactions(to: "m1").reactions == [])
    try await general.pin("m1")
    #expect(try await ben.pinned().messages.map(\.key.id) == ["m1"])
    try await general.unpin("m1")
    #expect(try await ben.pinned().messages == [])
    #expect(try await ben.messages(matching: "un").messages.count == 1)
    #expect(try await team.ben.channels.messages(matching: "un").messages.count == 1)
    try await ben.flag("m1", reason: "a word")
    try await general.delete("m1")
    #expect(try await ben.message("m1").content.text == "")
    try await general.restore("m1")
    #expect(try await ben.messages().messages.map(\.content.text) == ["uno"])
    try await general.truncate()
    #expect(try await ben.messages().messages == [])
    await team.workspace.close()
  }

  @Test func `a client replies in threads, and reads its threads and mentions`() async throws {
    let team = try await team()
    let sent = try await team.general.send("one", id: "m1")
    let thread = team.ben.channel("general").thread("m1")
    try await thread.reply("a reply", id: "r1")
    var content = Message.Content("@Ada", mentions: [Mention("ada", at: 0..<4)])
    content.parent = "other"
    try await thread.reply(content, id: "r2")
    #expect(try await team.general.thread("m1").replies().messages.map(\.content.parent) == ["m1", "m1"])
    #expect(try await thread.message().replyCount == 2 && sent.key.id == "m1")
    #expect(try await team.ada.me.mentions().messages.map(\.key.id) == ["r2"])
    #expect(try await team.ada.me.threads().threads.map(\.parent.key.id) == ["m1"])
    await team.workspace.close()
  }

  @Test func `a client mutes and flags users, and changes its own profile and devices`() async throws {
    let team = try await team()
    let ben = team.ada.user("ben")
    try await ben.mute()
    #expect(try await team.ada.me.mutes().count == 1)
    #expect(try await ben.ownMute() != nil)
    try await ben.unmute()
    #expect(try await ben.ownMute() == nil)
    try await ben.flag()
    try await team.general.mute()
    #expect(try await team.ada.me.mutes().map(\.key.target) == [.channel("general")])
    try await team.general.unmute()
    try await team.ada.me.change(User.Profile(name: "Ada L."))
    #expect(try await team.ben.user("ada").get()?.profile.name == "Ada L.")
    #expect(try await team.ben.me.users(matching: "ada").map(\.id) == ["ada"])
    try await team.ada.me.add("phone", Device.Info(name: "Phone"))
    try await team.ada.me.remove("phone")
    await expectRefusal(.notAdministrator) { try await ben.deactivate() }
    await team.workspace.close()
  }

  @Test func `a client without a device has no composer, and each device has its own`() async throws {
    let team = try await team()
    await #expect {
      try await team.ben.channel("general").openComposer()
    } throws: { error in
      if case .noDevice("ben") = error as? SubmitError { true } else { false }
    }
    let composer = try await team.general.openComposer(thread: nil)
    #expect(composer.key == Composer.Key(of: "ada", on: "phone", in: "general"))
    await team.workspace.close()
  }

  @Test func `a client of a missing user may create the user and nothing else`() async throws {
    let workspace = try folder.open()
    let nobody = workspace.client(user: "nobody")
    await expectRefusal(.unknownUser("nobody")) { try await nobody.channel("general").create() }
    await #expect(throws: ReadError.self) { try await nobody.me.unread() }
    await workspace.close()
  }
}

@Suite(.timeLimit(.minutes(10))) struct `The changes of a client` {
  private let folder = WorkspaceFolder()

  @Test func `a client's changes are those that the user may see, in log order`() async throws {
    let workspace = try folder.open()
    try await workspace.populate(["ada", "ben", "cid"])
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "pad"))
    let changes = try Elements(of: ben.changes)
    let general = ada.channel("general")
    try await ada.channel("private").create()
    try await ada.channel("private").send("secret")
    try await general.send(Message.Content("only mine", kind: .ephemeral), id: "e1")
    let composer = try await general.openComposer()
    try composer.record([.typed(Splice(0..<0, to: "typing"))])
    try await composer.flush()
    try await ada.submit(.draft(Draft.Key(by: "ada", in: "general"), .update(Composition("draft"), editedAt: .now)))
    try await ada.user("ben").mute()
    try await general.hide()
    try await general.send("for all", id: "m1")
    try await ada.channel("general").react(to: "m1", "wave")
    try await ben.user("ada").mute()
    try await ben.submit(.draft(Draft.Key(by: "ben", in: "general"), .update(Composition("own"), editedAt: .now)))
    var told: [ChatEvent.Change] = []
    for _ in 0..<4 { told.append(try #require(try await changes.next()).event.change) }
    try await general.remove("ben")
    try await general.send("without ben", id: "m2")
    try await ben.me.change(User.Profile(name: "B"))
    for _ in 0..<2 { told.append(try #require(try await changes.next()).event.change) }
    guard case .message(let message, .sent) = told[0], case .reaction = told[1], case .mute(let mute, _) = told[2],
      case .draft(let draft, _) = told[3], case .member(let member, .removed) = told[4], case .user("ben", _) = told[5]
    else {
      Issue.record("\(told)")
      return
    }
    #expect(message.id == "m1" && mute.user == "ben" && draft.user == "ben" && member.user == "ben")
    await workspace.close()
  }
}
