// Commits with one sync, as <doc:Commits> describes.
internal import Errors
public import EventLog
internal import Files
internal import LMDB
internal import LMDBPages
internal import Locks

/// The failure of a commit.
internal enum CommitError: Error {
  /// The log has another head; nothing was written.
  case headMoved
  /// Nothing was appended.
  case notAppended(LMDBError)
  /// The commit was written and could not be synced, so that it may be lost.
  case uncertain(LMDBError)
}

extension LMDBLog {
  /// Appends after a head what the closure appends, a number of bytes; returns the number of the transaction when it
  /// is durable; the closure returns the new head.
  ///
  /// The caller holds the writer lock, and keeps the environment open: a log that is closed during an append still
  /// completes it.
  internal func commit(
    _ byteCount: Int, after head: Head, _ opened: OpenEnvironment, _ append: (inout Cursor) throws(LMDBError) -> Head
  ) throws(CommitError) -> Int {
    var (hasMoved, isHashed) = (false, true)
    let (mark, committed): (DurableMark, DurableMark.State)
    do throws(LMDBError) {
      if let existing = try existingMark(opened) { mark = existing } else { mark = try newMark(opened) }
      if mark.failed != nil { throw .inputOutput }
      committed = try opened.environment.write { transaction throws(LMDBError) in
        try settle(before: &transaction, mark, opened)
        isHashed = canHash(transaction.number - 1, opened)
        if isHashed { transaction.leaveUnsynced() }
        let end = try transaction.withCursor(over: table) { cursor throws(LMDBError) in
          hasMoved = try !cursor.isAt(end: head, genesis)
          if hasMoved { throw .keyExists }
          return try append(&cursor)
        }
        transaction.extendFile(toFit: byteCount, sparing: max(0, options.freeSpaceReserve))
        return DurableMark.State(transaction: transaction.number, position: end.position)
      }
    } catch {
      throw hasMoved ? .headMoved : .notAppended(error)
    }
    do throws(LMDBError) {
      try writeChecksum(committed.transaction, after: head.position, isHashed: isHashed, mark, opened)
      try opened.environment.sync()
      try LMDBError.mapping { () throws(FileError) in try mark.confirm(committed) }
    } catch {
      // The kernel may have dropped the pages: a later sync would succeed without them.
      try? mark.fail(committed.transaction)
      throw .uncertain(error)
    }
    known.withLock { $0.hasAppended = true }
    return committed.transaction
  }

  /// Makes the last commit durable, if the process that made it died before that. The caller holds the writer lock.
  internal func settle(_ opened: OpenEnvironment) throws(LMDBError) {
    guard let mark = try existingMark(opened) else { return }
    if mark.failed != nil { throw .inputOutput }
    // Also repairs the number of the last transaction, which a killed process may not have published.
    try opened.environment.write { transaction throws(LMDBError) in
      try settle(before: &transaction, mark, opened)
    }
  }

  private func settle(
    before transaction: inout WriteTransaction, _ mark: DurableMark, _ opened: OpenEnvironment
  ) throws(LMDBError) {
    let last = transaction.number - 1
    guard let durable = mark.state else { throw .corrupted }
    if durable.transaction >= last { return }
    let state = DurableMark.State(transaction: last, position: try end(of: &transaction))
    // Where the pages cannot be read, such as for lack of descriptors, no sync has failed.
    let pages = try hashedPages(of: last)
    do throws(LMDBError) {
      if let pages { try rewrite(pages, opened) }
      try opened.environment.sync()
      try opened.environment.write(CommitChecksum(synced: state, of: mark.fileNumber))
      try opened.environment.sync()
      try LMDBError.mapping { () throws(FileError) in try mark.confirm(state) }
    } catch {
      try? mark.fail(last)
      throw error
    }
  }

