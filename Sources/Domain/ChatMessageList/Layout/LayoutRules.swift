// What rows are, given their neighbors: the rules of groups and separators.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The rules of groups and separators, with what they go by besides messages.
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
  /// The place of the first message that was not read, is somebody else's, and has a row; never in a thread.
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

// MARK: A message among others

extension LayoutRules {
  /// Whether a group ends between two messages of somebody that have no other between them.
  func parts(_ first: Entry, _ second: Entry) -> Bool {
    if daySeparatorEndsGroup, first.day != second.day { return true }
    if unreadSeparatorEndsGroup, isFirstUnread(between: first.place, and: second.place) { return true }
    if isThreadParent(first) { return true }
    if let messageEndsGroup { return messageEndsGroup(first, second) }
    // A date is a number of seconds that is not exact, but closer than half a microsecond.
    let gap = second.place.timestamp.timeIntervalSince(first.place.timestamp)
    return gap > maximumGap + 0.000_000_5 || first.group != second.group
  }

  private func isFirstUnread(between first: MessageSortKey, and second: MessageSortKey) -> Bool {
    firstUnread.map { first < $0 && !(second < $0) } ?? false
  }

  /// Whether two messages that follow one another share the notice that stands for them.
  func collapseTogether(_ first: Entry, _ second: Entry) -> Bool {
    first.shape == .collapsed && second.shape == .collapsed && !isFirstUnread(second.place)
      && (!showsDaySeparators || first.day == second.day)
  }

  /// Where a message stands in its group, and what that has it carry.
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

  /// What stands above a row, given the message above it; of messages that share a notice, the first counts.
  func leads(of entry: Entry, below previous: Above?) -> Leads {
    var leads: Leads = []
    if isFirstUnread(entry.place) { leads.insert(.unreadSeparator) }
    if let previous, previous.isThreadParent {
      leads.insert(.threadSeparator)
      if hasOlder { leads.insert(.loadOlder) }
    }
    if hasDateSeparator(entry, below: previous) { leads.insert(.dateSeparator) }
    return leads
  }

  /// Above the oldest message nobody knows yet whether its day begins with it, as long as there are older ones; but
  /// nothing in a thread is older than what it is about.
  private func hasDateSeparator(_ entry: Entry, below previous: Above?) -> Bool {
    if !showsDaySeparators { return false }
    guard let previous else { return !hasOlder || isThreadParent(entry) }
    return previous.day != entry.day && !(hasOlder && previous.isThreadParent)
  }

  func isFirstUnread(_ place: MessageSortKey) -> Bool { firstUnread.map { $0 == place } ?? false }

  func isThreadParent(_ entry: Entry) -> Bool {
    threadParent.map { $0 == entry.row.messageID } ?? false
  }
}

/// What a row has to know of the message above it.
struct Above {
  let day: Date
  let isThreadParent: Bool
}

extension MessageDelivery {
  /// Whether it is not known to have been sent.
  fileprivate var isUnsettled: Bool {
    switch self {
    case .pending, .failed: true
    case .sent, .delivered, .read: false
    }
  }
}
