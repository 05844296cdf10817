// A question that is asked again when its answer may be another.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import EventLog
internal import Projections

/// A question, and what its answer depends on.
internal struct LiveQuery<Answer: Equatable & Sendable>: Sendable {
  /// What is asked, with the answer before; answers also until when the answer holds if nothing happens, where it does
  /// not hold for ever.
  let ask: @Sendable (ClientReading, Answer?) throws(ReadError) -> (answer: Answer, until: Instant?)
  /// Whether the answer may depend on what stands in a stream; told with the answer before.
  let dependsOn: @Sendable (StreamSubject, Answer?) -> Bool
  /// Whether it may depend on what happened in some channels and composers, as things stand: for answers that take
  /// longer than to find out; told with the answer before.
  let dependsOnPlaces: @Sendable (ClientReading, ChangedTargets, Answer?) throws(ReadError) -> Bool

  init(
    dependsOn: @escaping @Sendable (StreamSubject, Answer?) -> Bool,
    dependsOnPlaces: @escaping @Sendable (ClientReading, ChangedTargets, Answer?) throws(ReadError) -> Bool = {
      _, _, _ in true
    },
    ask: @escaping @Sendable (ClientReading, Answer?) throws(ReadError) -> (answer: Answer, until: Instant?)
  ) {
    (self.ask, self.dependsOn, self.dependsOnPlaces) = (ask, dependsOn, dependsOnPlaces)
  }
}

/// Channels and composers in which something happened.
internal struct ChangedTargets: Sendable {
  var channels: Set<Channel.ID> = []
  var composers: Set<Composer.Key> = []

  var isEmpty: Bool { channels.isEmpty && composers.isEmpty }
}

/// The answer to a question, and a new one whenever it is another.
///
/// It ends when its task is cancelled.
internal struct LiveQueryResults<Answer: Equatable & Sendable>: Sendable {
  let client: Client
  let question: LiveQuery<Answer>
  private var last: (answer: Result<Answer, Refusal>, until: Instant?)?
  /// Up to where nothing else can have changed the answer.
  private var position = Position.zero

  init(to question: LiveQuery<Answer>, by client: Client) { (self.question, self.client) = (question, client) }

  /// The answer, or the next that is another, or that there is none for now; nil when the task was cancelled.
  mutating func next() async throws(ReadError) -> Result<Answer, Refusal>? {
    while !Task.isCancelled {
      if let last {
        try await waitForMore(until: last.until)
        if Task.isCancelled { break }
        let isOver = last.until.map { $0 <= client.workspace.now } ?? false
        guard try await isTouched() || isOver || client.workspace.stateStop != nil else { continue }
      }
      let (question, before) = (question, try? last?.answer.get())
      do throws(ReadError) {
        let (position, found) = try await client.ask { reading throws(ReadError) in
          (reading.position, try question.ask(reading, before))
        }
        // Behind an event that cannot be folded nothing is known any more.
        if let stop = client.workspace.stateStop { throw ReadError.projections(.stopped(stop)) }
        if let answer = move(to: position, .success(found.answer), until: found.until) { return answer }
      } catch .refused(let refusal) {
        // What is refused may be granted later: it is asked again when anything happens.
        if let answer = move(to: position, .failure(refusal), until: nil) { return answer }
      } catch {
        throw error
      }
    }
    return nil
  }

  /// Takes note of an answer; answers it when it is another than before.
  private mutating func move(
    to position: Position, _ answer: Result<Answer, Refusal>, until instant: Instant?
  ) -> Result<Answer, Refusal>? {
    let before = last?.answer
    (self.position, last) = (position, (answer, instant))
    return answer == before ? nil : answer
  }

  /// Has a model show the answers, as long as it is there and the task is not cancelled.
  @MainActor
  func show<Model: AnyObject & Sendable>(
    in model: Model, _ show: @escaping @MainActor (Model, Result<Answer, ReadError>) -> Void
  ) -> Task<Void, Never> {
    Task { [weak model] in
      var answers = self
      do throws(ReadError) {
        while let answer = try await answers.next() {
          guard let model, !Task.isCancelled else { return }
          show(model, answer.mapError { .refused($0) })
        }
      } catch {
        if let model, !Task.isCancelled { show(model, .failure(error)) }
      }
    }
  }

  /// Waits until something is recorded, or an instant has come.
  private func waitForMore(until instant: Instant?) async throws(ReadError) {
    let time = instant.map { Duration.microseconds(max(0, ($0 - client.workspace.now).rawValue)) }
    do throws(LogError) { try await client.workspace.wait(beyond: position, for: time) } catch {
      throw .projections(.log(error))
    }
  }

  /// Whether something was recorded that the answer may depend on.
  private mutating func isTouched() async throws(ReadError) -> Bool {
    let (start, question, before) = (position, question, try? last?.answer.get())
    let touched = await client.workspace.offThread { workspace in
      Result { () throws(LogError) in
        try workspace.touched(behind: start) { subject in question.dependsOn(subject, before) }
      }
    }
    let found: Touched
    do throws(LogError) { found = try touched.get() } catch { throw .projections(.log(error)) }
    let wasRefused = if case .failure = last?.answer { found.end > position } else { false }
    position = found.end
    if wasRefused || found.isOther || found.places.isEmpty { return wasRefused || found.isOther }
    do throws(ReadError) {
      return try await client.ask { reading throws(ReadError) in
        try question.dependsOnPlaces(reading, found.places, before)
      }
    } catch .refused {
      // Whoever may not ask for this any more is told so by asking again.
      return true
    }
  }
}

/// What was written to, behind some position.
private struct Touched {
  var end: Position
  var places = ChangedTargets()
  /// Whether something was that is no channel and no composer.
  var isOther = false
}

extension Workspace {
  /// What was written to behind a position, of that which matters.
  fileprivate func touched(
    behind start: Position, _ matters: (StreamSubject) -> Bool
  ) throws(LogError) -> Touched {
    var touched = Touched(end: start)
    try store.read(from: start.next) { event in
      touched.end = event.position
      // What cannot be read is nothing that an answer could depend on.
      guard let subject = try? StreamSubject(of: event), matters(subject) else { return .next }
      switch subject {
      case .channel(let id): touched.places.channels.insert(id)
      case .composer(let key): touched.places.composers.insert(key)
      case .user, .draft, .app: touched.isOther = true
      }
      return .next
    }
    return touched
  }
}
