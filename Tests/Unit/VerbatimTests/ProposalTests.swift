// Threat: a retry is taken for another submit, or another submit for a retry; or user text traps.
import Bytes
import Chat
import ChatSamples
import SeededRandom
import Testing

@testable import Verbatim

private let hello = ChatIntent.message(Message.Key("general", "m1"), .send(Message.Content("hello")))
private let gone = ChatIntent.user("a", .deactivate)

private var tooDeep: Extra {
  (0...Limits.storedDepthMax).reduce(Extra()) { inner, _ in ["a": .fields(inner)] }
}

private let outside = UTF16Offset(rawValue: -3)..<UTF16Offset(rawValue: 1 << 40)

/// Intents that cannot be stored, and that deciding refuses.
private let refused: [ChatIntent] =
  [
    .user("ada", .change(User.Profile(name: "Ada", extra: tooDeep))),
    .channel("other", .create("team", Channel.Profile(extra: tooDeep), ChannelConfig(), members: [])),
    .channel("general", .change(Channel.Profile(extra: tooDeep))),
    .message(Message.Key("general", "m1"), .send(Message.Content("a", extra: tooDeep))),
    .message(Message.Key("general", "m1"), .send(Message.Content("a", mentions: [Mention("ben", at: outside)]))),
    .message(
      Message.Key("general", "m1"), .send(Message.Content(attachments: [Chat.Attachment("x", .link, extra: tooDeep)]))),
    .message(Message.Key("general", "m0"), .edit(Message.Edits(extra: tooDeep))),
    .message(Message.Key("general", "m0"), .edit(Message.Edits(mentions: [Mention("ben", at: outside)]))),
    .draft(Draft.Key(by: "ada", in: "general"), .update(mentioning, editedAt: Timestamp(rawValue: 1))),
  ] + composerEvents.map { .composer(Composer.Key(of: "ada", on: "phone", in: "general"), .record([$0])) }

private var mentioning: Composition {
  var content = Composition("text")
  content.mentions = [Mention("ben", at: outside)]
  return content
}

private let composerEvents: [Composer.Event] = [
  .filled(mentioning, selection: 0..<0), .filled(Composition("a"), selection: outside),
  .typed(Splice(outside, to: "a")),
  .mentionPicked("ben", Splice(outside, to: "@ben"), length: 4),
  .mentionPicked("ben", Splice(0..<0, to: "@ben"), length: .max),
  .mentionPicked("ben", Splice(0..<0, to: "@ben"), length: .min),
  .replaced(Splice(0..<0, to: "a"), mentions: [Mention("ben", at: outside)], selection: 0..<0),
  .replaced(Splice(0..<0, to: "a"), mentions: [], selection: outside), .selectionMoved(outside),
  .attached(ComposedAttachment(Chat.Attachment("x", .file, extra: tooDeep), .done)),
  .attachmentChanged(Chat.Attachment("x", .file, extra: tooDeep)), .editBegan("m0", mentioning), .extraSet(tooDeep),
  .commandActivated(ComposedCommand("ban"), Splice(outside, to: "")), .commandCleared(Splice(outside, to: "")),
  .sent("m0", keeping: mentioning), .cleared(keeping: mentioning),
]

@Suite struct `The hash of a submission` {
  @Test(
    arguments: [
      (Submission([gone], by: .system), "9432395eee85ccb0"),
      (Submission([], by: .system), "2d06800538d394c2"),
      (Submission([hello], by: .user("ada")), "9999759f05f59cb4"),
      (Submission([hello], by: .user("ada", on: "phone")), "1191db4d69df5db0"),
      (Submission([hello, gone], by: .user("ada"), correlation: "import", cause: .first), "8cfa30c536395a02"),
      (Submission([refused[0], hello], by: .system), "ec3949f4bcbb4131"),
    ])
  func `the hash never changes, since logs contain it`(submission: Submission, hash: String) {
    #expect(submission.proposal.hash.description == hash)
  }

