// The branches that queries for messages take.
import Chat
import ChatProjections

// MARK: Unread

extension Asking {
  /// Counts which of a channel's messages are unread for a user, and why others are not.
  mutating func countUnread(of user: User.ID, in id: Channel.ID, at instant: Timestamp) {
    guard let channel = reference.channel(id) else { return branches.add(.unreadNoChannel) }
    guard let member = reference.member(Member.Key(id, user)) else { return branches.add(.unreadNoMember) }
    if channel.config.off.contains(.readEvents) { return branches.add(.unreadOff) }
    for message in reference.messages where message.key.channel == id {
      if let reason = message.reasonNotToWait(for: member, in: channel) {
        branches.add(reason)
      } else {
        countMute(of: message, by: user, at: instant)
      }
    }
  }

  private mutating func countMute(of message: Message, by user: User.ID, at instant: Timestamp) {
    let mute = message.author.flatMap { author in
      reference.mutes.first { $0.key == Mute.Key(by: user, of: .user(author)) }
    }
    if let mute {
      branches.add(mute.term.lasts(at: instant) ? .unreadAuthorMuted : .unreadAuthorMuteOver)
      let distance = mute.term.end.map { $0 - instant }
      branches.add(.unreadBeforeMuteEnds, if: distance?.rawValue == 1)
      branches.add(.unreadAsMuteEnds, if: distance?.rawValue == 0)
      branches.add(.unreadAfterMuteEnded, if: distance?.rawValue == -1)
      if mute.term.lasts(at: instant) { return }
    }
    branches.add(.unreadWaits)
    let mentions = message.content.mentions
    branches.add(.unreadMention, if: mentions.contains { $0.user == user })
    if let member = reference.member(Member.Key(message.key.channel, user)) {
      let isOfGroup = mentions.contains { $0.group != nil && $0.concerns(member) }
      branches.add(.unreadGroup, if: isOfGroup)
      branches.add(.unreadTwice, if: isOfGroup && mentions.contains { $0.user == user })
      branches.add(.unreadOtherGroup, if: !mentions.isEmpty && !mentions.contains { $0.group == nil } && !isOfGroup)
    }
    branches.add(.unreadReplyInChannel, if: message.content.parent != nil)
    branches.add(.unreadOfSystem, if: message.author == nil)
    branches.add(.unreadMarked, if: markedUnread.contains(Member.Key(message.key.channel, user)))
    let isMuted = reference.isMuted(.channel(message.key.channel), by: user, at: instant)
    branches.add(.unreadChannelMuted, if: isMuted)
  }
}

extension Message {
  /// Returns why a message is unread for no member, or not for this one, mutes disregarded.
  fileprivate func reasonNotToWait(for member: Member, in channel: Channel) -> Branch? {
    if number <= member.read { return .unreadRead }
    if number <= channel.truncated { return .unreadTruncated }
    if presence == .gone { return .unreadGone }
    if presence != .present { return .unreadDeleted }
    if content.kind == .ephemeral { return .unreadEphemeral }
    if content.isSilent { return .unreadSilent }
    if content.parent != nil, !content.showsInChannel { return .unreadInThread }
    return author == member.key.user ? .unreadOwn : nil
  }
}

// MARK: Pages

extension Asking {
  mutating func countPage(_ page: MessagePage, _ span: MessageSpan, of channel: Channel.ID, isThread: Bool) {
    branches.add(page.older == nil ? .pageOldest : .pageOlder, if: !page.messages.isEmpty)
    branches.add(page.newer == nil ? .pageNewest : .pageNewer, if: !page.messages.isEmpty)
    branches.add(.pageBetween, if: page.messages.isEmpty && (page.older != nil || page.newer != nil))
    branches.add(.pageOfNone, if: page == MessagePage())
    branches.add(.pageOfThread, if: isThread && !page.messages.isEmpty)
    if case .from = span {
      branches.add(page.newer == nil ? .fromPartly : .fromFully, if: !page.messages.isEmpty)
      branches.add(.fromLater, if: page.messages.isEmpty && page.older != nil)
    }
    guard case .around(let id) = span else { return }
    guard reference[Message.Key(channel, id)] != nil else { return branches.add(.aroundUnknown) }
    guard page.messages.contains(where: { $0.key.id == id }) else { return branches.add(.aroundNotShown) }
    branches.add(.aroundAtStart, if: page.older == nil && page.newer != nil)
    branches.add(.aroundAtEnd, if: page.older != nil && page.newer == nil)
    branches.add(.aroundInMiddle, if: page.older != nil && page.newer != nil)
  }

