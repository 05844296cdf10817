// The index tables of messages and users in SQLite: the tables of our index, as far as the workload fills them.
import Chat

/// Index tables, maintained in the same transactions as the rows.
final class SQLiteIndex {
  private let memberships, activity, names, timeline, countable, lastSaid, biographies, composing: SQLiteTable
  /// The keys of composers with a text: reading the previous row would cost more.
  private var typing: Set<Composer.Key> = []

  init(in database: SQLiteTables) throws {
    memberships = try database.table("memberships")
    activity = try database.table("activity")
    names = try database.table("names")
    timeline = try database.table("timeline")
    countable = try database.table("countable")
    lastSaid = try database.table("lastSaid")
    biographies = try database.table("biographies")
    composing = try database.table("composing")
  }

  /// Updates the index for a folded event; `before` is the instant of the member's previous message.
  func follow(_ event: ChatEvent, at position: UInt64, before: Timestamp?, in state: SQLiteState) {
    switch event.change {
    case .user(let id, .created(let profile, _)):
      for name in [id.text, profile.name.string.lowercased()] { names.set([], key(name, id.text)) }
    case .member(let key, .added): memberships.set([], self.key(key.user.text, key.channel.text))
    case .message(let key, .sent): follow(key, event.origin, at: position, before: before, in: state)
    case .message(let key, _): biographies.set([], self.key(key.channel.text, key.id.text) + bytes(position))
    case .reaction(let key, _):
      biographies.set([], self.key(key.message.channel.text, key.message.id.text) + bytes(position))
    case .composer(let key, .typed): if typing.insert(key).inserted { composing.set([], self.key(key)) }
    case .composer(let key, .sent): if typing.remove(key) != nil { composing.set(nil, self.key(key)) }
    default: break
    }
  }

  private func follow(
    _ message: Message.Key, _ stamp: EventOrigin, at position: UInt64, before: Timestamp?, in state: SQLiteState
  ) {
    let (channel, user) = (message.channel.text, stamp.actor.user!.text)
    let number = state[message.channel]!.newest.rawValue
    timeline.set(Array(message.id.text.utf8) + bytes(position), key(channel) + bytes(number))
    lastSaid.set(bytes(UInt64(stamp.at.rawValue)), key(channel))
    for key in [key(channel), key(channel, user)] {
      var bits = countable.bytes(key + bytes(number / 512)) ?? Array(repeating: 0, count: 64)
      bits[Int(number % 512 / 8)] |= 1 << UInt8(number % 8)
      countable.set(bits, key + bytes(number / 512))
    }
    if let before { activity.set(nil, key(channel) + bytes(~UInt64(before.rawValue)) + key(user)) }
    activity.set([], key(channel) + bytes(~UInt64(stamp.at.rawValue)) + key(user))
  }

  private func key(_ key: Composer.Key) -> [UInt8] { self.key(key.channel.text, key.user.text, key.device.text) }

  private func key(_ parts: String...) -> [UInt8] { parts.flatMap { Array($0.utf8) + [0x20] } }

  private func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}

extension SQLiteState {
  /// Folds an event into the rows and the index.
  mutating func fold(_ event: ChatEvent, at position: UInt64, _ index: SQLiteIndex) {
    var before: Timestamp?
    if case .message(let key, .sent) = event.change, let user = event.origin.actor.user {
      before = self[Member.Key(key.channel, user)]?.lastSent
    }
    Chat.fold(event, into: &self)
    index.follow(event, at: position, before: before, in: self)
  }
}
