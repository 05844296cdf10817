// Random events of every kind, whether or not an intent could have produced them.
public import Chat
public import SeededRandom

extension SeededRandom {
  /// Returns an event of any kind.
  public mutating func event() -> ChatEvent { event(of: pick(EventKind.allCases)) }

  /// Returns an event of a kind.
  public mutating func event(of kind: EventKind) -> ChatEvent { ChatEvent(change(of: kind), stamp()) }

  /// Returns events of every kind, as many of each, in the order of the kinds.
  public mutating func events(ofEach count: Int) -> [ChatEvent] {
    EventKind.allCases.flatMap { kind in (0..<count).map { _ in event(of: kind) } }
  }

  /// Returns a change of a kind.
  public mutating func change(of kind: EventKind) -> ChatEvent.Change {
    if let event = userEvent(of: kind) { return .user(id(), event) }
    if let event = channelEvent(of: kind) { return .channel(id(), event) }
    if let event = memberEvent(of: kind) { return .member(Member.Key(id(), id()), event) }
    if let event = messageEvent(of: kind) { return .message(messageKey(), event) }
    if let event = composerEvent(of: kind) { return .composer(composerKey(), event) }
    return otherChange(of: kind)
  }

  private mutating func otherChange(of kind: EventKind) -> ChatEvent.Change {
    switch kind {
    case .deviceAdded: .device(Device.Key(id(), id()), .added(deviceInfo()))
    case .deviceRemoved: .device(Device.Key(id(), id()), .removed)
    case .muteBegan: .mute(muteKey(), .began(term()))
    case .muteEnded: .mute(muteKey(), .ended)
    case .banImposed: .ban(banKey(), .imposed(term(), reason: maybe { $0.userText() }))
    case .banLifted: .ban(banKey(), .lifted)
    case .flagRaised: .flag(flagKey(), .raised(reason: maybe { $0.userText() }))
    case .reactionAdded: .reaction(Reaction.Key(to: messageKey(), by: id()), .added(id(), score: max(1, number32())))
    case .reactionRemoved: .reaction(Reaction.Key(to: messageKey(), by: id()), .removed(id()))
    case .draftUpdated: .draft(draftKey(), .updated(composition(), edit()))
    case .draftDeleted: .draft(draftKey(), .deleted(pick(Draft.DeletionReason.allCases), edit()))
    case .draftSuperseded: .draft(draftKey(), .superseded(maybe { $0.composition() }, edit()))
    case .app: .app(subject(), AppEvent(id(), version: max(1, number32()), payload: payload()))
    case .consumerBegan: .consumer(id(), .began(after: number()))
    case .consumerAdvanced: .consumer(id(), .advanced(through: number()))
    case .consumerSkipped: .consumer(id(), .skipped(through: number()))
    case .consumerEnded: .consumer(id(), .ended)
    default: laterChange(of: kind)
    }
  }

  private mutating func laterChange(of kind: EventKind) -> ChatEvent.Change {
    switch kind {
    case .blockBegan: .block(UserBlock.Key(by: id(), of: id()), .began)
    case .blockEnded: .block(UserBlock.Key(by: id(), of: id()), .ended)
    case .reviewClaimed: .review(flagTarget(), .claimed)
    case .reviewReleased: .review(flagTarget(), .released)
    case .reviewResolved: .review(flagTarget(), .resolved(id(), note: maybe { $0.userText() }))
    case .savedSaved:
      .saved(savedKey(), .saved(note: maybe { $0.userText() }, remindAt: maybe { $0.instant() }))
    case .savedRemoved: .saved(savedKey(), .removed)
    case .savedReminded: .saved(savedKey(), .reminded)
    case .scheduledScheduled: .scheduled(scheduledKey(), .scheduled(content(), at: instant()))
    case .scheduledCancelled: .scheduled(scheduledKey(), .cancelled)
    case .scheduledDelivered: .scheduled(scheduledKey(), .delivered)
    case .scheduledFailed: .scheduled(scheduledKey(), .failed(RecordedFailure(id(), extra())))
    case .threadRead: .thread(ThreadMarker.Key(of: id(), in: messageKey()), .read(through: id()))
    case .threadMarkedUnread: .thread(ThreadMarker.Key(of: id(), in: messageKey()), .markedUnread(from: id()))
    case .voteCast: .vote(Vote.Key(in: messageKey(), by: id()), .cast(list { $0.id() }))
    default: preconditionFailure("\(kind) has no generator")
    }
  }
}

