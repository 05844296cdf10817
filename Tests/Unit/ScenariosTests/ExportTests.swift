// Threat: a copied scenario that does not show what happened.
import Chat
import ChatCodec
import EventLog
import Foundation
import Testing
import Verbatim

@testable import Scenarios

struct `A scenario of what happened` {
  /// The scenarios whose first line changes rules, suggestions or commands, which a log does not have.
  private static let withOwnRules = [
    "composer/commands-busy", "composer/commands-own", "composer/commands-refused", "composer/limits", "composer/roles",
    "composer/symbols", "composer/symbols-apart", "composer/symbols-off",
  ]

  @Test(.serialized, arguments: Fixture.all.filter { !withOwnRules.contains($0.name) })
  func `reproduces the messages and the composers of a channel`(fixture: Fixture) async throws {
    guard let channel = fixture.scenario.settings.channels.first?.id else { return }
    let name = "verbatim-\(UInt64.random(in: 0 ... .max))"
    let path = FileManager.default.temporaryDirectory.appending(path: name).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try await fixture.scenario.play(in: path)
    let workspace = try Workspace.open(at: path, creates: false)
    let text = try await exported(workspace, channel, isDrafting: fixture.scenario.settings.keepsDrafts)
    await workspace.close()
    let report = try await played(try Scenario(text.utf8))
    #expect(report.mismatches.map { "\($0)" } == [], "\(fixture)\n\(text)")
  }

  // What broke: the line that made the channel public again reset its configuration, and there was none that ended it.
  @Test(arguments: [true, false])
  func `reproduces the configuration of a channel that was made public`(isPublic: Bool) async throws {
    let config = ChannelConfig(off: [.quotes], messageLengthMax: 70, slowMode: 9, isPublic: isPublic)
    let paths = (0..<2).map { _ in
      FileManager.default.temporaryDirectory.appending(path: "verbatim-\(UInt64.random(in: 0 ... .max))").path
    }
    defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
    let workspace = try Workspace.open(at: paths[0])
    let ada = workspace.client(user: "ada")
    try await ada.me.create(name: "Ada")
    try await ada.channel("general").create("team")
    try await ada.channel("general").configure(ChannelConfig(isPublic: true))
    try await ada.channel("general").configure(config)
    let text = try await exported(workspace, "general", isDrafting: false)
    await workspace.close()
    _ = try await Scenario(text.utf8).play(in: paths[1])
    let copy = try Workspace.open(at: paths[1], creates: false)
    let played = try await copy.read { try $0.chat.channel("general")?.config }
    #expect(played == config, "\(text)")
    await copy.close()
  }

  // What broke: the lift was that of a ban of the channel, and only administrators ban everywhere.
  @Test func `reproduces a ban from everywhere and its lift`() async throws {
    let key = Ban.Key(of: "ben", from: .everywhere)
    let text = exported([
      ("root", [.ban(key, .imposed(.endless, reason: "spam"))]), ("root", [.ban(key, .lifted)]),
      ("ben", [.message(Message.Key("general", "m1"), .sent(Message.Content("back")))]),
    ])
    let (report, kept) = try await playedAndKept(try Scenario(text.utf8))
    #expect(report.mismatches.map { "\($0)" } == [], "\(text)")
    let changes = try kept.events.map { try decode($0).change }
    #expect(changes.contains(.ban(key, .imposed(.endless, reason: "spam"))) && changes.contains(.ban(key, .lifted)))
    #expect(try state(of: kept)[Message.Key("general", "m1")] != nil)
  }

