// What people write and have done: who types, which composers hold something, which commands were executed.
public import Chat
public import Projections
internal import Tables

/// Somebody who types.
public struct TypingUser: Hashable, Sendable {
  /// Who.
  public let user: User.ID
  /// When their text changed last.
  public let typed: Instant

  /// How long somebody types whose text does not change any more.
  public static let span = Microseconds.seconds(7)

  /// When they cease to type, if their text does not change any more.
  public var end: Instant { typed + Self.span }

  /// A user whose text changed last at an instant.
  public init(_ user: User.ID, typed: Instant) { (self.user, self.typed) = (user, typed) }
}

/// Commands that somebody had executed, the one that began last first.
public struct CommandPage: Hashable, Sendable {
  /// The commands.
  public var commands: [CommandRun] = []
  /// Where the next page begins; nil when there is none.
  public var next: CommandCursor?
}

/// Behind which command a page begins.
///
/// Commands that began since come before it, so that the pages behind stay what they are; how a command ended is told
/// as it stands when its page is read.
public struct CommandCursor: Hashable, Sendable {
  fileprivate let key: CommandKey
}

// MARK: Typing

extension ChatReading {
  /// Who types in a channel, or in a thread of it, at an instant: whose text changed last within ``TypingUser/span``
  /// before it and was not sent, cleared or left since. Who typed last comes first; of those who typed at once, the
  /// least id.
  ///
  /// Somebody who types on two devices is there once. Who is no member, banned at the instant or deactivated is not
  /// there; nobody is where the channel is deleted or does not tell who types.
  public func typing(
    in channel: Channel.ID, thread: Message.ID? = nil, at instant: Instant, except user: User.ID? = nil
  ) throws(ProjectionError) -> [TypingUser] {
    guard let row = try self.channel(channel), row.config.has(.typingEvents) else { return [] }
    var users: [TypingUser] = []
    let prefix = thread.map { KeyPrefix(channel, $0) } ?? KeyPrefix(nothingAfter: channel)
    try forEach(in: ChatState.composing, under: prefix) { entry throws(ProjectionError) in
      let key = entry.key.composer
      guard key.user != user, let typed = try typed(in: key, at: instant) else { return true }
      // The devices of a user lie together.
      if let last = users.last, last.user == key.user {
        users[users.count - 1] = TypingUser(key.user, typed: max(last.typed, typed))
      } else if try canWrite(key.user, in: channel, at: instant) {
        users.append(TypingUser(key.user, typed: typed))
      }
      return true
    }
    return users.sorted { $0.typed == $1.typed ? $0.user < $1.user : $0.typed > $1.typed }
  }

  /// Whether somebody types in a composer at an instant, as ``typing(in:thread:at:except:)`` tells it.
  package func isTyping(in key: Composer.Key, at instant: Instant) throws(ProjectionError) -> Bool {
    guard let channel = try channel(key.channel), channel.config.has(.typingEvents),
      try typed(in: key, at: instant) != nil
    else { return false }
    return try canWrite(key.user, in: key.channel, at: instant)
  }

  /// When the text of a composer changed last, where that is not too long ago for somebody to type in it.
  private func typed(in key: Composer.Key, at instant: Instant) throws(ProjectionError) -> Instant? {
    guard let typed = try reading.row(of: key, in: ChatState.composers)?.typed, typed <= instant,
      instant < typed + TypingUser.span
    else { return nil }
    return typed
  }

  /// Whether somebody is a member of a channel, and neither banned there at an instant nor deactivated.
  private func canWrite(_ user: User.ID, in channel: Channel.ID, at instant: Instant) throws(ProjectionError) -> Bool {
    guard try member(Member.Key(channel, user)) != nil, try self.user(user)?.isDeactivated != true else { return false }
    for scope in [.channel(channel), .everywhere] as [Ban.Scope] {
      let ban = try reading.row(of: Ban.Key(of: user, from: scope), in: ChatState.bans)
      if ban?.holds(at: instant) == true { return false }
    }
    return true
  }
}

// MARK: Composers

extension ChatReading {
  /// Composers of somebody that are open or hold something, of one channel or of all: those of a device together, in
  /// the order of their channels.
  ///
  /// Who may see them is for whoever asks to decide: what stands in them is not sent.
  public func composers(
    of user: User.ID, in channel: Channel.ID? = nil
  ) throws(ProjectionError) -> [Composer] {
    try composers(of: user) { $0.holdsSomething && (channel == nil || $0.key.channel == channel) }
  }

  /// Composers that somebody is in front of.
  public func openComposers(of user: User.ID) throws(ProjectionError) -> [Composer] {
    try composers(of: user) { $0.isOpen }
  }

  private func composers(of user: User.ID, where isMeant: (Composer) -> Bool) throws(ProjectionError) -> [Composer] {
    var composers: [Composer] = []
    try forEach(in: ChatState.composers, under: KeyPrefix(user)) { composer in
      if isMeant(composer) { composers.append(composer) }
      return true
    }
    return composers
  }
}

extension Composer {
  /// Whether somebody is in front of it, or something in it would be lost with it.
  fileprivate var holdsSomething: Bool {
    isOpen || content.hasContent || aside?.hasContent == true || execution != nil
  }
}

// MARK: Commands

extension ChatReading {
  /// Commands that somebody had executed, in the composers of one channel or of all, the one that began last first.
  public func commands(
    of user: User.ID, in channel: Channel.ID? = nil, after cursor: CommandCursor? = nil, limit: Int
  ) throws(ProjectionError) -> CommandPage {
    let page = try page(
      of: ChatState.commands, under: KeyPrefix(user), after: cursor?.key, limit: limit,
      by: { CommandKey(user, $0.position) }
    ) { run in channel == nil || run.composer.channel == channel ? run : nil }
    return CommandPage(commands: page.items, next: page.next.map { CommandCursor(key: $0) })
  }
}
