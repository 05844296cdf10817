// Tests against another implementation of Protocol Buffers, Python's, with the same schema.
import Bytes
import Chat
import ChatCodec
import ChatSamples
import ChildProcess
import EventLog
import Foundation
import SeededRandom
import Testing

#if os(Linux)
  /// `Tools/witness` reads a folder with payloads and `types.txt`, whose lines are a file and its type. It encodes each
  /// payload again, to a file that ends in `.again`, and messages of its own, to files that end in `.own`.
  @Suite struct Witness {
    let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "verbatim-\(UInt64.random(in: 0...UInt64.max))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test func `Python encodes every frozen event to the same bytes again, or it is not canonical`() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let fixtures = try Fixture.names.sorted().map { try Fixture($0) }.filter { !$0.type.text.hasPrefix("app/") }
      let again = try ask(fixtures.map { ($0.type.text, $0.payload) })
      for (fixture, bytes) in zip(fixtures, again) where bytes != fixture.payload {
        #expect(throws: UnreadableEvent.self, "\(fixture.type)") { try fixture.decoded() }
      }
    }

    @Test func `Python encodes random events of every kind to the same bytes again`() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      var random = SeededRandom.printingSeed()
      let events = random.events(ofEach: 10).filter { EventKind($0) != .app }
      let stored = events.map { encode($0) }
      let again = try ask(stored.map { ($0.type.text, $0.payload) })
      for (event, (stored, bytes)) in zip(events, zip(stored, again)) {
        #expect(bytes == stored.payload, "\(event)")
      }
    }

    @Test func `Python encodes every kind of intent to the same bytes again`() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      var random = SeededRandom.printingSeed()
      let intents = IntentSample.all.map(\.intent) + random.intents(ofEach: 10)
      let written = intents.map { ChatCodecTests.bytes(of: $0) }
      let again = try ask(written.map { ("intent", $0) })
      for (intent, (bytes, others)) in zip(intents, zip(written, again)) { #expect(bytes == others, "\(intent)") }
    }

    @Test func `messages of Python are decoded to the intended events and intents`() throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      _ = try ask([])
      let stamp = EventOrigin(by: .system, at: Timestamp(rawValue: 0))
      for (name, change) in meant {
        let type = try #require(StoredType(name: Name(String(name.prefix { $0 != "-" }))))
        let payload = try bytes(name + ".own")
        let event = try decode(payload.span.bytes, as: type, in: StreamSubject(of: change), stamp)
        #expect(event.change == change, "\(name)")
      }
      for (name, intent) in wanted {
        let own = try bytes("intent-\(name).own")
        #expect(try decodeIntent(own.span.bytes) == intent, "\(name)")
      }
      let own = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".own") }
      #expect(own.count == meant.count + wanted.count)
    }

    /// Returns the payloads that the witness encoded again.
    private func ask(_ payloads: [(type: String, payload: [UInt8])]) throws -> [[UInt8]] {
      for (number, payload) in payloads.enumerated() {
        try Data(payload.payload).write(to: folder.appending(path: "\(number)"))
      }
      let types = payloads.enumerated().map { "\($0) \($1.type)\n" }.joined()
      try Data(types.utf8).write(to: folder.appending(path: "types.txt"))
      let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
      let process = Process()
      process.executableURL = root.appending(path: "Tools/witness").standardizedFileURL
      process.arguments = [folder.path]
      try process.run()
      try process.waitUntilExit(of: "Tools/witness")
      try #require(process.terminationStatus == 0, "Tools/witness failed: run Tools/setup --checks")
      return try payloads.indices.map { try bytes("\($0).again") }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: folder.appending(path: name)))
    }
  }
#endif

// MARK: What Python's messages mean

private let picture = Attachment(
  "a1", .image, at: .url("https://example.org/a.png"), title: "", byteCount: 0,
  size: Attachment.Size(width: 640, height: 0), duration: Microseconds(rawValue: -1))

private let poll = Attachment("a2", .custom("poll", payload: [0, 255]))

private let extra: Extra = [
  "": .null, "a": .bool(false), "b": .integer(.min), "c": .number(-0.0), "d": .number(.infinity), "e": "",
  "f": .list([.null, 0]), "g": .fields([:]),
]

