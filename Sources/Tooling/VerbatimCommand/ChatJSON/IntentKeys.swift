// Reads the keys of rows from JSON, for intents.
internal import Chat
internal import JSONLines

/// The members of a key, read one by one.
struct KeyReader {
  var members: ObjectReader
  private let defaults: IntentDefaults
  /// Whether the key is of a message to send, whose id may be left out.
  private let isSent: Bool

  init(_ members: ObjectReader, _ defaults: IntentDefaults, isSent: Bool) {
    (self.members, self.defaults, self.isSent) = (members, defaults, isSent)
  }

  mutating func device() throws(InputDefect) -> Device.Key { Device.Key(try user(), try members.needed("id")) }

  mutating func mute() throws(InputDefect) -> Mute.Key {
    switch try target() {
    case ("user", let value): Mute.Key(by: try user(), of: .user(try User.ID(json: value, of: "“user”")))
    case ("channel", let value): Mute.Key(by: try user(), of: .channel(try Channel.ID(json: value, of: "“channel”")))
    case (let name, _): throw JSON.unknown(name, "“target” of “mute”", ["user", "channel"])
    }
  }

  mutating func flag() throws(InputDefect) -> Flag.Key {
    switch try target() {
    case ("user", let value): Flag.Key(by: try user(), on: .user(try User.ID(json: value, of: "“user”")))
    case ("message", let value):
      Flag.Key(by: try user(), on: .message(try Message.Key(json: value, of: "“message” of “target”")))
    case (let name, _): throw JSON.unknown(name, "“target” of “flag”", ["user", "message"])
    }
  }

  mutating func ban() throws(InputDefect) -> Ban.Key {
    let user: User.ID = try members.needed("user")
    let scope = try members.required("scope", members.value("scope"))
    switch try scope.oneCase(of: "“scope”") {
    case ("everywhere", nil): return Ban.Key(of: user, from: .everywhere)
    case ("channel", let value?):
      return Ban.Key(of: user, from: .channel(try Channel.ID(json: value, of: "“channel” of “scope”")))
    case (let name, _): throw JSON.unknown(name, "“scope” of “ban”", ["everywhere", "channel"])
    }
  }

  mutating func member() throws(InputDefect) -> Member.Key { Member.Key(try members.needed("channel"), try user()) }

  mutating func message() throws(InputDefect) -> Message.Key {
    let channel: Channel.ID = try members.needed("channel")
    let id: Message.ID? = try members.form("id")
    return Message.Key(channel, try members.required("id", id ?? (isSent ? defaults.message() : nil)))
  }

  mutating func reaction() throws(InputDefect) -> Reaction.Key {
    Reaction.Key(to: try members.needed("message"), by: try user())
  }

  mutating func block() throws(InputDefect) -> UserBlock.Key {
    UserBlock.Key(by: try user(), of: try members.needed("blocked"))
  }

  mutating func review() throws(InputDefect) -> Flag.Target {
    if let user: User.ID = try members.form("user") { return .user(user) }
    return .message(try members.needed("message"))
  }

  mutating func saved() throws(InputDefect) -> SavedMessage.Key {
    SavedMessage.Key(by: try user(), try members.needed("message"))
  }

  mutating func scheduled() throws(InputDefect) -> ScheduledMessage.Key {
    let author: User.ID? = try members.form("author")
    let user = try members.required("author", author ?? defaults.user)
    let value = try members.required("message", members.value("message"))
    var message = KeyReader(try ObjectReader(value, what: "“message” of “scheduledMessage”"), defaults, isSent: isSent)
    let key = ScheduledMessage.Key(by: user, try message.message())
    try message.members.finish()
    return key
  }

  mutating func thread() throws(InputDefect) -> ThreadMarker.Key {
    ThreadMarker.Key(of: try user(), in: try members.needed("parent"))
  }

  mutating func vote() throws(InputDefect) -> Vote.Key {
    Vote.Key(in: try members.needed("message"), by: try user())
  }

  mutating func draft() throws(InputDefect) -> Draft.Key {
    Draft.Key(by: try user(), in: try members.needed("channel"), thread: try members.form("thread"))
  }

  mutating func subject() throws(InputDefect) -> AppEvent.Subject {
    if let user: User.ID = try members.form("user") { return .user(user) }
    if let channel: Channel.ID = try members.form("channel") { return .channel(channel) }
    return .app(try members.needed("app"))
  }

  private mutating func user() throws(InputDefect) -> User.ID {
    let user: User.ID? = try members.form("user")
    return try members.required("user", user ?? defaults.user)
  }

  /// Takes the target of a mute or a flag: one kind with its value.
  private mutating func target() throws(InputDefect) -> (String, JSON) {
    let (name, value) = try members.required("target", members.value("target")).oneCase(of: "“target”")
    guard let value else { throw InputDefect("“target” of \(members.what) is “\(name)” and must be an object.") }
    return (name, value)
  }
}

extension Message.Key: JSONForm {
  init(json: JSON, of what: String) throws(InputDefect) {
    var reader = try ObjectReader(json, what: what)
    self.init(try reader.needed("channel"), try reader.needed("id"))
    try reader.finish()
  }
}
