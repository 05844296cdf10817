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
enum DraftListKey: ChatKey {
  /// In the order in which they were first saved.
  case created(Instant, Draft.Key)
  /// In the order in which they were saved last.
  case updated(Instant, Draft.Key)
  /// In the order of their places.
  case place(Draft.Key)

  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let list = parts.byte().flatMap({ DraftList(rawValue: $0) }) else {
      return nil
    }
    var instant = Instant(rawValue: 0)
    if list != .place {
      guard let part = parts.instant() else { return nil }
      instant = part
    }
    guard let channel: Channel.ID = parts.id() else { return nil }
    var thread: Message.ID?
    if !parts.endsWithNothing() {
      thread = parts.id()
      if thread == nil { return nil }
    }
    let draft = Draft.Key(by: user, in: channel, thread: thread)
    self =
      switch list {
      case .created: .created(instant, draft)
      case .updated: .updated(instant, draft)
      case .place: .place(draft)
      }
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(draft.user)
    writer.then(list)
    switch self {
    case .created(let instant, _), .updated(let instant, _): writer.then(instant)
    case .place: break
    }
    writer.then(draft.channel)
    // Also where there is none, so that all that is for a channel begins alike.
    if let thread = draft.thread { writer.then(thread) } else { writer.thenNothing() }
  }

  /// Which draft.
  var draft: Draft.Key {
    switch self {
    case .created(_, let draft), .updated(_, let draft), .place(let draft): draft
    }
  }

  private var list: DraftList {
    switch self {
    case .created: .created
    case .updated: .updated
    case .place: .place
    }
  }
}

/// By what a list of drafts is put in order.
enum DraftList: UInt8, CaseIterable, Hashable, Sendable {
  /// When they were first saved.
  case created = 0x63
  /// Where they are for.
  case place = 0x70
  /// When they were saved last.
  case updated = 0x75
}

extension KeyWriter {
  fileprivate mutating func then(_ list: DraftList) {
    thenNothing()
    first(list.rawValue)
  }
}

extension KeyPrefix {
  /// Drafts in a list of somebody.
  init(_ list: DraftList, of user: User.ID) { bytes = Self.bytes { $0.begin(list, of: user) } }

  /// Drafts in a list of somebody that were saved at an instant.
  init(_ list: DraftList, of user: User.ID, at instant: Instant) {
    bytes = Self.bytes {
      $0.begin(list, of: user)
      $0.then(instant)
    }
  }

  /// Drafts in a list of somebody for a channel and its threads; of those that were saved at an instant, where that is
  /// what the list is by.
  init(_ list: DraftList, of user: User.ID, at instant: Instant? = nil, in channel: Channel.ID) {
    bytes = Self.bytes {
      $0.begin(list, of: user)
      if let instant { $0.then(instant) }
      $0.then(channel)
    }
  }
}

extension KeyWriter {
  fileprivate mutating func begin(_ list: DraftList, of user: User.ID) {
    first(user)
    then(list)
  }
}
