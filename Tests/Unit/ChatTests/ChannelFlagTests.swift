// What a channel does without: each flag and the freeze refuse just what they say, to everybody but the app.
import Chat
import Testing

struct `Channel flags` {
  @Test(arguments: ChannelFlag.allCases)
  func `a flag that is off refuses just what it names`(flag: ChannelFlag) {
    let scene = Scene.solo.and(.channel("general", .configure(ChannelConfig(off: [flag]))))
    for probe in Probe.all {
      let expected = probe.flags.contains(flag) ? Refusal.off(flag, in: "general") : nil
      #expect(scene.refusal(probe.intent, by: .sol) == expected, "\(probe.name)")
    }
  }

  @Test func `the flags refuse what their documentation names`() {
    func refused(by flag: ChannelFlag) -> [String] { Probe.all.filter { $0.flags.contains(flag) }.map(\.name) }
    #expect(ChannelFlag.allCases.filter { refused(by: $0).isEmpty } == [.typingEvents, .search])
    #expect(refused(by: .readEvents).count == 2 && refused(by: .deliveryEvents).count == 1)
    #expect(refused(by: .reactions) == ["react"])
    #expect(refused(by: .replies) == ["send a reply", "send a reply that quotes"])
    #expect(refused(by: .quotes) == ["send a quote", "send a reply that quotes"])
    #expect(refused(by: .uploads) == ["send a picture", "edit a picture into another's"])
    #expect(refused(by: .urlEnrichment) == ["send a page", "edit a page into one's own"])
    #expect(refused(by: .mutes) == ["mute the channel"])
  }

  @Test(arguments: [Author.ada, .root, .mo])
  func `a flag that is off is off for the owner, a moderator and an administrator too`(actor: Author) {
    let scene = Scene.solo.and(.channel("general", .configure(ChannelConfig(off: .all))))
    let key = Member.Key("general", "sol")
    let refused: [(Message.Content, ChannelFlag)] = [
      (Message.Content("new", parent: "m1"), .replies), (Message.Content("new", quoted: "m1"), .quotes),
      (Message.Content(attachments: [Probe.image]), .uploads),
      (Message.Content(attachments: [Probe.link]), .urlEnrichment),
    ]
    for (content, flag) in refused {
      #expect(scene.refusal(.message(.m3, .send(content)), by: actor) == .off(flag, in: "general"))
    }
    if actor == .root {
      #expect(scene.refusal(.member(key, .read(through: "m1")), by: actor) == .off(.readEvents, in: "general"))
      #expect(scene.refusal(.member(key, .receive(through: "m1")), by: actor) == .off(.deliveryEvents, in: "general"))
    }
  }

  @Test func `the app does what a channel does without`() {
    let scene = Scene.solo.and(.channel("general", .configure(ChannelConfig(off: .all))), .channel("general", .freeze))
    for probe in Probe.all {
      // The app reacts to nothing itself, and says nothing as somebody else.
      if case .reaction = probe.intent { continue }
      #expect(scene.refusal(probe.intent, by: .system) == nil, "\(probe.name)")
    }
  }

  @Test func `a picture that was sent stays when its words are edited`() {
    let content = Message.Content("one", attachments: [Probe.image, Probe.link])
    let scene = Scene.general.and(.message(.m3, .send(content)), by: .bo)
      .and(.channel("general", .configure(ChannelConfig(off: .all))))
    scene.when(.message(.m3, .edit(Message.Edits(text: "uno"))), by: .bo)
      .then(.message(.m3, .edited(Message.Edits(text: "uno"))))
    scene.when(.message(.m3, .edit(Message.Edits(attachments: []))), by: .bo)
      .then(.message(.m3, .edited(Message.Edits(attachments: []))))
  }

  @Test func `a reply or a picture that was whispered is not said where there are none`() {
    let reply = Message.Content("new", kind: .ephemeral, attachments: [Probe.image], parent: "m1")
    let scene = Scene.general.and(.message(.m3, .send(reply)), by: .bo)
    for flag in [ChannelFlag.replies, .uploads] {
      scene.and(.channel("general", .configure(ChannelConfig(off: [flag]))))
        .when(.message(.m3, .sendEphemeral), by: .bo).thenRefused(.off(flag, in: "general"))
    }
  }

  // MARK: Freeze

  @Test(arguments: Probe.all)
  func `a frozen channel refuses to send, edit and react, and nothing else`(probe: Probe) {
    let scene = Scene.solo.and(.channel("general", .freeze))
    let expected = probe.isStoppedByFreeze ? Refusal.channelFrozen("general") : nil
    #expect(scene.refusal(probe.intent, by: .sol) == expected)
    #expect(scene.and(.channel("general", .unfreeze)).refusal(probe.intent, by: .sol) == nil)
  }

  @Test func `a configuration tells what is on`() {
    #expect(ChannelFlag.allCases.allSatisfy { ChannelConfig().has($0) })
    let config = ChannelConfig(off: [.replies], commands: ["giphy"])
    #expect(!config.has(.replies) && config.has(.quotes))
    #expect(config.has("giphy" as ComposedCommand.ID) && !config.has("mute" as ComposedCommand.ID))
    #expect(ChannelConfig().has("mute" as ComposedCommand.ID))
    #expect(!ChannelConfig(commands: []).has("giphy" as ComposedCommand.ID))
    #expect(ChannelConfig().messageLengthMax == 5000 && ChannelConfig().slowMode == 0)
  }
}