  // What broke: messages were numbered from the last one shown before, so that more than the truncated ones were gone.
  @Test func `truncates through the message that was truncated last, where numbers begin behind a reply`() {
    let content = Message.Content("before")
    let before = Message(
      key: Message.Key("general", "m40"), author: "ada", content: content, number: Message.Number(rawValue: 40),
      sent: Self.instant(0), delivery: .settled)
    var export = ScenarioExport(of: "general")
    export.begin(
      at: Self.instant(1), members: [], messages: [before], newest: Message.Number(rawValue: 41), composers: [])
    let changes: [ChatEvent.Change] = [
      .message(Message.Key("general", "m42"), .sent(Message.Content("first"))),
      .message(Message.Key("general", "m43"), .sent(Message.Content("second"))),
      .channel("general", .truncated(through: Message.Number(rawValue: 42))),
    ]
    for (number, change) in changes.enumerated() {
      let origin = EventOrigin(by: .user("ada"), at: Self.instant(1 + number))
      export.add(ChatEvent(change, origin), of: AppendID(high: 0, low: UInt64(number)))
    }
    let text = export.text(title: "truncated", keepsDrafts: false, seen: nil, by: "ada") { _ in nil }
    #expect(text.contains(#""truncate":"m42""#), "\(text)")
  }

  // What broke: parts of content that lines do not have were dropped without a note, and a scheduled reply was sent in
  // the channel.
  @Test(arguments: WrittenContent.all)
  func `reproduces the content of a message, or notes that it cannot be expressed`(
    written: WrittenContent
  ) async throws {
    let text = exported([("ben", [WrittenContent.question])] + written.appends, isDrafting: true)
    let (report, kept) = try await playedAndKept(try Scenario(text.utf8))
    #expect(report.mismatches.map { "\($0)" } == [], "\(text)")
    #expect(text.contains(#"{"note":"#) == written.isNoted, "\(text)")
    guard let content = written.content else { return }
    let played = try state(of: kept)[Message.Key("general", "m2")]?.content
    #expect(played == content, "\(text)")
  }

  /// Returns the scenario of appends in a new channel of Ada and Ben, each ten seconds after the one before.
  private func exported(_ appends: [(User.ID, [ChatEvent.Change])], isDrafting: Bool = false) -> String {
    let creation: [ChatEvent.Change] = [
      .channel("general", .created("team", Channel.Profile(), ChannelConfig())),
      .member(Member.Key("general", "ada"), .added(.owner)), .member(Member.Key("general", "ben"), .added(.member)),
    ]
    let all: [(User.ID, [ChatEvent.Change])] = [("ada", creation)] + appends
    var export = ScenarioExport(of: "general")
    for (number, (author, changes)) in all.enumerated() {
      let origin = EventOrigin(by: .user(author), at: Self.instant(number))
      for change in changes { export.add(ChatEvent(change, origin), of: AppendID(high: 0, low: UInt64(number))) }
    }
    return export.text(title: "written", keepsDrafts: isDrafting, seen: nil, by: "ada") { _ in nil }
  }

  private static func instant(_ number: Int) -> Timestamp {
    Timestamp(rawValue: 1_767_225_600_000_000 + Int64(number) * 10_000_000)
  }

  /// Returns the chat state of a played scenario.
  private func state(of kept: Kept) throws -> InMemoryChatState {
    var state = InMemoryChatState()
    for event in kept.events { fold(try decode(event), into: &state) }
    return state
  }

  private func exported(
    _ workspace: Workspace, _ channel: Channel.ID, isDrafting: Bool
  ) async throws -> String {
    var export = ScenarioExport(of: channel)
    for event in try workspace.store.events(from: .first, limit: 100_000) {
      export.add(try decode(event), of: event.append)
    }
    let events = export
    return try await workspace.read { reading in
      var export = events
      let isThere = try reading.chat.channel(channel) != nil
      let seen = isThere ? try reading.chat.messages(in: channel, limit: 100).messages : nil
      return try export.text(title: "copied", keepsDrafts: isDrafting, seen: seen, by: "ada") { user in
        try reading.chat.user(user)?.profile.name.string
      }
    }
  }
}

