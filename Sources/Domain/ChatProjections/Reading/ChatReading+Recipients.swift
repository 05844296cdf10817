// Who is to be notified of a message.
public import Chat
package import Projections

/// A user who is to be notified of a message.
public struct Recipient: Hashable, Sendable {
  /// The reason for the notification; of several, the first of these.
  public enum Reason: Hashable, Sendable {
    /// The message mentions the user.
    case mention
    /// The message mentions a group to which the user belongs.
    case group(Mention.Group)
    /// The message quotes one of the user's.
    case quote
    /// The message is a reply in a thread in which the user takes part.
    case thread
    /// The message is in a channel of the user.
    case channel
  }

  /// The user.
  public let user: User.ID
  /// The reason for the notification.
  public let reason: Reason
  /// The user's devices, in the order of their ids.
  public let devices: [Device]
}

extension ChatReading {
  /// Returns the users who are to be notified of a message at an instant, in the order of their ids.
  ///
  /// They are the members who may read the channel, without the author. A reply shown in its thread only concerns those
  /// who take part in the thread or are mentioned, and `@here` those for whom the closure returns true. Nobody is
  /// notified of a silent, ephemeral, deleted or pending message, nor of one that they have read, nor are those who
  /// mute the channel or the author, or block the author. A channel in the archive notifies only those whom a message
  /// mentions by name or quotes.
  package func recipients(
    of key: Message.Key, under rules: Rules, at instant: Timestamp, isOnline: (User.ID) -> Bool
  ) throws(ProjectionError) -> [Recipient] {
    guard let message = try message(key), message.isNotified, let channel = try channel(key.channel),
      message.number > channel.truncated
    else { return [] }
    let news = News(message, quotedAuthor: try quotedAuthor(message), thread: try threadAuthors(of: message))
    var recipients: [Recipient] = []
    try forEach(in: ChatState.members, under: KeyPrefix(channel.id)) { member throws(ProjectionError) in
      let id = member.key.user
      guard member.isMember, id != message.author, let reason = news.reason(for: member, isOnline: isOnline),
        member.archived == nil || news.isPersonal(to: id), let user = try user(id),
        try isToNotify(user, member, of: message, under: rules, at: instant)
      else { return true }
      recipients.append(Recipient(user: id, reason: reason, devices: try devices(of: id)))
      return true
    }
    return recipients
  }

  private func isToNotify(
    _ user: User, _ member: Member, of message: Message, under rules: Rules, at instant: Timestamp
  ) throws(ProjectionError) -> Bool {
    guard !user.isDeactivated, rules.capabilities(of: user, as: member).contains(.read) else { return false }
    var read = member.read
    if let parent = message.content.parent, !message.content.showsInChannel {
      read = try newestRead(by: member, inThreadOf: Message.Key(message.key.channel, parent))
    }
    guard message.number > read else { return false }
    if try mute(of: .channel(message.key.channel), by: user.id, at: instant) != nil { return false }
    guard let author = message.author else { return true }
    if try mute(of: .user(author), by: user.id, at: instant) != nil { return false }
    return try block(UserBlock.Key(by: user.id, of: author)) == nil
  }

  private func quotedAuthor(_ message: Message) throws(ProjectionError) -> User.ID? {
    guard let quoted = message.content.quoted else { return nil }
    return try self.message(Message.Key(message.key.channel, quoted))?.author
  }

  /// Returns the authors of the parent and the present replies of a reply's thread; empty for other messages.
  private func threadAuthors(of message: Message) throws(ProjectionError) -> Set<User.ID> {
    guard let parent = message.content.parent else { return [] }
    let key = Message.Key(message.key.channel, parent)
    var authors = Set([try self.message(key)?.author].compactMap(\.self))
    try forEach(in: ChatState.replies, under: KeyPrefix(of: key)) { entry throws(ProjectionError) in
      let reply = try reading.row(of: Message.Key(key.channel, entry.message), in: ChatState.messages)
      if let reply, reply.presence == .present, reply.isVisible(to: nil), let author = reply.author {
        authors.insert(author)
      }
      return true
    }
    return authors
  }

  /// Returns the devices of a user, in the order of their ids.
  private func devices(of user: User.ID) throws(ProjectionError) -> [Device] {
    var devices: [Device] = []
    try forEach(in: ChatState.devices, under: KeyPrefix(user)) { device in
      devices.append(device)
      return true
    }
    return devices
  }
}

/// Whom a message concerns.
private struct News {
  private let mentioned: Set<User.ID>
  private let groups: [Mention.Group]
  private let quotedAuthor: User.ID?
  private let thread: Set<User.ID>
  private let isInChannel: Bool

  init(_ message: Message, quotedAuthor: User.ID?, thread: Set<User.ID>) {
    mentioned = Set(message.content.mentions.map(\.user))
    groups = message.content.mentions.compactMap(\.group)
    (self.quotedAuthor, self.thread) = (quotedAuthor, thread)
    isInChannel = message.content.parent == nil || message.content.showsInChannel
  }

  /// Returns whether the message mentions a user by name or quotes them.
  func isPersonal(to user: User.ID) -> Bool { mentioned.contains(user) || quotedAuthor == user }

  func reason(for member: Member, isOnline: (User.ID) -> Bool) -> Recipient.Reason? {
    let user = member.key.user
    if mentioned.contains(user) { return .mention }
    for group in groups {
      switch group {
      case .channel: return .group(group)
      case .here: if isOnline(user) { return .group(group) }
      case .role(let role): if member.role == role { return .group(group) }
      }
    }
    if quotedAuthor == user { return .quote }
    if thread.contains(user) { return .thread }
    return isInChannel ? .channel : nil
  }
}

extension Message {
  /// Whether anybody is notified of the message.
  fileprivate var isNotified: Bool {
    presence == .present && content.kind != .ephemeral && !content.isSilent && delivery == .settled
  }
}
