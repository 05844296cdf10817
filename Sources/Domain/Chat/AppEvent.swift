// Events of an app's own: the domain records them and leaves their meaning to the app.

// MARK: Identity

extension AppEvent {
  /// What an app's event is about, and so in which stream it stands.
  public enum Subject: Hashable, Sendable {
    /// About a user.
    case user(User.ID)
    /// About a channel.
    case channel(Channel.ID)
    /// About something that only the app knows.
    case app(ID)
  }

  /// What something is called that only the app knows.
  public typealias ID = Chat.ID<Subject>

  /// What a kind of event of an app's own is called.
  public typealias Name = Chat.ID<AppEvent>
}

// MARK: Events

/// Something of an app's own: it has no row, the app folds it in views of its own.
public struct AppEvent: Hashable, Sendable {
  /// What kind of event it is.
  public let name: Name
  /// In which shape its payload is: 1, 2, 3 …
  public let version: UInt32
  /// What happened, in the app's own form.
  public let payload: [UInt8]

  /// An event of an app's own.
  public init(_ name: Name, version: UInt32 = 1, payload: [UInt8]) {
    (self.name, self.version, self.payload) = (name, version, payload)
  }
}

// MARK: Decide

extension Decision {
  func decide(_ event: AppEvent, on subject: AppEvent.Subject) throws(Refusal) -> [AppEvent] {
    guard event.version > 0 else { throw .zeroVersion(event.name) }
    try check(event.payload.count, by: .payloadByteCount, max: rules.limits.payloadByteCountMax)
    switch subject {
    case .user(let user):
      _ = try known(user)
      try needsRight(toActFor: user)
    case .channel(let id):
      let channel = try known(id)
      try needs(.send, in: channel)
    case .app: break
    }
    return [event]
  }
}
