// A sample of every shape: the events of `Fixtures/events`.
import Chat
import ChatCodec

/// An event and the name of its fixture.
struct Sample: Sendable {
  /// The name of the fixture without its extension, for example `messageSent/1-full`.
  let fixture: String
  /// The change of the event.
  let change: ChatEvent.Change
  /// The author and time of the event.
  let stamp: EventOrigin
  /// The frozen payload of a retired shape, which is no longer written.
  let retired: [UInt8]?

  init(_ fixture: String, _ change: ChatEvent.Change, by actor: Author = .system, retired: [UInt8]? = nil) {
    (self.fixture, self.change, self.retired) = (fixture, change, retired)
    stamp = EventOrigin(by: actor, at: Timestamp(rawValue: 1_767_225_600_000_000))
  }

  /// The event of the sample.
  var event: ChatEvent { ChatEvent(change, stamp) }

  /// The shape in the fixture's name; nil for an app's event.
  var shape: Shape? {
    let parts = fixture.split(separator: "/")
    return Shape(rawValue: "\(parts[0]).\(parts[1].prefix { $0 != "-" })")
  }

  /// All samples.
  static let all =
    users + channels + members + messages + drafts + composers + laterComposers + consumers + apps
    + joining + later
}

/// Values shared by samples.
enum Part {
  static let extra: Extra = [
    "colour": "green", "counts": .list([1, -2, .list([]), .null]), "empty": .fields([:]), "half": 0.5,
    "inner": .fields(["a": .bool(false), "b": .bool(true), "text": ""]), "nothing": .null, "zero": 0,
  ]

  static let later = Timestamp(rawValue: 1_767_229_200_000_001)

  static let picture = Attachment(
    "a1", .image, at: .url("https://example.com/a.png"), title: "A tree", summary: "Seen from below",
    thumbnail: "https://example.com/a-small.png", mimeType: "image/png", byteCount: 204_800,
    size: Attachment.Size(width: 640, height: 480), duration: Microseconds(rawValue: 40_000), extra: ["alt": "an oak"])

  static let attachments: [Attachment] = [
    picture,
    Attachment("a2", .video, at: .url("https://example.com/v"), duration: Microseconds(rawValue: 1_500_000)),
    Attachment("a3", .file, at: .device("file:///a"), byteCount: 0),
    Attachment("a4", .audio, at: .url(""), duration: Microseconds(rawValue: -1)),
    Attachment("a5", .link, title: ""), Attachment("a6", .giphy, size: Attachment.Size(width: 0, height: 1)),
    Attachment("a7", .custom("poll", payload: [0, 1, 255])), Attachment("a8", .custom("none", payload: [])),
  ]

  static let content = Message.Content(
    "Héllo @Ada and @Bob", kind: .custom("poll"), mentions: [Mention("ada", at: 6..<10), Mention("bob", at: 15..<19)],
    attachments: attachments, parent: "m0", showsInChannel: true, quoted: "m-1", isSilent: true, extra: extra,
    client: "c1", isPending: true)

  static let composition = {
    var content = Composition("Héllo @Ada 👋")
    content.mentions = [Mention("ada", at: 6..<10)]
    content.attachments = [
      ComposedAttachment(picture, .done), ComposedAttachment(Attachment("a2", .file), .local),
      ComposedAttachment(Attachment("a3", .file), .uploading(permille: 0)),
      ComposedAttachment(Attachment("a4", .file), .uploading(permille: 512)),
      ComposedAttachment(Attachment("a5", .file), .failed(.text("offline"))),
    ]
    content.command = ComposedCommand("ban", target: "bob")
    content.quoted = "m1"
    (content.showsInChannel, content.isSilent, content.extra) = (true, true, extra)
    content.dismissedPreviews = ["https://example.com", ""]
    return content
  }()

  /// A failure that is more than a text.
  static let failure = RecordedFailure("acme.quota", ["max": 5, "reason": "5 files a day", "until": .null])

  /// A composition that only version 2 of a shape stores.
  static let failedComposition = {
    var content = composition
    content.attachments.append(ComposedAttachment(Attachment("a6", .file), .failed(failure)))
    return content
  }()
}

extension Sample {
  static let user = Author.user("ada", on: "phone")

