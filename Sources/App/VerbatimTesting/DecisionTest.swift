// Tests of decisions: given intents, when an intent, then events or a refusal.
public import Chat

/// A test of the domain without a log: given what happened, when an intent is decided, then these events follow.
///
/// ```swift
/// let hello = Message.Key("general", "m1")
/// try DecisionTest()
///   .given(.user("ada", .create(User.Profile(name: "Ada"))), by: .user("ada"))
///   .given(.channel("general", .create("team", Channel.Profile(), ChannelConfig(), members: [])), by: .user("ada"))
///   .when(.message(hello, .send(Message.Content("Hello"))), by: .user("ada"))
///   .then(.message(hello, .sent(Message.Content("Hello"))))
/// ```
///
/// A check that fails throws ``TestFailure``, which any test framework reports.
public struct DecisionTest: Sendable {
  /// The state that the next intent is decided on.
  public private(set) var state: InMemoryChatState
  /// The time at which the next intent is decided.
  public var instant: Timestamp

  /// Creates a test with an empty state.
  public init(rules: Rules = Rules(), at instant: Timestamp = TestClock().now) {
    (state, self.instant) = (InMemoryChatState(rules: rules), instant)
  }

  /// Returns the test after intents that must be granted.
  public func given(_ intents: ChatIntent..., by author: Author = .system) throws -> DecisionTest {
    var next = self
    for intent in intents {
      do throws(Refusal) {
        for event in try decide(intent, by: author, at: instant, given: next.state) { fold(event, into: &next.state) }
      } catch {
        throw TestFailure("The intent \(intent) is given, and was refused: \(error)")
      }
    }
    return next
  }

  /// Returns the test at a later time.
  public func after(_ duration: Duration) -> DecisionTest {
    let clock = TestClock(at: instant)
    clock.advance(by: duration)
    var next = self
    next.instant = clock.now
    return next
  }

  /// Decides an intent.
  public func when(_ intent: ChatIntent, by author: Author) -> Outcome {
    let result = Result { () throws(Refusal) in try decide(intent, by: author, at: instant, given: state) }
    return Outcome(intent: intent, author: author, result: result, test: self)
  }

  /// The outcome of a decision.
  public struct Outcome: Sendable {
    /// The decided intent.
    public let intent: ChatIntent
    internal let author: Author
    /// The events, or the refusal.
    public let result: Result<[ChatEvent], Refusal>
    internal let test: DecisionTest

    /// Expects exactly these changes, and that the intent is a no-op afterwards; returns the test with them folded.
    @discardableResult
    public func then(_ expected: ChatEvent.Change...) throws -> DecisionTest {
      let events = try granted()
      guard events.map(\.change) == expected else {
        throw TestFailure("The intent \(intent) was expected to give \(expected), and gave \(events.map(\.change)).")
      }
      var next = test
      for event in events { fold(event, into: &next.state) }
      if case .success(let again) = next.when(intent, by: author).result, !again.isEmpty {
        throw TestFailure("The intent \(intent) was expected to be a no-op the second time, and gave \(again).")
      }
      return next
    }

    /// Expects that the effect of the intent already holds, so that it gives no events.
    @discardableResult
    public func thenNothing() throws -> DecisionTest {
      let events = try granted()
      if !events.isEmpty { throw TestFailure("The intent \(intent) was expected to be a no-op, and gave \(events).") }
      return test
    }

    /// Expects a refusal.
    @discardableResult
    public func thenRefused(_ expected: Refusal) throws -> DecisionTest {
      switch result {
      case .success(let events):
        throw TestFailure("The intent \(intent) was expected to be refused (\(expected)), and gave \(events).")
      case .failure(expected): return test
      case .failure(let refusal):
        throw TestFailure("The intent \(intent) was expected to be refused (\(expected)); it was, because: \(refusal)")
      }
    }

    private func granted() throws -> [ChatEvent] {
      do throws(Refusal) { return try result.get() } catch {
        throw TestFailure("The intent \(intent) was expected to be granted, and was refused: \(error)")
      }
    }
  }
}

/// The error of a check that failed.
public struct TestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence: what was expected, and what was found.
  public let description: String

  internal init(_ description: String) { self.description = description }
}
