// All reasons for refusals, so that a test can check that each occurred.
public import Chat

/// The reason for a refusal, without its subject.
public enum RefusalKind: String, CaseIterable, Sendable {
  case unknownUser, userExists, userDeactivated, notAdministrator, notYours, oneself
  case unknownChannel, channelExists, channelDeleted, channelFrozen, off
  case notMember, memberExists, notAllowed, banned, outranked, roleTooHigh, unknownRole, coolingDown
  case unknownMessage, messageExists, messageDeleted, messageIsEphemeral, notEphemeral, notAwaited, parentIsReply
  case emptyMessage, mentionMisplaced, attachmentTwice, notUploaded, zeroScore, alreadyOver
  case notComposable, commandRuns, commandEnded, zeroVersion, clientIDTaken, otherDevice, unknownConsumer
  case longMessage, largeText, largeExtra, deepExtra, manyMembers, longName, largeLine, manyAttachments
  case reservedUser, reservedAppEvent
  case notInvited, directChannel, otherMembers, blocked, blocking, messageIsForwarded, notReply, pollExists, noPoll
  case pollClosed, fewOptions, optionTwice, unknownOption, noFlags, claimed, manyOptions, manyVotes
  case largeAttachment, largeUpload, manyMentions, manyReactionKinds, largeComposition, largePayload

  /// The reason for a refusal.
  public init(_ refusal: Refusal) {
    self =
      switch refusal {
      case .unknownUser: .unknownUser
      case .userExists: .userExists
      case .userDeactivated: .userDeactivated
      case .notAdministrator: .notAdministrator
      case .notYours: .notYours
      case .oneself: .oneself
      case .unknownChannel: .unknownChannel
      case .channelExists: .channelExists
      case .channelDeleted: .channelDeleted
      case .channelFrozen: .channelFrozen
      case .off: .off
      case .notMember: .notMember
      case .memberExists: .memberExists
      case .notAllowed: .notAllowed
      case .banned: .banned
      case .outranked: .outranked
      case .roleTooHigh: .roleTooHigh
      case .unknownRole: .unknownRole
      case .coolingDown: .coolingDown
      case .unknownMessage: .unknownMessage
      case .messageExists: .messageExists
      case .messageDeleted: .messageDeleted
      case .messageIsEphemeral: .messageIsEphemeral
      case .notEphemeral: .notEphemeral
      case .notAwaited: .notAwaited
      case .parentIsReply: .parentIsReply
      case .emptyMessage: .emptyMessage
      case .mentionMisplaced: .mentionMisplaced
      case .attachmentTwice: .attachmentTwice
      case .notUploaded: .notUploaded
      case .zeroScore: .zeroScore
      case .alreadyOver: .alreadyOver
      case .tooLarge(let limit, _, _): RefusalKind(limit)
      case .notComposable: .notComposable
      case .commandRuns: .commandRuns
      case .commandEnded: .commandEnded
      case .zeroVersion: .zeroVersion
      case .reservedAppEvent: .reservedAppEvent
      case .unknownConsumer: .unknownConsumer
      case .clientIDTaken: .clientIDTaken
      case .otherDevice: .otherDevice
      case .reservedUser: .reservedUser
      case .notInvited: .notInvited
      case .directChannel: .directChannel
      case .otherMembers: .otherMembers
      case .blocked: .blocked
      case .blocking: .blocking
      case .messageIsForwarded: .messageIsForwarded
      case .notReply: .notReply
      case .pollExists: .pollExists
      case .noPoll: .noPoll
      case .pollClosed: .pollClosed
      case .fewOptions: .fewOptions
      case .optionTwice: .optionTwice
      case .unknownOption: .unknownOption
      case .noFlags: .noFlags
      case .claimed: .claimed
      }
  }

  private init(_ limit: Refusal.Limit) {
    self =
      switch limit {
      case .messageLength: .longMessage
      case .textByteCount: .largeText
      case .extraByteCount: .largeExtra
      case .extraDepth: .deepExtra
      case .membersPerAdd: .manyMembers
      case .nameLength: .longName
      case .lineByteCount: .largeLine
      case .attachments: .manyAttachments
      case .attachmentByteCount: .largeAttachment
      case .uploadByteCount: .largeUpload
      case .mentions: .manyMentions
      case .reactionKinds: .manyReactionKinds
      case .compositionByteCount: .largeComposition
      case .payloadByteCount: .largePayload
      case .pollOptions: .manyOptions
      case .votes: .manyVotes
      }
  }
}
