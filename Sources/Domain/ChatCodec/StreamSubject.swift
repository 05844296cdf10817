// What a stream is about, which is what its name says.
public import Chat
public import EventLog

/// What a stream of a chat is about.
///
/// What its name says is not said again in the payloads of its events.
public enum StreamSubject: Hashable, Sendable {
  /// A user, with their devices, their mutes, and what they hide: `user/<id>`.
  case user(User.ID)
  /// A channel with its members and messages: `channel/<id>`.
  case channel(Channel.ID)
  /// A draft: `draft/<user>/<channel>`, for a thread with `/<parent>` behind.
  case draft(Draft.Key)
  /// A composer: `composer/<user>/<device>/<channel>`, for a thread with `/<parent>` behind.
  case composer(Composer.Key)
  /// Something that only an app knows: `app/<id>`.
  case app(AppEvent.ID)
}

// MARK: To names

extension StreamSubject {
  /// The stream in which a change is stored.
  public init(of change: ChatEvent.Change) {
    switch change {
    case .user(let id, _): self = .user(id)
    case .device(let key, _): self = .user(key.user)
    case .mute(let key, _): self = .user(key.user)
    case .ban(let key, _): self = StreamSubject(of: key)
    case .flag(let key, _): self = StreamSubject(of: key)
    case .channel(let id, _): self = .channel(id)
    case .member(let key, .hidden), .member(let key, .shown): self = .user(key.user)
    case .member(let key, _): self = .channel(key.channel)
    case .message(let key, _): self = .channel(key.channel)
    case .reaction(let key, _): self = .channel(key.message.channel)
    case .draft(let key, _): self = .draft(key)
    case .composer(let key, _): self = .composer(key)
    case .app(let subject, _): self = StreamSubject(of: subject)
    }
  }

  private init(of ban: Ban.Key) {
    switch ban.scope {
    case .everywhere: self = .user(ban.user)
    case .channel(let id): self = .channel(id)
    }
  }

  private init(of flag: Flag.Key) {
    switch flag.target {
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

  /// What the stream is called.
  public var name: Name {
    let text =
      switch self {
      case .user(let id): "user/\(id.text)"
      case .channel(let id): "channel/\(id.text)"
      case .draft(let key): "draft/\(key.user.text)/\(key.channel.text)\(suffix(key.thread))"
      case .composer(let key):
        "composer/\(key.user.text)/\(key.device.text)/\(key.channel.text)\(suffix(key.thread))"
      case .app(let id): "app/\(id.text)"
      }
    // At most four ids behind a word are always a name.
    return Name(stringLiteral: text)
  }

  private func suffix(_ thread: Message.ID?) -> String { thread.map { "/\($0.text)" } ?? "" }
}

// MARK: From names

extension StreamSubject {
  /// What a stream with a name is about; nil when no stream of a chat is called so.
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
    } else if let id = name.dropping(prefix: "app/") {
      guard let id = AppEvent.ID(spelledBy: id) else { return nil }
      self = .app(id)
    } else {
      return nil
    }
  }

  /// What a stream with a name is about; nil when no stream of a chat is called so.
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

/// Ids with strokes between them, read one by one.
private struct Path: ~Escapable {
  private let bytes: RawSpan
  /// Where the next id begins; past the end once the last was read.
  private var place = 0
  private var isSound = true

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  /// Whether all was read, and was ids.
  var isDone: Bool { isSound && place == bytes.byteCount + 1 }

  @_lifetime(self: copy self)
  mutating func id<Named>() -> ID<Named>? {
    guard place <= bytes.byteCount else { return nil }
    let rest = bytes.extracting(place..<bytes.byteCount)
    let count = rest.withUnsafeBytes { $0.firstIndex(of: UInt8(ascii: "/")) ?? $0.count }
    place += count + 1
    let id = ID<Named>(spelledBy: rest.extracting(0..<count))
    if id == nil { isSound = false }
    return id
  }
}

extension RawSpan {
  /// What stands behind a prefix; nil when the bytes do not begin so.
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
