// The check that events are stored in canonical form.
internal import Bytes
internal import Chat
public import EventLog

extension EventDecoder {
  /// Returns whether an event in a block has, byte for byte, the form in which this program stores it; an event of a
  /// retired shape only has to be readable.
  ///
  /// Of an event whose content is encrypted, the rest has to be readable.
  public mutating func isInForm(_ event: EventView) throws(UnreadableEvent) -> Bool {
    if event.encrypted != nil {
      _ = try decodeReadable(event)
      return true
    }
    let decoded = try decode(event)
    if decoded.isErased { return true }
    let again = encode(decoded)
    guard again.type.hasBytes(of: event.type) else { return true }
    return again.stream.hasBytes(of: event.stream) && again.payload.span.bytes.hasBytes(of: event.payload)
  }
}

extension RawSpan {
  fileprivate func hasBytes(of other: RawSpan) -> Bool {
    withUnsafeBytes { own in other.withUnsafeBytes { own.elementsEqual($0) } }
  }
}
