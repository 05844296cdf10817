// Tests that intents that differ in any part have different bytes: a hash of an intent identifies it alone.
import Chat
import ChatCodec
import ChatSamples
import SeededRandom
import Testing

struct `Different intents` {
  @Test func `the bytes of samples are unique`() { expectDistinct(IntentSample.all.map(\.intent)) }

  @Test func `random intents of every kind have the same bytes only if they are equal`() {
    var random = SeededRandom.printingSeed()
    expectDistinct(random.intents(ofEach: 60))
  }

  /// All values are drawn from few names, so that many of the pairs differ in one part only.
  @Test func `an intent with another key has other bytes`() {
    var random = SeededRandom.printingSeed()
    for kind in IntentKind.allCases {
      let intents = (0..<30).map { _ in random.intent(of: kind) }
      expectDistinct(intents.flatMap { intent in (0..<30).map { _ in random.moved(intent) } })
    }
  }

  @Test func `an intent with one part changed has other bytes`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<60 {
      let (user, channel) = (User.ID("ada"), Channel.ID("general"))
      let message = Message.Key(channel, "m1")
      expectDistinct(random.changed(random.content(), contentChanges).map { .message(message, .send($0)) })
      expectDistinct(random.changed(random.edits(), editChanges).map { .message(message, .edit($0)) })
      expectDistinct(
        random.changed(random.attachment(), attachmentChanges).map { .message(message, .shuffleEphemeral([$0])) })
      expectDistinct(
        random.changed(random.composition(), compositionChanges).map {
          .draft(Draft.Key(by: user, in: channel), .update($0, editedAt: Part.later))
        })
      expectDistinct(random.changed(random.userProfile(), userChanges).map { .user(user, .create($0)) })
      expectDistinct(random.changed(random.channelProfile(), channelChanges).map { .channel(channel, .change($0)) })
      expectDistinct(random.changed(random.channelConfig(), configChanges).map { .channel(channel, .configure($0)) })
      expectDistinct(random.changed(random.deviceInfo(), infoChanges).map { .device(Device.Key(user, "d"), .add($0)) })
    }
  }

  /// Parameters that are not nested messages.
  @Test func `an intent with one parameter changed has other bytes`() {
    let (channel, ban) = (Channel.ID("general"), Ban.Key(of: "bob", from: .everywhere))
    let (draft, reaction) = (Draft.Key(by: "ada", in: channel), Reaction.Key(to: Message.Key(channel, "m"), by: "a"))
    let (zero, profile, config) = (Timestamp(rawValue: 0), Channel.Profile(name: "G"), ChannelConfig())
    expectDistinct([
      .ban(ban, .impose(.endless, reason: nil)), .ban(ban, .impose(.endless, reason: "")),
      .ban(ban, .impose(.endless, reason: "a")), .ban(ban, .impose(.until(zero), reason: nil)),
      .ban(ban, .impose(.until(zero), reason: "")), .ban(ban, .impose(.until(Part.later), reason: "a")),
      .channel(channel, .create("a", profile, config, members: [])),
      .channel(channel, .create("b", profile, config, members: [])),
      .channel(channel, .create("a", Channel.Profile(), config, members: [])),
      .channel(channel, .create("a", profile, ChannelConfig(slowMode: 1), members: [])),
      .channel(channel, .create("a", profile, config, members: ["a"])),
      .channel(channel, .create("a", profile, config, members: ["a", "b"])),
      .channel(channel, .create("a", profile, config, members: ["b", "a"])),
      .channel(channel, .create("a", profile, config, members: ["ab"])),
      .channel(channel, .truncate(through: nil)), .channel(channel, .truncate(through: "m")),
      .draft(draft, .update(Composition(), editedAt: zero)),
      .draft(draft, .update(Composition(), editedAt: Part.later)),
      .draft(draft, .delete(.cleared, editedAt: zero)), .draft(draft, .delete(.cleared, editedAt: Part.later)),
      .draft(draft, .delete(.sent, editedAt: zero)),
      .reaction(reaction, .add("a", score: 0)), .reaction(reaction, .add("a", score: 1)),
      .reaction(reaction, .add("b", score: 1)), .reaction(reaction, .remove("a")), .reaction(reaction, .remove("b")),
      .app(.app("a"), AppEvent("n", version: 0, payload: [])), .app(.app("a"), AppEvent("n", version: 1, payload: [])),
      .app(.app("a"), AppEvent("m", version: 1, payload: [])), .app(.app("a"), AppEvent("n", version: 1, payload: [0])),
    ])
  }

  @Test func `an empty value differs from an absent one`() throws {
    for (empty, absent) in emptyAndAbsent {
      #expect(bytes(of: empty) != bytes(of: absent), "\(empty)")
      #expect(try decodeIntent(bytes(of: empty).span.bytes) == empty)
      #expect(try decodeIntent(bytes(of: absent).span.bytes) == absent)
    }
  }

  private func expectDistinct(_ intents: [ChatIntent]) {
    var known: [[UInt8]: ChatIntent] = [:]
    for intent in intents {
      let other = known.updateValue(intent, forKey: bytes(of: intent))
      if let other { #expect(other == intent) }
    }
    #expect(known.count == Set(intents).count)
  }
}

