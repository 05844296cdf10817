// The session of a user who chats in a terminal: its event loop, and what it paints after each event.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import ChatRendering
internal import EventLog
internal import Observation
internal import Terminal
internal import Verbatim
internal import VerbatimUI

/// A chat session in a terminal.
///
/// Keys are handled one after the other, and none while a send or a command runs: later keys are queued, so that the
/// result does not depend on typing speed. Ctrl-C and a terminating signal leave also then.
@MainActor
final class Session {
  let target: ChatTarget
  let composer: LiveComposer
  let input: Input
  var screen: Screen
  /// The part of the conversation already printed.
  var transcript = Transcript()
  var words = MessageWords(names: [:], quoted: [:])
  /// The texts of refusals, notices and failures.
  let texts: RenderingContext
  /// The other users who are typing, and when their texts last changed.
  var typing: [TypingUser] = []
  /// A message shown until the next key, besides the composer's own notice.
  var said: String?
  /// The reason why changes by others are not shown at present; nil when they are.
  var lost: String?
  /// Lines to be printed above the painted frame.
  var above: [Line] = []
  /// The selected suggestion.
  var choice = Choice()
  /// The anchor of a selection that the next key may extend; nil for none.
  var anchor: UTF16Offset?
  /// The typed part of the path prompt; nil while the prompt is closed.
  var path: String?
  /// Whether the keys are shown, until the next key.
  var showsKeys = false

  /// The instant at which a notice says that a send or a command still runs; nil when none does.
  private(set) var workNotice: Timestamp?
  private var work: Task<Void, Never>?
  /// The keys that wait for the end of a send or a command.
  private var queued: [Key] = []
  private let output: Int32
  private var following: Task<Void, Never>?
  private var isObserving = false

  /// Creates a session on an open composer.
  init(_ target: ChatTarget, _ composer: LiveComposer, in context: Context) {
    (self.target, self.composer, output) = (target, composer, context.output)
    var texts = RenderingContext()
    texts.words = context.words
    self.texts = texts
    input = Input(descriptor: context.input)
    screen = Screen(size: WindowSize(of: context.output))
  }

  /// Handles keys until one leaves, the terminal is gone, or a terminating signal is received.
  func run() async {
    TerminationSignal.whenItComes { [input] in input.wake() }
    await refresh()
    follow()
    paint()
    for await event in input.events {
      if TerminationSignal.hasCome { return }
      switch event {
      case .key(let key):
        if work != nil, KeyTable.keyCommands[key] == .leave { return write(screen.paint([])) }
        queued.append(key)
      case .resized(let size): screen.resize(to: size)
      case .resumed: screen.forget()
      case .woken: break
      }
      if takeQueued() == .leaves { return write(screen.paint([])) }
      if TerminationSignal.hasCome { return }
      paint()
    }
  }

  // MARK: Sends and commands

  /// Begins a send or a command, during which keys are queued.
  func begin(_ body: @escaping @MainActor (Session) async -> Void) {
    workNotice = target.workspace.now + .seconds(1)
    work = Task {
      await body(self)
      (work, workNotice) = (nil, nil)
      input.wake()
    }
  }

  private func takeQueued() -> Course {
    while work == nil, !queued.isEmpty {
      let key = queued.removeFirst()
      (said, composer.notice) = (nil, nil)
      if !closesKeys(key), take(key) == .leaves { return .leaves }
    }
    return .staysOn
  }

  /// The time for which a send or a command that runs is awaited at the end.
  private static let patience = Duration.seconds(2)

  /// Waits until sends and commands have ended and queued keys are handled; returns false if one takes too long.
  func finishWork() async -> Bool {
    let end = ContinuousClock.now + Self.patience
    while let work {
      guard await work.ends(by: end) else { return false }
      _ = takeQueued()
    }
    return true
  }

  /// Leaves the composer, whose content is kept, and closes the workspace.
  func leave() async throws(Failure) {
    following?.cancel()
    do {
      try await composer.leave()
      try await composer.flush()
    } catch {
      await target.workspace.close()
      throw Failure(.unable, "\(error)")
    }
    await target.workspace.close()
  }

  // MARK: Changes by others

  private func follow() {
    let news = target.news(behind: position)
    following = Task { [weak self] in
      for await _ in news {
        while let self, await !self.refresh(), !Task.isCancelled {
          self.input.wake()
          try? await Task.sleep(for: .seconds(1))
        }
        self?.input.wake()
      }
    }
  }

  private var position = Position.zero

  /// Reads the conversation, and queues lines for its changes; returns false if reading failed and is to be retried.
  @discardableResult
  private func refresh() async -> Bool {
    let last = position == .zero ? nil : transcript.messages.last?.number ?? .zero
    do {
      let conversation = try await target.conversation(behind: last, naming: [target.user])
      position = conversation.position
      words = MessageWords(names: conversation.names, quoted: conversation.quoted)
      typing = conversation.typing
      above += transcript.take(conversation, words: words)
    } catch ReadError.refused(let refusal) {
      said = refusal.description
    } catch {
      lost = "Not up to date: \(error)"
      return false
    }
    lost = nil
    return true
  }

  /// Wakes the loop when the composer's presentation changes.
  private func observe() {
    if isObserving { return }
    isObserving = true
    withObservationTracking {
      _ = (composer.presentation, composer.notice)
    } onChange: { [weak self] in
      // Safe because a composer changes on the main actor alone.
      MainActor.assumeIsolated { self?.isObserving = false }
      self?.input.wake()
    }
  }

  // MARK: Display

  /// Paints the current frame.
  func paint() {
    observe()
    let frame = frame(at: target.workspace.now)
    write(screen.paint(frame.lines, caret: frame.caret, above: above))
    above = []
    input.wake(at: frame.until.map { .now + .microseconds(max(0, ($0 - target.workspace.now).rawValue)) })
  }

  private func write(_ bytes: [UInt8]) { Screen.write(bytes, to: output) }
}

extension Task where Success == Void, Failure == Never {
  /// Waits until the task has ended, or until an instant; returns whether it has ended.
  fileprivate func ends(by instant: ContinuousClock.Instant) async -> Bool {
    let (outcomes, outcome) = AsyncStream.makeStream(of: Bool.self)
    let waiting = Task {
      try? await Task<Never, Never>.sleep(until: instant, clock: .continuous)
      outcome.yield(false)
    }
    Task {
      await value
      outcome.yield(true)
    }
    defer { waiting.cancel() }
    return await outcomes.first { _ in true } ?? true
  }
}
