// Threat: a log is mistaken for another, or begins with foreign bytes.
import Bytes
import Digests
import SeededRandom
import Testing

@testable import EventLog

@Suite struct `Genesis encoding` {
  private let plain = Genesis(
    id: AppendID(high: 1, low: 2), created: Timestamp(rawValue: -3), application: nil)
  private let named = Genesis(
    id: AppendID(high: .max, low: 2), created: Timestamp(rawValue: 1_700_000_000_000_000), application: "chat"
  )

  @Test func `an encoded genesis decodes to the same genesis`() throws {
    for genesis in [plain, named, .new(), .new(at: Timestamp(rawValue: .min), application: "é")] {
      let bytes = genesis.encoded()
      let decoded = try Genesis(validating: bytes.span.bytes)
      #expect(decoded == genesis && decoded.hash == genesis.hash)
      #expect(decoded.encoded() == bytes)
    }
    #expect(Genesis.new().id != Genesis.new().id)
    #expect(plain.hash != named.hash)
  }

  /// Magic, format, length; id, time, application; hash, checksum of all before.
  @Test func `the encoding of a genesis is as documented on the layout page`() {
    let bytes = named.encoded()
    let body: [UInt8] =
      [0x0A, 16] + [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 0, 0, 0, 0, 2, 0x11]
      + withUnsafeBytes(of: (1_700_000_000_000_000 as Int64).littleEndian) { Array($0) }
      + [0x1A, 4] + Array("chat".utf8)
    #expect(bytes.count == 8 + body.count + 36)
    let head = Array("VBG1".utf8) + [UInt8(8 + body.count + 36), 0, 0, 0] + body
    #expect(Array(bytes.prefix(head.count)) == head)
    let hash = bytes.dropLast(36).withUnsafeBytes { ChainHash(of: $0, after: nil) }
    #expect(named.hash == hash && hash.withBytes { Array($0) } == Array(bytes.dropLast(4).suffix(32)))
  }

  @Test func `a genesis with any bit flipped is invalid`() {
    for genesis in [plain, named] {
      let bytes = genesis.encoded()
      for index in bytes.indices {
        for bit in 0..<8 {
          var flipped = bytes
          flipped[index] ^= 1 << bit
          if (try? Genesis(validating: flipped.span.bytes)) != nil {
            Issue.record("byte \(index), bit \(bit)")
          }
        }
      }
    }
  }

  @Test func `a truncated or extended genesis is invalid`() {
    let bytes = named.encoded()
    for count in 0..<bytes.count {
      #expect(throws: BlockDefect.self) { try decoded(Array(bytes.prefix(count))) }
    }
    #expect(throws: BlockDefect.wrongLength(stated: bytes.count, actual: bytes.count + 1)) {
      try decoded(bytes + [0])
    }
  }

  @Test func `a genesis with other fields is invalid`() throws {
    let id: [UInt8] = [0x0A, 16] + [UInt8](repeating: 1, count: 16)
    let created: [UInt8] = [0x11, 1, 2, 3, 4, 5, 6, 7, 8]
    let name: [UInt8] = [0x1A, 1, 0x61]
    _ = try genesis(id + created)
    _ = try genesis(id + created + name)
    let shortID: [UInt8] = [0x0A, 15] + [UInt8](repeating: 1, count: 15)
    for body in [
      [], id, created, created + id, shortID + created, id + created.dropLast(), id + created + [0],
      id + created + name + [0], id + created + name + name, id + created + [0x1A, 0],
      id + created + [0x1A, 1, 7], id + created + [0x1A, 2, 0x61], id + id + created,
      id + created + [0x1A, 1, 0xFF],
    ] as [[UInt8]] {
      let defect = #expect(throws: BlockDefect.self) { try genesis(body) }
      if case .malformed = defect { continue }
      Issue.record("\(body): \(String(describing: defect))")
    }
  }

  @Test func `a genesis is not decoded as a block, nor a block as a genesis`() throws {
    let bytes = named.encoded()
    #expect(defect(bytes) == .noMagic)
    #expect(throws: BlockDefect.noMagic) { try decoded(BlockParts().encoded()) }
  }

  private func decoded(_ bytes: [UInt8]) throws(BlockDefect) -> Genesis {
    try Genesis(decoding: bytes.span.bytes)
  }

  private func genesis(_ body: [UInt8]) throws(BlockDefect) -> Genesis {
    try Genesis(validating: framed(body, magic: Frame.genesisMagic, after: nil).span.bytes)
  }
}
