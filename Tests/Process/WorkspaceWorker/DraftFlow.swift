// The steps of a user with a draft, in this process or in one that is killed immediately afterwards.
import Verbatim
package import VerbatimUI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A user's step with the contents of a composer.
package enum DraftStep: String, CaseIterable, Sendable {
  /// The user leaves after more text.
  case leave
  /// The user leaves an empty composer.
  case leaveWithNothing
  /// The user clears it.
  case clear
  /// The user deletes it character by character.
  case takeBack
  /// The user sends it.
  case publish
}

extension DraftStep {
  /// Takes the step, and waits until its effect is stored.
  @MainActor
  package func take(in composer: LiveComposer) async throws {
    // Without an existing draft, a text is typed first.
    if self != .leave, composer.text.isEmpty { try composer.perform(.type("x")) }
    switch self {
    case .leave:
      try composer.perform(.type(" more"))
      try await composer.leave()
    case .leaveWithNothing:
      try composer.perform(.setText(""))
      try await composer.leave()
    case .clear:
      try composer.perform(.clear)
      try await composer.flush()
    case .takeBack:
      while !composer.text.isEmpty { try composer.perform(.backspace) }
      try await composer.flush()
    case .publish: try await composer.send()
    }
  }
}

extension Worker {
  /// Takes a step in the composer of a channel or a thread, and kills the process immediately afterwards.
  @MainActor
  static func takeAndDie(_ step: DraftStep, thread: Message.ID?, in workspace: Workspace) async throws {
    let channel = workspace.client(user: written.user, device: written.device).channel(meeting)
    try await step.take(in: channel.composer(thread: thread))
    kill(getpid(), SIGKILL)
  }
}
