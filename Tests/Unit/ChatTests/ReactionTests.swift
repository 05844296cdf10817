// Tests of reactions: one or several kinds, scores, totals, and who may react.
import Chat
import Testing

struct Reactions {
  private let boToOne = Reaction.Key(to: .m1, by: "bo")

  private func add(_ kind: Reaction.Kind, score: UInt32 = 1, by user: User.ID = "bo") -> ChatIntent {
    .reaction(Reaction.Key(to: .m1, by: user), .add(kind, score: score))
  }

  private func totals(_ scene: Scene) -> [[String]] {
    (scene.state[Message.Key.m1]?.reactions ?? []).map { [$0.kind.text, "\($0.count)", "\($0.score)"] }
  }

  @Test func `a user reacts, and the message counts it`() {
    let scene = Scene.general.when(add("like"), by: .bo).then(.reaction(boToOne, .added("like", score: 1)))
    #expect(totals(scene) == [["like", "1", "1"]])
    #expect(scene.state[boToOne]?.score(of: "like") == 1)
    #expect(scene.state[boToOne]?.score(of: "love") == nil)
  }

  @Test func `a user adds several kinds of reactions, in the order of adding`() {
    let scene = Scene.general
      .and(add("love"), by: .bo, at: .start.plus(1)).and(add("like"), by: .bo, at: .start.plus(2))
    #expect(scene.state[boToOne]?.scores.map(\.kind) == ["love", "like"])
    #expect(scene.state[boToOne]?.scores.map(\.at) == [.start.plus(1), .start.plus(2)])
    #expect(totals(scene) == [["love", "1", "1"], ["like", "1", "1"]])
  }

  @Test func `several users react with one kind`() {
    let scene = Scene.general.and(add("like", score: 2), by: .bo).and(add("like", score: 5, by: "cy"), by: .cy)
    #expect(totals(scene) == [["like", "2", "7"]])
  }

  @Test func `a user changes the score, and counts once`() {
    var scene = Scene.general
    for score: UInt32 in [1, 50, 3] {
      scene = scene.when(add("like", score: score), by: .bo).then(.reaction(boToOne, .added("like", score: score)))
      #expect(totals(scene) == [["like", "1", "\(score)"]])
    }
  }

  @Test func `sums of scores do not overflow`() {
    let scene = Scene.general.and(add("like", score: .max), by: .bo).and(add("like", score: .max, by: "cy"), by: .cy)
    #expect(totals(scene) == [["like", "2", "8589934590"]])
  }

  @Test func `a reaction is removed, and its kind with the last one`() {
    let scene = Scene.general.and(add("like"), by: .bo).and(add("like", score: 4, by: "cy"), by: .cy)
      .when(.reaction(boToOne, .remove("like")), by: .bo).then(.reaction(boToOne, .removed("like")))
    #expect(totals(scene) == [["like", "1", "4"]])
    #expect(scene.state[boToOne] == nil)
    #expect(totals(scene.and(.reaction(Reaction.Key(to: .m1, by: "cy"), .remove("like")), by: .cy)) == [])
  }

  @Test func `removing a missing reaction is a no-op`() {
    Scene.general.when(.reaction(boToOne, .remove("like")), by: .bo).thenNothing()
    Scene.general.and(add("love"), by: .bo).when(.reaction(boToOne, .remove("like")), by: .bo).thenNothing()
  }

  @Test func `a score of 0 is refused`() {
    Scene.general.when(add("like", score: 0), by: .bo).thenRefused(.zeroScore)
  }

  @Test func `reacting for another user is refused`() {
    for actor in [Author.ada, .root, .system] {
      Scene.general.when(add("like"), by: actor).thenRefused(.notYours("bo"))
      Scene.general.when(.reaction(boToOne, .remove("like")), by: actor).thenRefused(.notYours("bo"))
    }
  }

  @Test func `with one reaction per user, another kind replaces the first`() {
    let scene = Scene.general { $0.reactionsPerUser = .one }
      .and(add("like"), by: .bo)
      .when(add("love", score: 2), by: .bo)
      .then(.reaction(boToOne, .removed("like")), .reaction(boToOne, .added("love", score: 2)))
    #expect(totals(scene) == [["love", "1", "2"]])
    scene.when(add("love", score: 3), by: .bo).then(.reaction(boToOne, .added("love", score: 3)))
  }

  @Test func `with one reaction per user now, the next reaction replaces all former ones`() {
    var scene = Scene.general.and(add("like"), add("love"), add("wow"), by: .bo)
    scene.state.rules.reactionsPerUser = .one
    scene.when(add("love"), by: .bo)
      .then(.reaction(boToOne, .removed("like")), .reaction(boToOne, .removed("wow")))
  }

