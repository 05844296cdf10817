// The reducer of composers: actions and pasted texts, in any order.
import Chat
import ChatCodec
import ChatComposer
import Foundation
import SeededRandom

extension Target {
  /// A first byte for the form: the choices of a random typist, or actions with their values.
  static let composer = Target(
    "composer", maxLength: 384, seeds: { _ in ComposerTarget.seeds }, check: ComposerTarget.check)
}

private enum ComposerTarget {
  private static let now = Timestamp(rawValue: 1_700_000_000_000_000)

  static func check(_ input: [UInt8]) {
    let form = Int(input.first ?? 0)
    let rest = Array(input.dropFirst())
    if form & 1 == 0 {
      type(rest, Script.allCases[form / 2 % Script.allCases.count])
    } else {
      var source = ByteSource(rest)
      act(&source)
    }
  }

  /// Types what the bytes choose; composer and reference must agree, as in the tests.
  private static func type(_ bytes: [UInt8], _ script: Script) {
    guard var typist = try? Typist(SeededRandom(bytes: bytes), script) else { preconditionFailure("no typist") }
    while !typist.random.isAtEnd {
      if let complaint = typist.step() {
        require(false, "\(complaint)\n\(typist.recent.joined(separator: "\n"))")
      }
    }
  }

  /// Performs actions, and checks what each promises.
  private static func act(_ source: inout ByteSource) {
    let key = Composer.Key(of: "bo", on: "phone", in: "general", thread: source.flag() ? "m1" : nil)
    var context = ComposerContext()
    for message in [message("m1", by: "ada"), message("m2", by: "bo")] {
      context.messages[message.key.id] = .present(message)
    }
    var folded = Composer(key)
    var reducer = ComposerReducer(folded, in: context)
    var count = 0
    while !source.isAtEnd, count < 64 {
      count += 1
      let before = reducer.composer
      let events: [Composer.Event]
      switch source.byte() % 40 {
      case 0:
        events = reducer.open(with: source.flag() ? Composition(TypedText(UserText(source.text()))) : nil, at: now)
      case 1:
        var changed = reducer.composerContext
        changed.messages["m2"] = source.flag() ? .gone : .present(message("m2", by: "bo"))
        events = reducer.updateContext(changed, at: now)
      case let number:
        let action = action(number, &source)
        do throws(ComposerRefusal) { events = try reducer.act(action, at: now) } catch {
          require(reducer.composer == before, "\(action) is refused and changes something")
          require(error.description.hasSuffix("."), "the refusal of \(action) is no sentence")
          continue
        }
      }
      for event in events {
        folded.apply(event, at: now)
        checkStored(event, key)
      }
      require(folded == reducer.composer, "\(events) fold to another composer")
      if let defect = reducer.composer.defect { require(false, "\(events): \(defect)") }
      checkUndo(reducer)
      _ = reducer.presentation(at: now)
    }
  }

  /// The event must be decoded from its stored form.
  private static func checkStored(_ event: Composer.Event, _ key: Composer.Key) {
    let event = ChatEvent(.composer(key, event), EventOrigin(by: .system, at: now))
    let written = encode(event)
    guard let type = StoredType(name: written.type) else { return require(false, "\(written.type) is no type") }
    let again = try? decode(written.payload.span.bytes, as: type, in: .composer(key), event.origin)
    require(again == event, "\(event) is read as \(String(describing: again))")
  }

  /// An undo and a redo must restore the text with its mentions and command.
  private static func checkUndo(_ reducer: ComposerReducer) {
    guard reducer.canUndo else { return }
    var copy = reducer
    _ = try? copy.act(.undo, at: now)
    require(copy.canRedo, "what was undone cannot be redone")
    _ = try? copy.act(.redo, at: now)
    let (before, after) = (reducer.content, copy.content)
    require(before.text == after.text, "after undo and redo, \(before.text) is \(after.text)")
    require(before.mentions == after.mentions, "after undo and redo, \(before.mentions) are \(after.mentions)")
    require(before.command == after.command, "after undo and redo, the command differs")
  }

  private static func message(_ id: Message.ID, by author: User.ID) -> Message {
    .sample("words", id, by: author)
  }

  private static func action(_ number: UInt8, _ source: inout ByteSource) -> Composer.Action {
    switch number {
    case 2...8: .type(source.text())
    case 9: .replace(source.range(), with: source.text())
    case 10: .setText(source.text())
    case 11, 12: .backspace
    case 13, 14: .moveSelection(source.range())
    case 15: .paste(source.text())
    case 16, 17: .undo
    case 18: .redo
    case 19: .showCommands(source.flag())
    case 20: .activate(source.choice(["giphy", "mute", "ban", "flag", "none"]))
    case 21: .target(source.flag() ? "ada" : nil)
    case 22: .clearCommand
    case 23: .attach(attachment(&source))
    case 24: .detach(source.choice(["a", "b", "c"]))
    case 25: .changeAttachment(attachment(&source))
    case 26: .upload(source.choice(["a", "b", "c"]), step(&source))
    case 27: .dismissPreview(url: source.text())
    case 28: .quote(source.choice(["m1", "m2", "m3"]))
    case 29: .stopQuoting
    case 30: .beginEdit(message(source.choice(["m1", "m2"]), by: source.choice(["ada", "bo"])))
    case 31: .cancelEdit
    case 32: .enter(source.choice(["new", "edit", "quote", "poll"]), keeping: source.flag() ? .all : [.text])
    case 33: .showPicker(source.choice([.collapsed, .expanded(.none), .expanded(.media), .expanded(.custom("own"))]))
    case 34: .setShowsInChannel(source.flag())
    case 35: .setSilent(source.flag())
    case 36: .setExtra(["a": .text(UserText(source.text()))])
    case 37: .clear
    default: .custom("own", payload: [source.byte()])
    }
  }

  private static func attachment(_ source: inout ByteSource) -> Attachment {
    Attachment(
      source.choice(["a", "b", "c"]), source.choice([.image, .file, .link, .custom("own", payload: [])]),
      at: .device(UserText(source.text())), title: UserText(source.text()),
      byteCount: UInt64(source.byte()) << (source.byte() % 64))
  }

  private static func step(_ source: inout ByteSource) -> Composer.UploadStep {
    switch source.byte() % 6 {
    case 0: .progressed(Double(source.byte()) / 255)
    case 1: .progressed(source.choice([.nan, .infinity, -1, 1e300]))
    case 2: .finished(url: source.text())
    case 3: .failed(.text(UserText(source.text())))
    default: .retried
    }
  }

  static var seeds: [String: [UInt8]] {
    var seeds: [String: [UInt8]] = [:]
    let typed = Array("\u{2}\u{6}@ada /giphy cat \u{B}\u{10}\u{12}\u{D}\u{5}\u{2}\u{14}".utf8)
    for form: UInt8 in 0..<16 {
      seeds["typed-\(form)"] = [form] + typed + typed.reversed()
      seeds["all-\(form)"] = [form] + (0..<40).flatMap { [$0, 2, 0x61, $0] as [UInt8] }
    }
    return seeds
  }
}

extension Message {
  fileprivate static func sample(_ text: UserText, _ id: Message.ID, by author: User.ID) -> Message {
    Message(
      key: Key("general", id), author: author, content: Content(text), number: Number(rawValue: 1),
      sent: Timestamp(rawValue: 1_690_000_000_000_000), delivery: .settled)
  }
}