private let composition = {
  var content = Composition("Hi \u{1F44B}")
  content.mentions = [Mention("bo", at: 3..<5)]
  content.attachments = [
    ComposedAttachment(poll, .failed(.text("offline"))), ComposedAttachment(picture, .uploading(permille: 0)),
  ]
  content.command = ComposedCommand("giphy", target: "bo")
  (content.quoted, content.showsInChannel, content.isSilent, content.extra) = ("m0", true, true, extra)
  return content
}()

private let message = Message.Key("general", "m1")
private let composer = Composer.Key(of: "ada", on: "phone", in: "general")

private let meant: [String: ChatEvent.Change] = [
  "messageSent.1": .message(
    message,
    .sent(
      Message.Content(
        "e\u{301} and \u{0}", mentions: [Mention("bo", at: 0..<0), Mention("cy", at: 200..<500)],
        attachments: [picture, poll], parent: "m0", showsInChannel: true, quoted: "m2", isSilent: true, extra: extra,
        client: "c1", isPending: true))),
  "messageSent.1-custom": .message(message, .sent(Message.Content(kind: .custom("poll")))),
  "messageEdited.1": .message(message, .edited(Message.Edits(text: "", mentions: []))),
  "channelConfigured.1": .channel(
    "general", .configured(ChannelConfig(off: [.typingEvents, .search], messageLengthMax: .max, commands: []))),
  "channelTruncated.1": .channel("general", .truncated(through: Message.Number(rawValue: .max))),
  "userMuted.2": .mute(Mute.Key(by: "ada", of: .user("bo")), .began(.until(Timestamp(rawValue: 0)))),
  "userMuted.1": .mute(Mute.Key(by: "ada", of: .user("bo")), .began(.until(Timestamp(rawValue: -5_000_000)))),
  "draftDeleted.1": .draft(
    Draft.Key(by: "ada", in: "general"), .deleted(.sent, Edit(at: Timestamp(rawValue: .min), on: "phone"))),
  "composerTyped.1": .composer(composer, .typed(Splice(12..<13, to: "h"))),
  "composerFilled.1": .composer(composer, .filled(composition, selection: 5..<5)),
  "composerEntered.1": .composer(composer, .entered(.new, keeping: [.text, .extra])),
  "composerPickerChanged.1": .composer(composer, .pickerChanged(.expanded(.media))),
  "consumerAdvanced.1": .consumer("bot", .advanced(through: .max)),
  "pollOpened.1": .message(
    .init("general", "m1"), .pollOpened([Poll.Option("o", "Yes")], Poll.Rules(votesPerUserMax: 2, isAnonymous: true))),
  "flagsResolved.1": .review(.message(.init("general", "m1")), .resolved(.acted, note: "")),
  "reactionAdded.1": .reaction(Reaction.Key(to: message, by: "bo"), .added("like", score: 3)),
]

private let wanted: [String: ChatIntent] = [
  "user": .user("ada", .create(User.Profile(name: "Ada", image: ""))),
  "device": .device(Device.Key("ada", "phone"), .add(Device.Info(name: "Phone", pushToken: ""))),
  "mute": .mute(Mute.Key(by: "ada", of: .channel("general")), .begin(.until(Timestamp(rawValue: 0)))),
  "ban": .ban(Ban.Key(of: "bo", from: .channel("general")), .impose(.until(Timestamp(rawValue: -1)), reason: "")),
  "flag": .flag(Flag.Key(by: "ada", on: .message(message)), .raise(reason: "rude")),
  "channel": .channel(
    "general",
    .create("team", Channel.Profile(), ChannelConfig(off: [], messageLengthMax: 0), members: ["ada", "bo"])),
  "member": .member(Member.Key("general", "bo"), .markUnread(from: "m1")),
  "message": .message(
    message, .send(Message.Content("Hi", kind: .custom("poll"), parent: "m0", isPending: true))),
  "reaction": .reaction(Reaction.Key(to: message, by: "bo"), .add("like", score: 3)),
  "draft": .draft(
    Draft.Key(by: "ada", in: "general", thread: "m0"), .update(composition, editedAt: Timestamp(rawValue: .min))),
  "composer": .composer(composer, .record([.opened, .typed(Splice(12..<13, to: "h"))])),
  "consumer": .consumer("bot", .begin(after: 0)),
  "later": .scheduled(.init(by: "ada", .init("general", "m1")), .schedule(.init("Hi"), at: .init(rawValue: 5))),
  "app": .app(.app("poll-7"), AppEvent("voted", version: .max, payload: [0, 255])),
]
