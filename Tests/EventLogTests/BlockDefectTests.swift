// Threat: a block that is not what was written, and passes for it.
import Digests
import SeededRandom
import Testing

@testable import EventLog

@Suite struct `A block written by hand` {
  private let head = BlockParts.head
  private let sound = BlockParts().encoded()

  @Test func `is sound as it is`() {
    for parts in [BlockParts(), .single] {
      #expect(defect(parts.encoded(), after: head, canonical: true) == nil)
    }
  }

  @Test func `is refused when it is cut short or longer`() {
    for count in 0..<44 { #expect(defect(Array(sound.prefix(count))) == .cutShort(byteCount: count)) }
    for count in 44..<sound.count {
      #expect(defect(Array(sound.prefix(count))) == .wrongLength(stated: sound.count, actual: count))
    }
    #expect(defect(sound + [0]) == .wrongLength(stated: sound.count, actual: sound.count + 1))
  }

  @Test func `is refused with another magic or format`() {
    for index in 0..<3 {
      var bytes = sound
      bytes[index] ^= 0x20
      #expect(defect(bytes) == .noMagic)
    }
    var bytes = sound
    bytes[3] = UInt8(ascii: "2")
    #expect(defect(bytes) == .otherFormat(2))
  }

  @Test func `is refused with another checksum, hash, place or number`() {
    var bytes = sound
    bytes[sound.count - 36] ^= 1
    guard case .wrongChecksum(let stored, let actual) = defect(bytes) else {
      Issue.record("\(String(describing: defect(bytes)))")
      return
    }
    #expect(stored == actual ^ 1)
    bytes = sound
    bytes[sound.count - 1] ^= 1
    #expect(defect(bytes) == nil && defect(bytes, after: head) == .wrongHash)
    #expect(defect(BlockParts().encoded(after: nil), after: head) == .wrongHash)
    #expect(
      defect(BlockParts(first: 2).encoded(), after: head)
        == .wrongPlace(expected: .first, found: Position(rawValue: 2)))
    #expect(defect(BlockParts(ordinal: 2).encoded(), after: head) == .wrongOrdinal(expected: 1, found: 2))
  }

  /// 50 is the time of the genesis. The least number there is once trapped where its date was written.
  @Test(arguments: [49, 0, -1, .min] as [Int64])
  func `is refused when it was recorded before the block it follows`(recorded: Int64) {
    let bytes = BlockParts(recorded: recorded).encoded()
    #expect(defect(bytes) == nil)
    guard case .malformed(let text) = defect(bytes, after: head) else {
      Issue.record("it passed")
      return
    }
    #expect(text.hasPrefix("it was recorded at "))
    #expect(defect(BlockParts(recorded: 50).encoded(), after: head) == nil)
  }

