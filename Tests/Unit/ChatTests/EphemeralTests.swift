// Tests of ephemeral messages: sent, shuffled or cancelled by their authors, and unknown to all other users.
import Chat
import Testing

struct Ephemerals {
  private let content = Message.Content(kind: .ephemeral, attachments: [.wave])
  private var shown: Scene { Scene.withThird(content) }
  private let other = Chat.Attachment("other", .giphy)

  @Test func `sending an ephemeral message makes it the newest message`() {
    let scene = shown.and(.message(.m4, .send(Message.Content("four"))), by: .cy)
      .and(.message(.m3, .sendEphemeral), by: .bo, at: .start.plus(5))
    #expect(scene.events.last?.change == .message(.m3, .ephemeralSent))
    let message = scene.state[Message.Key.m3]
    #expect(message?.content == Message.Content(attachments: [.wave]))
    #expect(message?.number == scene.state["general" as Channel.ID]?.newest)
    #expect(message?.number == Message.Number(rawValue: 5))
    #expect(message?.sent == .start.plus(5))
    #expect(scene.state[Member.Key("general", "bo")]?.lastSent == .start.plus(5))
  }

  @Test func `sending an ephemeral message twice is a no-op`() {
    shown.when(.message(.m3, .sendEphemeral), by: .bo).then(.message(.m3, .ephemeralSent))
    Scene.general.when(.message(.m2, .sendEphemeral), by: .bo).thenNothing()
  }

  @Test func `its author replaces its attachments`() {
    let scene = shown.when(.message(.m3, .shuffleEphemeral([other])), by: .bo)
      .then(.message(.m3, .ephemeralShuffled([other])))
    #expect(scene.state[Message.Key.m3]?.content.attachments == [other])
  }

  @Test func `its author cancels it, and it is erased`() {
    let scene = shown.when(.message(.m3, .cancelEphemeral), by: .bo).then(.message(.m3, .ephemeralCancelled))
    let message = scene.state[Message.Key.m3]
    #expect(message?.presence == .gone)
    #expect(message?.content.attachments == [])
    for intent in [Message.Intent.sendEphemeral, .shuffleEphemeral([other]), .restore] {
      scene.when(.message(.m3, intent), by: .bo).thenRefused(.unknownMessage(.m3))
    }
  }

  @Test func `an ephemeral message is unknown to other users`() {
    let intents: [Message.Intent] = [
      .sendEphemeral, .shuffleEphemeral([other]), .cancelEphemeral, .edit(Message.Edits(text: "3")),
      .delete(forGood: false), .delete(forGood: true), .restore, .pin(.endless), .unpin, .acknowledge, .retry,
    ]
    for scene in [shown, shown.and(.message(.m3, .cancelEphemeral), by: .bo)] {
      for intent in intents {
        for actor in [Author.mo, .ada, .root] {
          scene.when(.message(.m3, intent), by: actor).thenRefused(.unknownMessage(.m3))
        }
      }
      for intent in [Reaction.Intent.add("like", score: 1), .remove("like")] {
        scene.when(.reaction(Reaction.Key(to: .m3, by: "mo"), intent), by: .mo).thenRefused(.unknownMessage(.m3))
      }
      let cy = Member.Key("general", "cy")
      for intent in [Member.Intent.read(through: "m3"), .receive(through: "m3"), .markUnread(from: "m3")] {
        scene.when(.member(cy, intent), by: .cy).thenRefused(.unknownMessage(.m3))
      }
      let flag = Flag.Key(by: "cy", on: .message(.m3))
      scene.when(.flag(flag, .raise(reason: nil)), by: .cy).thenRefused(.unknownMessage(.m3))
      scene.when(.channel("general", .truncate(through: "m3")), by: .ada).thenRefused(.unknownMessage(.m3))
    }
  }

