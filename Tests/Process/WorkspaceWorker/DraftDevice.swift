// A device on which a user writes, possibly concurrently with other devices of the user; it executes lines of input.
import ChildProcess
import Dispatch
package import Verbatim
import VerbatimUI

/// A device with a composer for a channel or a thread. It replies to each line with one.
@MainActor
package final class DraftDevice {
  private let workspace: Workspace
  private let device: Device.ID
  private let thread: Message.ID?
  private var composer: LiveComposer?

  /// Creates a device whose composer is not open yet.
  package init(_ workspace: Workspace, _ device: Device.ID, thread: Message.ID?) {
    (self.workspace, self.device, self.thread) = (workspace, device, thread)
  }

  /// Executes a line, with the text after its first word as argument; returns the result.
  package func answer(to line: String) async throws -> String {
    let words = line.split(separator: " ", maxSplits: 1)
    let text = words.count > 1 ? String(words[1]) : ""
    switch words.first {
    case "open": composer = try await channel.composer(thread: thread)
    case "type": try open.perform(.type(text))
    case "clear":
      try open.perform(.clear)
      try await open.flush()
    case "leave": try await open.leave()
    case "flush": try await open.flush()
    case "await": try await wait { open in open.text == text }
    // The channel's configuration is read before the draft, and applied with it.
    case "meet": try await wait { open in "\(open.reducer.composerContext.config.slowMode)" == text }
    case "draft": return try await stored()
    case "digests": return try Worker.digests(workspace)
    default: return "unknown: \(line)"
    }
    return try open.text + (open.composer.isTouched ? " (touched)" : "")
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

  /// Waits for a background change, at most a minute; after that the reply contains the current state.
  private func wait(until isThere: (LiveComposer) -> Bool) async throws {
    let (open, deadline) = (try open, ContinuousClock.now + .seconds(Deadline.seconds))
    while !isThere(open), ContinuousClock.now < deadline { await Task.yield() }
  }

  /// Returns the stored draft, also a deleted one.
  private func stored() async throws -> String {
    let key = Draft.Key(by: Worker.written.user, in: Worker.meeting, thread: thread)
    let draft = try await workspace.read { try $0.chat.anyDraft(key) }
    return draft.map { "\($0)" } ?? "none"
  }
}

extension Worker {
  /// Executes the lines of standard input on a device until the end of the input, and prints each result.
  @MainActor
  static func sit(at device: DraftDevice) async throws {
    for await line in linesOfInput() {
      do { say(try await device.answer(to: line)) } catch { say("error \(error)") }
    }
  }

  /// The lines of standard input, read by a thread of its own, so that composers are not blocked.
  private static func linesOfInput() -> AsyncStream<String> {
    AsyncStream { lines in
      DispatchQueue.global().async {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }
}
