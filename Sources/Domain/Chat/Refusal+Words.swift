// Descriptions of refusals, each one sentence: what failed, on what, what to do.

extension Refusal: CustomStringConvertible {
  /// The refusal in one sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .unknownUser(let id): "There is no user \(id): create them first."
    case .userExists(let id): "The user \(id) exists with another profile: change that, or take another id."
    case .userDeactivated(let id): "The user \(id) is deactivated: have an administrator reactivate them."
    case .notAdministrator: "This is for the app and administrators: ask one of them."
    case .notYours(let id): "This is \(id)’s to do: ask them."
    case .oneself: "Nobody does this to themselves: name another user."
    case .notMember(let key): "\(key.user) is not a member of \(key.channel): add them first."
    case .memberExists(let key):
      "\(key.user) is a member of \(key.channel) in another role: change the role instead."
    case .notAllowed(let capability, let channel):
      "The actor's role in \(channel) does not allow “\(capability)”: ask somebody whose role does."
    case .banned(let ban): "\(ban.words) have the ban lifted."
    case .outranked(let user): "\(user) may do something here that the actor may not: ask somebody who may."
    case .roleTooHigh(let role): "The role \(role) allows something that the actor may not do: give a lesser one."
    case .unknownRole(let role): "The rules know no role \(role): add it to them, or give another."
    case .coolingDown(let end): "The channel is in slow mode: send again at \(end) or later."
    case .alreadyOver(let end): "The end, \(end), has come already: give a later one, or none."
    case .tooLarge(let limit, let count, let max):
      "The number of \(limit.words) is \(count), and at most \(max) is allowed: give fewer, or raise the limit."
    case .zeroVersion(let name): "The app's event \(name) has version 0: count its versions from 1."
    case .otherDevice(let id): "This composer is on the device \(id): compose there, or take this device's own."
    case .notComposable(let key):
      "An action lies outside the text of the composer of \(key.user) in \(key.channel): read its content again."
    case .commandRuns(let id): "The command \(id) is at work: wait for its end."
    case .commandEnded(let id): "The command \(id) is not at work: it ends once."
    default: channelWords ?? messageWords
    }
  }

  private var channelWords: String? {
    switch self {
    case .unknownChannel(let id): "There is no channel \(id): create it first."
    case .channelExists(let id): "The channel \(id) exists and is another: take another id."
    case .channelDeleted(let id): "The channel \(id) was deleted: use another."
    case .channelFrozen(let id): "The channel \(id) is frozen: wait until it is unfrozen."
    case .off(let flag, let id):
      "The channel \(id) does without “\(flag)”: do without it too, or configure the channel."
    default: nil
    }
  }

  private var messageWords: String {
    switch self {
    case .unknownMessage(let key): "There is no message \(key.id) in \(key.channel) for the actor: name another."
    case .clientIDTaken(let id, let key):
      "The client id \(id) was used for the message \(key.id) in \(key.channel): take another for a new message."
    case .messageExists(let key): "The message \(key.id) in \(key.channel) exists and is another: take another id."
    case .messageDeleted(let key): "The message \(key.id) in \(key.channel) was deleted: restore it first."
    case .messageIsEphemeral(let key): "Only its author sees the message \(key.id) in \(key.channel): send it first."
    case .notEphemeral(let key): "All see the message \(key.id) in \(key.channel): there is nothing to decide of it."
    case .notAwaited(let key, let delivery):
      "The message \(key.id) in \(key.channel) does not wait for this, \(delivery.words): leave it as it is."
    case .parentIsReply(let key): "The message \(key.id) in \(key.channel) is a reply: reply to its parent."
    case .mentionMisplaced(let mention):
      "The mention of \(mention.user) at \(mention.range.lowerBound.rawValue)..<"
        + "\(mention.range.upperBound.rawValue) stands for nothing in the text, or is out of order: "
        + "give ranges of UTF-16 units in their order."
    case .attachmentTwice(let id): "There are two attachments \(id): give each its own id."
    case .notUploaded(let id): "The attachment \(id) cannot be reached by others: upload it first."
    case .zeroScore: "A reaction has the score 0: give 1 or more, or remove the reaction."
    default: "The message says nothing: give it text or an attachment."
    }
  }
}

extension Ban {
  fileprivate var words: String {
    let place =
      switch key.scope {
      case .channel(let id): "in \(id)"
      case .everywhere: "everywhere"
      }
    return "\(key.user) is banned \(place) " + (term.end.map { "until \($0): wait, or" } ?? "for good:")
  }
}

extension Message.Delivery {
  fileprivate var words: String {
    switch self {
    case .settled: "it waits for no server any more"
    case .pending: "it is on its way"
    case .failed(let reason): "it failed, “\(reason)”"
    }
  }
}

extension Refusal.Limit {
  fileprivate var words: String {
    switch self {
    case .messageLength: "characters in the message"
    case .textByteCount: "bytes in the text"
    case .extraByteCount: "bytes in the extra values"
    case .extraDepth: "levels in the extra values"
    case .membersPerAdd: "members to add"
    case .nameLength: "characters in the name"
    case .lineByteCount: "bytes in a line of text"
    case .attachments: "attachments"
    case .attachmentByteCount: "bytes in what is stored of an attachment"
    case .uploadByteCount(let id): "bytes in the attachment \(id)"
    case .mentions: "mentions"
    case .reactionKinds: "kinds of reactions to the message"
    case .compositionByteCount: "bytes in what is composed"
    case .payloadByteCount: "bytes in the payload"
    }
  }
}
