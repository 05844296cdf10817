// Random intents of every kind, whether or not they would be refused.
public import Chat
public import SeededRandom

extension SeededRandom {
  /// Returns intents of every kind, as many of each, in the order of the kinds.
  public mutating func intents(ofEach count: Int) -> [ChatIntent] {
    IntentKind.allCases.flatMap { kind in (0..<count).map { _ in intent(of: kind) } }
  }

  /// Returns an intent of a kind.
  public mutating func intent(of kind: IntentKind) -> ChatIntent {
    if let intent = userIntent(of: kind) { return .user(id(), intent) }
    if let intent = channelIntent(of: kind) { return .channel(id(), intent) }
    if let intent = memberIntent(of: kind) { return .member(Member.Key(id(), id()), intent) }
    if let intent = messageIntent(of: kind) { return .message(messageKey(), intent) }
    return otherIntent(of: kind)
  }

  private mutating func otherIntent(of kind: IntentKind) -> ChatIntent {
    switch kind {
    case .deviceAdd: .device(Device.Key(id(), id()), .add(deviceInfo()))
    case .deviceRemove: .device(Device.Key(id(), id()), .remove)
    case .muteBegin: .mute(muteKey(), .begin(term()))
    case .muteEnd: .mute(muteKey(), .end)
    case .banImpose: .ban(banKey(), .impose(term(), reason: maybe { $0.userText() }))
    case .banLift: .ban(banKey(), .lift)
    case .flagRaise: .flag(flagKey(), .raise(reason: maybe { $0.userText() }))
    case .reactionAdd: .reaction(Reaction.Key(to: messageKey(), by: id()), .add(id(), score: number32()))
    case .reactionRemove: .reaction(Reaction.Key(to: messageKey(), by: id()), .remove(id()))
    case .draftUpdate: .draft(draftKey(), .update(composition(), editedAt: instant()))
    case .draftDelete: .draft(draftKey(), .delete(pick(Draft.DeletionReason.allCases), editedAt: instant()))
    case .composerRecord: .composer(composerKey(), .record(list { $0.composerEvent() }))
    case .appRecord: .app(subject(), AppEvent(id(), version: number32(), payload: payload()))
    case .consumerBegin: .consumer(id(), .begin(after: number()))
    case .consumerAdvance: .consumer(id(), .advance(through: number()))
    case .consumerSkip: .consumer(id(), .skip(through: number()))
    case .consumerEnd: .consumer(id(), .end)
    default: laterIntent(of: kind)
    }
  }

  private mutating func laterIntent(of kind: IntentKind) -> ChatIntent {
    switch kind {
    case .blockBegin: .block(UserBlock.Key(by: id(), of: id()), .begin)
    case .blockEnd: .block(UserBlock.Key(by: id(), of: id()), .end)
    case .reviewClaim: .review(flagTarget(), .claim)
    case .reviewRelease: .review(flagTarget(), .release)
    case .reviewResolve: .review(flagTarget(), .resolve(id(), note: maybe { $0.userText() }))
    case .savedSave:
      .saved(savedKey(), .save(note: maybe { $0.userText() }, remindAt: maybe { $0.instant() }))
    case .savedRemove: .saved(savedKey(), .remove)
    case .savedRemind: .saved(savedKey(), .remind)
    case .scheduledSchedule: .scheduled(scheduledKey(), .schedule(content(), at: instant()))
    case .scheduledCancel: .scheduled(scheduledKey(), .cancel)
    case .scheduledDeliver: .scheduled(scheduledKey(), .deliver)
    case .threadRead: .thread(ThreadMarker.Key(of: id(), in: messageKey()), .read(through: id()))
    case .threadMarkUnread: .thread(ThreadMarker.Key(of: id(), in: messageKey()), .markUnread(from: id()))
    case .voteCast: .vote(Vote.Key(in: messageKey(), by: id()), .cast(list { $0.id() }))
    default: preconditionFailure("\(kind) has no generator")
    }
  }

  /// Returns an event of a composer.
  public mutating func composerEvent() -> Composer.Event {
    let kind = pick(composerKinds)
    guard let event = composerEvent(of: kind) else { preconditionFailure("\(kind) is none of a composer's") }
    return event
  }
}

// MARK: By row

extension SeededRandom {
  private mutating func userIntent(of kind: IntentKind) -> User.Intent? {
    switch kind {
    case .userCreate: .create(userProfile())
    case .userChange: .change(userProfile())
    case .userChangeRole: .changeRole(id())
    case .userDeactivate: .deactivate
    case .userReactivate: .reactivate
    default: nil
    }
  }

  private mutating func channelIntent(of kind: IntentKind) -> Channel.Intent? {
    switch kind {
    case .channelCreate: .create(id(), channelProfile(), channelConfig(), members: list { $0.id() })
    case .channelChange: .change(channelProfile())
    case .channelConfigure: .configure(channelConfig())
    case .channelSetSlowMode: .setSlowMode(number32())
    case .channelFreeze: .freeze
    case .channelUnfreeze: .unfreeze
    case .channelTruncate: .truncate(through: maybe { $0.id() })
    case .channelDelete: .delete
    default: nil
    }
  }

  private mutating func memberIntent(of kind: IntentKind) -> Member.Intent? {
    switch kind {
    case .memberAdd: .add(id())
    case .memberRemove: .remove
    case .memberLeave: .leave
    case .memberChangeRole: .changeRole(id())
    case .memberRead: .read(through: id())
    case .memberReceive: .receive(through: id())
    case .memberMarkUnread: .markUnread(from: id())
    case .memberHide: .hide
    case .memberShow: .show
    case .memberInvite: .invite(id())
    case .memberJoin: .join
    case .memberDecline: .decline
    case .memberPin: .pin
    case .memberUnpin: .unpin
    case .memberArchive: .archive
    case .memberUnarchive: .unarchive
    default: nil
    }
  }

  private mutating func messageIntent(of kind: IntentKind) -> Message.Intent? {
    switch kind {
    case .messageSend: .send(content())
    case .messageEdit: .edit(edits())
    case .messageDelete: .delete(forGood: bool())
    case .messageRestore: .restore
    case .messagePin: .pin(term())
    case .messageUnpin: .unpin
    case .messageAcknowledge: .acknowledge
    case .messageFail: .fail(reason: userText())
    case .messageRetry: .retry
    case .messageSendEphemeral: .sendEphemeral
    case .messageShuffleEphemeral: .shuffleEphemeral(list { $0.attachment() })
    case .messageCancelEphemeral: .cancelEphemeral
    case .messageForward: .forward(messageKey())
    case .messageOpenPoll: .openPoll(list { $0.pollOption() }, pollRules())
    case .messageAddPollOption: .addPollOption(pollOption())
    case .messageClosePoll: .closePoll
    default: nil
    }
  }
}
