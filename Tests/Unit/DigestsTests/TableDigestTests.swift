// The digest of a table: what it must not depend on, and what it must.
import Digests
import SeededRandom
import Testing

@Suite struct `The quick hash` {
  /// From xxHash's own sanity check: the input, a length, the result with seed 0 and with a seed.
  @Test(
    arguments: [
      (0, 0x2D06_8005_38D3_94C2, 0xA8A6_B918_B2F0_364A),
      (1, 0xC44B_DFF4_074E_ECDB, 0x032B_E332_DD76_6EF8),
      (6, 0x27B5_6A84_CD2D_7325, 0x8458_9C11_6AB5_9AB9),
      (12, 0xA713_DAF0_DFBB_77E7, 0xE730_3E1B_2336_DE0E),
      (24, 0xA3FE_70BF_9D35_10EB, 0x850E_80FC_35BD_D690),
      (48, 0x397D_A259_ECBA_1F11, 0xADC2_CBAA_44AC_C616),
      (80, 0xBCDE_FBBB_2C47_C90A, 0xC6DD_0CB6_9953_2E73),
      (195, 0xCD94_217E_E362_EC3A, 0xBA68_003D_370C_B3D9),
      (403, 0xCDEB_804D_65C6_DEA4, 0x6259_F6EC_FD64_43FD),
      (2048, 0xDD59_E2C3_A5F0_38E0, 0x66F8_1670_669A_BABC),
    ] as [(Int, UInt64, UInt64)])
  func `is XXH3-64`(count: Int, unseeded: UInt64, seeded: UInt64) {
    var generator: UInt64 = 2_654_435_761
    let bytes = (0..<count).map { _ in
      defer { generator &*= 11_400_714_785_074_694_797 }
      return UInt8(generator >> 56)
    }
    #expect(bytes.withUnsafeBytes { quickHash($0) } == unseeded)
    #expect(bytes.withUnsafeBytes { quickHash($0, seed: 11_400_714_785_074_694_797) } == seeded)
  }
}

@Suite struct `The hash of a row` {
  /// It is stored, as the digest is.
  @Test func `has a checksum that is what it was: the low bits of a digest of the row alone`() {
    let row = Row("key", "value")
    #expect(row.hash(seed: 1).checksum == 0xADCE_1535)
    #expect(row.hash(seed: 1).checksum == UInt32(truncatingIfNeeded: digest([row], seed: 1).sum))
  }

  @Test func `has another checksum with every other bit, length or table`() {
    let row = Row("some key", "a value of some length")
    let checksum = row.hash(seed: 0).checksum
    for other in row.neighbours { #expect(other.hash(seed: 0).checksum != checksum) }
    #expect(Set((0..<100).map { row.hash(seed: $0).checksum }).count == 100)
    #expect(Row("ab", "c").hash(seed: 0).checksum != Row("a", "bc").hash(seed: 0).checksum)
  }
}

@Suite struct `The digest of a table` {
  @Test func `of no rows is zero`() {
    #expect(digest([]).sum == 0)
    #expect(TableDigest().description == String(repeating: "0", count: 32))
  }

  /// It is stored: another would make every folder that exists look damaged. Computed with xxHash in C.
  @Test func `of a row is what it was`() {
    #expect(digest([Row("key", "value")], seed: 1).description == "29a11b074a9766cf193fb428adce1535")
  }

  @Test func `does not depend on the order of its rows, nor on rows that came and went`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<50 {
      let rows = random.rows(1 + random.below(20))
      let expected = digest(rows)
      #expect(digest(rows.shuffled(using: &random)) == expected)
      var other = digest(rows)
      let passing = random.rows(10)
      for row in passing { other.add(row, seed: 0) }
      for row in passing.shuffled(using: &random) { other.remove(row, seed: 0) }
      #expect(other == expected)
      for row in rows.shuffled(using: &random) { other.remove(row, seed: 0) }
      #expect(other.sum == 0)
    }
  }

  @Test func `changes with every bit of a row and with its length`() {
    let row = Row("some key", "a value of some length")
    let expected = digest([row])
    for other in row.neighbours { #expect(digest([other]) != expected) }
  }

  @Test func `changes when a byte moves from the key to the value`() {
    #expect(digest([Row("ab", "c")]) != digest([Row("a", "bc")]))
    #expect(digest([Row("abc", "")]) != digest([Row("", "abc")]))
  }

  @Test func `changes when two rows exchange their values`() {
    #expect(digest([Row("a", "1"), Row("b", "2")]) != digest([Row("a", "2"), Row("b", "1")]))
  }

  @Test func `counts a row as often as it is added`() {
    let row = Row("a", "1")
    #expect(digest([row, row]) != digest([row]))
    #expect(digest([row, row]).sum != 0)
  }

  @Test func `is another for another table`() {
    let rows = [Row("a", "1"), Row("b", "2")]
    #expect(Set((0..<100).map { digest(rows, seed: $0) }).count == 100)
  }

  @Test func `is written as 32 hexadecimal digits, the most significant first`() {
    #expect(TableDigest(sum: 0xABC).description == String(repeating: "0", count: 29) + "abc")
    #expect(TableDigest(sum: .max).description == String(repeating: "f", count: 32))
    #expect(TableDigest(sum: 1 << 127).description == "8" + String(repeating: "0", count: 31))
  }
}

private struct Row {
  var key: [UInt8]
  var value: [UInt8]

  init(_ key: [UInt8], _ value: [UInt8]) { (self.key, self.value) = (key, value) }
  init(_ key: String, _ value: String) { self.init(Array(key.utf8), Array(value.utf8)) }

  /// Each row that differs in one bit, or has a byte less or more in one place.
  var neighbours: [Row] {
    changes(of: key).map { Row($0, value) } + changes(of: value).map { Row(key, $0) }
  }

  func hash(seed: UInt64) -> RowHash {
    key.withUnsafeBytes { key in value.withUnsafeBytes { RowHash(key: key, value: $0, seed: seed) } }
  }

  private func changes(of bytes: [UInt8]) -> [[UInt8]] {
    var changes = [bytes + [0], Array(bytes.dropLast())]
    for index in bytes.indices {
      for bit in 0..<8 {
        changes.append(bytes)
        changes[changes.count - 1][index] ^= 1 << bit
      }
    }
    return changes
  }
}

private func digest(_ rows: [Row], seed: UInt64 = 0) -> TableDigest {
  var digest = TableDigest()
  for row in rows { digest.add(row, seed: seed) }
  return digest
}

extension TableDigest {
  fileprivate mutating func add(_ row: Row, seed: UInt64) { add(row.hash(seed: seed)) }

  fileprivate mutating func remove(_ row: Row, seed: UInt64) { remove(row.hash(seed: seed)) }
}

extension SeededRandom {
  fileprivate mutating func rows(_ count: Int) -> [Row] {
    (0..<count).map { _ in Row(noise(1 + below(20)), noise(below(100))) }
  }
}