  /// Returns the pages of a commit by its checksum; nil where it has none. A sync is not tried before the checksum is
  /// written.
  private func hashedPages(of transaction: Int) throws(LMDBError) -> HashedPages? {
    let (file, checksum): (DataFile, CommitChecksum)
    do throws(DataFileError) {
      file = try DataFile(path: Self.logPath(path) + "/data.mdb")
      guard let stored = try file.checksum(at: transaction & 1), stored.transaction == UInt64(transaction),
        stored.kind == .hashed
      else { return nil }
      checksum = stored
    } catch {
      throw LMDBError(error)
    }
    var numbers: [PageNumber] = []
    let (source, previous) = (FilePages(file), Position(rawValue: checksum.previous))
    let hash = try? CommitChecksum.hash(
      ofTransaction: checksum.transaction, after: previous, in: source, visiting: { numbers.append($0) })
    if let failure = source.failure { throw LMDBError(failure) }
    return HashedPages(file: file, numbers: numbers, areWhole: hash == checksum.pages)
  }

  /// Writes the pages of a commit once more: its process may have died after a sync that failed, after which the kernel
  /// takes pages for written that are not.
  private func rewrite(_ pages: HashedPages, _ opened: OpenEnvironment) throws(LMDBError) {
    guard pages.areWhole else { throw .corrupted }
    let pageSize = pages.file.pageSize
    for page in pages.numbers {
      let bytes = try rethrow(
        pages.file.bytes(at: Int(page.rawValue) * pageSize, count: pageSize),
        as: { (error: DataFileError) in LMDBError(error) })
      let result = bytes.withUnsafeBytes { bytes in
        Result { () throws(LMDBError) in try opened.environment.write(bytes, at: Int(page.rawValue) * pageSize) }
      }
      try result.get()
    }
  }

  /// Returns the mark of the last durable transaction; nil while no process has appended since the system was started.
  internal func mark() throws(LogError) -> DurableMark? {
    let opened = try open()
    return try access { () throws(LMDBError) in try existingMark(opened) }
  }

  /// Returns the number of the last durable transaction, to which those of readers are compared.
  public func lastTransaction() throws(LogError) -> Int {
    let opened = try open()
    return try access { () throws(LMDBError) in
      guard let mark = try existingMark(opened) else { return opened.environment.lastTransaction() }
      guard let state = mark.state else { throw .corrupted }
      return state.transaction
    }
  }

  /// Returns the last durable state if a transaction sees a later one, which must not be visible yet; nil otherwise.
  internal func durable(
    before transaction: Int, _ opened: OpenEnvironment
  ) throws(LMDBError) -> DurableMark.State? {
    guard let mark = try existingMark(opened) else { return nil }
    guard let state = mark.state else { throw .corrupted }
    return state.transaction < transaction ? state : nil
  }

  private func existingMark(_ opened: OpenEnvironment) throws(LMDBError) -> DurableMark? {
    try marks.withLock { marks throws(LMDBError) in
      if let mark = marks.mark { return mark }
      // A process creates the mark before it appends for the first time.
      let last = opened.environment.lastTransaction()
      if last == marks.checked { return nil }
      let directory = Self.logPath(path)
      let number = try fileNumber()
      marks.mark = try LMDBError.mapping { () throws(FileError) in
        guard let (mark, validity) = try DurableMark.open(in: directory, of: number, isWritable: !isReadOnly),
          validity == .valid, let state = mark.state, state.transaction <= opened.environment.lastTransaction()
        else { return nil }
        return mark
      }
      if marks.mark == nil { marks.checked = last }
      return marks.mark
    }
  }

  /// Creates the mark; the file and the checksum of its last commit are durable before.
  ///
  /// The caller holds the writer lock.
  private func newMark(_ opened: OpenEnvironment) throws(LMDBError) -> DurableMark {
    let directory = Self.logPath(path)
    let number: UInt64
    if let known = try fileNumber() {
      number = known
    } else {
      number = try LMDBError.mapping { () throws(FileError) in try DurableMark.newNumber(of: directory) }
    }
    let state = try opened.environment.write { transaction throws(LMDBError) in
      let state = DurableMark.State(transaction: transaction.number - 1, position: try end(of: &transaction))
      try opened.environment.sync()
      try opened.environment.write(CommitChecksum(synced: state, of: number))
      try opened.environment.sync()
      return state
    }
    try LMDBError.mapping { () throws(FileError) in try DurableMark.create(in: directory, state, of: number) }
    marks.withLock { $0.checked = -1 }
    guard let mark = try existingMark(opened) else { throw .corrupted }
    return mark
  }

