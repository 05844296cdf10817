// One state of an LMDB file, read with `pread` while other processes write.
package import LMDB
package import LMDBPages

/// Access to the newest state of a file whose pages are protected from being overwritten.
package enum PinnedFile {
  /// Passes the file in a directory with its newest meta page to the closure; throws if there is none to be read.
  ///
  /// If LMDB can open the file, a read transaction protects the pages; if not, the readable parts are passed as they
  /// are.
  package static func withNewest(
    of directory: String, options: Environment.Options, _ body: (DataFile, MetaPage) -> Void
  ) throws(DataFileError) {
    let file = try DataFile(path: directory + "/data.mdb")
    if file.size >= 2 * file.pageSize, !file.metas.contains(where: { (try? $0.get()) == nil }) {
      for _ in 0..<20 {
        if withPinned(file, directory, options, body) { return }
      }
    }
    body(file, try file.newestMeta())
  }

  /// Passes the file within a read transaction, if the transaction's meta page is still current once it has begun.
  private static func withPinned(
    _ file: DataFile, _ directory: String, _ options: Environment.Options, _ body: (DataFile, MetaPage) -> Void
  ) -> Bool {
    guard let environment = try? Environment(path: directory, options: options) else { return false }
    let isDone = try? environment.read { transaction throws(LMDBError) in
      let metas = file.metas.compactMap { try? $0.get() }
      // A damaged meta page may hold a number that fits only as unsigned.
      let number = UInt64(bitPattern: Int64(transaction.number))
      guard let meta = metas.first(where: { $0.transaction == number }) else { return false }
      body(file, meta)
      return true
    }
    return isDone ?? false
  }

  /// Returns a disagreement of the two meta pages that persists over repeated reads: between two reads other processes
  /// may commit.
  package static func lastingDisagreement(_ file: DataFile) -> String? {
    var disagreement: String?
    for _ in 0..<100 {
      disagreement = file.metaDisagreement()
      if disagreement == nil { return nil }
    }
    return disagreement
  }
}
