// Threat: a block that differs from the written one passes as valid.
import Digests
import SeededRandom
import Testing

@testable import EventLog

@Suite struct `Block validation` {
  private let head = BlockParts.head
  private let sound = BlockParts().encoded()

  @Test func `the unmodified sample block is valid`() {
    for parts in [BlockParts(), .single] {
      #expect(defect(parts.encoded(), after: head, canonical: true) == nil)
    }
  }

  @Test func `a truncated or extended block is invalid`() {
    for count in 0..<44 { #expect(defect(Array(sound.prefix(count))) == .cutShort(byteCount: count)) }
    for count in 44..<sound.count {
      #expect(defect(Array(sound.prefix(count))) == .wrongLength(stated: sound.count, actual: count))
    }
    #expect(defect(sound + [0]) == .wrongLength(stated: sound.count, actual: sound.count + 1))
  }

  @Test func `a block with another magic or format is invalid`() {
    for index in 0..<3 {
      var bytes = sound
      bytes[index] ^= 0x20
      #expect(defect(bytes) == .noMagic)
    }
    var bytes = sound
    bytes[3] = UInt8(ascii: "2")
    #expect(defect(bytes) == .otherFormat(2))
  }

  @Test func `a block with another checksum, hash, position or ordinal is invalid`() {
    var bytes = sound
    bytes[sound.count - 4] ^= 1
    guard case .wrongChecksum(let stored, let actual) = defect(bytes) else {
      Issue.record("\(String(describing: defect(bytes)))")
      return
    }
    #expect(stored == actual ^ 1)
    bytes = sound
    bytes[sound.count - 5] ^= 1
    guard case .wrongChecksum = defect(bytes) else {
      Issue.record("\(String(describing: defect(bytes)))")
      return
    }
    #expect(defect(BlockParts().encoded(after: nil)) == nil)
    #expect(defect(BlockParts().encoded(after: nil), after: head) == .wrongHash)
    #expect(
      defect(BlockParts(first: 2).encoded(), after: head)
        == .wrongPosition(expected: .first, found: Position(rawValue: 2)))
    #expect(defect(BlockParts(ordinal: 2).encoded(), after: head) == .wrongOrdinal(expected: 1, found: 2))
  }

  /// 50 is the time of the genesis. The smallest timestamp once trapped when its date was formatted.
  @Test(arguments: [49, 0, -1, .min] as [Int64])
  func `a block recorded before the block it follows is invalid`(recorded: Int64) {
    let bytes = BlockParts(recorded: recorded).encoded()
    #expect(defect(bytes) == nil)
    guard case .malformed(let text) = defect(bytes, after: head) else {
      Issue.record("it passed")
      return
    }
    #expect(text.hasPrefix("it was recorded at "))
    #expect(defect(BlockParts(recorded: 50).encoded(), after: head) == nil)
  }

