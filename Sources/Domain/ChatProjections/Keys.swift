// The key of each row of the state.
public import Bytes
public import Chat

extension ID: ChatKey, TableKey where Named: ChatRow, Named.RowKey == ID {
  init?(from parts: inout KeyParts) {
    guard let id: ID = parts.id() else { return nil }
    self = id
  }

  func spell(to writer: inout KeyWriter) { writer.first(self) }
}

extension Device.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let id: Device.ID = parts.id() else { return nil }
    self.init(user, id)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(id)
  }
}

/// The muting user, then the channel; or, for a muted user, an empty part, then that user.
extension Mute.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id() else { return nil }
    if parts.skipNothing() {
      guard let target: User.ID = parts.id() else { return nil }
      self.init(by: user, of: .user(target))
    } else {
      guard let target: Channel.ID = parts.id() else { return nil }
      self.init(by: user, of: .channel(target))
    }
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    switch target {
    case .channel(let id): writer.then(id)
    case .user(let id):
      writer.thenNothing()
      writer.then(id)
    }
  }
}

/// The channel, or an empty part for every channel, then the banned user.
extension Ban.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    var scope = Ban.Scope.everywhere
    if !parts.skipNothing() {
      guard let channel: Channel.ID = parts.id() else { return nil }
      scope = .channel(channel)
    }
    guard let user: User.ID = parts.id() else { return nil }
    self.init(of: user, from: scope)
  }

  func spell(to writer: inout KeyWriter) {
    if case .channel(let id) = scope { writer.first(id) }
    writer.then(user)
  }
}

/// The message; or an empty part, then the flagged user. The flagging user follows either.
extension Flag.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let target = Flag.Target(from: &parts), let user: User.ID = parts.id() else { return nil }
    self.init(by: user, on: target)
  }

  func spell(to writer: inout KeyWriter) {
    target.spell(to: &writer)
    writer.then(user)
  }
}

extension Member.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let channel: Channel.ID = parts.id(), let user: User.ID = parts.id() else { return nil }
    self.init(channel, user)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(channel)
    writer.then(user)
  }
}

extension Message.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let channel: Channel.ID = parts.id(), let id: Message.ID = parts.id() else { return nil }
    self.init(channel, id)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(channel)
    writer.then(id)
  }
}

extension Message.ClientKey: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let author: User.ID = parts.id(), let id: Message.ClientID = parts.id() else { return nil }
    self.init(author, id)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(author)
    writer.then(id)
  }
}

extension Reaction.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let message = Message.Key(from: &parts), let user: User.ID = parts.id() else { return nil }
    self.init(to: message, by: user)
  }

  func spell(to writer: inout KeyWriter) {
    message.spell(to: &writer)
    writer.then(user)
  }
}

extension Draft.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let channel: Channel.ID = parts.id() else { return nil }
    self.init(by: user, in: channel, thread: parts.id())
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(channel)
    if let thread { writer.then(thread) }
  }
}

extension Composer.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let device: Device.ID = parts.id(), let channel: Channel.ID = parts.id()
    else { return nil }
    self.init(of: user, on: device, in: channel, thread: parts.id())
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(device)
    writer.then(channel)
    if let thread { writer.then(thread) }
  }
}

extension UserBlock.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let blocked: User.ID = parts.id() else { return nil }
    self.init(by: user, of: blocked)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(blocked)
  }
}

/// The message; or an empty part, then the user.
extension Flag.Target: ChatKey {
  init?(from parts: inout KeyParts) {
    if parts.skipNothing() {
      guard let user: User.ID = parts.id() else { return nil }
      self = .user(user)
    } else {
      guard let message = Message.Key(from: &parts) else { return nil }
      self = .message(message)
    }
  }

  func spell(to writer: inout KeyWriter) {
    switch self {
    case .message(let key): key.spell(to: &writer)
    case .user(let id): writer.then(id)
    }
  }
}

extension SavedMessage.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let message = Message.Key(from: &parts) else { return nil }
    self.init(by: user, message)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(message.channel)
    writer.then(message.id)
  }
}

extension ScheduledMessage.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let author: User.ID = parts.id(), let message = Message.Key(from: &parts) else { return nil }
    self.init(by: author, message)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(author)
    writer.then(message.channel)
    writer.then(message.id)
  }
}

extension ThreadMarker.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let user: User.ID = parts.id(), let parent = Message.Key(from: &parts) else { return nil }
    self.init(of: user, in: parent)
  }

  func spell(to writer: inout KeyWriter) {
    writer.first(user)
    writer.then(parent.channel)
    writer.then(parent.id)
  }
}

extension Vote.Key: ChatKey {
  init?(from parts: inout KeyParts) {
    guard let message = Message.Key(from: &parts), let user: User.ID = parts.id() else { return nil }
    self.init(in: message, by: user)
  }

  func spell(to writer: inout KeyWriter) {
    message.spell(to: &writer)
    writer.then(user)
  }
}
