// Tests of composers: opening, leaving, filling, sending and clearing; ownership, and which events are accepted.
import Chat
import Testing

struct Composers {
  /// A composer with content of every kind.
  private let full = Scene.general.composing(
    .opened, .type("hello"), .selectionMoved(1..<3), .attached(.done(.picture)), .quoted("m1"),
    .pickerChanged(.expanded(.media)), .silentSet(true), .previewDismissed(url: "https://a.example"))

  @Test func `a composer accepts events of its own device only`() {
    let typed = ChatIntent.composer(.bo, .record([.type("x")]))
    Scene.general.when(typed, by: .user("bo", on: "tablet")).thenRefused(.otherDevice("phone"))
  }

  @Test func `events are recorded in order, and each time`() throws {
    let events: [Composer.Event] = [.opened, .type("hi"), .custom("shake", payload: [1, 2])]
    let intent = ChatIntent.composer(.bo, .record(events))
    for scene in [Scene.general, full] {
      let decided = try decide(intent, by: .bosPhone, at: .start, given: scene.state)
      #expect(decided.map(\.change) == events.map { .composer(.bo, $0) })
    }
    Scene.general.when(.composer(.bo, .record([])), by: .bosPhone).thenNothing()
  }

  @Test func `if one of several events is refused, none is recorded`() {
    let intent = ChatIntent.composer(.bo, .record([.type("hi"), .type("x", at: 9)]))
    Scene.general.when(intent, by: .bosPhone).thenRefused(.notComposable(.bo))
    Scene.general.composingIsRefused(.erased, refusal: .notComposable(.bo))
  }

  @Test func `a sent or cleared composer is empty`() {
    for event in [Composer.Event.sent("m3", keeping: nil), .cleared(keeping: nil)] {
      var expected = Composer(.bo)
      expected.isOpen = true
      #expect(full.composing(event).composer == expected)
    }
  }

  @Test func `a composer that is left is empty, or keeps its content until it is opened again`() {
    #expect(full.composing(.left(keepingContent: false)).composer == Composer(.bo))
    let left = full.composing(.left(keepingContent: true))
    #expect(left.composer.content == full.composer.content)
    #expect(left.composer.selection == 1..<3)
    #expect(left.composer.state == .quote)
    #expect(left.composer.picker == .collapsed)
    #expect(!left.composer.isOpen)
    #expect(left.composing(.opened).composer.isOpen)
  }

  @Test func `a composer is filled with the whole content of a draft`() {
    var draft = Composition("hi @Ada")
    draft.mentions = [Mention("ada", at: 3..<7)]
    draft.attachments = [.done(.picture)]
    draft.command = ComposedCommand("mute", target: "ada")
    (draft.showsInChannel, draft.isSilent, draft.extra) = (true, true, ["mood": "good"])
    for quoted in [nil, "m1"] as [Message.ID?] {
      draft.quoted = quoted
      let scene = full.composing(.filled(draft, selection: 7..<7))
      #expect(scene.composer.content == draft)
      #expect(scene.composer.selection == 7..<7)
      #expect(scene.composer.state == (quoted == nil ? .new : .quote))
      #expect(scene.composer.quoting == quoted)
      #expect(scene.composer.isOpen && !scene.composer.isTouched)
    }
  }

  @Test func `filling a composer ends its edit`() {
    let scene = full.composing(.editBegan("m2", Composition("two")), .filled(Composition("hi"), selection: 2..<2))
    #expect(scene.composer.editing == nil)
    #expect(scene.composer.aside == nil)
    #expect(scene.composer.text == "hi")
  }

  @Test func `the content that fills a composer must be storable, with mentions in its text`() {
    var content = Composition("hi")
    content.mentions = [Mention("ada", at: 1..<3)]
    Scene.general.composingIsRefused(
      .filled(content, selection: 0..<0), refusal: .mentionMisplaced(content.mentions[0]))
    content.mentions = [Mention("ada", at: 0..<2), Mention("bo", at: 1..<2)]
    Scene.general.composingIsRefused(
      .filled(content, selection: 0..<0), refusal: .mentionMisplaced(content.mentions[1]))
    let small = Scene.general { $0.limits.compositionByteCountMax = 5 }
    small.composingIsRefused(
      .filled(Composition("hi"), selection: 0..<0), refusal: .tooLarge(.compositionByteCount, count: 6, max: 5))
  }

