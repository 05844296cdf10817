// Where the tables in a folder stand, read from the file without opening it.
internal import LMDB

/// What the file of a folder of tables says of where its tables stand.
public enum TableStoreStatus: Hashable, Sendable {
  /// There is no folder, or nothing was ever written to it.
  case empty
  /// The tables are at an anchor.
  case at(LogPoint)
  /// Unsynced writes may have been lost when the system stopped: the folder is dropped when it is opened next.
  case stale
  /// The system does not let this user read the file, as it will not let an opening; why.
  case unreadable(String)
  /// The file is damaged; how.
  case damaged(String)
}

extension TableStore {
  /// Reads where the tables in a folder stand; nothing is changed, and other processes may write meanwhile.
  public static func standing(at path: String) -> TableStoreStatus {
    guard Files.kind(at: path + "/data.mdb") == .file else { return .empty }
    if (try? isStale(path)) ?? false { return .stale }
    var standing = TableStoreStatus.empty
    // Between two reads of the file another process may have used its pages again: what is damaged stays so.
    for _ in 0..<100 {
      standing = Self.standing(inFileOf: path)
      if case .damaged = standing { continue }
      break
    }
    return standing
  }

  private static func standing(inFileOf path: String) -> TableStoreStatus {
    do throws(DataFileError) {
      let file = try DataFile(path: path + "/data.mdb")
      if file.size == 0 { return .empty }
      if let disagreement = file.metaDisagreement() { return .damaged(disagreement) }
      let meta = try file.newestMeta()
      if let defect = file.lengthDefect(of: meta) { return .damaged(defect) }
      guard try file.tableNames(of: meta).contains(metaTableName) else { return .empty }
      var standing = TableStoreStatus.empty
      try file.forEach(in: metaTableName, of: meta) { key, value, _ in
        guard isAnchor(key) else { return true }
        let row = try? MetaRow(stored: value.bytes)
        standing = row.map { .at($0.anchor) } ?? .damaged("the row that says where it stands is not as it was written")
        return false
      }
      return standing
    } catch {
      switch error {
      case .cannotOpen, .notAFile, .cannotRead, .outOfMemory: return .unreadable(error.description)
      case .noMetaPage, .noSuchTable, .damaged: return .damaged(error.description)
      }
    }
  }
}
