// The reference's queries for members, suggestions, markers, mutes and bans.
import Chat
import ChatProjections

// MARK: Members

extension Reference {
  func members(of id: Channel.ID) -> [Member] {
    guard channel(id) != nil else { return [] }
    return members.filter { $0.key.channel == id && $0.isMember }.sorted { $0.key.user < $1.key.user }
  }

  func markers(in id: Channel.ID) -> [Marker] {
    guard let channel = channel(id), channel.config.off.intersection([.readEvents, .deliveryEvents]).elements.count < 2
    else { return [] }
    return members(of: id).map { Marker(of: $0, in: channel) }
  }

  func readers(of message: Message) -> [User.ID] {
    others(than: message, .readEvents).filter { $0.read >= message.number }.map(\.key.user)
  }

  func receivers(of message: Message) -> [User.ID] {
    others(than: message, .deliveryEvents).filter { $0.received >= message.number }.map(\.key.user)
  }

  private func others(than message: Message, _ flag: ChannelFlag) -> [Member] {
    guard let channel = channel(message.key.channel), !channel.config.off.contains(flag),
      message.presence != .gone, message.number > channel.truncated, message.content.kind != .ephemeral
    else { return [] }
    return members(of: channel.id).filter { $0.key.user != message.author }
  }
}

// MARK: Suggestions

extension Reference {
  /// Returns the suggested users: members of a channel, or all users.
  func suggestions(
    _ typed: UserText, in id: Channel.ID?, membersOnly: Bool, limit: Int, except: User.ID?
  ) -> [User] {
    let members = id.map { self.members(of: $0) } ?? []
    func sent(_ user: User) -> Int64 { members.first { $0.key.user == user.id }?.lastSent?.rawValue ?? .min }
    let matching = users.filter { user in
      !user.isDeactivated && user.id != except && grade(user, typed) != nil
        && (!membersOnly || members.contains { $0.key.user == user.id })
    }
    let sorted = matching.sorted { a, b in
      if grade(a, typed) != grade(b, typed) { return grade(a, typed)! < grade(b, typed)! }
      if sent(a) != sent(b) { return sent(a) > sent(b) }
      let (name, other) = (a.profile.name, b.profile.name)
      if plain(name) != plain(other) { return plain(name) < plain(other) }
      return name == other ? a.id < b.id : name < other
    }
    return Array(sorted.prefix(limit))
  }

  /// Returns how well a user matches, from 1, the best; 0 for an empty text.
  func grade(_ user: User, _ typed: UserText) -> Int? {
    let (typed, id, name) = (plain(typed), plain(UserText(user.id.text)), plain(user.profile.name))
    if typed.isEmpty { return 0 }
    if id == typed || name == typed { return 1 }
    if name.string.utf8.starts(with: typed.string.utf8) { return 2 }
    if begins(name, with: typed) { return 3 }
    return id.string.utf8.starts(with: typed.string.utf8) ? 4 : nil
  }
}

// MARK: Mutes and bans

extension Reference {
  func mutes(of user: User.ID, at instant: Timestamp) -> [Mute] {
    let all = mutes.filter { $0.key.user == user && $0.term.lasts(at: instant) }
    let users = all.filter { $0.key.target.isUser }.sorted { $0.key.target.text < $1.key.target.text }
    return users + all.filter { !$0.key.target.isUser }.sorted { $0.key.target.text < $1.key.target.text }
  }

  func bans(from scope: Ban.Scope, at instant: Timestamp) -> [Ban] {
    if case .channel(let id) = scope, channel(id) == nil { return [] }
    return bans.filter { $0.key.scope == scope && $0.term.lasts(at: instant) }.sorted { $0.key.user < $1.key.user }
  }

  func ban(of user: User.ID, in id: Channel.ID, at instant: Timestamp) -> Ban? {
    if channel(id) == nil { return nil }
    return (bans(from: .everywhere, at: instant) + bans(from: .channel(id), at: instant)).first { $0.key.user == user }
  }
}

extension Mute.Target {
  fileprivate var isUser: Bool {
    if case .user = self { true } else { false }
  }

  /// The id as a string; ids are ASCII, so that the order of strings is byte order.
  fileprivate var text: String {
    switch self {
    case .user(let id): id.text
    case .channel(let id): id.text
    }
  }
}
