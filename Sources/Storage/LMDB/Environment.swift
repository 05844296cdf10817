// An LMDB environment: a directory with one data file, open in this process once.
internal import CLMDB
internal import Files
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A handle of an open environment.
///
/// Opening the same directory again, by whatever path, returns a second handle of the same environment, as LMDB demands
/// ("do not have open an LMDB database twice in the same process at the same time"); it closes with its last handle. A
/// forked process must not use its parent's handles.
public struct Environment: ~Copyable, Sendable {
  internal let shared: SharedEnvironment

  /// The options of an environment; all handles of one environment in a process must agree.
  public struct Options: Hashable, Sendable {
    /// Whether a missing directory or file is created; otherwise it is an error.
    public var creates: Bool
    /// The maximum number of named tables; with 0 only the unnamed table can be used.
    public var tablesMax: Int
    /// Whether a commit is synced to disk before it is visible. Unsynced is only for data that can be rebuilt.
    public var isSynced: Bool
    /// The reserved address space, so that the map never has to move; halved until the system grants it.
    public var mapSize: Int
    /// The maximum number of open read transactions, in all processes.
    public var readersMax: Int
    /// Whether the slots of readers whose process has died are freed at opening; false only to inspect them.
    public var reapsReaders = true
    /// Whether the file is only read, without LMDB's lock file: for media and directories that cannot be written.
    ///
    /// A concurrent writer does not know of such a reader, and may overwrite the pages that it reads.
    public var isReadOnly = false

    /// Creates options.
    public init(
      creates: Bool = false, tablesMax: Int = 0, isSynced: Bool = true, mapSize: Int = 1 << 40,
      readersMax: Int = 2_048
    ) {
      self.creates = creates
      self.tablesMax = tablesMax
      self.isSynced = isSynced
      self.mapSize = mapSize
      self.readersMax = readersMax
    }
  }

  /// Opens the environment in a directory; a created directory has mode 0700, its files 0600.
  ///
  /// No component of the path and neither file may be a symbolic link.
  ///
  /// The corresponding C function is `mdb_env_open`.
  public init(path: String, options: Options = Options()) throws(EnvironmentError) {
    shared = try SharedEnvironment.open(path: path, options: options)
  }

  deinit { shared.release() }

  /// The directory, as given to the first opening.
  public var path: String { shared.path }

  /// The size of a page in bytes.
  public var pageSize: Int { shared.pageSize }

  /// Runs the closure in a read transaction on the newest state.
  ///
  /// The corresponding C function is `mdb_txn_begin` with `MDB_RDONLY`.
  public borrowing func read<R>(
    _ body: (ReadTransaction) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    let open = try OpenReadTransaction(shared)
    return try body(ReadTransaction(open, of: shared))
  }

  /// Runs the closure in a write transaction; commits when it returns, aborts when it throws.
  ///
  /// It blocks, without limit, while another thread or process writes: callers that may write for long take a lock of
  /// their own first. The corresponding C functions are `mdb_txn_begin` and `mdb_txn_commit`.
  @available(*, noasync, message: "a write transaction belongs to its thread")
  public borrowing func write<R>(
    _ body: (inout WriteTransaction) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    var transaction = try WriteTransaction(shared)
    if shared.isSynced { mdb_env_set_flags(shared.pointer, UInt32(MDB_NOSYNC), 0) }
    let result = try body(&transaction)
    try transaction.commit()
    return result
  }

  /// Opens a table, the unnamed one for nil; creates it if it is missing.
  ///
  /// The corresponding C function is `mdb_dbi_open`.
  @available(*, noasync, message: "a write transaction belongs to its thread")
  public borrowing func table(_ name: String?) throws(LMDBError) -> Table {
    try shared.table(name)
  }

  /// Returns the number of the last committed transaction of any process; takes nanoseconds.
  ///
  /// The corresponding C function is `mdb_env_info`.
  public borrowing func lastTransaction() -> Int {
    var info = MDB_envinfo()
    mdb_env_info(shared.pointer, &info)
    return Int(info.me_last_txnid)
  }

  /// Whether the file at the path is still the open one: it was not moved, deleted or replaced.
  public var isInPlace: Bool { shared.isInPlace }

  /// Returns whether LMDB refuses all further transactions because a meta page could not be written; until the file is
  /// reopened it is unknown whether the transaction that was being committed is in force.
  ///
  /// "This is a fatal error… environment had fatal error, must shutdown" is what `mdb_txn_begin` returns then.
  public borrowing func hasFailed() -> Bool {
    do throws(LMDBError) {
      try read { _ throws(LMDBError) in }
      return false
    } catch {
      return error == .panic
    }
  }

