// Somebody who chats in a terminal: what happens, one thing after the other, and what is shown after each.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import EventLog
internal import Observation
internal import Terminal
internal import Verbatim

/// Somebody who chats in a terminal.
///
/// Keys are taken one after the other, and none before a send is over: what is typed meanwhile waits, so that what
/// comes of some keys does not depend on how fast they are typed.
@MainActor
final class Session {
  let place: ChatTarget
  let composer: LiveComposer
  let input: Input
  var screen: Screen
  /// What was shown of the conversation.
  var transcript = Transcript()
  var words = MessageWords(names: [:], quoted: [:])
  /// Others who type, and until when that is known.
  var typing: [TypingUser] = []
  /// What is told until the next key, besides the composer's own notice.
  var said: String?
  /// Lines that are to be written above what is painted.
  var above: [Line] = []
  /// Which of the suggestions is chosen.
  var choice = Choice()
  /// Where a selection began that goes on with the next key; nil for none.
  var anchor: UTF16Offset?
  /// What was typed of the path of a file that is to be attached; nil while none is asked for.
  var path: String?

  private let output: Int32
  private var following: Task<Void, Never>?
  private var isObserving = false

  /// A session in an open composer.
  init(_ place: ChatTarget, _ composer: LiveComposer, in context: Context) {
    (self.place, self.composer, output) = (place, composer, context.output)
    input = Input(descriptor: context.input)
    screen = Screen(size: WindowSize(of: context.output))
  }

  /// Takes keys until one leaves, the terminal is gone, or the process is told to end.
  func run() async {
    Ending.whenItComes { [input] in input.wake() }
    await refresh(behind: nil)
    follow()
    paint()
    for await event in input.events {
      if Ending.hasCome { return }
      switch event {
      case .key(let key):
        (said, composer.notice) = (nil, nil)
        if await take(key) == .leaves { return write(screen.paint([])) }
      case .resized(let size): screen.resize(to: size)
      case .resumed: screen.forget()
      case .woken: break
      }
      if Ending.hasCome { return }
      paint()
    }
  }

  /// Leaves the composer, whose content stays, and the workspace.
  func leave() async throws(Failure) {
    following?.cancel()
    do {
      try await composer.leave()
      try await composer.flush()
    } catch {
      await place.workspace.close()
      throw Failure(.unable, "\(error)")
    }
    await place.workspace.close()
  }

  // MARK: What happens elsewhere

  private func follow() {
    let news = place.news(behind: position)
    following = Task { [weak self] in
      for await _ in news {
        guard let self else { return }
        await self.refresh(behind: self.transcript.messages.last?.number ?? .zero)
        self.input.wake()
      }
    }
  }

  private var position = Position.zero

  /// Reads how things stand, and has it told what is new.
  private func refresh(behind last: Message.Number?) async {
    do {
      let conversation = try await place.conversation(behind: last, naming: [place.user])
      position = conversation.position
      words = MessageWords(names: conversation.names, quoted: conversation.quoted)
      typing = conversation.typing
      above += transcript.take(conversation, words: words)
    } catch {
      said = "\(error)"
    }
  }

  /// Has the loop go on when the composer shows something else.
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

  // MARK: What is shown

  /// Shows how things stand.
  func paint() {
    observe()
    let frame = frame(at: place.workspace.now)
    write(screen.paint(frame.lines, caret: frame.caret, above: above))
    above = []
    input.wake(at: frame.until.map { .now + .microseconds(max(0, ($0 - place.workspace.now).rawValue)) })
  }

  private func write(_ bytes: [UInt8]) { Screen.write(bytes, to: output) }
}
