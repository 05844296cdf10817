// The stored form of intents on users, devices, mutes, bans and flags.
internal import Bytes
internal import Chat

// MARK: Users

extension User.Intent: StoredIntent {
  static var message: StaticString { "UserIntent" }

  private enum Kind: UInt64, StoredCase {
    case create = 1, change, changeRole, deactivate, reactivate
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .create: self = .create(try fields.value(3))
    case .change: self = .change(try fields.value(3))
    case .changeRole: self = .changeRole(try fields.id(4))
    case .deactivate: self = .deactivate
    case .reactivate: self = .reactivate
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .create(let profile):
      writer.kind(Kind.create)
      writer.value(3, profile)
    case .change(let profile):
      writer.kind(Kind.change)
      writer.value(3, profile)
    case .changeRole(let role):
      writer.kind(Kind.changeRole)
      writer.id(4, role)
    case .deactivate: writer.kind(Kind.deactivate)
    case .reactivate: writer.kind(Kind.reactivate)
    }
  }
}

// MARK: Devices

extension Device.Intent: StoredIntent {
  static var message: StaticString { "DeviceIntent" }

  private enum Kind: UInt64, StoredCase {
    case add = 1, remove
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .add: self = .add(try fields.value(3))
    case .remove: self = .remove
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .add(let info):
      writer.kind(Kind.add)
      writer.value(3, info)
    case .remove: writer.kind(Kind.remove)
    }
  }
}

// MARK: Mutes

extension Mute.Intent: StoredIntent {
  static var message: StaticString { "MuteIntent" }

  private enum Kind: UInt64, StoredCase {
    case begin = 1, end
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .begin: self = .begin(try fields.expiry(3))
    case .end: self = .end
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .begin(let expiry):
      writer.kind(Kind.begin)
      writer.expiry(3, expiry)
    case .end: writer.kind(Kind.end)
    }
  }
}

// MARK: Bans

extension Ban.Intent: StoredIntent {
  static var message: StaticString { "BanIntent" }

  private enum Kind: UInt64, StoredCase {
    case impose = 1, lift
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .impose: self = .impose(try fields.expiry(3), reason: try fields.optionalText(4))
    case .lift: self = .lift
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .impose(let expiry, let reason):
      writer.kind(Kind.impose)
      writer.expiry(3, expiry)
      writer.optionalText(4, reason)
    case .lift: writer.kind(Kind.lift)
    }
  }
}

// MARK: Flags

extension Flag.Intent: StoredIntent {
  static var message: StaticString { "FlagIntent" }

  private enum Kind: UInt64, StoredCase {
    case raise = 1
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .raise: self = .raise(reason: try fields.optionalText(3))
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .raise(let reason):
      writer.kind(Kind.raise)
      writer.optionalText(3, reason)
    }
  }
}
