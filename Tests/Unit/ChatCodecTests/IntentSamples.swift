// A sample of every intent: the content of `Fixtures/intents`.
import Bytes
import Chat
import ChatCodec
import ChatSamples
import Testing

/// An intent and the name of its fixture.
struct IntentSample: Sendable, CustomTestStringConvertible {
  /// The name of the fixture without its extension, for example `message/send-full`.
  let fixture: String
  /// The intent of the fixture.
  let intent: ChatIntent

  /// Creates a sample, named by the intent's kind and its specialty.
  init(_ intent: ChatIntent, _ variant: String? = nil) {
    self.intent = intent
    fixture = IntentKind(intent).rawValue + (variant.map { "-" + $0 } ?? "")
  }

  var testDescription: String { fixture }

  /// All samples.
  static let all = users + others + channels + members + messages + writing + apps + consumers + joining + later
}

/// Returns the bytes of an intent.
func bytes(of intent: ChatIntent) -> [UInt8] {
  var writer = ByteWriter()
  encode(intent, into: &writer)
  return writer.array()
}

extension IntentSample {
  private static let users = [
    IntentSample(.user("ada", .create(User.Profile(name: "Ada", image: "i", extra: Part.extra))), "full"),
    IntentSample(.user("ada", .create(User.Profile(name: ""))), "bare"),
    IntentSample(.user("ada", .change(User.Profile(name: "Ada L.", image: "")))),
    IntentSample(.user("ada", .changeRole(.admin))),
    IntentSample(.user("ada", .deactivate)),
    IntentSample(.user("ada", .reactivate)),
    IntentSample(
      .device(Device.Key("ada", "phone"), .add(Device.Info(name: "Phone", pushService: "apns", pushToken: "00ff"))),
      "full"),
    IntentSample(.device(Device.Key("ada", "phone"), .add(Device.Info(name: "", pushToken: ""))), "empty"),
    IntentSample(.device(Device.Key("ada", "phone"), .add(Device.Info(name: ""))), "bare"),
    IntentSample(.device(Device.Key("ada", "phone"), .remove)),
  ]

  private static let others = {
    let (user, channel) = (Mute.Key(by: "ada", of: .user("bob")), Mute.Key(by: "ada", of: .channel("general")))
    let (everywhere, there) = (Ban.Key(of: "bob", from: .everywhere), Ban.Key(of: "bob", from: .channel("general")))
    let (spammer, spam) = (Flag.Key(by: "ada", on: .user("bob")), Flag.Key(by: "ada", on: .message(key)))
    return [
      IntentSample(.mute(user, .begin(.until(Part.later))), "user-full"),
      IntentSample(.mute(user, .begin(.until(Timestamp(rawValue: 0)))), "user-zero"),
      IntentSample(.mute(user, .begin(.endless)), "user-bare"),
      IntentSample(.mute(channel, .begin(.until(Part.later))), "channel"),
      IntentSample(.mute(user, .end), "user"),
      IntentSample(.mute(channel, .end), "channel"),
      IntentSample(.ban(there, .impose(.until(Part.later), reason: "spam")), "channel-full"),
      IntentSample(.ban(there, .impose(.endless, reason: "")), "channel-empty"),
      IntentSample(.ban(everywhere, .impose(.endless, reason: nil)), "everywhere-bare"),
      IntentSample(.ban(there, .lift), "channel"),
      IntentSample(.ban(everywhere, .lift), "everywhere"),
      IntentSample(.flag(spammer, .raise(reason: "spam")), "user-full"),
      IntentSample(.flag(spam, .raise(reason: "")), "message-empty"),
      IntentSample(.flag(spam, .raise(reason: nil)), "message-bare"),
    ]
  }()

  private static let channels = [
    IntentSample(
      .channel(
        "general",
        .create(
          "team", Channel.Profile(name: "General", image: "i", extra: Part.extra),
          ChannelConfig(off: [.readEvents, .search], messageLengthMax: 280, slowMode: 30, commands: ["ban", "giphy"]),
          members: ["ada", "bob"])), "full"),
    IntentSample(
      .channel("general", .create("team", Channel.Profile(), ChannelConfig(messageLengthMax: 0), members: [])), "bare"),
    IntentSample(.channel("general", .change(Channel.Profile(name: "Everyone", extra: ["a": 1])))),
    IntentSample(.channel("general", .configure(ChannelConfig(off: .all, commands: [])))),
    IntentSample(.channel("general", .setSlowMode(30)), "full"),
    IntentSample(.channel("general", .setSlowMode(0)), "bare"),
    IntentSample(.channel("general", .freeze)),
    IntentSample(.channel("general", .unfreeze)),
    IntentSample(.channel("general", .truncate(through: "m1")), "full"),
    IntentSample(.channel("general", .truncate(through: nil)), "bare"),
    IntentSample(.channel("general", .delete)),
  ]