  @Test func `a block with impossible numbers in its head is invalid`() {
    for parts in [
      BlockParts(ordinal: 0), BlockParts(ordinal: 1 << 63), BlockParts(first: 0), BlockParts(first: .max),
      BlockParts(further: 1 << 20), BlockParts(further: 1 << 62), BlockParts(further: 1 << 63),
      BlockParts(further: .max),
    ] { #expect(isMalformed(parts.encoded())) }
    #expect(defect(BlockParts(first: .max - 1).encoded()) == nil)
    // Every ordinal has a successor, so that the expected ordinal can be computed.
    let last = BlockParts(ordinal: UInt64(Int.max) - 1).encoded()
    #expect(defect(last) == nil && isMalformed(BlockParts(ordinal: UInt64(Int.max)).encoded()))
  }

  @Test func `a block with invalid names is invalid`() {
    for name in [[], [7], [0xFF], [UInt8](repeating: 0x61, count: 321), [0xC2, 0x80]] as [[UInt8]] {
      for var parts in [BlockParts(), .single] {
        let sound = parts
        parts.streams[0] = name
        #expect(isMalformed(parts.encoded()))
        parts = sound
        parts.types[0] = name
        #expect(isMalformed(parts.encoded()))
        parts = sound
        parts.names = [name]
        #expect(isMalformed(parts.encoded()))
      }
    }
  }

  @Test func `a block whose appends do not cover its events is invalid`() {
    let two = [UInt8](repeating: 3, count: 32)
    for parts in [
      BlockParts(ids: []), BlockParts(ids: Array(two[..<15])), BlockParts(ids: Array(two[..<17])),
      BlockParts(appendFurther: nil), BlockParts(appendFurther: []), BlockParts(appendFurther: [0]),
      BlockParts(appendFurther: [2]), BlockParts(appendFurther: [.max]), BlockParts(appendFurther: [1, 0]),
      BlockParts(ids: two), BlockParts(ids: two, appendFurther: [1, 1]), BlockParts(ids: two, appendFurther: [0]),
      BlockParts(correlations: []), BlockParts(correlations: [1]), BlockParts(correlations: [.max]),
      BlockParts(names: [[65]], correlations: [2]), BlockParts(names: [[65]], correlations: [1, 0]),
    ] {
      #expect(isMalformed(parts.encoded()), "\(parts)")
    }
    #expect(defect(BlockParts(ids: two, appendFurther: nil).encoded()) == nil)
    #expect(defect(BlockParts(names: [[65]], correlations: [1]).encoded()) == nil)
  }

  @Test func `a block with malformed records is invalid`() {
    let good = recordMessage(version: 1)
    for record in [
      recordMessage(version: 0), recordMessage(stream: 1, version: 1), recordMessage(version: 1, type: 1),
      recordMessage(version: 1, actor: 1), recordMessage(version: 1, device: 1),
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
    let full = recordMessage(stream: 1, version: .max, type: 1, actor: 2, device: 1, cause: 1, payload: [1])
    let names = [[65], [66]] as [[UInt8]]
    #expect(defect(BlockParts(streams: names, types: names, names: names, records: [good, full]).encoded()) == nil)
  }

  @Test func `a block with more or fewer records than stated is invalid`() {
    let record = recordMessage(version: 1)
    #expect(isMalformed(BlockParts(records: [record]).encoded()))
    #expect(isMalformed(BlockParts(records: [record, record, record]).encoded()))
    var single = BlockParts.single
    single.records = []
    #expect(isMalformed(single.encoded()))
    single.records = [record, record]
    #expect(isMalformed(single.encoded()))
  }

  @Test func `a block with wrong offsets is invalid`() {
    for shift in [1, .max, 1000, 1 << 31, 4, .max - 3] as [UInt32] {
      #expect(isMalformed(BlockParts(offsetShift: shift).encoded()))
      for place in 0..<4 {
        var parts = BlockParts()
        parts.directoryShifts[place] = shift
        #expect(isMalformed(parts.encoded()), "\(place), \(shift)")
      }
    }
    // The same total, with other kinds.
    #expect(isMalformed(BlockParts(names: [[65]], directoryShifts: [0, 0, 1, .max]).encoded()))
    #expect(isMalformed(BlockParts(hasOffsets: false).encoded()))
    #expect(isMalformed(BlockParts(extra: [0, 0, 0, 0]).encoded()))
    var single = BlockParts.single
    single.hasOffsets = true
    #expect(isMalformed(single.encoded()))
    single.hasOffsets = nil
    single.extra = [0]
    #expect(isMalformed(single.encoded()))
  }

  @Test func `a block with unused, repeated or unordered names is not canonical`() {
    let (one, other) = (Array("one".utf8), Array("other".utf8))
    for parts in [
      BlockParts(streams: [one, other]), BlockParts(types: [one, other]), BlockParts(names: [one]),
      BlockParts(streams: [one, other], records: twoRecords(stream: 1)),
      BlockParts(streams: [one, one], records: [recordMessage(version: 1), recordMessage(stream: 1, version: 1)]),
      BlockParts(types: [one, other], records: [recordMessage(version: 1, type: 1), recordMessage(version: 2)]),
      BlockParts(
        names: [one, other], records: [recordMessage(version: 1, actor: 2, device: 1), recordMessage(version: 2)]),
      BlockParts(names: [one, other], correlations: [2], records: twoRecords(actor: 1)),
      BlockParts(names: [one, one], correlations: [1], records: twoRecords(actor: 2)),
      BlockParts(correlations: [0]),
      BlockParts(records: [recordMessage(version: 1), recordMessage(version: 2, proposal: 7)]),
      BlockParts(ids: [UInt8](repeating: 3, count: 32), appendFurther: [0, 0]),
    ] {
      #expect(defect(parts.encoded()) == nil)
      guard case .malformed = defect(parts.encoded(), canonical: true) else {
        Issue.record("\(parts) passed")
        continue
      }
    }
    let inOrder = BlockParts(names: [one, other], correlations: [1], records: twoRecords(actor: 2))
    #expect(defect(inOrder.encoded(), canonical: true) == nil)
    let proposed = BlockParts(records: [recordMessage(version: 1, proposal: 7), recordMessage(version: 2)])
    #expect(defect(proposed.encoded(), canonical: true) == nil)
    #expect(
      isMalformed(BlockParts(records: [recordMessage(version: 1, proposal: 0), recordMessage(version: 2)]).encoded()))
  }

  private func twoRecords(stream: UInt64 = 0, actor: UInt64 = 0) -> [[UInt8]] {
    (1...2).map { recordMessage(stream: stream, version: $0, actor: actor) }
  }
}

@Suite struct `Error descriptions of a log` {
  private let head = Head(of: .new())

  @Test func `the description of a log error is one sentence that ends with a remedy`() {
    let defects: [BlockDefect] = [
      .cutShort(byteCount: 3), .noMagic, .otherFormat(9), .wrongLength(stated: 1, actual: 2),
      .wrongChecksum(stored: 1, actual: 2), .wrongHash, .wrongPosition(expected: .first, found: .zero),
      .wrongOrdinal(expected: 1, found: 2), .malformed("there are bytes after its last field"),
    ]
    let errors: [LogError] =
      [
        .headMoved(head), .indexDiffers(at: .first),
        .writerLockHeld(WriterLockHolder(process: "4711 (verbatim)", waited: .seconds(3))),
      ] + defects.map { .damaged(at: .first, $0) }
    for error in errors { expectSentence(error, verbs: ["read", "close", "let", "verify", "open"]) }
    #expect("\(LogError.storage(StorageFailure("It said so: try again.")))" == "It said so: try again.")
  }

  @Test func `the description of an append error is one sentence that ends with a remedy`() {
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
