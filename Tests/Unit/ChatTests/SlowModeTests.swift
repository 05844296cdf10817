// Tests of the slow mode: who waits how long for what, to the microsecond.
import Chat
import Testing

struct SlowMode {
  /// Bo sent “two” at the start, and members wait ten seconds.
  private let slow = Scene.general.and(.channel("general", .setSlowMode(10)), by: .ada)
  private let end = Timestamp.start.plus(10)
  private let content = Message.Content("three")
  private var send: ChatIntent { .message(.m3, .send(content)) }

  @Test func `a member waits until the microsecond in which the time is up`() {
    slow.when(send, by: .bo, at: end.plus(microseconds: -1)).thenRefused(.coolingDown(until: end))
    slow.when(send, by: .bo, at: end).then(.message(.m3, .sent(content)))
    slow.when(send, by: .bo, at: end.plus(microseconds: 1)).then(.message(.m3, .sent(content)))
  }

  @Test func `each message restarts the wait`() {
    slow.and(send, by: .bo, at: end)
      .when(.message(.m4, .send(content)), by: .bo, at: end.plus(9)).thenRefused(.coolingDown(until: end.plus(10)))
  }

  @Test func `a member who has not sent anything does not wait, and members do not wait for others`() {
    slow.when(send, by: .cy).then(.message(.m3, .sent(content)))
  }

  @Test func `moderators, administrators and the app do not wait`() {
    for actor in [Author.ada, .mo, .root, .system] {
      slow.and(send, by: actor)
        .when(.message(.m4, .send(content)), by: actor).then(.message(.m4, .sent(content)))
    }
  }

  @Test func `a reply waits like a message`() {
    slow.when(.message(.m3, .send(Message.Content("three", parent: "m1"))), by: .bo)
      .thenRefused(.coolingDown(until: end))
  }

  @Test func `a longer slow mode applies to messages sent before it`() {
    slow.and(.channel("general", .setSlowMode(20)), by: .ada)
      .when(send, by: .bo, at: end).thenRefused(.coolingDown(until: end.plus(10)))
  }

  @Test func `without slow mode there is no wait, whatever the clock`() {
    Scene.general.when(send, by: .bo).then(.message(.m3, .sent(content)))
    Scene.general.when(send, by: .bo, at: .start.plus(-60)).then(.message(.m3, .sent(content)))
  }

  @Test func `the longest slow mode ends`() {
    let scene = Scene.general.and(.channel("general", .setSlowMode(.max)), by: .ada)
    let end = Timestamp.start.plus(4_294_967_295)
    scene.when(send, by: .bo, at: end.plus(microseconds: -1)).thenRefused(.coolingDown(until: end))
    scene.when(send, by: .bo, at: end).then(.message(.m3, .sent(content)))
  }

  @Test func `leaving and rejoining does not end the wait, nor does deleting the message`() {
    let bo = Member.Key("general", "bo")
    slow.and(.member(bo, .leave), by: .bo).and(.member(bo, .add(.member)), by: .ada)
      .when(send, by: .bo).thenRefused(.coolingDown(until: end))
    slow.and(.message(.m2, .delete(forGood: true)), by: .bo)
      .when(send, by: .bo).thenRefused(.coolingDown(until: end))
  }

  @Test func `edits, reactions and ephemeral messages neither wait nor start a wait`() {
    let ephemeral = Message.Content(kind: .ephemeral, attachments: [.wave])
    let scene = slow.and(
      .message(.m2, .edit(Message.Edits(text: "2"))), .message(.m3, .send(ephemeral)),
      .reaction(Reaction.Key(to: .m1, by: "bo"), .add("like", score: 1)), by: .bo, at: .start.plus(9))
    scene.when(.message(.m4, .send(content)), by: .bo, at: end).then(.message(.m4, .sent(content)))
  }

  @Test func `an ephemeral message waits only when it is sent to all, and starts the wait then`() {
    let scene = slow.and(.message(.m3, .send(Message.Content(kind: .ephemeral, attachments: [.wave]))), by: .bo)
    let send = ChatIntent.message(.m3, .sendEphemeral)
    scene.when(send, by: .bo, at: end.plus(microseconds: -1)).thenRefused(.coolingDown(until: end))
    scene.when(send, by: .bo, at: end).then(.message(.m3, .ephemeralSent))
      .when(.message(.m4, .send(content)), by: .bo, at: end.plus(9)).thenRefused(.coolingDown(until: end.plus(10)))
  }
}
