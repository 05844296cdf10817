// The phase of a live composer, and the operation in progress.
internal import Chat

/// The phase of a live composer: whether it follows its host.
enum ComposerPhase {
  /// Not opened yet, or left.
  case closed
  /// The context and the draft are being read; all callers of `open()` wait for the task.
  case opening(Task<Void, any Error>)
  /// The task applies the changes that the host reports.
  case open(watching: Task<Void, Never>)
  /// No more events are recorded, for the reason in the notice; permanent.
  case stopped(ComposerNotice)

  /// The reason why no more events are recorded; nil in the other phases.
  var stopped: ComposerNotice? { if case .stopped(let notice) = self { notice } else { nil } }

  /// The task that applies the changes reported by the host; nil unless open.
  var watching: Task<Void, Never>? { if case .open(let watching) = self { watching } else { nil } }
}

/// The operation on the content of a live composer; the edits made meanwhile stay.
enum ComposerOperation {
  /// No operation is in progress.
  case idle
  /// The content is being sent.
  case sending(ConcurrentEdits)
  /// A leave reads the stored draft.
  case readingDraft
  /// A leave saves the content as the draft.
  case savingDraft(ConcurrentEdits)

  var isIdle: Bool { if case .idle = self { true } else { false } }

  var isSending: Bool { if case .sending = self { true } else { false } }

  /// Whether a leave is in progress.
  var isSavingDraft: Bool {
    switch self {
    case .readingDraft, .savingDraft: true
    case .idle, .sending: false
    }
  }

  /// Returns the part of a content that stays once the operation is done: what was added to a content that is being
  /// sent, or all of one that was changed while it was being saved. Nil if nothing stays.
  func kept(of content: Composition) -> Composition? {
    switch self {
    case .sending(let edits): edits.kept(of: content)
    case .savingDraft(let edits): content == edits.start ? nil : content
    case .idle, .readingDraft: nil
    }
  }

  /// Adds events, the first of which applies to `composer`, to the concurrent edits.
  mutating func add(_ events: [Composer.Event], to composer: Composer, at instant: Timestamp) {
    switch self {
    case .sending(var edits):
      self = .idle
      edits.add(events, to: composer, at: instant)
      self = .sending(edits)
    case .savingDraft(var edits):
      self = .idle
      edits.add(events, to: composer, at: instant)
      self = .savingDraft(edits)
    case .idle, .readingDraft: break
    }
  }
}
