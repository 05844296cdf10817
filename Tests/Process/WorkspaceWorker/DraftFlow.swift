// What somebody does with a draft, here or in a process that is killed right behind it.
package import Verbatim

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thing that somebody does with what is written in a composer.
package enum DraftStep: String, CaseIterable, Sendable {
  /// They leave, with more written.
  case leave
  /// They leave with nothing.
  case leaveWithNothing
  /// They clear it.
  case clear
  /// They take letter by letter away.
  case takeBack
  /// They send it.
  case publish
}

extension DraftStep {
  /// Does it, and waits until it is where it stays.
  @MainActor
  package func take(in composer: LiveComposer) async throws {
    // Where nothing was filled in, something is written first.
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
  /// Takes a step in the composer of a channel or a thread, and is dead right behind it.
  @MainActor
  static func takeAndDie(_ step: DraftStep, thread: Message.ID?, in workspace: Workspace) async throws {
    let channel = workspace.client(user: written.user, device: written.device).channel(meeting)
    try await step.take(in: channel.composer(thread: thread))
    kill(getpid(), SIGKILL)
  }
}