// MARK: Changes

extension SeededRandom {
  /// Returns a value, and copies with each of its parts taken from another.
  fileprivate mutating func changed<Value>(
    _ value: Value, _ changes: [Change<Value>]
  ) -> [Value] {
    [value]
      + changes.map { change in
        var changed = value
        change(&changed, &self)
        return changed
      }
  }

  /// Returns the same intent with another key of short names.
  fileprivate mutating func moved(_ intent: ChatIntent) -> ChatIntent {
    switch intent {
    case .user(_, let intent): return .user(name(), intent)
    case .device(_, let intent): return .device(Device.Key(name(), name()), intent)
    case .mute(_, let intent):
      return .mute(Mute.Key(by: name(), of: bool() ? .user(name()) : .channel(name())), intent)
    case .ban(_, let intent): return .ban(Ban.Key(of: name(), from: bool() ? .everywhere : .channel(name())), intent)
    case .flag(_, let intent):
      return .flag(Flag.Key(by: name(), on: bool() ? .user(name()) : .message(Message.Key(name(), name()))), intent)
    case .channel(_, let intent): return .channel(name(), intent)
    case .member(_, let intent): return .member(Member.Key(name(), name()), intent)
    case .message(_, let intent): return .message(Message.Key(name(), name()), intent)
    case .reaction(_, let intent):
      return .reaction(Reaction.Key(to: Message.Key(name(), name()), by: name()), intent)
    case .draft(_, let intent):
      return .draft(Draft.Key(by: name(), in: name(), thread: bool() ? name() : nil), intent)
    case .composer(_, let intent):
      let thread: Message.ID? = bool() ? name() : nil
      return .composer(Composer.Key(of: name(), on: name(), in: name(), thread: thread), intent)
    case .consumer(_, let intent): return .consumer(name(), intent)
    case .block(_, let intent): return .block(UserBlock.Key(by: name(), of: name()), intent)
    case .review(_, let intent): return .review(bool() ? .user(name()) : .message(Message.Key(name(), name())), intent)
    case .saved(_, let intent): return .saved(SavedMessage.Key(by: name(), Message.Key(name(), name())), intent)
    case .scheduled(_, let intent):
      return .scheduled(ScheduledMessage.Key(by: name(), Message.Key(name(), name())), intent)
    case .thread(_, let intent): return .thread(ThreadMarker.Key(of: name(), in: Message.Key(name(), name())), intent)
    case .vote(_, let intent): return .vote(Vote.Key(in: Message.Key(name(), name()), by: name()), intent)
    case .app(_, let event): return .app(pick([.user(name()), .channel(name()), .app(name())]), event)
    }
  }

  private mutating func name<Named>() -> ID<Named> { pick(["a", "b"]) }
}

private typealias Change<Value> = @Sendable (inout Value, inout SeededRandom) -> Void

private let contentChanges: [Change<Message.Content>] = [
  { $0.text = $1.shortWording() }, { $0.kind = $1.content().kind }, { $0.mentions.append($1.mention()) },
  { content, _ in content.mentions = [] }, { $0.attachments.append($1.attachment()) },
  { content, _ in content.attachments = [] },
  { $0.parent = $0.parent == nil ? $1.id() : nil }, { content, _ in content.showsInChannel.toggle() },
  { $0.quoted = $0.quoted == nil ? $1.id() : nil }, { content, _ in content.isSilent.toggle() },
  { $0.extra = $1.extra() }, { $0.client = $0.client == nil ? $1.id() : nil },
  { content, _ in content.isPending.toggle() },
]

private let editChanges: [Change<Message.Edits>] = [
  { $0.text = $1.shortWording() }, { edits, _ in edits.text = edits.text == nil ? "" : nil },
  { edits, _ in edits.mentions = edits.mentions == nil ? [] : nil }, { $0.mentions = [$1.mention()] },
  { edits, _ in edits.attachments = edits.attachments == nil ? [] : nil }, { $0.attachments = [$1.attachment()] },
  { edits, _ in edits.extra = edits.extra == nil ? [:] : nil }, { $0.extra = $1.extra() },
]

