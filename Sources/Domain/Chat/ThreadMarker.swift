// Thread markers: up to where members have read threads.

// MARK: Identity

extension ThreadMarker {
  /// The primary key of a thread marker: user and parent message.
  public struct Key: Hashable, Codable, Sendable {
    /// The user who reads.
    public let user: User.ID
    /// The parent message of the thread.
    public let parent: Message.Key

    /// Creates the key of a user's marker in a thread.
    public init(of user: User.ID, in parent: Message.Key) { (self.user, self.parent) = (user, parent) }
  }
}

// MARK: State

/// The read marker of a member in a thread.
public struct ThreadMarker: Hashable, Sendable {
  /// The key of the marker.
  public let key: Key
  /// The number of the newest read reply.
  public var read: Message.Number
  /// The time at which the marker was last moved.
  public var readAt: Timestamp

  package init(key: Key, read: Message.Number, readAt: Timestamp) {
    (self.key, self.read, self.readAt) = (key, read, readAt)
  }
}

extension Member {
  /// Returns the number through which the member has read a thread, given their marker in it.
  ///
  /// Without a marker, that of the channel counts. So it does where it is later, and the marker is from before the
  /// member joined again: what was said in their absence does not count as unread.
  package func newestRead(_ marker: ThreadMarker?) -> Message.Number {
    guard let marker else { return read }
    return marker.readAt < joined ? max(marker.read, read) : marker.read
  }
}

// MARK: Events

extension ThreadMarker {
  /// An event of a thread marker.
  public enum Event: Hashable, Sendable {
    /// The marker moved up to this reply.
    case read(through: Message.ID)
    /// The marker moved to before this reply.
    case markedUnread(from: Message.ID)
  }
}

// MARK: Intents

extension ThreadMarker {
  /// An intent on a thread marker.
  public enum Intent: Hashable, Sendable {
    /// Marks replies up to this one as read.
    case read(through: Message.ID)
    /// Marks replies from this one on as unread.
    case markUnread(from: Message.ID)
  }
}

// MARK: Decide

extension Decision {
  func decide(_ intent: ThreadMarker.Intent, on key: ThreadMarker.Key) throws(Refusal) -> [ThreadMarker.Event] {
    let channel = try known(key.parent.channel)
    _ = try known(key.user)
    try needsRight(toActFor: key.user)
    let memberKey = Member.Key(channel.id, key.user)
    guard let member = state[memberKey], member.isMember else { throw .notMember(memberKey) }
    let permissions = permissions(in: channel)
    try permissions.needsFlag(.readEvents)
    try permissions.needs(.read)
    switch intent {
    case .read(let last):
      let reply = try lastRead(Message.Key(channel.id, last), in: channel)
      let read = member.newestRead(state[key])
      return try number(of: reply, in: key.parent) > read ? [.read(through: last)] : []
    case .markUnread(let first):
      let reply = try reachable(Message.Key(channel.id, first), in: channel, permissions)
      let number = try number(of: reply, in: key.parent)
      guard let marker = state[key] else { return [.markedUnread(from: first)] }
      return member.newestRead(marker) == number.previous ? [] : [.markedUnread(from: first)]
    }
  }

  private func number(of reply: Message, in parent: Message.Key) throws(Refusal) -> Message.Number {
    guard reply.content.parent == parent.id else { throw .notReply(reply.key, to: parent.id) }
    return reply.number
  }
}

// MARK: Fold

extension ThreadMarker.Event {
  func fold(on key: ThreadMarker.Key, _ origin: EventOrigin, into state: inout some ChatStateStore) {
    func number(of id: Message.ID) -> Message.Number? { state[Message.Key(key.parent.channel, id)]?.number }
    let read: Message.Number? =
      switch self {
      case .read(let last): number(of: last)
      case .markedUnread(let first): number(of: first)?.previous
      }
    if let read { state[key] = ThreadMarker(key: key, read: read, readAt: origin.at) }
  }
}