  @Test func `an ephemeral message shows no hidden channel until it is sent to all`() throws {
    let cy = Member.Key("general", "cy")
    let hidden = Scene.general.and(.member(cy, .hide), by: .cy)
    func hides(_ scene: Scene) throws -> Bool {
      let channel = try #require(scene.state["general" as Channel.ID])
      return try #require(scene.state[cy]).hides(channel)
    }
    let shown = hidden.and(.message(.m3, .send(content)), by: .bo)
    #expect(try hides(shown))
    #expect(try !hides(shown.and(.message(.m3, .sendEphemeral), by: .bo)))
  }

  @Test func `an ephemeral reply is counted when it is sent to all`() {
    let scene = Scene.withThird(Message.Content(kind: .ephemeral, attachments: [.wave], parent: "m1"))
    #expect(scene.state[Message.Key.m1]?.replyCount == 0)
    #expect(scene.and(.message(.m3, .sendEphemeral), by: .bo).state[Message.Key.m1]?.replyCount == 1)
  }

  @Test func `a regular message is neither shuffled nor cancelled`() {
    for intent in [Message.Intent.shuffleEphemeral([other]), .cancelEphemeral] {
      Scene.general.when(.message(.m2, intent), by: .bo).thenRefused(.notEphemeral(.m2))
      Scene.general.when(.message(.m2, intent), by: .cy).thenRefused(.notYours("bo"))
    }
  }

  @Test func `sending an ephemeral message follows the rules for all messages`() throws {
    let send = ChatIntent.message(.m3, .sendEphemeral)
    Scene.withThird(Message.Content(kind: .ephemeral)).when(send, by: .bo).thenRefused(.emptyMessage)
    shown.frozen.when(send, by: .bo).thenRefused(.channelFrozen("general"))
    let banned = shown.banned("bo")
    banned.when(send, by: .bo).thenRefused(.banned(try banned.ban(of: "bo")))
    shown.and(.member(Member.Key("general", "bo"), .leave), by: .bo)
      .when(send, by: .bo).thenRefused(.notMember(Member.Key("general", "bo")))
    Scene.withThird(Message.Content("three", kind: .ephemeral)).configured { $0.messageLengthMax = 3 }
      .when(send, by: .bo).thenRefused(.tooLarge(.messageLength, count: 5, max: 3))
    Scene.withThird(Message.Content("three", kind: .ephemeral, parent: "m1"))
      .and(.message(.m1, .delete(forGood: true)), by: .ada)
      .when(send, by: .bo).thenRefused(.unknownMessage(.m1))
  }

  @Test func `a deleted ephemeral message is neither sent nor shuffled`() {
    let scene = shown.and(.message(.m3, .delete(forGood: false)), by: .bo)
    for intent in [Message.Intent.sendEphemeral, .shuffleEphemeral([other])] {
      scene.when(.message(.m3, intent), by: .bo).thenRefused(.messageDeleted(.m3))
    }
    scene.when(.message(.m3, .cancelEphemeral), by: .bo).then(.message(.m3, .ephemeralCancelled))
  }

  @Test func `new attachments of an ephemeral message follow the rules of a message`() {
    shown.when(.message(.m3, .shuffleEphemeral([.wave, .wave])), by: .bo).thenRefused(.attachmentTwice("wave"))
    shown.when(.message(.m3, .shuffleEphemeral([.onDevice])), by: .bo).thenRefused(.notUploaded("local"))
    shown.frozen.when(.message(.m3, .shuffleEphemeral([other])), by: .bo).thenRefused(.channelFrozen("general"))
  }

  @Test func `an ephemeral message is refused in a frozen channel, but not by the slow mode`() {
    Scene.general.frozen.when(.message(.m3, .send(content)), by: .bo).thenRefused(.channelFrozen("general"))
    Scene.general.and(.channel("general", .setSlowMode(60)), by: .ada)
      .when(.message(.m3, .send(content)), by: .bo).then(.message(.m3, .sent(content)))
  }
}
