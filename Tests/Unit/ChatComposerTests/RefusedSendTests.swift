// Tests of refused sends: each reason, the order of reasons, and the kept content.
import Chat
import ChatComposer
import Testing

/// A reason for a refusal, with the setup that causes it.
private struct Reason: Sendable, CustomTestStringConvertible {
  let name: RecordedFailure.Code
  var configure: @Sendable (inout ChannelConfig) -> Void = { _ in }
  var write: (@MainActor @Sendable (Room) throws -> Void)?
  var change: (@MainActor @Sendable (Room) throws -> Void)?
  var testDescription: String { name.text }

  /// The reasons that can apply to one message together, in order.
  static let all: [Reason] = [
    Reason(name: "tooLong", configure: { $0.messageLengthMax = 5 }),
    Reason(
      name: "uploading", write: { try $0.composer.perform(.attach(Attachment("a", .file, at: .device("a")))) }),
    Reason(
      name: "uploadFailed",
      write: {
        try $0.composer.perform(.attach(Attachment("b", .file, at: .device("b"))))
        try $0.composer.perform(.upload("b", .failed(.text("lost"))))
      }),
    Reason(name: "frozen", change: { try $0.chat.submit([.channel("general", .freeze)], by: .user("cleo")) }),
    Reason(
      name: "banned",
      change: {
        try $0.chat.submit(
          [.ban(Ban.Key(of: "ada", from: .channel("general")), .impose(.endless, reason: nil))], by: .user("cleo"))
      }),
    Reason(
      name: "notAllowed",
      change: {
        try $0.chat.submit([.member(Member.Key("general", "ada"), .remove)], by: .user("cleo"))
      }),
    Reason(
      name: "coolingDown", configure: { $0.slowMode = 30 },
      change: { _ = try $0.say(Message.Content("first")) }),
    Reason(name: "unknownCommand", write: { try $0.type("/foo and more") }),
  ]
}

@MainActor
struct RefusedSends {
  /// Returns a room in which a message has the given reasons to be refused.
  private func room(_ reasons: [Reason]) async throws -> Room {
    var config = ChannelConfig()
    for reason in reasons { reason.configure(&config) }
    let room = try await Room(as: .member) { $0.refusesUnknownCommands = true }
    for reason in reasons { try reason.write?(room) }
    if room.text.isEmpty { try room.type("Hello there") }
    // A message is sent before sending is restricted, while slow mode is still off.
    for reason in reasons where reason.name == "coolingDown" { try reason.change?(room) }
    if config != ChannelConfig() { try await room.configure(config) }
    for reason in reasons where reason.name != "coolingDown" { try reason.change?(room) }
    await until { room.composer.refusal != nil }
    await everybodyElse()
    return room
  }

  @Test(arguments: Reason.all.indices, Reason.all.indices)
  func `of two refusals the earlier is returned, and all content stays`(first: Int, second: Int) async throws {
    // An attachment has either a pending or a failed upload; the first attachment decides.
    guard first <= second else { return }
    let reasons = first == second ? [Reason.all[first]] : [Reason.all[first], Reason.all[second]]
    let room = try await room(reasons)
    let (before, selection) = (room.content, room.composer.composer.selection)
    let told = room.composer.refusal
    #expect(told?.code == reasons[0].name)
    #expect(!room.composer.canSend && !room.composer.presentation.canSend)
    #expect(room.composer.presentation.refusal == told)
    #expect(await room.refused() == told)
    #expect(room.composer.notice == told.map { .notSent($0) })
    #expect((room.content, room.composer.composer.selection) == (before, selection))
    #expect(room.done.last == told?.event)
  }

  @Test func `an empty composer is refused as empty before any other reason`() async throws {
    let room = try await Room(ChannelConfig(slowMode: 30))
    try room.chat.submit([.channel("general", .freeze)], by: .user("ada"))
    for text in ["", " \n\t\u{3000}"] {
      try room.composer.perform(.setText(text))
      #expect(room.composer.refusal == .empty)
      #expect(!room.composer.presentation.hasContent)
      #expect(await room.refused() == .empty)
      #expect(room.text == text)
    }
  }

  @Test func `a too long text is refused with both numbers, counted in characters of the trimmed text`() async throws {
    let room = try await Room(ChannelConfig(messageLengthMax: 3))
    try room.composer.perform(.paste("  👩‍👩‍👧‍👦é€  "))
    #expect(room.composer.canSend)
    try room.composer.perform(.paste("x"))
    #expect(room.composer.refusal == .tooLong(count: 6, max: 3))
  }

  @Test(arguments: ["@", "/", "@ ", "/\n", "/ foo"]) func `a lone symbol is sent`(text: String) async throws {
    let room = try await Room { $0.refusesUnknownCommands = true }
    try room.type(text)
    try await room.composer.send()
    #expect(room.said.map(\.text) == [UserText(text).trimmed.text])
  }

  @Test func `an unknown command is text, unless the app refuses it`() async throws {
    let room = try await Room()
    try room.type("/giphyfoo bar")
    try await room.composer.send()
    #expect(room.said.map(\.text) == ["/giphyfoo bar"])
    let strict = try await Room { $0.refusesUnknownCommands = true }
    try strict.type("/giphyfoo bar")
    #expect(await strict.refused() == .unknownCommand("/giphyfoo"))
  }

  @Test func `each part that needs a capability or a flag is refused without it`() async throws {
    let room = try await Room(as: .member)
    let quoted = try room.say(Message.Content("What?"), as: "cleo")
    try room.type("www.swift.org ")
    try room.chat.submit([.member(Member.Key("general", "ada"), .changeRole(.guest))], by: .user("cleo"))
    await until { room.composer.refusal == .notAllowed(.sendLinks) }
    try room.composer.perform(.attach(Attachment("a", .file, at: .url("u"))))
    #expect(room.composer.refusal == .notAllowed(.upload))
    try room.composer.perform(.quote(quoted.key.id))
    try await room.configure(ChannelConfig(off: [.uploads, .quotes]))
    #expect(await room.refused() == .off(.quotes))
    try room.composer.perform(.stopQuoting)
    #expect(await room.refused() == .off(.uploads))
    try room.composer.perform(.detach("a"))
    try room.composer.perform(.setText("plain"))
    #expect(room.composer.canSend)
  }

  @Test func `a reply is refused if replies are switched off`() async throws {
    let room = try await Room(ChannelConfig(off: [.replies]), thread: nil)
    _ = try room.say(Message.Content("What?"), as: "cleo", id: "what")
    let reply = room.chat.composer(Composer.Key(of: "ada", on: "phone", in: "general", thread: "what"))
    try await reply.open()
    try reply.perform(.type("That"))
    #expect(reply.refusal == .off(.replies))
  }
}
