// Queries for typing users, composers in use, and executed commands.
public import Chat
public import Projections
internal import Tables

/// A user who is typing.
public struct TypingUser: Hashable, Sendable {
  /// The id of the user.
  public let user: User.ID
  /// The instant at which their text last changed.
  public let typed: Timestamp

  /// The time for which a user counts as typing after the last change of their text.
  public static let span = Microseconds.seconds(7)

  /// The instant at which they stop counting as typing, unless their text changes again.
  public var end: Timestamp { typed + Self.span }

  /// Creates a typing user whose text last changed at an instant.
  public init(_ user: User.ID, typed: Timestamp) { (self.user, self.typed) = (user, typed) }
}

/// A page of the commands that a user executed, the latest first.
public struct CommandPage: Hashable, Sendable {
  /// The commands of the page.
  public var commands: [CommandRun] = []
  /// The cursor of the next page; nil on the last page.
  public var next: CommandCursor?
}

/// The command after which a page begins.
///
/// Commands that began since sort before it, so later pages do not shift; the end of a command is as of the reading
/// that returns its page.
public struct CommandCursor: Hashable, Sendable {
  fileprivate let key: CommandKey
}

// MARK: Typing

extension ChatReading {
  /// Returns the users typing in a channel, or in a thread of it, at an instant: their text changed within
  /// ``TypingUser/span`` before it and was not sent, cleared or left since. The user who typed last is first; ties are
  /// sorted by id.
  ///
  /// A user typing on two devices is returned once. Users who are not members, banned at the instant or deactivated are
  /// left out; the result is empty where the channel is deleted or has typing events off.
  public func typing(
    in channel: Channel.ID, thread: Message.ID? = nil, at instant: Timestamp, except user: User.ID? = nil
  ) throws(ProjectionError) -> [TypingUser] {
    guard let row = try self.channel(channel), row.config.has(.typingEvents) else { return [] }
    var users: [TypingUser] = []
    let prefix = thread.map { KeyPrefix(channel, $0) } ?? KeyPrefix(nothingAfter: channel)
    try forEach(in: ChatState.composing, under: prefix) { entry throws(ProjectionError) in
      let key = entry.key.composer
      guard key.user != user, let typed = try typed(in: key, at: instant) else { return true }
      // The devices of a user are adjacent.
      if let last = users.last, last.user == key.user {
        users[users.count - 1] = TypingUser(key.user, typed: max(last.typed, typed))
      } else if try canWrite(key.user, in: channel, at: instant) {
        users.append(TypingUser(key.user, typed: typed))
      }
      return true
    }
    return users.sorted { $0.typed == $1.typed ? $0.user < $1.user : $0.typed > $1.typed }
  }

  /// Returns whether a user is typing in a composer at an instant, as in ``typing(in:thread:at:except:)``.
  package func isTyping(in key: Composer.Key, at instant: Timestamp) throws(ProjectionError) -> Bool {
    guard let channel = try channel(key.channel), channel.config.has(.typingEvents),
      try typed(in: key, at: instant) != nil
    else { return false }
    return try canWrite(key.user, in: key.channel, at: instant)
  }

  /// Returns when the text of a composer last changed; nil when that is too long ago to count as typing.
  private func typed(in key: Composer.Key, at instant: Timestamp) throws(ProjectionError) -> Timestamp? {
    guard let typed = try reading.row(of: key, in: ChatState.composers)?.typed, typed <= instant,
      instant < typed + TypingUser.span
    else { return nil }
    return typed
  }

  /// Returns whether a user is a member of a channel, and neither banned there at an instant nor deactivated.
  private func canWrite(_ user: User.ID, in channel: Channel.ID, at instant: Timestamp) throws(ProjectionError) -> Bool
  {
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
  /// Returns the composers of a user that are open or not empty, of one channel or of all: grouped by device, in the
  /// order of their channels.
  ///
  /// The caller decides who may see them: their content is not sent.
  public func composers(
    of user: User.ID, in channel: Channel.ID? = nil
  ) throws(ProjectionError) -> [Composer] {
    try composers(of: user) { $0.holdsSomething && (channel == nil || $0.key.channel == channel) }
  }

  /// Returns the composers that a user has open.
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
  /// Whether the composer is open, or has content that would be lost with it.
  fileprivate var holdsSomething: Bool {
    isOpen || content.hasContent || aside?.hasContent == true || execution != nil
  }
}

// MARK: Commands

extension ChatReading {
  /// Returns a page of the commands that a user executed, in the composers of one channel or of all, the latest first.
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