  private static let members = {
    let ada = Member.Key("general", "ada")
    return [
      IntentSample(.member(ada, .add(.owner))),
      IntentSample(.member(ada, .remove)),
      IntentSample(.member(ada, .leave)),
      IntentSample(.member(ada, .changeRole(.moderator))),
      IntentSample(.member(ada, .read(through: "m1"))),
      IntentSample(.member(ada, .receive(through: "m1"))),
      IntentSample(.member(ada, .markUnread(from: "m1"))),
      IntentSample(.member(ada, .hide)),
      IntentSample(.member(ada, .show)),
    ]
  }()

  private static let key = Message.Key("general", "m1")

  private static let messages = [
    IntentSample(.message(key, .send(Part.content)), "full"),
    IntentSample(.message(key, .send(Message.Content("Hello", quoted: "m0"))), "regular"),
    IntentSample(.message(key, .send(Message.Content("giphy", kind: .ephemeral))), "ephemeral"),
    IntentSample(.message(key, .send(Message.Content("Ada joined", kind: .system))), "system"),
    IntentSample(.message(key, .send(Message.Content())), "bare"),
    IntentSample(
      .message(
        key,
        .edit(
          Message.Edits(
            text: "Hello", mentions: [Mention("ada", at: 0..<5)], attachments: [Part.picture], extra: Part.extra))),
      "full"),
    IntentSample(
      .message(key, .edit(Message.Edits(text: "", mentions: [], attachments: [], extra: [:]))), "emptied"),
    IntentSample(.message(key, .edit(Message.Edits())), "bare"),
    IntentSample(.message(key, .delete(forGood: true)), "full"),
    IntentSample(.message(key, .delete(forGood: false)), "bare"),
    IntentSample(.message(key, .restore)),
    IntentSample(.message(key, .pin(.until(Part.later))), "full"),
    IntentSample(.message(key, .pin(.endless)), "bare"),
    IntentSample(.message(key, .unpin)),
    IntentSample(.message(key, .acknowledge)),
    IntentSample(.message(key, .fail(reason: "too late")), "full"),
    IntentSample(.message(key, .fail(reason: "")), "bare"),
    IntentSample(.message(key, .retry)),
    IntentSample(.message(key, .sendEphemeral)),
    IntentSample(.message(key, .shuffleEphemeral(Part.attachments)), "full"),
    IntentSample(.message(key, .shuffleEphemeral([])), "bare"),
    IntentSample(.message(key, .cancelEphemeral)),
    IntentSample(.reaction(Reaction.Key(to: key, by: "bob"), .add("like", score: 300)), "full"),
    IntentSample(.reaction(Reaction.Key(to: key, by: "bob"), .add("like", score: 0)), "bare"),
    IntentSample(.reaction(Reaction.Key(to: key, by: "bob"), .remove("like"))),
  ]

  private static func events(in samples: [Sample]) -> [Composer.Event] {
    samples.compactMap { sample in
      if case .composer(_, let event) = sample.change { event } else { nil }
    }
  }

  private static let writing = {
    let (draft, reply) = (Draft.Key(by: "ada", in: "general"), Draft.Key(by: "ada", in: "general", thread: "m0"))
    let composer = Composer.Key(of: "ada", on: "phone", in: "general")
    let answer = Composer.Key(of: "ada", on: "phone", in: "general", thread: "m0")
    func actions(_ samples: [Sample] = Sample.composers, _ isOne: (Shape) -> Bool) -> [Composer.Event] {
      samples.filter { $0.shape.map(isOne) == true }.compactMap { sample in
        if case .composer(_, let event) = sample.change { event } else { nil }
      }
    }
    return [
      IntentSample(.draft(reply, .update(Part.composition, editedAt: Part.later)), "full"),
      IntentSample(.draft(reply, .update(Part.failedComposition, editedAt: Part.later)), "failures"),
      IntentSample(.draft(draft, .update(Composition(), editedAt: Timestamp(rawValue: 0))), "bare"),
      IntentSample(.draft(reply, .delete(.targetGone, editedAt: Timestamp(rawValue: -1))), "full"),
      IntentSample(.draft(draft, .delete(.cleared, editedAt: Timestamp(rawValue: 0))), "bare"),
      IntentSample(.composer(answer, .record(actions { $0.version == 1 })), "full"),
      IntentSample(.composer(answer, .record(actions { $0.version > 1 })), "failures"),
      IntentSample(.composer(answer, .record(actions(Sample.laterComposers) { _ in true })), "later"),
      IntentSample(.composer(composer, .record([.opened])), "opened"),
      IntentSample(.composer(composer, .record([])), "bare"),
    ]
  }()

