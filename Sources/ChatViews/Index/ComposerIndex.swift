// What finds composers: where somebody types, and which commands were executed.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import EventLog
internal import Tables
internal import Views

/// The rows that follow from the rows of composers, and from the events of their commands.
struct ComposerIndex {
  private let composing: ChatTable<Entry<ComposingKey>>
  private let commands: ChatTable<CommandRun>
  private let running: ChatTable<RunningCommand>

  init(_ tables: ViewTables, _ reads: TableReads) {
    composing = ChatTable(tables(ChatState.composing), reads)
    commands = ChatTable(tables(ChatState.commands), reads)
    running = ChatTable(tables(ChatState.runningCommands), reads)
  }

  /// Folds an event of a composer.
  ///
  /// Most are letters typed where letters were typed before: of these it looks at the row where it lies, before and
  /// after, and touches no table.
  func fold(_ event: ChatEvent, on key: Composer.Key, at position: Position, into state: inout ChatTables) {
    let wasTyped = state.composers.holds(key) { $0.typed != nil }
    Chat.fold(event, into: &state)
    let isTyped = state.composers.holds(key) { $0.typed != nil }
    if wasTyped != isTyped { composing[ComposingKey(key)] = isTyped ? Entry(ComposingKey(key)) : nil }
    guard case .composer(_, let change) = event.change else { return }
    switch change {
    case .commandStarted(let execution): begin(execution, in: key, at: event.stamp.at, position)
    case .commandExecuted(let id): end(id, in: key, .executed, at: event.stamp.at)
    case .commandFailed(let id, let reason): end(id, in: key, .failed(reason: reason), at: event.stamp.at)
    case .commandInterrupted(let id): end(id, in: key, .interrupted, at: event.stamp.at)
    default: return
    }
  }

  private func begin(_ execution: CommandExecution, in key: Composer.Key, at instant: Instant, _ position: Position) {
    // It is never decided while another runs; where it was recorded, nobody knows what became of the other.
    end(nil, in: key, .interrupted, at: instant)
    commands[CommandKey(key.user, position)] = CommandRun(execution, in: key, began: instant, at: position)
    running[key] = RunningCommand(key, since: position)
  }

  /// Ends the execution with an id, or whichever there is; if there is none, nothing ends.
  private func end(
    _ id: CommandExecution.ID?, in key: Composer.Key, _ outcome: CommandRun.Outcome, at instant: Instant
  ) {
    guard let begin = running[key]?.position else { return }
    let place = CommandKey(key.user, begin)
    guard var run = commands[place], id == nil || run.execution.id == id else { return }
    run.end = CommandRun.End(outcome, at: instant)
    commands[place] = run
    running[key] = nil
  }
}

/// Where the command began that is at work in a composer.
struct RunningCommand: ChatRow {
  let key: Composer.Key
  let position: Position

  init(_ key: Composer.Key, since position: Position) { (self.key, self.position) = (key, position) }

  init(_ key: Composer.Key, from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(key, since: Position(rawValue: try fields.number(1)))
  }

  func write(to writer: inout ByteWriter) { writer.number(1, position.rawValue) }
}

// MARK: Tables

extension ChatState {
  /// Composers in which somebody types, by where they are for.
  static let composing = ViewTable<ChatState, Entry<ComposingKey>>("composing")
  /// Commands of somebody, the one that began last first.
  static let commands = ViewTable<ChatState, CommandRun>("commands")
  /// Which command is at work in a composer.
  static let runningCommands = ViewTable<ChatState, RunningCommand>("runningCommands")
}
