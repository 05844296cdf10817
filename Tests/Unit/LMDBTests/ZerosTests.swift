// Threat: zeros that are written ahead overwrite data, or take the last space of a disk.
import Foundation
import Testing

@testable import LMDB

@Suite struct `Zeros behind the last page` {
  private let scratch = Scratch()

  private var size: Int {
    get throws { try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/data.mdb")).count }
  }

  private func add(
    _ number: Int, of count: Int, sparing reserve: Int = 0, to environment: borrowing Environment
  ) throws {
    let table = try environment.table(nil)
    let value = [UInt8](repeating: 7, count: count)
    try environment.write { transaction throws(LMDBError) in
      try transaction.add(withUnsafeBytes(of: number.bigEndian) { Array($0) }, value, in: table)
      transaction.extendFile(toFit: count, sparing: reserve)
    }
  }

  @Test(arguments: [200, 2_000, 16_000, 200_000])
  func `one of many commits extends the file, and no zeros overwrite what was written`(count: Int) throws {
    let environment = try scratch.open()
    var sizes: Set<Int> = []
    for number in 0..<200 {
      try add(number, of: count, to: environment)
      sizes.insert(try size)
    }
    // The first ones are small, since no file should be mostly zeros.
    #expect(sizes.count < 36)
    let pairs = try environment.pairs(in: environment.table(nil))
    #expect(pairs.count == 200 && pairs.allSatisfy { $0.value == [UInt8](repeating: 7, count: count) })
    let used = environment.statistics().usedByteCount
    let behind = try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/data.mdb")).dropFirst(used)
    #expect(!behind.isEmpty && behind.count < used + max(1 << 19, 10 * count) && behind.allSatisfy { $0 == 0 })
  }

  @Test func `no zeros are written where space is scarce, or ahead of a large commit`() throws {
    let environment = try scratch.open()
    for number in 0..<20 { try add(number, of: 9_000, sparing: .max / 2, to: environment) }
    #expect(try size <= environment.statistics().usedByteCount)
    try add(20, of: 1 << 20, to: environment)
    #expect(try size <= environment.statistics().usedByteCount)
    try add(21, of: 9_000, to: environment)
    #expect(try size > environment.statistics().usedByteCount)
  }
}
