// What rows are, given their neighbors: the rules of groups and separators.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What the rules go by besides the messages themselves.
struct LayoutRules<Message: MessageType> {
  let options: LayoutOptions<Message>
  /// How wide a message may become.
  let maxWidth: Double
  let timestamps: TimestampPositionAnchor?
  let collapsesEnclosing: Bool
  let collapsesPicture: Bool
  var hasOlder = false
  /// The place of the first message that was not read, is somebody else's, and has a row; never in a thread.
  var firstUnread: MessagePlace?

  init(_ options: LayoutOptions<Message>) {
    self.options = options
    maxWidth = options.maxWidth(options.geometry)
    collapsesEnclosing = options.grouping.contains(.collapseEnclosingViews)
    collapsesPicture = options.grouping.contains(.collapseProfilePicture)
    let anchors = options.grouping.compactMap { option in
      if case .collapseTimestamps(let anchor) = option { anchor } else { nil }
    }
    timestamps = anchors.first
  }
}

// MARK: A message by itself

extension LayoutRules {
  /// A message with its row, in no group yet.
  func entry(for message: Message, day: Date) -> Entry<Message> {
    let chat = message.chatMessage
    // Asking for the kind can cost more than all else: what tells its content is not asked.
    let kind = chat?.content == nil ? message.kind : nil
    let isSystem = if case .system? = kind { true } else { false }
    var shape: Shape = isSystem ? .system : .bubble
    var row = MessageRow(of: message, chat, kind, shape: shape, by: options, maxWidth: maxWidth)
    if row.kind == .notice { shape = .system }
    if shape == .system { row.actions = [] }
    if let muted = muted(chat, isOwn: row.isOwn, id: message.messageID) {
      shape = muted
      row = .notice(instead: row)
    }
    return Entry(
      message: message, place: MessagePlace(message), day: day, group: group(of: message, chat, row), shape: shape,
      row: row, hasSender: chat?.sender != nil, isShown: false)
  }

  private func muted(_ chat: (any ChatMessageType)?, isOwn: Bool, id: String) -> Shape? {
    guard options.mutedMessages != .show, let sender = chat?.sender?.id, options.mutedAuthors.contains(sender),
      !isOwn, id != options.threadParent
    else { return nil }
    return options.mutedMessages == .collapse ? .collapsed : .hidden
  }

  private func group(of message: Message, _ chat: (any ChatMessageType)?, _ row: MessageRow) -> GroupID {
    if options.groupKey == .sender, let sender = chat?.sender?.id { return .sender(sender) }
    return row.side == .center ? .none : .side(message.alignment)
  }
}

// MARK: A message among others

extension LayoutRules {
  /// Whether a group ends between two messages of somebody that have no other between them.
  func parts(_ first: Entry<Message>, _ second: Entry<Message>) -> Bool {
    if options.daySeparatorEndsGroup, options.showsDaySeparators, first.day != second.day { return true }
    if options.unreadSeparatorEndsGroup, let firstUnread,
      first.place < firstUnread, !(second.place < firstUnread)
    {
      return true
    }
    if isThreadParent(first) { return true }
    if let ends = options.messageEndsGroup { return ends(first.message, second.message) }
    return second.place.timestamp.timeIntervalSince(first.place.timestamp) > options.maximumGap
      || first.group != second.group
  }

  /// Whether two messages that follow one another share the notice that stands for them.
  func collapseTogether(_ first: Entry<Message>, _ second: Entry<Message>) -> Bool {
    first.shape == .collapsed && second.shape == .collapsed && !isFirstUnread(second.place)
      && (!options.showsDaySeparators || first.day == second.day)
  }

  /// Where a message stands in its group, and what that has it carry.
  func placement(
    of entry: Entry<Message>, groupStart: Bool, groupEnd: Bool
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
    placement.authorName = placement.header && options.showsAuthorNames && !entry.row.isOwn && entry.hasSender
    placement.showsDelivery = entry.row.delivery.map { groupEnd || $0.isUnsettled } ?? false
    return placement
  }

  /// What stands above a row, given the message above it; of messages that share a notice, the first counts.
  func leads(of entry: Entry<Message>, below previous: Above?) -> Leads {
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
  private func hasDateSeparator(_ entry: Entry<Message>, below previous: Above?) -> Bool {
    if !options.showsDaySeparators { return false }
    guard let previous else { return !hasOlder || isThreadParent(entry) }
    return previous.day != entry.day && !(hasOlder && previous.isThreadParent)
  }

  func isFirstUnread(_ place: MessagePlace) -> Bool { firstUnread.map { $0 == place } ?? false }

  func isThreadParent(_ entry: Entry<Message>) -> Bool {
    options.threadParent.map { $0 == entry.message.messageID } ?? false
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
