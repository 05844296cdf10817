// The stored shapes of domain events, current and retired.

/// A shape of a stored event: a name and a version. Shapes that were ever written are never removed.
///
/// A retired shape has a ``successor``. Of two current versions of an event, the content determines the one it has.
///
/// <doc:StoredEvents> describes their meaning and content; `verbatim.proto` defines their fields.
public enum Shape: String, CaseIterable, Hashable, Sendable {
  // MARK: User

  /// `UserCreated`, version 1.
  case userCreated1 = "userCreated.1"
  /// `UserChanged`, version 1.
  case userChanged1 = "userChanged.1"
  /// `UserRoleChanged`, version 1.
  case userRoleChanged1 = "userRoleChanged.1"
  /// `UserDeactivated`, version 1.
  case userDeactivated1 = "userDeactivated.1"
  /// `UserReactivated`, version 1.
  case userReactivated1 = "userReactivated.1"

  // MARK: Device

  /// `DeviceAdded`, version 1.
  case deviceAdded1 = "deviceAdded.1"
  /// `DeviceRemoved`, version 1.
  case deviceRemoved1 = "deviceRemoved.1"

  // MARK: Mute

  /// `UserMuted1`, version 1, retired.
  case userMuted1 = "userMuted.1"
  /// `UserMuted`, version 2.
  case userMuted2 = "userMuted.2"
  /// `UserUnmuted`, version 1.
  case userUnmuted1 = "userUnmuted.1"
  /// `ChannelMuted`, version 1.
  case channelMuted1 = "channelMuted.1"
  /// `ChannelUnmuted`, version 1.
  case channelUnmuted1 = "channelUnmuted.1"

  // MARK: Ban

  /// `UserBanned`, version 1.
  case userBanned1 = "userBanned.1"
  /// `UserUnbanned`, version 1.
  case userUnbanned1 = "userUnbanned.1"
  /// `MemberBanned`, version 1.
  case memberBanned1 = "memberBanned.1"
  /// `MemberUnbanned`, version 1.
  case memberUnbanned1 = "memberUnbanned.1"

  // MARK: Flag

  /// `UserFlagged`, version 1.
  case userFlagged1 = "userFlagged.1"
  /// `MessageFlagged`, version 1.
  case messageFlagged1 = "messageFlagged.1"

  // MARK: Channel

  /// `ChannelCreated`, version 1.
  case channelCreated1 = "channelCreated.1"
  /// `ChannelChanged`, version 1.
  case channelChanged1 = "channelChanged.1"
  /// `ChannelConfigured`, version 1.
  case channelConfigured1 = "channelConfigured.1"
  /// `SlowModeSet`, version 1.
  case slowModeSet1 = "slowModeSet.1"
  /// `ChannelFrozen`, version 1.
  case channelFrozen1 = "channelFrozen.1"
  /// `ChannelUnfrozen`, version 1.
  case channelUnfrozen1 = "channelUnfrozen.1"
  /// `ChannelTruncated`, version 1.
  case channelTruncated1 = "channelTruncated.1"
  /// `ChannelDeleted`, version 1.
  case channelDeleted1 = "channelDeleted.1"

  // MARK: Member

  /// `MemberAdded`, version 1.
  case memberAdded1 = "memberAdded.1"
  /// `MemberRemoved`, version 1.
  case memberRemoved1 = "memberRemoved.1"
  /// `MemberLeft`, version 1.
  case memberLeft1 = "memberLeft.1"
  /// `MemberRoleChanged`, version 1.
  case memberRoleChanged1 = "memberRoleChanged.1"
  /// `MemberRead`, version 1.
  case memberRead1 = "memberRead.1"
  /// `MemberReceived`, version 1.
  case memberReceived1 = "memberReceived.1"
  /// `MemberMarkedUnread`, version 1.
  case memberMarkedUnread1 = "memberMarkedUnread.1"
  /// `ChannelHidden`, version 1.
  case channelHidden1 = "channelHidden.1"
  /// `ChannelShown`, version 1.
  case channelShown1 = "channelShown.1"
  /// `MemberInvited`, version 1.
  case memberInvited1 = "memberInvited.1"
  /// `InvitationDeclined`, version 1.
  case invitationDeclined1 = "invitationDeclined.1"
  /// `ChannelPinned`, version 1.
  case channelPinned1 = "channelPinned.1"
  /// `ChannelUnpinned`, version 1.
  case channelUnpinned1 = "channelUnpinned.1"
  /// `ChannelArchived`, version 1.
  case channelArchived1 = "channelArchived.1"
  /// `ChannelUnarchived`, version 1.
  case channelUnarchived1 = "channelUnarchived.1"

  // MARK: Message

