// All kinds of events, so that a test can request each kind and check that each occurred.
public import Chat

/// The kind of an event: the row that it changes, and how.
public enum EventKind: String, CaseIterable, Sendable {
  case userCreated, userChanged, userRoleChanged, userDeactivated, userReactivated
  case deviceAdded, deviceRemoved
  case muteBegan, muteEnded
  case banImposed, banLifted
  case flagRaised
  case channelCreated, channelChanged, channelConfigured, channelSlowModeSet, channelFrozen, channelUnfrozen
  case channelTruncated, channelDeleted
  case memberAdded, memberRemoved, memberLeft, memberRoleChanged, memberRead, memberReceived, memberMarkedUnread
  case memberHidden, memberShown
  case messageSent, messageEdited, messageDeleted, messageRestored, messagePinned, messageUnpinned
  case messageAcknowledged, messageFailed, messageRetried
  case messageEphemeralSent, messageEphemeralShuffled, messageEphemeralCancelled
  case reactionAdded, reactionRemoved
  case draftUpdated, draftDeleted, draftSuperseded
  case composerOpened, composerFilled, composerTyped, composerMentionPicked, composerReplaced
  case composerSelectionMoved, composerAttached, composerDetached, composerAttachmentChanged
  case composerUploadProgressed, composerUploadFinished, composerUploadFailed, composerUploadRetried
  case composerPreviewDismissed, composerQuoted, composerQuoteEnded, composerEditBegan, composerEditEnded
  case composerEntered, composerPickerChanged, composerShowsInChannelSet, composerSilentSet, composerExtraSet
  case composerCommandsShown, composerCommandActivated, composerCommandTargeted, composerCommandCleared
  case composerCommandStarted, composerCommandExecuted, composerCommandFailed, composerCommandInterrupted
  case composerSendRefused, composerSent, composerCleared, composerLeft, composerCustom
  case app
  case composerActionRefused
  case consumerBegan, consumerAdvanced, consumerSkipped, consumerEnded
  case memberInvited, memberDeclined, memberPinned, memberUnpinned, memberArchived, memberUnarchived
  case messagePollOpened, messagePollOptionAdded, messagePollClosed
  case blockBegan, blockEnded
  case reviewClaimed, reviewReleased, reviewResolved
  case savedSaved, savedRemoved, savedReminded
  case scheduledScheduled, scheduledCancelled, scheduledDelivered, scheduledFailed
  case threadRead, threadMarkedUnread
  case voteCast

  /// The kind of an event.
  public init(_ event: ChatEvent) {
    switch event.change {
    case .user(_, let event): self.init(event)
    case .device(_, let event): self.init(event)
    case .mute(_, let event): self.init(event)
    case .ban(_, let event): self.init(event)
    case .flag: self = .flagRaised
    case .channel(_, let event): self.init(event)
    case .member(_, let event): self.init(event)
    case .message(_, let event): self.init(event)
    case .reaction(_, let event): self.init(event)
    case .draft(_, let event): self.init(event)
    case .composer(_, let event): self.init(event)
    case .consumer(_, let event): self.init(event)
    case .block(_, let event): self = event == .began ? .blockBegan : .blockEnded
    case .review(_, let event): self.init(event)
    case .saved(_, let event): self.init(event)
    case .scheduled(_, let event): self.init(event)
    case .thread(_, let event): self = if case .read = event { .threadRead } else { .threadMarkedUnread }
    case .vote: self = .voteCast
    case .app: self = .app
    }
  }

  private init(_ event: Review.Event) {
    self =
      switch event {
      case .claimed: .reviewClaimed
      case .released: .reviewReleased
      case .resolved: .reviewResolved
      }
  }

  private init(_ event: SavedMessage.Event) {
    self =
      switch event {
      case .saved: .savedSaved
      case .removed: .savedRemoved
      case .reminded: .savedReminded
      }
  }

  private init(_ event: ScheduledMessage.Event) {
    self =
      switch event {
      case .scheduled: .scheduledScheduled
      case .cancelled: .scheduledCancelled
      case .delivered: .scheduledDelivered
      case .failed: .scheduledFailed
      }
  }

  private init(_ event: Consumer.Event) {
    self =
      switch event {
      case .began: .consumerBegan
      case .advanced: .consumerAdvanced
      case .skipped: .consumerSkipped
      case .ended: .consumerEnded
      }
  }

