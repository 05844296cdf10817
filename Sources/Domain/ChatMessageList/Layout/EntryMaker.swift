// The creation of entries from messages, independent of neighbors.
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A factory of entries, configured by the options of a list.
struct EntryMaker<Message: MessageType> {
  private let options: LayoutOptions<Message>
  /// The maximum width of a message.
  private let maxWidth: Double

  init(_ options: LayoutOptions<Message>) {
    self.options = options
    maxWidth = options.maxWidth(options.geometry)
  }

  /// Returns the entry of a message, not yet placed in a group.
  func entry(for message: Message, at sortKey: MessageSortKey, on day: Date) -> MessageEntry<Message> {
    let chat = message.chatMessage
    // Computing the kind can cost more than everything else, so it is skipped if the content is known.
    let content = chat?.content
    let kind = content == nil ? message.kind : nil
    let isSystem = if case .system? = kind { true } else { false }
    var shape: Shape = isSystem ? .system : .bubble
    var row = MessageRow(of: message, chat, kind, content, shape: shape, by: options, maxWidth: maxWidth)
    row.date = sortKey.timestamp
    if row.kind == .notice { shape = .system }
    if shape == .system { row.actions = [] }
    let sender = chat?.sender
    if let muted = muted(sender, isOwn: row.isOwn, id: message.messageID) {
      shape = muted
      row = .notice(instead: row)
    }
    let group = group(sender, message.alignment)
    return MessageEntry(message, at: sortKey, on: day, in: group, shape, row: row, hasSender: sender != nil)
  }

  private func muted(_ sender: MessageSender?, isOwn: Bool, id: String) -> Shape? {
    guard options.mutedMessages != .show, let sender, options.mutedAuthors.contains(sender.id), !isOwn,
      id != options.threadParent
    else { return nil }
    return options.mutedMessages == .collapse ? .collapsed : .hidden
  }

  private func group(_ sender: MessageSender?, _ alignment: MessageAlignment) -> GroupID {
    if options.groupKey == .sender, let sender { .sender(sender.id) } else { .side(alignment) }
  }
}
