// Pages of messages of a channel or a thread.
package import Chat
package import ChatProjections

extension ClientReading {
  /// Returns messages of a channel, or replies in a thread of it.
  package func page(
    of channel: Channel.ID, _ thread: Message.ID?, _ span: MessageSpan, limit: Int
  ) throws(ReadError) -> MessagePage {
    guard let thread else { return try messages(in: channel, span, limit: limit) }
    return try replies(to: Message.Key(channel, thread), span, limit: limit)
  }

  /// Returns the messages after one through another, without one through the newest, at most `keptMax`; the newest page
  /// if there are none or no start is given.
  package func window(
    of channel: Channel.ID, _ thread: Message.ID?, behind first: Message.Number?, through last: Message.Number? = nil,
    pageSize: Int, keptMax: Int
  ) throws(ReadError) -> MessagePage {
    if let first, let last {
      let span = Int(clamping: last.rawValue.subtractingReportingOverflow(first.rawValue).partialValue)
      var page = try page(of: channel, thread, .after(first), limit: min(max(1, span), keptMax))
      if let end = page.messages.firstIndex(where: { $0.number > last }) {
        page.messages.removeSubrange(end...)
        page.newer = page.messages.last?.number
      }
      if !page.messages.isEmpty { return page }
    } else if let first {
      let page = try page(of: channel, thread, .after(first), limit: keptMax)
      if page.newer != nil { return try self.page(of: channel, thread, .latest, limit: keptMax) }
      if !page.messages.isEmpty { return page }
    }
    return try page(of: channel, thread, .latest, limit: pageSize)
  }
}
