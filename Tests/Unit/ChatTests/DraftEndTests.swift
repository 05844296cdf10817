// Threat: a draft stays that can never be sent, or one is deleted that still can.
import Chat
import Testing

struct `Deletion of drafts with their targets` {
  private let later = Timestamp.start.plus(60)

  private func key(_ user: User.ID, _ thread: Message.ID? = nil, in channel: Channel.ID = "general") -> Draft.Key {
    Draft.Key(by: user, in: channel, thread: thread)
  }

  /// Bo and Cy have drafts for the channel and for threads in it, Cy a discarded one, and Bo one in another channel.
  private var scene: Scene {
    var scene = Scene.general
      .and(.channel("other", .create("team", Channel.Profile(), ChannelConfig(), members: ["bo"])), by: .ada)
      .and(.message(.m3, .send(Message.Content("three"))), by: .ada)
    let drafts = [
      key("cy"), key("bo", "m2"), key("bo"), key("cy", "m1"), key("bo", "m1"), key("cy", "m3"), key("bo", in: "other"),
    ]
    for key in drafts { scene = scene.and(save(key), by: .user(key.user, on: "phone")) }
    return scene.and(.draft(key("cy", "m3"), .delete(.discarded, editedAt: .start)), by: .user("cy", on: "phone"))
  }

  private func save(_ key: Draft.Key, editedAt: Timestamp = .start) -> ChatIntent {
    .draft(key, .update(Composition("hello"), editedAt: editedAt))
  }

  private func end(_ key: Draft.Key, on device: Device.ID? = nil) -> ChatEvent.Change {
    .draft(key, .deleted(.targetGone, Edit(at: later, on: device)))
  }

  @Test func `deleting a channel deletes all drafts for it and its threads, of all users, in key order`() {
    let ended = scene.when(.channel("general", .delete), by: .ada, at: later).then(
      .channel("general", .deleted), end(key("bo")), end(key("cy")), end(key("bo", "m1")), end(key("cy", "m1")),
      end(key("bo", "m2")))
    #expect(ended.state[key("bo")]?.content == nil)
    #expect(ended.state[key("bo", in: "other")]?.content != nil)
  }

  @Test func `with the switch off, drafts are deleted by users only`() {
    var scene = scene
    scene.state.rules.draftMessagesEnabled = false
    scene.when(.channel("general", .delete), by: .ada, at: later).then(.channel("general", .deleted))
    scene.when(.message(.m1, .delete(forGood: true)), by: .ada, at: later)
      .then(.message(.m1, .deleted(forGood: true)))
    scene.when(.member(Member.Key("general", "bo"), .leave), by: .bo, at: later)
      .then(.member(Member.Key("general", "bo"), .left))
    scene.and(.channel("general", .delete), by: .ada)
      .when(.draft(key("bo"), .delete(.discarded, editedAt: later)), by: .bo, at: later)
      .then(.draft(key("bo"), .deleted(.discarded, Edit(at: later, on: nil))))
  }

  @Test func `deleting a message for good deletes only the drafts of its thread`() {
    scene.when(.message(.m1, .delete(forGood: true)), by: .ada, at: later).then(
      .message(.m1, .deleted(forGood: true)), end(key("bo", "m1")), end(key("cy", "m1")))
    scene.when(.message(.m3, .delete(forGood: true)), by: .ada, at: later)
      .then(.message(.m3, .deleted(forGood: true)))
  }

  @Test func `drafts stay if the deleted message's id is only a prefix of their parent's`() {
    let scene = scene.and(.message(Message.Key("general", "m11"), .send(Message.Content("eleven"))), by: .ada)
      .and(save(key("bo", "m11")), by: .bo)
    scene.when(.message(.m1, .delete(forGood: true)), by: .ada, at: later).then(
      .message(.m1, .deleted(forGood: true)), end(key("bo", "m1")), end(key("cy", "m1")))
  }

  @Test func `deleting a message restorably deletes no drafts until it is erased`() {
    let deleted = scene.when(.message(.m1, .delete(forGood: false)), by: .ada, at: later)
      .then(.message(.m1, .deleted(forGood: false)))
    deleted.when(.message(.m1, .delete(forGood: true)), by: .ada, at: later).then(
      .message(.m1, .deleted(forGood: true)), end(key("bo", "m1")), end(key("cy", "m1")))
  }

  @Test func `cancelling an ephemeral message deletes its author's draft for the thread`() {
    let scene = Scene.withThird(Message.Content(kind: .ephemeral))
    let author = scene.state[Message.Key.m3]?.author ?? "nobody"
    let draft = key(author, "m3")
    scene.and(save(draft), by: .user(author)).when(.message(.m3, .cancelEphemeral), by: .user(author), at: later)
      .then(.message(.m3, .ephemeralCancelled), end(draft))
  }

