// The map from byte strings to numbers, against a dictionary.
import Bytes
import SeededRandom
import Testing

@Suite struct `A map of byte strings` {
  @Test func `gives the numbers that a dictionary would`() {
    var random = SeededRandom.printingSeed()
    for kind in 0..<3 {
      var map = ByteMap()
      var model = Model()
      for step in 0..<4000 {
        if random.below(1500) == 0 {
          map.removeAll()
          model = Model()
        }
        let key = random.key(kind)
        let isInserted = random.below(3) > 0
        let expected = isInserted ? model.insert(key) : model.numbers[key]
        let number = key.withUnsafeBytes { isInserted ? map.insert($0).number : map.number(of: $0) }
        if number != expected { Issue.record("step \(step), \(key): \(String(describing: number))") }
      }
      expectSame(map, model)
    }
  }

  @Test func `tells whether a key is new`() {
    var map = ByteMap()
    #expect(map.insert([1]) == Inserted(0, true))
    #expect(map.insert([1]) == Inserted(0, false))
    #expect(map.insert([1, 0]) == Inserted(1, true))
  }

  @Test func `holds the empty key like any other`() {
    var map = ByteMap()
    #expect(map.number(of: UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
    #expect(map.insert([1]) == Inserted(0, true))
    #expect(map.insert([]) == Inserted(1, true))
    #expect(map.insert([2]) == Inserted(2, true))
    #expect(map.number(of: UnsafeRawBufferPointer(start: nil, count: 0)) == 1)
    #expect((0..<3).map { map.withKey($0) { Array($0) } } == [[1], [], [2]])
  }

  /// A large table is given up when few keys were in it, a small one kept: both must forget all.
  @Test func `forgets all keys, however many there were and whatever its size`() {
    var map = ByteMap()
    for count in [5000, 3, 0, 40, 5000, 10, 1] {
      for number in 0..<count {
        #expect(map.insert(Array("key \(number)".utf8)) == Inserted(number, true))
      }
      #expect(map.count == count)
      map.removeAll()
      #expect(map.count == 0)
      #expect(Array("key 0".utf8).withUnsafeBytes { map.number(of: $0) } == nil)
    }
  }

  /// It compares eight bytes at a time; only keys with the same hash are compared at all.
  @Test func `compares every byte of two keys`() {
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8($0) }
      #expect(hasSame(bytes, bytes))
      #expect(!hasSame(bytes, bytes + [0]) && !hasSame(bytes + [0], bytes))
      for index in bytes.indices {
        var other = bytes
        other[index] ^= 0x80
        #expect(!hasSame(bytes, other))
      }
    }
  }

  private func hasSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.withUnsafeBytes { one in other.withUnsafeBytes { one.hasSameBytes(as: $0) } }
  }

  private func expectSame(_ map: ByteMap, _ model: Model) {
    #expect(map.count == model.keys.count)
    for (number, key) in model.keys.enumerated() {
      #expect(key.withUnsafeBytes { map.number(of: $0) } == number)
      #expect(map.withKey(number) { Array($0) } == key)
    }
  }
}

private struct Model {
  var numbers: [[UInt8]: Int] = [:]
  var keys: [[UInt8]] = []

  mutating func insert(_ key: [UInt8]) -> Int {
    if let number = numbers[key] { return number }
    numbers[key] = keys.count
    keys.append(key)
    return keys.count - 1
  }
}

private struct Inserted: Equatable {
  let number: Int
  let isNew: Bool

  init(_ number: Int, _ isNew: Bool) { (self.number, self.isNew) = (number, isNew) }
}

extension ByteMap {
  fileprivate mutating func insert(_ key: [UInt8]) -> Inserted {
    let (number, isNew) = key.withUnsafeBytes { insert($0) }
    return Inserted(number, isNew)
  }
}

extension SeededRandom {
  /// Keys that come again and again: of any length, all of one length, or each a prefix of the others.
  fileprivate mutating func key(_ kind: Int) -> [UInt8] {
    switch kind {
    case 0: noiseFrom(below(300), count: below(30))
    case 1: noiseFrom(below(2000), count: 16)
    default: [UInt8](repeating: 0, count: below(200))
    }
  }

  private func noiseFrom(_ seed: Int, count: Int) -> [UInt8] {
    var other = SeededRandom(seed: UInt64(seed))
    return other.noise(count)
  }
}
