// The reference's queries for messages.
import Chat
import ChatProjections

// MARK: Pages

extension Reference {
  func channel(_ id: Channel.ID) -> Channel? { channels.first { $0.id == id && $0.deleted == nil } }

  func member(_ key: Member.Key) -> Member? { members.first { $0.key == key && $0.isMember } }

  /// Returns the messages of a channel that are shown, in order.
  private func shown(in id: Channel.ID, to viewer: User.ID?) -> [Message] {
    guard let channel = channel(id) else { return [] }
    return messages.filter { message in
      message.key.channel == id && message.presence != .gone && message.number > channel.truncated
        && (message.content.kind != .ephemeral || viewer != nil && message.author == viewer)
    }.sorted { $0.number < $1.number }
  }

  func messages(in id: Channel.ID, for viewer: User.ID?) -> [Message] {
    shown(in: id, to: viewer).filter { $0.content.parent == nil || $0.content.showsInChannel }
  }

  func replies(to parent: Message.Key, for viewer: User.ID?) -> [Message] {
    shown(in: parent.channel, to: viewer).filter { $0.content.parent == parent.id }
  }

  /// Returns a page of consecutive messages.
  func page(of all: [Message], _ span: MessageSpan, limit: Int, from channel: Channel.ID) -> MessagePage {
    let range: Range<Int>
    switch span {
    case .latest: range = max(0, all.count - limit)..<all.count
    case .before(let number):
      let end = all.count { $0.number < number }
      range = max(0, end - limit)..<end
    case .after(let number):
      let start = all.count { $0.number <= number }
      range = start..<min(all.count, start + limit)
    case .from(let instant):
      let earlier = all.last { $0.sent < instant && $0.content.kind != .ephemeral }?.number
      return page(
        of: all, .after(earlier ?? self.channel(channel)?.truncated ?? .zero), limit: limit, from: channel)
    case .around(let id):
      guard let message = self[Message.Key(channel, id)], message.number > self.channel(channel)?.truncated ?? .zero
      else { return MessagePage() }
      let middle = all.count { $0.number < message.number }
      // Half of them, rounded up, from this one on; where one side has few, the other gets the rest of the limit.
      let newer = min(all.count - middle, max((limit + 1) / 2, limit - middle))
      range = max(0, middle - (limit - newer))..<middle + newer
    }
    var page = MessagePage(messages: Array(all[range]))
    if range.lowerBound > 0 { page.older = page.messages.first?.number ?? older(all, span) }
    if range.upperBound < all.count { page.newer = page.messages.last?.number ?? newer(all, span) }
    return page
  }

  private func older(_ all: [Message], _ span: MessageSpan) -> Message.Number? {
    if case .after(let number) = span { return number.next }
    return nil
  }

  private func newer(_ all: [Message], _ span: MessageSpan) -> Message.Number? {
    if case .before(let number) = span { return number.previous }
    return nil
  }
}

// MARK: Threads, pins and mentions

extension Reference {
  func threads(of user: User.ID, at instant: Timestamp) -> [ThreadItem] {
    var answers: [ThreadItem] = []
    for parent in messages {
      guard let channel = channel(parent.key.channel), let member = member(Member.Key(channel.id, user)),
        parent.number > channel.truncated, parent.content.kind != .ephemeral || parent.author == user
      else { continue }
      let replies = replies(to: parent.key, for: nil).filter { $0.presence == .present }
      let own = replies.count { $0.author == user }
      guard let newest = replies.last, own > 0 || parent.author == user else { continue }
      // Truncated replies count until they are deleted.
      let all = messages.count {
        $0.key.channel == channel.id && $0.content.parent == parent.key.id && $0.presence == .present
          && $0.content.kind != .ephemeral && $0.author == user
      }
      let marker = threadMarkers.first { $0.key == ThreadMarker.Key(of: user, in: parent.key) }
      var read = marker?.read ?? member.read
      // A marker from before the user joined again does not make replies unread that were sent in their absence.
      if let marker, marker.readAt < member.joined { read = max(read, member.read) }
      let unread = channel.config.has(.readEvents) ? unread(replies, by: user, after: read, at: instant) : 0
      let (id, thread) = (channel.id, parent.key.id)
      answers.append(
        ThreadItem(
          parent: parent, newest: newest, ownReplyCount: all, unreadReplyCount: unread,
          draftReply: draft(Draft.Key(by: user, in: id, thread: thread)),
          typing: typing(in: id, thread: thread, at: instant, except: user).map(\.user).sorted(),
          failed: failed(of: user, among: self.replies(to: parent.key, for: user))))
    }
    return answers.sorted {
      ($1.newest.sent, $0.parent.key.channel, $0.parent.key.id) < (
        $0.newest.sent, $1.parent.key.channel, $1.parent.key.id
      )
    }
  }

