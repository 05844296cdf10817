// A random history: people who want things of each other, and what came of it.
public import Chat
public import SeededRandom

/// What a small world's people want one after the other, what happened of it and what was refused.
///
/// The same seed gives the same history.
public struct History {
  /// Who wants what.
  public private(set) var world: World
  /// What stands.
  public private(set) var state: InMemoryChatState
  /// What has happened.
  public private(set) var events: [ChatEvent] = []
  /// How often each kind of event happened.
  public private(set) var eventCounts: [EventKind: Int] = [:]
  /// How often something was refused for each reason.
  public private(set) var refusalCounts: [RefusalKind: Int] = [:]
  /// How often something was wanted that was so already.
  public private(set) var vainCount = 0

  /// Nothing has happened, under rules that are reached often.
  public init(_ random: SeededRandom, rules: Rules = .tight) {
    (world, state) = (World(random), InMemoryChatState(rules: rules))
  }

  /// It goes on after some events that led to a state, no earlier than an instant.
  public init(_ random: SeededRandom, from state: InMemoryChatState, after count: Int, at instant: Instant) {
    (world, self.state) = (World(random, age: count, at: instant), state)
  }

  /// What somebody wanted, and what came of it.
  public struct Step {
    /// What was wanted.
    public let intent: ChatIntent
    /// Who wanted it.
    public let actor: Author
    /// When.
    public let instant: Instant
    /// What happened, or why nothing did.
    public let outcome: Result<[ChatEvent], Refusal>
  }

  /// Somebody wants something.
  @discardableResult
  public mutating func step() -> Step {
    let (intent, actor) = world.intent(in: state)
    let now = world.now
    let outcome = Result { () throws(Refusal) in try decide(intent, by: actor, at: now, given: state) }
    switch outcome {
    case .success(let events):
      if events.isEmpty { vainCount += 1 }
      for event in events {
        fold(event, into: &state)
        eventCounts[EventKind(event), default: 0] += 1
      }
      self.events += events
    case .failure(let refusal): refusalCounts[RefusalKind(refusal), default: 0] += 1
    }
    return Step(intent: intent, actor: actor, instant: now, outcome: outcome)
  }
}

extension Rules {
  /// Rules whose limits are so low that random intents reach each of them.
  public static var tight: Rules {
    var rules = Rules()
    rules.draftMessagesEnabled = true
    rules.limits.textByteCountMax = 300
    rules.limits.extraByteCountMax = 200
    rules.limits.extraDepthMax = 3
    rules.limits.membersPerAddMax = 3
    rules.limits.nameLengthMax = 20
    rules.limits.lineByteCountMax = 80
    rules.limits.attachmentsMax = 3
    rules.limits.attachmentByteCountMax = 400
    rules.limits.uploadByteCountMax = 1 << 32
    rules.limits.mentionsMax = 3
    rules.limits.reactionKindsMax = 2
    rules.limits.compositionByteCountMax = 2000
    rules.limits.payloadByteCountMax = 100
    return rules
  }
}
