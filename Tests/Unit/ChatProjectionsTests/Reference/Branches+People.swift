// The branches that queries for people and channels take.
import Chat
import ChatProjections

// MARK: Members and markers

extension Asking {
  mutating func countMembers(of id: Channel.ID, in roles: Set<Role>?) {
    guard reference.channel(id) != nil else { return }
    for member in reference.members where member.key.channel == id {
      if !member.isMember {
        branches.add(.memberLeft)
      } else {
        branches.add(roles?.contains(member.role) ?? true ? .memberThere : .memberOtherRole)
      }
    }
  }

  mutating func countMarkers(in id: Channel.ID) {
    guard let off = reference.channel(id)?.config.off else { return }
    switch (off.contains(.readEvents), off.contains(.deliveryEvents)) {
    case (true, true): branches.add(.markerBothOff)
    case (true, false): branches.add(.markerReadOff)
    case (false, true): branches.add(.markerReceivedOff)
    case (false, false): break
    }
  }

  mutating func countReaders(of message: Message) {
    let (readers, receivers) = (reference.readers(of: message), reference.receivers(of: message))
    guard let channel = reference.channel(message.key.channel) else { return }
    let isThere =
      message.presence != .gone && message.number > channel.truncated && message.content.kind != .ephemeral
    guard isThere else { return branches.add(.markerNoMessage) }
    branches.add(.markerRead, if: !readers.isEmpty)
    branches.add(.markerReceivedOnly, if: receivers.contains { !readers.contains($0) })
    branches.add(.markerUnread, if: readers.isEmpty)
  }
}

// MARK: Mutes and bans

extension Asking {
  mutating func countMutes(of user: User.ID, at instant: Timestamp) {
    for mute in reference.mutes where mute.key.user == user {
      guard mute.term.lasts(at: instant) else {
        branches.add(.muteOver)
        continue
      }
      branches.add(.muteEndless, if: mute.term.end == nil)
      if case .user = mute.key.target { branches.add(.muteOfUser) } else { branches.add(.muteOfChannel) }
    }
  }

  mutating func countBans(from scope: Ban.Scope, at instant: Timestamp) {
    for ban in reference.bans where ban.key.scope == scope {
      guard ban.term.lasts(at: instant) else {
        branches.add(.banOver)
        continue
      }
      branches.add(.banEndless, if: ban.term.end == nil)
      guard case .channel(let id) = scope else {
        branches.add(.banFromEverywhere)
        continue
      }
      branches.add(reference.channel(id) == nil ? .banDeletedChannel : .banFromChannel)
      let other = reference[Ban.Key(of: ban.key.user, from: .everywhere)]
      branches.add(.banBoth, if: other?.term.lasts(at: instant) == true)
    }
  }
}

// MARK: Channels

extension Asking {
  /// Counts the items of a user's channel list, and why they are listed.
  mutating func countChannels(of user: User.ID, at instant: Timestamp) {
    let all = reference.channels(of: user, where: ChannelFilter(isHidden: nil), by: .name, at: instant)
    for item in all {
      branches.add(.listHidden, if: item.isHidden)
      branches.add(.listShownAgain, if: item.member.hidden != nil && !item.isHidden)
      branches.add(.listMuted, if: item.mute != nil)
      branches.add(.listFrozen, if: item.channel.isFrozen)
      branches.add(.listUnread, if: item.unread.messages > 0)
      branches.add(.listMention, if: item.unread.mentions > 0)
      branches.add(.listSilent, if: item.newest == nil)
      countLine(of: item)
    }
    countFailedSends(of: user)
    for (one, other) in zip(all, all.dropFirst()) {
      branches.add(.listSameName, if: one.channel.profile.name == other.channel.profile.name)
    }
    let deleted = reference.channels.contains { $0.deleted != nil && reference.has(user, in: $0.id) }
    branches.add(.listDeleted, if: deleted)
    list = all
  }

