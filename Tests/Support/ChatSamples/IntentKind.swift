// All kinds of intents, so that a test can request each kind and check that each occurred.
public import Chat

/// The kind of an intent: its area, and its action.
public enum IntentKind: String, CaseIterable, Sendable {
  case userCreate = "user/create"
  case userChange = "user/change"
  case userChangeRole = "user/changeRole"
  case userDeactivate = "user/deactivate"
  case userReactivate = "user/reactivate"
  case deviceAdd = "device/add"
  case deviceRemove = "device/remove"
  case muteBegin = "mute/begin"
  case muteEnd = "mute/end"
  case banImpose = "ban/impose"
  case banLift = "ban/lift"
  case flagRaise = "flag/raise"
  case channelCreate = "channel/create"
  case channelChange = "channel/change"
  case channelConfigure = "channel/configure"
  case channelSetSlowMode = "channel/setSlowMode"
  case channelFreeze = "channel/freeze"
  case channelUnfreeze = "channel/unfreeze"
  case channelTruncate = "channel/truncate"
  case channelDelete = "channel/delete"
  case memberAdd = "member/add"
  case memberRemove = "member/remove"
  case memberLeave = "member/leave"
  case memberChangeRole = "member/changeRole"
  case memberRead = "member/read"
  case memberReceive = "member/receive"
  case memberMarkUnread = "member/markUnread"
  case memberHide = "member/hide"
  case memberShow = "member/show"
  case messageSend = "message/send"
  case messageEdit = "message/edit"
  case messageDelete = "message/delete"
  case messageRestore = "message/restore"
  case messagePin = "message/pin"
  case messageUnpin = "message/unpin"
  case messageAcknowledge = "message/acknowledge"
  case messageFail = "message/fail"
  case messageRetry = "message/retry"
  case messageSendEphemeral = "message/sendEphemeral"
  case messageShuffleEphemeral = "message/shuffleEphemeral"
  case messageCancelEphemeral = "message/cancelEphemeral"
  case reactionAdd = "reaction/add"
  case reactionRemove = "reaction/remove"
  case draftUpdate = "draft/update"
  case draftDelete = "draft/delete"
  case composerRecord = "composer/record"
  case appRecord = "app/record"
  case consumerBegin = "consumer/begin"
  case consumerAdvance = "consumer/advance"
  case consumerSkip = "consumer/skip"
  case consumerEnd = "consumer/end"
  case memberInvite = "member/invite"
  case memberJoin = "member/join"
  case memberDecline = "member/decline"
  case memberPin = "member/pin"
  case memberUnpin = "member/unpin"
  case memberArchive = "member/archive"
  case memberUnarchive = "member/unarchive"
  case messageForward = "message/forward"
  case messageOpenPoll = "message/openPoll"
  case messageAddPollOption = "message/addPollOption"
  case messageClosePoll = "message/closePoll"
  case blockBegin = "block/begin"
  case blockEnd = "block/end"
  case reviewClaim = "review/claim"
  case reviewRelease = "review/release"
  case reviewResolve = "review/resolve"
  case savedSave = "savedMessage/save"
  case savedRemove = "savedMessage/remove"
  case savedRemind = "savedMessage/remind"
  case scheduledSchedule = "scheduledMessage/schedule"
  case scheduledCancel = "scheduledMessage/cancel"
  case scheduledDeliver = "scheduledMessage/deliver"
  case threadRead = "thread/read"
  case threadMarkUnread = "thread/markUnread"
  case voteCast = "vote/cast"

  /// The kind of an intent.
  public init(_ intent: ChatIntent) {
    switch intent {
    case .user(_, let intent): self.init(intent)
    case .device(_, let intent): self = if case .remove = intent { .deviceRemove } else { .deviceAdd }
    case .mute(_, let intent): self = if case .end = intent { .muteEnd } else { .muteBegin }
    case .ban(_, let intent): self = if case .lift = intent { .banLift } else { .banImpose }
    case .flag: self = .flagRaise
    case .channel(_, let intent): self.init(intent)
    case .member(_, let intent): self.init(intent)
    case .message(_, let intent): self.init(intent)
    case .reaction(_, let intent): self = if case .remove = intent { .reactionRemove } else { .reactionAdd }
    case .draft(_, let intent): self = if case .delete = intent { .draftDelete } else { .draftUpdate }
    case .composer: self = .composerRecord
    case .app: self = .appRecord
    case .consumer(_, let intent): self.init(intent)
    case .block(_, let intent): self = intent == .begin ? .blockBegin : .blockEnd
    case .review(_, let intent): self.init(intent)
    case .saved(_, let intent): self.init(intent)
    case .scheduled(_, let intent): self.init(intent)
    case .thread(_, let intent): self = if case .read = intent { .threadRead } else { .threadMarkUnread }
    case .vote: self = .voteCast
    }
  }

  private init(_ intent: Review.Intent) {
    self =
      switch intent {
      case .claim: .reviewClaim
      case .release: .reviewRelease
      case .resolve: .reviewResolve
      }
  }

  private init(_ intent: SavedMessage.Intent) {
    self =
      switch intent {
      case .save: .savedSave
      case .remove: .savedRemove
      case .remind: .savedRemind
      }
  }

  private init(_ intent: ScheduledMessage.Intent) {
    self =
      switch intent {
      case .schedule: .scheduledSchedule
      case .cancel: .scheduledCancel
      case .deliver: .scheduledDeliver
      }
  }

  private init(_ intent: Consumer.Intent) {
    self =
      switch intent {
      case .begin: .consumerBegin
      case .advance: .consumerAdvance
      case .skip: .consumerSkip
      case .end: .consumerEnd
      }
  }

  private init(_ intent: User.Intent) {
    self =
      switch intent {
      case .create: .userCreate
      case .change: .userChange
      case .changeRole: .userChangeRole
      case .deactivate: .userDeactivate
      case .reactivate: .userReactivate
      }
  }

  private init(_ intent: Channel.Intent) {
    self =
      switch intent {
      case .create: .channelCreate
      case .change: .channelChange
      case .configure: .channelConfigure
      case .setSlowMode: .channelSetSlowMode
      case .freeze: .channelFreeze
      case .unfreeze: .channelUnfreeze
      case .truncate: .channelTruncate
      case .delete: .channelDelete
      }
  }

  private init(_ intent: Member.Intent) {
    self =
      switch intent {
      case .add: .memberAdd
      case .remove: .memberRemove
      case .leave: .memberLeave
      case .changeRole: .memberChangeRole
      case .read: .memberRead
      case .receive: .memberReceive
      case .markUnread: .memberMarkUnread
      case .hide: .memberHide
      case .show: .memberShow
      case .invite: .memberInvite
      case .join: .memberJoin
      case .decline: .memberDecline
      case .pin: .memberPin
      case .unpin: .memberUnpin
      case .archive: .memberArchive
      case .unarchive: .memberUnarchive
      }
  }

  private init(_ intent: Message.Intent) {
    self =
      switch intent {
      case .send: .messageSend
      case .edit: .messageEdit
      case .delete: .messageDelete
      case .restore: .messageRestore
      case .pin: .messagePin
      case .unpin: .messageUnpin
      case .acknowledge: .messageAcknowledge
      case .fail: .messageFail
      case .retry: .messageRetry
      case .sendEphemeral: .messageSendEphemeral
      case .shuffleEphemeral: .messageShuffleEphemeral
      case .cancelEphemeral: .messageCancelEphemeral
      case .forward: .messageForward
      case .openPoll: .messageOpenPoll
      case .addPollOption: .messageAddPollOption
      case .closePoll: .messageClosePoll
      }
  }
}
