// A test harness of a reducer, for tests of the events of each action.
import Chat
import ChatComposer
import Testing

/// A reducer with its recorded events; they are folded in parallel, and both results must be equal.
struct Desk {
  static let now = Timestamp(rawValue: 1_700_000_000_000_000)

  private(set) var reducer: ComposerReducer
  private var folded: Composer

  /// Creates an empty composer.
  init(
    in composerContext: ComposerContext = ComposerContext(), thread: Message.ID? = nil,
    _ choose: (inout ComposerOptions) -> Void = { _ in }
  ) {
    var options = ComposerOptions()
    choose(&options)
    folded = Composer(Composer.Key(of: "bo", on: "phone", in: "general", thread: thread))
    reducer = ComposerReducer(folded, in: composerContext, options: options)
  }

  /// Creates a composer with a text, and the caret after it.
  init(_ text: TypedText, in composerContext: ComposerContext = ComposerContext()) {
    self.init(in: composerContext)
    note(reducer.open(with: Composition(text), at: Self.now))
  }

  var composer: Composer { reducer.composer }
  var content: Composition { reducer.content }
}

// MARK: What is done

extension Desk {
  /// Performs an action and returns its events.
  @discardableResult
  mutating func act(
    _ action: Composer.Action, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Composer.Event] {
    do {
      return note(try reducer.act(action, at: Self.now), sourceLocation)
    } catch {
      Issue.record("\(action) is refused: \(error)", sourceLocation: sourceLocation)
      return []
    }
  }

  /// Performs an action that must be a no-op.
  mutating func actInVain(_ action: Composer.Action, sourceLocation: SourceLocation = #_sourceLocation) {
    let before = composer
    #expect(act(action, sourceLocation: sourceLocation) == [], "\(action)", sourceLocation: sourceLocation)
    #expect(composer == before, "\(action)", sourceLocation: sourceLocation)
  }

  /// Performs an action that must be refused.
  mutating func actRefused(
    _ action: Composer.Action, _ refusal: ComposerRefusal, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = composer
    let error = #expect(throws: ComposerRefusal.self, sourceLocation: sourceLocation) {
      try reducer.act(action, at: Self.now)
    }
    #expect(error == refusal, sourceLocation: sourceLocation)
    #expect(error?.description.hasSuffix(".") == true, sourceLocation: sourceLocation)
    #expect(composer == before, sourceLocation: sourceLocation)
  }

  /// Types letter by letter.
  mutating func type(_ text: String) { for letter in text { act(.type(String(letter))) } }

  /// Moves the caret.
  mutating func move(to place: UTF16Offset) { act(.moveSelection(place.rawValue..<place.rawValue)) }

  /// Picks a user for the current query.
  @discardableResult
  mutating func pick(
    _ user: User.ID, named name: UserText, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Composer.Event] { pick(.chatUser(user, name: name), sourceLocation) }

  /// Picks a command for the current query.
  @discardableResult
  mutating func pick(
    command: ComposedCommand.ID, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Composer.Event] { pick(.instantCommand(command), sourceLocation) }

  private mutating func pick(_ answer: SuggestionValue, _ sourceLocation: SourceLocation) -> [Composer.Event] {
    guard let query = reducer.suggestionQuery else {
      Issue.record("nothing is suggested", sourceLocation: sourceLocation)
      return []
    }
    return note(reducer.pick(answer, for: query, at: Self.now), sourceLocation)
  }

  /// Opens the composer.
  @discardableResult
  mutating func open(with draft: Composition? = nil) -> [Composer.Event] {
    note(reducer.open(with: draft, at: Self.now))
  }

  /// Applies a new context.
  @discardableResult
  mutating func updateContext(_ composerContext: ComposerContext) -> [Composer.Event] {
    note(reducer.updateContext(composerContext, at: Self.now))
  }

  /// Records events that were decided elsewhere.
  mutating func commit(_ events: Composer.Event...) {
    reducer.commit(events, at: Self.now)
    note(events)
  }

  /// Simulates a restart of the process that continues from the recorded events.
  mutating func restart() {
    reducer = ComposerReducer(folded, in: reducer.composerContext, options: reducer.options)
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
  /// The text with the caret as `|`, or the selection in brackets.
  var shown: String {
    let (units, range) = (content.text.units, composer.selection)
    func part(_ range: Range<Int>) -> String { String(decoding: units[range], as: UTF16.self) }
    let (low, high) = (range.lowerBound.rawValue, range.upperBound.rawValue)
    let middle = range.isEmpty ? "|" : "[\(part(low..<high))]"
    return part(0..<low) + middle + part(high..<units.count)
  }

  /// The mentioned users with their text.
  var meant: [String] {
    content.mentions.map { mention in
      let range = mention.range.lowerBound.rawValue..<mention.range.upperBound.rawValue
      return "\(mention.user): \(String(decoding: content.text.units[range], as: UTF16.self))"
    }
  }

  /// The text of the current suggestion query; nil if there is none.
  var asked: String? { reducer.suggestionQuery?.typing.text.string }
}

extension ComposerContext {
  /// Returns the context of a channel with the given messages.
  static func around(_ messages: Message...) -> ComposerContext {
    var composerContext = ComposerContext()
    for message in messages { composerContext.messages[message.key.id] = .present(message) }
    return composerContext
  }
}
