// The branches of the rules of queries, each counted when a result takes it.

/// The conditions that decide a result, one by one, so that a test asserts that each occurred.
enum Branch: String, CaseIterable {
  // Unread messages, or why a message is not unread.
  case unreadWaits, unreadMention, unreadReplyInChannel, unreadOfSystem, unreadOwn, unreadDeleted, unreadGone
  case unreadSilent, unreadInThread, unreadEphemeral, unreadAuthorMuted, unreadAuthorMuteOver, unreadRead
  case unreadTruncated, unreadOff, unreadNoMember, unreadNoChannel, unreadMarked, unreadChannelMuted
  case unreadGroup, unreadTwice, unreadOtherGroup
  case unreadBeforeMuteEnds, unreadAsMuteEnds, unreadAfterMuteEnded
  // Pages of messages.
  case pageOlder, pageOldest, pageNewer, pageNewest, pageBetween, pageOfNone, pageOfThread
  case fromPartly, fromFully, fromLater
  case aroundInMiddle, aroundAtStart, aroundAtEnd, aroundUnknown, aroundNotShown
  case shownDeleted, shownEphemeral, shownReply, hiddenEphemeral, hiddenGone, hiddenTruncated, hiddenReply
  // Threads.
  case threadOwnParent, threadReplied, threadBoth, threadRepliesGone, threadParentNotThere, threadParentTruncated
  case threadNoMember, threadDraft, threadTyping, threadFailed, threadFailedBefore
  // Pins and mentions.
  case pinEndless, pinStill, pinEnded, pinAsItEnds, pinDeleted, pinTruncated
  case mentionThere, mentionDeleted, mentionTruncated, mentionNoMember, mentionOwnEphemeral, mentionHidden
  case mentionOfGroup, mentionOwnGroup, mentionBeforeJoining
  // Members and markers.
  case memberThere, memberLeft, memberOtherRole
  case markerRead, markerReceivedOnly, markerUnread, markerReadOff, markerReceivedOff, markerBothOff, markerNoMessage
  // Mutes and bans.
  case muteOfUser, muteOfChannel, muteEndless, muteOver
  case banFromChannel, banFromEverywhere, banEndless, banOver, banBoth, banDeletedChannel
  // Channels of a user.
  case listHidden, listShownAgain, listMuted, listFrozen, listUnread, listMention, listSilent, listDeleted
  case listDraft, listTyping, listFailed, listFailedBefore, listFailedDeleted, listFailedTruncated, listFailedInThread
  case listFailedRetried, lineFailed, lineDraft, lineTyping, lineMessage, lineDeleted, lineNothing
  case listByActivity, listUnreadFirst, listByName, listSameName
  case filterKind, filterHidden, filterShown, filterMuted, filterNotMuted, filterFrozen, filterNotFrozen
  case filterUnread, filterMention, filterName
  // Suggestions.
  case suggestAnybody, suggestExact, suggestName, suggestWord, suggestID, suggestActive, suggestNeverActive
  case suggestDeactivated, suggestNoMember, suggestExcepted, suggestTooMany
  // Typing users.
  case typingYoung, typingOverJust, typingOver, typingLater, typingBanned, typingBanOver, typingLeft, typingNoMember
  case typingDeactivated, typingOff, typingTwoDevices, typingExcepted, typingInThread
  // Composers and commands.
  case composerOpen, composerFull, composerEmpty, composerAside
  case commandRunning, commandExecuted, commandFailed, commandInterrupted
  // Drafts.
  case draftThere, draftDeleted, draftTargetGone, draftSuperseded, draftInThread, draftWithParent, draftParentHidden
  // Histories of messages.
  case biographyReaction, biographyFlag, historyEdited, historyDeleted, historyRestored, historyGone
  case historyEphemeralSent
}

/// The number of results that took each branch.
struct BranchCounts {
  private(set) var counts: [Branch: Int] = [:]

  mutating func add(_ branch: Branch, if isTaken: Bool = true) {
    if isTaken { counts[branch, default: 0] += 1 }
  }

  mutating func add(_ other: BranchCounts) { counts.merge(other.counts, uniquingKeysWith: +) }

  subscript(branch: Branch) -> Int { counts[branch] ?? 0 }
}
