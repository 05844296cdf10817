// Differences between a table and the same table of projections at other revisions.
public import EventLog
public import Tables

/// The rows of a table that differ between two revisions of the projections.
public struct TableDifferences: Hashable, Sendable {
  /// The position of both tables.
  public let position: Position
  /// The rows, in the order of their keys.
  public let rows: [RowDifference]
}

extension ProjectionStore {
  /// Returns the rows of a table that differ from those of projections at other revisions, at the position of those; at
  /// most `limit`.
  ///
  /// These projections are folded up to that position in a scratch directory, which can take a while.
  public func differences<Owner: Projection, Row: BinaryRow>(
    in table: ProjectionTable<Owner, Row>, from fingerprint: String, limit: Int = 1_000
  ) throws(ProjectionError) -> TableDifferences {
    var failure: ProjectionError?
    var past: PastProjections?
    var rows: [RowDifference] = []
    do throws(TablesError) {
      let other = try ReadOnlyTableStore(at: directory + "/" + fingerprint)
      if other?.has(table.fullName) != true { failure = .noSuchTable(table.fullName, of: fingerprint) }
      if let other, failure == nil {
        rows = try other.differences(in: table.fullName, limit: limit) { logPoint in
          do throws(ProjectionError) {
            past = try at(logPoint)
            return try past?.writtenTables()
          } catch {
            failure = error
            return nil
          }
        }
      }
    } catch {
      throw .tables(error)
    }
    if let failure { throw failure }
    return TableDifferences(position: past?.position ?? .zero, rows: rows)
  }

  private func at(_ logPoint: LogPoint?) throws(ProjectionError) -> PastProjections {
    guard let logPoint else { return try at(Position.zero) }
    let position = Position(rawValue: logPoint.position)
    guard store.log.head(at: logPoint) != nil else { throw .otherLog(position: position) }
    return try at(position)
  }
}
