// A random history: intents of users, and their outcomes.
public import Chat
public import SeededRandom

/// The intents of the users of a small world, with the resulting events and refusals.
///
/// The same seed gives the same history.
public struct History {
  /// The source of intents.
  public private(set) var world: World
  /// The current state.
  public private(set) var state: InMemoryChatState
  /// The events so far.
  public private(set) var events: [ChatEvent] = []
  /// The number of events of each kind.
  public private(set) var eventCounts: [EventKind: Int] = [:]
  /// The number of refusals for each reason.
  public private(set) var refusalCounts: [RefusalKind: Int] = [:]
  /// The number of no-ops: intents whose effect already held.
  public private(set) var vainCount = 0

  /// Creates an empty history, under rules whose limits are reached often.
  public init(_ random: SeededRandom, rules: Rules = .tight, hasLaterEvents: Bool = true) {
    (world, state) = (World(random), InMemoryChatState(rules: rules))
    world.hasLaterEvents = hasLaterEvents
  }

  /// Continues after the events that led to a state, no earlier than an instant.
  public init(_ random: SeededRandom, from state: InMemoryChatState, after count: Int, at instant: Timestamp) {
    (world, self.state) = (World(random, age: count, at: instant), state)
  }

  /// An intent and its outcome.
  public struct Step {
    /// The intent.
    public let intent: ChatIntent
    /// The author of the intent.
    public let actor: Author
    /// The instant of the intent.
    public let instant: Timestamp
    /// The resulting events, or the refusal.
    public let outcome: Result<[ChatEvent], Refusal>
  }

  /// Decides the next intent and folds its events.
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
    rules.limits.pollOptionsMax = 5
    rules.limits.compositionByteCountMax = 2000
    rules.limits.payloadByteCountMax = 100
    return rules
  }
}
