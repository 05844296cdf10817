// Each event decoded, and encoded again to the bytes that are stored.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import EventLog

/// Events that were decoded and encoded again, and those of them that did not come out as they are stored.
internal struct Recoding: ~Copyable {
  /// How many were.
  private(set) var count: UInt64 = 0
  /// Those that did not, the first hundred.
  private(set) var found: [(position: Position, reason: String)] = []
  private var decoder = EventDecoder()
  private var writer = ByteWriter()

  mutating func add(_ block: BlockView) {
    for index in 0..<block.count {
      let event = block.event(at: index)
      count += 1
      if let reason = reason(event), found.count < 100 { found.append((event.position, reason)) }
    }
  }

  /// What is wrong with an event; nil for nothing.
  private mutating func reason(_ event: EventView) -> String? {
    do throws(UnreadableEvent) {
      let decoded = try decoder.decode(event)
      writer.removeAll()
      let type = encode(decoded.change, into: &writer)
      // An older form is read, and written no more.
      guard StoredType(name: event.type) == type else { return nil }
      let isSame = writer.withBytes { mine in event.payload.withUnsafeBytes { mine.elementsEqual($0) } }
      return isSame ? nil : "it is encoded to other bytes than are stored"
    } catch {
      return error.description
    }
  }
}
