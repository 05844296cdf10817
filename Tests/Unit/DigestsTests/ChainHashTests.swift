// The hash of the chain is BLAKE2b with 256 bits, as others compute it too.
import Digests
import SeededRandom
import Testing

@Suite struct `The hash that chains blocks` {
  /// The first two are published; all four are what Python's `hashlib.blake2b(…, digest_size=32)` says.
  @Test(
    arguments: [
      ([], "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"),
      (Array("abc".utf8), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
      ((0...255).map { UInt8($0) }, "39a7eb9fedc19aabc83425c6755dd90e6f9d0c804964a1f4aaeea3b9fb599835"),
      (
        (0..<32).map { UInt8($0) } + Array("abc".utf8),
        "1d248b37e23c7b4735a5a439bc085c0cd59ddd1fb21e01c70b4bf8d7ea27096b"
      ),
    ] as [([UInt8], String)])
  func `is BLAKE2b-256`(bytes: [UInt8], expected: String) {
    #expect(hash(bytes).description == expected)
  }

  @Test func `after another is the hash of that one's bytes followed by these`() throws {
    var random = SeededRandom.printingSeed()
    let zeroToThirtyOne = try #require(ChainHash((0..<32).map { UInt8($0) }))
    #expect(
      hash(Array("abc".utf8), after: zeroToThirtyOne).description
        == "1d248b37e23c7b4735a5a439bc085c0cd59ddd1fb21e01c70b4bf8d7ea27096b")
    for _ in 0..<50 {
      let previous = hash(random.noise(random.below(200)))
      let bytes = random.noise(random.below(300))
      #expect(hash(bytes, after: previous) == hash(previous.bytes + bytes))
    }
  }

  @Test func `is the 32 bytes that were stored, and of no other number of them`() {
    var random = SeededRandom.printingSeed()
    for count in 0...64 {
      let bytes = random.noise(count)
      #expect(ChainHash(bytes)?.bytes == (count == 32 ? bytes : nil))
    }
  }

  @Test func `is another when any of its bits is`() throws {
    let original = hash([1, 2, 3])
    for index in 0..<32 {
      for bit in 0..<8 {
        var bytes = original.bytes
        bytes[index] ^= 1 << bit
        let other = try #require(ChainHash(bytes))
        #expect(other != original)
        #expect(other.description != original.description)
      }
    }
  }

  @Test func `is the same of bytes that come in runs, however long each is`() {
    var random = SeededRandom.printingSeed()
    #expect(RunningHash().finish() == hash([]))
    for _ in 0..<50 {
      let bytes = random.noise(random.below(2000))
      var running = RunningHash()
      var place = 0
      while place < bytes.count {
        let count = min(random.below(300), bytes.count - place)
        bytes[place..<place + count].withUnsafeBytes { running.add($0) }
        place += count
      }
      #expect(running.finish() == hash(bytes))
    }
  }
}

private func hash(_ bytes: [UInt8], after previous: ChainHash? = nil) -> ChainHash {
  bytes.withUnsafeBytes { ChainHash(of: $0, after: previous) }
}

extension ChainHash {
  fileprivate init?(_ bytes: [UInt8]) {
    guard let hash = bytes.withUnsafeBytes({ ChainHash(bytes: $0) }) else { return nil }
    self = hash
  }

  fileprivate var bytes: [UInt8] { withBytes { Array($0) } }
}
