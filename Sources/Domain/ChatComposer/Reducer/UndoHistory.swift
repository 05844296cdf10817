// What was changed in a text, so that it can be taken back and made again.
internal import Chat

/// The last changes of a text, and those that were taken back.
///
/// It is not recorded: like that of any editor it ends with the process, with a fill, a send, an edit that begins or
/// ends.
struct UndoHistory: Sendable {
  /// How many changes can be taken back; a run of typing, up to the next word, is one.
  static let stepsMax = 1000

  private var undone: [Step] = []
  private var done: [Step] = []
  /// What the last step is, if more may join it.
  private var run = Run.none

  /// How to take a change back.
  struct Step: Sendable {
    /// What stood there before.
    var splice: Splice
    /// Who was meant in it.
    var mentions: [Mention]
    /// What was selected.
    var selection: UTF16Range
    /// What it does to the active command.
    var command: CommandChange
  }

  /// What becomes of the active command when a change is taken back.
  enum CommandChange: Equatable, Sendable {
    /// Nothing: the change was not about it.
    case none
    /// This one is active, or none is.
    case back(to: ComposedCommand?)
  }

  private enum Run { case none, typing(endsWord: Bool), deleting }

  var canUndo: Bool { !done.isEmpty }
  var canRedo: Bool { !undone.isEmpty }

  /// Takes note of a change that somebody makes.
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

  /// Lets nothing more join the last step: the caret went elsewhere.
  mutating func endRun() { run = .none }

  /// The step that takes back the last change, whose own undoing can be redone.
  mutating func undo(in composer: Composer) -> Step? {
    guard let step = done.popLast() else { return nil }
    undone.append(Step(undoing: step, in: composer))
    run = .none
    return step
  }

  /// The step that makes again what was taken back last.
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
  /// What takes a change back that is about to be made: also to those mentions that it ends.
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
