// Zeros behind the last page of a file, so that commits overwrite them instead of extending the file.
internal import CLMDB
internal import Files

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension WriteTransaction {
  /// Extends the file with zeros if it has no room for a number of bytes behind its last page.
  ///
  /// The sync of a commit that changes neither the size nor the extents of its file does not wait for the journal of
  /// the filesystem. Nothing depends on the zeros: errors are ignored, and where free space is scarce, counting a
  /// reserve, none are written. During a write transaction no other process extends the file.
  package borrowing func extendFile(toFit byteCount: Int, sparing reserve: Int) {
    guard byteCount <= Zeros.commitMax else { return }
    let environment = mdb_txn_env(pointer)
    var (information, status) = (MDB_envinfo(), MDB_stat())
    var descriptor: CInt = -1
    guard mdb_env_info(environment, &information) == 0, mdb_env_stat(environment, &status) == 0,
      mdb_env_get_fd(environment, &descriptor) == 0
    else { return }
    // Not by `fstat`: since it returns the time of the last change, Linux then records a new time with the next write,
    // and the sync writes the inode. LMDB sets the offset before each write that depends on it.
    let (pageSize, size) = (Int(status.ms_psize), Int(lseek(descriptor, 0, SEEK_END)))
    if size < 0 { return }
    let needed = (information.me_last_pgno + 1 + Zeros.otherPages) * pageSize + byteCount
    if needed <= size { return }
    let step = min(max(Zeros.stepMin, byteCount * Zeros.commitsAhead), max(Zeros.firstStep, size))
    let end = (needed + step) / pageSize * pageSize
    guard let free = FileSystem.freeByteCount(overwrittenInPlace: descriptor),
      (free - reserve) / Zeros.shareOfFreeSpace > end - size
    else { return }
    Zeros.bytes.withUnsafeBytes { zeros in
      var offset = size
      while offset < end {
        let count = pwrite(descriptor, zeros.baseAddress!, min(zeros.count, end - offset), off_t(offset))
        if count <= 0 { return }
        offset += count
      }
    }
  }
}

/// The measures of what is written ahead, which `Commits` of EventLogLMDB explains.
private enum Zeros {
  static let firstStep = 1 << 16
  static let stepMin = 1 << 18
  /// The number of commits of the present size that a step has room for.
  static let commitsAhead = 8
  /// The size from which a commit takes longer to write than its filesystem to extend the file.
  static let commitMax = 1 << 18
  /// The number of pages that a commit may need beside those of its values.
  static let otherPages = 32
  static let shareOfFreeSpace = 64
  static let bytes = [UInt8](repeating: 0, count: stepMin)
}
