// Decodes each event and encodes it again to compare with the stored bytes.
internal import Bytes
internal import Chat
internal import ChatCodec
internal import EventLog

/// A check that decodes and re-encodes events and collects those that differ from the stored bytes.
internal struct EncodingCheck: ~Copyable {
  /// The number of checked events.
  private(set) var count: UInt64 = 0
  /// The events that failed the check, at most the first hundred.
  private(set) var found: [(position: Position, reason: String)] = []
  private var decoder = EventDecoder()
  private var writer = ByteWriter()

  mutating func add(_ block: BlockView, _ decryption: inout EventDecryption) {
    for index in 0..<block.count {
      let event = block.event(at: index)
      count += 1
      let reason: String?
      do throws(LogError) { reason = try decryption.withDecrypted(event) { self.reason($0) } } catch {
        reason = error.description
      }
      if let reason, found.count < 100 { found.append((event.position, reason)) }
    }
  }

  /// Returns why an event failed the check; nil when it passed.
  private mutating func reason(_ event: EventView) -> String? {
    do throws(UnreadableEvent) {
      let decoded = try decoder.decode(event)
      // What is left of an event is not the form of any.
      if decoded.isErased { return nil }
      writer.removeAll()
      let type = encode(decoded.change, into: &writer)
      // An older event form is only decoded; it is no longer written.
      guard StoredType(name: event.type) == type else { return nil }
      let isSame = writer.withBytes { mine in event.payload.withUnsafeBytes { mine.elementsEqual($0) } }
      return isSame ? nil : "its encoding differs from the stored bytes"
    } catch {
      return error.description
    }
  }
}