  /// `MessageSent`, version 1.
  case messageSent1 = "messageSent.1"
  /// `MessageEdited`, version 1.
  case messageEdited1 = "messageEdited.1"
  /// `MessageDeleted`, version 1.
  case messageDeleted1 = "messageDeleted.1"
  /// `MessageRestored`, version 1.
  case messageRestored1 = "messageRestored.1"
  /// `MessagePinned`, version 1.
  case messagePinned1 = "messagePinned.1"
  /// `MessageUnpinned`, version 1.
  case messageUnpinned1 = "messageUnpinned.1"
  /// `MessageAcknowledged`, version 1.
  case messageAcknowledged1 = "messageAcknowledged.1"
  /// `MessageFailed`, version 1.
  case messageFailed1 = "messageFailed.1"
  /// `MessageRetried`, version 1.
  case messageRetried1 = "messageRetried.1"
  /// `EphemeralSent`, version 1.
  case ephemeralSent1 = "ephemeralSent.1"
  /// `EphemeralShuffled`, version 1.
  case ephemeralShuffled1 = "ephemeralShuffled.1"
  /// `EphemeralCancelled`, version 1.
  case ephemeralCancelled1 = "ephemeralCancelled.1"

  // MARK: Reaction

  /// `ReactionAdded`, version 1.
  case reactionAdded1 = "reactionAdded.1"
  /// `ReactionRemoved`, version 1.
  case reactionRemoved1 = "reactionRemoved.1"

  // MARK: Draft

  /// `DraftUpdated`, version 1.
  case draftUpdated1 = "draftUpdated.1"
  /// `DraftUpdated`, version 2.
  case draftUpdated2 = "draftUpdated.2"
  /// `DraftDeleted`, version 1.
  case draftDeleted1 = "draftDeleted.1"
  /// `DraftSuperseded`, version 1.
  case draftSuperseded1 = "draftSuperseded.1"
  /// `DraftSuperseded`, version 2.
  case draftSuperseded2 = "draftSuperseded.2"

  // MARK: Composer

  /// `ComposerOpened`, version 1.
  case composerOpened1 = "composerOpened.1"
  /// `ComposerFilled`, version 1.
  case composerFilled1 = "composerFilled.1"
  /// `ComposerFilled`, version 2.
  case composerFilled2 = "composerFilled.2"
  /// `ComposerTyped`, version 1.
  case composerTyped1 = "composerTyped.1"
  /// `ComposerMentionPicked`, version 1.
  case composerMentionPicked1 = "composerMentionPicked.1"
  /// `ComposerReplaced`, version 1.
  case composerReplaced1 = "composerReplaced.1"
  /// `ComposerSelectionMoved`, version 1.
  case composerSelectionMoved1 = "composerSelectionMoved.1"
  /// `ComposerAttached`, version 1.
  case composerAttached1 = "composerAttached.1"
  /// `ComposerAttached`, version 2.
  case composerAttached2 = "composerAttached.2"
  /// `ComposerDetached`, version 1.
  case composerDetached1 = "composerDetached.1"
  /// `ComposerAttachmentChanged`, version 1.
  case composerAttachmentChanged1 = "composerAttachmentChanged.1"
  /// `ComposerUploadProgressed`, version 1.
  case composerUploadProgressed1 = "composerUploadProgressed.1"
  /// `ComposerUploadFinished`, version 1.
  case composerUploadFinished1 = "composerUploadFinished.1"
  /// `ComposerUploadFailed1`, version 1.
  case composerUploadFailed1 = "composerUploadFailed.1"
  /// `ComposerUploadFailed`, version 2.
  case composerUploadFailed2 = "composerUploadFailed.2"
  /// `ComposerUploadRetried`, version 1.
  case composerUploadRetried1 = "composerUploadRetried.1"
  /// `ComposerPreviewDismissed`, version 1.
  case composerPreviewDismissed1 = "composerPreviewDismissed.1"
  /// `ComposerQuoted`, version 1.
  case composerQuoted1 = "composerQuoted.1"
  /// `ComposerQuoteEnded`, version 1.
  case composerQuoteEnded1 = "composerQuoteEnded.1"
  /// `ComposerEditBegan`, version 1.
  case composerEditBegan1 = "composerEditBegan.1"
  /// `ComposerEditBegan`, version 2.
  case composerEditBegan2 = "composerEditBegan.2"
  /// `ComposerEditEnded`, version 1.
  case composerEditEnded1 = "composerEditEnded.1"
  /// `ComposerEntered`, version 1.
  case composerEntered1 = "composerEntered.1"
  /// `ComposerPickerChanged`, version 1.
  case composerPickerChanged1 = "composerPickerChanged.1"
  /// `ComposerShowsInChannelSet`, version 1.
  case composerShowsInChannelSet1 = "composerShowsInChannelSet.1"
  /// `ComposerSilentSet`, version 1.
  case composerSilentSet1 = "composerSilentSet.1"
  /// `ComposerExtraSet`, version 1.
  case composerExtraSet1 = "composerExtraSet.1"
  /// `ComposerCommandsShown`, version 1.
  case composerCommandsShown1 = "composerCommandsShown.1"
  /// `ComposerCommandActivated`, version 1.
  case composerCommandActivated1 = "composerCommandActivated.1"
  /// `ComposerCommandTargeted`, version 1.
  case composerCommandTargeted1 = "composerCommandTargeted.1"
  /// `ComposerCommandCleared`, version 1.
  case composerCommandCleared1 = "composerCommandCleared.1"
  /// `ComposerCommandStarted`, version 1.
  case composerCommandStarted1 = "composerCommandStarted.1"
  /// `ComposerCommandExecuted`, version 1.
  case composerCommandExecuted1 = "composerCommandExecuted.1"
  /// `ComposerCommandFailed1`, version 1.
  case composerCommandFailed1 = "composerCommandFailed.1"
  /// `ComposerCommandFailed`, version 2.
  case composerCommandFailed2 = "composerCommandFailed.2"
  /// `ComposerCommandInterrupted`, version 1.
  case composerCommandInterrupted1 = "composerCommandInterrupted.1"
  /// `ComposerSendRefused1`, version 1.
  case composerSendRefused1 = "composerSendRefused.1"
  /// `ComposerSendRefused`, version 2.
  case composerSendRefused2 = "composerSendRefused.2"
  /// `ComposerActionRefused`, version 1.
  case composerActionRefused1 = "composerActionRefused.1"
  /// `ComposerSent`, version 1.
  case composerSent1 = "composerSent.1"
  /// `ComposerSent`, version 2.
  case composerSent2 = "composerSent.2"
  /// `ComposerCleared`, version 1.
  case composerCleared1 = "composerCleared.1"
  /// `ComposerCleared`, version 2.
  case composerCleared2 = "composerCleared.2"
  /// `ComposerLeft`, version 1.
  case composerLeft1 = "composerLeft.1"
  /// `ComposerCustom`, version 1.
  case composerCustom1 = "composerCustom.1"

