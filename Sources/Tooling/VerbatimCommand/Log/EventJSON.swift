// Events, streams and receipts as lines of JSON.
internal import JSONLines
internal import EventLog

extension JSONWriter {
  /// Writes an event as a line.
  mutating func line(_ event: RecordedEvent) {
    object { writer in
      writer.members(of: event)
      writer.payload(event.payload)
      if !event.encrypted.isEmpty { writer.member("encrypted64", base64(event.encrypted)) }
    }
    endLine()
  }

  /// Writes the members of an event, without its payload.
  mutating func members(of event: RecordedEvent) {
    member("position", event.position.rawValue)
    member("stream", event.stream.text)
    member("version", event.version.rawValue)
    member("recorded", event.recorded.description)
    member("type", event.type.text)
    member("actor", event.actor?.text)
    member("device", event.device?.text)
    member("cause", event.cause?.rawValue)
    member("append", event.append.description)
    member("correlation", event.correlation?.text)
    member("proposal", event.proposal?.description)
  }

  /// Writes the receipt of an append as a line.
  mutating func line(_ receipt: Receipt) {
    object { $0.members(of: receipt) }
    endLine()
  }

  /// Writes the members of a receipt.
  mutating func members(of receipt: Receipt) {
    member("id", receipt.id.description)
    member("positions", receipt.positions.lowerBound.rawValue, receipt.positions.upperBound.rawValue)
    member("recorded", receipt.recorded.description)
    key("streams")
    array { writer in
      for range in receipt.streams {
        writer.object { writer in
          writer.member("stream", range.stream.text)
          writer.member("versions", range.versions.lowerBound.rawValue, range.versions.upperBound.rawValue)
        }
      }
    }
  }

  /// Writes a stream and its version as a line.
  mutating func line(_ stream: StreamSummary) {
    object { writer in
      writer.member("stream", stream.name.text)
      writer.member("version", stream.version.rawValue)
    }
    endLine()
  }

  /// Writes a payload as text if it is UTF-8, which JSON preserves byte for byte, otherwise in base64.
  mutating func payload(_ payload: [UInt8]) {
    if let text = String(validating: payload, as: UTF8.self) {
      member("payload", text)
    } else {
      member("payload64", base64(payload))
    }
  }
}
