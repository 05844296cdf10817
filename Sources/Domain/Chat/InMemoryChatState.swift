// The in-memory implementation of the chat state.

/// A chat state in dictionaries: for tests, and the reference for all other implementations.
public struct InMemoryChatState: ChatStateStore, Hashable, Sendable {
  /// The rules of the app.
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

  /// Creates an empty state.
  public init(rules: Rules = Rules()) { self.rules = rules }

  /// The row of a user.
  public subscript(id: User.ID) -> User? {
    get { users[id] }
    _modify { yield &users[id] }
  }

  /// The row of a user's device.
  public subscript(key: Device.Key) -> Device? {
    get { devices[key] }
    _modify { yield &devices[key] }
  }

  /// The row of a user's mute.
  public subscript(key: Mute.Key) -> Mute? {
    get { mutes[key] }
    _modify { yield &mutes[key] }
  }

  /// The row of a user's ban.
  public subscript(key: Ban.Key) -> Ban? {
    get { bans[key] }
    _modify { yield &bans[key] }
  }

  /// The row of a user's flag.
  public subscript(key: Flag.Key) -> Flag? {
    get { flags[key] }
    _modify { yield &flags[key] }
  }

  /// The row of a channel.
  public subscript(id: Channel.ID) -> Channel? {
    get { channels[id] }
    _modify { yield &channels[id] }
  }

  /// The row of a current or former member of a channel.
  public subscript(key: Member.Key) -> Member? {
    get { members[key] }
    _modify { yield &members[key] }
  }

  /// The row of a message.
  public subscript(key: Message.Key) -> Message? {
    get { messages[key] }
    _modify { yield &messages[key] }
  }

  /// The key of the message that an author sent under a client id.
  public subscript(key: Message.ClientKey) -> Message.Key? {
    get { sent[key] }
    _modify { yield &sent[key] }
  }

  /// The row of a user's reactions to a message.
  public subscript(key: Reaction.Key) -> Reaction? {
    get { reactions[key] }
    _modify { yield &reactions[key] }
  }

  /// The row of a draft, or the tombstone of a deleted one.
  public subscript(key: Draft.Key) -> Draft? {
    get { drafts[key] }
    _modify { yield &drafts[key] }
  }

  /// Returns the keys of the stored drafts in a scope, in key order.
  public func drafts(in scope: Draft.Scope) -> [Draft.Key] {
    drafts.values.filter { $0.content != nil && scope.contains($0.key) }.map(\.key).sorted()
  }

  /// The row of a composer.
  public subscript(key: Composer.Key) -> Composer? {
    get { composers[key] }
    _modify { yield &composers[key] }
  }
}
