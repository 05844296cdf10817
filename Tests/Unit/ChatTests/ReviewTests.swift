// Tests of reviews, saved messages and scheduled messages.
import Chat
import Testing

struct Reviews {
  private let target = Flag.Target.message(.m2)
  private var flagged: Scene {
    Scene.general.and(.flag(Flag.Key(by: "ada", on: target), .raise(reason: "rude")), by: .ada)
      .and(.flag(Flag.Key(by: "cy", on: target), .raise(reason: nil)), by: .cy)
  }

  @Test func `a moderator claims and resolves the flags on a message`() {
    #expect(flagged.state[target]?.flagCount == 2)
    let claimed = flagged.when(.review(target, .claim), by: .mo).then(.review(target, .claimed))
    claimed.when(.review(target, .resolve(.acted, note: nil)), by: .ada).thenRefused(.claimed(by: .mo))
    claimed.when(.review(target, .release), by: .ada).thenRefused(.claimed(by: .mo))
    claimed.when(.review(target, .release), by: .root).then(.review(target, .released))
    let resolved = claimed.when(.review(target, .resolve(.acted, note: "warned")), by: .mo, at: .start.plus(5))
      .then(.review(target, .resolved(.acted, note: "warned")))
    let review = resolved.state[target]
    #expect(review?.isOpen == false && review?.claim == nil)
    #expect(review?.decisions.map(\.outcome) == [.acted] && review?.decisions.first?.flagCount == 2)
    resolved.when(.review(target, .claim), by: .mo).thenRefused(.noFlags(target))
    // Only the same decision by the same moderator is a no-op.
    let repeated = ChatIntent.review(target, .resolve(.acted, note: "warned"))
    resolved.when(repeated, by: .mo).thenNothing()
    resolved.when(repeated, by: .ada).thenRefused(.noFlags(target))
    resolved.when(.review(target, .resolve(.acted, note: nil)), by: .mo).thenRefused(.noFlags(target))
    resolved.when(.review(target, .resolve(.dismissed, note: "warned")), by: .mo).thenRefused(.noFlags(target))
  }

  @Test func `a note is limited to a line`() {
    let flag = Flag.Key(by: "cy", on: target)
    let scene = Scene.general { $0.limits.lineByteCountMax = 8 }.and(.flag(flag, .raise(reason: nil)), by: .cy)
    scene.when(.review(target, .resolve(.acted, note: "8 bytes.")), by: .mo)
      .then(.review(target, .resolved(.acted, note: "8 bytes.")))
    scene.when(.review(target, .resolve(.acted, note: "nine char")), by: .mo)
      .thenRefused(.tooLarge(.lineByteCount, count: 9, max: 8))
  }

  @Test func `a flag raised twice before a decision counts once, with the last reason`() {
    var scene = flagged
    let flag = Flag.Key(by: "cy", on: target)
    // No decision yields this event, but another program may have appended it.
    scene.fold(ChatEvent(.flag(flag, .raised(reason: "still")), EventOrigin(by: .cy, at: .start.plus(5))))
    #expect(scene.state[target]?.flagCount == 2 && scene.state[target]?.opened == .start)
    #expect(scene.state[flag]?.reason == "still")
  }

  @Test func `a flag can be raised again after a decision, and opens the review again`() {
    let again = flagged.and(.review(target, .resolve(.dismissed, note: nil)), by: .mo)
    flagged.when(.flag(Flag.Key(by: "cy", on: target), .raise(reason: "still")), by: .cy).thenNothing()
    let scene = again.when(.flag(Flag.Key(by: "cy", on: target), .raise(reason: "still")), by: .cy, at: .start.plus(9))
      .then(.flag(Flag.Key(by: "cy", on: target), .raised(reason: "still")))
    let review = scene.state[target]
    #expect(review?.flagCount == 1 && review?.opened == .start.plus(9) && review?.decisions.count == 1)
    #expect(scene.state[Flag.Key(by: "cy", on: target)]?.isOpen(in: review) == true)
    #expect(scene.state[Flag.Key(by: "ada", on: target)]?.isOpen(in: review) == false)
  }

