// The status of a table store, read from the file without opening it.
internal import Files
internal import LMDBPages

/// The status of a table store according to its file.
public enum TableStoreStatus: Hashable, Sendable {
  /// The table store does not exist, or nothing was ever written to it.
  case empty
  /// The tables are at a log point.
  case at(LogPoint)
  /// Unsynced writes may have been lost when the system stopped: the next opening drops the table store.
  case stale
  /// The file, or the mark that it was left unsynced, cannot be read, so an opening fails as well; the reason.
  case unreadable(String)
  /// The file is damaged; the reason.
  case damaged(String)
}

extension TableStore {
  /// Returns the status of a table store; nothing is changed, and other processes can write concurrently.
  public static func status(at path: String) -> TableStoreStatus {
    guard FileSystem.kind(at: path + "/data.mdb") == .file else { return .empty }
    do throws(TablesError) { if try isStale(path) { return .stale } } catch { return .unreadable(error.description) }
    var status = TableStoreStatus.empty
    // Another process may have reused pages between two reads of the file; real damage persists.
    for _ in 0..<100 {
      status = Self.status(inFileOf: path)
      if case .damaged = status { continue }
      break
    }
    return status
  }

  private static func status(inFileOf path: String) -> TableStoreStatus {
    do throws(DataFileError) {
      let file = try DataFile(path: path + "/data.mdb")
      if file.size == 0 { return .empty }
      if let disagreement = file.metaDisagreement() { return .damaged(disagreement) }
      let meta = try file.newestMeta()
      if let defect = file.lengthDefect(of: meta) { return .damaged(defect) }
      guard try file.tableNames(of: meta).contains(metaTableName) else { return .empty }
      var status = TableStoreStatus.empty
      try file.forEach(in: metaTableName, of: meta) { key, value, _ in
        guard isLogPoint(key) else { return true }
        let row = try? MetaRow(stored: value.bytes)
        status = row.map { .at($0.logPoint) } ?? .damaged("the row with its position differs from the written one")
        return false
      }
      return status
    } catch {
      return error.isOfReading ? .unreadable(error.description) : .damaged(error.description)
    }
  }
}
