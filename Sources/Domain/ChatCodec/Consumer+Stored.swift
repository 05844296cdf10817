// The stored form of events and intents of consumers.
internal import Bytes
internal import Chat

// MARK: Events

extension Consumer.Event {
  /// Reads an event of a shape.
  static func read(
    _ shape: Shape, of id: Consumer.ID, _ fields: inout FieldReader
  ) throws(PayloadDefect) -> ChatEvent.Change {
    switch shape {
    case .consumerBegan1: return .consumer(id, .began(after: try fields.number(1)))
    case .consumerAdvanced1: return .consumer(id, .advanced(through: try fields.number(1)))
    case .consumerSkipped1: return .consumer(id, .skipped(through: try fields.number(1)))
    case .consumerEnded1: return .consumer(id, .ended)
    default: throw .misfit
    }
  }

  /// Writes the event and returns its shape.
  func write(to writer: inout ByteWriter) -> Shape {
    switch self {
    case .began(let position):
      writer.number(1, position)
      return .consumerBegan1
    case .advanced(let position):
      writer.number(1, position)
      return .consumerAdvanced1
    case .skipped(let position):
      writer.number(1, position)
      return .consumerSkipped1
    case .ended: return .consumerEnded1
    }
  }
}

// MARK: Intents

extension Consumer.Intent: StoredIntent {
  static var message: StaticString { "ConsumerIntent" }

  private enum Kind: UInt64, StoredCase {
    case begin = 1, advance, skip, end
  }

  init(from fields: inout FieldReader) throws(PayloadDefect) {
    switch try fields.kind() as Kind {
    case .begin: self = .begin(after: try fields.number(3))
    case .advance: self = .advance(through: try fields.number(3))
    case .skip: self = .skip(through: try fields.number(3))
    case .end: self = .end
    }
  }

  func write(to writer: inout ByteWriter) {
    switch self {
    case .begin(let position):
      writer.kind(Kind.begin)
      writer.number(3, position)
    case .advance(let position):
      writer.kind(Kind.advance)
      writer.number(3, position)
    case .skip(let position):
      writer.kind(Kind.skip)
      writer.number(3, position)
    case .end: writer.kind(Kind.end)
    }
  }
}
