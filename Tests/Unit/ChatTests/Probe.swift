// One of every intent in a channel, with its requirements: the rows of the permission tables.
import Chat
import Testing

/// An intent of Sol, with its requirements.
struct Probe: Sendable, CustomTestStringConvertible {
  let name: String
  let intent: ChatIntent
  /// The alternative sets of capabilities, one of which is needed in full.
  var ways: [Capabilities] = [[]]
  /// The flags each of which refuses the intent when it is off.
  var flags: SmallSet<ChannelFlag> = []
  /// Whether the intent is refused in a frozen channel.
  var isStoppedByFreeze = false
  /// Whether the intent is refused to a banned user, although it needs no capability.
  var isStoppedByBan = false
  /// Whether the intent needs membership.
  var isForMembers = false
  /// Whether the intent is about Sol and not about the content of the channel, so that membership makes no difference.
  var isOwnAffair = false

  var testDescription: String { name }

  /// Returns whether capabilities suffice.
  func isAllowed(by capabilities: Capabilities) -> Bool { ways.contains { $0.isSubset(of: capabilities) } }
}

extension Probe {
  static let sol = Member.Key("general", "sol")
  static let tam = Member.Key("general", "tam")
  static let own = Message.Key("general", "own")
  static let ownDeleted = Message.Key("general", "ownDeleted")
  static let othersDeleted = Message.Key("general", "othersDeleted")
  static let whisper = Message.Key("general", "whisper")
  static let pending = Message.Key("general", "pending")
  static let new = Message.Key("general", "new")

  static let image = Attachment("image", .image, at: .url("https://pictures.example/1.png"))
  static let link = Attachment("link", .link, at: .url("https://pages.example"))
  static let giphy = Attachment("giphy", .giphy, at: .url("https://pictures.example/1.gif"))

  static func send(
    _ name: String, _ content: Message.Content, _ needed: Capabilities, _ flags: SmallSet<ChannelFlag> = []
  )
    -> Probe
  {
    Probe(
      name: "send \(name)", intent: .message(new, .send(content)), ways: [needed], flags: flags, isStoppedByFreeze: true
    )
  }

  static func edit(
    _ name: String, _ key: Message.Key, _ edits: Message.Edits, _ ways: [Capabilities],
    _ flags: SmallSet<ChannelFlag> = []
  )
    -> Probe
  {
    Probe(name: "edit \(name)", intent: .message(key, .edit(edits)), ways: ways, flags: flags, isStoppedByFreeze: true)
  }

  static func member(_ intent: Member.Intent, _ needed: Capabilities = [], _ flags: SmallSet<ChannelFlag> = []) -> Probe
  {
    Probe(
      name: "\(intent)", intent: .member(sol, intent), ways: [needed], flags: flags, isForMembers: true,
      isOwnAffair: true)
  }

  static func channel(_ intent: Channel.Intent) -> Probe {
    Probe(name: "\(intent)", intent: .channel("general", intent), ways: [[.changeChannel]])
  }

  static let sending = [
    send("words", Message.Content("new"), [.send]),
    send("an address", Message.Content("see https://pages.example"), [.send, .sendLinks]),
    send("a page", Message.Content(attachments: [link]), [.send, .sendLinks], [.urlEnrichment]),
    send("a picture", Message.Content(attachments: [image]), [.send, .upload], [.uploads]),
    send("an animation", Message.Content(attachments: [giphy]), [.send]),
    send("a quote", Message.Content("new", quoted: "m1"), [.send, .quote], [.quotes]),
    send("a reply", Message.Content("new", parent: "m1"), [.read, .reply], [.replies]),
    send(
      "a reply that quotes", Message.Content("new", parent: "m1", quoted: "m1"), [.read, .reply, .quote],
      [.replies, .quotes]),
    send("what only its author sees", Message.Content("new", kind: .ephemeral), [.send]),
    send("an app's own kind", Message.Content(kind: .custom("poll")), [.send]),
    Probe(
      name: "send what was whispered", intent: .message(whisper, .sendEphemeral), ways: [[.send]],
      isStoppedByFreeze: true),
  ]

  static let editing = [
    edit("words of one's own", own, Message.Edits(text: "other"), [[.editOwn], [.editAny]]),
    edit("words of another", .m1, Message.Edits(text: "other"), [[.read, .editAny]]),
    edit(
      "an address into one's own", own, Message.Edits(text: "www.pages.example"),
      [[.editOwn, .sendLinks], [.editAny, .sendLinks]]),
    edit(
      "a page into one's own", own, Message.Edits(attachments: [link]),
      [[.editOwn, .sendLinks], [.editAny, .sendLinks]], [.urlEnrichment]),
    edit(
      "a picture into another's", .m1, Message.Edits(attachments: [image]), [[.read, .editAny, .upload]], [.uploads]),
    Probe(
      name: "delete one's own", intent: .message(own, .delete(forGood: false)), ways: [[.deleteOwn], [.deleteAny]]),
    Probe(
      name: "delete one's own for good", intent: .message(own, .delete(forGood: true)),
      ways: [[.deleteOwn], [.deleteAny]]),
    Probe(name: "delete another's", intent: .message(.m1, .delete(forGood: false)), ways: [[.read, .deleteAny]]),
    Probe(name: "restore one's own", intent: .message(ownDeleted, .restore), ways: [[.deleteOwn], [.deleteAny]]),
    Probe(name: "restore another's", intent: .message(othersDeleted, .restore), ways: [[.read, .deleteAny]]),
    Probe(name: "pin", intent: .message(.m1, .pin(.endless)), ways: [[.read, .pin]]),
    Probe(name: "unpin", intent: .message(.m2, .unpin), ways: [[.read, .pin]]),
    Probe(
      name: "react", intent: .reaction(Reaction.Key(to: .m1, by: "sol"), .add("wow", score: 1)),
      ways: [[.read, .react]],
      flags: [.reactions], isStoppedByFreeze: true),
    Probe(
      name: "take a reaction back", intent: .reaction(Reaction.Key(to: .m1, by: "sol"), .remove("like")),
      ways: [[.read]], isStoppedByFreeze: true),
    Probe(
      name: "flag a message", intent: .flag(Flag.Key(by: "sol", on: .message(.m1)), .raise(reason: nil)),
      ways: [[.read, .flag]]),
  ]

