// Tests of composer states: each transition and the actions that cause it.
import Chat
import ChatComposer
import Testing

struct States {
  private static let poll: ComposerState = "poll"
  /// A message by Bo with every property that an edit keeps.
  private static let rich = Message.folded(
    "m3", by: "bo",
    Message.Content(
      "hi @Cy", mentions: [Mention("cy", at: 3..<6)],
      attachments: [Attachment("a", .image, at: .url("https://a.example/1"))],
      quoted: "m1", extra: ["level": 3]))

  /// Returns a composer with content, optionally with a quote.
  private func writing(quoting: Message.ID? = nil) -> Desk {
    var desk = Desk(in: .around(.one, .two, Self.rich))
    desk.type("mine @ad")
    desk.pick("ada", named: "Ada")
    desk.act(.attach(Attachment("mine", .link, at: .url("https://b.example"))))
    desk.act(.setExtra(["mood": "good"]))
    if let quoting { desk.act(.quote(quoting)) }
    return desk
  }

  private func expect(
    _ desk: Desk, _ state: ComposerState, editing: Message.ID? = nil, quoting: Message.ID? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(desk.composer.state == state, sourceLocation: sourceLocation)
    #expect(desk.composer.editing == editing, sourceLocation: sourceLocation)
    #expect(desk.composer.quoting == quoting, sourceLocation: sourceLocation)
  }

  @Test func `from new or quote to edit: the message's content is loaded, the current content is set aside`() {
    for quoting in [nil, "m1"] as [Message.ID?] {
      var desk = writing(quoting: quoting)
      let before = desk.content
      desk.act(.beginEdit(Self.rich))
      expect(desk, .edit, editing: "m3")
      #expect(desk.shown == "hi @Cy|")
      #expect(desk.meant == ["cy: @Cy"])
      #expect(desk.content.attachments.map(\.attachment) == Self.rich.content.attachments)
      #expect(desk.content.attachments.map(\.upload) == [.done])
      #expect(desk.content.quoted == "m1")
      #expect(desk.content.extra == ["level": 3])
      #expect(desk.composer.aside == before)
      desk.actInVain(.beginEdit(Self.rich))
    }
  }

  @Test func `from edit to edit: the content set aside stays set aside`() {
    var desk = writing(quoting: "m1")
    let before = desk.content
    desk.act(.beginEdit(Self.rich))
    desk.type("!")
    desk.act(.beginEdit(.two))
    expect(desk, .edit, editing: "m2")
    #expect(desk.shown == "two|")
    #expect(desk.composer.aside == before)
  }

  @Test func `from edit to new: the content set aside is restored`() {
    for (quoting, state) in [(nil, .new), ("m1", .quote)] as [(Message.ID?, ComposerState)] {
      for end in [.cancelEdit, .enter(.new, keeping: []), .clear] as [Composer.Action] {
        var desk = writing(quoting: quoting)
        let before = desk.content
        desk.act(.beginEdit(.two))
        desk.type("!")
        desk.act(end)
        expect(desk, state, quoting: quoting)
        #expect(desk.content == before)
      }
    }
  }

  @Test func `from new to quote, to another quote, to new: all other content is kept`() {
    var desk = writing()
    var expected = desk.content
    for message in ["m1", "m2"] as [Message.ID] {
      desk.act(.quote(message))
      expected.quoted = message
      expect(desk, .quote, quoting: message)
      #expect(desk.content == expected)
      desk.actInVain(.quote(message))
    }
    expected.quoted = nil
    for end in [.stopQuoting, .enter(.new, keeping: [])] as [Composer.Action] {
      var other = desk
      other.act(end)
      expect(other, .new)
      #expect(other.content == expected)
      other.actInVain(end)
    }
  }

  @Test func `from edit to quote: the edit is cancelled, then all content is kept`() {
    var desk = writing()
    var expected = desk.content
    expected.quoted = "m2"
    desk.act(.beginEdit(Self.rich))
    desk.actInVain(.stopQuoting)
    desk.act(.quote("m2"))
    expect(desk, .quote, quoting: "m2")
    #expect(desk.content == expected)
  }

