// Live queries: queries that run again when their result may have changed.
package import Chat
package import ChatCodec
internal import ChatProjections
internal import Errors
internal import EventLog
internal import Projections

/// A query with its dependencies.
package struct LiveQuery<Answer: Equatable & Sendable>: Sendable {
  /// Runs the query, given the last result; also returns the instant until which the result is valid without further
  /// events, nil if it does not expire.
  let ask: @Sendable (ClientReading, Answer?) throws(ReadError) -> (answer: Answer, until: Timestamp?)
  /// Returns whether the result may depend on a stream, given the last result.
  let dependsOn: @Sendable (StreamSubject, Answer?) -> Bool
  /// Returns whether the result depends on events in some channels and composers, given the last result: a slower check
  /// that reads the current state.
  let dependsOnTargets: @Sendable (ClientReading, ChangedTargets, Answer?) throws(ReadError) -> Bool

  package init(
    dependsOn: @escaping @Sendable (StreamSubject, Answer?) -> Bool,
    dependsOnTargets: @escaping @Sendable (ClientReading, ChangedTargets, Answer?) throws(ReadError) -> Bool = {
      _, _, _ in true
    },
    ask: @escaping @Sendable (ClientReading, Answer?) throws(ReadError) -> (answer: Answer, until: Timestamp?)
  ) {
    (self.ask, self.dependsOn, self.dependsOnTargets) = (ask, dependsOn, dependsOnTargets)
  }
}

/// The channels and composers that changed.
package struct ChangedTargets: Sendable {
  package var channels: Set<Channel.ID> = []
  package var composers: Set<Composer.Key> = []

  package var isEmpty: Bool { channels.isEmpty && composers.isEmpty }
}

