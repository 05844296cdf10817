// The areas of shapes: which part of the codec reads events of a shape.

extension Shape {
  /// The subject and streams of events, which determine the part of the codec that reads them.
  enum Area {
    case user, device, mute, userBan, userFlag, membership
    case block, saved, scheduled, review
    case channel, member, channelBan, message, messageFlag, reaction, vote, thread
    case draft
    case composer
    case consumer
  }

  /// The area of this shape.
  var area: Area {
    switch self {
    case .userCreated1, .userChanged1, .userRoleChanged1, .userDeactivated1, .userReactivated1:
      .user
    case .deviceAdded1, .deviceRemoved1:
      .device
    case .userMuted1, .userMuted2, .userUnmuted1, .channelMuted1, .channelUnmuted1:
      .mute
    case .userBanned1, .userUnbanned1:
      .userBan
    case .userFlagged1:
      .userFlag
    case .channelHidden1, .channelShown1, .channelPinned1, .channelUnpinned1, .channelArchived1, .channelUnarchived1:
      .membership
    case .channelCreated1, .channelChanged1, .channelConfigured1, .slowModeSet1, .channelFrozen1, .channelUnfrozen1,
      .channelTruncated1, .channelDeleted1:
      .channel
    case .memberAdded1, .memberRemoved1, .memberLeft1, .memberRoleChanged1, .memberRead1, .memberReceived1,
      .memberMarkedUnread1, .memberInvited1, .invitationDeclined1:
      .member
    case .memberBanned1, .memberUnbanned1:
      .channelBan
    case .messageSent1, .messageEdited1, .messageDeleted1, .messageRestored1, .messagePinned1, .messageUnpinned1,
      .messageAcknowledged1, .messageFailed1, .messageRetried1, .ephemeralSent1, .ephemeralShuffled1,
      .ephemeralCancelled1, .pollOpened1, .pollOptionAdded1, .pollClosed1:
      .message
    case .messageFlagged1:
      .messageFlag
    case .reactionAdded1, .reactionRemoved1:
      .reaction
    case .draftUpdated1, .draftUpdated2, .draftDeleted1, .draftSuperseded1, .draftSuperseded2:
      .draft
    case .composerOpened1, .composerFilled1, .composerTyped1, .composerMentionPicked1, .composerReplaced1,
      .composerSelectionMoved1, .composerAttached1, .composerDetached1, .composerAttachmentChanged1,
      .composerUploadProgressed1, .composerUploadFinished1,
      .composerUploadFailed1, .composerUploadRetried1, .composerPreviewDismissed1, .composerQuoted1,
      .composerQuoteEnded1, .composerEditBegan1, .composerEditEnded1, .composerEntered1, .composerPickerChanged1,
      .composerShowsInChannelSet1, .composerSilentSet1, .composerExtraSet1, .composerCommandsShown1,
      .composerCommandActivated1, .composerCommandTargeted1, .composerCommandCleared1, .composerCommandStarted1,
      .composerCommandExecuted1, .composerCommandFailed1, .composerCommandInterrupted1, .composerSendRefused1,
      .composerSent1, .composerCleared1, .composerLeft1, .composerCustom1, .composerFilled2, .composerAttached2,
      .composerUploadFailed2, .composerEditBegan2, .composerCommandFailed2, .composerSendRefused2, .composerSent2,
      .composerCleared2, .composerActionRefused1:
      .composer
    case .consumerBegan1, .consumerAdvanced1, .consumerSkipped1, .consumerEnded1:
      .consumer
    case .userBlocked1, .userUnblocked1:
      .block
    case .reviewClaimed1, .reviewReleased1, .flagsResolved1:
      .review
    case .messageSaved1, .messageUnsaved1, .messageReminded1:
      .saved
    case .messageScheduled1, .scheduleCancelled1, .scheduledMessageSent1, .scheduledMessageFailed1:
      .scheduled
    case .threadRead1, .threadMarkedUnread1:
      .thread
    case .voteCast1:
      .vote
    }
  }
}
