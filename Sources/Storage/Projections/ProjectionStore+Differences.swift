// Differences between a table and the same table of projections at other revisions.
internal import Errors
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
    var replay: ProjectionReplay?
    var rows: [RowDifference] = []
    do throws(TablesError) {
      let other = try ReadOnlyTableStore(at: directory + "/" + fingerprint)
      if other?.has(table.fullName) != true { failure = .noSuchTable(table.fullName, of: fingerprint) }
      if let other, failure == nil {
        rows = try other.differences(in: table.fullName, limit: limit) { logPoint in
          do throws(ProjectionError) {
            replay = try self.replay(through: logPoint)
            return replay?.tableStore
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
    defer { replay?.close() }
    return TableDifferences(position: replay?.applied.position ?? .zero, rows: rows)
  }

  /// Folds these projections up to a log point in a scratch directory.
  private func replay(through logPoint: LogPoint?) throws(ProjectionError) -> ProjectionReplay {
    let position = Position(rawValue: logPoint?.position ?? 0)
    if let logPoint, try rethrow(store.log.head(at: logPoint), as: ProjectionError.log) == nil {
      throw .otherLog(position: position)
    }
    let snapshots = options.snapshotDirectory ?? directory
    let replay = try ProjectionReplay(
      types, of: store, in: directory + "/past", beginningWith: .snapshot(in: snapshots, upTo: position))
    // An erasure was requested since these tables were opened.
    if replay.fingerprint != fingerprint { throw .outdated }
    while replay.applied.position < position {
      let stretch = replay.applied.position.advanced(by: 100_000)
      _ = try replay.fold(through: min(position, stretch))
    }
    return replay
  }
}