  static let keepingOrder = [
    channel(.change(Channel.Profile(name: "Other"))), channel(.configure(ChannelConfig(messageLengthMax: 9))),
    channel(.setSlowMode(9)), channel(.freeze), channel(.unfreeze), channel(.truncate(through: nil)),
    Probe(
      name: "truncate through one", intent: .channel("general", .truncate(through: "m1")),
      ways: [[.read, .changeChannel]]), channel(.delete),
    Probe(name: "change a role", intent: .member(tam, .changeRole("nothing")), ways: [[.changeChannel]]),
    Probe(name: "remove a member", intent: .member(tam, .remove), ways: [[.ban]]),
    Probe(
      name: "ban", intent: .ban(Ban.Key(of: "tam", from: .channel("general")), .impose(.endless, reason: nil)),
      ways: [[.ban]]),
    Probe(name: "lift a ban", intent: .ban(Ban.Key(of: "tam", from: .channel("general")), .lift), ways: [[.ban]]),
    Probe(name: "add a member", intent: .member(Member.Key("general", "dee"), .add("none")), ways: [[.invite]]),
  ]

  static let taking = [
    member(.read(through: "m1"), [.read], [.readEvents]), member(.markUnread(from: "m1"), [.read], [.readEvents]),
    member(.receive(through: "m1"), [.read], [.deliveryEvents]), member(.hide), member(.show),
    Probe(name: "leave", intent: .member(sol, .leave), isOwnAffair: true),
    Probe(
      name: "mute the channel", intent: .mute(Mute.Key(by: "sol", of: .channel("general")), .begin(.endless)),
      ways: [[.mute]], flags: [.mutes]),
    Probe(
      name: "end the mute of the channel", intent: .mute(Mute.Key(by: "sol", of: .channel("general")), .end),
      isOwnAffair: true),
    Probe(
      name: "mute a user", intent: .mute(Mute.Key(by: "sol", of: .user("bo")), .begin(.endless)), isOwnAffair: true),
    Probe(
      name: "flag a user", intent: .flag(Flag.Key(by: "sol", on: .user("bo")), .raise(reason: nil)), isOwnAffair: true),
    Probe(
      name: "keep a draft",
      intent: .draft(Draft.Key(by: "sol", in: "general"), .update(Composition("new"), editedAt: .start)),
      ways: [[.read]]),
    Probe(
      name: "delete a draft",
      intent: .draft(Draft.Key(by: "sol", in: "general"), .delete(.discarded, editedAt: .start)), isOwnAffair: true),
    Probe(name: "acknowledge", intent: .message(pending, .acknowledge), isStoppedByBan: true, isOwnAffair: true),
    Probe(
      name: "shuffle", intent: .message(whisper, .shuffleEphemeral([giphy])), isStoppedByFreeze: true, isOwnAffair: true
    ),
    Probe(name: "cancel", intent: .message(whisper, .cancelEphemeral), isOwnAffair: true),
    Probe(name: "change oneself", intent: .user("sol", .change(User.Profile(name: "S"))), isOwnAffair: true),
    Probe(
      name: "record something of an app", intent: .app(.channel("general"), AppEvent("waved", payload: [])),
      ways: [[.send]]),
  ]

  static let all = sending + editing + keepingOrder + taking
}

extension Scene {
  /// Sol is a member with a role of the app, which has all capabilities until the rules are changed; Tam's role has
  /// none.
  static var solo: Scene {
    let scene = general {
      ($0.memberCapabilities["solo"], $0.memberCapabilities["none"], $0.memberCapabilities["nothing"]) = (.all, [], [])
    }
    return
      scene.and(.user("sol", .create(User.Profile(name: "Sol"))), .user("tam", .create(User.Profile(name: "Tam"))))
      .and(.member(Probe.sol, .add("solo")), .member(Probe.tam, .add("none")))
      .and(
        .message(Probe.own, .send(Message.Content("mine"))), .message(Probe.ownDeleted, .send(Message.Content("mine"))),
        by: .sol
      )
      .and(.message(Probe.whisper, .send(Message.Content("?", kind: .ephemeral))), by: .sol)
      .and(.message(Probe.pending, .send(Message.Content("mine", isPending: true))), by: .sol)
      .and(.reaction(Reaction.Key(to: .m1, by: "sol"), .add("like", score: 1)), by: .sol)
      .and(.message(Probe.othersDeleted, .send(Message.Content("hers"))), by: .ada)
      .and(.message(Probe.ownDeleted, .delete(forGood: false)), by: .sol)
      .and(.message(Probe.othersDeleted, .delete(forGood: false)), by: .ada)
  }

  /// Returns the scene with Sol's role reduced to these capabilities.
  func allowing(_ capabilities: Capabilities) -> Scene {
    var scene = self
    scene.state.rules.memberCapabilities["solo"] = capabilities
    return scene
  }

  /// Returns the refusal of an intent; nil when it is accepted.
  func refusal(_ intent: ChatIntent, by actor: Author, at instant: Timestamp = .start) -> Refusal? {
    do {
      _ = try decide(intent, by: actor, at: instant, given: state)
      return nil
    } catch {
      return error
    }
  }
}

extension Author {
  static let sol = Author.user("sol")
}
