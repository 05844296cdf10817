// The keys of people: by name, and by their last activity in a channel.
internal import Bytes
internal import Chat

/// The part of a user that a name key holds.
enum NameKind: UInt8, CaseIterable, Hashable, Sendable {
  /// The id of the user.
  case id = 0x69
  /// The name of the user.
  case name = 0x6E
  /// A suffix of the name that begins at a later word.
  case word = 0x77
}

/// The key of a user by a folded text: an id, a name, or the suffix of a name from a word on.
///
/// A long text is truncated to fit: keys sort as their texts do up to that length, and the reader sorts texts that are
/// equal so far.
struct NameKey: ChatKey {
  /// The maximum number of bytes of a text in a key.
  static let byteCountMax = 64

  let kind: NameKind
  let text: [UInt8]
  let user: User.ID

  init(_ kind: NameKind, _ text: [UInt8], of user: User.ID) {
    (self.kind, self.text, self.user) = (kind, Self.cut(text), user)
  }

  init?(from parts: inout KeyParts) {
    guard let kind = parts.byte().flatMap({ NameKind(rawValue: $0) }), let text = parts.text(),
      let user: User.ID = parts.id()
    else { return nil }
    (self.kind, self.text, self.user) = (kind, text, user)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(kind.rawValue)
    writer.then(text, isWhole: true)
    writer.first(user)
  }

  /// Returns the id of the user in a key; nil when there is none.
  @_lifetime(copy key)
  static func user(in key: RawSpan) -> RawSpan? {
    // The last zero ends the text: no id has one.
    guard let end = key.withUnsafeBytes({ $0.lastIndex(of: 0) }) else { return nil }
    return key.extracting((end + 1)..<key.byteCount)
  }

  /// Returns the prefix of a text that fits in a key.
  static func cut(_ text: some Collection<UInt8>) -> [UInt8] { Array(text.prefix(byteCountMax)) }
}

extension KeyPrefix {
  /// Creates the prefix of names of a kind that begin with a text, as far as truncated keys show.
  init(_ kind: NameKind, beginningWith text: [UInt8]) {
    self.init(kind, text, isWhole: false)
  }

  /// Creates the prefix of names of a kind that equal a text, as far as truncated keys show.
  init(_ kind: NameKind, equalTo text: [UInt8]) {
    self.init(kind, text, isWhole: true)
  }

  private init(_ kind: NameKind, _ text: [UInt8], isWhole: Bool) {
    let bytes = withUnsafeTemporaryAllocation(byteCount: KeyWriter.byteCountMax, alignment: 8) { room in
      var writer = KeyWriter(room)
      writer.first(kind.rawValue)
      writer.then(NameKey.cut(text), isWhole: isWhole)
      return Array(writer.bytes)
    }
    self.init(bytes: bytes)
  }
}

/// The key of a member by when they last sent a message to a channel, the latest first.
struct ActivityKey: ChatKey {
  let channel: Channel.ID
  let sent: Timestamp
  let user: User.ID

  init(_ channel: Channel.ID, _ sent: Timestamp, _ user: User.ID) {
    (self.channel, self.sent, self.user) = (channel, sent, user)
  }

  init?(from parts: inout KeyParts) {
    guard let channel: Channel.ID = parts.id(), let sent = parts.instantLatestFirst(), let user: User.ID = parts.id()
    else { return nil }
    self.init(channel, sent, user)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(channel)
    writer.thenLatestFirst(sent)
    writer.then(user)
  }
}
