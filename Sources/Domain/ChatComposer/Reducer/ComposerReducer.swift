// A composer at work: what each action comes to.
public import Chat

/// A composer with all that it needs to decide what an action comes to.
///
/// It is a value, and pure: it reads no clock, asks nobody, and what it answers is the same wherever it is asked. Each
/// action comes to the smallest change, mostly one event, and to none where it changes nothing. Whoever has it records
/// the events; folding them gives back exactly ``composer``.
public struct ComposerReducer: Sendable {
  /// The composer as it is with all that was done.
  public private(set) var composer: Composer
  /// What it knows of where it stands.
  public internal(set) var composerContext: ComposerContext
  /// What the app chose.
  public let options: ComposerOptions
  /// The commands of its channel.
  public let commands: CommandsHandler
  var history = UndoHistory()

  /// A composer as it was folded, in its surroundings.
  public init(
    _ composer: Composer, in composerContext: ComposerContext = ComposerContext(),
    options: ComposerOptions = ComposerOptions()
  ) {
    (self.composer, self.composerContext, self.options) = (composer, composerContext, options)
    commands = options.commands.makeCommandsHandler(for: composer.key.channel)
  }

  /// What is written.
  public var content: Composition { composer.content }

  /// Whether there is a change of the text to take back.
  public var canUndo: Bool { history.canUndo }

  /// Whether there is one to make again.
  public var canRedo: Bool { history.canRedo }

  /// Does something, and answers the events that it comes to; throws when it cannot be done, and has done nothing.
  public mutating func act(_ action: Composer.Action, at instant: Instant) throws(ComposerRefusal) -> [Composer.Event] {
    switch action {
    case .type(let text): return change(composer.selection, to: text, isTyped: true, at: instant)
    case .paste(let text): return change(composer.selection, to: text, isTyped: false, at: instant)
    case .replace(let range, let text): return change(range, to: text, isTyped: false, at: instant)
    case .setText(let text): return set(text, at: instant)
    case .backspace: return backspace(at: instant)
    case .moveSelection(let range): return moveSelection(to: range, at: instant)
    case .undo: return takeBack(history.undo(in: composer), at: instant)
    case .redo: return takeBack(history.redo(in: composer), at: instant)
    case .activate(let id): return try activate(id, at: instant)
    case .target(let user): return target(user, at: instant)
    case .clearCommand: return clearCommand(at: instant)
    default:
      let events = try events(for: action)
      commit(events, at: instant)
      return events
    }
  }

  /// Takes note of events that somebody else decided, and that are recorded: an open, a send, a command's end.
  public mutating func commit(_ events: [Composer.Event], at instant: Instant) {
    for event in events {
      let editing = composer.editing
      composer.apply(event, at: instant)
      // A quote ends an edit, too.
      if event.endsHistory || composer.editing != editing { history = UndoHistory() }
    }
  }

  /// Takes note of what has changed around it; answers the events that this comes to.
  public mutating func meet(_ composerContext: ComposerContext, at instant: Instant) -> [Composer.Event] {
    self.composerContext = composerContext
    guard let editing = composer.editing, composerContext.messages[editing] == .gone else { return [] }
    commit([.editEnded(.messageGone)], at: instant)
    return [.editEnded(.messageGone)]
  }

  /// Begins to be used: it goes on with what it holds, or is filled with a draft.
  ///
  /// A command that was at work when nobody looked is interrupted, unless it still is: nobody knows whether it did what
  /// it is for.
  public mutating func open(
    with draft: Composition?, at instant: Instant, isAtWork: Bool = false
  ) -> [Composer.Event] {
    var events: [Composer.Event] = []
    if let execution = composer.execution, !isAtWork { events.append(.commandInterrupted(execution.id)) }
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

// MARK: Events that belong to no undoing

extension Composer.Event {
  /// Whether the changes of the text before it cannot be taken back behind it: it is another text.
  fileprivate var endsHistory: Bool {
    switch self {
    case .filled, .editBegan, .entered, .sent, .cleared: true
    case .left(let keepingContent): !keepingContent
    default: false
    }
  }
}
