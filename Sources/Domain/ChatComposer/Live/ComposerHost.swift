// The host of a composer: records its events and provides its context.
public import Chat

/// The environment that records a composer's events and provides its context: a workspace or a test.
public protocol ComposerHost: UserDirectory {
  /// The current time.
  var now: Timestamp { get }
  /// Returns a new unique id.
  func newID() -> Message.ID
  /// Records events in order and returns immediately; throws without recording any if it cannot. An empty array also
  /// throws if nothing can be recorded.
  func record(_ events: [Composer.Event]) throws
  /// Waits until all recorded events are durable.
  func flush() async throws
  /// Submits intents and composer events in one append without events in between, all or nothing; returns the refusal
  /// if the conversation refuses.
  func submit(_ intents: [ChatIntent], recording events: [Composer.Event]) async throws -> Refusal?
  /// Returns the composer's context, with the referenced messages and the names of users.
  func composerContext(messages: [Message.ID], users: [User.ID]) async throws -> ComposerContext
  /// Returns the draft from which the composer is filled, or the remains of a deleted one; nil if there never was one.
  func draft() async throws -> Draft?
  /// The notice to show once no more events are recorded; nil in normal operation.
  var stopped: ComposerNotice? { get }
  /// Yields whenever the context may have changed or recording has stopped; finishes when no more changes follow.
  func changes() -> AsyncStream<Void>
  /// Waits until an instant, or until the task is cancelled.
  func wait(until instant: Timestamp) async
}

extension ComposerHost {
  /// The default: never stopped.
  public var stopped: ComposerNotice? { nil }
}

/// An error of a composer operation; the content is unchanged.
public enum ComposerError: Error {
  /// The action was refused.
  case refused(ComposerRefusal)
  /// The content cannot be sent.
  case notSent(SendRefusal)
  /// The command failed.
  case commandFailed(ComposedCommand.ID, RecordedFailure)
  /// The events could not be recorded.
  case notRecorded(any Error)
  /// The app's code for a tap on an item failed.
  case tapFailed(ComposerItem.ID, any Error)
}

extension ComposerError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .notSent(let refusal): refusal.description
    case .commandFailed(let id, let failure): "The command \(id) failed, and the content stays: \(failure.sentence)"
    case .notRecorded(let error): "\(error)"
    case .tapFailed(let id, let error): "The tap on “\(id)” failed: \(error)"
    }
  }
}

extension ComposerError {
  /// The failure that is recorded when the error ends a command.
  var failure: RecordedFailure {
    switch self {
    case .notSent(let refusal): RecordedFailure(refusal)
    case .commandFailed(_, let failure): failure
    case .notRecorded(let error): RecordedFailure(error)
    case .refused, .tapFailed: RecordedFailure(self)
    }
  }
}

/// The result of a send.
public enum Sent: Hashable, Sendable {
  /// A message was sent.
  case message(Message.ID)
  /// An edit was saved, or there was nothing to change.
  case edit(Message.ID)
  /// A command was executed in place of a message.
  case command(ComposedCommand.ID)
}

/// A notice for the user of a composer.
public enum ComposerNotice: Hashable, Sendable {
  /// A send was refused.
  case notSent(SendRefusal)
  /// A command failed.
  case commandFailed(ComposedCommand.ID, RecordedFailure)
  /// A command was executed in place of a message and sent none, so that nothing else shows its effect; with the name
  /// of its target, if that is known.
  case commandExecuted(ComposedCommand, name: String?)
  /// A command was in progress when the process ended; its outcome is unknown.
  case commandInterrupted(ComposedCommand.ID)
  /// The edited message was deleted; the edit is over.
  case editedMessageGone(Message.ID)
  /// A set of the text or of the caret was refused, for this reason.
  case refused(UserText)
  /// Events could not be recorded.
  case notRecorded(UserText)
  /// Another process has written to the composer. The text here stays readable and no more events are recorded: request
  /// the composer again to continue from what the other process wrote.
  case openElsewhere
}

extension ComposerNotice {
  /// Whether the notice reports that something did not succeed.
  public var isFailure: Bool { if case .commandExecuted = self { false } else { true } }
}

extension ComposerNotice: CustomStringConvertible {
  /// The notice in English.
  public var description: String {
    switch self {
    case .notSent(let refusal): refusal.description
    case .commandFailed(let id, let failure): "The command \(id) failed: \(failure.sentence)"
    case .commandExecuted(let command, let name): command.effect(on: name ?? command.target?.text)
    case .commandInterrupted(let id):
      "The command \(id) was executing when the program ended, and its outcome is unknown: check its effect."
    case .editedMessageGone: "The edited message was deleted: the content from before the edit is restored."
    case .refused(let reason), .notRecorded(let reason): reason.string
    case .openElsewhere:
      "Another process has written to this composer: the text here stays readable, and no more events are recorded."
    }
  }
}

extension ComposedCommand {
  /// Returns the effect of the executed command on its target, in English.
  fileprivate func effect(on name: String?) -> String {
    guard let name else { return "The command \(id) was executed." }
    return switch id {
    case "mute": "\(name) is muted."
    case "unmute": "\(name) is no longer muted."
    case "ban": "\(name) is banned."
    case "unban": "\(name) is no longer banned."
    case "flag": "\(name) was reported to the moderators."
    default: "The command \(id) was executed for \(name)."
    }
  }
}