  static let users: [Sample] = [
    Sample(
      "userCreated/1-full", .user("ada", .created(User.Profile(name: "Ada", image: "i", extra: Part.extra), .user)),
      by: user),
    Sample("userCreated/1-bare", .user("ada", .created(User.Profile(name: ""), "x"))),
    Sample("userChanged/1", .user("ada", .changed(User.Profile(name: "Ada L.", image: "")))),
    Sample("userRoleChanged/1", .user("ada", .roleChanged(.admin))),
    Sample("userDeactivated/1", .user("ada", .deactivated)),
    Sample("userReactivated/1", .user("ada", .reactivated)),
    Sample(
      "deviceAdded/1-full",
      .device(
        Device.Key("ada", "phone"), .added(Device.Info(name: "Phone", pushService: "apns", pushToken: "00ff")))),
    Sample("deviceAdded/1-bare", .device(Device.Key("ada", "phone"), .added(Device.Info(name: "")))),
    Sample("deviceRemoved/1", .device(Device.Key("ada", "phone"), .removed)),
    Sample(
      "userMuted/1-full",
      .mute(Mute.Key(by: "ada", of: .user("bob")), .began(.until(Timestamp(rawValue: 1_767_229_200_000_000)))),
      by: user,
      retired: [0x0A, 3] + Array("bob".utf8) + [0x10, 0x90, 0x8E, 0xD7, 0xCA, 0x06]),
    Sample(
      "userMuted/1-bare", .mute(Mute.Key(by: "ada", of: .user("bob")), .began(.endless)),
      retired: [0x0A, 3] + Array("bob".utf8)),
    Sample("userMuted/2-full", .mute(Mute.Key(by: "ada", of: .user("bob")), .began(.until(Part.later))), by: user),
    Sample("userMuted/2-bare", .mute(Mute.Key(by: "ada", of: .user("bob")), .began(.endless))),
    Sample("userUnmuted/1", .mute(Mute.Key(by: "ada", of: .user("bob")), .ended)),
    Sample("channelMuted/1-full", .mute(Mute.Key(by: "ada", of: .channel("general")), .began(.until(Part.later)))),
    Sample("channelMuted/1-bare", .mute(Mute.Key(by: "ada", of: .channel("general")), .began(.endless))),
    Sample("channelUnmuted/1", .mute(Mute.Key(by: "ada", of: .channel("general")), .ended)),
    Sample(
      "userBanned/1-full", .ban(Ban.Key(of: "bob", from: .everywhere), .imposed(.until(Part.later), reason: "spam"))),
    Sample("userBanned/1-bare", .ban(Ban.Key(of: "bob", from: .everywhere), .imposed(.endless, reason: nil))),
    Sample("userUnbanned/1", .ban(Ban.Key(of: "bob", from: .everywhere), .lifted)),
    Sample("userFlagged/1-full", .flag(Flag.Key(by: "ada", on: .user("bob")), .raised(reason: "spam")), by: user),
    Sample("userFlagged/1-bare", .flag(Flag.Key(by: "ada", on: .user("bob")), .raised(reason: nil))),
    Sample("channelHidden/1", .member(Member.Key("general", "ada"), .hidden), by: user),
    Sample("channelShown/1", .member(Member.Key("general", "ada"), .shown), by: user),
  ]

  static let channels: [Sample] = [
    Sample(
      "channelCreated/1-full",
      .channel(
        "general",
        .created(
          "team", Channel.Profile(name: "General", image: "i", extra: Part.extra),
          ChannelConfig(
            off: [.readEvents, .quotes, .search], messageLengthMax: 280, slowMode: 30, commands: ["ban", "giphy"]))),
      by: user),
    Sample(
      "channelCreated/1-bare",
      .channel("general", .created("team", Channel.Profile(), ChannelConfig(messageLengthMax: 0)))),
    Sample("channelChanged/1", .channel("general", .changed(Channel.Profile(name: "Everyone", extra: ["a": 1])))),
    Sample("channelConfigured/1", .channel("general", .configured(ChannelConfig(off: .all, commands: [])))),
    Sample("slowModeSet/1-full", .channel("general", .slowModeSet(30))),
    Sample("slowModeSet/1-bare", .channel("general", .slowModeSet(0))),
    Sample("channelFrozen/1", .channel("general", .frozen)),
    Sample("channelUnfrozen/1", .channel("general", .unfrozen)),
    Sample("channelTruncated/1", .channel("general", .truncated(through: Message.Number(rawValue: 300)))),
    Sample("channelDeleted/1", .channel("general", .deleted)),
  ]

  static let members: [Sample] = [
    Sample("memberAdded/1", .member(Member.Key("general", "ada"), .added(.owner)), by: user),
    Sample("memberRemoved/1", .member(Member.Key("general", "ada"), .removed)),
    Sample("memberLeft/1", .member(Member.Key("general", "ada"), .left), by: .user("ada")),
    Sample("memberRoleChanged/1", .member(Member.Key("general", "ada"), .roleChanged(.moderator))),
    Sample("memberRead/1", .member(Member.Key("general", "ada"), .read(through: "m1")), by: user),
    Sample("memberReceived/1", .member(Member.Key("general", "ada"), .received(through: "m1")), by: user),
    Sample("memberMarkedUnread/1", .member(Member.Key("general", "ada"), .markedUnread(from: "m1")), by: user),
    Sample(
      "memberBanned/1-full",
      .ban(Ban.Key(of: "bob", from: .channel("general")), .imposed(.until(Part.later), reason: "spam")), by: user),
    Sample("memberBanned/1-bare", .ban(Ban.Key(of: "bob", from: .channel("general")), .imposed(.endless, reason: nil))),
    Sample("memberUnbanned/1", .ban(Ban.Key(of: "bob", from: .channel("general")), .lifted)),
  ]
}
