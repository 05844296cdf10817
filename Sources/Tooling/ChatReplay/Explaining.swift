// Converts rows and differences to readable fields.
internal import EventLog
internal import Tables
internal import Projections

extension ExplainedDifference {
  /// The maximum number of rows shown of a table.
  internal static var rowsMax: Int { 20 }
}

extension ProjectionReplay {
  internal func explain(_ change: RowChange) -> ExplainedRow {
    explain(change.table, change.key, [("before", change.before), ("after", change.after)])
  }

  internal func explain(_ found: NondeterminismReport) -> ExplainedDifference {
    let rows = found.rows.prefix(ExplainedDifference.rowsMax).map { row in
      explain(row.table, row.key, [("before", row.before), ("once", row.one), ("again", row.other)])
    }
    return ExplainedDifference(
      what: "the same events, folded twice from the same tables, have different results", position: found.position,
      stretch: found.stretch, tables: found.rows.map(\.table).firstOfEach, rows: Array(rows))
  }

  internal func explain(_ found: [MismatchedRows]) -> [ExplainedRow] {
    found.flatMap { table in
      table.rows.map { row in
        let there = row.isDamaged ? ExplainedRow.Case.damaged : fields(row.there, row.key, table.table)
        return ExplainedRow(
          table: table.table, key: row.key,
          cases: [
            .init(name: "expected", fields: fields(row.here, row.key, table.table)),
            .init(name: "found", fields: there),
          ])
      }
    }
  }

  private func explain(_ table: String, _ key: [UInt8], _ cases: [(String, [UInt8]?)]) -> ExplainedRow {
    ExplainedRow(table: table, key: key, cases: cases.map { .init(name: $0, fields: fields($1, key, table)) })
  }

  private func fields(_ row: [UInt8]?, _ key: [UInt8], _ table: String) -> [RowField]? {
    guard let row else { return nil }
    return fields(of: row, key: key, in: table) ?? [RowField(name: "bytes", text: hexadecimal(row))]
  }
}

/// Returns bytes as pairs of hexadecimal digits.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

extension ExplainedRow {
  /// The key as text: visible ASCII unchanged, other bytes as a backslash and two hexadecimal digits.
  public var keyText: String { key.keyText }
}

extension [UInt8] {
  /// The key of a row as text: visible ASCII unchanged, other bytes as a backslash and two hexadecimal digits.
  package var keyText: String {
    map { byte in
      (0x21...0x7E).contains(byte) && byte != 0x5C
        ? String(Unicode.Scalar(byte)) : "\\" + hexadecimal([byte])
    }.joined()
  }
}
