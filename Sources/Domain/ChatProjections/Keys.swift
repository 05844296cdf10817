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
    let target: Flag.Target
    if parts.skipNothing() {
      guard let user: User.ID = parts.id() else { return nil }
      target = .user(user)
    } else {
      guard let message = Message.Key(from: &parts) else { return nil }
      target = .message(message)
    }
    guard let user: User.ID = parts.id() else { return nil }
    self.init(by: user, on: target)
  }

  func spell(to writer: inout KeyWriter) {
    switch target {
    case .message(let key): key.spell(to: &writer)
    case .user(let id): writer.then(id)
    }
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