  @Test func `a message is limited in kinds of reactions, not in reactions of a kind`() {
    let scene = Scene.general { $0.limits.reactionKindsMax = 2 }.and(add("like"), add("love"), by: .bo)
    scene.when(add("wow"), by: .bo).thenRefused(.tooLarge(.reactionKinds, count: 3, max: 2))
    scene.when(add("love", by: "cy"), by: .cy)
      .then(.reaction(Reaction.Key(to: .m1, by: "cy"), .added("love", score: 1)))
  }

  @Test func `a replaced kind frees its slot for the next`() {
    let rules: (inout Rules) -> Void = { ($0.limits.reactionKindsMax, $0.reactionsPerUser) = (1, .one) }
    let scene = Scene.general(rules).and(add("like"), by: .bo)
    scene.when(add("love"), by: .bo)
      .then(.reaction(boToOne, .removed("like")), .reaction(boToOne, .added("love", score: 1)))
    scene.and(add("like", by: "cy"), by: .cy)
      .when(add("love"), by: .bo).thenRefused(.tooLarge(.reactionKinds, count: 2, max: 1))
  }

  @Test func `a frozen channel refuses adding and removing reactions`() {
    let scene = Scene.general.and(add("like"), by: .bo).frozen
    scene.when(add("love"), by: .bo).thenRefused(.channelFrozen("general"))
    scene.when(.reaction(boToOne, .remove("like")), by: .bo).thenRefused(.channelFrozen("general"))
  }

  @Test func `with reactions off, existing ones can be removed`() {
    let scene = Scene.general.and(add("like"), by: .bo).configured { $0.off = [.reactions] }
    scene.when(add("love"), by: .bo).thenRefused(.off(.reactions, in: "general"))
    scene.when(.reaction(boToOne, .remove("like")), by: .bo).then(.reaction(boToOne, .removed("like")))
  }

  @Test func `a former member's reaction to their own message is refused`() {
    let (key, bo) = (Reaction.Key(to: .m2, by: "bo"), Member.Key("general", "bo"))
    let scene = Scene.general.and(.reaction(key, .add("like", score: 1)), .member(bo, .leave), by: .bo)
    for intent in [.add("love", score: 1), .remove("like")] as [Reaction.Intent] {
      scene.when(.reaction(key, intent), by: .bo).thenRefused(.notMember(bo))
    }
  }

  @Test func `reacting needs the capability and no ban`() throws {
    let scene = Scene.general { $0.memberCapabilities[.guest] = [.read] }
    scene.when(add("like", by: "gil"), by: .gil).thenRefused(.notAllowed(.react, in: "general"))
    Scene.general.when(add("like", by: "dee"), by: .dee).thenRefused(.notMember(Member.Key("general", "dee")))
    let banned = Scene.general.and(add("like"), by: .bo).banned("bo")
    banned.when(add("love"), by: .bo).thenRefused(.banned(try banned.ban(of: "bo")))
    banned.when(.reaction(boToOne, .remove("like")), by: .bo).then(.reaction(boToOne, .removed("like")))
  }

  @Test func `reactions to deleted, erased and ephemeral messages are refused`() {
    let deleted = Scene.general.and(add("like"), by: .bo).and(.message(.m1, .delete(forGood: false)), by: .ada)
    deleted.when(add("love"), by: .bo).thenRefused(.messageDeleted(.m1))
    deleted.when(.reaction(boToOne, .remove("like")), by: .bo).thenRefused(.messageDeleted(.m1))
    #expect(totals(deleted) == [["like", "1", "1"]])
    let gone = deleted.and(.message(.m1, .delete(forGood: true)), by: .ada)
    gone.when(add("love"), by: .bo).thenRefused(.unknownMessage(.m1))
    #expect(totals(gone) == [])
    Scene.withThird(Message.Content(kind: .ephemeral))
      .when(.reaction(Reaction.Key(to: .m3, by: "bo"), .add("like", score: 1)), by: .bo)
      .thenRefused(.messageIsEphemeral(.m3))
  }

  @Test func `reactions of unknown users and to unknown messages are refused`() {
    let nowhere = Reaction.Key(to: Message.Key("nowhere", "m1"), by: "bo")
    Scene.general.when(.reaction(nowhere, .add("like", score: 1)), by: .bo).thenRefused(.unknownChannel("nowhere"))
    Scene.general.when(add("like", by: "nobody"), by: .user("nobody")).thenRefused(.unknownUser("nobody"))
    Scene.general.when(.reaction(Reaction.Key(to: .none, by: "bo"), .add("like", score: 1)), by: .bo)
      .thenRefused(.unknownMessage(.none))
    Scene.general.and(.channel("general", .delete), by: .ada)
      .when(add("like"), by: .bo).thenRefused(.channelDeleted("general"))
  }
}
