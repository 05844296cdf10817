// The only LMDB environment of a file in this process, and the registry that keeps it the only one.
internal import CLMDB
internal import Errors
internal import Files
internal import Locks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An open environment and the count of its handles.
// Safe because LMDB's environment can be used from any thread, and all mutable state here is behind locks.
internal final class SharedEnvironment: @unchecked Sendable {
  let pointer: OpaquePointer
  let path: String
  let pageSize: Int
  /// The address of the map; nil where the system does not report it, as LMDB does not expose it.
  let mapStart: UInt?
  /// A number unique within this process: an address would be reused, and a table of a closed environment would then
  /// pass for another environment's.
  let serial = SharedEnvironment.serials.withLock { last in
    last += 1
    return last
  }
  private let identity: FileIdentity
  private let options: Environment.Options
  /// Whether commits are synced, unless a transaction leaves that to its caller.
  var isSynced: Bool { options.isSynced }
  /// The absolute path of the data file, which does not depend on the working directory.
  private let dataPath: String
  private let tables = Locked<[String?: MDB_dbi]>([:])
  /// The page count of the file when it was last queried.
  private let knownPageCount = Locked<UInt64>(0)

  /// The registry's key for an environment.
  ///
  /// A read-only environment has no lock file whose locks a second opening and closing would drop, so it and a writable
  /// one can both be open.
  private struct Key: Hashable {
    let identity: FileIdentity
    let isReadOnly: Bool
  }

  private struct Entry {
    let environment: SharedEnvironment
    var handles: Int
  }

  private static let registry = Locked<[Key: Entry]>([:])
  private static let serials = Locked(0)

  static func open(path: String, options: Environment.Options) throws(EnvironmentError) -> SharedEnvironment {
    try registry.withLock { entries throws(EnvironmentError) in
      let identity = try prepare(path, options)
      let key = Key(identity: identity, isReadOnly: options.isReadOnly)
      if var entry = entries[key] {
        var asked = options
        asked.creates = entry.environment.options.creates
        asked.reapsReaders = entry.environment.options.reapsReaders
        guard asked == entry.environment.options else { throw .openWithOtherOptions(path: path) }
        entry.handles += 1
        entries[key] = entry
        return entry.environment
      }
      // The same file may be mapped once for writing and once for reading alone.
      let mapped = Set(entries.filter { $0.key.identity == identity }.compactMap { $0.value.environment.mapStart })
      let environment = try SharedEnvironment(path: path, identity: identity, options: options, besides: mapped)
      guard environment.isFile(identity) else {
        mdb_env_close(environment.pointer)
        throw .failed(path: path, LMDBError(rawValue: ESTALE))
      }
      entries[key] = Entry(environment: environment, handles: 1)
      return environment
    }
  }

  /// Runs the closure while no thread of this process opens or closes an environment; its argument is whether the
  /// process has the one in a directory open.
  static func withoutOpenings<R, E: Error>(
    of directory: String, _ body: (_ isOpen: Bool) throws(E) -> R
  ) throws(E) -> R {
    try registry.withLock { entries throws(E) in
      let identity = FileIdentity(at: directory + "/data.mdb")
      return try body(identity.map { entries[Key(identity: $0, isReadOnly: false)] != nil } ?? false)
    }
  }

  /// Returns whether LMDB, which opens by path, has opened the file that was found there before.
  private func isFile(_ identity: FileIdentity) -> Bool {
    var descriptor: CInt = -1
    return mdb_env_get_fd(pointer, &descriptor) == 0 && FileIdentity(of: descriptor) == identity
  }

  /// Returns the page count of the file, refreshed when the given page is beyond it; nil when the system does not
  /// report it.
  func pageCount(reaching page: UInt64) -> UInt64? {
    knownPageCount.withLock { count in
      if page < count { return count }
      var descriptor: CInt = -1
      var status = stat()
      guard mdb_env_get_fd(pointer, &descriptor) == 0, fstat(descriptor, &status) == 0 else { return nil }
      count = UInt64(status.st_size) / UInt64(pageSize)
      return count
    }
  }

  /// Whether the file at the path is still the open one: it was not moved, deleted or replaced.
  var isInPlace: Bool { FileIdentity.withoutTimes(at: dataPath) == identity }

  /// Frees the slots of readers whose process has died; returns their number.
  func reapStaleReaders() -> Int {
    var dead: CInt = 0
    mdb_reader_check(pointer, &dead)
    return Int(dead)
  }

