// Ranges of a table that is folded into: what is in the folder, and over it what is held.
public import Bytes

extension LiveTable {
  /// The rows whose keys begin with some bytes, in the order of their keys, as they are at ``LiveTables/position``.
  ///
  /// Of the folder only this range is read, after one search. Where it stands before the position, whatever changed
  /// since is held, also while it is being written; a row that is held, there or known not to be, overrides the one in
  /// the folder. Where it stands further, it throws ``TablesError/ahead(_:)``, as it does for single rows.
  public func rows(under prefix: some TableKey) throws(TablesError) -> [(key: [UInt8], row: Row)] {
    let prefix = prefix.withKeyBytes { Array($0) }
    var found: [(key: [UInt8], row: Row)] = []
    try tables.tableStore.lend(upTo: tables.position) { reading throws(TablesError) in
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

/// The keys that a table holds, by their numbers, in the order of their bytes.
///
/// They are put in order when a range is first asked for, and from then on whenever others came: who asks for no range
/// has no part in it, and who asks for many does not go through all keys each time.
@usableFromInline
internal struct KeyOrder {
  private var numbers: [Int] = []
  /// How many keys may have come that are each put in their place; more are put in order with all others.
  private static let fewMax = 16

  @usableFromInline
  init() {}

  /// Takes in the keys that came since.
  mutating func keepUp(with keys: ByteMap) {
    let new = numbers.count..<keys.count
    if new.count > Self.fewMax {
      numbers += new
      numbers.sort { a, b in keys.withKey(a) { a in keys.withKey(b) { a.lexicographicallyPrecedes($0) } } }
    } else {
      for number in new { keys.withKey(number) { numbers.insert(number, at: place(of: $0, in: keys)) } }
    }
  }

  /// Lends the keys that begin with some bytes, in order.
  func forEachNumber(
    under prefix: [UInt8], in keys: ByteMap, _ body: (_ number: Int, _ key: UnsafeRawBufferPointer) -> Void
  ) {
    for number in numbers[prefix.withUnsafeBytes { place(of: $0, in: keys) }...] {
      let begins = keys.withKey(number) { key in
        guard key.starts(with: prefix) else { return false }
        body(number, key)
        return true
      }
      if !begins { return }
    }
  }

  /// How many keys come before one.
  private func place(of key: UnsafeRawBufferPointer, in keys: ByteMap) -> Int {
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
