// A device of somebody's, on which they write where another of theirs may, too; it is told what to do line by line.
import ChildProcess
import Dispatch
package import Verbatim

/// A device with a composer for a channel or a thread. It answers each line with one.
@MainActor
package final class DraftDevice {
  private let workspace: Workspace
  private let device: Device.ID
  private let thread: Message.ID?
  private var composer: LiveComposer?

  /// A device whose composer is not open yet.
  package init(_ workspace: Workspace, _ device: Device.ID, thread: Message.ID?) {
    (self.workspace, self.device, self.thread) = (workspace, device, thread)
  }

  /// Does what a line says, with the text that stands behind its first word; answers what came of it.
  package func answer(to line: String) async throws -> String {
    let words = line.split(separator: " ", maxSplits: 1)
    let text = words.count > 1 ? String(words[1]) : ""
    switch words.first {
    case "open": composer = try await channel.composer(thread: thread)
    case "type": try open.perform(.type(TypedText(UserText(text))))
    case "clear":
      try open.perform(.clear)
      try await open.flush()
    case "leave": try await open.leave()
    case "flush": try await open.flush()
    case "await": try await wait { open in open.text.userText.string == text }
    // What the channel says is asked for before the draft, and taken over with it.
    case "meet": try await wait { open in "\(open.composing.composerContext.config.slowMode)" == text }
    case "draft": return try await stored()
    case "digests": return try Worker.digests(workspace)
    default: return "unknown: \(line)"
    }
    return try open.text.userText.string + (open.composer.isTouched ? " (touched)" : "")
  }

  private var channel: ChannelController {
    workspace.client(user: Worker.written.user, device: device).channel(Worker.meeting)
  }

  private var open: LiveComposer {
    get throws {
      guard let composer else { throw NotOpen() }
      return composer
    }
  }

  private struct NotOpen: Error {}

  /// Waits for what comes by itself, and no longer than a minute: the answer says what is there all the same.
  private func wait(until isThere: (LiveComposer) -> Bool) async throws {
    let (open, deadline) = (try open, ContinuousClock.now + .seconds(60))
    while !isThere(open), ContinuousClock.now < deadline { await Task.yield() }
  }

  /// What is stored of the draft, also of a deleted one.
  private func stored() async throws -> String {
    let key = Draft.Key(by: Worker.written.user, in: Worker.meeting, thread: thread)
    let draft = try await workspace.read { try $0.chat.anyDraft(key) }
    return draft.map { "\($0)" } ?? "none"
  }
}

extension Worker {
  /// Does on a device what lines on standard input say, until there are no more, and says what came of each.
  @MainActor
  static func sit(at device: DraftDevice) async throws {
    for await line in linesOfInput() {
      do { say(try await device.answer(to: line)) } catch { say("error \(error)") }
    }
  }

  /// The lines of standard input, for which a thread of its own waits: composers go on meanwhile.
  private static func linesOfInput() -> AsyncStream<String> {
    AsyncStream { lines in
      DispatchQueue.global().async {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }
}