  func release() {
    Self.registry.withLock { entries in
      let key = Key(identity: identity, isReadOnly: options.isReadOnly)
      guard var entry = entries[key] else { return }
      entry.handles -= 1
      if entry.handles == 0 {
        entries[key] = nil
        mdb_env_close(pointer)
      } else {
        entries[key] = entry
      }
    }
  }

  /// Creates directory and file if requested, and returns the identity of the file.
  private static func prepare(
    _ path: String, _ options: Environment.Options
  ) throws(EnvironmentError) -> FileIdentity {
    do throws(FileError) {
      if options.creates { try FileSystem.makeDirectory(path) }
      // LMDB opens both by path, and would follow links.
      try FileSystem.require(files: ["data.mdb", "lock.mdb"], in: path)
    } catch {
      throw .failed(path: path, LMDBError(error))
    }
    // "Do not use LMDB databases on remote filesystems".
    if let kind = FileSystem.networkKind(at: path) { throw .networkFileSystem(path: path, kind: kind) }
    let flags = (options.isReadOnly ? O_RDONLY : O_RDWR) | (options.creates ? O_CREAT : 0)
    let descriptor = try rethrow(
      FileSystem.openFile(path + "/data.mdb", flags),
      as: { (error: FileError) in
        error == .noSuchFile ? EnvironmentError.missing(path: path) : .failed(path: path, LMDBError(error))
      })
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let identity = FileIdentity(of: descriptor) else {
      throw .failed(path: path, LMDBError(rawValue: errno))
    }
    if status.st_size == 0, !options.creates { throw .missing(path: path) }
    return identity
  }

  /// The number of maps of the requested size that must fit for it to be granted.
  private static let share = 64
  private static let mapSizeMin = 1 << 30
  /// The addresses that must be left beside a map: for the heap, and for the stacks of threads, for whose addresses
  /// Dispatch waits without end.
  private static let addressesLeftMin = 512 << 20

  /// The attempts to open an environment: each needs a moment in which no other process fails to open it, too.
  private static let attemptsMax = 100

  private init(
    path: String, identity: FileIdentity, options: Environment.Options, besides mapped: Set<UInt>
  ) throws(EnvironmentError) {
    // A process may have many files open: none takes more than its share of the remaining address space.
    let fair = AddressSpace.addressesLeft(upTo: options.mapSize * Self.share) / Self.share
    var mapSize = min(options.mapSize, max(fair, Self.mapSizeMin))
    var attemptsLeft = Self.attemptsMax
    while true {
      do throws(LMDBError) {
        if !options.isReadOnly { try Self.reserveLockFile(path, readersMax: options.readersMax) }
        let needed = mapSize + Self.addressesLeftMin
        guard AddressSpace.addressesLeft(upTo: needed) == needed else { throw LMDBError(rawValue: ENOMEM) }
        pointer = try Self.openEnvironment(path, options, mapSize)
        break
      } catch {
        // Another process emptied the reader table while this one waited for its lock.
        if error.rawValue == EINVAL || error == .invalid, attemptsLeft > 0 {
          attemptsLeft -= 1
          sched_yield()
          continue
        }
        // A system that does not grant a terabyte of addresses may grant less.
        guard error.rawValue == ENOMEM, mapSize > Self.mapSizeMin else { throw .failed(path: path, error) }
        mapSize /= 2
      }
    }
    var stat = MDB_stat()
    mdb_env_stat(pointer, &stat)
    pageSize = Int(stat.ms_psize)
    mapStart = AddressSpace.mapStart(of: identity, byteCount: mapSize, besides: mapped)
    self.path = path
    self.identity = identity
    self.options = options
    dataPath = FileSystem.absolute(path) + "/data.mdb"
    if options.reapsReaders {
      var dead: CInt = 0
      mdb_reader_check(pointer, &dead)
    }
    do throws(LMDBError) { try requireOwnProcessNumber() } catch {
      mdb_env_close(pointer)
      throw error.rawValue == EAGAIN ? .processNumberTaken(path: path, getpid()) : .failed(path: path, error)
    }
  }

