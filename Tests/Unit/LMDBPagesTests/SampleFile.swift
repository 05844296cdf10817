// Sample files, written with LMDB itself.
import CLMDB
import Glibc

/// A directory with a data file that LMDB itself wrote, for the tests of the reader that does without it.
final class SampleFile {
  let directory: String
  var path: String { directory + "/data.mdb" }
  private var environment: OpaquePointer?

  init() {
    var template = Array("/tmp/datafile-XXXXXX".utf8CString)
    directory = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    open()
  }

  deinit {
    close()
    for name in ["data.mdb", "lock.mdb"] { unlink(directory + "/" + name) }
    rmdir(directory)
  }

  func open() {
    check(mdb_env_create(&environment))
    check(mdb_env_set_maxdbs(environment, 8))
    check(mdb_env_set_mapsize(environment, 1 << 28))
    check(mdb_env_open(environment, directory, UInt32(MDB_NOSYNC | MDB_NOTLS), 0o644))
  }

  func close() {
    if let environment { mdb_env_close(environment) }
    environment = nil
  }

  /// Runs one write transaction, committed unless `commit` is false.
  func write(commit: Bool = true, _ body: (Transaction) -> Void) {
    var transaction: OpaquePointer?
    check(mdb_txn_begin(environment, nil, 0, &transaction))
    body(Transaction(handle: transaction!))
    if commit { check(mdb_txn_commit(transaction)) } else { mdb_txn_abort(transaction) }
  }

  /// Returns a copy made by LMDB, plain or compacted.
  func copy(compact: Bool) -> SampleFile {
    let copy = SampleFile()
    copy.close()
    unlink(copy.path)
    check(mdb_env_copy2(environment, copy.directory, compact ? UInt32(MDB_CP_COMPACT) : 0))
    return copy
  }

  /// Returns every pair of a table as LMDB's own cursor yields them.
  func pairs(in table: String?, flags: Int32 = 0) -> [Pair] {
    var pairs: [Pair] = []
    write(commit: false) { transaction in
      var cursor: OpaquePointer?
      check(mdb_cursor_open(transaction.handle, transaction.table(table, flags: flags), &cursor))
      var (key, value) = (MDB_val(), MDB_val())
      while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 { pairs.append(Pair(key.bytes, value.bytes)) }
      mdb_cursor_close(cursor)
    }
    return pairs
  }

  /// The bytes of the file as they are on disk now.
  var contents: [UInt8] {
    get {
      let file = Glibc.open(path, O_RDONLY)
      defer { Glibc.close(file) }
      var bytes = [UInt8](repeating: 0, count: Int(lseek(file, 0, SEEK_END)))
      precondition(pread(file, &bytes, bytes.count, 0) == bytes.count)
      return bytes
    }
    set {
      let file = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
      defer { Glibc.close(file) }
      precondition(pwrite(file, newValue, newValue.count, 0) == newValue.count)
    }
  }

  /// Changes bytes of the file in place, and returns the old ones.
  @discardableResult
  func overwrite(at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    let file = Glibc.open(path, O_RDWR)
    defer { Glibc.close(file) }
    var old = bytes
    precondition(pread(file, &old, old.count, off_t(offset)) == old.count)
    precondition(pwrite(file, bytes, bytes.count, off_t(offset)) == bytes.count)
    return old
  }
}

struct Pair: Equatable {
  let key: [UInt8]
  let value: [UInt8]
  init(_ key: [UInt8], _ value: [UInt8]) { (self.key, self.value) = (key, value) }
}

extension SampleFile {
  struct Transaction {
    let handle: OpaquePointer

    func table(_ name: String?, flags: Int32 = 0) -> MDB_dbi {
      var table: MDB_dbi = 0
      check(mdb_dbi_open(handle, name, UInt32(name == nil ? flags : flags | MDB_CREATE), &table))
      return table
    }

    func put(_ key: [UInt8], _ value: [UInt8], in table: MDB_dbi) {
      withValue(key) { key in withValue(value) { value in check(mdb_put(handle, table, &key, &value, 0)) } }
    }

    func delete(_ key: [UInt8], in table: MDB_dbi) {
      withValue(key) { key in
        let code = mdb_del(handle, table, &key, nil)
        if code != MDB_NOTFOUND { check(code) }
      }
    }

    func empty(_ table: MDB_dbi) { check(mdb_drop(handle, table, 0)) }

    /// Runs a nested transaction, committed or not.
    func nested(commit: Bool, _ body: (Transaction) -> Void) {
      var child: OpaquePointer?
      check(mdb_txn_begin(mdb_txn_env(handle), handle, 0, &child))
      body(Transaction(handle: child!))
      if commit { check(mdb_txn_commit(child)) } else { mdb_txn_abort(child) }
    }

    private func withValue(_ bytes: [UInt8], _ body: (inout MDB_val) -> Void) {
      var bytes = bytes
      bytes.withUnsafeMutableBytes { buffer in
        var value = MDB_val(mv_size: buffer.count, mv_data: buffer.baseAddress)
        body(&value)
      }
    }
  }
}

extension MDB_val {
  var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: mv_data, count: mv_size)) }
}

/// Returns a number as an integer key, in the host's order.
func integerKey(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(number)) { Array($0) } }

private func check(_ code: Int32, line: Int = #line) {
  precondition(code == 0, "\(String(cString: mdb_strerror(code))) in line \(line)")
}
