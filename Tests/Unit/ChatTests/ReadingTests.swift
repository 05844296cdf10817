// Tests of reading: read and received markers, marking unread, and hiding channels.
import Chat
import Testing

struct Reading {
  let cy = Member.Key("general", "cy")

  static let marks: [Member.Intent] = [.read(through: "m1"), .receive(through: "m1"), .markUnread(from: "m1")]

  func row(_ scene: Scene) -> Member? { scene.state[cy] }
  func number(_ number: UInt64) -> Message.Number { Message.Number(rawValue: number) }

  // MARK: Read and receive

  @Test(arguments: [Author.cy, .root, .system])
  func `a member marks messages as read up to one`(actor: Author) {
    let scene = Scene.general.when(.member(cy, .read(through: "m1")), by: actor, at: .start.plus(1))
      .then(.member(cy, .read(through: "m1")))
    #expect(row(scene)?.read == number(1) && row(scene)?.readAt == .start.plus(1))
    let both = scene.when(.member(cy, .read(through: "m2")), by: actor).then(.member(cy, .read(through: "m2")))
    both.when(.member(cy, .read(through: "m1")), by: actor).thenNothing()
    #expect(row(both)?.read == number(2) && row(both)?.received == .zero)
  }

  @Test(arguments: [Author.cy, .root, .system])
  func `a member marks messages as received up to one`(actor: Author) {
    let scene = Scene.general.when(.member(cy, .receive(through: "m2")), by: actor)
      .then(.member(cy, .received(through: "m2")))
    scene.when(.member(cy, .receive(through: "m1")), by: actor).thenNothing()
    #expect(row(scene)?.received == number(2) && row(scene)?.read == .zero)
  }

  @Test func `a new member has nothing unread`() {
    let dee = Member.Key("general", "dee")
    let scene = Scene.general.and(.member(dee, .add(.member)), by: .ada)
    scene.when(.member(dee, .read(through: "m2")), by: .dee).thenNothing()
    scene.when(.member(dee, .receive(through: "m2")), by: .dee).thenNothing()
  }

  @Test func `a deleted message can be marked as read`() {
    Scene.general.and(.message(.m2, .delete(forGood: false)), by: .bo)
      .when(.member(cy, .read(through: "m2")), by: .cy).then(.member(cy, .read(through: "m2")))
  }

  // What broke: the mark was refused, and the earlier messages stayed unread.
  @Test func `messages are marked as read and received up to one that was deleted for good`() {
    let scene = Scene.general.and(.message(.m2, .delete(forGood: true)), by: .bo)
    let read = scene.when(.member(cy, .read(through: "m2")), by: .cy).then(.member(cy, .read(through: "m2")))
    read.when(.member(cy, .read(through: "m2")), by: .cy).thenNothing()
    #expect(row(read)?.read == number(2))
    let received = scene.when(.member(cy, .receive(through: "m2")), by: .cy).then(.member(cy, .received(through: "m2")))
    #expect(row(received)?.received == number(2))
    scene.when(.member(cy, .markUnread(from: "m2")), by: .cy).thenRefused(.unknownMessage(.m2))
  }

  @Test func `a banned member still reads`() {
    let scene = Scene.general.and(.ban(Ban.Key(of: "cy", from: .everywhere), .impose(.endless, reason: nil)))
    scene.when(.member(cy, .read(through: "m2")), by: .cy).then(.member(cy, .read(through: "m2")))
      .when(.member(cy, .markUnread(from: "m2")), by: .cy).then(.member(cy, .markedUnread(from: "m2")))
    scene.when(.member(cy, .receive(through: "m2")), by: .cy).then(.member(cy, .received(through: "m2")))
    scene.when(.member(cy, .hide), by: .cy).then(.member(cy, .hidden))
      .when(.member(cy, .show), by: .cy).then(.member(cy, .shown))
  }

  // MARK: Mark unread

  @Test func `a member marks messages as unread from one on`() {
    let scene = Scene.general.and(.member(cy, .read(through: "m2")), by: .cy)
      .when(.member(cy, .markUnread(from: "m2")), by: .cy, at: .start.plus(4))
      .then(.member(cy, .markedUnread(from: "m2")))
    #expect(row(scene)?.read == number(1) && row(scene)?.readAt == .start.plus(4))
    let all = scene.when(.member(cy, .markUnread(from: "m1")), by: .cy).then(.member(cy, .markedUnread(from: "m1")))
    #expect(row(all)?.read == .zero)
    all.when(.member(cy, .read(through: "m2")), by: .cy).then(.member(cy, .read(through: "m2")))
  }