  /// Takes the lock that distinguishes this process's readers from those of others.
  ///
  /// LMDB locks the byte of `lock.mdb` at the process's number with the first read transaction of a process, and
  /// returns `EAGAIN` when another process has that lock: one with the same number in another PID namespace. Its
  /// readers would be indistinguishable from ours, so that one of the two would free pages that the other reads.
  private func requireOwnProcessNumber() throws(LMDBError) {
    guard options.reapsReaders, !options.isReadOnly else { return }
    var begun: OpaquePointer?
    let code = mdb_txn_begin(pointer, nil, UInt32(MDB_RDONLY), &begun)
    if code == 0 { mdb_txn_abort(begun) }
    // Any other error is returned by the read that encounters it.
    if code == EAGAIN { throw LMDBError(rawValue: code) }
  }

  /// Allocates the lock file's disk space before LMDB maps it: writing a page of a sparse file that a full disk cannot
  /// allocate kills the process.
  ///
  /// LMDB accepts a file that is large enough, whatever its content: the first process to open it initialises it.
  private static func reserveLockFile(_ path: String, readersMax: Int) throws(LMDBError) {
    #if canImport(Glibc)
      let descriptor = try LMDBError.mapping { () throws(FileError) in
        try FileSystem.openFile(path + "/lock.mdb", O_RDWR | O_CREAT)
      }
      defer { close(descriptor) }
      var status = stat()
      // `MDB_txninfo` and `MDB_reader` have 64 bytes for each slot, and as much again for the header before them.
      let byteCount = (readersMax + 2) * 64
      guard fstat(descriptor, &status) == 0 else { throw LMDBError(rawValue: errno) }
      if Int(status.st_blocks) * 512 >= Int(status.st_size), status.st_size > 0 { return }
      let code = posix_fallocate(descriptor, 0, off_t(max(Int(status.st_size), byteCount)))
      // Some filesystems cannot reserve space; there the file stays as LMDB creates it.
      if code != 0, code != EOPNOTSUPP, code != EINVAL { throw LMDBError(rawValue: code) }
    #endif
  }

  private static func openEnvironment(
    _ path: String, _ options: Environment.Options, _ mapSize: Int
  ) throws(LMDBError) -> OpaquePointer {
    var created: OpaquePointer?
    try LMDBError.check(mdb_env_create(&created))
    let environment = created!
    do throws(LMDBError) {
      try LMDBError.check(mdb_env_set_mapsize(environment, mapSize))
      try LMDBError.check(mdb_env_set_maxreaders(environment, UInt32(options.readersMax)))
      try LMDBError.check(mdb_env_set_maxdbs(environment, UInt32(options.tablesMax)))
      var flags = UInt32(MDB_NOTLS) | (options.isSynced ? 0 : UInt32(MDB_NOSYNC))
      if options.isReadOnly { flags |= UInt32(MDB_RDONLY | MDB_NOLOCK) }
      try LMDBError.check(mdb_env_open(environment, path, flags, 0o600))
    } catch {
      mdb_env_close(environment)
      throw error
    }
    return environment
  }

  /// Opens a table once; "this function must not be called from multiple concurrent transactions".
  func table(_ name: String?) throws(LMDBError) -> Table {
    let result: Result<MDB_dbi, LMDBError> = tables.withLock { open in
      if let identifier = open[name] { return .success(identifier) }
      return Result { () throws(LMDBError) in
        let identifier = try openTable(name)
        open[name] = identifier
        return identifier
      }
    }
    return Table(identifier: try result.get(), environment: serial, name: name)
  }

  private func openTable(_ name: String?) throws(LMDBError) -> MDB_dbi {
    // A read transaction first, so that an existing table opens also while another process writes.
    do throws(LMDBError) {
      return try openTable(name, UInt32(MDB_RDONLY), 0)
    } catch .notFound {
      return try openTable(name, 0, UInt32(MDB_CREATE))
    }
  }

  private func openTable(
    _ name: String?, _ transactionFlags: UInt32, _ tableFlags: UInt32
  ) throws(LMDBError) -> MDB_dbi {
    var begun: OpaquePointer?
    try LMDBError.check(mdb_txn_begin(pointer, nil, transactionFlags, &begun))
    var identifier: MDB_dbi = 0
    var flags: UInt32 = 0
    var code = mdb_dbi_open(begun, name, tableFlags, &identifier)
    if code == 0 { code = mdb_dbi_flags(begun, identifier, &flags) }
    // Our tables have no flags: others mean a damaged page, or a table of another program.
    if code == 0, flags != 0 { code = MDB_CORRUPTED }
    if code != 0 {
      mdb_txn_abort(begun)
      throw LMDBError(rawValue: code)
    }
    try LMDBError.check(mdb_txn_commit(begun))
    return identifier
  }
}
