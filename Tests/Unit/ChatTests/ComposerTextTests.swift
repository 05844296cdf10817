// Tests of typing: text, caret and mentions.
import Chat
import Testing

struct ComposerTexts {
  @Test func `typed text is inserted, and the caret is after it`() {
    let scene = Scene.general.composing(.type("helo"), .type("l", at: 2))
    #expect(scene.composer.text == "hello")
    #expect(scene.composer.selection == 3..<3)
  }

  @Test func `selected text is replaced or deleted`() {
    let scene = Scene.general.composing(.type("hello"), .selectionMoved(1..<4))
    #expect(scene.composer.selection == 1..<4)
    #expect(scene.composing(.typed(Splice(1..<4, to: "alibut"))).composer.text == "halibuto")
    let erased = scene.composing(.erase(1..<4))
    #expect(erased.composer.text == "ho")
    #expect(erased.composer.selection == 1..<1)
  }

  @Test func `offsets are counted in UTF-16 units`() {
    let scene = Scene.general.composing(.type("🙂"), .type("!", at: 2))
    #expect(scene.composer.text == "🙂!")
    #expect(scene.composer.selection == 3..<3)
  }

  @Test func `offsets outside the text or within a surrogate pair are refused`() {
    let scene = Scene.general.composing(.type("a🙂"))
    let refusal = Refusal.notComposable(.bo)
    for place in [-1, 2, 4] as [UTF16Offset] {
      scene.composingIsRefused(.type("x", at: place), refusal: refusal)
      scene.composingIsRefused(.selectionMoved(place..<place), refusal: refusal)
      scene.composingIsRefused(.pick("ada", as: "@ada", in: place..<place), refusal: refusal)
      scene.composingIsRefused(
        .commandActivated(ComposedCommand("mute"), Splice(place..<place, to: "")), refusal: refusal)
      scene.composingIsRefused(.commandCleared(Splice(place..<place, to: "/mute")), refusal: refusal)
      scene.composingIsRefused(.filled(Composition("a🙂"), selection: place..<place), refusal: refusal)
    }
    scene.composingIsRefused(.erase(2..<3), refusal: refusal)
    scene.composingIsRefused(.selectionMoved(0..<2), refusal: refusal)
  }

  @Test func `each of several events applies to the text that the preceding ones left`() {
    let scene = Scene.general.composing(.type("ab"), .type("c", at: 2), .selectionMoved(3..<3))
    #expect(scene.composer.text == "abc")
    Scene.general.composingIsRefused(.type("ab"), .type("c", at: 3), refusal: .notComposable(.bo))
  }

  @Test func `a picked user is mentioned by the inserted name`() {
    let scene = Scene.general.composing(.type("hi @a"), .pick("ada", as: "@Ada", in: 3..<5))
    #expect(scene.composer.text == "hi @Ada ")
    #expect(scene.composer.meant == ["ada: @Ada"])
    #expect(scene.composer.selection == 8..<8)
  }

  @Test func `an undo or a paste restores mentions and selection`() {
    let scene = Scene.general.composing(.type("hi "))
    let mention = Mention("ada", at: 3..<7)
    let pasted = scene.composing(.replaced(Splice(3..<3, to: "@Ada 🙂"), mentions: [mention], selection: 4..<6))
    #expect(pasted.composer.text == "hi @Ada 🙂")
    #expect(pasted.composer.meant == ["ada: @Ada"])
    #expect(pasted.composer.selection == 4..<6)
  }

  @Test func `mentions outside the inserted text and selections within a surrogate pair are refused`() {
    let scene = Scene.general.composing(.type("hi "))
    for (mention, selection) in [(0..<2, 0..<0), (3..<6, 0..<0), (4..<5, 0..<0), (3..<5, 4..<4)]
      as [(UTF16Range, UTF16Range)]
    {
      scene.composingIsRefused(
        .replaced(Splice(3..<3, to: "🙂"), mentions: [Mention("ada", at: mention)], selection: selection),
        refusal: .notComposable(.bo))
    }
  }

  @Test func `text written while a message was sent stays, and is marked as touched`() {
    let scene = Scene.general.composing(.opened, .type("one two"), .sent("m3", keeping: Composition(" two")))
    #expect(scene.composer.text == " two")
    #expect(scene.composer.selection == 4..<4)
    #expect(scene.composer.isTouched && scene.composer.isOpen)
  }

  @Test func `clearing an edit restores the content set aside`() {
    let scene = Scene.general.composing(.type("mine"), .editBegan("m2", Composition("two")), .cleared(keeping: nil))
    #expect(scene.composer.text == "mine")
    #expect(scene.composer.state == .new)
  }

