// A random typist, which performs each text action on a composer and on a simple reference.
import Chat
import ChatComposer
import ChatSamples
import SeededRandom

/// Performs random actions and reports differences.
struct Typist {
  static let key = Composer.Key(of: "bo", on: "phone", in: "general")
  static let people = [
    ("mike", "Mike Morgan"), ("ada", "Ada"), ("zoe", "Zoe\u{308}"), ("yusuf", "يوسف"), ("family", "👩‍👩‍👧"),
    ("mark", "\u{301}m"),
    ("at", "A @b"),
  ]

  var random: SeededRandom
  let script: Script
  private var reducer = ComposerReducer(Composer(key))
  private var folded = Composer(key)
  private var naive = NaiveComposer()
  private var state: InMemoryChatState
  private var now = Timestamp(rawValue: 1_700_000_000_000_000)
  /// The latest actions and their events; not as text, which few steps need and which takes a fifth of the time.
  private var steps: [Any] = []

  init(_ random: SeededRandom, _ script: Script) throws {
    (self.random, self.script, state) = (random, script, InMemoryChatState())
    let intents: [ChatIntent] = [
      .user("bo", .create(User.Profile(name: "Bo"))),
      .channel("general", .create("team", Channel.Profile(), ChannelConfig(), members: [])),
    ]
    for intent in intents {
      for event in try decide(intent, by: .user("bo"), at: now, given: state) { fold(event, into: &state) }
    }
  }

  /// The latest actions and their events, for diagnosis.
  var recent: [String] { steps.map { "\($0)" } }

  /// Restarts with an empty composer.
  mutating func startOver() {
    (reducer, folded, naive, steps) = (ComposerReducer(Composer(Self.key)), Composer(Self.key), NaiveComposer(), [])
  }

  /// Performs an action; returns a description of the failure, if any.
  mutating func step() -> String? {
    now = now + Microseconds(rawValue: 1000)
    if random.once(in: 60) { restart() }
    let before = reducer.composer
    let events: [Composer.Event]
    do {
      events = try act()
    } catch {
      return "refused: \(error)"
    }
    return complaint(events, before)
  }

  /// Simulates a restart of the process that continues from the recorded events.
  private mutating func restart() {
    steps.append("restart")
    reducer = ComposerReducer(folded)
    naive.forget()
  }
}

// MARK: What is done

extension Typist {
  private mutating func act() throws -> [Composer.Event] {
    let isLong = naive.page.units.count > 90
    switch random.below(100) {
    case 0..<6 where isLong: return try perform(.setText("")) { $0.set([]) }
    case 0..<34: return try type()
    case 34..<48: return try move()
    case 48..<54: return try replace()
    case 54..<62: return try setText()
    case 62..<66:
      let new = units(random.below(5))
      return try perform(.paste(String(decoding: new, as: UTF16.self))) { $0.paste(NaiveComposer.repaired(new)) }
    case 66..<78: return try perform(.backspace) { $0.backspace() }
    case 78..<86: return try pick()
    case 86..<92: return try perform(.undo) { $0.undo() }
    case 92..<96: return try perform(.redo) { $0.redo() }
    default: return try command()
    }
  }

  private mutating func type() throws -> [Composer.Event] {
    let new = units(1)
    return try perform(.type(String(decoding: new, as: UTF16.self))) { $0.type(NaiveComposer.repaired(new)) }
  }

  private mutating func move() throws -> [Composer.Event] {
    // Most moves are to a position in the text, the others to its ends, or no-ops.
    let range =
      switch random.below(6) {
      case 0: naive.page.units.count..<naive.page.units.count
      case 1: naive.page.low..<naive.page.high
      default: range()
      }
    return try perform(.moveSelection(range)) { $0.select(range.lowerBound, range.upperBound) }
  }

  private mutating func replace() throws -> [Composer.Event] {
    let (range, new) = (range(), units(random.below(3)))
    return try perform(.replace(range, with: String(decoding: new, as: UTF16.self))) {
      $0.replace(range.lowerBound, range.upperBound, with: NaiveComposer.repaired(new))
    }
  }

  /// Sets the text as the binding of a text view does: the same text with some units changed, cut anywhere.
  private mutating func setText() throws -> [Composer.Event] {
    var all = naive.page.units
    if !random.once(in: 6) {
      let (a, b) = (random.below(all.count + 1), random.below(all.count + 1))
      let end = random.once(in: 3) ? max(a, b) : min(all.count, min(a, b) + random.below(3))
      all.replaceSubrange(min(a, b)..<end, with: units(random.below(3)))
    }
    return try perform(.setText(String(decoding: all, as: UTF16.self))) { $0.set(NaiveComposer.repaired(all)) }
  }

  private mutating func pick() throws -> [Composer.Event] {
    guard let query = reducer.suggestionQuery else {
      return try perform(.type(" @")) { $0.type(Array(" @".utf16)) }
    }
    if query.handler is InstantCommandsHandler {
      let id = random.pick(NaiveComposer.commands)
      steps.append("pick command \(id)")
      let showsAll = query.typing.range.isEmpty
      if showsAll { naive.activate(id) } else { naive.pick(command: id) }
      return reducer.pick(.instantCommand(ID(stringLiteral: id)), for: query, at: now)
    }
    let (user, name) = random.pick(Self.people)
    steps.append("pick \(user) for \(query.typing)")
    naive.pick(user, named: name)
    return reducer.pick(.chatUser(ID(stringLiteral: user), name: UserText(name)), for: query, at: now)
  }

