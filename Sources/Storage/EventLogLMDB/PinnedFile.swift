// One state of an LMDB file, read with `pread` while others go on writing.
internal import LMDB

/// Finds the newest state of a file, and keeps others from writing over its pages meanwhile.
internal enum PinnedFile {
  /// Lends the file in a directory with its newest meta page; answers false when there is no such file.
  ///
  /// As long as LMDB opens the file, a read transaction keeps the pages; if it does not, whatever can be read is
  /// lent as it is.
  static func withNewest(
    of directory: String, options: Environment.Options, _ body: (DataFile, MetaPage) -> Void
  ) -> Bool {
    guard let file = try? DataFile(path: directory + "/data.mdb") else { return false }
    if file.size >= 2 * file.pageSize, !file.metas.contains(where: { (try? $0.get()) == nil }) {
      for _ in 0..<20 {
        if withPinned(file, directory, options, body) { return true }
      }
    }
    guard let meta = try? file.newestMeta() else { return false }
    body(file, meta)
    return true
  }

  /// Lends the file within a read transaction, if the transaction's meta page is still there once it has begun.
  private static func withPinned(
    _ file: DataFile, _ directory: String, _ options: Environment.Options, _ body: (DataFile, MetaPage) -> Void
  ) -> Bool {
    guard let environment = try? Environment(path: directory, options: options) else { return false }
    let isDone = try? environment.read { transaction throws(LMDBError) in
      let metas = file.metas.compactMap { try? $0.get() }
      // A damaged meta page may hold a number that fits only without a sign.
      let number = UInt64(bitPattern: Int64(transaction.number))
      guard let meta = metas.first(where: { $0.transaction == number }) else { return false }
      body(file, meta)
      return true
    }
    return isDone ?? false
  }

  /// What is odd about the two meta pages, also when looked at again: between two looks others may commit.
  static func lastingDisagreement(_ file: DataFile) -> String? {
    var disagreement: String?
    for _ in 0..<100 {
      disagreement = file.metaDisagreement()
      if disagreement == nil { return nil }
    }
    return disagreement
  }
}
