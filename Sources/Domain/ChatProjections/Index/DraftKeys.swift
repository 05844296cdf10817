// Which key each row has by which drafts are found.
internal import Bytes
internal import Chat

/// A draft that is stored, found by where it is for.
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

/// A draft that is stored, found in one of the lists of its user.
struct DraftListKey: ChatKey {
  let list: DraftList
  /// When it was saved, as often as the list tells.
  let instants: [Instant]
  let draft: Draft.Key

  init(_ list: DraftList, _ instants: [Instant], _ draft: Draft.Key) {
    (self.list, self.instants, self.draft) = (list, instants, draft)
  }

  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let list = parts.byte().flatMap({ DraftList(rawValue: $0) }) else {
      return nil
    }
    var instants: [Instant] = []
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
    // Also where there is none, so that all that is for a channel begins alike.
    if let thread = draft.thread { writer.then(thread) } else { writer.thenNothing() }
  }
}

/// By what a list of drafts is put in order; then by where they are for.
enum DraftList: UInt8, CaseIterable, Hashable, Sendable {
  /// When they were first saved, then when last.
  case createdUpdated = 0x43
  /// When they were saved last, then when first.
  case updatedCreated = 0x55
  /// When they were first saved.
  case created = 0x63
  /// Where they are for.
  case place = 0x70
  /// When they were saved last.
  case updated = 0x75

  /// Of which savings a list tells when they were, in the order of its keys.
  var savings: [Saving] {
    switch self {
    case .createdUpdated: [.first, .last]
    case .updatedCreated: [.last, .first]
    case .created: [.first]
    case .place: []
    case .updated: [.last]
    }
  }

  /// When a draft was saved.
  enum Saving: Hashable, Sendable { case first, last }
}

extension KeyWriter {
  fileprivate mutating func begin(_ list: DraftList, of user: User.ID, _ instants: [Instant]) {
    first(user)
    thenNothing()
    first(list.rawValue)
    for instant in instants { then(instant) }
  }
}

extension KeyPrefix {
  /// Drafts in a list of somebody; where some of the instants are given of which the list tells, those that were saved
  /// then, and of them those for a channel and its threads.
  init(_ list: DraftList, of user: User.ID, at instants: [Instant] = [], in channel: Channel.ID? = nil) {
    bytes = Self.bytes {
      $0.begin(list, of: user, instants)
      if let channel { $0.then(channel) }
    }
  }
}
