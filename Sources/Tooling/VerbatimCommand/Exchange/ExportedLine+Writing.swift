// A log as lines of JSON: a line that says which log it is, one for each event, one that says how the chain ends.
internal import JSONLines
internal import EventLog

/// What stands in the lines of every export; the page on exported events says what for.
enum ExportForm {
  static let specification = "1.0"
  static let beginning = "verbatim.export.began.1"
  static let ending = "verbatim.export.ended.1"
  /// Under which key the last line has the hash of the log's chain.
  static let hash = "hash"
  /// Under which key the last line has the hash of the chain that the lines make, if they end within a block.
  static let cutHash = "cutHash"
  static let json = "application/json"
  static let text = "text/plain"
  static let bytes = "application/octet-stream"
  static let protobuf = "application/protobuf"

  /// What all lines of a log name as their source.
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
    }
    endLine()
  }

  /// Writes the last line, with the hash of the chain that the lines make.
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

  /// Of a raw log, what is UTF-8 is text; nothing of a payload that has no bytes.
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
