// Tests of composer modes: new, quote, edit and an app's own, and that the content set aside is restored.
import Chat
import Testing

struct ComposerStates {
  /// Events for a text, a mention, an attachment, a command and extra values.
  private func writing(_ state: ComposerState) -> Scene {
    let scene = Scene.general.composing(
      .opened, .pick("ada", as: "@Ada", in: 0..<0), .attached(.done(.picture)),
      .commandActivated(ComposedCommand("giphy"), nil), .extraSet(["mood": "good"]), .silentSet(true),
      .showsInChannelSet(true))
    return switch state {
    case .quote: scene.composing(.quoted("m1"))
    case .edit: scene.composing(.editBegan("m2", theirs))
    case .poll: scene.composing(.entered(.poll, keeping: .all))
    default: scene
    }
  }

  /// The content of the second message.
  private var theirs: Composition {
    var content = Composition("two @Cy")
    content.mentions = [Mention("cy", at: 4..<7)]
    content.attachments = [.done(.wave)]
    (content.quoted, content.extra) = ("m1", ["level": 3])
    return content
  }

  private func expect(
    _ scene: Scene, _ state: ComposerState, editing: Message.ID? = nil, quoting: Message.ID? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(scene.composer.state == state, sourceLocation: sourceLocation)
    #expect(scene.composer.editing == editing, sourceLocation: sourceLocation)
    #expect(scene.composer.quoting == quoting, sourceLocation: sourceLocation)
  }

  @Test func `new or quote to edit: the message's content is loaded, and the unsent content is set aside`() {
    for (state, quoted) in [(ComposerState.new, nil), (.quote, "m1" as Message.ID?)] {
      let before = writing(state)
      let scene = before.composing(.editBegan("m2", theirs))
      expect(scene, .edit, editing: "m2")
      #expect(scene.composer.content == theirs)
      #expect(scene.composer.content.quoted == "m1")
      #expect(scene.composer.selection == 7..<7)
      #expect(scene.composer.aside == before.composer.content)
      #expect(scene.composer.aside?.quoted == quoted)
    }
  }

  @Test func `edit to edit: the other's content is loaded, and the content set aside stays`() {
    let aside = writing(.quote).composer.content
    let scene = writing(.quote).composing(.editBegan("m2", theirs), .type("x"), .editBegan("m3", Composition("three")))
    expect(scene, .edit, editing: "m3")
    #expect(scene.composer.text == "three")
    #expect(scene.composer.aside == aside)
    #expect(scene.composing(.editEnded(.saved)).composer.content == aside)
  }

  // What broke: it was found by reading. What a user typed in a pretended edit of another's message was kept as content
  // of the other, and not erased with the user.
  @Test func `an edit of another author's message begins only with the right to edit it`() throws {
    let begin = [Composer.Event.editBegan("m1", Composition("one"))]
    Scene.general.composingIsRefused(begin[0], refusal: .notAllowed(.editAny, in: "general"))
    Scene.general.composingIsRefused(.type("x"), begin[0], refusal: .notAllowed(.editAny, in: "general"))
    let bo = Member.Key("general", "bo")
    let moderator = Scene.general.and(.member(bo, .changeRole(.moderator)), by: .ada)
    expect(moderator.composing(begin[0], .type("x")), .edit, editing: "m1")
    let banned = moderator.and(.ban(Ban.Key(of: "bo", from: .channel("general")), .impose(.endless, reason: nil)))
    banned.composingIsRefused(begin[0], refusal: .banned(try banned.ban(of: "bo")))
    Scene.general.and(.member(bo, .leave), by: .bo).composingIsRefused(begin[0], refusal: .notMember(bo))
    // An edit that has begun goes on and ends, also without the right.
    let demoted = moderator.composing(begin[0]).and(.member(bo, .changeRole(.member)), by: .ada)
    expect(demoted.composing(.type("x"), .editEnded(.cancelled)), .new)
    // The right is that of the author of the intent, and the author's own and unknown messages need none.
    _ = Scene.general.and(.composer(.bo, .record(begin)), by: .root)
    for id in ["m2", "none"] as [Message.ID] {
      expect(Scene.general.composing(.editBegan(id, Composition("two"))), .edit, editing: id)
    }
  }

