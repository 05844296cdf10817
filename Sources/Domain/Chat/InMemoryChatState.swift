// The state in dictionaries.

/// A state in dictionaries: for tests, and the reference for every other.
public struct InMemoryChatState: ChatStateStore, Hashable, Sendable {
  /// What the app chose.
  public var rules: Rules
  package private(set) var users: [User.ID: User] = [:]
  package private(set) var devices: [Device.Key: Device] = [:]
  package private(set) var mutes: [Mute.Key: Mute] = [:]
  package private(set) var bans: [Ban.Key: Ban] = [:]
  package private(set) var flags: [Flag.Key: Flag] = [:]
  package private(set) var channels: [Channel.ID: Channel] = [:]
  package private(set) var members: [Member.Key: Member] = [:]
  package private(set) var messages: [Message.Key: Message] = [:]
  package private(set) var sent: [Message.ClientKey: Message.Key] = [:]
  package private(set) var reactions: [Reaction.Key: Reaction] = [:]
  package private(set) var drafts: [Draft.Key: Draft] = [:]
  package private(set) var composers: [Composer.Key: Composer] = [:]

  /// A state in which nothing has happened.
  public init(rules: Rules = Rules()) { self.rules = rules }

  /// A user.
  public subscript(id: User.ID) -> User? {
    get { users[id] }
    _modify { yield &users[id] }
  }

  /// A device of a user.
  public subscript(key: Device.Key) -> Device? {
    get { devices[key] }
    _modify { yield &devices[key] }
  }

  /// What somebody muted.
  public subscript(key: Mute.Key) -> Mute? {
    get { mutes[key] }
    _modify { yield &mutes[key] }
  }

  /// Who is banned.
  public subscript(key: Ban.Key) -> Ban? {
    get { bans[key] }
    _modify { yield &bans[key] }
  }

  /// What somebody flagged.
  public subscript(key: Flag.Key) -> Flag? {
    get { flags[key] }
    _modify { yield &flags[key] }
  }

  /// A channel.
  public subscript(id: Channel.ID) -> Channel? {
    get { channels[id] }
    _modify { yield &channels[id] }
  }

  /// Somebody who is or was a member of a channel.
  public subscript(key: Member.Key) -> Member? {
    get { members[key] }
    _modify { yield &members[key] }
  }

  /// A message.
  public subscript(key: Message.Key) -> Message? {
    get { messages[key] }
    _modify { yield &messages[key] }
  }

  /// The message that an author sent under an id of their own.
  public subscript(key: Message.ClientKey) -> Message.Key? {
    get { sent[key] }
    _modify { yield &sent[key] }
  }

  /// How a user reacted to a message.
  public subscript(key: Reaction.Key) -> Reaction? {
    get { reactions[key] }
    _modify { yield &reactions[key] }
  }

  /// A draft, or what is left of a deleted one.
  public subscript(key: Draft.Key) -> Draft? {
    get { drafts[key] }
    _modify { yield &drafts[key] }
  }

  /// Which drafts are stored for a place, in the order of their keys.
  public func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    drafts.values.filter { $0.content != nil && scope.contains($0.key) }.map(\.key).sorted()
  }

  /// A composer.
  public subscript(key: Composer.Key) -> Composer? {
    get { composers[key] }
    _modify { yield &composers[key] }
  }
}
