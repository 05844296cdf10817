// The undo history of a text.
internal import Chat

/// The undo and redo stacks of a text.
///
/// It is not recorded: as in any editor it ends with the process, a fill, a send, and the start or end of an edit.
struct UndoHistory: Sendable {
  /// The maximum number of undo steps; a run of typing up to the next word is one step.
  static let stepsMax = 1000

  private var undone: [Step] = []
  private var done: [Step] = []
  /// The kind of run that the next change can extend.
  private var run = Run.none

  /// The reversal of a change.
  struct Step: Sendable {
    /// The splice that restores the previous text.
    var splice: Splice
    /// The mentions in the restored text.
    var mentions: [Mention]
    /// The restored selection.
    var selection: UTF16Range
    /// The restored active command.
    var command: CommandChange
  }

  /// The effect of an undo on the active command.
  enum CommandChange: Equatable, Sendable {
    /// The change did not concern the command.
    case none
    /// The undo restores this command, or none.
    case back(to: ComposedCommand?)
  }

  private enum Run { case none, typing(endsWord: Bool), deleting }

  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Adds a change that the user makes.
  mutating func add(_ splice: Splice, to composer: Composer, isTyped: Bool, command: CommandChange = .none) {
    undone = []
    let step = Step(undoing: splice, in: composer, command: command)
    let isPlain = isTyped && command == .none && step.mentions.isEmpty && composer.selection.isEmpty
    let text = splice.text.string
    if isPlain, splice.range.isEmpty {
      let startsWord = !(text.unicodeScalars.first.map { TypedText.isWhiteSpace($0) } ?? true)
      if case .typing(let endsWord) = run, !(endsWord && startsWord), let last = done.last?.splice.range,
        last.upperBound == splice.range.lowerBound
      {
        done[done.count - 1].splice.range = last.lowerBound..<step.splice.range.upperBound
      } else {
        push(step)
      }
      run = .typing(endsWord: text.unicodeScalars.last.map { TypedText.isWhiteSpace($0) } ?? false)
    } else if isPlain, text.isEmpty {
      if case .deleting = run, let last = done.last?.splice, last.range.lowerBound == splice.range.upperBound {
        done[done.count - 1].splice = Splice(
          step.splice.range, to: UserText(step.splice.text.string + last.text.string))
      } else {
        push(step)
      }
      run = .deleting
    } else {
      push(step)
      run = .none
    }
  }

  /// Ends the current run, since the caret moved.
  mutating func endRun() { run = .none }

  /// Returns the step that undoes the last change, and moves its reversal to the redo stack.
  mutating func undo(in composer: Composer) -> Step? {
    guard let step = done.popLast() else { return nil }
    undone.append(Step(undoing: step, in: composer))
    run = .none
    return step
  }

  /// Returns the step that redoes the last undone change.
  mutating func redo(in composer: Composer) -> Step? {
    guard let step = undone.popLast() else { return nil }
    done.append(Step(undoing: step, in: composer))
    run = .none
    return step
  }

  private mutating func push(_ step: Step) {
    done.append(step)
    if done.count > Self.stepsMax { done.removeFirst() }
  }
}

extension UndoHistory.Step {
  /// Creates the reversal of a change about to be made, including the mentions that it ends.
  init(undoing splice: Splice, in composer: Composer, command: UndoHistory.CommandChange = .none) {
    let content = composer.content
    let ended = content.mentions.filter { splice.shift($0.range) == nil }
    var (low, high) = (splice.range.lowerBound, splice.range.upperBound)
    for mention in ended {
      (low, high) = (min(low, mention.range.lowerBound), max(high, mention.range.upperBound))
    }
    let grown = splice.text.string.utf16.count - (splice.range.upperBound.rawValue - splice.range.lowerBound.rawValue)
    self.splice = Splice(low..<UTF16Offset(rawValue: high.rawValue + grown), to: content.text.userText(of: low..<high))
    (mentions, selection, self.command) = (ended, composer.selection, command)
  }

  init(undoing step: Self, in composer: Composer) {
    self.init(
      undoing: step.splice, in: composer,
      command: step.command == .none ? .none : .back(to: composer.content.command))
  }
}
