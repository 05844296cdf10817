// The keys of the index rows of composers and commands.
internal import Bytes
internal import Chat
internal import EventLog

/// The key of a composer in which a user is typing, by target.
struct ComposingKey: ChatKey {
  let composer: Composer.Key

  init(_ composer: Composer.Key) { self.composer = composer }

  init?(from parts: inout KeyParts) {
    guard let channel: Channel.ID = parts.id() else { return nil }
    let thread: Message.ID? = parts.skipNothing() ? nil : parts.id()
    guard let user: User.ID = parts.id(), let device: Device.ID = parts.id() else { return nil }
    self.init(Composer.Key(of: user, on: device, in: channel, thread: thread))
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(composer.channel)
    if let thread = composer.thread { writer.then(thread) } else { writer.thenNothing() }
    writer.then(composer.user)
    writer.then(composer.device)
  }
}

/// The key of a command of a user, the latest first.
struct CommandKey: ChatKey {
  let user: User.ID
  /// The position at which the command began.
  let position: Position

  init(_ user: User.ID, _ position: Position) { (self.user, self.position) = (user, position) }

  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let number = parts.number() else { return nil }
    self.init(user, Position(rawValue: ~number))
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(~position.rawValue)
  }
}
