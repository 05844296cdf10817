// The keys of the index rows of drafts.
internal import Bytes
internal import Chat

/// The key of a stored draft, by target.
struct DraftTargetKey: ChatKey {
  let draft: Draft.Key

  init(_ draft: Draft.Key) { self.draft = draft }

  init?(from parts: inout KeyParts) {
    guard let channel: Channel.ID = parts.id() else { return nil }
    let thread: Message.ID? = parts.skipNothing() ? nil : parts.id()
    guard let user: User.ID = parts.id() else { return nil }
    self.init(Draft.Key(by: user, in: channel, thread: thread))
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(draft.channel)
    if let thread = draft.thread { writer.then(thread) } else { writer.thenNothing() }
    writer.then(draft.user)
  }
}

/// The key of a stored draft in one of the lists of its user.
struct DraftListKey: ChatKey {
  let list: DraftList
  /// The instants that the list sorts by, in its order.
  let instants: [Timestamp]
  let draft: Draft.Key

  init(_ list: DraftList, _ instants: [Timestamp], _ draft: Draft.Key) {
    (self.list, self.instants, self.draft) = (list, instants, draft)
  }

  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let list = parts.byte().flatMap({ DraftList(rawValue: $0) }) else {
      return nil
    }
    var instants: [Timestamp] = []
    for _ in list.savings {
      guard let instant = parts.instant() else { return nil }
      instants.append(instant)
    }
    guard let channel: Channel.ID = parts.id() else { return nil }
    var thread: Message.ID?
    if !parts.endsWithNothing() {
      thread = parts.id()
      if thread == nil { return nil }
    }
    self.init(list, instants, Draft.Key(by: user, in: channel, thread: thread))
  }

  func spell(to writer: inout KeyWriter) {
    writer.begin(list, of: draft.user, instants)
    writer.then(draft.channel)
    // Written for no thread too, so that all keys of a channel share a prefix.
    if let thread = draft.thread { writer.then(thread) } else { writer.thenNothing() }
  }
}

/// The sort order of a list of drafts; ties are sorted by target.
enum DraftList: UInt8, CaseIterable, Hashable, Sendable {
  /// Sorted by first saving, then by last saving.
  case createdUpdated = 0x43
  /// Sorted by last saving, then by first saving.
  case updatedCreated = 0x55
  /// Sorted by first saving.
  case created = 0x63
  /// Sorted by target.
  case place = 0x70
  /// Sorted by last saving.
  case updated = 0x75

  /// The savings whose instants the keys of the list hold, in key order.
  var savings: [Saving] {
    switch self {
    case .createdUpdated: [.first, .last]
    case .updatedCreated: [.last, .first]
    case .created: [.first]
    case .place: []
    case .updated: [.last]
    }
  }

  /// The saving of a draft that an instant belongs to.
  enum Saving: Hashable, Sendable { case first, last }
}

extension KeyWriter {
  fileprivate mutating func begin(_ list: DraftList, of user: User.ID, _ instants: [Timestamp]) {
    first(user)
    thenNothing()
    first(list.rawValue)
    for instant in instants { then(instant) }
  }
}

extension KeyPrefix {
  /// Creates the prefix of a list of a user's drafts; with instants, of those saved at them, and with a channel, of
  /// those for that channel and its threads.
  init(_ list: DraftList, of user: User.ID, at instants: [Timestamp] = [], in channel: Channel.ID? = nil) {
    bytes = Self.bytes {
      $0.begin(list, of: user, instants)
      if let channel { $0.then(channel) }
    }
  }
}
