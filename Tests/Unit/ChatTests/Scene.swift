// Given what happened, when somebody wants something, then this happens: the words in which the domain is tested.
import Chat
import Testing

/// What has happened so far.
struct Scene {
  var state: InMemoryChatState
  var events: [ChatEvent] = []

  /// Nothing has happened, under some rules.
  init(_ change: (inout Rules) -> Void = { _ in }) {
    var rules = Rules()
    rules.draftMessagesEnabled = true
    change(&rules)
    state = InMemoryChatState(rules: rules)
  }

  /// What somebody wanted has happened too; a refusal fails the test.
  func and(
    _ intents: ChatIntent..., by actor: Author = .system, at instant: Instant = .start,
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

  /// Somebody wants something.
  func when(_ intent: ChatIntent, by actor: Author, at instant: Instant = .start) -> Outcome {
    Outcome(scene: self, intent: intent, actor: actor, instant: instant)
  }
}

/// What comes of something that somebody wants.
struct Outcome {
  let scene: Scene
  let intent: ChatIntent
  let actor: Author
  let instant: Instant

  private func changes(in state: InMemoryChatState) throws(Refusal) -> [ChatEvent.Change] {
    try decide(intent, by: actor, at: instant, given: state).map(\.change)
  }

  /// This happens; wanted a second time, nothing more does.
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

  /// Nothing happens, and nothing is refused.
  func thenNothing(sourceLocation: SourceLocation = #_sourceLocation) {
    then(sourceLocation: sourceLocation)
  }

  /// It is refused, for this reason, in one sentence.
  func thenRefused(_ expected: Refusal, sourceLocation: SourceLocation = #_sourceLocation) {
    let refusal = #expect(throws: Refusal.self, sourceLocation: sourceLocation) {
      try changes(in: scene.state)
    }
    #expect(refusal == expected, sourceLocation: sourceLocation)
    #expect(refusal?.description.hasSuffix(".") == true, sourceLocation: sourceLocation)
  }
}

extension Instant {
  /// When scenes begin.
  static let start = Instant(rawValue: 1_700_000_000_000_000)

  /// So many seconds and microseconds later.
  func plus(_ seconds: Int64 = 0, microseconds: Int64 = 0) -> Instant {
    self + .seconds(seconds) + Microseconds(rawValue: microseconds)
  }
}

extension Scene {
  /// Ada owns the channel “general”, Mo keeps order in it, Bo and Cy are members, Gil is a guest; Dee is not in it, and
  /// Root is an administrator. Ada said “one” (m1), Bo said “two” (m2).
  static var general: Scene { general { _ in } }

  /// The same under other rules.
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
