// Tests of channel flags and the freeze: each refuses exactly the documented intents, to everyone but the app.
import Chat
import Testing

struct `Channel flags` {
  @Test(arguments: ChannelFlag.allCases)
  func `a flag that is off refuses exactly the intents that it names`(flag: ChannelFlag) {
    let scene = Scene.solo.and(.channel("general", .configure(ChannelConfig(off: [flag]))))
    for probe in Probe.all {
      let expected = probe.flags.contains(flag) ? Refusal.off(flag, in: "general") : nil
      #expect(scene.refusal(probe.intent, by: .sol) == expected, "\(probe.name)")
    }
  }

  @Test func `the flags refuse the intents that their documentation names`() {
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
  func `a flag that is off applies to the owner, a moderator and an administrator too`(actor: Author) {
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

  @Test func `flags that are off do not apply to the app`() {
    let scene = Scene.solo.and(.channel("general", .configure(ChannelConfig(off: .all))), .channel("general", .freeze))
    for probe in Probe.all {
      // The app does not react itself, and does not send as a user.
      if case .reaction = probe.intent { continue }
      #expect(scene.refusal(probe.intent, by: .system) == nil, "\(probe.name)")
    }
  }

  @Test func `a sent picture stays when the text of its message is edited`() {
    let content = Message.Content("one", attachments: [Probe.image, Probe.link])
    let scene = Scene.general.and(.message(.m3, .send(content)), by: .bo)
      .and(.channel("general", .configure(ChannelConfig(off: .all))))
    scene.when(.message(.m3, .edit(Message.Edits(text: "uno"))), by: .bo)
      .then(.message(.m3, .edited(Message.Edits(text: "uno"))))
    scene.when(.message(.m3, .edit(Message.Edits(attachments: []))), by: .bo)
      .then(.message(.m3, .edited(Message.Edits(attachments: []))))
  }

  @Test func `sending an ephemeral reply or picture is refused when its flag is off`() {
    let reply = Message.Content("new", kind: .ephemeral, attachments: [Probe.image], parent: "m1")
    let scene = Scene.general.and(.message(.m3, .send(reply)), by: .bo)
    for flag in [ChannelFlag.replies, .uploads] {
      scene.and(.channel("general", .configure(ChannelConfig(off: [flag]))))
        .when(.message(.m3, .sendEphemeral), by: .bo).thenRefused(.off(flag, in: "general"))
    }
  }

  // MARK: Freeze

  @Test(arguments: Probe.all)
  func `a frozen channel refuses sending, editing and reacting, and nothing else`(probe: Probe) {
    let scene = Scene.solo.and(.channel("general", .freeze))
    let expected = probe.isStoppedByFreeze ? Refusal.channelFrozen("general") : nil
    #expect(scene.refusal(probe.intent, by: .sol) == expected)
    #expect(scene.and(.channel("general", .unfreeze)).refusal(probe.intent, by: .sol) == nil)
  }

  @Test func `a configuration returns which flags are on`() {
    #expect(ChannelFlag.allCases.allSatisfy { ChannelConfig().has($0) })
    let config = ChannelConfig(off: [.replies], commands: ["giphy"])
    #expect(!config.has(.replies) && config.has(.quotes))
    #expect(config.has("giphy" as ComposedCommand.ID) && !config.has("mute" as ComposedCommand.ID))
    #expect(ChannelConfig().has("mute" as ComposedCommand.ID))
    #expect(!ChannelConfig(commands: []).has("giphy" as ComposedCommand.ID))
    #expect(ChannelConfig().messageLengthMax == 5000 && ChannelConfig().slowMode == 0)
  }
}
