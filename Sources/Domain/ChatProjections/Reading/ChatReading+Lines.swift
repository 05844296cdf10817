// Queries for the parts of list lines besides the newest message: typing users and failed messages.
internal import Chat
internal import Projections
internal import Tables

extension ChatReading {
  /// Returns the other users typing in a channel, or in a thread of it, at an instant, in the order of their ids.
  internal func othersTyping(
    than user: User.ID, in channel: Channel.ID, thread: Message.ID? = nil, at instant: Timestamp
  ) throws(ProjectionError) -> [User.ID] {
    try typing(in: channel, thread: thread, at: instant, except: user).map(\.user).sorted()
  }

  /// Returns the newest message of a user that could not be delivered, of a channel or of the replies in a thread of
  /// it; nil when there is none.
  internal func failed(
    of user: User.ID, in channel: Channel, thread: Message.ID? = nil
  ) throws(ProjectionError) -> Message? {
    var failed: Message?
    try forEach(in: ChatState.failedSends, under: KeyPrefix(user, channel.id), .downwards) {
      row throws(ProjectionError) in
      if row.key.place.number <= channel.truncated { return false }
      let message = try reading.row(of: Message.Key(channel.id, row.message), in: ChatState.messages)
      if let message, message.stands(in: thread) { failed = message }
      return failed == nil
    }
    return failed
  }
}

extension Message {
  /// Returns whether it is a reply in a thread; for nil, whether it is shown in the channel.
  fileprivate func stands(in thread: Message.ID?) -> Bool {
    if let thread { return content.parent == thread }
    return content.parent == nil || content.showsInChannel
  }
}