  @Test func `truncating deletes the drafts of truncated threads, and none for the channel`() {
    let number = Message.Number(rawValue: 1)
    scene.when(.channel("general", .truncate(through: "m1")), by: .ada, at: later).then(
      .channel("general", .truncated(through: number)), end(key("bo", "m1")), end(key("cy", "m1")))
    scene.when(.channel("general", .truncate(through: nil)), by: .ada, at: later).then(
      .channel("general", .truncated(through: Message.Number(rawValue: 3))), end(key("bo", "m1")), end(key("cy", "m1")),
      end(key("bo", "m2")))
  }

  @Test func `leaving or removing a member deletes only the drafts of that member`() {
    let bo = Member.Key("general", "bo")
    scene.when(.member(bo, .leave), by: .user("bo", on: "tablet"), at: later).then(
      .member(bo, .left), end(key("bo"), on: "tablet"), end(key("bo", "m1"), on: "tablet"),
      end(key("bo", "m2"), on: "tablet"))
    scene.when(.member(bo, .remove), by: .mo, at: later).then(
      .member(bo, .removed), end(key("bo")), end(key("bo", "m1")), end(key("bo", "m2")))
  }

  @Test func `a ban, a freeze, a role change and a deactivation delete no drafts`() {
    let wishes: [ChatIntent] = [
      .ban(Ban.Key(of: "bo", from: .channel("general")), .impose(.endless, reason: nil)),
      .ban(Ban.Key(of: "bo", from: .everywhere), .impose(.endless, reason: nil)), .channel("general", .freeze),
      .user("bo", .deactivate), .member(Member.Key("general", "bo"), .changeRole(.guest)),
      .member(Member.Key("general", "bo"), .hide), .channel("general", .change(Channel.Profile(name: "Other"))),
    ]
    for wish in wishes {
      let after = scene.and(wish, at: later)
      #expect(after.events.count == scene.events.count + 1, "\(wish)")
      #expect(after.state.drafts(in: .channel("general")).count == 5, "\(wish)")
    }
  }

  @Test func `deleting drafts needs no capability for them`() {
    // Mo may not act for Bo and Cy, yet their drafts are deleted.
    scene.when(.draft(key("bo", "m1"), .delete(.targetGone, editedAt: later)), by: .mo).thenRefused(.notYours("bo"))
    scene.when(.message(.m1, .delete(forGood: true)), by: .mo, at: later).then(
      .message(.m1, .deleted(forGood: true)), end(key("bo", "m1")), end(key("cy", "m1")))
  }

  @Test func `the deletion wins over a clock that is ahead, and a late older change is superseded`() {
    let bo = Member.Key("general", "bo")
    let ahead = Edit(at: later.plus(3600), on: "phone")
    let scene = Scene.general.and(save(key("bo"), editedAt: ahead.at), by: .user("bo", on: "phone"))
    let left = scene.when(.member(bo, .leave), by: .user("bo", on: "tablet"), at: later)
      .then(.member(bo, .left), .draft(key("bo"), .deleted(.targetGone, ahead)))
    let back = left.and(.member(bo, .add(.member)), by: .mo, at: later.plus(1))
    let late = Edit(at: ahead.at.plus(-1), on: "web")
    let web = Author.user("bo", on: "web")
    let superseded = ChatEvent.Change.draft(key("bo"), .superseded(Composition("hello"), late))
    #expect(back.and(save(key("bo"), editedAt: late.at), by: web).events.last?.change == superseded)
    #expect(back.and(save(key("bo"), editedAt: late.at), by: web).state[key("bo")]?.content == nil)
    let new = back.and(save(key("bo"), editedAt: ahead.at.plus(1)), by: web)
    #expect(new.state[key("bo")]?.content == Composition("hello"))
  }

  @Test func `a change from before the deletion, from an offline device, restores nothing`() {
    let bo = Member.Key("general", "bo")
    let back = scene.and(.member(bo, .leave), by: .bo, at: later).and(.member(bo, .add(.member)), by: .mo, at: later)
    let late = Edit(at: later.plus(-1), on: "tablet")
    let after = back.and(save(key("bo"), editedAt: late.at), by: .user("bo", on: "tablet"), at: later.plus(9))
    #expect(after.events.last?.change == .draft(key("bo"), .superseded(Composition("hello"), late)))
  }

  @Test func `drafts are ordered by channel, then thread, then user`() {
    let keys = [
      key("bo", in: "a"), key("cy", in: "a"), key("bo", "m1", in: "a"), key("ada", "m2", in: "a"), key("ada", in: "b"),
    ]
    #expect(keys.reversed().sorted() == keys)
    #expect((keys[2...] + keys[..<2]).sorted() == keys)
    #expect(!(keys[2] < keys[2]))
  }
}
