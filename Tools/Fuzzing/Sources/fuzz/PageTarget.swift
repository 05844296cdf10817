// The reader of LMDB's data files, on a small file with changed bytes.
import CLMDB
import Foundation
import Glibc
@testable import LMDBPages

extension Target {
  /// Changes of a small data file: each has a byte for its form, two bytes for page and offset, and a value.
  static let pages = Target(
    "pages", seeds: { _ in PageTarget.seeds }, prepare: { PageTarget.writeFile(PageTarget.original) },
    check: PageTarget.check)
}

private enum PageTarget {
  private static let path = "/dev/shm/fuzz-pages-\(getpid())"
  private static let pageSize = 4096

  /// The bytes of the file before each input.
  static let original: [UInt8] = {
    let sample = SampleFile()
    sample.fillSmall()
    sample.close()
    return sample.contents
  }()

  // Safe because libFuzzer runs one input at a time.
  nonisolated(unsafe) private static var contents = original
  nonisolated(unsafe) private static var descriptor: CInt = -1

  static func writeFile(_ bytes: [UInt8]) {
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, "\(path) cannot be written")
    atexit { unlink(PageTarget.path) }
  }

  static func check(_ input: [UInt8]) {
    var source = ByteSource(input)
    var size = original.count
    var changed = IndexSet()
    while !source.isAtEnd, changed.count < 20_000 {
      switch source.byte() % 16 {
      case 0: size = min(size, Int(source.byte()) * pageSize + source.number())
      case 1: copyPage(from: source.byte(), to: source.byte(), &changed)
      case let form: overwrite(form, &source, &changed)
      }
    }
    require(ftruncate(descriptor, off_t(size)) == 0, "\(path) cannot be truncated")
    store(changed, upTo: size)
    read()
    for range in changed.rangeView { contents.replaceSubrange(range, with: original[range]) }
    if size < original.count { store(IndexSet(integersIn: size..<original.count), upTo: original.count) }
    store(changed, upTo: original.count)
  }

  private static func store(_ changed: IndexSet, upTo size: Int) {
    for range in changed.rangeView where range.lowerBound < size {
      let range = range.clamped(to: 0..<size)
      contents.withUnsafeBytes { bytes in
        _ = pwrite(descriptor, bytes.baseAddress! + range.lowerBound, range.count, off_t(range.lowerBound))
      }
    }
  }

  private static func copyPage(from source: UInt8, to target: UInt8, _ changed: inout IndexSet) {
    let pages = original.count / pageSize
    let (from, to) = (Int(source) % pages * pageSize, Int(target) % pages * pageSize)
    contents.replaceSubrange(to..<to + pageSize, with: contents[from..<from + pageSize])
    changed.insert(integersIn: to..<to + pageSize)
  }

  /// Overwrites 1, 2, 4 or 8 bytes, anywhere or in one of the fields that begin a page.
  private static func overwrite(_ form: UInt8, _ source: inout ByteSource, _ changed: inout IndexSet) {
    let page = Int(source.byte()) % (original.count / pageSize)
    let place = form < 9 ? source.number() % pageSize : Int(source.byte())
    let count = [1, 2, 4, 8][Int(form & 3)]
    let offset = page * pageSize + min(place, pageSize - count)
    for index in offset..<offset + count {
      contents[index] = source.byte()
      changed.insert(index)
    }
  }

  /// Calls all readers; a file without damage must be read in the same way by LMDB itself.
  private static func read() {
    guard let file = try? DataFile(path: path) else { return require(false, "\(path) cannot be opened") }
    _ = (file.isUnfinished, file.unusedMetaDefect(), file.entryCounts())
    for case .success(let meta) in file.metas { check(file, meta) }
    guard file.pageSize == pageSize, file.metaDisagreement() == nil, let meta = try? file.newestMeta(),
      file.lengthDefect(of: meta) == nil, (try? file.damages(of: meta)) == []
    else { return }
    openInLMDB(file, meta)
  }

  private static func check(_ file: DataFile, _ meta: MetaPage) {
    _ = file.lengthDefect(of: meta)
    let report = try? file.examine(meta)
    let isSound = report?.damages.isEmpty == true
    let names = (try? file.tableNames(of: meta)) ?? []
    require(!isSound || !names.isEmpty || meta.main.entries < 2, "a sound file has no tables")
    for table in [nil] + names.map({ $0 as String? }) {
      var pairs = 0
      do throws(DataFileError) {
        try file.forEach(in: table, of: meta) { _, _, _ in
          pairs += 1
          return true
        }
      } catch {
        // A table's name need not be UTF-8, and then cannot be given.
        if case .noSuchTable = error { continue }
        require(!isSound, "a sound file has damage: \(error)")
      }
      var reachable = 0
      _ = try? file.forEachReachable(in: table, of: meta) { _, _, _ in
        reachable += 1
        return true
      }
      require(reachable >= pairs, "\(reachable) pairs can be reached, and \(pairs) were read")
    }
  }

  /// Reads all pairs with LMDB, which trusts its file, and compares their number.
  private static func openInLMDB(_ file: DataFile, _ meta: MetaPage) {
    var environment: OpaquePointer?
    guard mdb_env_create(&environment) == 0 else { return require(false, "no environment of LMDB") }
    defer { mdb_env_close(environment) }
    mdb_env_set_maxdbs(environment, 8)
    let flags = UInt32(MDB_NOSUBDIR | MDB_RDONLY | MDB_NOLOCK | MDB_NOTLS)
    guard mdb_env_open(environment, path, flags, 0o600) == 0 else { return }
    var transaction: OpaquePointer?
    guard mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction) == 0 else { return }
    defer { mdb_txn_abort(transaction) }
    for name in [nil] + ((try? file.tableNames(of: meta)) ?? []).map({ $0 as String? }) {
      var table: MDB_dbi = 0
      guard mdb_dbi_open(transaction, name, 0, &table) == 0 else { continue }
      var cursor: OpaquePointer?
      guard mdb_cursor_open(transaction, table, &cursor) == 0 else { continue }
      defer { mdb_cursor_close(cursor) }
      var (pairs, sum) = (0, 0)
      var (key, value) = (MDB_val(), MDB_val())
      while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 {
        pairs += 1
        for part in [key, value] {
          for byte in UnsafeRawBufferPointer(start: part.mv_data, count: part.mv_size) { sum &+= Int(byte) }
        }
      }
      var (ours, ourSum) = (0, 0)
      try? file.forEach(in: name, of: meta) { key, value, _ in
        ours += 1
        for part in [key, value] { for byte in part { ourSum &+= Int(byte) } }
        return true
      }
      require(
        (pairs, sum) == (ours, ourSum), "LMDB reads \(pairs) pairs of \(name ?? "the tables"), this reader \(ours)")
    }
  }

  static var seeds: [String: [UInt8]] {
    var seeds: [String: [UInt8]] = [
      "nothing": [], "cut": [0, 3, 7, 0], "copy": [1, 2, 5], "metas": [1, 0, 1, 1, 1, 0],
    ]
    for page: UInt8 in 0..<24 {
      for offset: UInt8 in [10, 12, 14, 16, 24, 40, 60, 88, 130] {
        seeds["\(page)-\(offset)"] = [9 + offset % 4, page, offset, 1, 0, 0, 0, 0, 0, 0, 0]
      }
    }
    return seeds
  }
}
