// The reasons to refuse a send.
public import Chat

/// The reason why the content cannot be sent; the content stays unchanged.
///
/// The checks run in this order, and the first failed one is returned.
public enum SendRefusal: CodedError, Hashable, Sendable {
  /// A command is executing or a message is being sent.
  case busy
  /// The content is empty.
  case empty
  /// The text has more characters than the channel allows.
  case tooLong(count: Int, max: Int)
  /// The upload of an attachment is not finished.
  case uploading(file: UserText)
  /// The upload of an attachment failed.
  case uploadFailed(file: UserText, RecordedFailure)
  /// The channel is frozen.
  case frozen
  /// The user is banned.
  case banned(until: Timestamp?)
  /// The user lacks this capability in the channel.
  case notAllowed(Capability)
  /// The channel has this feature switched off.
  case off(ChannelFlag)
  /// Slow mode: the user has to wait this many seconds.
  case coolingDown(seconds: Int)
  /// The text starts like a command, but no such command exists.
  case unknownCommand(UserText)
  /// The command lacks arguments or a target.
  case incomplete(ComposedCommand.ID, format: UserText?)
  /// The decider refused the message when it was submitted.
  case refused(Refusal)
}

extension SendRefusal {
  /// The event that records the refusal.
  public var event: Composer.Event { .sendRefused(RecordedFailure(self)) }
}

extension SendRefusal: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .busy: "A send or a command is in progress: wait until it ends, and send again."
    case .empty: "The message is empty: write text, or attach something."
    case .tooLong(let count, let max): "The message has \(count) characters and \(max) are allowed: make it shorter."
    case .uploading(let file): "\(file) is not uploaded yet: wait for the upload, or remove the attachment."
    case .uploadFailed(let file, let failure):
      "The upload of \(file) failed (\(failure.sentence)): retry it, or remove the attachment."
    case .frozen: "The channel is frozen: send again when it is unfrozen."
    case .banned(let end?): "You are banned until \(end): send again then."
    case .banned(nil): "You are banned: ask a moderator to lift the ban."
    case .notAllowed(let capability):
      "You lack the capability \(capability) here: leave this out, or ask a moderator."
    case .off(let flag): "The channel has \(flag) switched off: leave this out."
    case .coolingDown(let seconds): "The channel is in slow mode: send again in \(seconds) seconds."
    case .unknownCommand(let word):
      "There is no command \(word) here: choose a listed one, or write something before it."
    case .incomplete(let id, let format?): "The command \(id) is incomplete: write \(format)."
    case .incomplete(let id, nil): "The command \(id) is incomplete: add its arguments."
    case .refused(let refusal): refusal.description
    }
  }
}
