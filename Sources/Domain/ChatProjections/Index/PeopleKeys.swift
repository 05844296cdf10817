// By which keys people are found: by name, and by when they were active in a channel.
internal import Bytes
internal import Chat

/// What of a user begins with some text.
enum NameKind: UInt8, CaseIterable, Hashable, Sendable {
  /// Their id.
  case id = 0x69
  /// Their name.
  case name = 0x6E
  /// Their name from a word on that is not its beginning.
  case word = 0x77
}

/// An id, a name, or what follows in one from a word on, folded, and whose it is.
///
/// Of a text that is long, the key has as much as fits: the order of keys is that of the texts as far as it goes, and
/// those that are the same so far are put in order by whoever reads them.
struct NameKey: ChatKey {
  /// How many bytes of a text a key has at most.
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

  /// As much of a text as a key has.
  static func cut(_ text: some Collection<UInt8>) -> [UInt8] { Array(text.prefix(byteCountMax)) }
}

extension KeyPrefix {
  /// Names of a kind that begin with a text, as far as keys tell.
  init(_ kind: NameKind, beginningWith text: [UInt8]) {
    self.init(kind, text, isWhole: false)
  }

  /// Names of a kind that are a text, as far as keys tell.
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

/// When a member sent their last message to a channel, the one who sent last first.
struct ActivityKey: ChatKey {
  let channel: Channel.ID
  let sent: Instant
  let user: User.ID

  init(_ channel: Channel.ID, _ sent: Instant, _ user: User.ID) {
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
