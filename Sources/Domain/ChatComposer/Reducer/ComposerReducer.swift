// The reducer of a composer: actions in, events out.
public import Chat

/// A composer with everything needed to decide its actions.
///
/// It is a value and deterministic: it reads no clock and performs no I/O. Each action results in the smallest change,
/// mostly one event, and in none if it changes nothing. The caller records the events; folding them gives exactly
/// ``composer``.
public struct ComposerReducer: Sendable {
  /// The composer after all actions.
  public private(set) var composer: Composer
  /// The context of the composer.
  public internal(set) var composerContext: ComposerContext
  /// The options of the app.
  public internal(set) var options: ComposerOptions
  /// The handlers of its commands and suggestions.
  public private(set) var commands: CommandsHandler
  /// The commands of the app beside those of the configuration.
  private var registeredCommands: [any CommandHandler]
  private let people: any UserDirectory
  /// The number of times that the handlers were made: suggestions of earlier ones are out of date.
  private(set) var commandsRevision = 0
  var history = UndoHistory()

  /// Creates a reducer from a folded composer and its context.
  public init(
    _ composer: Composer, in composerContext: ComposerContext = ComposerContext(),
    options: ComposerOptions = ComposerOptions(), people: any UserDirectory = NoUsers(),
    registeredCommands: [any CommandHandler] = []
  ) {
    (self.composer, self.composerContext, self.options, self.people) = (composer, composerContext, options, people)
    self.registeredCommands = registeredCommands
    commands = CommandsHandler(commands: [])
    makeCommands()
  }

  private mutating func makeCommands() {
    let context = CommandsContext(composer.key, in: composerContext, people: people)
    commandsRevision += 1
    commands = options.commands.makeCommandsHandler(for: context).adding(registeredCommands)
      .inheriting(from: options.commands)
  }

  /// Replaces the app's commands beside those of the configuration.
  package mutating func register(_ commands: [any CommandHandler]) {
    registeredCommands = commands
    makeCommands()
  }

  /// The content of the composer.
  public var content: Composition { composer.content }

  /// Whether there is a text change to undo.
  public var canUndo: Bool { history.canUndo }

  /// Whether there is a text change to redo.
  public var canRedo: Bool { history.canRedo }

  /// Performs an action and returns its events; if it throws, nothing has changed.
  public mutating func act(_ action: Composer.Action, at instant: Timestamp) throws(ComposerRefusal) -> [Composer.Event]
  {
    switch action {
    case .type(let text): return change(composer.selection, to: text, .typed, at: instant)
    case .paste(let text): return change(composer.selection, to: text, .pasted, at: instant)
    case .replace(let range, let text): return change(UTF16Range(range), to: text, .replaced, at: instant)
    case .setText(let text): return set(text, at: instant)
    case .backspace: return backspace(at: instant)
    case .moveSelection(let range): return moveSelection(to: UTF16Range(range), at: instant)
    case .undo: return restore(history.undo(in: composer), .undone, at: instant)
    case .redo: return restore(history.redo(in: composer), .redone, at: instant)
    case .activate(let id): return try activate(id, at: instant)
    case .target(let user): return target(user, at: instant)
    case .clearCommand: return clearCommand(at: instant)
    default:
      let events = try events(for: action)
      if case .beginEdit(let message) = action, composerContext.messages[message.key.id] == nil {
        // An edit is what differs from the message, which a refresh adds to the context only later.
        composerContext.messages[message.key.id] = .present(message)
      }
      commit(events, at: instant)
      return events
    }
  }

  /// Applies events that were decided elsewhere: an open, a send, the end of a command.
  public mutating func commit(_ events: [Composer.Event], at instant: Timestamp) {
    for event in events {
      let editing = composer.editing
      composer.apply(event, at: instant)
      // Quoting ends an edit, too.
      if event.endsHistory || composer.editing != editing { history = UndoHistory() }
    }
  }

  /// Applies a new context and returns the resulting events.
  public mutating func updateContext(_ composerContext: ComposerContext, at instant: Timestamp) -> [Composer.Event] {
    let before = self.composerContext
    self.composerContext = composerContext
    if (before.config, before.capabilities) != (composerContext.config, composerContext.capabilities) { makeCommands() }
    guard let editing = composer.editing, composerContext.messages[editing] == .gone else { return [] }
    commit([.editEnded(.messageGone)], at: instant)
    return [.editEnded(.messageGone)]
  }

  /// Opens the composer: it continues with its content, or is filled with a draft.
  ///
  /// A command that was executing is marked as interrupted unless `isExecuting`, since its outcome is unknown.
  public mutating func open(
    with draft: Composition?, at instant: Timestamp, isExecuting: Bool = false
  ) -> [Composer.Event] {
    var events: [Composer.Event] = []
    if let execution = composer.execution, !isExecuting { events.append(.commandInterrupted(execution.id)) }
    let holdsSomething = content.hasContent || composer.aside?.hasContent == true || composer.editing != nil
    if let draft, draft != content, !holdsSomething {
      events.append(.filled(draft, selection: draft.text.end..<draft.text.end))
    } else if !composer.isOpen {
      events.append(.opened)
    }
    commit(events, at: instant)
    return events
  }
}

// MARK: Events that end the undo history

extension Composer.Event {
  /// Whether the undo history ends with the event: it replaces the text.
  fileprivate var endsHistory: Bool {
    switch self {
    case .filled, .editBegan, .entered, .sent, .cleared: true
    case .left(let keepingContent): !keepingContent
    default: false
    }
  }
}
