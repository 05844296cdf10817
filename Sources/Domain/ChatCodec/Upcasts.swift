// How retired shapes become those that took their place, one step at a time.
internal import Bytes
internal import Chat

extension Shape {
  /// Lends what a payload of a retired shape is in that of its successor.
  func upcast<Result>(
    _ payload: RawSpan, to body: (RawSpan) throws(PayloadDefect) -> Result
  ) throws(PayloadDefect) -> Result {
    var fields = FieldReader(payload)
    var writer = ByteWriter()
    try upcast(&fields, to: &writer)
    return try writer.withBytes { bytes throws(PayloadDefect) in try body(bytes.bytes) }
  }

  /// Reads a payload of a retired shape and writes that of its successor.
  ///
  /// It knows two shapes and nothing of the domain, so that it stays as it is when the domain changes.
  private func upcast(_ fields: inout FieldReader, to writer: inout ByteWriter) throws(PayloadDefect) {
    switch self {
    case .userMuted1: try upcastUserMuted1(&fields, to: &writer)
    default: preconditionFailure("\(rawValue) has a successor and no upcast")
    }
    try fields.end()
  }
}

/// `userMuted.1` had its end in seconds.
private func upcastUserMuted1(_ fields: inout FieldReader, to writer: inout ByteWriter) throws(PayloadDefect) {
  let user: User.ID = try fields.id(1)
  let seconds = try fields.optionalInt64(2)
  writer.id(1, user)
  guard let seconds else { return }
  let (end, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
  if overflow { throw fields.defect(2, .range) }
  writer.term(2, .until(Instant(rawValue: end)))
}