  private init(_ event: User.Event) {
    self =
      switch event {
      case .created: .userCreated
      case .changed: .userChanged
      case .roleChanged: .userRoleChanged
      case .deactivated: .userDeactivated
      case .reactivated: .userReactivated
      }
  }

  private init(_ event: Device.Event) {
    self =
      switch event {
      case .added: .deviceAdded
      case .removed: .deviceRemoved
      }
  }

  private init(_ event: Mute.Event) {
    self =
      switch event {
      case .began: .muteBegan
      case .ended: .muteEnded
      }
  }

  private init(_ event: Ban.Event) {
    self =
      switch event {
      case .imposed: .banImposed
      case .lifted: .banLifted
      }
  }

  private init(_ event: Channel.Event) {
    self =
      switch event {
      case .created: .channelCreated
      case .changed: .channelChanged
      case .configured: .channelConfigured
      case .slowModeSet: .channelSlowModeSet
      case .frozen: .channelFrozen
      case .unfrozen: .channelUnfrozen
      case .truncated: .channelTruncated
      case .deleted: .channelDeleted
      }
  }

  private init(_ event: Member.Event) {
    self =
      switch event {
      case .added: .memberAdded
      case .removed: .memberRemoved
      case .left: .memberLeft
      case .roleChanged: .memberRoleChanged
      case .read: .memberRead
      case .received: .memberReceived
      case .markedUnread: .memberMarkedUnread
      case .hidden: .memberHidden
      case .shown: .memberShown
      case .invited: .memberInvited
      case .declined: .memberDeclined
      case .pinned: .memberPinned
      case .unpinned: .memberUnpinned
      case .archived: .memberArchived
      case .unarchived: .memberUnarchived
      }
  }

  private init(_ event: Message.Event) {
    self =
      switch event {
      case .sent: .messageSent
      case .edited: .messageEdited
      case .deleted: .messageDeleted
      case .restored: .messageRestored
      case .pinned: .messagePinned
      case .unpinned: .messageUnpinned
      case .acknowledged: .messageAcknowledged
      case .failed: .messageFailed
      case .retried: .messageRetried
      case .ephemeralSent: .messageEphemeralSent
      case .ephemeralShuffled: .messageEphemeralShuffled
      case .ephemeralCancelled: .messageEphemeralCancelled
      case .pollOpened: .messagePollOpened
      case .pollOptionAdded: .messagePollOptionAdded
      case .pollClosed: .messagePollClosed
      }
  }

  private init(_ event: Reaction.Event) {
    self =
      switch event {
      case .added: .reactionAdded
      case .removed: .reactionRemoved
      }
  }

  private init(_ event: Draft.Event) {
    self =
      switch event {
      case .updated: .draftUpdated
      case .deleted: .draftDeleted
      case .superseded: .draftSuperseded
      }
  }

  private init(_ event: Composer.Event) {
    self =
      switch event {
      case .opened: .composerOpened
      case .filled: .composerFilled
      case .typed: .composerTyped
      case .mentionPicked: .composerMentionPicked
      case .replaced: .composerReplaced
      case .selectionMoved: .composerSelectionMoved
      case .attached: .composerAttached
      case .detached: .composerDetached
      case .attachmentChanged: .composerAttachmentChanged
      case .uploadProgressed: .composerUploadProgressed
      case .uploadFinished: .composerUploadFinished
      case .uploadFailed: .composerUploadFailed
      case .uploadRetried: .composerUploadRetried
      case .previewDismissed: .composerPreviewDismissed
      case .quoted: .composerQuoted
      case .quoteEnded: .composerQuoteEnded
      case .editBegan: .composerEditBegan
      case .editEnded: .composerEditEnded
      case .entered: .composerEntered
      case .pickerChanged: .composerPickerChanged
      case .showsInChannelSet: .composerShowsInChannelSet
      case .silentSet: .composerSilentSet
      case .extraSet: .composerExtraSet
      case .commandsShown: .composerCommandsShown
      case .commandActivated: .composerCommandActivated
      case .commandTargeted: .composerCommandTargeted
      case .commandCleared: .composerCommandCleared
      case .commandStarted: .composerCommandStarted
      case .commandExecuted: .composerCommandExecuted
      case .commandFailed: .composerCommandFailed
      case .commandInterrupted: .composerCommandInterrupted
      case .sendRefused: .composerSendRefused
      case .actionRefused: .composerActionRefused
      case .sent: .composerSent
      case .cleared: .composerCleared
      case .left: .composerLeft
      case .custom: .composerCustom
      case .erased: preconditionFailure("an event without its content has no kind")
      }
  }
}
