// The rules of groups and separators: what a row is, given its neighbors.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rules of groups and separators, with all their inputs other than messages.
struct LayoutRules {
  let timestamps: TimestampPositionAnchor?
  let collapsesEnclosing: Bool
  let collapsesPicture: Bool
  let maximumGap: Double
  let messageEndsGroup: ((Entry, Entry) -> Bool)?
  let showsDaySeparators: Bool
  let daySeparatorEndsGroup: Bool
  let unreadSeparatorEndsGroup: Bool
  let systemEndsGroup: Bool
  let showsAuthorNames: Bool
  let showsConversationStart: Bool
  let threadParent: String?
  var hasOlder = false
  /// The sort key of the first unread message by another user that has a row; always nil in a thread.
  var firstUnread: MessageSortKey?

  init<Message>(_ options: LayoutOptions<Message>) {
    collapsesEnclosing = options.grouping.contains(.collapseEnclosingViews)
    collapsesPicture = options.grouping.contains(.collapseProfilePicture)
    let anchors = options.grouping.compactMap { option in
      if case .collapseTimestamps(let anchor) = option { anchor } else { nil }
    }
    timestamps = anchors.first
    maximumGap = options.maximumGap
    messageEndsGroup = options.messageEndsGroup.map { ends in
      { ends(MessageEntry<Message>.message(of: $0), MessageEntry<Message>.message(of: $1)) }
    }
    showsDaySeparators = options.showsDaySeparators
    daySeparatorEndsGroup = options.daySeparatorEndsGroup && options.showsDaySeparators
    unreadSeparatorEndsGroup = options.unreadSeparatorEndsGroup
    systemEndsGroup = options.systemEndsGroup
    showsAuthorNames = options.showsAuthorNames
    showsConversationStart = options.showsConversationStart
    threadParent = options.threadParent
  }
}

// MARK: Neighboring messages

extension LayoutRules {
  /// Whether a group ends between two messages by users without another such message between them.
  func parts(_ first: Entry, _ second: Entry) -> Bool {
    if daySeparatorEndsGroup, first.day != second.day { return true }
    if unreadSeparatorEndsGroup, isFirstUnread(between: first.sortKey, and: second.sortKey) { return true }
    if isThreadParent(first) { return true }
    if let messageEndsGroup { return messageEndsGroup(first, second) }
    // A date is an inexact number of seconds, with an error below half a microsecond.
    let gap = second.sortKey.timestamp.timeIntervalSince(first.sortKey.timestamp)
    return gap > maximumGap + 0.000_000_5 || first.group != second.group
  }

  private func isFirstUnread(between first: MessageSortKey, and second: MessageSortKey) -> Bool {
    firstUnread.map { first < $0 && !(second < $0) } ?? false
  }

  /// Whether two adjacent messages are collapsed into the same notice.
  func collapseTogether(_ first: Entry, _ second: Entry) -> Bool {
    first.shape == .collapsed && second.shape == .collapsed && !isFirstUnread(second.sortKey)
      && (!showsDaySeparators || first.day == second.day)
  }

  /// Returns the position of a message in its group, with the decorations that follow from it.
  func placement(
    of entry: Entry, groupStart: Bool, groupEnd: Bool
  ) -> MessageRow.Placement {
    var placement = MessageRow.Placement()
    guard entry.shape == .bubble else { return placement }
    placement.position = groupStart ? groupEnd ? .single : .first : groupEnd ? .last : .middle
    placement.header = groupStart || !collapsesEnclosing
    placement.footer = groupEnd || !collapsesEnclosing
    placement.avatar = groupEnd || !collapsesPicture ? .shown : .spacer
    placement.timestamp =
      switch timestamps {
      case .top: groupStart ? .top : .hidden
      case .bottom: groupEnd ? .bottom : .hidden
      case nil: .row
      }
    placement.authorName = placement.header && showsAuthorNames && !entry.row.isOwn && entry.hasSender
    placement.showsDelivery = entry.row.delivery.map { groupEnd || $0.isUnsettled } ?? false
    return placement
  }

  /// Returns the rows above a row, given the message above it; for messages that share a notice, `entry` is the first.
  func leads(of entry: Entry, below previous: PreviousMessage?) -> LeadingRows {
    var leads: LeadingRows = []
    if isFirstUnread(entry.sortKey) { leads.insert(.unreadSeparator) }
    if let previous, previous.isThreadParent {
      leads.insert(.threadSeparator)
      if hasOlder { leads.insert(.loadOlder) }
    }
    if hasDateSeparator(entry, below: previous) { leads.insert(.dateSeparator) }
    return leads
  }

  /// Whether a date separator is above an entry. While earlier messages are not loaded, it is unknown whether the
  /// oldest message starts its day; in a thread nothing is older than the parent message.
  private func hasDateSeparator(_ entry: Entry, below previous: PreviousMessage?) -> Bool {
    if !showsDaySeparators { return false }
    guard let previous else { return !hasOlder || isThreadParent(entry) }
    return previous.day != entry.day && !(hasOlder && previous.isThreadParent)
  }

  func isFirstUnread(_ sortKey: MessageSortKey) -> Bool { firstUnread.map { $0 == sortKey } ?? false }

  func isThreadParent(_ entry: Entry) -> Bool {
    threadParent.map { $0 == entry.row.messageID } ?? false
  }
}

/// The data of the previous message that a row depends on.
struct PreviousMessage {
  let day: Date
  let isThreadParent: Bool
}

extension MessageDelivery {
  /// Whether the message is not known to have been sent.
  fileprivate var isUnsettled: Bool {
    switch self {
    case .pending, .failed: true
    case .sent, .delivered, .read: false
    }
  }
}