  private static let apps = [
    IntentSample(.app(.user("ada"), AppEvent("poll.closed", payload: Array("{}".utf8))), "user"),
    IntentSample(.app(.channel("general"), AppEvent("pollOpened", version: .max, payload: [0, 255])), "channel"),
    IntentSample(.app(.app("poll-7"), AppEvent("voted", version: 0, payload: [])), "own"),
  ]

  private static let joining = {
    let (ada, channel) = (Member.Key("general", "ada"), Channel.ID("general"))
    return [
      IntentSample(.member(ada, .invite(.moderator))), IntentSample(.member(ada, .join)),
      IntentSample(.member(ada, .decline)), IntentSample(.member(ada, .pin)), IntentSample(.member(ada, .unpin)),
      IntentSample(.member(ada, .archive)), IntentSample(.member(ada, .unarchive)),
      IntentSample(.channel(channel, .configure(ChannelConfig(isPublic: true))), "public"),
      IntentSample(.message(key, .forward(Message.Key("random", "m9")))),
      IntentSample(.message(key, .openPoll(Part.options, Part.pollRules)), "full"),
      IntentSample(.message(key, .openPoll([], Poll.Rules(votesPerUserMax: 0))), "bare"),
      IntentSample(.message(key, .addPollOption(Part.options[0]))),
      IntentSample(.message(key, .closePoll)),
      IntentSample(.message(key, .shuffleEphemeral([Part.recording])), "recording"),
      IntentSample(.reaction(Reaction.Key(to: key, by: "bob"), .add("👍🏽", score: 1)), "emoji"),
    ]
  }()

  private static let later = {
    let saved = SavedMessage.Key(by: "ada", key)
    let scheduled = ScheduledMessage.Key(by: "ada", key)
    let thread = ThreadMarker.Key(of: "ada", in: key)
    return [
      IntentSample(.block(UserBlock.Key(by: "ada", of: "bob"), .begin)),
      IntentSample(.block(UserBlock.Key(by: "ada", of: "bob"), .end)),
      IntentSample(.review(.message(key), .claim), "message"), IntentSample(.review(.user("bob"), .claim), "user"),
      IntentSample(.review(.message(key), .release)),
      IntentSample(.review(.message(key), .resolve(.acted, note: "spam")), "full"),
      IntentSample(.review(.user("bob"), .resolve(.dismissed, note: nil)), "bare"),
      IntentSample(.saved(saved, .save(note: "read", remindAt: Part.later)), "full"),
      IntentSample(.saved(saved, .save(note: nil, remindAt: nil)), "bare"),
      IntentSample(.saved(saved, .remove)), IntentSample(.saved(saved, .remind)),
      IntentSample(.scheduled(scheduled, .schedule(Part.content, at: Part.later)), "full"),
      IntentSample(.scheduled(scheduled, .schedule(Message.Content(), at: Timestamp(rawValue: 0))), "bare"),
      IntentSample(.scheduled(scheduled, .cancel)), IntentSample(.scheduled(scheduled, .deliver)),
      IntentSample(.thread(thread, .read(through: "m2"))), IntentSample(.thread(thread, .markUnread(from: "m2"))),
      IntentSample(.vote(Vote.Key(in: key, by: "ada"), .cast(["yes", "no"])), "full"),
      IntentSample(.vote(Vote.Key(in: key, by: "ada"), .cast([])), "bare"),
    ]
  }()

  private static let consumers = [
    IntentSample(.consumer("poll-bot", .begin(after: 300)), "full"),
    IntentSample(.consumer("poll-bot", .begin(after: 0)), "bare"),
    IntentSample(.consumer("poll-bot", .advance(through: 301))),
    IntentSample(.consumer("poll-bot", .skip(through: 302))),
    IntentSample(.consumer("poll-bot", .end)),
  ]
}