  @Test func `every change of the content marks a composer as touched`() {
    let filled = Scene.general.composing(
      .opened, .filled(Composition("hello"), selection: 5..<5), .attached(ComposedAttachment(.onDevice, .local)),
      .filled(Composition("hello"), selection: 5..<5))
    #expect(!filled.composer.isTouched)
    let touches: [Composer.Event] = [
      .type("x"), .pick("ada", as: "@Ada", in: 0..<0), .attached(.done(.picture)), .detached("local"), .quoted("m1"),
      .quoteEnded, .entered(.poll, keeping: .all), .showsInChannelSet(true),
      .silentSet(true), .extraSet(["mood": "good"]), .commandActivated(ComposedCommand("mute"), nil),
      .commandTargeted("ada"), .commandCleared(nil),
    ]
    for event in touches { #expect(filled.composing(event).composer.isTouched) }
  }

  @Test func `events that do not change the content leave a composer untouched`() {
    let filled = Scene.general.composing(.opened, .filled(Composition("hello"), selection: 5..<5))
    let execution = CommandExecution("e1", of: ComposedCommand("mute"), arguments: "")
    let scene = filled.composing(
      .opened, .selectionMoved(1..<2), .pickerChanged(.expanded(.giphy)), .commandsShown(true),
      .commandStarted(execution), .commandFailed("e1", .text("offline")), .actionRefused(RecordedFailure("busy")),
      .sendRefused(RecordedFailure("emptyMessage", ["reason": "The message says nothing."])),
      .custom("shake", payload: []), .left(keepingContent: true), .opened)
    #expect(!scene.composer.isTouched)
  }

  @Test func `an edit of a message leaves the content that it set aside untouched, or touched`() {
    let filled = Scene.general.composing(.opened, .filled(Composition("hello"), selection: 5..<5))
    for before in [filled, filled.composing(.type("!"))] {
      let edited = before.composing(
        .editBegan("m2", Composition("two")), .type("x"), .attached(.done(.picture)), .extraSet(["mood": "good"]))
      #expect(edited.composer.isTouched == before.composer.isTouched)
      for reason in [Composer.EditEnd.saved, .cancelled, .messageGone] {
        let ended = edited.composing(.editEnded(reason))
        #expect(ended.composer.isTouched == before.composer.isTouched)
        #expect(ended.composer.content == before.composer.content)
      }
      #expect(edited.composing(.quoted("m1")).composer.isTouched)
    }
  }

  @Test func `sending and clearing leave a composer untouched, and leaving keeps the mark`() {
    for event in [Composer.Event.sent("m3", keeping: nil), .cleared(keeping: nil), .left(keepingContent: false)] {
      #expect(!full.composing(event).composer.isTouched)
    }
    #expect(full.composing(.left(keepingContent: true), .opened).composer.isTouched)
  }

  @Test func `a refused send and an app's own action change nothing`() {
    let refusal = RecordedFailure("coolingDown", ["seconds": 3])
    for event in [Composer.Event.sendRefused(refusal), .custom("shake", payload: [1])] {
      #expect(full.composing(event).composer == full.composer)
    }
  }

  @Test(arguments: [
    Composer.Picker.expanded(.none), .expanded(.media), .expanded(.giphy), .expanded(.custom("stickers")), .collapsed,
  ])
  func `a picker opens, and collapses when the message is sent, cleared or left`(picker: Composer.Picker) {
    let scene = Scene.general.composing(.pickerChanged(picker), .type("hello"))
    #expect(scene.composer.picker == picker)
    for event in [
      Composer.Event.sent("m3", keeping: nil), .cleared(keeping: nil), .left(keepingContent: true),
      .left(keepingContent: false),
    ] {
      #expect(scene.composing(event).composer.picker == .collapsed)
    }
  }

  @Test func `show in channel, silence and extra values are set`() {
    let scene = Scene.general.composing(.showsInChannelSet(true), .silentSet(true), .extraSet(["mood": "good"]))
    #expect(scene.composer.content.showsInChannel)
    #expect(scene.composer.content.isSilent)
    #expect(scene.composer.content.extra == ["mood": "good"])
    let unset = scene.composing(.showsInChannelSet(false), .silentSet(false), .extraSet([:]))
    #expect(unset.composer.content == Composition())
  }

  @Test func `an app's own values and payloads are limited in size`() {
    let scene = Scene.general { ($0.limits.extraByteCountMax, $0.limits.payloadByteCountMax) = (12, 3) }
    scene.composingIsRefused(.extraSet(["mood": "g"]), refusal: .tooLarge(.extraByteCount, count: 13, max: 12))
    scene.composingIsRefused(.extraSet(.nested(9)), refusal: .tooLarge(.extraByteCount, count: 83, max: 12))
    scene.composingIsRefused(
      .custom("shake", payload: [1, 2, 3, 4]), refusal: .tooLarge(.payloadByteCount, count: 4, max: 3))
  }

  @Test func `each device, channel and thread has a composer of its own`() {
    let keys = [
      Composer.Key(of: "bo", on: "tablet", in: "general"),
      Composer.Key(of: "bo", on: "phone", in: "general", thread: "m1"),
      Composer.Key(of: "cy", on: "phone", in: "general"),
    ]
    for key in keys { #expect(full.state[key] == nil) }
    #expect(keys[1].draft == Draft.Key(by: "bo", in: "general", thread: "m1"))
  }

  @Test func `composers of other, unknown or deactivated users and in unknown channels are refused`() {
    let intent = ChatIntent.composer(.bo, .record([.opened]))
    for actor in [Author.ada, .mo] { Scene.general.when(intent, by: actor).thenRefused(.notYours("bo")) }
    Scene.general.when(intent, by: .user("nobody")).thenRefused(.unknownUser("nobody"))
    Scene.general.and(.user("bo", .deactivate)).when(intent, by: .bo).thenRefused(.userDeactivated("bo"))
    let nobodys = Composer.Key(of: "nobody", on: "phone", in: "general")
    Scene.general.when(.composer(nobodys, .record([.opened])), by: .root).thenRefused(.unknownUser("nobody"))
    let nowhere = Composer.Key(of: "bo", on: "phone", in: "nowhere")
    Scene.general.when(.composer(nowhere, .record([.opened])), by: .bo).thenRefused(.unknownChannel("nowhere"))
  }

  @Test func `in a frozen, deleted or left channel, typing and leaving a composer are accepted`() {
    let scenes = [
      full.frozen, full.banned("bo"), full.and(.member(Member.Key("general", "bo"), .leave), by: .bo),
      full.and(.channel("general", .delete), by: .ada),
    ]
    for scene in scenes {
      #expect(scene.composing(.type("x")).composer.text == "xhello")
      #expect(scene.composing(.left(keepingContent: true)).composer.text == "hello")
    }
  }
}
