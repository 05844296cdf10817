// An environment: a directory with one LMDB file, open in this process once.
internal import CLMDB
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A handle of an open environment.
///
/// Opening the same directory again, by whatever path, gives a second handle of the same environment, as LMDB
/// demands ("do not have open an LMDB database twice in the same process at the same time"); it closes with its last
/// handle. A process that was forked must not use its parent's handles.
public struct Environment: ~Copyable, Sendable {
  internal let shared: SharedEnvironment

  /// What is chosen at opening; all handles of one environment in a process must agree.
  public struct Options: Hashable, Sendable {
    /// Whether a missing directory or file is made; otherwise it is an error.
    public var creates: Bool
    /// The number of named tables; with 0 only the unnamed table can be used.
    public var tablesMax: Int
    /// Whether a commit is on disk before it is visible. Unsynced is only for what can be made anew.
    public var isSynced: Bool
    /// The address space that is reserved, so that the map never has to move; halved until the system grants it.
    public var mapSize: Int
    /// How many read transactions can be open at once, in all processes.
    public var readersMax: Int
    /// Whether the places of readers whose process has died are freed at opening; only who wants to see them leaves
    /// them.
    public var reapsReaders = true
    /// Whether the file is only read, without LMDB's lock file: for media and directories that cannot be written.
    ///
    /// A process that writes meanwhile does not know of such a reader, and may overwrite the pages that it reads.
    public var isReadOnly = false

    /// Options with their defaults.
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

  /// Opens the environment in a directory; the directory is made with mode 0700, its files with 0600.
  ///
  /// No component of the path, and neither file, may be a symbolic link.
  ///
  /// The corresponding C function is `mdb_env_open`.
  public init(path: String, options: Options = Options()) throws(EnvironmentError) {
    shared = try SharedEnvironment.open(path: path, options: options)
  }

  deinit { shared.release() }

  /// The directory, as it was given to the first opening.
  public var path: String { shared.path }

  /// The bytes of a page.
  public var pageSize: Int { shared.pageSize }

  /// Lends the newest state to the closure.
  ///
  /// The corresponding C function is `mdb_txn_begin` with `MDB_RDONLY`.
  public borrowing func read<R>(
    _ body: (ReadTransaction) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    let open = try OpenReadTransaction(shared)
    return try body(ReadTransaction(open, of: shared))
  }

  /// Lends the right to change to the closure; commits when it returns, aborts when it throws.
  ///
  /// It waits, without limit, while another thread or process writes: who may hold that turn for long takes a lock of
  /// his own first. The corresponding C functions are `mdb_txn_begin` and `mdb_txn_commit`.
  @available(*, noasync, message: "a write transaction belongs to its thread")
  public borrowing func write<R>(
    _ body: (inout WriteTransaction) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    var transaction = try WriteTransaction(shared)
    let result = try body(&transaction)
    try transaction.commit()
    return result
  }

  /// Opens a table, the unnamed one for nil; makes it if it is not there.
  ///
  /// The corresponding C function is `mdb_dbi_open`.
  @available(*, noasync, message: "a write transaction belongs to its thread")
  public borrowing func table(_ name: String?) throws(LMDBError) -> Table {
    try shared.table(name)
  }

  /// The number of the last committed transaction, in any process; it costs nanoseconds to ask.
  ///
  /// The corresponding C function is `mdb_env_info`.
  public borrowing func lastTransaction() -> Int {
    var info = MDB_envinfo()
    mdb_env_info(shared.pointer, &info)
    return Int(info.me_last_txnid)
  }

  /// Whether the file at the path is still the one that is open: nobody moved, deleted or replaced it.
  public var isInPlace: Bool { shared.isInPlace }

  /// Whether LMDB refuses all further transactions, because a meta page could not be written: whether the transaction
  /// that was to be committed is in force is not known before the file is opened again.
  ///
  /// "This is a fatal error… environment had fatal error, must shutdown" is what `mdb_txn_begin` answers then.
  public borrowing func hasFailed() -> Bool {
    do throws(LMDBError) {
      try read { _ throws(LMDBError) in }
      return false
    } catch {
      return error == .panic
    }
  }

  /// Writes everything to the disk, also of an unsynced environment.
  ///
  /// The corresponding C function is `mdb_env_sync`.
  public borrowing func sync() throws(LMDBError) {
    try LMDBError.check(mdb_env_sync(shared.pointer, 1))
  }

  /// Copies the newest state into an empty directory, while others go on; free pages are left out.
  ///
  /// It is a long read transaction: what is written meanwhile adds to the file. The copy is not synced here. The
  /// corresponding C function is `mdb_env_copyfd2`: the file is made here, for its owner alone, since `mdb_env_copy2`
  /// makes one that the group may read, and others, as far as the umask lets them.
  public borrowing func copy(to directory: String) throws(LMDBError) {
    let descriptor = try Files.openFile(directory + "/data.mdb", O_WRONLY | O_CREAT | O_EXCL)
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

/// Why an environment could not be opened.
public enum EnvironmentError: Error, Hashable, Sendable {
  /// The directory lies on a filesystem that several machines can write: locks and maps are not reliable there.
  case networkFileSystem(path: String, kind: String)
  /// There is no such directory or no data file in it, and making it was not asked for.
  case missing(path: String)
  /// This process has it open already, with other options.
  case openWithOtherOptions(path: String)
  /// Another process has it open under the same process number: one of another container, or PID namespace.
  case processNumberTaken(path: String, Int32)
  /// The system or LMDB refused.
  case failed(path: String, LMDBError)
}

extension EnvironmentError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .networkFileSystem(let path, let kind):
      "\(path) lies on a network filesystem (\(kind)), where locks and shared maps are not reliable: "
        + "choose a directory on a local disk."
    case .missing(let path):
      "There is no data at \(path): check the path, or ask for it to be made."
    case .openWithOtherOptions(let path):
      "\(path) is open in this process with other options: open it with the same ones or close it first."
    case .processNumberTaken(let path, let number):
      "\(path) is open in another container, in a process with the same number \(number): let containers that share a "
        + "workspace share their PID namespace, or run it there under another process number."
    case .failed(let path, let error) where error.isNoSpace:
      "\(path) cannot be opened, because its disk is full: make room and try again."
    case .failed(let path, let error) where error.rawValue == EMFILE || error.rawValue == ENFILE:
      "\(path) cannot be opened, because too many files are open (\(error)): close some, or raise the limit."
    case .failed(let path, .invalid):
      "\(path) does not hold an LMDB file, or its newest meta page is damaged: check the path, then salvage it."
    case .failed(let path, .versionMismatch):
      "\(path) was written by another version of LMDB: open it with the version that wrote it."
    case .failed(_, let error) where error.unexpectedFile != nil: error.unexpectedFile?.description ?? ""
    case .failed(let path, let error) where error.rawValue == ESTALE:
      "The file in \(path) was replaced while it was opened: try again."
    case .failed(let path, .readersFull):
      "All reader slots of \(path) are taken: end some of the processes that read it, which the command readers lists."
    case .failed(let path, let error):
      "\(path) cannot be opened (\(error)): check that its directory and files can be read and written by you."
    }
  }
}
