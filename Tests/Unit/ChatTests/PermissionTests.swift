// Tests of permissions: a table of every intent in a channel against every capability, bans and absence.
import Chat
import Testing

struct Permissions {
  let end = Timestamp.start.plus(60)

  // MARK: Capabilities

  @Test(arguments: Capability.allCases)
  func `a role with one capability allows exactly the intents that need no other`(capability: Capability) {
    let scene = Scene.solo.allowing([capability])
    for probe in Probe.all {
      let refusal = scene.refusal(probe.intent, by: .sol)
      if probe.isAllowed(by: [capability]) {
        #expect(refusal == nil, "\(probe.name)")
      } else {
        let named = Capability.allCases.filter { refusal == .notAllowed($0, in: "general") }
        #expect(named.count == 1 && named != [capability], "\(probe.name): \(refusal?.description ?? "allowed")")
        #expect(probe.ways.contains { $0.contains(named.first ?? capability) }, "\(probe.name) names what it needs")
      }
    }
  }

  @Test(arguments: Capability.allCases)
  func `a role without one capability refuses exactly the intents that need it, and names it`(capability: Capability) {
    var others = Capabilities.all
    others.remove(capability)
    let scene = Scene.solo.allowing(others)
    for probe in Probe.all {
      let expected = probe.isAllowed(by: others) ? nil : Refusal.notAllowed(capability, in: "general")
      #expect(scene.refusal(probe.intent, by: .sol) == expected, "\(probe.name)")
    }
  }

  @Test func `without capabilities to edit or delete, the refusal names the own ones for own messages`() {
    let scene = Scene.solo.allowing([.read, .send])
    func refuses(_ key: Message.Key, _ intent: Message.Intent, _ needed: Capability) {
      scene.when(.message(key, intent), by: .sol).thenRefused(.notAllowed(needed, in: "general"))
    }
    refuses(Probe.own, .edit(Message.Edits(text: "other")), .editOwn)
    refuses(.m1, .edit(Message.Edits(text: "other")), .editAny)
    refuses(Probe.own, .delete(forGood: false), .deleteOwn)
    refuses(.m1, .delete(forGood: false), .deleteAny)
  }

  @Test(arguments: Capability.allCases)
  func `capabilities of a user's role in every channel need no membership`(capability: Capability) {
    var scene = Scene.solo.and(.member(Probe.sol, .leave), .user("sol", .changeRole("roamer")))
    scene.state.rules.userCapabilities["roamer"] = [capability]
    for probe in Probe.all where !probe.isForMembers {
      let refusal = scene.refusal(probe.intent, by: .sol)
      let expected = probe.isAllowed(by: [capability]) ? nil : Refusal.notMember(Probe.sol)
      #expect(refusal == expected, "\(probe.name)")
    }
    for probe in Probe.all where probe.isForMembers {
      #expect(scene.refusal(probe.intent, by: .sol) == .notMember(Probe.sol), "\(probe.name)")
    }
  }

  @Test func `the capabilities of a user's role and a member's role add up`() {
    var scene = Scene.solo.allowing([.send]).and(.user("sol", .changeRole("roamer")))
    let probe = Probe.send("a picture", Message.Content(attachments: [Probe.image]), [.send, .upload])
    #expect(scene.refusal(probe.intent, by: .sol) == .notAllowed(.upload, in: "general"))
    scene.state.rules.userCapabilities["roamer"] = [.upload]
    #expect(scene.refusal(probe.intent, by: .sol) == nil)
  }

  @Test func `a role that was removed from the rules has no capabilities`() {
    var scene = Scene.solo
    scene.state.rules.memberCapabilities["solo"] = nil
    for probe in Probe.all {
      #expect((scene.refusal(probe.intent, by: .sol) == nil) == probe.isAllowed(by: []), "\(probe.name)")
    }
  }

  @Test func `by default members talk, moderators moderate and owners do everything`() {
    let rules = Rules()
    #expect(rules.memberCapabilities[.owner] == .all)
    #expect(rules.memberCapabilities[.moderator]?.elements.count == Capability.allCases.count - 1)
    #expect(rules.memberCapabilities[.moderator]?.contains(.changeChannel) == false)
    let guest = rules.memberCapabilities[.guest] ?? .all
    let member = rules.memberCapabilities[.member] ?? .all
    #expect(guest.isSubset(of: member) && member.isSubset(of: rules.memberCapabilities[.moderator] ?? []))
    #expect(Set(member.elements).subtracting(guest.elements) == [.upload, .sendLinks, .invite, .mentionGroups])
    let keeping: Capabilities = [.ban, .pin, .editAny, .deleteAny, .changeChannel, .skipSlowMode]
    #expect(member.intersection(keeping).isEmpty)
    #expect(rules.userCapabilities == [.admin: .all] && rules.administrators == [.admin])
  }

  // MARK: Slow mode

  @Test func `only users with the capability skip the slow mode`() {
    let scene = Scene.solo.and(.channel("general", .setSlowMode(60)))
    let send = Probe.sending[0].intent
    for capability in Capability.allCases where capability != .send {
      let refusal = scene.allowing([.send, capability]).refusal(send, by: .sol)
      #expect(refusal == (capability == .skipSlowMode ? nil : .coolingDown(until: end)))
    }
    let member = scene.allowing([.send])
    #expect(member.refusal(send, by: .sol, at: end.plus(microseconds: -1)) == .coolingDown(until: end))
    #expect(member.refusal(send, by: .sol, at: end) == nil)
    #expect(member.refusal(send, by: .sol, at: end.plus(microseconds: 1)) == nil)
  }