  @Test func `a mention moves with the text before it`() {
    let scene = Scene.general.composing(.type("@a"), .pick("ada", as: "@Ada", in: 0..<2))
    for event in [Composer.Event.type("hi 🙂 "), .type("x", at: 0)] {
      #expect(scene.composing(event).composer.meant == ["ada: @Ada"])
    }
    let moved = scene.composing(.type("hi "), .erase(0..<2))
    #expect(moved.composer.text == " @Ada ")
    #expect(moved.composer.meant == ["ada: @Ada"])
  }

  @Test func `a mention stays when the text after it changes, also directly after it`() {
    let scene = Scene.general.composing(.pick("ada", as: "@Ada", in: 0..<0))
    for event in [Composer.Event.type("!", at: 4), .erase(4..<5), .type("!", at: 5)] {
      #expect(scene.composing(event).composer.meant == ["ada: @Ada"])
    }
  }

  @Test func `a change inside a mention removes it`() {
    let scene = Scene.general.composing(.type("x"), .pick("ada", as: "@Ada", in: 1..<1))
    let ends: [Composer.Event] = [
      .type("x", at: 2), .erase(4..<5), .erase(1..<2), .erase(0..<2), .erase(4..<6), .erase(1..<5), .erase(0..<6),
      .typed(Splice(1..<5, to: "@Ada")), .pick("bo", as: "@Bo", in: 2..<3),
    ]
    for event in ends { #expect(!scene.composing(event).composer.meant.contains { $0.hasPrefix("ada") }) }
  }

  @Test func `mentions are in the order of their ranges, not of picking`() {
    let scene = Scene.general.composing(
      .pick("cy", as: "@Cy", in: 0..<0), .pick("ada", as: "@Ada", in: 0..<0), .pick("bo", as: "@Bo", in: 5..<5))
    #expect(scene.composer.text == "@Ada @Bo @Cy ")
    #expect(scene.composer.meant == ["ada: @Ada", "bo: @Bo", "cy: @Cy"])
  }

  @Test func `a mention covers a part of the text inserted with it`() {
    for length in [-1, 0, 6, Int.max] {
      Scene.general.composingIsRefused(
        .mentionPicked("ada", Splice(0..<0, to: "@Ada "), length: length), refusal: .notComposable(.bo))
    }
    let whole = Scene.general.composing(.mentionPicked("ada", Splice(0..<0, to: "@Ada "), length: 5))
    #expect(whole.composer.meant == ["ada: @Ada "])
  }

  @Test func `a composer's content is limited in bytes, and deletions are always accepted`() {
    var scene = Scene.general { $0.limits.compositionByteCountMax = 30 }
    let refusal = Refusal.tooLarge(.compositionByteCount, count: 33, max: 30)
    scene.composingIsRefused(.type("12345678901"), refusal: refusal)
    scene = scene.composing(.type("1234567890"))
    scene.composingIsRefused(.type("1"), refusal: refusal)
    scene.composingIsRefused(
      .typed(Splice(0..<1, to: "🙂")), refusal: .tooLarge(.compositionByteCount, count: 33, max: 30))
    #expect(scene.composing(.typed(Splice(0..<2, to: "🙂"))).composer.text == "🙂34567890")
    scene.state.rules.limits.compositionByteCountMax = 3
    #expect(scene.composing(.erase(0..<1)).composer.text == "234567890")
    #expect(scene.composing(.typed(Splice(0..<2, to: "x"))).composer.text == "x34567890")
  }

  @Test func `the time of typing is stored until the message is sent, cleared or left, or the edit ends`() {
    let (now, later) = (Timestamp.start.plus(5), Timestamp.start.plus(9))
    let typed = Scene.general.composing(.type("hello"), at: now)
    #expect(typed.composer.typed == now)
    #expect(typed.composing(.selectionMoved(0..<0), .attached(.done(.picture)), at: later).composer.typed == now)
    #expect(typed.composing(.type("!"), at: later).composer.typed == later)
    for event in [
      Composer.Event.sent("m3", keeping: nil), .cleared(keeping: nil), .left(keepingContent: true),
      .left(keepingContent: false),
    ] {
      #expect(typed.composing(event, at: later).composer.typed == nil)
    }
    let edited = typed.composing(.editBegan("m2", Composition("two")), .type("!"), at: later)
    for end in Composer.EditEnd.allCases { #expect(edited.composing(.editEnded(end)).composer.typed == nil) }
  }
}

extension ComposedAttachment {
  /// Returns an uploaded attachment.
  static func done(_ attachment: Chat.Attachment) -> ComposedAttachment { ComposedAttachment(attachment, .done) }
}
