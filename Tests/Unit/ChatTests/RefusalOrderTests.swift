// Tests of the order of refusals of a message: the first reason is one that its author can act on.
import Chat
import Testing

struct RefusalOrder {
  /// A message with everything wrong that the domain knows.
  private let hopeless = Message.Content(
    "", attachments: [], parent: "none", quoted: "none")

  /// Returns a channel in which everything is off.
  private func nothingGoes() -> Scene {
    Scene.general
      .and(.message(.m3, .send(Message.Content("three"))), by: .gil)
      .configured { config in
        (config.off, config.messageLengthMax, config.slowMode) = (.all, 5, 60)
      }
      .banned("gil").frozen
  }

  /// Each refusal, followed by the change of the message or the channel that resolves it.
  @Test func `empty, too long, not uploaded, frozen, banned, off or not allowed, cooling down, in this order`() throws {
    var scene = nothingGoes()
    var content = hopeless
    func refused(_ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation) {
      scene.when(.message(.m4, .send(content)), by: .gil).thenRefused(refusal, sourceLocation: sourceLocation)
    }
    refused(.emptyMessage)
    content.attachments = [.onDevice]
    content.text = "https://a.example"
    refused(.tooLarge(.messageLength, count: 17, max: 5))
    content.text = "www.a"
    refused(.notUploaded("local"))
    content.attachments = [.picture, .page]
    refused(.channelFrozen("general"))
    scene = scene.and(.channel("general", .unfreeze), by: .ada)
    refused(.banned(try scene.ban(of: "gil")))
    scene = scene.and(.ban(Ban.Key(of: "gil", from: .channel("general")), .lift), by: .mo)
    refused(.off(.replies, in: "general"))
    content.parent = nil
    refused(.off(.quotes, in: "general"))
    content.quoted = nil
    refused(.off(.uploads, in: "general"))
    scene = scene.configured { $0.slowMode = 60 }
    refused(.notAllowed(.upload, in: "general"))
    content.attachments = []
    refused(.notAllowed(.sendLinks, in: "general"))
    content.text = "four"
    refused(.coolingDown(until: .start.plus(60)))
    content.parent = "none"
    refused(.coolingDown(until: .start.plus(60)))
    scene = scene.and(.channel("general", .setSlowMode(0)), by: .ada)
    refused(.unknownMessage(.none))
  }

  @Test func `a ban is refused before a missing capability or flag`() throws {
    let scene = Scene.general { $0.memberCapabilities[.guest] = [.read] }
      .configured { $0.off = .all }.banned("gil")
    for content in [Message.Content("3"), Message.Content("3", parent: "m1"), Message.Content("3", quoted: "m1")] {
      scene.when(.message(.m3, .send(content)), by: .gil).thenRefused(.banned(try scene.ban(of: "gil")))
    }
  }

  @Test func `a system message of a user is refused after a freeze and a ban`() throws {
    let content = Message.Content("Cy is here.", kind: .system)
    let scene = Scene.general.banned("bo")
    scene.frozen.when(.message(.m3, .send(content)), by: .bo).thenRefused(.channelFrozen("general"))
    scene.when(.message(.m3, .send(content)), by: .bo).thenRefused(.banned(try scene.ban(of: "bo")))
  }

  @Test func `an edit is refused in the same order`() throws {
    var scene = Scene.withThird(Message.Content("three"), by: .gil).configured { $0.messageLengthMax = 5 }
      .banned("gil").frozen
    func refused(_ edits: Message.Edits, _ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation) {
      scene.when(.message(.m3, .edit(edits)), by: .gil).thenRefused(refusal, sourceLocation: sourceLocation)
    }
    refused(Message.Edits(text: ""), .emptyMessage)
    refused(Message.Edits(text: "333333"), .tooLarge(.messageLength, count: 6, max: 5))
    refused(Message.Edits(attachments: [.onDevice]), .notUploaded("local"))
    refused(Message.Edits(text: "3"), .channelFrozen("general"))
    scene = scene.and(.channel("general", .unfreeze), by: .ada)
    refused(Message.Edits(text: "3"), .banned(try scene.ban(of: "gil")))
    scene = scene.and(.ban(Ban.Key(of: "gil", from: .channel("general")), .lift), by: .mo)
    refused(Message.Edits(attachments: [.picture]), .notAllowed(.upload, in: "general"))
    refused(Message.Edits(text: "www.a"), .notAllowed(.sendLinks, in: "general"))
  }

  @Test func `a missing right to read is refused before anything about a message`() {
    let scene = Scene.general.and(.message(.m1, .delete(forGood: false)), by: .ada)
    for key in [Message.Key.m1, .m2, .none] {
      for intent in [Message.Intent.edit(Message.Edits(text: "")), .delete(forGood: true), .restore, .pin(.endless)] {
        scene.when(.message(key, intent), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
      }
      let reaction = Reaction.Key(to: key, by: "dee")
      for intent in [Reaction.Intent.add("like", score: 0), .remove("like")] {
        scene.when(.reaction(reaction, intent), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
      }
    }
  }
}