  private func unread(
    _ replies: [Message], by user: User.ID, after read: Message.Number, at instant: Timestamp
  ) -> Int {
    replies.count { $0.number > read && !$0.content.isSilent && !isOwnOrSilenced($0, for: user, at: instant) }
  }

  func pinned(in id: Channel.ID, at instant: Timestamp) -> [Message] {
    shown(in: id, to: nil).filter { $0.presence == .present && $0.pin?.term.lasts(at: instant) == true }
      .sorted { ($1.pin!.stamp.at, $0.key.id) < ($0.pin!.stamp.at, $1.key.id) }
  }

  func mentions(of user: User.ID) -> [Message] {
    channels.compactMap { member(Member.Key($0.id, user)) }
      .flatMap { member in
        shown(in: member.key.channel, to: user).filter { message in
          let isLater = message.author != user && message.sent >= member.joined
          return message.presence == .present
            && message.content.mentions.contains { $0.user == user || isLater && $0.concerns(member) }
        }
      }
      .sorted { ($1.sent, $0.key.channel, $0.key.id) < ($0.sent, $1.key.channel, $1.key.id) }
  }
}

// MARK: Unread

extension Reference {
  func blocks(_ user: User.ID, _ other: User.ID) -> Bool {
    blocks.contains { $0.key == UserBlock.Key(by: user, of: other) }
  }

  func isMuted(_ target: Mute.Target, by user: User.ID, at instant: Timestamp) -> Bool {
    mutes.contains { $0.key == Mute.Key(by: user, of: target) && $0.term.lasts(at: instant) }
  }

  /// Returns the unread messages of a member, in order.
  func waiting(for user: User.ID, in id: Channel.ID, at instant: Timestamp) -> [Message] {
    guard let member = member(Member.Key(id, user)), let channel = channel(id),
      !channel.config.off.contains(.readEvents)
    else { return [] }
    return messages(in: id, for: user).filter { message in
      message.number > member.read && message.presence == .present && !message.content.isSilent
        && message.content.kind != .ephemeral && !isOwnOrSilenced(message, for: user, at: instant)
    }
  }

  /// Returns whether the user wrote a message, or mutes or blocks its author.
  func isOwnOrSilenced(_ message: Message, for user: User.ID, at instant: Timestamp) -> Bool {
    guard let author = message.author else { return false }
    return author == user || isMuted(.user(author), by: user, at: instant) || blocks(user, author)
  }

  func unread(of user: User.ID, in id: Channel.ID, at instant: Timestamp) -> Unread {
    let waiting = waiting(for: user, in: id, at: instant)
    guard let member = member(Member.Key(id, user)) else { return .none }
    return Unread(
      messages: waiting.count, mentions: waiting.count { $0.content.mentions.contains { $0.concerns(member) } })
  }

  func unread(of user: User.ID, at instant: Timestamp) -> Unread {
    var sum = Unread.none
    for channel in channels where !isMuted(.channel(channel.id), by: user, at: instant) {
      let unread = unread(of: user, in: channel.id, at: instant)
      sum.messages += unread.messages
      sum.mentions += unread.mentions
    }
    return sum
  }
}

extension Mention {
  /// Returns whether the mention names a member or a group of the channel to which they belong.
  func concerns(_ member: Member) -> Bool {
    switch group {
    case nil: user == member.key.user
    case .channel, .here: true
    case .role(let role): member.role == role
    }
  }
}
