// A file of expected table digests, kept in version control to detect code changes that alter history.
internal import Errors
public import EventLog
package import JSONLines

/// The digests that a log's tables must have, read from and written to a file of JSON lines.
///
/// The first line holds the log and the distance between positions; each other line holds a position, the hash of its
/// block, and the digests that differ from the previous line. A table's projection revision is written on the first
/// line that names the table and on each line where the revision changes.
public struct ExpectedDigests: Sendable {
  /// The hash of the log's genesis.
  public let log: String
  /// The number of events between two positions.
  public let distance: UInt64
  /// The digests, in ascending order of position.
  public let digests: [ReplayedDigests]

  /// Returns the distance between positions for a log: 1 for a short log, about 1,000 positions in a long one.
  public static func distance(in end: Position) -> UInt64 { max(1, (end.rawValue + 999) / 1_000) }

  /// Creates the expected digests from a replay transcript.
  public init(_ transcript: ReplayTranscript, distance: UInt64) {
    log = transcript.beginning.map { "\($0.log)" } ?? ""
    digests = transcript.digests
    self.distance = distance
  }
}

extension ExpectedDigests {
  /// Writes the file.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("expected", UInt64(1))
      writer.member("log", log)
      writer.member("distance", distance)
    }
    writer.endLine()
    var known: [String: ReplayedDigests.Table] = [:]
    for line in digests {
      writer.object { writer in
        writer.member("position", line.position.rawValue)
        writer.member("hash", "\(line.hash)")
        writer.key("tables")
        writer.array { writer in
          for table in line.tables where known[table.name] != table {
            writer.object { writer in
              writer.member("table", table.name)
              if known[table.name]?.revision != table.revision { writer.member("revision", table.revision) }
              writer.member("digest", table.digest)
            }
            known[table.name] = table
          }
        }
      }
      writer.endLine()
    }
  }

  /// Reads the lines of a file; throws a defect with the line's number.
  package init(lines: [[UInt8]]) throws(InputDefect) {
    var header = try Self.object(lines.first ?? [], 1)
    guard try header.integer("expected") == 1 else {
      throw InputDefect("line 1: this is not a file of expected digests: create one with --write-expected.")
    }
    log = try header.words("log")
    distance = max(1, try header.required("distance", try header.integer("distance")))
    try header.finish()
    var names: [String] = []
    var known: [String: ReplayedDigests.Table] = [:]
    var digests: [ReplayedDigests] = []
    for (index, line) in lines.enumerated().dropFirst() {
      var object = try Self.object(line, index + 1)
      let position = try object.position("position")
      let hash = try object.chainHash("hash")
      for json in try object.required("tables", try object.array("tables")) {
        var table = try ObjectReader(json, what: "a table on line \(index + 1)")
        let name = try table.words("table")
        let revision = try table.text("revision") ?? known[name]?.revision
        let digest = try table.words("digest")
        try table.finish()
        if known[name] == nil { names.append(name) }
        known[name] = .init(name: name, revision: try table.required("revision", revision), digest: digest)
      }
      try object.finish()
      digests.append(ReplayedDigests(position: position, hash: hash, tables: names.compactMap { known[$0] }))
    }
    self.digests = digests
  }

  private static func object(_ line: [UInt8], _ number: Int) throws(InputDefect) -> ObjectReader {
    let json = try rethrow(
      JSONParser.parse(line), as: { (defect: InputDefect) in InputDefect("line \(number), \(defect.description)") })
    return try ObjectReader(json, what: "line \(number)")
  }
}
