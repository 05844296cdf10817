// The stored form of events of users and devices.
package import Bytes
package import Chat

// MARK: Users

extension User.Event {
  /// Reads an event of a shape.
  static func read(
    _ shape: Shape, of id: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    switch shape {
    case .userCreated1: return .user(id, .created(try fields.value(1), try fields.id(2)))
    case .userChanged1: return .user(id, .changed(try fields.value(1)))
    case .userRoleChanged1: return .user(id, .roleChanged(try fields.id(1)))
    case .userDeactivated1: return .user(id, .deactivated)
    case .userReactivated1: return .user(id, .reactivated)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(to writer: inout ByteWriter) -> Shape {
    switch self {
    case .created(let profile, let role):
      writer.value(1, profile)
      writer.id(2, role)
      return .userCreated1
    case .changed(let profile):
      writer.value(1, profile)
      return .userChanged1
    case .roleChanged(let role):
      writer.id(1, role)
      return .userRoleChanged1
    case .deactivated: return .userDeactivated1
    case .reactivated: return .userReactivated1
    }
  }
}

extension User.Profile: StoredValue {
  package static var message: StaticString { "UserProfile" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(name: try fields.text(1), image: try fields.optionalText(2), extra: try fields.extra(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.text(1, name)
    writer.optionalURL(2, image)
    writer.extra(3, extra)
  }
}

// MARK: Devices

extension Device.Event {
  /// Reads an event of a shape, in the stream of the user of the device.
  static func read(
    _ shape: Shape, of user: User.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    let key = Device.Key(user, try fields.id(1))
    switch shape {
    case .deviceAdded1: return .device(key, .added(try Device.Info(from: &fields)))
    case .deviceRemoved1: return .device(key, .removed)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(on key: Device.Key, to writer: inout ByteWriter) -> Shape {
    writer.id(1, key.id)
    switch self {
    case .added(let info):
      info.write(to: &writer)
      return .deviceAdded1
    case .removed: return .deviceRemoved1
    }
  }
}

/// In an event, the fields of the event itself, after the device id; in a row or an intent, a nested message.
extension Device.Info: StoredValue {
  package static var message: StaticString { "DeviceInfo" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      name: try fields.text(2), pushService: try fields.optionalText(3), pushToken: try fields.optionalText(4))
  }

  package func write(to writer: inout ByteWriter) {
    writer.text(2, name)
    writer.optionalText(3, pushService)
    writer.optionalText(4, pushToken)
  }
}
