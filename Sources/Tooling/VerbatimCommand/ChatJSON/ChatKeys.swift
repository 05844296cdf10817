// The keys of chat rows in JSON.
internal import Chat
internal import JSONLines

extension JSON {
  /// Creates an object; members that are nil are left out.
  static func object(of members: JSON.Member?...) -> JSON { .object(members.compactMap(\.self)) }
}

extension JSON.Member {
  /// Returns a member of a value; nil for nil.
  static func optional(_ key: String, _ value: (any PrintedValue)?) -> JSON.Member? {
    value.map { JSON.Member(key: key, value: $0.json) }
  }
}

extension Device.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("user", user), JSON.Member("id", id)) }
}

extension Mute.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("user", user), JSON.Member("target", target)) }
}

extension Mute.Target: PrintedValue {
  var json: JSON {
    switch self {
    case .user(let user): .object(of: JSON.Member("user", user))
    case .channel(let channel): .object(of: JSON.Member("channel", channel))
    }
  }
}

extension Ban.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("user", user), JSON.Member("scope", scope)) }
}

extension Ban.Scope: PrintedValue {
  var json: JSON {
    switch self {
    case .everywhere: .string("everywhere")
    case .channel(let channel): .object(of: JSON.Member("channel", channel))
    }
  }
}

extension Flag.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("user", user), JSON.Member("target", target)) }
}

extension Flag.Target: PrintedValue {
  var json: JSON {
    switch self {
    case .message(let message): .object(of: JSON.Member("message", message))
    case .user(let user): .object(of: JSON.Member("user", user))
    }
  }
}

extension Member.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("channel", channel), JSON.Member("user", user)) }
}

extension Message.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("channel", channel), JSON.Member("id", id)) }
}

extension Reaction.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("message", message), JSON.Member("user", user)) }
}

extension Draft.Key: PrintedValue {
  var json: JSON {
    .object(of: JSON.Member("user", user), JSON.Member("channel", channel), .optional("thread", thread))
  }
}

extension Composer.Key: PrintedValue {
  var json: JSON {
    .object(
      of: JSON.Member("user", user), JSON.Member("device", device), JSON.Member("channel", channel),
      .optional("thread", thread))
  }
}

extension AppEvent.Subject: PrintedValue {
  var json: JSON {
    switch self {
    case .user(let user): .object(of: JSON.Member("user", user))
    case .channel(let channel): .object(of: JSON.Member("channel", channel))
    case .app(let id): .object(of: JSON.Member("app", id))
    }
  }
}

extension UserBlock.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("user", user), JSON.Member("blocked", blocked)) }
}

extension SavedMessage.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("user", user), JSON.Member("message", message)) }
}

extension ScheduledMessage.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("author", author), JSON.Member("message", message)) }
}

extension ThreadMarker.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("user", user), JSON.Member("parent", parent)) }
}

extension Vote.Key: PrintedValue {
  var json: JSON { .object(of: JSON.Member("message", message), JSON.Member("user", user)) }
}