  @Test func `a custom state keeps the named parts, and neither edit nor quote`() {
    for how in [{ $0.act(.quote("m1")) }, { $0.act(.beginEdit(.two)) }, { _ in }] as [(inout Desk) -> Void] {
      var desk = writing()
      let before = desk.content
      how(&desk)
      desk.act(.enter(Self.poll, keeping: [.text]))
      expect(desk, Self.poll)
      #expect(desk.content.text == before.text)
      #expect(desk.meant == ["ada: @Ada"])
      #expect(desk.content.attachments == [])
      #expect(desk.content.extra == Extra())
      #expect(desk.composer.aside == nil)
      desk.actInVain(.enter(Self.poll, keeping: []))
      desk.act(.enter("story", keeping: []))
      #expect(desk.content.text.isEmpty)
      desk.act(.enter(.new, keeping: []))
      expect(desk, .new)
    }
  }

  @Test func `the edit and quote states need a message`() {
    var desk = writing()
    desk.actRefused(.enter(.edit, keeping: .all), .needsMessage(.edit))
    desk.actRefused(.enter(.quote, keeping: .all), .needsMessage(.quote))
  }

  @Test func `deleting the edited message ends the edit and reports the reason`() {
    var desk = writing()
    let before = desk.content
    desk.act(.beginEdit(.two))
    var composerContext = desk.reducer.composerContext
    composerContext.messages["m2"] = .gone
    #expect(desk.updateContext(composerContext) == [.editEnded(.messageGone)])
    expect(desk, .new)
    #expect(desk.content == before)
    #expect(desk.updateContext(composerContext) == [])
  }

  @Test func `deleting the quoted message keeps the quote`() {
    var desk = writing(quoting: "m1")
    var composerContext = desk.reducer.composerContext
    composerContext.messages["m1"] = .gone
    #expect(desk.updateContext(composerContext) == [])
    expect(desk, .quote, quoting: "m1")
  }

  @Test func `no change of state changes the thread`() {
    var desk = Desk(in: .around(.two), thread: "m1")
    for action in [
      .quote("m2"), .beginEdit(.two), .cancelEdit, .enter(Self.poll, keeping: .all), .enter(.new, keeping: []),
    ] as [Composer.Action] {
      desk.act(action)
      #expect(desk.composer.key.thread == "m1")
    }
  }

  @Test func `a deleted, foreign-channel, ephemeral or other user's message cannot be edited`() {
    var mine = ComposerContext()
    mine.capabilities.remove(.editAny)
    var desk = Desk(in: mine)
    desk.actRefused(.beginEdit(.one), .notEditable("m1"))
    var deleted = Message.two
    deleted.presence = .gone
    desk.actRefused(.beginEdit(deleted), .notEditable("m2"))
    let whisper = Message.folded("m4", by: "bo", Message.Content("?", kind: .ephemeral))
    desk.actRefused(.beginEdit(whisper), .notEditable("m4"))
    desk.act(.beginEdit(.two))
    mine.capabilities.remove(.editOwn)
    var other = Desk(in: mine)
    other.actRefused(.beginEdit(.two), .notEditable("m2"))
  }

  @Test func `clearing closes the picker, also during an edit`() {
    // Regression: the picker stayed open after an edit was cleared.
    var desk = writing()
    desk.act(.showPicker(.expanded(.media)))
    desk.actInVain(.showPicker(.expanded(.media)))
    desk.act(.clear)
    #expect(desk.composer.picker == .collapsed)
    #expect(desk.content == Composition())
    desk.actInVain(.clear)
    desk.act(.beginEdit(.two))
    desk.act(.showPicker(.expanded(.giphy)))
    desk.act(.clear)
    #expect(desk.composer.picker == .collapsed)
    expect(desk, .new)
  }
}