  @Test func `marking the newest as unread marks the ones before it as read`() {
    let scene = Scene.general.when(.member(cy, .markUnread(from: "m2")), by: .cy)
      .then(.member(cy, .markedUnread(from: "m2")))
    #expect(row(scene)?.read == number(1))
  }

  // MARK: Refused

  @Test(arguments: marks)
  func `marks of other users, of non-members and of unknown messages are refused`(intent: Member.Intent) {
    let scene = Scene.general
    scene.when(.member(cy, intent), by: .bo).thenRefused(.notYours("cy"))
    scene.when(.member(cy, intent), by: .dee).thenRefused(.notYours("cy"))
    let dee = Member.Key("general", "dee")
    scene.when(.member(dee, intent), by: .dee).thenRefused(.notMember(dee))
    scene.when(.member(dee, intent), by: .system).thenRefused(.notMember(dee))
    scene.and(.member(cy, .leave)).when(.member(cy, intent), by: .cy).thenRefused(.notMember(cy))
    scene.and(.channel("general", .truncate(through: "m1"))).when(.member(cy, intent), by: .cy)
      .thenRefused(.unknownMessage(.m1))
    Scene.general { $0.memberCapabilities[.member] = [.send, .flag] }
      .when(.member(cy, intent), by: .cy).thenRefused(.notAllowed(.read, in: "general"))
  }

  @Test func `another user's ephemeral message is unknown to readers`() {
    let scene = Scene.general.and(.message(.m3, .send(Message.Content("?", kind: .ephemeral))), by: .bo)
    for intent in [Member.Intent.read(through: "m3"), .receive(through: "m3"), .markUnread(from: "m3")] {
      scene.when(.member(cy, intent), by: .cy).thenRefused(.unknownMessage(.m3))
    }
    let bo = Member.Key("general", "bo")
    scene.when(.member(bo, .read(through: "m3")), by: .bo).then(.member(bo, .read(through: "m3")))
  }

  // MARK: Hide and show

  @Test(arguments: [Author.cy, .root, .system])
  func `a member hides a channel and shows it again`(actor: Author) {
    Scene.general.when(.member(cy, .show), by: actor).thenNothing()
    Scene.general.when(.member(cy, .hide), by: actor).then(.member(cy, .hidden))
      .when(.member(cy, .show), by: actor).then(.member(cy, .shown))
  }

  @Test func `a channel without messages can be hidden too`() throws {
    let key = Member.Key("quiet", "cy")
    let scene = Scene.general.and(
      .channel("quiet", .create("team", Channel.Profile(), ChannelConfig(), members: [])), by: .cy
    )
    .when(.member(key, .hide), by: .cy).then(.member(key, .hidden))
    let channel = try #require(scene.state["quiet" as Channel.ID])
    #expect(scene.state[key]?.hides(channel) == true)
  }

  @Test func `a hidden channel is shown when a new message is sent, and only then`() throws {
    let scene = Scene.general.and(.member(cy, .hide), by: .cy)
    func hides(_ scene: Scene) throws -> Bool? { row(scene)?.hides(try #require(scene.state["general" as Channel.ID])) }
    #expect(try hides(scene) == true)
    #expect(try hides(scene.and(.message(.m1, .edit(Message.Edits(text: "uno"))), by: .ada)) == true)
    #expect(try hides(scene.and(.channel("general", .truncate(through: nil)), by: .ada)) == true)
    let said = scene.and(.message(.m3, .send(Message.Content("three"))), by: .bo)
    #expect(try hides(said) == false)
    said.when(.member(cy, .show), by: .cy).thenNothing()
    #expect(try hides(said.when(.member(cy, .hide), by: .cy).then(.member(cy, .hidden))) == true)
  }

  @Test func `a channel stays hidden while only ephemeral messages are sent`() throws {
    let whispered = Scene.general.and(.member(cy, .hide), by: .cy)
      .and(.message(.m3, .send(Message.Content("?", kind: .ephemeral))), by: .bo)
    let sent = whispered.and(.message(.m3, .sendEphemeral), by: .bo)
    #expect(row(whispered)?.hides(try #require(whispered.state["general" as Channel.ID])) == true)
    #expect(row(sent)?.hides(try #require(sent.state["general" as Channel.ID])) == false)
  }

  @Test(arguments: [Member.Intent.hide, .show])
  func `hiding and showing for another user, or without membership, is refused`(intent: Member.Intent) {
    Scene.general.when(.member(cy, intent), by: .bo).thenRefused(.notYours("cy"))
    let dee = Member.Key("general", "dee")
    Scene.general.when(.member(dee, intent), by: .dee).thenRefused(.notMember(dee))
  }
}