  /// Syncs all commits to disk, also those of an unsynced environment.
  ///
  /// The corresponding C function is `mdb_env_sync`.
  public borrowing func sync() throws(LMDBError) {
    try LMDBError.check(mdb_env_sync(shared.pointer, 1))
  }

  /// Passes the mapped file up to its last page to the closure; nil where its address is unknown.
  package borrowing func withMap<R>(_ body: (UnsafeRawBufferPointer?) -> R) -> R {
    guard let start = shared.mapStart, let base = UnsafeRawPointer(bitPattern: start),
      let count = shared.pageCount(reaching: lastPage())
    else { return body(nil) }
    return withExtendedLifetime(shared) {
      body(UnsafeRawBufferPointer(start: base, count: Int(count) * shared.pageSize))
    }
  }

  private borrowing func lastPage() -> UInt64 {
    var info = MDB_envinfo()
    mdb_env_info(shared.pointer, &info)
    return UInt64(info.me_last_pgno)
  }

  /// Writes bytes to the file, beside what LMDB itself writes there.
  package borrowing func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LMDBError) {
    var descriptor: CInt = -1
    try LMDBError.check(mdb_env_get_fd(shared.pointer, &descriptor))
    var done = 0
    while done < bytes.count {
      let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      // A write of nothing means that the disk is full.
      guard count > 0 else { throw LMDBError(rawValue: count < 0 ? errno : ENOSPC) }
      done += count
    }
  }

  /// Copies the newest state into an empty directory without blocking writers; free pages are left out.
  ///
  /// It is a long read transaction: concurrent commits grow the file. The copy is not synced here. The corresponding C
  /// function is `mdb_env_copyfd2`: the file is created here with mode 0600, since `mdb_env_copy2` creates one that the
  /// group and others may read as far as the umask lets them.
  public borrowing func copy(to directory: String) throws(LMDBError) {
    let descriptor = try LMDBError.mapping { () throws(FileError) in
      try FileSystem.openFile(directory + "/data.mdb", O_WRONLY | O_CREAT | O_EXCL)
    }
    defer { close(descriptor) }
    try LMDBError.check(mdb_env_copyfd2(shared.pointer, descriptor, UInt32(MDB_CP_COMPACT)))
  }

  /// Asks the system to read the file ahead, before a long scan.
  public borrowing func prefetch() {
    #if canImport(Glibc)
      var descriptor: CInt = -1
      if mdb_env_get_fd(shared.pointer, &descriptor) == 0 {
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_WILLNEED)
      }
    #endif
  }
}

/// An error of opening an environment.
public enum EnvironmentError: Error, Hashable, Sendable {
  /// The directory is on a filesystem that several machines can write: locks and maps are not reliable there.
  case networkFileSystem(path: String, kind: String)
  /// The directory or its data file is missing, and creating it was not requested.
  case missing(path: String)
  /// This process has the environment open with other options.
  case openWithOtherOptions(path: String)
  /// Another process has it open under the same process number, in another container or PID namespace.
  case processNumberTaken(path: String, Int32)
  /// The system or LMDB returned an error.
  case failed(path: String, LMDBError)
}

extension EnvironmentError: CustomStringConvertible {
  /// One sentence: what failed, on what, what to do.
  public var description: String {
    switch self {
    case .networkFileSystem(let path, let kind):
      "\(path) is on a network filesystem (\(kind)), where locks and shared maps are not reliable: "
        + "choose a directory on a local disk."
    case .missing(let path):
      "There is no data at \(path): check the path, or create it."
    case .openWithOtherOptions(let path):
      "\(path) is open in this process with other options: open it with the same ones or close it first."
    case .processNumberTaken(let path, let number):
      "\(path) is open in another container, in a process with the same number \(number): let containers that share a "
        + "workspace share their PID namespace, or run it there under another process number."
    case .failed(let path, let error) where error.isNoSpace:
      "\(path) cannot be opened, because its disk is full: free space and try again."
    case .failed(let path, .invalid):
      "\(path) does not contain an LMDB file, or its newest meta page is damaged: check the path, then salvage it."
    case .failed(let path, .versionMismatch):
      "\(path) was written by another version of LMDB: open it with the version that wrote it."
    case .failed(_, let error) where error.unexpectedFile != nil: error.unexpectedFile?.description ?? ""
    case .failed(let path, let error) where error.rawValue == ESTALE:
      "The file in \(path) was replaced while it was opened: try again."
    case .failed(let path, .readersFull):
      "All reader slots of \(path) are taken: end some of the processes that read it, which the command readers lists."
    case .failed(let path, let error):
      "\(path) cannot be opened (\(error)): "
        + "\(error.limitRemedy ?? "check that its directory and files are readable and writable")."
    }
  }
}