  @Test func `the hash is of the bytes on the page`() {
    let bytes: [UInt8] = [0x2A, 7, 0x0A, 5, 0x0A, 1, 0x61, 0x10, 4]
    #expect(Submission([gone], by: .system).proposal.hash == ProposalHash(of: bytes.span.bytes))
  }

  @Test func `the hash depends on intents, author, correlation and cause, but not on id and expectations`() {
    let one = Submission([hello], by: .user("ada"))
    var others = [
      Submission([], by: .user("ada")), Submission([hello, hello], by: .user("ada")),
      Submission([hello, gone], by: .user("ada")), Submission([gone, hello], by: .user("ada")),
      Submission([hello], by: .system), Submission([hello], by: .user("ada", on: "ada")),
      Submission([hello], by: .user("ada"), correlation: "ada"), Submission([hello], by: .user("ada"), cause: .first),
      Submission([hello], by: .user("ada"), correlation: "ada", cause: .first),
      Submission([hello], by: .user("ada"), cause: .zero), Submission([refused[0]], by: .user("ada")),
    ]
    others.append(one)
    #expect(Set(others.map(\.proposal.hash)).count == others.count)
    let again = Submission([hello], by: .user("ada"), id: AppendID(high: 1, low: 1), expecting: [.init("a", .exists)])
    #expect(again.proposal.hash == one.proposal.hash)
  }

  @Test func `the hashed bytes decode to the submission`() throws {
    var random = SeededRandom.printingSeed()
    let id = AppendID(high: 1, low: 2)
    for intent in random.intents(ofEach: 5) {
      for actor in [Author.system, .user("ada"), .user("ada", on: "phone")] {
        let submission = Submission(
          [intent, hello], by: actor, id: id, correlation: random.bool() ? "why" : nil,
          cause: random.bool() ? Position(rawValue: random.number()) : nil)
        var writer = ByteWriter()
        #expect(submission.write(to: &writer) == nil)
        #expect(try Submission(kept: writer.array().span.bytes, id: id) == submission)
      }
    }
  }
}

@Suite struct `A submission that cannot be stored` {
  @Test func `an unstorable intent is refused with and without an id, also as a retry, and never traps`() async throws {
    let folder = WorkspaceFolder()
    let workspace = try folder.open()
    try await workspace.populate()
    try await workspace.send("zero", "m0")
    let head = try workspace.head()
    for (number, intent) in refused.enumerated() {
      let id = AppendID(high: 9, low: UInt64(number))
      for id in [id, nil, id] {
        for actor in [Author.user("ada", on: "phone"), .system] {
          await #expect("\(intent)") {
            try await workspace.submit(Submission([intent], by: actor, id: id))
          } throws: { ($0 as? SubmitError)?.refusal != nil }
        }
      }
    }
    #expect(try workspace.head() == head)
    await workspace.close()
  }

  @Test func `a retry with an unstorable intent is recognized, and another submit under its id is an error`()
    async throws
  {
    let folder = WorkspaceFolder()
    let workspace = try folder.open()
    try await workspace.populate()
    let content = Message.Content("hello", client: "c1")
    try await workspace.submit(.message(Message.Key("general", "m1"), .send(content)), by: .user("ada"))
    // The author has sent its client id before, so it is a no-op and its content is not checked.
    let again = ChatIntent.message(
      Message.Key("general", "m2"), .send(Message.Content("hello", extra: tooDeep, client: "c1")))
    let wave = ChatIntent.reaction(
      Reaction.Key(to: Message.Key("general", "m1"), by: "ada"), .add("wave", score: 1))
    let id = AppendID(high: 3, low: 3)
    let first = try await workspace.submit([again, wave], by: .user("ada"), id: id)
    #expect(first.receipt != nil)
    #expect(try await workspace.submit([again, wave], by: .user("ada"), id: id) == first)
    await #expect(throws: SubmitError.self) {
      try await workspace.submit([hello, wave], by: .user("ada"), id: id)
    }
    await workspace.close()
  }
}
