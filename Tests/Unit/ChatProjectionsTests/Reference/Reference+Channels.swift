// The reference's queries for the channels of a user.
import Chat
import ChatProjections
import TextFolding

extension Reference {
  /// Returns the channels of a user in an order.
  func channels(
    of user: User.ID, where filter: ChannelFilter, by order: ChannelOrder, at instant: Timestamp
  ) -> [ChannelItem] {
    let items = channels.compactMap { item($0, for: user, at: instant) }.filter { matches($0, filter) }
    return items.sorted { a, b in
      if (a.member.pinned != nil) != (b.member.pinned != nil) { return a.member.pinned != nil }
      switch order {
      case .name:
        let (one, other) = (a.channel.profile.name, b.channel.profile.name)
        if plain(one) != plain(other) { return plain(one) < plain(other) }
        if one != other { return one < other }
      case .unreadFirst where (a.unread.messages > 0) != (b.unread.messages > 0): return a.unread.messages > 0
      case .unreadFirst, .lastActivity:
        if a.lastActivity != b.lastActivity { return a.lastActivity > b.lastActivity }
      }
      return a.channel.id < b.channel.id
    }
  }

  private func item(_ channel: Channel, for user: User.ID, at instant: Timestamp) -> ChannelItem? {
    guard channel.deleted == nil, let member = member(Member.Key(channel.id, user)) else { return nil }
    return ChannelItem(
      channel: channel, member: member, newest: messages(in: channel.id, for: user).last,
      unread: unread(of: user, in: channel.id, at: instant),
      mute: mutes.first { $0.key == Mute.Key(by: user, of: .channel(channel.id)) && $0.term.lasts(at: instant) },
      lastActivity: lastSaid(in: channel.id) ?? channel.created,
      draft: draft(Draft.Key(by: user, in: channel.id)),
      typing: typing(in: channel.id, thread: nil, at: instant, except: user).map(\.user).sorted(),
      failed: failed(of: user, among: messages(in: channel.id, for: user)))
  }

  /// Returns the last of some messages that a user wrote and that could not be delivered.
  func failed(of user: User.ID, among messages: [Message]) -> Message? {
    messages.last { message in
      guard case .failed = message.delivery else { return false }
      return message.author == user && message.presence == .present
    }
  }

  func matches(_ item: ChannelItem, _ filter: ChannelFilter) -> Bool {
    let hides = item.member.hidden.map { item.channel.newestForAll <= $0 } ?? false
    if let kinds = filter.kinds, !kinds.contains(item.channel.kind) { return false }
    if let isHidden = filter.isHidden, isHidden != hides { return false }
    if let isArchived = filter.isArchived, isArchived != (item.member.archived != nil) { return false }
    if let isPinned = filter.isPinned, isPinned != (item.member.pinned != nil) { return false }
    if let isMuted = filter.isMuted, isMuted != (item.mute != nil) { return false }
    if let isFrozen = filter.isFrozen, isFrozen != item.channel.isFrozen { return false }
    if filter.unreadOnly, item.unread.messages == 0 { return false }
    if filter.mentionedOnly, item.unread.mentions == 0 { return false }
    return filter.name.map { begins(item.channel.profile.name, with: $0) } ?? true
  }

  /// Returns the instant of the last message that is not ephemeral, deleted or not.
  private func lastSaid(in id: Channel.ID) -> Timestamp? {
    events.last { _, event in
      guard case .message(let key, let change) = event.change, key.channel == id else { return false }
      switch change {
      case .sent(let content): return content.kind != .ephemeral
      case .ephemeralSent: return true
      default: return false
      }
    }?.event.origin.at
  }
}

// MARK: Names

extension Reference {
  /// Returns a name folded for comparison.
  func plain(_ name: UserText) -> UserText { UserText(String(decoding: FoldedText(name.string).bytes, as: UTF8.self)) }

  /// Returns whether a name, or the name from a word on, begins with the typed text.
  func begins(_ name: UserText, with typed: UserText) -> Bool {
    let (name, typed) = (FoldedText(name.string), FoldedText(typed.string))
    return name.starts(with: typed) || name.hasWord(startingWith: typed)
  }
}