// MARK: By row

extension SeededRandom {
  private mutating func userEvent(of kind: EventKind) -> User.Event? {
    switch kind {
    case .userCreated: .created(userProfile(), id())
    case .userChanged: .changed(userProfile())
    case .userRoleChanged: .roleChanged(id())
    case .userDeactivated: .deactivated
    case .userReactivated: .reactivated
    default: nil
    }
  }

  private mutating func channelEvent(of kind: EventKind) -> Channel.Event? {
    switch kind {
    case .channelCreated: .created(id(), channelProfile(), channelConfig())
    case .channelChanged: .changed(channelProfile())
    case .channelConfigured: .configured(channelConfig())
    case .channelSlowModeSet: .slowModeSet(number32())
    case .channelFrozen: .frozen
    case .channelUnfrozen: .unfrozen
    case .channelTruncated: .truncated(through: Message.Number(rawValue: max(1, number())))
    case .channelDeleted: .deleted
    default: nil
    }
  }

  private mutating func memberEvent(of kind: EventKind) -> Member.Event? {
    switch kind {
    case .memberAdded: .added(id())
    case .memberRemoved: .removed
    case .memberLeft: .left
    case .memberRoleChanged: .roleChanged(id())
    case .memberRead: .read(through: id())
    case .memberReceived: .received(through: id())
    case .memberMarkedUnread: .markedUnread(from: id())
    case .memberHidden: .hidden
    case .memberShown: .shown
    case .memberInvited: .invited(id())
    case .memberDeclined: .declined
    case .memberPinned: .pinned
    case .memberUnpinned: .unpinned
    case .memberArchived: .archived
    case .memberUnarchived: .unarchived
    default: nil
    }
  }

  private mutating func messageEvent(of kind: EventKind) -> Message.Event? {
    switch kind {
    case .messageSent: .sent(content())
    case .messageEdited: .edited(edits())
    case .messageDeleted: .deleted(forGood: bool())
    case .messageRestored: .restored
    case .messagePinned: .pinned(term())
    case .messageUnpinned: .unpinned
    case .messageAcknowledged: .acknowledged
    case .messageFailed: .failed(reason: userText())
    case .messageRetried: .retried
    case .messageEphemeralSent: .ephemeralSent
    case .messageEphemeralShuffled: .ephemeralShuffled(list { $0.attachment() })
    case .messageEphemeralCancelled: .ephemeralCancelled
    case .messagePollOpened: .pollOpened(list { $0.pollOption() }, pollRules())
    case .messagePollOptionAdded: .pollOptionAdded(pollOption())
    case .messagePollClosed: .pollClosed
    default: nil
    }
  }
}

// MARK: Keys

extension SeededRandom {
  mutating func messageKey() -> Message.Key { Message.Key(id(), id()) }

  mutating func muteKey() -> Mute.Key { Mute.Key(by: id(), of: bool() ? .user(id()) : .channel(id())) }

  mutating func banKey() -> Ban.Key { Ban.Key(of: id(), from: bool() ? .everywhere : .channel(id())) }

  mutating func flagKey() -> Flag.Key {
    Flag.Key(by: id(), on: bool() ? .user(id()) : .message(messageKey()))
  }

  mutating func flagTarget() -> Flag.Target { bool() ? .user(id()) : .message(messageKey()) }

  mutating func savedKey() -> SavedMessage.Key { SavedMessage.Key(by: id(), messageKey()) }

  mutating func scheduledKey() -> ScheduledMessage.Key { ScheduledMessage.Key(by: id(), messageKey()) }

  /// Returns an option without votes.
  public mutating func pollOption() -> Poll.Option { Poll.Option(id(), userText()) }

  /// Returns the rules of a poll.
  public mutating func pollRules() -> Poll.Rules {
    Poll.Rules(votesPerUserMax: number32(), isAnonymous: bool(), isExtensible: bool(), expiry: term())
  }

  mutating func draftKey() -> Draft.Key { Draft.Key(by: id(), in: id(), thread: maybe { $0.id() }) }

  mutating func composerKey() -> Composer.Key {
    Composer.Key(of: id(), on: id(), in: id(), thread: maybe { $0.id() })
  }

  mutating func subject() -> AppEvent.Subject {
    switch below(3) {
    case 0: .user(id())
    case 1: .channel(id())
    default: .app(id())
    }
  }
}
