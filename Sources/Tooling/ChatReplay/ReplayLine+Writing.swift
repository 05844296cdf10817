// Writes replay lines as JSON.
internal import Digests
internal import EventLog
package import JSONLines
internal import Tables
internal import Projections

extension ReplayLine {
  /// Writes the line as one line of JSON.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .began(let beginning): beginning.write(to: &writer)
      case .digests(let digests): digests.write(to: &writer)
      case .event(let event): event.write(to: &writer)
      case .change(let position, let row):
        writer.member("changed", position.rawValue)
        row.write(to: &writer)
      case .unstable(let difference):
        writer.key("unstable")
        difference.write(to: &writer)
      case .mismatched(let difference):
        writer.key("mismatched")
        difference.write(to: &writer)
      case .stopped(let stop):
        writer.member("stopped", stop.projection)
        writer.member("position", stop.position.rawValue)
        writer.member("reason", stop.reason)
      case .unreadable(let position, let reason):
        writer.member("unreadable", position.rawValue)
        writer.member("reason", reason)
      case .ended(let end): end.write(to: &writer)
      }
    }
    writer.endLine()
  }
}

extension ReplayBeginning {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("replay", ReplayLine.version)
    writer.member("log", "\(log)")
    writer.member("start", start.rawValue)
    writer.member("end", end.rawValue)
    writer.key("fingerprints")
    writer.array { for text in fingerprints { $0.string(text) } }
  }
}

extension ReplayedDigests {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("position", position.rawValue)
    writer.member("hash", "\(hash)")
    writer.key("tables")
    writer.array { writer in
      for table in tables {
        writer.object { writer in
          writer.member("table", table.name)
          writer.member("revision", table.revision)
          writer.member("digest", table.digest)
        }
      }
    }
  }
}

extension ReplayedEvent {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("event", position.rawValue)
    writer.member("rows", "\(digest)")
    guard let tables else { return }
    writer.key("tables")
    writer.array { writer in
      for (name, digest) in tables.sorted(by: { $0.key < $1.key }) {
        writer.object { writer in
          writer.member("table", name)
          writer.member("digest", "\(digest)")
        }
      }
    }
  }
}

extension ExplainedRow {
  /// Writes the members of a row.
  package func write(to writer: inout JSONWriter) {
    writer.member("table", table)
    writer.member("key", hexadecimal(key))
    writer.member("keyText", keyText)
    writer.key("cases")
    writer.array { writer in
      for one in cases {
        writer.object { writer in
          writer.member("case", one.name)
          writer.key("fields")
          guard let fields = one.fields else { return writer.null() }
          writer.array { writer in
            for field in fields {
              writer.array {
                $0.string(field.name)
                $0.string(field.text)
              }
            }
          }
        }
      }
    }
  }
}

extension ExplainedDifference {
  /// Writes a difference as an object.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("what", what)
      writer.member("position", position?.rawValue)
      writer.member("stretch", stretch.lowerBound.rawValue, stretch.upperBound.rawValue)
      writer.key("tables")
      writer.array { for table in tables { $0.string(table) } }
      writer.key("rows")
      writer.array { writer in
        for row in rows { writer.object { row.write(to: &$0) } }
      }
    }
  }
}

extension ReplayEnd {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("ended", position.rawValue)
    writer.member("events", events)
    writer.member("milliseconds", milliseconds)
    writer.member("recoded", recoded)
    writer.key("compared")
    writer.array { for name in compared { $0.string(name) } }
    if skipped.isEmpty { return }
    writer.key("skipped")
    writer.array { for sentence in skipped { $0.string(sentence) } }
  }
}
