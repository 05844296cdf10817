// Tests of composers under random events: nothing traps, and no row violates an invariant.
import Chat
import SeededRandom
import Testing

struct ComposerFolds {
  @Test func `any sequence of events leaves a composer without a defect`() {
    var random = SeededRandom.printingSeed()
    for _ in 1...200 {
      var composer = Composer(.bo)
      var done: [Composer.Event] = []
      for step in 1...60 {
        let event = random.event(for: composer)
        done.append(event)
        let edited = event.edited(after: composer.editing)
        composer.apply(event, at: Timestamp.start.plus(Int64(step)))
        #expect(composer.defect == nil && composer.editing == edited, "seed \(random.seed): \(done)")
        if composer.defect != nil { return }
      }
    }
  }

  @Test func `any accepted sequence of events folds to the same composer`() throws {
    var random = SeededRandom.printingSeed()
    var recorded = 0
    for _ in 1...40 {
      var scene = Scene.general
      var composer = Composer(.bo)
      for _ in 1...60 {
        let event = random.event(for: composer)
        let intent = ChatIntent.composer(.bo, .record([event]))
        guard let events = try? decide(intent, by: .bosPhone, at: .start, given: scene.state) else { continue }
        for event in events { scene.fold(event) }
        composer.apply(event, at: .start)
        recorded += 1
        #expect(scene.composer == composer, "seed \(random.seed)")
      }
    }
    #expect(recorded > 1000)
  }
}

extension SeededRandom {
  private mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns an offset, mostly within a text, sometimes far outside.
  private mutating func place(in text: TypedText) -> UTF16Offset {
    below(20) == 0
      ? one(of: [-1, .init(rawValue: .min / 4), .init(rawValue: .max / 4)])
      : UTF16Offset(rawValue: below(text.units.count + 3))
  }

  private mutating func range(in text: TypedText) -> UTF16Range {
    let (a, b) = (place(in: text), place(in: text))
    return min(a, b)..<(below(2) == 0 ? min(a, b) : max(a, b))
  }

  private mutating func splice(in text: TypedText) -> Splice {
    Splice(range(in: text), to: one(of: ["", "x", "@Ada ", "🙂", "e\u{301}", "\r\n", "👩‍👩‍👧 /mute"]))
  }

  private mutating func composition() -> Composition {
    var content = Composition(one(of: ["", "hi @Ada @Bo", "🙂🙂"]))
    content.mentions = (0..<below(3)).map { _ in Mention(one(of: ["ada", "bo"]), at: range(in: content.text)) }
    content.attachments = (0..<below(3)).map { _ in .done(one(of: [.picture, .page])) }
    content.quoted = one(of: [nil, "m1"])
    content.command = one(of: [nil, ComposedCommand("mute", target: "ada")])
    return content
  }

  fileprivate mutating func event(for composer: Composer) -> Composer.Event {
    let text = composer.content.text
    let execution = CommandExecution.ID(stringLiteral: one(of: ["e1", "e2"]))
    let attachment = Chat.Attachment.ID(stringLiteral: one(of: ["picture", "page", "local"]))
    switch below(32) {
    case 0: return .opened
    case 1: return .filled(composition(), selection: range(in: text))
    case 2...8: return .typed(splice(in: text))
    case 9, 10:
      return .mentionPicked(one(of: ["ada", "bo"]), splice(in: text), length: one(of: [0, 1, 4, 5, -1, .max, .min]))
    case 11: return .selectionMoved(range(in: text))
    case 12: return .attached(one(of: [.done(.picture), ComposedAttachment(.onDevice, .local)]))
    case 13: return .detached(attachment)
    case 14: return .uploadProgressed(attachment, permille: UInt16(below(2000)))
    case 15: return .uploadFinished(attachment, url: "https://files.example")
    case 16: return one(of: [.uploadFailed(attachment, .text("offline")), .uploadRetried(attachment)])
    case 17: return one(of: [.quoted("m1"), .quoted("m2")])
    case 18: return .quoteEnded
    case 19, 20: return .editBegan(one(of: ["m1", "m2"]), composition())
    case 21: return .editEnded(one(of: Composer.EditEnd.allCases))
    case 22: return .entered(one(of: [.new, .edit, .quote, .poll]), keeping: one(of: [[], .all, [.text], [.command]]))
    case 23: return .pickerChanged(one(of: [.expanded(.media), .collapsed]))
    case 24:
      return one(of: [.commandsShown(true), .silentSet(true), .showsInChannelSet(true), .extraSet(["mood": "good"])])
    case 25: return .commandActivated(ComposedCommand("mute"), below(2) == 0 ? nil : splice(in: text))
    case 26: return .commandTargeted(one(of: [nil, "ada"]))
    case 27: return .commandCleared(below(2) == 0 ? nil : splice(in: text))
    case 28: return .commandStarted(CommandExecution(execution, of: ComposedCommand("mute"), arguments: ""))
    case 29: return one(of: [.commandExecuted(execution), .commandInterrupted(execution)])
    case 30:
      return one(of: [.sent("m3", keeping: nil), .cleared(keeping: nil), .previewDismissed(url: "https://a.example")])
    default: return .left(keepingContent: below(2) == 0)
    }
  }
}
