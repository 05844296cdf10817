// The index of composers: where users are typing, and which commands were executed.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import EventLog
internal import Tables
internal import Projections

/// The rows derived from the rows of composers and from the events of their commands.
struct ComposerIndex {
  private let composing: ChatTable<Entry<ComposingKey>>
  private let commands: ChatTable<CommandRun>
  private let running: ChatTable<RunningCommand>

  init(_ tables: ProjectionTables, _ reads: TableReads) {
    composing = ChatTable(tables(ChatState.composing), reads)
    commands = ChatTable(tables(ChatState.commands), reads)
    running = ChatTable(tables(ChatState.runningCommands), reads)
  }

  /// Folds an event of a composer.
  ///
  /// Most events are letters typed behind others. For these the index compares the traits of the row in place, before
  /// and after, and does not touch the event itself, which would have to be copied.
  func fold(_ event: ChatEvent, at position: Position, into state: inout ChatTables) {
    let before = state.rows.composers.traits(of: event)
    Chat.fold(event, into: &state)
    let after = state.rows.composers.traits(of: event)
    if before == after, !after.runs { return }
    guard case .composer(let key, let change) = event.change else { return }
    if before.isTyped != after.isTyped {
      composing[ComposingKey(key)] = after.isTyped ? Entry(ComposingKey(key)) : nil
    }
    follow(change, in: key, at: event.origin.at, position)
  }

  /// Records the commands that begin and end.
  private func follow(_ change: Composer.Event, in key: Composer.Key, at instant: Timestamp, _ position: Position) {
    switch change {
    case .commandStarted(let execution): begin(execution, in: key, at: instant, position)
    case .commandExecuted(let id): end(id, in: key, .executed, at: instant)
    case .commandFailed(let id, let failure): end(id, in: key, .failed(failure), at: instant)
    case .commandInterrupted(let id): end(id, in: key, .interrupted, at: instant)
    default: return
    }
  }

  private func begin(_ execution: CommandExecution, in key: Composer.Key, at instant: Timestamp, _ position: Position) {
    // No decider starts a command while another runs; where the log has it, the outcome of the other is unknown.
    end(nil, in: key, .interrupted, at: instant)
    commands[CommandKey(key.user, position)] = CommandRun(execution, in: key, began: instant, at: position)
    running[key] = RunningCommand(key, since: position)
  }

  /// Ends the execution with an id, or for nil the running one; a no-op if there is none.
  private func end(
    _ id: CommandExecution.ID?, in key: Composer.Key, _ outcome: CommandRun.Outcome, at instant: Timestamp
  ) {
    guard let begin = running[key]?.position else { return }
    let commandKey = CommandKey(key.user, begin)
    guard var run = commands[commandKey], id == nil || run.execution.id == id else { return }
    run.end = CommandRun.End(outcome, at: instant)
    commands[commandKey] = run
    running[key] = nil
  }
}

/// The position at which the command running in a composer began.
struct RunningCommand: ChatRow {
  let key: Composer.Key
  let position: Position

  init(_ key: Composer.Key, since position: Position) { (self.key, self.position) = (key, position) }

  init(_ key: Composer.Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key, since: Position(rawValue: try fields.number(1)))
  }

  func write(to writer: inout ByteWriter) { writer.number(1, position.rawValue) }
}

/// The traits of a composer that its index rows depend on.
private struct Traits: Equatable {
  /// Whether its text changed and was not sent, cleared or left since.
  var isTyped = false
  /// Whether a command is running in it.
  var runs = false
}

extension ChatTable<Composer> {
  /// Returns the traits of the composer of an event.
  @inline(__always)
  fileprivate func traits(of event: ChatEvent) -> Traits { lookAtExpected { $0.traits } ?? foundTraits(of: event) }

  @inline(never)
  private func foundTraits(of event: ChatEvent) -> Traits {
    guard case .composer(let key, _) = event.change else { return Traits() }
    return look(at: key) { $0.traits } ?? Traits()
  }
}

extension Composer? {
  fileprivate var traits: Traits {
    // Mutating, so that the row is not copied.
    mutating get {
      guard let traits = self?.traits else { return Traits() }
      return traits
    }
  }
}

extension Composer {
  fileprivate var traits: Traits {
    mutating get { Traits(isTyped: typed != nil, runs: execution != nil) }
  }
}

// MARK: Tables

extension ChatState {
  /// Composers in which a user is typing, by target.
  static let composing = ProjectionTable<ChatState, Entry<ComposingKey>>("composing")
  /// Commands of a user, the latest first.
  static let commands = ProjectionTable<ChatState, CommandRun>("commands")
  /// The command running in each composer.
  static let runningCommands = ProjectionTable<ChatState, RunningCommand>("runningCommands")
}
