// The run of a consumer in this process: its place in the log, and the appends that advance it.
internal import Chat
internal import ChatCodec
internal import ChatProjections
internal import Errors
internal import EventLog
internal import Projections

/// A consumer that this process runs, which holds its lock.
internal struct ConsumerRun {
  /// The position of the last event that was handled or passed.
  private(set) var last: Position
  private let id: Consumer.ID
  private let workspace: Workspace
  private let actor: Author
  private let file: ConsumerFile
  /// The consumer as recorded, and the version of its stream at that record.
  private var recorded: Recorded

  /// The number of events without effects after which a position is recorded: few in the log, and few that another
  /// machine, which does not have the file of this one, handles again.
  private static let distance: UInt64 = 4096

  /// Begins or continues a consumer; nil when the task was cancelled.
  init?(
    _ id: Consumer.ID, in workspace: Workspace, by actor: Author, from start: ConsumerStart, _ file: ConsumerFile
  ) async throws(ConsumerError) {
    (self.id, self.workspace, self.actor, self.file) = (id, workspace, actor, file)
    let first = try start.position(in: workspace, id)
    do throws(SubmitError) {
      // Of a consumer that exists, it only checks whether this author may run it; the app takes over that of a user.
      let begun = try await workspace.submit(.consumer(id, .begin(after: first.rawValue)), by: actor)
      // The mark is that of an earlier one, also where recorded times stand still.
      if begun.receipt != nil { file.clear() }
    } catch {
      if case .cancelled = error { return nil }
      if case .refused(let refusal, _) = error, refusal.isOfInactive(actor) {
        throw .userRefused(id, at: first.next, refusal)
      }
      throw .notRecorded(id, error)
    }
    recorded = try await Recorded(id, in: workspace, by: actor)
    last = recorded.position
    if let mark = file.mark, mark.follows(recorded.consumer), mark.position > last,
      try await mark.isIn(workspace, id)
    {
      last = mark.position
    }
  }

  /// Returns whether an event is recorded as handled: by this process, by another machine, or as skipped.
  func hasPassed(_ position: Position) -> Bool { position <= recorded.position }

  /// The outcome of finishing an event.
  enum Outcome {
    /// The event was passed, and its effects are recorded.
    case passed
    /// The task was cancelled first.
    case cancelled
    /// Nothing was recorded, since a message of another author has a name of the effects; these names are free.
    case nameTaken(MessageNames)
  }

  /// Records the effects of an event with its position, and passes it.
  mutating func finish(_ change: Change, _ effects: Effects) async throws(ConsumerError) -> Outcome {
    let position = change.position
    let isDue = !hasPassed(position) && position.rawValue - recorded.position.rawValue >= Self.distance
    if effects.recordsPosition || !effects.intents.isEmpty || isDue {
      let intents = effects.intents + [.consumer(id, .advance(through: position.rawValue))]
      // A skipped event counts as handled, without its effects.
      while recorded.position < position {
        do throws(ConsumerError) {
          let isRecorded = try await recorded.advance(id, intents, in: workspace, by: actor, handling: change)
          guard isRecorded else { return .cancelled }
        } catch {
          guard case .refused(_, at: _, .messageExists(let key), intent: _) = error,
            let names = try await freeNames(for: effects, insteadOf: key)
          else { throw error }
          return .nameTaken(names)
        }
      }
    }
    last = position
    file.write(ConsumerMark(position: position, append: change.append, advanced: recorded.consumer.advanced))
    return .passed
  }

