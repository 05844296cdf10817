// Tests of refusals: each is one true sentence that says what failed and what to do.
import Chat
import Testing

struct Refusals {
  static let ban = Scene.general.and(.ban(Ban.Key(of: "bo", from: .everywhere), .impose(.endless, reason: nil)))
    .state[Ban.Key(of: "bo", from: .everywhere)]!
  static let key = Member.Key("general", "bo")

  static let refusals: [Refusal] =
    [
      .unknownUser("bo"), .userExists("bo"), .userDeactivated("bo"), .notAdministrator, .notYours("bo"), .oneself,
      .unknownChannel("general"), .channelExists("general"), .channelDeleted("general"), .channelFrozen("general"),
      .notMember(key), .memberExists(key), .banned(ban), .outranked(by: "bo"), .roleTooHigh(.owner),
      .unknownRole("captain"), .coolingDown(until: .start), .unknownMessage(.m1), .messageExists(.m1),
      .messageDeleted(.m1), .messageIsEphemeral(.m1), .notEphemeral(.m1), .notAwaited(.m1, .settled),
      .notAwaited(.m1, .pending), .notAwaited(.m1, .failed(reason: "no room")), .parentIsReply(.m1),
      .emptyMessage, .mentionMisplaced(Mention("bo", at: 1..<2)), .attachmentTwice("a"), .notUploaded("a"), .zeroScore,
      .alreadyOver(.start), .notComposable(Composer.Key(of: "bo", on: "phone", in: "general")), .commandRuns("c"),
      .commandEnded("c"), .zeroVersion("waved"), .reservedAppEvent("verbatim.waved"), .unknownConsumer("bot"),
      .reservedUser("@here"), .notInvited(key), .directChannel("general"), .otherMembers("general"), .blocked(by: "bo"),
      .blocking("bo"),
      .messageIsForwarded(.m1), .notReply(.m1, to: "m0"), .pollExists(.m1), .noPoll(.m1), .pollClosed(.m1),
      .fewOptions(.m1), .optionTwice("o"), .unknownOption("o", in: .m1), .noFlags(.message(.m1)), .noFlags(.user("bo")),
      .claimed(by: .user("bo", on: "phone")), .claimed(by: .system),
    ] + ChannelFlag.allCases.map { .off($0, in: "general") }
    + Capability.allCases.map { .notAllowed($0, in: "general") }
    + limits.flatMap { limit in [0, 1].map { .tooLarge(limit, count: $0 + 1, max: $0) } }

  static let limits: [Refusal.Limit] = [
    .messageLength, .textByteCount, .extraByteCount, .extraDepth, .membersPerAdd, .nameLength, .lineByteCount,
    .attachments, .attachmentByteCount, .uploadByteCount("a"), .mentions, .reactionKinds, .pollOptions, .votes,
    .compositionByteCount,
    .payloadByteCount,
  ]

  @Test(arguments: refusals)
  func `a refusal is one sentence that says what failed and what to do`(refusal: Refusal) {
    let words = refusal.description
    #expect(words.first?.isUppercase == true || words.hasPrefix("bo "))
    #expect(words.hasSuffix(".") && !words.hasSuffix("..") && words.contains(": "))
    #expect(!words.contains("  ") && !words.contains("Optional") && !words.contains("Chat.") && !words.contains("("))
    #expect(words.count < 200)
  }

  @Test func `the descriptions of refusals are unique`() {
    #expect(Set(Self.refusals.map(\.description)).count == Self.refusals.count)
  }

  @Test func `a count of one and of many has the same sentence`() {
    #expect(
      Refusal.tooLarge(.attachments, count: 1, max: 0).description
        == "The number of attachments is 1, and at most 0 is allowed: give fewer, or raise the limit.")
    #expect(
      Refusal.tooLarge(.nameLength, count: 300, max: 256).description
        == "The number of characters in the name is 300, and at most 256 is allowed: give fewer, or raise the limit.")
  }

  @Test func `a permanent ban does not suggest waiting`() throws {
    #expect(Refusal.banned(Self.ban).description == "bo is banned everywhere permanently: have the ban lifted.")
    let key = Ban.Key(of: "bo", from: .channel("general"))
    let ban = try #require(Scene.general.and(.ban(key, .impose(.until(.start.plus(60)), reason: nil))).state[key])
    #expect(
      Refusal.banned(ban).description
        == "bo is banned in general until 2023-11-14T22:14:20.000000Z: wait, or have the ban lifted.")
  }

  @Test func `an end that is now counts as past`() {
    #expect(
      Refusal.alreadyOver(.start).description
        == "The end, 2023-11-14T22:13:20.000000Z, is in the past: give a later one, or none.")
  }

  @Test func `the refusals compare capabilities, not ranks`() {
    #expect(
      Refusal.outranked(by: "bo").description
        == "bo has a capability here that the actor lacks: ask a user who has it.")
    #expect(
      Refusal.roleTooHigh(.owner).description
        == "The role owner has a capability that the actor lacks: choose a lower role.")
  }
}
