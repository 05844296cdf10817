// The contents of sample files.
import CLMDB
import SeededRandom

extension SampleFile {
  static let tables: [(name: String, flags: Int32)] = [
    ("bytes", 0), ("deep", 0), ("numbers", MDB_INTEGERKEY),
  ]

  /// Writes two tables of a few pages each, a large value, and a free list: all types of pages in little space.
  func fillSmall() {
    write { transaction in
      let numbers = transaction.table("numbers", flags: MDB_INTEGERKEY)
      // Around 256, integer order differs from the order of their bytes.
      let value = [UInt8](repeating: 1, count: 300)
      for number in 248..<264 { transaction.put(integerKey(number), value, in: numbers) }
      let bytes = transaction.table("bytes")
      for number in 10..<15 {
        transaction.put(Array("key\(number)".utf8), [UInt8](repeating: 9, count: 901), in: bytes)
      }
    }
    write { transaction in
      let bytes = transaction.table("bytes")
      transaction.put(Array("large".utf8), [UInt8](repeating: 8, count: 5000), in: bytes)
      transaction.delete(Array("key10".utf8), in: bytes)
    }
    write { $0.put(integerKey(1000), [0, 0], in: $0.table("numbers", flags: MDB_INTEGERKEY)) }
  }

  /// Runs many transactions of puts and deletes, some aborted, some nested, some emptying a table.
  func churn(seed: UInt64, transactions: Int) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<transactions {
      write(commit: random.below(8) > 0) { transaction in
        change(transaction, &random)
        if random.below(3) == 0 {
          transaction.nested(commit: random.below(2) == 0) { change($0, &random) }
        }
      }
    }
  }

  private func change(_ transaction: Transaction, _ random: inout SeededRandom) {
    let tables = Self.tables.map { transaction.table($0.name, flags: $0.flags) }
    if random.below(60) == 0 { transaction.empty(tables[random.below(3)]) }
    let count = random.below(10) == 0 ? 800 : 30
    for _ in 0..<count {
      let index = random.below(3)
      let number = random.below(1200)
      let name = Array("\(number)".utf8)
      // Long keys in "deep" leave room for few in a branch page, so that the tree becomes deep.
      let dots = Array(repeating: UInt8(ascii: "."), count: index == 1 ? 400 : number % 9)
      let key = index == 2 ? integerKey(number) : name + dots
      if random.below(3) == 0 {
        transaction.delete(key, in: tables[index])
      } else {
        transaction.put(key, random.bytes(random.valueSize), in: tables[index])
      }
    }
  }
}

extension SeededRandom {
  /// Returns a random byte repeated `count` times.
  mutating func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(below(256)), count: count) }

  /// A random value size: mostly small, some around the maximum in a leaf, some of several pages.
  var valueSize: Int {
    mutating get { below(12) == 0 ? below(20_000) : below(12) == 0 ? 1900 + below(300) : below(200) }
  }
}
