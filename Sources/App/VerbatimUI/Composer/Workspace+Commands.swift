// The commands that are registered on an open workspace.
public import Chat
public import ChatComposer
internal import Locks
public import Verbatim

extension Workspace {
  /// The commands that were registered in this process, in order.
  @MainActor
  public var registeredCommands: [any CommandHandler] {
    values.withLock { $0[ObjectIdentifier(RegisteredCommands.self)] as? RegisteredCommands }?.commands ?? []
  }

  /// Registers a command for all composers of the workspace in this process, the open ones included.
  ///
  /// It is listed and called after the commands of a composer's ``/ChatComposer/CommandsConfig``. Throws if a command
  /// with its id is registered already. The registration is not stored: it ends with the workspace.
  @MainActor
  public func register(_ command: any CommandHandler) throws(CommandRegistrationError) {
    if registeredCommands.contains(where: { $0.id == command.id }) { throw .alreadyRegistered(command.id) }
    set(registeredCommands + [command])
  }

  /// Removes a registered command from all composers; returns false if there is none with the id.
  @MainActor @discardableResult
  public func unregister(command id: ComposedCommand.ID) -> Bool {
    let kept = registeredCommands.filter { $0.id != id }
    if kept.count == registeredCommands.count { return false }
    set(kept)
    return true
  }

  @MainActor
  private func set(_ commands: [any CommandHandler]) {
    values.withLock { $0[ObjectIdentifier(RegisteredCommands.self)] = RegisteredCommands(commands: commands) }
    for composer in composersInUse { composer.register(commands) }
  }
}

private struct RegisteredCommands: Sendable {
  let commands: [any CommandHandler]
}

/// The error of a command that cannot be registered.
public enum CommandRegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A command with the id is registered already.
  case alreadyRegistered(ComposedCommand.ID)

  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .alreadyRegistered(let id): "A command \(id) is registered already: unregister it, or use another id."
    }
  }
}

// MARK: Queries of commands

extension ExecutionContext {
  /// Reads the conversation as the user of the composer may see it, with all queries at one position: the head of the
  /// log or later. Throws ``ContextReadError`` if the composer is not one of a workspace.
  public func read<R: Sendable>(_ body: @escaping @Sendable (ClientReading) throws -> R) async throws -> R {
    try await people.read(body)
  }
}

extension SuggestionContext {
  /// Reads the conversation as the user of the composer may see it, with all queries at one position: the head of the
  /// log or later. Throws ``ContextReadError`` if the composer is not one of a workspace.
  public func read<R: Sendable>(_ body: @escaping @Sendable (ClientReading) throws -> R) async throws -> R {
    try await people.read(body)
  }
}

extension UserDirectory {
  fileprivate func read<R: Sendable>(_ body: @escaping @Sendable (ClientReading) throws -> R) async throws -> R {
    guard let host = self as? WorkspaceHost else { throw ContextReadError() }
    return try await host.client.read(body)
  }
}

/// The error of a query in a composer that is not one of a workspace.
public struct ContextReadError: Error, CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    "The command cannot query the conversation, since its composer is in memory only: use a composer of a workspace."
  }
}