  @Test func `is refused when the numbers in its head cannot be`() {
    for parts in [
      BlockParts(ordinal: 0), BlockParts(ordinal: 1 << 63), BlockParts(first: 0), BlockParts(first: .max),
      BlockParts(first: .max - 1), BlockParts(count: 0), BlockParts(count: 1 << 20), BlockParts(count: 1 << 62),
      BlockParts(count: 1 << 63), BlockParts(count: .max),
    ] { #expect(isMalformed(parts.encoded())) }
    #expect(defect(BlockParts(first: .max - 2).encoded()) == nil)
    // There is a next number to every block's, so that what should follow it can be said.
    let last = BlockParts(ordinal: UInt64(Int.max) - 1).encoded()
    #expect(defect(last) == nil && isMalformed(BlockParts(ordinal: UInt64(Int.max)).encoded()))
  }

  @Test func `is refused when its names are none`() {
    for name in [[], [7], [0xFF], [UInt8](repeating: 0x61, count: 321), [0xC2, 0x80]] as [[UInt8]] {
      for var parts in [BlockParts(), .single] {
        parts.names[1] = name
        #expect(isMalformed(parts.encoded()))
      }
    }
  }

  @Test func `is refused when its appends do not hold its events`() {
    for appends in [
      [], [appendMessage()], [appendMessage(further: 2)], [appendMessage(further: 1), appendMessage()],
      [appendMessage(further: .max)], [appendMessage(further: 1 << 32)],
      [appendMessage(id: [UInt8](repeating: 3, count: 15), further: 1)],
      [appendMessage(id: [UInt8](repeating: 3, count: 17), further: 1)],
      [appendMessage(further: 1, correlation: 3)], [appendMessage(further: 1, correlation: .max)],
      [appendMessage() + [0x10, 0]], [appendMessage(further: 1) + [0x18, 0]],
      [appendMessage(further: 1) + [0x20, 1]], [[]],
    ] as [[[UInt8]]] {
      #expect(isMalformed(BlockParts(appends: appends).encoded()), "\(appends)")
    }
    #expect(defect(BlockParts(appends: [appendMessage(), appendMessage()]).encoded()) == nil)
    #expect(defect(BlockParts(appends: [appendMessage(further: 1, correlation: 2)]).encoded()) == nil)
  }

  @Test func `is refused when its records are malformed`() {
    let good = recordMessage(version: 1)
    for record in [
      recordMessage(version: 0), recordMessage(stream: 2, version: 1), recordMessage(version: 1, type: 2),
      recordMessage(version: 1, actor: 3), recordMessage(version: 1, device: 3),
      recordMessage(version: 1, cause: 1), recordMessage(version: 1, cause: .max),
      recordMessage(stream: .max, version: 1), recordMessage(stream: 1 << 31, version: 1), [],
      good + [0x3A, 0], good + [0x3A, 2, 1], good + [0x40, 1], good + good, Array(good.reversed()),
      [0x10, 0x81, 0x00], [0x08, 0] + good, [0x10, 1, 0x18, 0], [0x10, 1, 0x20, 0], [0x10, 1, 0x28, 0],
      [0x10, 1, 0x30, 0],
    ] as [[UInt8]] {
      #expect(isMalformed(BlockParts(records: [record, good]).encoded()), "\(record)")
      var single = BlockParts.single
      single.records = [record]
      #expect(isMalformed(single.encoded()), "\(record)")
    }
    let full = recordMessage(stream: 1, version: .max, type: 0, actor: 2, device: 1, cause: 1, payload: [1])
    #expect(defect(BlockParts(records: [good, full]).encoded()) == nil)
  }

  @Test func `is refused when it has more or fewer records than it says`() {
    let record = recordMessage(version: 1)
    #expect(isMalformed(BlockParts(records: [record]).encoded()))
    #expect(isMalformed(BlockParts(records: [record, record, record]).encoded()))
    var single = BlockParts.single
    single.records = []
    #expect(isMalformed(single.encoded()))
    single.records = [record, record]
    #expect(isMalformed(single.encoded()))
  }

  @Test func `is refused when its offsets lead elsewhere`() {
    for shift in [1, UInt32.max, 1000, 1 << 31] {
      #expect(isMalformed(BlockParts(offsetShift: shift).encoded()))
      #expect(isMalformed(BlockParts(offsetsStartShift: shift).encoded()))
    }
    for shift in [4, UInt32.max - 3] { #expect(isMalformed(BlockParts(offsetsStartShift: shift).encoded())) }
    #expect(isMalformed(BlockParts(hasOffsets: false).encoded()))
    #expect(isMalformed(BlockParts(extra: [0, 0, 0, 0]).encoded()))
    var single = BlockParts.single
    single.hasOffsets = true
    #expect(isMalformed(single.encoded()))
    single.hasOffsets = nil
    single.extra = [0]
    #expect(isMalformed(single.encoded()))
  }

  @Test func `is not canonical when a name is not used, comes twice or in another order`() {
    let (stream, type) = (Array("stream".utf8), Array("type".utf8))
    for parts in [
      BlockParts(names: [stream, type, Array("unused".utf8)]),
      BlockParts(names: [Array("unused".utf8), stream, type], records: twoRecords(stream: 1, type: 2)),
      BlockParts(names: [type, stream], records: twoRecords(stream: 1, type: 0)),
      BlockParts(names: [stream, stream]),
      BlockParts(
        appends: [appendMessage(further: 1, correlation: 2)], records: twoRecords(stream: 0, type: 0)),
      BlockParts(names: [stream, type, stream], appends: [appendMessage(further: 1, correlation: 3)]),
    ] {
      #expect(defect(parts.encoded()) == nil)
      guard case .malformed = defect(parts.encoded(), canonical: true) else {
        Issue.record("\(parts) passed")
        continue
      }
    }
    let inOrder = BlockParts(
      names: [Array("why".utf8), stream, type], appends: [appendMessage(further: 1, correlation: 1)],
      records: twoRecords(stream: 1, type: 2))
    #expect(defect(inOrder.encoded(), canonical: true) == nil)
  }

  private func twoRecords(stream: UInt64, type: UInt64) -> [[UInt8]] {
    (1...2).map { recordMessage(stream: stream, version: $0, type: type) }
  }
}

@Suite struct `What a log says when it fails` {
  private let head = Head(of: .new())

  @Test func `is one sentence that ends in what to do`() {
    let defects: [BlockDefect] = [
      .cutShort(byteCount: 3), .noMagic, .otherFormat(9), .wrongLength(stated: 1, actual: 2),
      .wrongChecksum(stored: 1, actual: 2), .wrongHash, .wrongPlace(expected: .first, found: .zero),
      .wrongOrdinal(expected: 1, found: 2), .malformed("there are bytes behind its last field"),
    ]
    let errors: [LogError] =
      [
        .headMoved(head), .indexDiffers(at: .first),
        .turnHeld(TurnHolder(process: "4711 (verbatim)", waited: .seconds(3))),
      ] + defects.map { .damaged(at: .first, $0) }
    for error in errors { expectSentence(error, verbs: ["read", "close", "let", "verify", "open"]) }
    #expect("\(LogError.storage(StorageFailure("It said so: try again.")))" == "It said so: try again.")
  }

  @Test func `is one sentence that ends in what to do when an append is not made`() {
    let expected: [StreamExpectation.State] = [.any, .none, .exists, .version(.first)]
    let errors: [AppendError] =
      [
        .idReused(AppendID(high: 1, low: 2), at: .first), .empty,
        .eventTooLarge(index: 1, byteCount: 2, max: 1),
        .appendTooLarge(byteCount: 2, max: 1), .unknownCause(index: 1, .first), .log(.headMoved(head)),
        .contradiction(StreamExpectation("s", .none), StreamExpectation("s", .exists)),
      ]
      + expected.map { .conflict(AppendConflict(stream: "s", expected: $0, actual: .zero)) }
    for error in errors {
      expectSentence(error, verbs: ["use", "give", "keep", "split", "name", "read", "leave"])
    }
  }
}
