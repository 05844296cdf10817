// Whoever takes a composer's events, and knows where it stands.
public import Chat

/// Whoever takes a composer's events, and knows where it stands: a workspace, or a test.
public protocol ComposerHost: UserDirectory {
  /// What time it is.
  var now: Instant { get }
  /// A new id, that nobody else has.
  func newID() -> String
  /// Records what was done, in order, and returns at once; throws when it cannot, and has then recorded nothing. Of
  /// nothing, too, it throws where something could not be recorded.
  func record(_ events: [Composer.Event]) throws
  /// Waits until all that was recorded is where it stays.
  func flush() async throws
  /// Submits intents together with what is done in the composer by them: all of it happens, or nothing; answers why
  /// not, where the conversation says no. Nothing is recorded in between.
  func submit(_ intents: [ChatIntent], recording events: [Composer.Event]) async throws -> Refusal?
  /// Where the composer stands, with the messages that it is about and the names of users.
  func composerContext(messages: [Message.ID], users: [User.ID]) async throws -> ComposerContext
  /// The draft that it is filled from, also what is left of one that was deleted; nil when there never was one.
  func draft() async throws -> Draft?
  /// What is to be told where nothing more is recorded; nil while all is well.
  var stopped: ComposerNotice? { get }
  /// Tells each time that something around it may have changed, or that nothing more is recorded; ends when nothing
  /// more will.
  func changes() -> AsyncStream<Void>
  /// Waits until an instant, or until the task is cancelled.
  func wait(until instant: Instant) async
}

extension ComposerHost {
  /// Nothing.
  public var stopped: ComposerNotice? { nil }
}

/// Why something was not done in a composer; what is written is what it was.
public enum ComposerError: Error {
  /// It cannot be done.
  case refused(ComposerRefusal)
  /// What is written cannot be sent.
  case notSent(SendRefusal)
  /// The command did not do what it is for.
  case commandFailed(ComposedCommand.ID, reason: UserText)
  /// It could not be recorded.
  case notRecorded(any Error)
}

extension ComposerError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .notSent(let refusal): refusal.description
    case .commandFailed(let id, let reason): "The command \(id) was not executed, and what was written stays: \(reason)"
    case .notRecorded(let error): "\(error)"
    }
  }
}

/// What came of a send.
public enum Sent: Hashable, Sendable {
  /// A message is there.
  case message(Message.ID)
  /// A message was changed, or there was nothing to change in it.
  case edit(Message.ID)
  /// A command did what it is for, in the place of a message.
  case command(ComposedCommand.ID)
}

/// What a person should be told who looks at a composer.
public enum ComposerNotice: Hashable, Sendable {
  /// Why something was not sent.
  case notSent(SendRefusal)
  /// Why a command did not do what it is for.
  case commandFailed(ComposedCommand.ID, reason: UserText)
  /// A command was at work when the process ended, and nobody knows whether it did what it is for.
  case commandInterrupted(ComposedCommand.ID)
  /// The message that was edited is deleted; the edit is over.
  case editedMessageGone(Message.ID)
  /// Something could not be recorded.
  case notRecorded(UserText)
  /// Another process has written to it. What is written here stays to be read and copied, and nothing more is recorded:
  /// ask for the composer again to go on from what the other wrote.
  case openElsewhere
}