  @Test func `flags on messages are for moderators, and flags on users for administrators`() {
    flagged.when(.review(target, .claim), by: .bo).thenRefused(.notAllowed(.moderate, in: "general"))
    let user = Flag.Target.user("bo")
    let scene = Scene.general.and(.flag(Flag.Key(by: "cy", on: user), .raise(reason: nil)), by: .cy)
    scene.when(.review(user, .claim), by: .mo).thenRefused(.notAdministrator)
    scene.when(.review(user, .resolve("warned", note: nil)), by: .root)
      .then(.review(user, .resolved("warned", note: nil)))
    Scene.general.when(.review(user, .claim), by: .root).thenRefused(.noFlags(user))
  }
}

struct SavedMessages {
  private let key = SavedMessage.Key(by: "bo", .m1)

  @Test func `a message is saved with a note and a reminder, and reminded of once`() {
    let at = Timestamp.start.plus(60)
    let saved = Scene.general.when(.saved(key, .save(note: "later", remindAt: at)), by: .bo)
      .then(.saved(key, .saved(note: "later", remindAt: at)))
    #expect(saved.state[key]?.reminder == at)
    saved.when(.saved(key, .remind), by: .system, at: .start.plus(59)).thenNothing()
    let reminded = saved.when(.saved(key, .remind), by: .system, at: at).then(.saved(key, .reminded))
    #expect(reminded.state[key]?.reminder == nil && reminded.state[key]?.reminded == at)
    reminded.when(.saved(key, .remove), by: .bo).then(.saved(key, .removed))
    let later = Timestamp.start.plus(120)
    let again = reminded.when(.saved(key, .save(note: "later", remindAt: later)), by: .bo, at: at)
      .then(.saved(key, .saved(note: "later", remindAt: later)))
    #expect(again.state[key]?.reminder == later && again.state[key]?.reminded == nil)
    let other = saved.and(.saved(key, .save(note: nil, remindAt: nil)), by: .bo, at: .start.plus(5))
    #expect(other.state[key]?.saved == .start && other.state[key]?.note == nil)
  }

  @Test func `users save for themselves what they read`() {
    Scene.general.when(.saved(key, .save(note: nil, remindAt: nil)), by: .cy).thenRefused(.notYours("bo"))
    let dee = SavedMessage.Key(by: "dee", .m1)
    Scene.general.when(.saved(dee, .save(note: nil, remindAt: nil)), by: .dee)
      .thenRefused(.notMember(Member.Key("general", "dee")))
    Scene.general.when(.saved(key, .save(note: nil, remindAt: .start)), by: .bo).thenRefused(.alreadyOver(.start))
    Scene.general.and(.message(.m1, .delete(forGood: false)), by: .ada)
      .when(.saved(key, .save(note: nil, remindAt: nil)), by: .bo).thenRefused(.messageDeleted(.m1))
  }
}

struct ScheduledMessages {
  private let key = ScheduledMessage.Key(by: "bo", .m3)
  private let content = Message.Content("later")
  private let at = Timestamp.start.plus(60)
  private var scheduled: Scene {
    Scene.general.and(.scheduled(key, .schedule(content, at: at)), by: .bo)
  }

  @Test func `a scheduled message is sent in its author's name when it is due`() {
    scheduled.when(.scheduled(key, .deliver), by: .bo, at: .start.plus(59)).thenNothing()
    let sent = scheduled.when(.scheduled(key, .deliver), by: .bo, at: at)
      .then(.message(.m3, .sent(content)), .scheduled(key, .delivered))
    #expect(sent.state[.m3]?.author == "bo" && sent.state[.m3]?.sent == at && sent.state[key] == nil)
    scheduled.when(.scheduled(key, .deliver), by: .root, at: at).thenRefused(.notYours("bo"))
    scheduled.when(.scheduled(key, .cancel), by: .bo).then(.scheduled(key, .cancelled))
  }

