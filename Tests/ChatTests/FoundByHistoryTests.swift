// What random histories brought to light, each with its story.
import Chat
import Testing

struct `Found by random histories` {
  /// Creating was the one thing that did not ask who wants it: a channel had an owner whom nobody knew, or who was
  /// deactivated. It asks now, as everything does.
  @Test func `only users who are known and active create channels`() {
    let create = ChatIntent.channel("new", .create("team", Channel.Profile(), ChannelConfig(), members: []))
    Scene.general.when(create, by: .user("nobody")).thenRefused(.unknownUser("nobody"))
    Scene.general.and(.user("bo", .deactivate)).when(create, by: .bo).thenRefused(.userDeactivated("bo"))
  }

  /// A message that is gone was refused as if it had never been to those too who had just deleted it, so that a second
  /// tap told them of an error. To them it is so already; to others it still never was.
  @Test func `deleting for good a second time is in vain`() {
    let scene = Scene.general.and(.message(.m2, .delete(forGood: true)), by: .bo)
    scene.when(.message(.m2, .delete(forGood: true)), by: .bo).thenNothing()
    scene.when(.message(.m2, .delete(forGood: true)), by: .mo).thenNothing()
    scene.when(.message(.m2, .delete(forGood: true)), by: .cy).thenRefused(.unknownMessage(.m2))
    scene.when(.message(.m2, .delete(forGood: false)), by: .bo).thenRefused(.unknownMessage(.m2))
  }

  /// The same with what only its author sees.
  @Test func `cancelling a second time is in vain`() {
    let scene = Scene.general
      .and(.message(.m3, .send(Message.Content("cat?", kind: .ephemeral))), by: .bo)
      .and(.message(.m3, .cancelEphemeral), by: .bo)
    scene.when(.message(.m3, .cancelEphemeral), by: .bo).thenNothing()
    scene.when(.message(.m3, .cancelEphemeral), by: .cy).thenRefused(.unknownMessage(.m3))
    scene.when(.message(.m3, .sendEphemeral), by: .bo).thenRefused(.unknownMessage(.m3))
  }

  /// The message up to which a channel is truncated is shown to nobody, so it was unknown the second time.
  @Test func `truncating a second time is in vain`() {
    let scene = Scene.general.and(.channel("general", .truncate(through: "m2")), by: .ada)
    scene.when(.channel("general", .truncate(through: "m2")), by: .ada).thenNothing()
    scene.when(.channel("general", .truncate(through: "m1")), by: .ada).thenNothing()
    scene.when(.channel("general", .truncate(through: "m9")), by: .ada)
      .thenRefused(.unknownMessage(Message.Key("general", "m9")))
  }

  /// Sending what only its author saw asked neither whether it was deleted meanwhile nor whether it says anything: a
  /// deleted message was given a new number, and an empty one was said to all.
  @Test func `what only its author saw is sent only if it is there and says something`() {
    let scene = Scene.general
      .and(.message(.m3, .send(Message.Content(" ", kind: .ephemeral))), by: .bo)
    scene.when(.message(.m3, .sendEphemeral), by: .bo).thenRefused(.emptyMessage)
    let deleted = scene.and(.message(.m3, .delete(forGood: false)), by: .bo)
    deleted.when(.message(.m3, .sendEphemeral), by: .bo).thenRefused(.messageDeleted(.m3))
    deleted.when(.message(.m3, .shuffleEphemeral([])), by: .bo).thenRefused(.messageDeleted(.m3))
    deleted.when(.message(.m3, .cancelEphemeral), by: .bo).then(.message(.m3, .ephemeralCancelled))
  }

  /// A composer was filled with mentions that lie outside its text: its row had a defect, and with a mention near the
  /// greatest offset the next letter typed before it overflowed, which ended the process in every later fold.
  @Test func `a composer is not filled with mentions outside its text`() {
    let key = Composer.Key(of: "bo", on: "phone", in: "general")
    var content = Composition("Hi Cy")
    content.mentions = [Mention("cy", at: UTF16Offset(rawValue: .max - 1)..<UTF16Offset(rawValue: .max))]
    let caret = UTF16Offset.start ..< .start
    for event in [Composer.Event.filled(content, selection: caret), .editBegan("m2", content)] {
      Scene.general.when(.composer(key, .record([event])), by: .bo)
        .thenRefused(.notComposable(key))
      var composer = Composer(key)
      composer.apply(event, at: .start)
      composer.apply(.typed(Splice(caret, to: "Oh. ")), at: .start)
      #expect(composer.defect == nil)
    }
  }

  /// A text held half a pair of surrogates, which no stored text can: a draft with it read back from the log was
  /// another than the one that was saved. Half a pair becomes U+FFFD where it comes in.
  @Test func `half a pair of surrogates comes in as U+FFFD`() {
    #expect(TypedText(units: [0x48, 0xD83D, 0x69, 0xDC4B]).units == [0x48, 0xFFFD, 0x69, 0xFFFD])
    #expect(TypedText(units: [0xDC4B, 0xD83D]).units == [0xFFFD, 0xFFFD])
    #expect(TypedText(units: [0xD83D, 0xDC4B]).units == [0xD83D, 0xDC4B])
    var text: TypedText = "a\u{1F44B}b"
    text.apply(Splice(1..<2, to: "-"))
    #expect(text == "a-b")
    text = "a\u{1F44B}b"
    text.apply(Splice(2..<2, to: "-"))
    #expect(text == "a-\u{1F44B}b")
  }

  /// Folding a channel's creation a second time sets its count of members to zero; the next one who left made it less.
  @Test func `members who leave a channel that was created twice are folded`() {
    var scene = Scene.general
    let stamp = Stamp(by: .system, at: .start)
    scene.fold(ChatEvent(.channel("general", .created("team", Channel.Profile(), ChannelConfig())), stamp))
    scene.fold(ChatEvent(.member(Member.Key("general", "bo"), .left), stamp))
    #expect(scene.state["general" as Channel.ID]?.memberCount == 0)
  }
}
