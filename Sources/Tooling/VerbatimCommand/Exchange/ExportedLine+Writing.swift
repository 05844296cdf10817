// Writes a log as lines of JSON: one that identifies the log, one per event, one with the end of the chain.
internal import JSONLines
internal import EventLog

/// The constants of every export; the page on exported events explains them.
enum ExportForm {
  static let specification = "1.0"
  static let beginning = "verbatim.export.began.1"
  static let ending = "verbatim.export.ended.1"
  /// The key of the log's chain hash in the last line.
  static let hash = "hash"
  /// The key of the hash of the lines' own chain in the last line, if they end within a block.
  static let cutHash = "cutHash"
  static let json = "application/json"
  static let text = "text/plain"
  static let bytes = "application/octet-stream"
  static let protobuf = "application/protobuf"

  /// Returns the source that all lines of a log name.
  static func source(_ genesis: Genesis) -> String { "urn:uuid:\(genesis.id)" }
}

extension JSONWriter {
  /// Writes the first line.
  mutating func began(_ genesis: Genesis, from: Position) {
    object { writer in
      writer.envelope("from-\(from)", genesis, ExportForm.beginning)
      writer.member("time", genesis.created.description)
      writer.member("datacontenttype", ExportForm.json)
      writer.key("data")
      writer.object { writer in
        writer.member("application", genesis.application?.text)
        if genesis.isErasable { writer.member("erasable", .bool(true)) }
        writer.member("from", from.rawValue)
        writer.member("genesis", "\(genesis.hash)")
      }
    }
    endLine()
  }

  /// Writes the line of an event of a block.
  mutating func exported(_ event: RecordedEvent, ofBlock block: Int, _ genesis: Genesis) {
    object { writer in
      writer.envelope("\(event.position)", genesis, event.type.text)
      writer.member("subject", event.stream.text)
      writer.member("time", event.recorded.description)
      writer.member("version", "\(event.version)")
      writer.member("block", "\(block)")
      writer.member("actor", event.actor?.text)
      writer.member("device", event.device?.text)
      writer.member("cause", event.cause?.description)
      writer.member("append", event.append.description)
      writer.member("correlation", event.correlation?.text)
      writer.member("proposal", event.proposal?.description)
      writer.payload(event.payload, isRaw: genesis.application == nil)
      if !event.encrypted.isEmpty { writer.member("encrypted", base64(event.encrypted)) }
    }
    endLine()
  }

  /// Writes the last line, with the hash of the lines' chain.
  mutating func ended(_ genesis: Genesis, to: Position, at chain: Head, isCut: Bool) {
    object { writer in
      writer.envelope("to-\(to)", genesis, ExportForm.ending)
      writer.member("time", chain.recorded.description)
      writer.member("datacontenttype", ExportForm.json)
      writer.key("data")
      writer.object { writer in
        writer.member("to", to.rawValue)
        writer.member("blocks", chain.blocks)
        writer.member(isCut ? ExportForm.cutHash : ExportForm.hash, "\(chain.hash)")
      }
    }
    endLine()
  }

  private mutating func envelope(_ id: String, _ genesis: Genesis, _ type: String) {
    member("specversion", ExportForm.specification)
    member("id", id)
    member("source", ExportForm.source(genesis))
    member("type", type)
  }

  /// Writes a payload: UTF-8 of a raw log as text, other bytes in base64, nothing for an empty payload.
  private mutating func payload(_ payload: [UInt8], isRaw: Bool) {
    if payload.isEmpty { return }
    if isRaw, let text = String(validating: payload, as: UTF8.self) {
      member("datacontenttype", ExportForm.text)
      member("data", text)
    } else {
      member("datacontenttype", isRaw ? ExportForm.bytes : ExportForm.protobuf)
      member("data_base64", base64(payload))
    }
  }
}