  // What broke: of several messages that became due while nothing delivered, slow mode let the first be sent, and the
  // others were recorded as failed.
  @Test func `a message that slow mode keeps back stays due, and is sent later`() {
    let slow = scheduled.and(.channel("general", .setSlowMode(30)), by: .ada)
      .when(.message(.m4, .send(Message.Content("now"))), by: .bo, at: at)
      .then(.message(.m4, .sent(Message.Content("now"))))
    slow.when(.scheduled(key, .deliver), by: .bo, at: at.plus(29)).thenNothing()
    slow.when(.scheduled(key, .deliver), by: .bo, at: at.plus(30))
      .then(.message(.m3, .sent(content)), .scheduled(key, .delivered))
  }

  // What broke: it was found by reading. A message for the next day was refused because of the one sent just before.
  @Test func `slow mode does not refuse scheduling`() {
    // Bo sent a message just before.
    let slow = Scene.general.and(.channel("general", .setSlowMode(3_600)), by: .ada)
    slow.when(.message(.m3, .send(content)), by: .bo, at: .start.plus(1))
      .thenRefused(.coolingDown(until: .start.plus(3_600)))
    slow.when(.scheduled(key, .schedule(content, at: at)), by: .bo, at: .start.plus(1))
      .then(.scheduled(key, .scheduled(content, at: at)))
  }

  // What broke: it was found by reading. Such a message was scheduled without a check, and vanished when it was due.
  @Test func `a client id that another message has is refused, or recorded as the failure`() {
    let named = Message.Content("later", client: "c1")
    let other = Message.ClientKey("bo", "c1")
    let sent = Scene.general.and(.message(.m4, .send(Message.Content("now", client: "c1"))), by: .bo)
    #expect(sent.state[other] == .m4)
    let refusal = Refusal.clientIDTaken("c1", by: .m4)
    sent.when(.scheduled(key, .schedule(named, at: at)), by: .bo).thenRefused(refusal)
    let late = Scene.general.and(.scheduled(key, .schedule(named, at: at)), by: .bo)
      .and(.message(.m4, .send(Message.Content("now", client: "c1"))), by: .bo)
    late.when(.scheduled(key, .deliver), by: .bo, at: at)
      .then(.scheduled(key, .failed(RecordedFailure(refusal))))
  }

  @Test func `what can no longer be sent is recorded as failed, and can be scheduled again`() {
    let ban = Ban.Key(of: "bo", from: .channel("general"))
    let banned = scheduled.and(.ban(ban, .impose(.until(at.plus(5)), reason: nil)), by: .ada)
    let failure = RecordedFailure(Refusal.banned(banned.state[ban]!))
    let failed = banned.when(.scheduled(key, .deliver), by: .bo, at: at).then(.scheduled(key, .failed(failure)))
    #expect(failed.state[key]?.failure == failure)
    failed.when(.scheduled(key, .schedule(content, at: at)), by: .bo, at: at.plus(6)).thenRefused(.alreadyOver(at))
    failed.when(.scheduled(key, .schedule(content, at: at.plus(99))), by: .bo, at: at.plus(6))
      .then(.scheduled(key, .scheduled(content, at: at.plus(99))))
  }

  @Test func `a message is scheduled by its author, ahead, and as it could be sent`() {
    Scene.general.when(.scheduled(key, .schedule(content, at: at)), by: .root).thenRefused(.notYours("bo"))
    Scene.general.when(.scheduled(key, .schedule(content, at: .start)), by: .bo).thenRefused(.alreadyOver(.start))
    Scene.general.when(.scheduled(key, .schedule(Message.Content(), at: at)), by: .bo).thenRefused(.emptyMessage)
    let taken = ScheduledMessage.Key(by: "bo", .m2)
    for content in [content, Message.Content("two")] {
      Scene.general.when(.scheduled(taken, .schedule(content, at: at)), by: .bo).thenRefused(.messageExists(.m2))
    }
    let other = Message.Content("other")
    scheduled.when(.scheduled(key, .schedule(other, at: at)), by: .bo).then(.scheduled(key, .scheduled(other, at: at)))
  }
}
