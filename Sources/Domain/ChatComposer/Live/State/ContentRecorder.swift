// The events that are recorded for a composer's changes, where not every keystroke is.
internal import Chat

/// Derives the events to record from the events of a composer, by the amount of recording.
///
/// It has the composer twice: as it is, and as its recorded events fold.
struct ContentRecorder {
  private let recording: ComposerRecording
  private var current: Composer
  private var recorded: Composer
  /// Whether there are changes of the content that are not recorded yet.
  private(set) var holdsChanges = false

  /// The time after which the composer is marked as being typed in again; shorter than the mark is shown.
  static let typingDistance = Microseconds.seconds(3)

  init(_ recording: ComposerRecording, of composer: Composer) {
    (self.recording, current, recorded) = (recording, composer, composer)
    // The first change is marked in any case, by which another process with the same composer notices it.
    recorded.typed = nil
  }

  /// Returns the events to record for events that took effect.
  mutating func record(_ events: [Composer.Event], at now: Timestamp, marksTyping: Bool) -> [Composer.Event] {
    recording == .keystrokes ? events : events.flatMap { record($0, at: now, marksTyping: marksTyping) }
  }

  private mutating func record(_ event: Composer.Event, at now: Timestamp, marksTyping: Bool) -> [Composer.Event] {
    let result: [Composer.Event]
    if event.isOfText {
      holdsChanges = true
      result = marksTyping && event.changesText ? typingMark(at: now) : []
    } else if recording == .pauses {
      result = (event.discardsText ? [] : difference) + [event]
      holdsChanges = false
    } else {
      result = event.withoutContent(isOpen: recorded.isOpen)
      holdsChanges = event.leavesContent ?? holdsChanges
    }
    current.apply(event, at: now)
    apply(result, at: now)
    return result
  }

  /// Returns the events to record when typing pauses.
  mutating func recordPause(at now: Timestamp) -> [Composer.Event] {
    holdsChanges = false
    guard recording == .pauses else { return [] }
    let result = difference
    apply(result, at: now)
    return result
  }

  private mutating func apply(_ events: [Composer.Event], at now: Timestamp) {
    for event in events { recorded.apply(event, at: now) }
  }

  /// The events that show others that the user is typing, without any text.
  private func typingMark(at now: Timestamp) -> [Composer.Event] {
    if let typed = recorded.typed, typed <= now, now < typed + Self.typingDistance { return [] }
    let caret = recorded.selection.upperBound
    let mark = Composer.Event.typed(Splice(caret..<caret, to: ""))
    // A composer whose content was not changed since it was filled is filled again from a later draft.
    let isUnchanged = !recorded.isTouched && recorded.editing == nil && recorded.isOpen
    return isUnchanged ? [mark, .filled(recorded.content, selection: recorded.selection)] : [mark]
  }

  /// The event that gives the recorded composer the text, the mentions and the selection that it has.
  private var difference: [Composer.Event] {
    let (old, new) = (recorded.content, current.content)
    if old.text == new.text, old.mentions == new.mentions {
      return recorded.selection == current.selection ? [] : [.selectionMoved(current.selection)]
    }
    if let splice = old.text.splice(to: new.text) {
      let event = replacement(splice)
      var after = recorded
      after.apply(event, at: current.typed ?? Timestamp(rawValue: 0))
      if after.content.text == new.text, after.content.mentions == new.mentions { return [event] }
    }
    return [replacement(Splice(.start..<old.text.end, to: new.text.userText(of: .start..<new.text.end)))]
  }

  private func replacement(_ splice: Splice) -> Composer.Event {
    .replaced(
      splice, mentions: current.content.mentions.filter { splice.covers($0.range) }, selection: current.selection)
  }
}

extension Composer.Event {
  /// Whether it changes nothing but text, mentions and selection.
  fileprivate var isOfText: Bool { if case .selectionMoved = self { true } else { changesText } }

  fileprivate var changesText: Bool {
    switch self {
    case .typed, .mentionPicked, .replaced: true
    default: false
    }
  }

  /// Whether the text before it is in the composer no more.
  fileprivate var discardsText: Bool {
    switch self {
    case .filled, .sent, .cleared, .editEnded, .left(keepingContent: false): true
    default: false
    }
  }

  /// Whether there is content to be saved after it; nil where it does not change that.
  fileprivate var leavesContent: Bool? {
    switch self {
    case .sent(_, let kept), .cleared(let kept): kept != nil
    case .left, .filled: false
    case .opened, .pickerChanged, .commandsShown, .commandStarted, .commandExecuted, .commandFailed,
      .commandInterrupted, .sendRefused, .actionRefused, .custom:
      nil
    default: true
    }
  }

  /// Returns what is recorded of it without content: the life of the composer, its commands, and an app's own events.
  fileprivate func withoutContent(isOpen: Bool) -> [Composer.Event] {
    switch self {
    case .filled: isOpen ? [] : [.opened]
    case .sent(let message, _): [.sent(message, keeping: nil)]
    case .cleared: [.cleared(keeping: nil)]
    case .left: [.left(keepingContent: false)]
    default: leavesContent == nil ? [self] : []
    }
  }
}
