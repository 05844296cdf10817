// What was folded anew held against tables that lie somewhere: those of a store, and its snapshots.
public import EventLog
public import Tables

/// Rows of a table that lie somewhere and are not what the events come to.
public struct MismatchedRows: Hashable, Sendable {
  /// The table, with the name of its view.
  public let table: String
  /// The rows, the first of them: here as they are folded, there as they lie.
  public let rows: [RowDifference]
}

extension ProjectionReplay {
  /// Where the tables stand that lie in a directory of views; nil when there are none in this form, when nothing was
  /// ever written to them, and when the next opening makes them again, as ``TablesOnDisk`` tells.
  public static func standing(of fingerprint: Fingerprint, in directory: String) throws(ProjectionError) -> Position? {
    let path = "\(directory)/\(fingerprint)"
    switch TableStore.standing(at: path) {
    case .empty, .stale, .damaged: return nil
    case .unreadable(let reason): throw .tables(.failed(path: path, reason: reason))
    case .at(let anchor): return Position(rawValue: anchor.position)
    }
  }

  /// Where there are snapshots of these views in a directory of views, from the first on.
  public func snapshots(in directory: String) -> [Position] {
    copies(in: directory).positions.map { Position(rawValue: $0) }
  }

  /// What holding tables against each other came to.
  public enum Comparison: Hashable, Sendable {
    /// The rows that differ; none when the tables are the same.
    case rows([MismatchedRows])
    /// They cannot be read; why.
    case damaged(String)
    /// They are not there any more: snapshots are removed that are not worth their space.
    case gone
  }

  /// The rows that lie in a directory of views and are not what is folded here, so many of each table at most.
  ///
  /// Where somebody has written those tables further meanwhile, folding goes on to there.
  public func mismatchedRows(inTablesOf directory: String, limit: Int) throws(ProjectionError) -> Comparison {
    do throws(TablesError) {
      guard let other = try ReadOnlyTableStore(at: "\(directory)/\(fingerprint)") else { return .rows([]) }
      return .rows(try mismatched(in: other, limit: limit))
    } catch {
      return try unread(error)
    }
  }

  /// The same for the snapshot that stands at the end of what is folded.
  public func mismatchedRows(inSnapshotOf directory: String, limit: Int) throws(ProjectionError) -> Comparison {
    let copies = copies(in: directory)
    let position = applied.position.rawValue
    let place: ScratchDirectory
    do throws(TablesError) {
      place = try .make(in: directory + "/past", until: .now + .seconds(10))
    } catch {
      throw .tables(error)
    }
    defer { place.remove() }
    switch copies.lay(position, into: place.path, isOnChain: { log.head(at: $0) != nil }) {
    case .whole: break
    case .gone: return .gone
    case .damaged(let damage): return .damaged(damage)
    case .unreadable(let reason): throw .tables(.failed(path: copies.path(of: position), reason: reason))
    }
    do throws(TablesError) {
      let tableStore = try ProjectionEngine.tableStore(for: types, of: log, at: place.path)
      guard let other = try ReadOnlyTableStore(at: place.path) else { return .damaged("it has no tables") }
      return .rows(
        try withExtendedLifetime(tableStore) { () throws(TablesError) in try mismatched(in: other, limit: limit) })
    } catch {
      return try unread(error)
    }
  }

  /// What an error of tables says of them: that they are damaged, or, where it is thrown, nothing.
  private func unread(_ error: TablesError) throws(ProjectionError) -> Comparison {
    switch error {
    case .cannotOpen, .failed, .malformed: return .damaged(error.description)
    case .busy, .foreign, .ahead, .noSpace, .notWritable: throw .tables(error)
    }
  }

  private func mismatched(in other: ReadOnlyTableStore, limit: Int) throws(TablesError) -> [MismatchedRows] {
    var mismatched: [MismatchedRows] = []
    for table in tableStore.tableNames {
      var stands = false
      var failure: ProjectionError?
      let rows = try other.differences(in: table, limit: limit) { anchor in
        do throws(ProjectionError) { stands = try stand(at: anchor) } catch { failure = error }
        return stands ? tableStore : nil
      }
      if let failure { throw .failed(path: tableStore.path, reason: failure.description) }
      guard stands else { throw .failed(path: tableStore.path, reason: "they stand elsewhere by now") }
      if !rows.isEmpty { mismatched.append(MismatchedRows(table: table, rows: rows)) }
    }
    return mismatched
  }

  /// Goes on to an anchor; answers whether the tables stand there.
  private func stand(at anchor: LogPoint?) throws(ProjectionError) -> Bool {
    guard let anchor, anchor.position >= applied.position.rawValue else { return false }
    guard log.head(at: anchor) != nil else { throw .otherLog(position: Position(rawValue: anchor.position)) }
    _ = try fold(through: Position(rawValue: anchor.position))
    return true
  }

  private func copies(in directory: String) -> SnapshotDirectory {
    SnapshotDirectory(
      in: "\(directory)/snapshots/\(fingerprint)", tables: ProjectionFold.tableNames(of: types), seededBy: .name)
  }
}
