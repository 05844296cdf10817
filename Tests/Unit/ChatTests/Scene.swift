// The given-when-then vocabulary of the domain tests: events so far, an intent, and its outcome.
import Chat
import Testing

/// The events so far, with their state.
struct Scene {
  var state: InMemoryChatState
  var events: [ChatEvent] = []

  /// Creates an empty scene under some rules.
  init(_ change: (inout Rules) -> Void = { _ in }) {
    var rules = Rules()
    rules.draftMessagesEnabled = true
    change(&rules)
    state = InMemoryChatState(rules: rules)
  }

  /// Returns the scene after intents; a refusal fails the test.
  func and(
    _ intents: ChatIntent..., by actor: Author = .system, at instant: Timestamp = .start,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Scene {
    var scene = self
    for intent in intents {
      do {
        for event in try decide(intent, by: actor, at: instant, given: scene.state) { scene.fold(event) }
      } catch {
        Issue.record("\(intent) is refused: \(error)", sourceLocation: sourceLocation)
      }
    }
    return scene
  }

  mutating func fold(_ event: ChatEvent) {
    Chat.fold(event, into: &state)
    events.append(event)
  }

  /// Returns the outcome of an intent.
  func when(_ intent: ChatIntent, by actor: Author, at instant: Timestamp = .start) -> Outcome {
    Outcome(scene: self, intent: intent, actor: actor, instant: instant)
  }
}

/// The outcome of an intent.
struct Outcome {
  let scene: Scene
  let intent: ChatIntent
  let actor: Author
  let instant: Timestamp

  private func changes(in state: InMemoryChatState) throws(Refusal) -> [ChatEvent.Change] {
    try decide(intent, by: actor, at: instant, given: state).map(\.change)
  }

  /// Expects these changes, and that the repeated intent is a no-op.
  @discardableResult
  func then(_ expected: ChatEvent.Change..., sourceLocation: SourceLocation = #_sourceLocation) -> Scene {
    var scene = scene
    do {
      #expect(try changes(in: scene.state) == expected, sourceLocation: sourceLocation)
      let stamp = EventOrigin(by: actor, at: instant)
      for change in expected { scene.fold(ChatEvent(change, stamp)) }
      #expect(try changes(in: scene.state) == [], "wanted a second time", sourceLocation: sourceLocation)
    } catch {
      Issue.record("refused: \(error)", sourceLocation: sourceLocation)
    }
    return scene
  }

  /// Expects a no-op without a refusal.
  func thenNothing(sourceLocation: SourceLocation = #_sourceLocation) {
    then(sourceLocation: sourceLocation)
  }

  /// Expects this refusal, described in one sentence.
  func thenRefused(_ expected: Refusal, sourceLocation: SourceLocation = #_sourceLocation) {
    let refusal = #expect(throws: Refusal.self, sourceLocation: sourceLocation) {
      try changes(in: scene.state)
    }
    #expect(refusal == expected, sourceLocation: sourceLocation)
    #expect(refusal?.description.hasSuffix(".") == true, sourceLocation: sourceLocation)
  }
}

extension Timestamp {
  /// The instant at which scenes start.
  static let start = Timestamp(rawValue: 1_700_000_000_000_000)

  /// Returns the instant later by seconds and microseconds.
  func plus(_ seconds: Int64 = 0, microseconds: Int64 = 0) -> Timestamp {
    self + .seconds(seconds) + Microseconds(rawValue: microseconds)
  }
}

extension Scene {
  /// Ada owns the channel “general”, Mo moderates it, Bo and Cy are members, Gil is a guest; Dee is not in it, and Root
  /// is an administrator. Ada sent “one” (m1), Bo sent “two” (m2).
  static var general: Scene { general { _ in } }

  /// Returns the same scene under other rules.
  static func general(_ change: (inout Rules) -> Void) -> Scene {
    let names = ["ada", "bo", "cy", "dee", "gil", "mo", "root"]
    var scene = Scene(change)
    for name in names {
      scene = scene.and(.user(ID(stringLiteral: name), .create(User.Profile(name: UserText(name)))))
    }
    return
      scene
      .and(.user("root", .changeRole(.admin)))
      .and(
        .channel("general", .create("team", Channel.Profile(name: "General"), ChannelConfig(), members: ["bo", "cy"])),
        by: .ada
      )
      .and(.member(Member.Key("general", "mo"), .add(.moderator)), .member(Member.Key("general", "gil"), .add(.guest)))
      .and(.message(.m1, .send(Message.Content("one"))), by: .ada)
      .and(.message(.m2, .send(Message.Content("two"))), by: .bo)
  }
}

extension Author {
  static let ada = Author.user("ada")
  static let bo = Author.user("bo")
  static let cy = Author.user("cy")
  static let dee = Author.user("dee")
  static let gil = Author.user("gil")
  static let mo = Author.user("mo")
  static let root = Author.user("root")
}

extension Message.Key {
  static let m1 = Message.Key("general", "m1")
  static let m2 = Message.Key("general", "m2")
  static let m3 = Message.Key("general", "m3")
}
