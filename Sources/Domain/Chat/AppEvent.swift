// Events of the app itself: the domain records them and leaves their meaning to the app.

// MARK: Identity

extension AppEvent {
  /// The subject of an app's event, which determines the stream in which it is recorded.
  public enum Subject: Hashable, Sendable {
    /// The event is about a user.
    case user(User.ID)
    /// The event is about a channel.
    case channel(Channel.ID)
    /// The event is about something that only the app knows.
    case app(ID)
  }

  /// The id of something that only the app knows.
  ///
  /// Ids that begin with `verbatim.` are reserved for the log.
  public typealias ID = Chat.ID<Subject>

  /// The id of a kind of app event.
  ///
  /// Names that begin with `verbatim.` are reserved for the log.
  public typealias Name = Chat.ID<AppEvent>
}

// MARK: Events

/// An event of the app: it has no row; the app folds it in projections of its own.
public struct AppEvent: Hashable, Sendable {
  /// The kind of the event.
  public let name: Name
  /// The version of the payload format: 1, 2, 3 …
  public let version: UInt32
  /// The payload, in a format of the app.
  public let payload: [UInt8]

  /// Creates an app event from its parts.
  public init(_ name: Name, version: UInt32 = 1, payload: [UInt8]) {
    (self.name, self.version, self.payload) = (name, version, payload)
  }
}

// MARK: Decide

extension Decision {
  func decide(_ event: AppEvent, on subject: AppEvent.Subject) throws(Refusal) -> [AppEvent] {
    guard event.version > 0 else { throw .zeroVersion(event.name) }
    // Events with these names correct the clock of the log, erase content and replace keys.
    if event.name.isOfLog || subject.isOfLog { throw .reservedAppEvent(event.name) }
    try check(event.payload.count, by: .payloadByteCount, max: rules.limits.payloadByteCountMax)
    switch subject {
    case .user(let user):
      _ = try known(user)
      try needsRight(toActFor: user)
    case .channel(let id):
      let permissions = try permissions(in: known(id))
      try permissions.needs(.send)
      try permissions.needsNoBlock()
    case .app: break
    }
    return [event]
  }
}

extension AppEvent.Subject {
  fileprivate var isOfLog: Bool { if case .app(let id) = self { id.isOfLog } else { false } }
}

extension ID {
  fileprivate var isOfLog: Bool { text.utf8.starts(with: "verbatim.".utf8) }
}
