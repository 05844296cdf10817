// Examples for message tests: ids, pictures, links, recordings.
import Chat
import Testing

extension Message.Key {
  static let m4 = Message.Key("general", "m4")
  static let none = Message.Key("general", "none")
}

extension Chat.Attachment {
  static let picture = Chat.Attachment("picture", .image, at: .url("https://pictures.example/1"))
  static let onDevice = Chat.Attachment("local", .image, at: .device("/pictures/1"))
  static let wave = Chat.Attachment("wave", .giphy, at: .url("https://waves.example/1"))
  static let page = Chat.Attachment("page", .link, at: .url("https://pages.example"))

  /// Returns a file of a size.
  static func file(_ id: ID, byteCount: UInt64 = 1) -> Chat.Attachment {
    Chat.Attachment(id, .file, at: .url("https://files.example/\(id)"), byteCount: byteCount)
  }
}

extension Scene {
  /// Returns a scene in which Bo sent the third message.
  static func withThird(_ content: Message.Content, by actor: Author = .bo) -> Scene {
    Scene.general.and(.message(.m3, .send(content)), by: actor)
  }

  /// Returns the scene with another channel configuration.
  func configured(_ change: (inout ChannelConfig) -> Void) -> Scene {
    var config = ChannelConfig()
    change(&config)
    return and(.channel("general", .configure(config)), by: .ada)
  }

  /// Returns the scene with a user banned from the channel for good.
  func banned(_ user: User.ID) -> Scene {
    and(.ban(Ban.Key(of: user, from: .channel("general")), .impose(.endless, reason: nil)), by: .mo)
  }

  /// Returns the ban of a user.
  func ban(of user: User.ID) throws -> Ban {
    try #require(state[Ban.Key(of: user, from: .channel("general"))])
  }

  var frozen: Scene { and(.channel("general", .freeze), by: .ada) }
}