/// The result of a query, and a new one whenever it differs.
///
/// It ends when its task is cancelled.
package struct LiveQueryResults<Answer: Equatable & Sendable>: Sendable {
  let client: Client
  let question: LiveQuery<Answer>
  private var last: (answer: Result<Answer, Refusal>, until: Timestamp?)?
  /// The last result that was no refusal.
  private var lastGranted: Answer?
  /// The position up to which no other event can have changed the result.
  private var position = Position.zero
  /// The number of erasures in the tables of the last result.
  private var erasures = 0
  /// Whether the last attempt has failed: the next one waits for no event, and returns its result in any case.
  private var hasFailed = false

  package init(to question: LiveQuery<Answer>, by client: Client) { (self.question, self.client) = (question, client) }

  /// Returns the first result, the next that differs, the next one after an error, or a refusal; nil if the task was
  /// cancelled.
  package mutating func next() async throws(ReadError) -> Result<Answer, Refusal>? {
    do throws(ReadError) { return try await found() } catch {
      hasFailed = true
      throw error
    }
  }

  private mutating func found() async throws(ReadError) -> Result<Answer, Refusal>? {
    while !Task.isCancelled {
      if let last, !hasFailed {
        try await waitForMore(until: last.until)
        if Task.isCancelled { break }
        let isOver = last.until.map { $0 <= client.workspace.now } ?? false
        let areOthers = client.workspace.projections.erasureCount != erasures
        guard try await isTouched() || isOver || areOthers || client.workspace.stateStop != nil else { continue }
      }
      let (question, before) = (question, lastGranted)
      // If the tables are replaced meanwhile, the query runs again.
      erasures = client.workspace.projections.erasureCount
      do throws(ReadError) {
        let (position, found) = try await client.ask { reading throws(ReadError) in
          (reading.position, try question.ask(reading, before))
        }
        // Past an event that cannot be folded, the state is unknown.
        if let stop = client.workspace.stateStop { throw ReadError.projections(.stopped(stop)) }
        if let answer = move(to: position, .success(found.answer), until: found.until) { return answer }
      } catch .refused(let refusal) {
        // A refusal may be lifted later: any event runs the query again.
        if let answer = move(to: position, .failure(refusal), until: nil) { return answer }
      } catch {
        throw error
      }
    }
    return nil
  }

  /// Stores a result; returns it if it differs from the last, or follows an error.
  private mutating func move(
    to position: Position, _ answer: Result<Answer, Refusal>, until instant: Timestamp?
  ) -> Result<Answer, Refusal>? {
    let isKnown = answer == last?.answer && !hasFailed
    if case .success(let granted) = answer { lastGranted = granted }
    (self.position, last, hasFailed) = (position, (answer, instant), false)
    return isKnown ? nil : answer
  }

  /// Passes each result to the closure until the task is cancelled.
  ///
  /// After an error, which may pass, the query runs again after a time; equal errors in a row are passed once.
  package func forEach(
    retryingAfter time: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation,
    _ body: (Result<Answer, ReadError>) -> Void
  ) async {
    var (answers, failure): (Self, String?) = (self, nil)
    while !Task.isCancelled {
      do throws(ReadError) {
        guard let answer = try await answers.next(), !Task.isCancelled else { return }
        failure = nil
        body(answer.mapError { .refused($0) })
      } catch {
        if Task.isCancelled { return }
        if failure != "\(error)" { body(.failure(error)) }
        failure = "\(error)"
        try? await Task.sleep(for: time)
      }
    }
  }

  /// Shows the results in a model while it exists and the task is not cancelled.
  @MainActor
  package func show<Model: AnyObject & Sendable>(
    in model: Model, retryingAfter time: Duration = .seconds(1),
    _ show: @escaping @MainActor (Model, Result<Answer, ReadError>) -> Void
  ) -> Task<Void, Never> {
    Task { [weak model] in
      await forEach(retryingAfter: time) { result in if let model { show(model, result) } }
    }
  }

  /// Waits until an event is recorded, an instant is reached, or the tables may have been replaced after an erasure.
  private func waitForMore(until instant: Timestamp?) async throws(ReadError) {
    var time = instant.map { Duration.microseconds(max(0, ($0 - client.workspace.now).rawValue)) }
    do throws(LogError) {
      // No event follows the replacement of the tables.
      if try await client.workspace.hasErasures(besides: erasures) {
        time = min(time ?? Self.renewalDelay, Self.renewalDelay)
      }
      try await client.workspace.wait(beyond: position, for: time)
    } catch {
      throw .projections(.log(error))
    }
  }

  /// The time between two looks for new tables while they are being built.
  private static var renewalDelay: Duration { .milliseconds(100) }

  /// Returns whether an event was recorded on which the result may depend.
  private mutating func isTouched() async throws(ReadError) -> Bool {
    let (start, question, before) = (position, question, lastGranted)
    let touched = await client.workspace.offThread { workspace in
      Result { () throws(LogError) in
        try workspace.touched(behind: start) { subject in question.dependsOn(subject, before) }
      }
    }
    let found = try rethrow(touched.get(), as: ReadError.log)
    let wasRefused = if case .failure = last?.answer { found.end > position } else { false }
    position = found.end
    if wasRefused || found.isOther || found.targets.isEmpty { return wasRefused || found.isOther }
    do throws(ReadError) {
      return try await client.ask { reading throws(ReadError) in
        try question.dependsOnTargets(reading, found.targets, before)
      }
    } catch .refused {
      // Running the query again returns the refusal.
      return true
    }
  }
}

/// The streams that changed after a position.
private struct Touched {
  var end: Position
  var targets = ChangedTargets()
  /// Whether a stream changed that is neither a channel nor a composer.
  var isOther = false
}

extension ClientReading {
  /// Returns whether a user began or ended to type in a composer that changed, given who was listed as typing: most
  /// events are further keystrokes of these.
  package func isTypingOther(
    in targets: ChangedTargets, than isListed: (Composer.Key) -> Bool
  ) throws(ReadError) -> Bool {
    for key in targets.composers where try isTyping(in: key) != isListed(key) { return true }
    return false
  }
}

extension Workspace {
  /// Returns whether the log has other erasures than the first ones.
  fileprivate func hasErasures(besides count: Int) async throws(LogError) -> Bool {
    if keys == nil { return false }
    return try await offThread { workspace throws(LogError) in
      try workspace.store.readErasures()
      return workspace.store.log.content.erasureCount != count
    }
  }

  /// Returns the relevant streams that changed after a position.
  fileprivate func touched(
    behind start: Position, _ matters: (StreamSubject) -> Bool
  ) throws(LogError) -> Touched {
    var touched = Touched(end: start)
    try store.read(from: start.next) { event in
      touched.end = event.position
      // An event of an unknown stream cannot affect a result.
      guard let subject = try? StreamSubject(of: event), matters(subject) else { return .next }
      switch subject {
      case .channel(let id): touched.targets.channels.insert(id)
      case .composer(let key): touched.targets.composers.insert(key)
      case .user, .draft, .consumer, .app: touched.isOther = true
      }
      return .next
    }
    return touched
  }
}
