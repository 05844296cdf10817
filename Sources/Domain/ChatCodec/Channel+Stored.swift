// The stored form of channel events.
package import Bytes
package import Chat

extension Channel.Event {
  /// Reads an event of a shape.
  static func read(
    _ shape: Shape, of id: Channel.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    switch shape {
    case .channelCreated1:
      return .channel(id, .created(try fields.id(1), try fields.value(2), try fields.value(3)))
    case .channelChanged1: return .channel(id, .changed(try fields.value(1)))
    case .channelConfigured1: return .channel(id, .configured(try fields.value(1)))
    case .slowModeSet1: return .channel(id, .slowModeSet(try fields.number(1)))
    case .channelFrozen1: return .channel(id, .frozen)
    case .channelUnfrozen1: return .channel(id, .unfrozen)
    case .channelTruncated1:
      return .channel(id, .truncated(through: Message.Number(rawValue: try fields.number(1))))
    case .channelDeleted1: return .channel(id, .deleted)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(to writer: inout ByteWriter) -> Shape {
    switch self {
    case .created(let kind, let profile, let config):
      writer.id(1, kind)
      writer.value(2, profile)
      writer.value(3, config)
      return .channelCreated1
    case .changed(let profile):
      writer.value(1, profile)
      return .channelChanged1
    case .configured(let config):
      writer.value(1, config)
      return .channelConfigured1
    case .slowModeSet(let seconds):
      writer.number(1, seconds)
      return .slowModeSet1
    case .frozen: return .channelFrozen1
    case .unfrozen: return .channelUnfrozen1
    case .truncated(let number):
      writer.number(1, number.rawValue)
      return .channelTruncated1
    case .deleted: return .channelDeleted1
    }
  }
}

// MARK: Values

extension Channel.Profile: StoredValue {
  package static var message: StaticString { "ChannelProfile" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(name: try fields.text(1), image: try fields.optionalText(2), extra: try fields.extra(3))
  }

  package func write(to writer: inout ByteWriter) {
    writer.text(1, name)
    writer.optionalURL(2, image)
    writer.extra(3, extra)
  }
}

extension ChannelConfig: StoredValue {
  package static var message: StaticString { "ChannelConfig" }

  package init(from fields: inout FieldReader) throws(PayloadDefect) {
    self.init(
      off: try fields.set(1), messageLengthMax: try fields.number(2), slowMode: try fields.number(3),
      commands: (try fields.optionalValue(4) as StoredCommands?)?.commands)
    isPublic = try fields.flag(5)
  }

  package func write(to writer: inout ByteWriter) {
    writer.set(1, off)
    writer.number(2, messageLengthMax)
    writer.number(3, slowMode)
    writer.optionalValue(4, commands.map { StoredCommands(commands: $0) })
    writer.flag(5, isPublic)
  }
}

/// A list of commands whose absence differs from an empty list.
private struct StoredCommands: StoredValue {
  static var message: StaticString { "CommandList" }

  let commands: [ComposedCommand.ID]

  init(commands: [ComposedCommand.ID]) { self.commands = commands }

  init(from fields: inout FieldReader) throws(PayloadDefect) { commands = try fields.ids(1) }

  func write(to writer: inout ByteWriter) { writer.ids(1, commands) }
}

extension ChannelFlag: StoredCase {
  package var stored: UInt64 {
    switch self {
    case .typingEvents: 1
    case .readEvents: 2
    case .deliveryEvents: 3
    case .reactions: 4
    case .replies: 5
    case .quotes: 6
    case .uploads: 7
    case .urlEnrichment: 8
    case .mutes: 9
    case .search: 10
    }
  }
}
