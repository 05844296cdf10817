// Events, streams and receipts as lines of JSON.
internal import JSONLines
internal import EventLog

extension JSONWriter {
  /// Writes an event as a line.
  mutating func line(_ event: RecordedEvent) {
    self.event(event) { _ in }
    endLine()
  }

  /// Writes an event as a value, with more members behind its own.
  mutating func event(_ event: RecordedEvent, _ more: (inout JSONWriter) -> Void) {
    object { writer in
      writer.member("position", event.position.rawValue)
      writer.member("stream", event.stream.text)
      writer.member("version", event.version.rawValue)
      writer.member("recorded", event.recorded.description)
      writer.member("type", event.type.text)
      writer.member("actor", event.actor?.text)
      writer.member("device", event.device?.text)
      writer.member("cause", event.cause?.rawValue)
      writer.member("append", event.append.description)
      writer.member("correlation", event.correlation?.text)
      writer.member("proposal", event.proposal?.description)
      writer.payload(event.payload)
      more(&writer)
    }
  }

  /// Writes the receipt of an append as a line.
  mutating func line(_ receipt: Receipt) {
    object { writer in
      writer.member("id", receipt.id.description)
      writer.member("positions", receipt.positions.lowerBound.rawValue, receipt.positions.upperBound.rawValue)
      writer.member("recorded", receipt.recorded.description)
      writer.key("streams")
      writer.array { writer in
        for range in receipt.streams {
          writer.object { writer in
            writer.member("stream", range.stream.text)
            writer.member("versions", range.versions.lowerBound.rawValue, range.versions.upperBound.rawValue)
          }
        }
      }
    }
    endLine()
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
  private mutating func payload(_ payload: [UInt8]) {
    if let text = String(validating: payload, as: UTF8.self) {
      member("payload", text)
    } else {
      member("payload64", base64(payload))
    }
  }
}