  @Test(arguments: Composer.EditEnd.allCases)
  func `edit to new: the content set aside is restored with its quote`(end: Composer.EditEnd) {
    for (state, quoting) in [(ComposerState.new, nil), (.quote, "m1" as Message.ID?), (.poll, nil)] {
      let before = writing(state)
      let scene = before.composing(.editBegan("m2", theirs), .erase(0..<3), .detached("wave"), .editEnded(end))
      expect(scene, state, quoting: quoting)
      #expect(scene.composer.content == before.composer.content)
      #expect(scene.composer.aside == nil)
      #expect(scene.composer.selection == before.composer.content.text.end..<before.composer.content.text.end)
    }
  }

  @Test func `new to quote, quote to another: the content is kept`() {
    var expected = writing(.new).composer.content
    expected.quoted = "m1"
    let scene = writing(.new).composing(.quoted("m1"))
    expect(scene, .quote, quoting: "m1")
    #expect(scene.composer.content == expected)
    expected.quoted = "m2"
    let other = scene.composing(.quoted("m2"))
    expect(other, .quote, quoting: "m2")
    #expect(other.composer.content == expected)
  }

  @Test func `edit to quote: the edit is cancelled, and the restored content quotes the other message`() {
    var expected = writing(.quote).composer.content
    expected.quoted = "m2"
    let scene = writing(.quote).composing(.editBegan("m2", theirs), .quoted("m2"))
    expect(scene, .quote, quoting: "m2")
    #expect(scene.composer.content == expected)
    #expect(scene.composer.aside == nil)
  }

  @Test func `quote to new: all other content is kept`() {
    let scene = writing(.quote).composing(.quoteEnded)
    expect(scene, .new)
    #expect(scene.composer.content == writing(.new).composer.content)
  }

  @Test func `removing a missing quote is a no-op`() {
    expect(writing(.poll).composing(.quoteEnded), .poll)
    expect(writing(.edit).composing(.quoteEnded), .edit, editing: "m2")
    #expect(writing(.edit).composing(.quoteEnded).composer.content.quoted == "m1")
    #expect(writing(.new).composing(.quoteEnded).composer.content == writing(.new).composer.content)
  }

  @Test func `ending an edit when there is none is a no-op`() {
    for state in [ComposerState.new, .quote, .poll] {
      #expect(writing(state).composing(.editEnded(.cancelled)).composer == writing(state).composer)
    }
  }

  @Test(arguments: Composer.Part.allCases)
  func `an app's own mode keeps the parts that the app names, and ends quote and edit`(part: Composer.Part) {
    for before in [ComposerState.new, .quote, .edit, .poll] {
      let scene = writing(before).composing(.entered(.poll, keeping: [part]))
      expect(scene, .poll)
      let (content, written) = (scene.composer.content, writing(.new).composer.content)
      #expect(content.text == (part == .text ? written.text : TypedText()))
      #expect(content.mentions == (part == .text ? written.mentions : []))
      #expect(content.attachments == (part == .attachments ? written.attachments : []))
      #expect(content.command == (part == .command ? written.command : nil))
      #expect(content.extra == (part == .extra ? written.extra : [:]))
      #expect(content.quoted == nil)
      #expect(content.isSilent && content.showsInChannel)
    }
  }

  @Test func `the modes quote and edit are not entered without a message`() {
    for state in [ComposerState.quote, .edit] {
      expect(writing(.quote).composing(.entered(state, keeping: .all)), .new)
    }
  }

  @Test func `the content of an edit has to be storable`() {
    var content = theirs
    content.mentions = [Mention("cy", at: 4..<8)]
    Scene.general.composingIsRefused(.editBegan("m2", content), refusal: .mentionMisplaced(content.mentions[0]))
    content = theirs
    content.attachments += content.attachments
    Scene.general.composingIsRefused(.editBegan("m2", content), refusal: .attachmentTwice("wave"))
    content = theirs
    content.extra = .nested(9)
    Scene.general.composingIsRefused(
      .editBegan("m2", content), refusal: .tooLarge(.extraDepth, count: 9, max: 8))
    let small = Scene.general { $0.limits.compositionByteCountMax = 5 }
    small.composingIsRefused(
      .editBegan("m2", Composition("two")), refusal: .tooLarge(.compositionByteCount, count: 9, max: 5))
  }
}

extension ID where Named == Chat.ComposerStates {
  /// A mode of an app.
  static var poll: ComposerState { "poll" }
}