  /// Returns the number that the checksums of the file have; nil for a file without checksums.
  private func fileNumber() throws(LMDBError) -> UInt64? {
    do throws(DataFileError) { return try DataFile(path: Self.logPath(path) + "/data.mdb").fileNumber() } catch {
      throw LMDBError(error)
    }
  }

  /// Returns the position of the last block.
  private func end(of transaction: inout WriteTransaction) throws(LMDBError) -> Position {
    try transaction.withCursor(over: table) { cursor throws(LMDBError) in
      try cursor.moveToLast() ? BlockKey(cursor.key)?.position ?? .zero : .zero
    }
  }

  /// Writes the checksum of a transaction beside its meta page.
  private func writeChecksum(
    _ transaction: Int, after previous: Position, isHashed: Bool, _ mark: DurableMark, _ opened: OpenEnvironment
  ) throws(LMDBError) {
    let number = UInt64(transaction)
    var hash: UInt64 = 0
    if isHashed {
      let result = withPages(opened) { pages throws(PageDamage) in
        try CommitChecksum.hash(ofTransaction: number, after: previous, in: pages)
      }
      guard let found = result else { throw .corrupted }
      hash = found
    }
    try opened.environment.write(
      CommitChecksum(
        kind: isHashed ? .hashed : .synced, transaction: number, previous: previous.rawValue, pages: hash,
        file: mark.fileNumber))
  }

  /// Returns whether the pages of the next commit can be hashed: the address of the map is known, and the free list is
  /// small.
  private func canHash(_ transaction: Int, _ opened: OpenEnvironment) -> Bool {
    let count = withPages(opened) { pages throws(PageDamage) in
      try CommitChecksum.freePages(ofTransaction: UInt64(transaction), in: pages)
    }
    return count.map { $0 <= CommitChecksum.freePagesMax } ?? false
  }

  /// Passes the pages of the file to the closure; returns nil where they are not known, or damaged.
  private func withPages<R>(
    _ opened: OpenEnvironment, _ body: (MappedPages) throws(PageDamage) -> R
  ) -> R? {
    let pageSize = opened.environment.pageSize
    return opened.environment.withMap { bytes in
      bytes.flatMap { try? body(MappedPages(bytes: $0, pageSize: pageSize)) }
    }
  }
}

extension LMDBError {
  fileprivate init(_ error: DataFileError) {
    switch error {
    case .cannotOpen(_, let code), .cannotRead(_, _, let code): self.init(rawValue: code)
    case .outOfMemory, .notAFile, .noMetaPage, .noSuchTable, .damaged: self = .corrupted
    }
  }
}

/// The pages that a commit wrote, and whether they have its checksum.
private struct HashedPages {
  let file: DataFile
  let numbers: [PageNumber]
  let areWhole: Bool
}

/// The mark of a log that is open, as far as it is known.
internal struct Marks {
  var mark: DurableMark?
  /// The last transaction of LMDB when the mark was last looked for and missing.
  var checked = -1
}

extension CommitChecksum {
  /// Returns the hash of the pages of a transaction that appended blocks after a position.
  internal static func hash(
    ofTransaction transaction: UInt64, after position: Position, in source: any PageSource,
    visiting visit: ((PageNumber) -> Void)? = nil
  ) throws(PageDamage) -> UInt64 {
    let result = BlockKey(position).withKeyBytes { key in
      Result { () throws(PageDamage) in try hash(ofTransaction: transaction, after: key, in: source, visiting: visit) }
    }
    return try result.get()
  }
}

/// The pages of a file as LMDB has mapped them.
private struct MappedPages: PageSource {
  let bytes: UnsafeRawBufferPointer
  let pageSize: Int

  func withPage(
    _ page: PageNumber, _ body: (UnsafeRawBufferPointer) throws(PageDamage) -> Void
  ) throws(PageDamage) {
    guard page.rawValue < UInt64(bytes.count / pageSize) else { throw PageDamage(page, isBeyond: bytes.count) }
    let start = Int(page.rawValue) * pageSize
    try body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + pageSize]))
  }
}
