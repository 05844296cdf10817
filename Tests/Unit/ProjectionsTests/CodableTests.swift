// Threat: a typed key sorts otherwise than its fields, or equal rows have different bytes.
import SeededRandom
import Testing

@testable import Projections

private struct SampleKey: Codable, Hashable {
  var name: String
  var number: Int
  var small: UInt8
  var ratio: Double
  var isSet: Bool
  var thread: String?
}

extension SampleKey: Comparable {
  static func < (a: SampleKey, b: SampleKey) -> Bool {
    if !a.name.utf8.elementsEqual(b.name.utf8) { return a.name.utf8.lexicographicallyPrecedes(b.name.utf8) }
    if a.number != b.number { return a.number < b.number }
    if a.small != b.small { return a.small < b.small }
    if a.ratio != b.ratio { return a.ratio < b.ratio }
    if a.isSet != b.isSet { return !a.isSet }
    guard let one = a.thread else { return b.thread != nil }
    return b.thread.map { one.utf8.lexicographicallyPrecedes($0.utf8) } ?? false
  }
}

private struct SampleRow: Codable, Hashable {
  enum Kind: String, Codable { case one, two }
  enum Content: Codable, Hashable {
    case text(String)
    case pair(Int, Double)
    case nothing
  }

  class Base: Codable {
    var base = 1
  }

  final class Derived: Base {
    var own = "x"
    private enum CodingKeys: CodingKey { case own }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      own = try container.decode(String.self, forKey: .own)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(own, forKey: .own)
      try super.encode(to: container.superEncoder())
    }
  }

  var kind = Kind.one
  var contents: [Content] = []
  var names: Set<String> = []
  var counts: [String: Int] = [:]
  var byNumber: [Int: [UInt8]] = [:]
  var byKey: [SampleKey: Float] = [:]
  var nested: [[Int?]] = []
  var maximum = UInt64.max
  var note: String?
}

private struct NestedRow: Codable, Hashable {
  var inner: [NestedRow] = []
}

@Suite struct `The encoding of keys and rows` {
  private func key(_ random: inout SeededRandom) -> SampleKey {
    let names = ["", "a", "a\u{0}", "a\u{0}b", "ab", "é", "e\u{301}", "z"]
    return SampleKey(
      name: names.randomElement(using: &random)!,
      number: [.min, -256, -1, 0, 1, 255, .max].randomElement(using: &random)!,
      small: .random(in: 0...3, using: &random),
      ratio: [-.infinity, -1.5, -0.0, 0, 1e-9, 2, .infinity].randomElement(using: &random)!,
      isSet: .random(using: &random), thread: ["", "t", nil].randomElement(using: &random)!)
  }

  @Test func `keys sort by their fields, and decode to themselves`() throws {
    var random = SeededRandom.printingSeed()
    let keys = (0..<500).map { _ in key(&random) }
    let encoded = try keys.map { try encodeKey($0) }
    for (key, bytes) in zip(keys, encoded) { #expect(try decodeKey(SampleKey.self, from: bytes) == key) }
    for (index, one) in keys.enumerated() {
      for (other, bytes) in zip(keys, encoded) where one < other {
        #expect(encoded[index].lexicographicallyPrecedes(bytes), "\(one) \(other)")
      }
    }
  }

  @Test func `a key has the encoding of its first field as a prefix`() throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<50 {
      let key = key(&random)
      #expect(try encodeKey(key).starts(with: encodeKey(key.name)))
    }
    #expect(try !encodeKey("ab").starts(with: encodeKey("a")))
  }

  @Test func `keys of arrays, dictionaries, enums with values and too many bytes throw`() {
    #expect(throws: EncodingError.self) { try encodeKey([1, 2]) }
    #expect(throws: EncodingError.self) { try encodeKey([1: 2]) }
    #expect(throws: EncodingError.self) { try encodeKey(SampleRow.Content.text("a")) }
    #expect(throws: EncodingError.self) { try encodeKey(String(repeating: "a", count: 510)) }
    #expect(throws: EncodingError.self) { try encodeKey([Int]()) }
    #expect(throws: EncodingError.self) { try encodeKey(Int128.max) }
  }

