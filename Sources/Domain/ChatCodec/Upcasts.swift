// Upcasts of retired shapes to their successors, one version at a time.
internal import Bytes
internal import Chat

extension Shape {
  /// Calls a closure with the payload upcast to the successor, which is valid for the duration of the closure.
  func upcast<Result>(
    _ payload: RawSpan, to body: (RawSpan) throws(PayloadDefect) -> Result
  ) throws(PayloadDefect) -> Result {
    var fields = FieldReader(payload)
    var writer = ByteWriter()
    try upcast(&fields, to: &writer)
    return try writer.withBytes { bytes throws(PayloadDefect) in try body(bytes.bytes) }
  }

  /// Reads a payload of a retired shape and writes it in that of its successor.
  ///
  /// An upcast depends on two shapes only and not on the domain, so that it never changes when the domain does.
  private func upcast(_ fields: inout FieldReader, to writer: inout ByteWriter) throws(PayloadDefect) {
    switch self {
    case .userMuted1: try upcastUserMuted1(&fields, to: &writer)
    default: preconditionFailure("\(rawValue) has a newer version and no upcast to it")
    }
    try fields.end()
  }
}

/// Upcasts `userMuted.1`, which stored the end in seconds.
private func upcastUserMuted1(_ fields: inout FieldReader, to writer: inout ByteWriter) throws(PayloadDefect) {
  let user: User.ID = try fields.id(1)
  let seconds = try fields.optionalInt64(2)
  writer.id(1, user)
  guard let seconds else { return }
  let (end, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
  if overflow { throw fields.defect(2, .range) }
  writer.expiry(2, .until(Timestamp(rawValue: end)))
}
