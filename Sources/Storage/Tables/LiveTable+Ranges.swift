// Range reads of a working table: the stored rows, overridden by those in memory.
public import Bytes

extension LiveTable {
  /// Returns the rows whose keys have a prefix, in the order of their keys, as of ``LiveTables/position``.
  ///
  /// Of the table store only this range is read, after one search. Where it is behind the position, all rows changed
  /// since are in memory, also while they are being written; a row in memory, present or known to be absent, overrides
  /// the stored one. Where it is past the position, this throws ``TablesError/ahead(_:)``, as for single rows.
  public func rows(under prefix: some TableKey) throws(TablesError) -> [(key: [UInt8], row: Row)] {
    let prefix = prefix.withKeyBytes { Array($0) }
    var found: [(key: [UInt8], row: Row)] = []
    try tables.source.lend(upTo: tables.position) { reading throws(TablesError) in
      try reading.forEachRow(of: number, from: prefix) { key, row in
        guard key.starts(with: prefix) else { return false }
        if held.pointee.rows.number(of: key) == nil { found.append((Array(key), row)) }
        return true
      }
    }
    let storedCount = found.count
    held.pointee.order.keepUp(with: held.pointee.rows.keys)
    held.pointee.order.forEachNumber(under: prefix, in: held.pointee.rows.keys) { number, key in
      if let row = held.pointee.rows.row(number) { found.append((Array(key), row)) }
    }
    if storedCount > 0, found.count > storedCount { found.sort { $0.key.lexicographicallyPrecedes($1.key) } }
    return found
  }
}

/// The row numbers of the keys in memory, in the order of their bytes.
///
/// They are sorted when a range is first requested, and afterwards whenever new keys exist: without range reads there
/// is no cost, and many range reads do not sort all keys each time.
@usableFromInline
internal struct KeyOrder {
  private var numbers: [Int] = []
  /// The largest number of new keys that are inserted one by one; more are sorted together with all others.
  private static let fewMax = 16

  @usableFromInline
  init() {}

  /// Adds the keys that are new since the last call.
  mutating func keepUp(with keys: ByteMap) {
    let new = numbers.count..<keys.count
    if new.count > Self.fewMax {
      numbers += new
      numbers.sort { a, b in keys.withKey(a) { a in keys.withKey(b) { a.lexicographicallyPrecedes($0) } } }
    } else {
      for number in new { keys.withKey(number) { numbers.insert(number, at: index(of: $0, in: keys)) } }
    }
  }

  /// Calls the closure with the keys that have a prefix, in order.
  func forEachNumber(
    under prefix: [UInt8], in keys: ByteMap, _ body: (_ number: Int, _ key: UnsafeRawBufferPointer) -> Void
  ) {
    for number in numbers[prefix.withUnsafeBytes { index(of: $0, in: keys) }...] {
      let begins = keys.withKey(number) { key in
        guard key.starts(with: prefix) else { return false }
        body(number, key)
        return true
      }
      if !begins { return }
    }
  }

  /// Returns the number of keys before a key.
  private func index(of key: UnsafeRawBufferPointer, in keys: ByteMap) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if keys.withKey(numbers[middle], { $0.lexicographicallyPrecedes(key) }) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