private let attachmentChanges: [Change<Chat.Attachment>] = [
  { $0.id = $1.id() }, { $0.kind = $1.attachment().kind }, { $0.location = $1.attachment().location },
  { attachment, _ in attachment.title = attachment.title == nil ? "" : nil },
  { attachment, _ in attachment.summary = attachment.summary == nil ? "" : nil },
  { attachment, _ in attachment.thumbnail = attachment.thumbnail == nil ? "" : nil },
  { attachment, _ in attachment.mimeType = attachment.mimeType == nil ? "" : nil },
  { attachment, _ in attachment.byteCount = attachment.byteCount == nil ? 0 : nil },
  { $0.size = $0.size == nil ? Attachment.Size(width: 0, height: $1.number32()) : nil },
  { $0.duration = $0.duration == nil ? $1.microseconds() : nil }, { $0.extra = $1.extra() },
]

private let compositionChanges: [Change<Composition>] = [
  { $0.text = $1.typedText() }, { $0.mentions.append($1.mention()) },
  { $0.attachments.append($1.composedAttachment()) },
  { content, random in
    let upload = random.composedAttachment().upload
    content.attachments = content.attachments.map { ComposedAttachment($0.attachment, upload) }
  },
  { $0.command = $0.command == nil ? $1.command() : nil }, { $0.command = $1.command() },
  { $0.quoted = $0.quoted == nil ? $1.id() : nil }, { content, _ in content.showsInChannel.toggle() },
  { content, _ in content.isSilent.toggle() }, { $0.extra = $1.extra() },
  { $0.dismissedPreviews.append($1.userText()) },
]

private let userChanges: [Change<User.Profile>] = [
  { $0.name = $1.shortWording() }, { profile, _ in profile.image = profile.image == nil ? "" : nil },
  { $0.extra = $1.extra() },
]

private let channelChanges: [Change<Channel.Profile>] = [
  { $0.name = $1.shortWording() }, { profile, _ in profile.image = profile.image == nil ? "" : nil },
  { $0.extra = $1.extra() },
]

private let configChanges: [Change<ChannelConfig>] = [
  { $0.off = $1.some() }, { $0.messageLengthMax = $1.number32() }, { $0.slowMode = $1.number32() },
  { config, _ in config.commands = config.commands == nil ? [] : nil }, { $0.commands = [$1.id()] },
]

private let infoChanges: [Change<Device.Info>] = [
  { $0.name = $1.shortWording() }, { info, _ in info.pushService = info.pushService == nil ? "" : nil },
  { info, _ in info.pushToken = info.pushToken == nil ? "" : nil },
]

private let emptyAndAbsent: [(ChatIntent, ChatIntent)] = {
  let message = Message.Key("general", "m1")
  let composer = Composer.Key(of: "ada", on: "phone", in: "general")
  let zero = Timestamp(rawValue: 0)
  return [
    (.user("a", .create(User.Profile(name: "", image: ""))), .user("a", .create(User.Profile(name: "")))),
    (
      .device(Device.Key("a", "d"), .add(Device.Info(name: "", pushService: ""))),
      .device(Device.Key("a", "d"), .add(Device.Info(name: "")))
    ),
    (
      .mute(Mute.Key(by: "a", of: .user("b")), .begin(.until(zero))),
      .mute(Mute.Key(by: "a", of: .user("b")), .begin(.endless))
    ),
    (
      .flag(Flag.Key(by: "a", on: .message(message)), .raise(reason: "")),
      .flag(Flag.Key(by: "a", on: .message(message)), .raise(reason: nil))
    ),
    (.channel("c", .configure(ChannelConfig(commands: []))), .channel("c", .configure(ChannelConfig(commands: nil)))),
    (.message(message, .edit(Message.Edits(text: ""))), .message(message, .edit(Message.Edits()))),
    (.message(message, .edit(Message.Edits(mentions: []))), .message(message, .edit(Message.Edits()))),
    (.message(message, .edit(Message.Edits(attachments: []))), .message(message, .edit(Message.Edits()))),
    (.message(message, .edit(Message.Edits(extra: [:]))), .message(message, .edit(Message.Edits()))),
    (.message(message, .pin(.until(zero))), .message(message, .pin(.endless))),
    (
      .composer(composer, .record([.sent("m1", keeping: Composition())])),
      .composer(composer, .record([.sent("m1", keeping: nil)]))
    ),
  ]
}()
