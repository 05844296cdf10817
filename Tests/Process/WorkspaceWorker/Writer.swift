// A user who writes in a composer, and reports each action before and after it, until the process is killed.
import ChatSamples
import ChildProcess
import Dispatch
import SeededRandom
package import Verbatim
package import VerbatimUI

extension Worker {
  /// The composer in which the killed process writes.
  package static let written = Composer.Key(of: user(0), on: "desk", in: meeting)

  /// Performs random actions determined by a seed; all messages begin with a word.
  @MainActor
  static func write(in workspace: Workspace, _ word: String, _ random: SeededRandom) async throws {
    let channel = workspace.client(user: written.user, device: written.device).channel(meeting)
    var writer = Writer(try await channel.composer(), word, random)
    while true { try await writer.doSomething() }
  }

  /// Executes a command that never ends.
  @MainActor
  static func hang(in workspace: Workspace) async throws {
    let channel = workspace.client(user: written.user, device: written.device).channel(meeting)
    var options = ComposerOptions()
    options.commands = DefaultCommandsConfig(instantCommands: [HangingCommand { say("hangs") }])
    let composer = try await channel.composer(options: options)
    try composer.perform(.setText("/hang for ever"))
    try await composer.send()
  }
}

/// A command that never ends, and reports its start.
package struct HangingCommand: CommandHandler {
  private let begun: @Sendable () -> Void

  package init(_ begun: @escaping @Sendable () -> Void) { self.begun = begun }

  package var id: ComposedCommand.ID { "hang" }
  package var replacesMessageSent: Bool { true }

  package func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    begun()
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    return CommandOutcome()
  }
}

/// Returns the visible state of a composer, in one word.
package func seen(_ composer: Composer) -> String {
  func place(_ range: UTF16Range) -> String { "\(range.lowerBound.rawValue)-\(range.upperBound.rawValue)" }
  let content = composer.content
  let mentions = content.mentions.map { "\($0.user):\(place($0.range))" }.joined(separator: ",")
  let units = content.text.units.map { String($0) }.joined(separator: ".")
  return "\(units)|\(place(composer.selection))|\(mentions)|\(content.command?.id.text ?? "")"
}

/// Returns the monotonic time shared by all processes of a machine, in nanoseconds.
package func uptime() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

@MainActor
private struct Writer {
  private let composer: LiveComposer
  private let word: String
  private var random: SeededRandom
  private var number = 0

  init(_ composer: LiveComposer, _ word: String, _ random: SeededRandom) {
    (self.composer, self.word, self.random) = (composer, word, random)
    say("will 0 \(seen(composer.composer))")
    say("did 0 \(uptime())")
  }

  mutating func doSomething() async throws {
    switch composer.text.utf16.count > 150 ? 40 : random.below(48) {
    case 0..<22: try perform(.type(Self.letters[random.below(Self.letters.count)]))
    case 22..<26: try perform(.backspace)
    case 26..<30: try perform(.moveSelection(range()))
    case 30..<32: try perform(.replace(range(), with: "zwö"))
    case 32..<35: try perform(.undo)
    case 35: try perform(.redo)
    case 36..<39: try await mention()
    case 39: try perform(.setText("set\(number)"))
    case 40: try await send(behind: .replace(end, with: "\(word)n\(number + 2)."))
    case 41 where random.below(2) == 0: try await send(behind: Self.mute)
    case 41..<44:
      try await composer.flush()
      say("kept \(number)")
    default: await Task.yield()
    }
  }

  private static let letters = ["a", "b", " ", "é", "e\u{301}", "👩‍👩‍👧", "🇩🇪", "\n", "words ", "한", "."]

  private static let mute = Composer.Action.setText("/mute @w1 1h")

  private var end: Range<Int> { composer.text.utf16.count..<composer.text.utf16.count }

  private mutating func range() -> Range<Int> {
    let places = (0..<2).map { _ in random.below(composer.text.utf16.count + 1) }
    return places.min()!..<places.max()!
  }

  private mutating func tell(_ after: Composer, sends: Bool = false) {
    number += 1
    say("\(sends ? "send" : "will") \(number) \(seen(after))")
  }

  private mutating func perform(_ action: Composer.Action) throws {
    var next = composer.reducer
    _ = try next.act(action, at: Timestamp(rawValue: 0))
    tell(next.composer)
    try composer.perform(action)
    say("did \(number) \(uptime())")
  }

  private mutating func mention() async throws {
    // Sending one more would be refused.
    if composer.composer.content.mentions.count == Rules.tight.limits.mentionsMax { return }
    try perform(.replace(end, with: " @w1"))
    while composer.suggestions?.isLoading == true { await Task.yield() }
    guard let item = composer.suggestions?.items.first, let answer = item.answer else { return }
    var next = composer.reducer
    guard let query = next.suggestionQuery else { return }
    _ = next.pick(answer, for: query, at: Timestamp(rawValue: 0))
    tell(next.composer)
    try composer.pick(item.id)
    say("did \(number) \(uptime())")
  }

  private mutating func send(behind action: Composer.Action) async throws {
    try perform(action)
    let isCommand = composer.reducer.content.command != nil
    if composer.refusal != nil || isCommand != (action == Self.mute) { return }
    tell(Composer(Worker.written), sends: !isCommand)
    do { try await composer.send() } catch {
      // A command may fail, which leaves the content; a message must not.
      guard isCommand else { throw error }
      tell(composer.composer)
    }
    say("did \(number) \(uptime())")
    say("kept \(number)")
  }
}
