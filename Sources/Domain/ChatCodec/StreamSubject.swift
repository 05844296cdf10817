// The subjects of streams, encoded in stream names.
public import Chat
public import EventLog

/// The subject of a stream of a chat.
///
/// The payloads of events do not repeat the ids in the name of their stream.
public enum StreamSubject: Hashable, Sendable {
  /// A user, with their devices, mutes and hidden channels: `user/<id>`.
  case user(User.ID)
  /// A channel with its members and messages: `channel/<id>`.
  case channel(Channel.ID)
  /// A draft: `draft/<user>/<channel>`, followed by `/<parent>` for a thread.
  case draft(Draft.Key)
  /// A composer: `composer/<user>/<device>/<channel>`, followed by `/<parent>` for a thread.
  case composer(Composer.Key)
  /// A consumer: `consumer/<id>`.
  case consumer(Consumer.ID)
  /// Something that only an app knows: `app/<id>`.
  case app(AppEvent.ID)
}

// MARK: To names

extension StreamSubject {
  /// Creates the subject of the stream in which a change is stored.
  public init(of change: ChatEvent.Change) {
    switch change {
    case .user(let id, _): self = .user(id)
    case .device(let key, _): self = .user(key.user)
    case .mute(let key, _): self = .user(key.user)
    case .ban(let key, _): self = StreamSubject(of: key)
    case .flag(let key, _): self = StreamSubject(of: key.target)
    case .channel(let id, _): self = .channel(id)
    case .member(let key, let event) where event.isOfList: self = .user(key.user)
    case .member(let key, _): self = .channel(key.channel)
    case .message(let key, _): self = .channel(key.channel)
    case .reaction(let key, _): self = .channel(key.message.channel)
    case .draft(let key, _): self = .draft(key)
    case .composer(let key, _): self = .composer(key)
    case .consumer(let id, _): self = .consumer(id)
    case .block(let key, _): self = .user(key.user)
    case .review(let target, _): self = StreamSubject(of: target)
    case .saved(let key, _): self = .user(key.user)
    case .scheduled(let key, _): self = .user(key.author)
    case .thread(let key, _): self = .channel(key.parent.channel)
    case .vote(let key, _): self = .channel(key.message.channel)
    case .app(let subject, _): self = StreamSubject(of: subject)
    }
  }

  private init(of ban: Ban.Key) {
    switch ban.scope {
    case .everywhere: self = .user(ban.user)
    case .channel(let id): self = .channel(id)
    }
  }

  private init(of target: Flag.Target) {
    switch target {
    case .user(let id): self = .user(id)
    case .message(let key): self = .channel(key.channel)
    }
  }

  private init(of subject: AppEvent.Subject) {
    switch subject {
    case .user(let id): self = .user(id)
    case .channel(let id): self = .channel(id)
    case .app(let id): self = .app(id)
    }
  }

  /// The name of the stream.
  public var name: Name {
    let text =
      switch self {
      case .user(let id): "user/\(id.text)"
      case .channel(let id): "channel/\(id.text)"
      case .draft(let key): "draft/\(key.user.text)/\(key.channel.text)\(suffix(key.thread))"
      case .composer(let key):
        "composer/\(key.user.text)/\(key.device.text)/\(key.channel.text)\(suffix(key.thread))"
      case .consumer(let id): "consumer/\(id.text)"
      case .app(let id): "app/\(id.text)"
      }
    // A word and at most four ids always form a valid name.
    return Name(stringLiteral: text)
  }

  private func suffix(_ thread: Message.ID?) -> String { thread.map { "/\($0.text)" } ?? "" }
}

extension Member.Event {
  /// Whether the event is about the member's list of channels, which concerns nobody else.
  package var isOfList: Bool {
    switch self {
    case .hidden, .shown, .pinned, .unpinned, .archived, .unarchived: true
    case .added, .removed, .left, .roleChanged, .read, .received, .markedUnread, .invited, .declined: false
    }
  }
}

// MARK: From names

extension StreamSubject {
  /// Creates the subject of a stream name; nil when it is no stream of a chat.
  public init?(name: RawSpan) {
    if let id = name.dropping(prefix: "channel/") {
      guard let id = Channel.ID(spelledBy: id) else { return nil }
      self = .channel(id)
    } else if let id = name.dropping(prefix: "user/") {
      guard let id = User.ID(spelledBy: id) else { return nil }
      self = .user(id)
    } else if let ids = name.dropping(prefix: "composer/") {
      guard let key = Composer.Key(spelledBy: ids) else { return nil }
      self = .composer(key)
    } else if let ids = name.dropping(prefix: "draft/") {
      guard let key = Draft.Key(spelledBy: ids) else { return nil }
      self = .draft(key)
    } else if let id = name.dropping(prefix: "consumer/") {
      guard let id = Consumer.ID(spelledBy: id) else { return nil }
      self = .consumer(id)
    } else if let id = name.dropping(prefix: "app/") {
      guard let id = AppEvent.ID(spelledBy: id) else { return nil }
      self = .app(id)
    } else {
      return nil
    }
  }

  /// Creates the subject of a stream name; nil when it is no stream of a chat.
  public init?(name: Name) {
    guard let subject = name.withBytes({ StreamSubject(name: $0.bytes) }) else { return nil }
    self = subject
  }
}

extension Draft.Key {
  fileprivate init?(spelledBy ids: RawSpan) {
    var path = Path(ids)
    guard let user: User.ID = path.id(), let channel: Channel.ID = path.id() else { return nil }
    let thread: Message.ID? = path.id()
    guard path.isDone else { return nil }
    self.init(by: user, in: channel, thread: thread)
  }
}

extension Composer.Key {
  fileprivate init?(spelledBy ids: RawSpan) {
    var path = Path(ids)
    guard let user: User.ID = path.id(), let device: Device.ID = path.id(), let channel: Channel.ID = path.id()
    else { return nil }
    let thread: Message.ID? = path.id()
    guard path.isDone else { return nil }
    self.init(of: user, on: device, in: channel, thread: thread)
  }
}

/// A parser of ids separated by slashes.
private struct Path: ~Escapable {
  private let bytes: RawSpan
  /// The offset of the next id; past the end after the last.
  private var offset = 0
  private var isSound = true

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  /// Whether all bytes were read and consisted of valid ids.
  var isDone: Bool { isSound && offset == bytes.byteCount + 1 }

  @_lifetime(self: copy self)
  mutating func id<Named>() -> ID<Named>? {
    guard offset <= bytes.byteCount else { return nil }
    let rest = bytes.extracting(offset..<bytes.byteCount)
    let count = rest.withUnsafeBytes { $0.firstIndex(of: UInt8(ascii: "/")) ?? $0.count }
    offset += count + 1
    let id = ID<Named>(spelledBy: rest.extracting(0..<count))
    if id == nil { isSound = false }
    return id
  }
}

extension RawSpan {
  /// Returns the bytes after a prefix; nil when they do not start with it.
  @_lifetime(copy self)
  func dropping(prefix: StaticString) -> RawSpan? {
    let count = prefix.utf8CodeUnitCount
    guard byteCount >= count else { return nil }
    let isThere = withUnsafeBytes { bytes in
      prefix.withUTF8Buffer { UnsafeRawBufferPointer($0).elementsEqual(bytes.prefix(count)) }
    }
    return isThere ? extracting(count..<byteCount) : nil
  }
}
