// Why what is written is not sent.
public import Chat

/// Why what is written cannot be sent; all of it stays where it is.
///
/// They are tried in this order, and the first that holds is told.
public enum SendRefusal: Error, Hashable, Sendable {
  /// A command is at work, or a message is on its way.
  case busy
  /// There is nothing to send.
  case empty
  /// The text has more characters than the channel allows.
  case tooLong(count: Int, max: Int)
  /// An attachment is not uploaded yet.
  case uploading(file: UserText)
  /// An attachment could not be uploaded.
  case uploadFailed(file: UserText, reason: UserText)
  /// Nobody may send for now.
  case frozen
  /// The user may only read.
  case banned(until: Instant?)
  /// The user may not do this in the channel.
  case notAllowed(Capability)
  /// The channel does without it.
  case off(ChannelFlag)
  /// The user has to wait so many seconds.
  case coolingDown(seconds: Int)
  /// The text begins like a command, and names none.
  case unknownCommand(UserText)
  /// The command needs something more.
  case incomplete(ComposedCommand.ID, format: UserText?)
  /// It was decided where the message would have been recorded.
  case refused(Refusal)
}

extension SendRefusal {
  /// What the reason is called where it is recorded.
  public var name: Composer.RefusalName {
    switch self {
    case .busy: "busy"
    case .empty: "empty"
    case .tooLong: "tooLong"
    case .uploading: "uploading"
    case .uploadFailed: "uploadFailed"
    case .frozen: "frozen"
    case .banned: "banned"
    case .notAllowed: "notAllowed"
    case .off: "off"
    case .coolingDown: "coolingDown"
    case .unknownCommand: "unknownCommand"
    case .incomplete: "incompleteCommand"
    case .refused: "refused"
    }
  }

  /// The event that records it.
  public var event: Composer.Event { .sendRefused(name, detail: UserText(description)) }
}

extension SendRefusal: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .busy: "Something is on its way already: wait until it has arrived, and send again."
    case .empty: "There is nothing to send: write something, or attach something."
    case .tooLong(let count, let max): "The message has \(count) characters and \(max) are allowed: make it shorter."
    case .uploading(let file): "\(file) is not uploaded yet: wait for it, or take it off."
    case .uploadFailed(let file, let reason): "\(file) was not uploaded (\(reason)): try again, or take it off."
    case .frozen: "The channel is frozen, and nobody may send: try again when it is not."
    case .banned(let end?): "You may only read here until \(end): send again then."
    case .banned(nil): "You may only read here: ask somebody who keeps order."
    case .notAllowed(let capability):
      "You may not do this here (\(capability)): leave it out, or ask who runs the channel."
    case .off(let flag): "The channel does without this (\(flag)): leave it out."
    case .coolingDown(let seconds): "The channel is in slow mode: send again in \(seconds) seconds."
    case .unknownCommand(let word):
      "There is no command \(word) here: take one of those that are listed, or write something before it."
    case .incomplete(let id, let format?): "The command \(id) needs more: write \(format)."
    case .incomplete(let id, nil): "The command \(id) needs more: complete it."
    case .refused(let refusal): refusal.description
    }
  }
}
