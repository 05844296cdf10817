// The encoding of submissions: for the hash that identifies a retry, and for the outbox.
internal import Bytes
internal import Chat
internal import ChatCodec
package import EventLog

extension Submission {
  /// The hash and the encoded size of the intents with author, correlation and cause. The expected versions are not
  /// part of it: they held when the submit was recorded.
  package var proposal: (hash: ProposalHash, byteCount: Int) {
    var writer = ByteWriter()
    write(to: &writer)
    return (writer.withBytes { ProposalHash(of: $0.bytes) }, writer.count)
  }

  /// Writes the submission without its id and expectations; returns the index of the first intent that cannot be
  /// stored.
  ///
  /// <doc:KeptSubmissions> describes the bytes. An intent that cannot be stored is written as an empty one, which no
  /// other is: it is always refused, so only its presence matters.
  @discardableResult
  func write(to writer: inout ByteWriter) -> Int? {
    writer.optionalID(1, actor.user)
    writer.optionalID(2, actor.device)
    correlation?.withBytes { writer.field(3, bytes: $0) }
    if let cause { writer.field(4, varint: cause.rawValue) }
    var lost: Int?
    var kept = ByteWriter()
    for (index, intent) in intents.enumerated() {
      kept.removeAll()
      if !intent.keep(in: &kept) {
        lost = lost ?? index
        kept.removeAll()
      }
      kept.withBytes { writer.field(5, bytes: $0) }
    }
    return lost
  }

  /// The encoded submission, or the intent that cannot be stored.
  var kept: Result<[UInt8], UnstorableIntent> {
    var writer = ByteWriter()
    if let lost = write(to: &writer) { return .failure(UnstorableIntent(intent: lost)) }
    return .success(writer.array())
  }

  /// Decodes a submission and gives it an id.
  init(kept bytes: RawSpan, id: AppendID) throws(UnreadableIntent) {
    let parts: (actor: Author, correlation: Name?, cause: UInt64?)
    var intents: [ChatIntent] = []
    do throws(PayloadDefect) {
      var fields = FieldReader(bytes)
      let user: User.ID? = try fields.optionalID(1)
      let device: Device.ID? = user == nil ? nil : try fields.optionalID(2)
      let correlation = try fields.optionalText(3).map { try? Name($0.string) }
      if case .some(nil) = correlation { throw fields.defect(3, .text) }
      let cause = try fields.varint(4)
      while let intent = try fields.span(5) {
        do throws(UnreadableIntent) { intents.append(try decodeIntent(intent)) } catch { throw error.defect }
      }
      try fields.end()
      parts = (user.map { .user($0, on: device) } ?? .system, correlation ?? nil, cause)
    } catch {
      throw UnreadableIntent(error)
    }
    self.init(
      intents, by: parts.actor, id: id, correlation: parts.correlation,
      cause: parts.cause.map { Position(rawValue: $0) })
  }
}

/// An intent that cannot be stored, by its index in the submission.
internal struct UnstorableIntent: Error {
  let intent: Int
}
