// Somebody who writes, in tests of what each action comes to.
import Chat
import ChatComposer
import Testing

/// A composer, and whoever writes in it; all that it records is folded beside it, and must come to the same.
struct Desk {
  static let now = Instant(rawValue: 1_700_000_000_000_000)

  private(set) var composing: ComposerReducer
  private var folded: Composer

  /// A composer with nothing in it.
  init(
    in composerContext: ComposerContext = ComposerContext(), thread: Message.ID? = nil,
    _ choose: (inout ComposerOptions) -> Void = { _ in }
  ) {
    var options = ComposerOptions()
    choose(&options)
    folded = Composer(Composer.Key(of: "bo", on: "phone", in: "general", thread: thread))
    composing = ComposerReducer(folded, in: composerContext, options: options)
  }

  /// A composer with a text, and the caret behind it.
  init(_ text: TypedText, in composerContext: ComposerContext = ComposerContext()) {
    self.init(in: composerContext)
    note(composing.open(with: Composition(text), at: Self.now))
  }

  var composer: Composer { composing.composer }
  var content: Composition { composing.content }
}

// MARK: What is done

extension Desk {
  /// Does something; answers what it comes to.
  @discardableResult
  mutating func act(
    _ action: Composer.Action, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Composer.Event] {
    do {
      return note(try composing.act(action, at: Self.now), sourceLocation)
    } catch {
      Issue.record("\(action) is refused: \(error)", sourceLocation: sourceLocation)
      return []
    }
  }

  /// Does something that comes to nothing.
  mutating func actInVain(_ action: Composer.Action, sourceLocation: SourceLocation = #_sourceLocation) {
    let before = composer
    #expect(act(action, sourceLocation: sourceLocation) == [], "\(action)", sourceLocation: sourceLocation)
    #expect(composer == before, "\(action)", sourceLocation: sourceLocation)
  }

  /// Tries to do something that cannot be done.
  mutating func actRefused(
    _ action: Composer.Action, _ refusal: ComposerRefusal, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = composer
    let error = #expect(throws: ComposerRefusal.self, sourceLocation: sourceLocation) {
      try composing.act(action, at: Self.now)
    }
    #expect(error == refusal, sourceLocation: sourceLocation)
    #expect(error?.description.hasSuffix(".") == true, sourceLocation: sourceLocation)
    #expect(composer == before, sourceLocation: sourceLocation)
  }

  /// Types letter by letter.
  mutating func type(_ text: String) { for letter in text { act(.type(TypedText(UserText(String(letter))))) } }

  /// Puts the caret somewhere.
  mutating func move(to place: UTF16Offset) { act(.moveSelection(place..<place)) }

  /// Picks a user for what is being typed.
  @discardableResult
  mutating func pick(
    _ user: User.ID, named name: UserText, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Composer.Event] { pick(.chatUser(user, name: name), sourceLocation) }

  /// Picks a command for what is being typed.
  @discardableResult
  mutating func pick(
    command: ComposedCommand.ID, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Composer.Event] { pick(.instantCommand(command), sourceLocation) }

  private mutating func pick(_ answer: SuggestionAnswer, _ sourceLocation: SourceLocation) -> [Composer.Event] {
    guard let query = composing.suggestionQuery else {
      Issue.record("nothing is suggested", sourceLocation: sourceLocation)
      return []
    }
    return note(composing.pick(answer, for: query, at: Self.now), sourceLocation)
  }

  /// Begins to write.
  @discardableResult
  mutating func open(with draft: Composition? = nil) -> [Composer.Event] {
    note(composing.open(with: draft, at: Self.now))
  }

  /// Something around it changes.
  @discardableResult
  mutating func meet(_ composerContext: ComposerContext) -> [Composer.Event] {
    note(composing.meet(composerContext, at: Self.now))
  }

  /// Something is recorded that others decided.
  mutating func commit(_ events: Composer.Event...) {
    composing.commit(events, at: Self.now)
    note(events)
  }

  /// The process ends, and another goes on with what was recorded.
  mutating func restart() {
    composing = ComposerReducer(folded, in: composing.composerContext, options: composing.options)
  }

  @discardableResult
  private mutating func note(
    _ events: [Composer.Event], _ sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Composer.Event] {
    for event in events { folded.apply(event, at: Self.now) }
    #expect(folded == composer, "what is recorded comes to something else", sourceLocation: sourceLocation)
    #expect(composer.defect == nil, sourceLocation: sourceLocation)
    return events
  }
}

// MARK: What is seen

extension Desk {
  /// The text with the caret as `|`, or what is selected in brackets.
  var shown: String {
    let (units, range) = (content.text.units, composer.selection)
    func part(_ range: Range<Int>) -> String { String(decoding: units[range], as: UTF16.self) }
    let (low, high) = (range.lowerBound.rawValue, range.upperBound.rawValue)
    let middle = range.isEmpty ? "|" : "[\(part(low..<high))]"
    return part(0..<low) + middle + part(high..<units.count)
  }

  /// Which text stands for whom.
  var meant: [String] {
    content.mentions.map { mention in
      let range = mention.range.lowerBound.rawValue..<mention.range.upperBound.rawValue
      return "\(mention.user): \(String(decoding: content.text.units[range], as: UTF16.self))"
    }
  }

  /// What was typed of what something is suggested for; nil when nothing is.
  var asked: String? { composing.suggestionQuery?.typing.text.string }
}

extension ComposerContext {
  /// A channel, and these messages as they stand.
  static func around(_ messages: Message...) -> ComposerContext {
    var composerContext = ComposerContext()
    for message in messages { composerContext.messages[message.key.id] = .present(message) }
    return composerContext
  }
}
