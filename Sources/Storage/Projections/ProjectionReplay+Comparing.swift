// A comparison of rebuilt tables with stored ones: those of a store, and its snapshots.
internal import Errors
public import EventLog
public import Tables

/// The stored rows of a table that differ from the rebuilt ones.
public struct MismatchedRows: Hashable, Sendable {
  /// The table's full name, with that of its projection.
  public let table: String
  /// The first rows that differ: “here” as rebuilt, “there” as stored.
  public let rows: [RowDifference]
}

extension ProjectionReplay {
  /// Returns the positions of the snapshots of these projections in a directory, in ascending order.
  public func snapshots(in directory: String) -> [Position] {
    copies(in: directory).positions.map { Position(rawValue: $0) }
  }

  /// The result of comparing tables.
  public enum Comparison: Hashable, Sendable {
    /// The tables could be compared; the rows that differ, none when they are equal.
    case rows([MismatchedRows])
    /// The tables cannot be read; the reason.
    case damaged(String)
    /// The tables are gone, and nothing was compared: snapshots that are not worth their space are removed.
    case gone
  }

  /// Returns the rows stored in a directory that differ from those folded here, at most `limit` of each table.
  ///
  /// When another process has written those tables further, folding catches up with them.
  public func mismatchedRows(inTablesOf directory: String, limit: Int) throws(ProjectionError) -> Comparison {
    do throws(TablesError) {
      guard let other = try ReadOnlyTableStore(at: "\(directory)/\(fingerprint)") else { return .gone }
      if let damage = try other.pageDamage() { return .damaged(damage) }
      return .rows(try mismatched(in: other, limit: limit))
    } catch {
      return try unread(error)
    }
  }

  /// Returns the rows that differ in the snapshot at the position folded here.
  public func mismatchedRows(inSnapshotOf directory: String, limit: Int) throws(ProjectionError) -> Comparison {
    let copies = copies(in: directory)
    let position = applied.position.rawValue
    let scratch = try rethrow(
      ScratchDirectory.make(in: directory + "/past", until: .now + .seconds(10)), as: ProjectionError.tables)
    defer { scratch.remove() }
    let laid = try openTables { isOnChain in
      copies.lay(position, into: scratch.path, isOnChain: isOnChain)
    } ifOnChain: { [log] logPoint throws(LogError) in
      try log.head(at: logPoint) != nil
    }
    switch laid {
    case .whole: break
    case .gone: return .gone
    case .damaged(let damage): return .damaged(damage)
    case .unreadable(let reason): throw .tables(.failed(path: copies.path(of: position), reason: reason))
    }
    let tableStore: TableStore
    do throws(ProjectionError) {
      tableStore = try ProjectionEngine.tableStore(for: types, of: log, at: scratch.path)
    } catch {
      guard case .tables(let error) = error else { throw error }
      return try unread(error)
    }
    do throws(TablesError) {
      guard let other = try ReadOnlyTableStore(at: scratch.path) else { return .damaged("it has no tables") }
      return .rows(
        try withExtendedLifetime(tableStore) { () throws(TablesError) in try mismatched(in: other, limit: limit) })
    } catch {
      return try unread(error)
    }
  }

  /// Returns that the tables are damaged, if an error means that; rethrows any other.
  private func unread(_ error: TablesError) throws(ProjectionError) -> Comparison {
    switch error {
    case .damaged, .malformed: return .damaged(error.description)
    case .cannotOpen, .busy, .foreign, .ahead, .noSpace, .notWritable, .failed: throw .tables(error)
    }
  }

  private func mismatched(in other: ReadOnlyTableStore, limit: Int) throws(TablesError) -> [MismatchedRows] {
    var mismatched: [MismatchedRows] = []
    for table in tableStore.tableNames {
      var stands = false
      var failure: ProjectionError?
      let rows = try other.differences(in: table, limit: limit) { logPoint in
        do throws(ProjectionError) { stands = try stand(at: logPoint) } catch { failure = error }
        return stands ? tableStore : nil
      }
      if let failure { throw .failed(path: tableStore.path, reason: failure.description) }
      guard stands else { throw .failed(path: tableStore.path, reason: "their position has changed meanwhile") }
      if !rows.isEmpty { mismatched.append(MismatchedRows(table: table, rows: rows)) }
    }
    return mismatched
  }

  /// Catches up with a log point; returns whether the tables are at it.
  private func stand(at logPoint: LogPoint?) throws(ProjectionError) -> Bool {
    guard let logPoint, logPoint.position >= applied.position.rawValue else { return false }
    let head = try rethrow(log.head(at: logPoint), as: ProjectionError.log)
    guard head != nil else { throw .otherLog(position: Position(rawValue: logPoint.position)) }
    _ = try fold(through: Position(rawValue: logPoint.position))
    return true
  }

  private func copies(in directory: String) -> SnapshotDirectory {
    SnapshotDirectory(
      in: "\(directory)/snapshots/\(fingerprint)", tables: ProjectionFold.tableNames(of: types), seededBy: .name)
  }
}