  /// Counts why messages of a channel are on its pages, and why others are not.
  mutating func countShown(in id: Channel.ID, to viewer: User.ID?) {
    guard let channel = reference.channel(id) else { return }
    for message in reference.messages where message.key.channel == id {
      let (isOnlyReply, isEphemeral) = (message.content.parent != nil, message.content.kind == .ephemeral)
      let branch: Branch? =
        if message.presence == .gone {
          .hiddenGone
        } else if message.number <= channel.truncated {
          .hiddenTruncated
        } else if isEphemeral, viewer == nil || message.author != viewer {
          .hiddenEphemeral
        } else if isOnlyReply, !message.content.showsInChannel {
          .hiddenReply
        } else if message.presence != .present {
          .shownDeleted
        } else if isEphemeral {
          .shownEphemeral
        } else {
          isOnlyReply ? .shownReply : nil
        }
      if let branch { branches.add(branch) }
    }
  }
}

// MARK: Threads

extension Asking {
  mutating func count(_ threads: [ThreadItem], of user: User.ID) {
    for answer in threads {
      branches.add(.threadDraft, if: answer.draftReply != nil)
      branches.add(.threadTyping, if: !answer.typing.isEmpty)
      branches.add(.threadFailed, if: answer.failed != nil)
      branches.add(.threadFailedBefore, if: answer.failed.map { $0.number < answer.newest.number } ?? false)
      let isOwn = answer.parent.author == user
      branches.add(.threadOwnParent, if: isOwn && answer.ownReplyCount == 0)
      branches.add(.threadReplied, if: !isOwn && answer.ownReplyCount > 0)
      branches.add(.threadBoth, if: isOwn && answer.ownReplyCount > 0)
      branches.add(.threadParentNotThere, if: answer.parent.presence != .present)
    }
    for reply in reference.messages where reply.content.parent != nil && reply.author == user {
      let parent = reference[Message.Key(reply.key.channel, reply.content.parent!)]
      guard let parent, let channel = reference.channel(parent.key.channel) else { continue }
      branches.add(.threadNoMember, if: reference.member(Member.Key(channel.id, user)) == nil)
      branches.add(.threadParentTruncated, if: parent.number <= channel.truncated)
      branches.add(.threadRepliesGone, if: parent.replyCount == 0 && reply.presence != .present)
    }
  }
}

// MARK: Pins and mentions

extension Asking {
  mutating func countPins(in id: Channel.ID, at instant: Timestamp) {
    guard let channel = reference.channel(id) else { return }
    for message in reference.messages where message.key.channel == id {
      guard let pin = message.pin else { continue }
      branches.add(.pinDeleted, if: message.presence != .present)
      branches.add(.pinTruncated, if: message.number <= channel.truncated)
      guard message.presence == .present, message.number > channel.truncated else { continue }
      branches.add(.pinEndless, if: pin.term.end == nil)
      branches.add(.pinStill, if: pin.term.end.map { instant < $0 } ?? false)
      branches.add(.pinAsItEnds, if: pin.term.end == instant)
      branches.add(.pinEnded, if: pin.term.end.map { $0 < instant } ?? false)
    }
  }

  mutating func countMentions(of user: User.ID) {
    for message in reference.messages where message.content.mentions.contains(where: { $0.user == user }) {
      guard let channel = reference.channel(message.key.channel) else { continue }
      let isEphemeral = message.content.kind == .ephemeral
      if reference.member(Member.Key(channel.id, user)) == nil {
        branches.add(.mentionNoMember)
      } else if message.number <= channel.truncated {
        branches.add(.mentionTruncated)
      } else if message.presence != .present {
        branches.add(.mentionDeleted)
      } else if isEphemeral {
        branches.add(message.author == user ? .mentionOwnEphemeral : .mentionHidden)
      } else {
        branches.add(.mentionThere)
      }
    }
    for message in reference.messages where message.presence == .present && message.content.kind != .ephemeral {
      guard let member = reference.member(Member.Key(message.key.channel, user)),
        message.content.mentions.contains(where: { $0.group != nil && $0.concerns(member) })
      else { continue }
      branches.add(.mentionOwnGroup, if: message.author == user)
      branches.add(.mentionBeforeJoining, if: message.sent < member.joined)
      branches.add(.mentionOfGroup, if: message.author != user && message.sent >= member.joined)
    }
  }
}

// MARK: What happened to messages

extension Asking {
  mutating func countBiographies() {
    for (_, event) in reference.events {
      switch event.change {
      case .reaction: branches.add(.biographyReaction)
      case .flag(let flag, _):
        if case .message = flag.target { branches.add(.biographyFlag) }
      case .message(_, .edited): branches.add(.historyEdited)
      case .message(_, .deleted(let forGood)): branches.add(forGood ? .historyGone : .historyDeleted)
      case .message(_, .restored): branches.add(.historyRestored)
      case .message(_, .ephemeralSent): branches.add(.historyEphemeralSent)
      default: continue
      }
    }
  }
}