  // MARK: Consumer

  /// `ConsumerBegan`, version 1.
  case consumerBegan1 = "consumerBegan.1"
  /// `ConsumerAdvanced`, version 1.
  case consumerAdvanced1 = "consumerAdvanced.1"
  /// `ConsumerSkipped`, version 1.
  case consumerSkipped1 = "consumerSkipped.1"
  /// `ConsumerEnded`, version 1.
  case consumerEnded1 = "consumerEnded.1"

  // MARK: UserBlock

  /// `UserBlocked`, version 1.
  case userBlocked1 = "userBlocked.1"
  /// `UserUnblocked`, version 1.
  case userUnblocked1 = "userUnblocked.1"

  // MARK: Review

  /// `ReviewClaimed`, version 1.
  case reviewClaimed1 = "reviewClaimed.1"
  /// `ReviewReleased`, version 1.
  case reviewReleased1 = "reviewReleased.1"
  /// `FlagsResolved`, version 1.
  case flagsResolved1 = "flagsResolved.1"

  // MARK: SavedMessage

  /// `MessageSaved`, version 1.
  case messageSaved1 = "messageSaved.1"
  /// `MessageUnsaved`, version 1.
  case messageUnsaved1 = "messageUnsaved.1"
  /// `MessageReminded`, version 1.
  case messageReminded1 = "messageReminded.1"

  // MARK: ScheduledMessage

  /// `MessageScheduled`, version 1.
  case messageScheduled1 = "messageScheduled.1"
  /// `ScheduleCancelled`, version 1.
  case scheduleCancelled1 = "scheduleCancelled.1"
  /// `ScheduledMessageSent`, version 1.
  case scheduledMessageSent1 = "scheduledMessageSent.1"
  /// `ScheduledMessageFailed`, version 1.
  case scheduledMessageFailed1 = "scheduledMessageFailed.1"

  // MARK: ThreadMarker

  /// `ThreadRead`, version 1.
  case threadRead1 = "threadRead.1"
  /// `ThreadMarkedUnread`, version 1.
  case threadMarkedUnread1 = "threadMarkedUnread.1"

  // MARK: Poll

  /// `PollOpened`, version 1.
  case pollOpened1 = "pollOpened.1"
  /// `PollOptionAdded`, version 1.
  case pollOptionAdded1 = "pollOptionAdded.1"
  /// `PollClosed`, version 1.
  case pollClosed1 = "pollClosed.1"
  /// `VoteCast`, version 1.
  case voteCast1 = "voteCast.1"
}

extension Shape {
  /// The name without the version.
  public var family: Substring { rawValue.prefix { $0 != "." } }

  /// The version.
  public var version: UInt32 {
    // It has one digit. Slicing the name would take as long as decoding the rest of the event.
    UInt32(rawValue.utf8.last! - UInt8(ascii: "0"))
  }

  /// The name of the message in the schema; it ends with the version if a later version has another message.
  var message: String { family.prefix(1).uppercased() + family.dropFirst() + (hasOldMessage ? "\(version)" : "") }

  private var hasOldMessage: Bool {
    switch self {
    case .userMuted1, .composerUploadFailed1, .composerCommandFailed1, .composerSendRefused1: true
    default: false
    }
  }

  /// The shape that replaced this one; nil for a current shape.
  public var successor: Shape? { self == .userMuted1 ? .userMuted2 : nil }

  /// The current shape of events stored in this one.
  package var latest: Shape { successor?.latest ?? self }
}