  private mutating func countLine(of item: ChannelItem) {
    branches.add(.listDraft, if: item.draft != nil)
    branches.add(.listTyping, if: !item.typing.isEmpty)
    branches.add(.listFailed, if: item.failed != nil)
    branches.add(.listFailedBefore, if: item.failed.map { $0.number < item.newest?.number ?? .zero } ?? false)
    let line: Branch =
      switch item.line {
      case .failed: .lineFailed
      case .draft: .lineDraft
      case .typing: .lineTyping
      case .message: .lineMessage
      case .deleted: .lineDeleted
      case .nothing: .lineNothing
      }
    branches.add(line)
  }

  /// Counts why failed messages of a user are not listed.
  private mutating func countFailedSends(of user: User.ID) {
    for message in reference.messages where message.author == user {
      guard case .failed = message.delivery, let channel = reference.channel(message.key.channel) else { continue }
      branches.add(.listFailedDeleted, if: message.presence != .present)
      branches.add(.listFailedTruncated, if: message.number <= channel.truncated)
      branches.add(.listFailedInThread, if: message.content.parent != nil && !message.content.showsInChannel)
    }
    for (_, event) in reference.events {
      guard case .message(_, .retried) = event.change, event.origin.actor.user == user else { continue }
      branches.add(.listFailedRetried)
    }
  }

  mutating func countOrder(_ order: ChannelOrder, _ found: [ChannelItem]) {
    guard found.count > 1 else { return }
    switch order {
    case .lastActivity: branches.add(.listByActivity)
    case .unreadFirst: branches.add(.listUnreadFirst)
    case .name: branches.add(.listByName)
    }
  }

  /// Counts which parts of a filter exclude items of the list that was counted last.
  mutating func countFilter(_ filter: ChannelFilter) {
    let any = ChannelFilter(isHidden: nil)
    func leavesOut(_ change: (inout ChannelFilter) -> Void) -> Bool {
      var one = any
      change(&one)
      return list.contains { !reference.matches($0, one) }
    }
    branches.add(.filterKind, if: leavesOut { $0.kinds = filter.kinds })
    branches.add(.filterHidden, if: filter.isHidden == true && leavesOut { $0.isHidden = true })
    branches.add(.filterShown, if: filter.isHidden == false && leavesOut { $0.isHidden = false })
    branches.add(.filterMuted, if: filter.isMuted == true && leavesOut { $0.isMuted = true })
    branches.add(.filterNotMuted, if: filter.isMuted == false && leavesOut { $0.isMuted = false })
    branches.add(.filterFrozen, if: filter.isFrozen == true && leavesOut { $0.isFrozen = true })
    branches.add(.filterNotFrozen, if: filter.isFrozen == false && leavesOut { $0.isFrozen = false })
    branches.add(.filterUnread, if: leavesOut { $0.unreadOnly = filter.unreadOnly })
    branches.add(.filterMention, if: leavesOut { $0.mentionedOnly = filter.mentionedOnly })
    branches.add(.filterName, if: leavesOut { $0.name = filter.name })
  }
}

extension Reference {
  /// Returns whether a user is a member of a channel, deleted or not.
  fileprivate func has(_ user: User.ID, in id: Channel.ID) -> Bool {
    members.contains { $0.key == Member.Key(id, user) && $0.isMember }
  }
}

// MARK: Suggestions

extension Asking {
  mutating func countSuggestions(
    _ typed: UserText, in id: Channel.ID?, _ users: [User], limit: Int, except: User.ID?
  ) {
    let members = id.map { reference.members(of: $0) } ?? []
    for user in users {
      let grades: [Branch] = [.suggestAnybody, .suggestExact, .suggestName, .suggestWord, .suggestID]
      if let grade = reference.grade(user, typed) { branches.add(grades[grade]) }
      guard id != nil else { continue }
      if let member = members.first(where: { $0.key.user == user.id }) {
        branches.add(member.lastSent == nil ? .suggestNeverActive : .suggestActive)
      } else {
        branches.add(.suggestNoMember)
      }
    }
    branches.add(.suggestTooMany, if: users.count == limit && limit > 0)
    for user in reference.users where reference.grade(user, typed) != nil {
      branches.add(.suggestDeactivated, if: user.isDeactivated)
      branches.add(.suggestExcepted, if: user.id == except)
    }
  }
}