  @Test func `a damaged key throws`() throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<500 {
      var bytes = try encodeKey(key(&random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeLast(.random(in: 1...bytes.count, using: &random))
      case 1: bytes.append(.random(in: 0...9, using: &random))
      default: bytes[.random(in: bytes.indices, using: &random)] ^= .random(in: 1...255, using: &random)
      }
      // Either it is the encoding of another key, or it throws.
      if let other = try? decodeKey(SampleKey.self, from: bytes) { #expect(try encodeKey(other).count > 0) }
    }
    #expect(throws: DecodingError.self) { try decodeKey(Int.self, from: []) }
    #expect(throws: DecodingError.self) { try decodeKey(UInt8.self, from: encodeKey(UInt(256))) }
  }

  @Test func `rows decode to themselves, and equal rows have equal bytes whatever the order of their parts`() throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<50 {
      var row = SampleRow()
      row.kind = Bool.random(using: &random) ? .one : .two
      row.contents = [.text("a\"\u{7}"), .pair(-1, 0.1), .nothing].shuffled(using: &random)
      row.nested = [[1, nil], []]
      row.note = Bool.random(using: &random) ? "note" : nil
      let names = (0..<20).map { "name \($0)" }
      // Keys that are equal and have other bytes, as -0.0 and 0, are one row: the one that came first.
      let keys = (0..<10).map { _ in key(&random) }.filter { key in
        key.ratio.isFinite && !(key.ratio.sign == .minus && key.ratio == 0) && key.name != "é"
      }
      row.names = Set(names.shuffled(using: &random))
      row.counts = Dictionary(names.shuffled(using: &random).map { ($0, $0.count) }) { $1 }
      row.byNumber = Dictionary((0..<20).shuffled(using: &random).map { ($0, [UInt8($0)]) }) { $1 }
      row.byKey = Dictionary(keys.shuffled(using: &random).map { ($0, 0.5) }) { $1 }
      let bytes = try encodeRow(row)
      #expect(try decodeRow(SampleRow.self, from: bytes) == row)
      var again = row
      (again.names, again.counts, again.byNumber, again.byKey) = ([], [:], [:], [:])
      again.names.reserveCapacity(500)
      again.byKey.reserveCapacity(500)
      for name in names.shuffled(using: &random) { again.names.insert(name) }
      for name in names.shuffled(using: &random) { again.counts[name] = name.count }
      for number in (0..<20).shuffled(using: &random) { again.byNumber[number] = [UInt8(number)] }
      for key in keys.shuffled(using: &random) { again.byKey[key] = 0.5 }
      #expect(again == row)
      #expect(try encodeRow(again) == bytes)
    }
  }

  @Test func `a class is encoded with its superclass`() throws {
    let one = SampleRow.Derived()
    (one.base, one.own) = (7, "seven")
    let other = try decodeRow(SampleRow.Derived.self, from: encodeRow(one))
    #expect(other.base == 7 && other.own == "seven")
  }

  // What broke: a row that is nested more deeply than rows are read was written, and could never be read again.
  @Test func `a row that is nested too deeply to be read throws when it is written`() throws {
    // Each level is an object and an array.
    var row = NestedRow()
    for _ in 1..<16 { row = NestedRow(inner: [row]) }
    #expect(try decodeRow(NestedRow.self, from: encodeRow(row)) == row)
    let error = #expect(throws: EncodingError.self) { try encodeRow(NestedRow(inner: [row])) }
    guard case .invalidValue(_, let context) = error else { return }
    #expect(context.debugDescription == "A row is nested at most 32 levels deep, and this is nested 34.")
  }

  @Test func `rows that no table holds throw`() {
    #expect(throws: EncodingError.self) { try encodeRow(Double.nan) }
    #expect(throws: EncodingError.self) { try encodeRow([Float.infinity]) }
    #expect(throws: DecodingError.self) { try decodeRow(SampleRow.self, from: Array("{}".utf8)) }
    #expect(throws: DecodingError.self) { try decodeRow(Int.self, from: Array("{".utf8)) }
    #expect(throws: DecodingError.self) { try decodeRow(UInt8.self, from: Array("256".utf8)) }
  }
}