  /// Returns other names for the messages of the effects, if one of them has that of a message of another author; nil
  /// if the handler gave the name, or the message is the consumer's own.
  ///
  /// A user can compute a name before it is used. A name that is taken stays so: an event that is handled again gets
  /// the same names.
  private func freeNames(
    for effects: Effects, insteadOf key: Message.Key
  ) async throws(ConsumerError) -> MessageNames? {
    guard let number = effects.numbers[key] else { return nil }
    let (names, author) = (effects.names, actor.user)
    let result = await workspace.offThread { workspace in
      Result { () throws(ProjectionError) in
        try workspace.lend(withOthers: false) { reading in
          Result { () throws(ProjectionError) -> MessageNames in
            var free = names
            while let message = try reading.chat.message(Message.Key(key.channel, free.id(of: number))),
              message.author != author
            { free.choice += 1 }
            return free
          }
        }.get()
      }
    }
    let free = try rethrow(result.get()) { ConsumerError.projections(id, $0) }
    return free.choice == names.choice ? nil : free
  }
}

extension ConsumerStart {
  fileprivate func position(in workspace: Workspace, _ id: Consumer.ID) throws(ConsumerError) -> Position {
    switch self {
    case .beginning: .zero
    case .after(let position): position
    case .end: try rethrow(workspace.head()) { ConsumerError.projections(id, $0) }
    }
  }
}

/// A consumer as recorded, and the version of its stream with that record.
private struct Recorded {
  private(set) var consumer: Consumer
  private var version: StreamVersion

  var position: Position { Position(rawValue: consumer.handled) }

  /// Reads the record of a consumer; throws if it ended, or if another user began it anew.
  init(_ id: Consumer.ID, in workspace: Workspace, by actor: Author) async throws(ConsumerError) {
    let stream = StreamSubject.consumer(id).name
    let result = await workspace.offThread { workspace in
      Result { () throws(ProjectionError) in
        while true {
          let before = try rethrow(workspace.store.version(of: stream), as: ProjectionError.log)
          let found = try workspace.lend(withOthers: false) { reading in
            Result { () throws(ProjectionError) in try reading.chat.consumer(id) }
          }
          let consumer = try found.get()
          // The version was the same before and after, so the row is of that version.
          if try rethrow(workspace.store.version(of: stream), as: ProjectionError.log) == before {
            return (consumer, before)
          }
        }
      }
    }
    let (found, version) = try rethrow(result.get()) { ConsumerError.projections(id, $0) }
    guard let found, found.owner == nil || found.owner == actor.user else { throw .ended(id) }
    (consumer, self.version) = (found, version)
  }

  /// Submits intents, the last of which is the consumer's own, unless another record of the consumer came before them;
  /// returns false when the task was cancelled first.
  mutating func advance(
    _ id: Consumer.ID, _ intents: [ChatIntent], in workspace: Workspace, by actor: Author, handling change: Change
  ) async throws(ConsumerError) -> Bool {
    let stream = StreamSubject.consumer(id).name
    let submission = Submission(
      intents, by: actor, expecting: [StreamExpectation(stream, .version(version))], correlation: change.correlation,
      cause: change.position)
    do throws(SubmitError) {
      let submitted = try await workspace.submit(submission)
      consumer.handled = change.position.rawValue
      if let receipt = submitted.receipt { consumer.advanced = receipt.recorded }
      if let range = submitted.receipt?.streams.first(where: { $0.stream == stream }) {
        version = range.versions.upperBound
      }
      return true
    } catch {
      switch error {
      case .cancelled: return false
      case .conflict:
        // Another machine handled an event, or an operator skipped one, or ended the consumer, which may have begun
        // anew.
        let present = try await Recorded(id, in: workspace, by: actor)
        guard present.consumer.began == consumer.began, present.position >= position else { throw .ended(id) }
        self = present
        return true
      case .refused(let refusal, _) where refusal.isOfInactive(actor):
        throw .userRefused(id, at: change.position, refusal)
      case .refused(let refusal, let index) where index < intents.count - 1:
        throw .refused(id, at: change.position, refusal, intent: index)
      default: throw .notRecorded(id, error)
      }
    }
  }
}

extension Refusal {
  /// Whether an author was refused because their user is deactivated or does not exist.
  fileprivate func isOfInactive(_ author: Author) -> Bool {
    switch self {
    case .userDeactivated(let user), .unknownUser(let user): user == author.user
    default: false
    }
  }
}