/// Appends of Ada's after a message of Ben's, and what a scenario of them has.
struct WrittenContent: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let appends: [(User.ID, [ChatEvent.Change])]
  /// The content that the message `m2` has in the end; nil where it is not that of the scenario.
  let content: Message.Content?
  let isNoted: Bool

  init(_ name: String, _ appends: [[ChatEvent.Change]], content: Message.Content? = nil, isNoted: Bool) {
    (testDescription, self.content, self.isNoted) = (name, content, isNoted)
    self.appends = appends.map { ("ada", $0) }
  }

  private static let file = Attachment("a1", .file, at: .url("https://example.com/a"), title: "a.txt")
  private static let plain = Message.Content("Answer")
  private static let reply = Message.Content(
    "Answer", mentions: [Mention("ben", at: 0..<6)], parent: "m1", quoted: "m1")
  private static let pollReply = Message.Content("Which?", parent: "m1")

  /// The message of Ben's, `m1`.
  static let question = event("m1", .sent(Message.Content("Question?", attachments: [file])))

  private static func event(_ id: Message.ID, _ event: Message.Event) -> ChatEvent.Change {
    .message(Message.Key("general", id), event)
  }

  private static func sent(_ content: Message.Content) -> ChatEvent.Change { event("m2", .sent(content)) }

  private static func forwarded(from channel: Channel.ID) -> Message.Content {
    var content = Message.Content("Question?", attachments: [file])
    content.forwarded = Message.Forwarded(Message.Key(channel, "m1"), by: "ben")
    return content
  }

  /// Returns the appends that schedule a message and deliver it, which are the third and the fourth of the channel.
  private static func scheduled(_ content: Message.Content) -> [[ChatEvent.Change]] {
    let key = ScheduledMessage.Key(by: "ada", Message.Key("general", "m2"))
    let at = Timestamp(rawValue: 1_767_225_600_000_000 + 30_000_000)
    return [[.scheduled(key, .scheduled(content, at: at))], [sent(content), .scheduled(key, .delivered)]]
  }

  private static let picture = Message.Content(
    "See",
    attachments: [
      Attachment("a2", .image, at: .url("https://example.com/b"), size: Attachment.Size(width: 4, height: 3))
    ])

  private static let draft: ChatEvent.Change = {
    var content = Composition("Answer")
    content.quoted = "m1"
    let edit = Edit(at: Timestamp(rawValue: 1_767_225_600_000_000), on: "phone")
    return .draft(Draft.Key(by: "ada", in: "general"), .updated(content, edit))
  }()

  private static let poll = event(
    "m2", .pollOpened([Poll.Option("1", "This"), Poll.Option("2", "That")], Poll.Rules()))
  private static let attaching = event("m2", .edited(Message.Edits(attachments: [file])))
  private static let mentioning = event(
    "m2", .edited(Message.Edits(text: "@Ben", mentions: [Mention("ben", at: 0..<4)])))
  private static let asking = event("m1", .edited(Message.Edits(text: "Any question?")))
  private static let reaction = ChatEvent.Change.reaction(
    Reaction.Key(to: Message.Key("general", "m1"), by: "ada"), .added("like", score: 3))

  static let all: [WrittenContent] = [
    WrittenContent("a scheduled text", scheduled(plain), content: plain, isNoted: false),
    WrittenContent("a scheduled reply", scheduled(reply), content: reply, isNoted: true),
    WrittenContent(
      "a forwarded message", [[sent(forwarded(from: "general"))]], content: forwarded(from: "general"), isNoted: false),
    WrittenContent("a message of another channel", [[sent(forwarded(from: "random"))]], isNoted: true),
    WrittenContent("a forwarded message, edited since", [[asking], [sent(forwarded(from: "general"))]], isNoted: true),
    WrittenContent("a poll in a thread", [[sent(pollReply), poll]], content: pollReply, isNoted: false),
    WrittenContent("a picture with its size", [[sent(picture)]], isNoted: true),
    WrittenContent("an edit of attachments", [[sent(plain)], [attaching]], isNoted: true),
    WrittenContent("an edit of mentions", [[sent(plain)], [mentioning]], isNoted: true),
    WrittenContent("a strong reaction", [[reaction]], isNoted: true),
    WrittenContent("a draft with a quote", [[draft]], isNoted: true),
  ]
}
