// Descriptions of refusals, each one sentence: what failed, on what, what to do.

extension Refusal: CustomStringConvertible {
  /// The refusal in one sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .unknownUser(let id): "There is no user \(id): create them first."
    case .userExists(let id): "The user \(id) exists with another profile: change the profile, or use another id."
    case .reservedUser(let id): "The id \(id) begins with “@”, as those of groups: create the user with another."
    case .userDeactivated(let id): "The user \(id) is deactivated: have an administrator reactivate them."
    case .notAdministrator: "Only the app and administrators may do this: ask an administrator."
    case .notYours(let id): "Only \(id) may do this: ask them."
    case .oneself: "Users cannot do this to themselves: name another user."
    case .notMember(let key): "\(key.user) is not a member of \(key.channel): add them first."
    case .memberExists(let key):
      "\(key.user) is a member of \(key.channel) in another role: change the role instead."
    case .notInvited(let key): "\(key.user) has no invitation to \(key.channel): invite them first."
    case .blocked(let user): "\(user) blocked the actor: write to others."
    case .blocking(let user): "The actor blocks \(user): end the block first."
    case .notAllowed(let capability, let channel):
      "The actor's role in \(channel) does not allow “\(capability)”: ask a user whose role does."
    case .banned(let ban): "\(ban.words) have the ban lifted."
    case .outranked(let user): "\(user) has a capability here that the actor lacks: ask a user who has it."
    case .roleTooHigh(let role): "The role \(role) has a capability that the actor lacks: choose a lower role."
    case .unknownRole(let role): "The rules define no role \(role): define it, or choose another."
    case .coolingDown(let end): "The channel is in slow mode: send again at \(end) or later."
    case .alreadyOver(let end): "The end, \(end), is in the past: give a later one, or none."
    case .tooLarge(let limit, let count, let max):
      "The number of \(limit.words) is \(count), and at most \(max) is allowed: give fewer, or raise the limit."
    case .noFlags(let target): "There are no open flags on \(target.words): wait until it is flagged."
    case .claimed(let author):
      "The review is claimed by \(author.user?.text ?? "the app"): leave it to them, or have the claim released."
    case .unknownConsumer(let id): "There is no consumer \(id): start it first."
    case .zeroVersion(let name): "The app's event \(name) has version 0: count its versions from 1."
    case .reservedAppEvent(let name):
      "The app's event \(name) has, or is about, a name that begins with “verbatim.”, as the log's own: use another."
    case .otherDevice(let id):
      "This composer belongs to the device \(id): use it there, or use the composer of this device."
    case .notComposable(let key):
      "An offset is outside the text of the composer of \(key.user) in \(key.channel): read its content again."
    case .commandRuns(let id): "The command \(id) is executing: wait until it ends."
    case .commandEnded(let id): "The command \(id) is not executing: record its end only once."
    default: channelWords ?? messageWords
    }
  }

  private var channelWords: String? {
    switch self {
    case .unknownChannel(let id): "There is no channel \(id): create it first."
    case .channelExists(let id): "The channel \(id) exists with other properties: use another id."
    case .channelDeleted(let id): "The channel \(id) was deleted: use another."
    case .channelFrozen(let id): "The channel \(id) is frozen: wait until it is unfrozen."
    case .off(let flag, let id):
      "The channel \(id) has “\(flag)” switched off: leave it out, or configure the channel."
    case .directChannel(let id): "The members of the direct channel \(id) do not change: create another channel."
    case .otherMembers(let id):
      "The id \(id) is that of the direct channel of other users: use the one derived from these members."
    default: nil
    }
  }

  private var messageWords: String {
    switch self {
    case .unknownMessage(let key): "The actor can see no message \(key.id) in \(key.channel): name another."
    case .clientIDTaken(let id, let key):
      "The client id \(id) was used for the message \(key.id) in \(key.channel): use another for a new message."
    case .messageExists(let key):
      "The id \(key.id) in \(key.channel) belongs to a message with other content, or one that was changed or deleted "
        + "since: use another id."
    case .messageDeleted(let key): "The message \(key.id) in \(key.channel) was deleted: restore it first."
    case .messageIsEphemeral(let key):
      "The message \(key.id) in \(key.channel) is ephemeral: send it to all members first."
    case .messageIsForwarded(let key):
      "The message \(key.id) in \(key.channel) has the content of another: forward that one, and do not edit the copy."
    case .notEphemeral(let key): "The message \(key.id) in \(key.channel) is not ephemeral: name an ephemeral one."
    case .notAwaited(let key, let delivery):
      "The delivery of \(key.id) in \(key.channel) cannot change like this, \(delivery.words): leave it unchanged."
    case .parentIsReply(let key): "The message \(key.id) in \(key.channel) is a reply: reply to its parent."
    case .mentionMisplaced(let mention):
      "The mention of \(mention.user) at \(mention.range.lowerBound.rawValue)..<"
        + "\(mention.range.upperBound.rawValue) is empty, outside the text or out of order: "
        + "give ranges of UTF-16 units in ascending order."
    case .attachmentTwice(let id): "Two attachments have the id \(id): give each its own."
    case .notUploaded(let id): "The attachment \(id) is only on this device: upload it first."
    case .zeroScore: "A reaction has the score 0: give 1 or more, or remove the reaction."
    default: pollWords
    }
  }

  private var pollWords: String {
    switch self {
    case .notReply(let key, let parent):
      "The message \(key.id) in \(key.channel) is no reply to \(parent): name a reply in its thread."
    case .pollExists(let key): "The message \(key.id) in \(key.channel) has another poll: open one in a new message."
    case .noPoll(let key): "The message \(key.id) in \(key.channel) has no poll: open one first."
    case .pollClosed(let key): "The poll of \(key.id) in \(key.channel) is closed: open another."
    case .fewOptions(let key):
      "The poll of \(key.id) in \(key.channel) offers no choice: give two options or more, and a vote or more per user."
    case .optionTwice(let id): "Two options of the poll have the id \(id): give each its own."
    case .unknownOption(let id, let key):
      "The poll of \(key.id) in \(key.channel) has no option \(id): name one that it has."
    default: "The message is empty: give it text or an attachment."
    }
  }
}

extension Flag.Target {
  fileprivate var words: String {
    switch self {
    case .message(let key): "the message \(key.id) in \(key.channel)"
    case .user(let id): "the user \(id)"
    }
  }
}

extension Ban {
  fileprivate var words: String {
    let scope =
      switch key.scope {
      case .channel(let id): "in \(id)"
      case .everywhere: "everywhere"
      }
    return "\(key.user) is banned \(scope) " + (term.end.map { "until \($0): wait, or" } ?? "permanently:")
  }
}

extension Message.Delivery {
  fileprivate var words: String {
    switch self {
    case .settled: "since it is settled"
    case .pending: "since it is pending"
    case .failed(let reason): "since it failed, “\(reason)”"
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
    case .attachmentByteCount: "bytes in the properties of an attachment"
    case .uploadByteCount(let id): "bytes in the attachment \(id)"
    case .mentions: "mentions"
    case .reactionKinds: "kinds of reactions to the message"
    case .pollOptions: "options of the poll"
    case .votes: "votes"
    case .compositionByteCount: "bytes in the content of the composer"
    case .payloadByteCount: "bytes in the payload"
    }
  }
}