  // MARK: Bans

  @Test(arguments: [Ban.Scope.channel("general"), .everywhere])
  func `a banned user may only read and manage their own affairs, until the end`(scope: Ban.Scope) throws {
    let key = Ban.Key(of: "sol", from: scope)
    let scene = Scene.solo.and(.ban(key, .impose(.until(end), reason: nil)))
    let ban = try #require(scene.state[key])
    for probe in Probe.all {
      let isAllowed = probe.isAllowed(by: [.read]) && !probe.isStoppedByBan
      let expected = isAllowed ? nil : Refusal.banned(ban)
      #expect(scene.refusal(probe.intent, by: .sol) == expected, "\(probe.name)")
      #expect(scene.refusal(probe.intent, by: .sol, at: end.plus(microseconds: -1)) == expected, "\(probe.name)")
      #expect(scene.refusal(probe.intent, by: .sol, at: end) == nil, "\(probe.name)")
      #expect(scene.refusal(probe.intent, by: .sol, at: end.plus(microseconds: 1)) == nil, "\(probe.name)")
    }
  }

  @Test func `a ban from another channel, and that of another user, have no effect`() {
    let scene = Scene.solo
      .and(.channel("other", .create("team", Channel.Profile(), ChannelConfig(), members: ["sol"])), by: .ada)
      .and(.ban(Ban.Key(of: "sol", from: .channel("other")), .impose(.endless, reason: nil)))
      .and(.ban(Ban.Key(of: "bo", from: .everywhere), .impose(.endless, reason: nil)))
    for probe in Probe.all { #expect(scene.refusal(probe.intent, by: .sol) == nil, "\(probe.name)") }
  }

  // MARK: Whispers

  @Test(arguments: [Author.cy, .mo, .root])
  func `another user's ephemeral message is refused like an unknown one`(actor: Author) throws {
    let user = try #require(actor.user)
    let scene = Scene.general.and(.message(.m3, .send(Message.Content("?", kind: .ephemeral))), by: .bo)
    let intents: [Message.Intent] = [
      .edit(Message.Edits(text: "!")), .delete(forGood: false), .delete(forGood: true), .restore, .pin(.endless),
      .unpin,
      .acknowledge, .fail(reason: "no"), .retry, .sendEphemeral, .shuffleEphemeral([]), .cancelEphemeral,
    ]
    let other = Message.Key("general", "m4")
    let others: [ChatIntent] = [
      .message(other, .send(Message.Content("new", parent: "m3"))),
      .message(other, .send(Message.Content("new", quoted: "m3"))),
      .reaction(Reaction.Key(to: .m3, by: user), .add("like", score: 1)),
      .reaction(Reaction.Key(to: .m3, by: user), .remove("like")),
      .flag(Flag.Key(by: user, on: .message(.m3)), .raise(reason: nil)),
    ]
    for intent in intents.map({ ChatIntent.message(.m3, $0) }) + others {
      #expect(scene.refusal(intent, by: actor) == .unknownMessage(.m3), "\(intent)")
    }
  }

  // MARK: Who is not there

  @Test(arguments: Probe.all)
  func `a user who does not exist is refused everything`(probe: Probe) {
    for scene in [Scene.solo, Scene.solo.and(.channel("general", .delete)), Scene()] {
      #expect(scene.refusal(probe.intent, by: .user("ghost")) == .unknownUser("ghost"))
    }
  }

  @Test(arguments: Probe.all)
  func `a deactivated user is refused everything`(probe: Probe) {
    let scene = Scene.solo.and(.user("sol", .deactivate))
    for scene in [scene, scene.and(.channel("general", .delete))] {
      #expect(scene.refusal(probe.intent, by: .sol) == .userDeactivated("sol"))
    }
    #expect(scene.and(.user("sol", .reactivate)).refusal(probe.intent, by: .sol) == nil)
  }

  @Test(arguments: Probe.all)
  func `a removed member is refused as such, and learns nothing of the content`(probe: Probe) {
    let scene = Scene.solo.and(.member(Probe.sol, .remove))
    let expected = probe.isOwnAffair && !probe.isForMembers ? nil : Refusal.notMember(Probe.sol)
    let worlds = [
      scene, scene.and(.channel("general", .configure(ChannelConfig(off: .all, messageLengthMax: 1)))),
      scene.and(.message(.m1, .delete(forGood: false)), .message(.m2, .delete(forGood: true))),
      scene.and(.message(.m1, .delete(forGood: true)), .message(.m2, .delete(forGood: false))),
      scene.and(.message(Probe.othersDeleted, .delete(forGood: true))),
      scene.and(.message(Probe.new, .send(Message.Content("other"))), by: .ada),
    ]
    for world in worlds { #expect(world.refusal(probe.intent, by: .sol) == expected) }
    let frozen = scene.and(.channel("general", .freeze)).refusal(probe.intent, by: .sol)
    #expect(frozen == (probe.isStoppedByFreeze ? .notMember(Probe.sol) : expected))
  }
}