  private mutating func command() throws -> [Composer.Event] {
    let id = random.pick(NaiveComposer.commands)
    let user = random.once(in: 2) ? nil : random.pick(Self.people).0
    switch random.below(5) {
    case 0: return try perform(.activate(ID(stringLiteral: id))) { $0.activate(id) }
    case 1: return try perform(.clearCommand) { $0.clearCommand() }
    case 2: return try perform(.target(user.map { ID(stringLiteral: $0) })) { $0.target(user) }
    case 3: return try perform(.showCommands(random.once(in: 2))) { _ in }
    default: return try perform(.paste("/\(id) ")) { $0.paste(Array("/\(id) ".utf16)) }
    }
  }

  private mutating func perform(
    _ action: Composer.Action, _ model: (inout NaiveComposer) -> Void
  ) throws -> [Composer.Event] {
    steps.append(action)
    model(&naive)
    return try reducer.act(action, at: now)
  }

  /// Returns a number of pieces, rarely cut within a grapheme cluster or surrogate pair.
  private mutating func units(_ count: Int) -> [UInt16] {
    var units: [UInt16] = []
    for _ in 0..<count {
      units += Array((random.once(in: 4) ? random.pick(commonPieces) : random.pick(script.pieces)).utf16)
    }
    if units.count > 1, random.once(in: 12) { units.removeFirst(1 + random.below(units.count - 1)) }
    if units.count > 1, random.once(in: 12) { units.removeLast(1 + random.below(units.count - 1)) }
    return units
  }

  /// Returns a range in or around the text, often short or a caret.
  private mutating func range() -> Range<Int> {
    let a = random.below(naive.page.units.count + 9) - 4
    if random.once(in: 2) { return a..<a }
    return a..<a + random.below(random.once(in: 3) ? naive.page.units.count + 9 : 5)
  }
}

extension Range<Int> {
  fileprivate var offsets: UTF16Range { UTF16Offset(rawValue: lowerBound)..<UTF16Offset(rawValue: upperBound) }
}

// MARK: What is compared

extension Typist {
  private mutating func complaint(_ events: [Composer.Event], _ before: Composer) -> String? {
    let composer = reducer.composer
    steps.append(events)
    if steps.count > 24 { steps.removeFirst(steps.count - 24) }
    let page = NaiveComposer.Page(composer)
    if page != naive.page { return "it holds \(page) and not \(naive.page)" }
    if reducer.canUndo != naive.canUndo || reducer.canRedo != naive.canRedo {
      return "undo or redo is there or not"
    }
    let query = reducer.suggestionQuery
    if !composer.showsCommands, query.map({ NaiveComposer.Query($0) }) != naive.query {
      return "it asks for \(String(describing: query)) and not for \(String(describing: naive.query))"
    }
    if let defect = composer.defect { return defect }
    if let complaint = recording(events) { return complaint }
    if folded != composer { return "its events come to \(folded) and not to \(composer)" }
    let isSame =
      before.content == composer.content && before.selection == composer.selection
      && before.showsCommands == composer.showsCommands
    return isSame == events.isEmpty ? nil : isSame ? "events change nothing: \(events)" : "a change has no events"
  }

  private mutating func recording(_ events: [Composer.Event]) -> String? {
    state[Self.key] = folded
    do {
      _ = try decide(.composer(Self.key, .record(events)), by: .user("bo", on: "phone"), at: now, given: state)
    } catch {
      return "cannot be recorded: \(error)"
    }
    for event in events {
      if let range = event.changed, !folded.content.text.allows(range) {
        return "\(range) is not in the text, or cuts a pair of surrogates"
      }
      folded.apply(event, at: now)
    }
    return nil
  }
}

extension Composer.Event {
  /// The changed range of the text.
  fileprivate var changed: UTF16Range? {
    switch self {
    case .typed(let splice, _), .mentionPicked(_, let splice, _), .replaced(let splice, _, _, _): splice.range
    case .commandActivated(_, let splice), .commandCleared(let splice): splice?.range
    default: nil
    }
  }
}

extension NaiveComposer.Page {
  fileprivate init(_ composer: Composer) {
    let content = composer.content
    (units, low, high) = (
      content.text.units, composer.selection.lowerBound.rawValue, composer.selection.upperBound.rawValue
    )
    mentions = content.mentions.map { mention in
      NaiveComposer.Meant(
        user: mention.user.text, low: mention.range.lowerBound.rawValue, high: mention.range.upperBound.rawValue)
    }
    (command, target) = (content.command?.id.text, content.command?.target?.text)
  }
}

extension NaiveComposer.Query {
  fileprivate init(_ query: SuggestionQuery) {
    let (low, high) = (query.typing.range.lowerBound.rawValue, query.typing.range.upperBound.rawValue)
    self =
      switch query.handler {
      case is InstantCommandsHandler: .command(low, high)
      case is any TwoStepMentionCommand: .target(low, high)
      default: .mention(low, high)
      }
  }
}
