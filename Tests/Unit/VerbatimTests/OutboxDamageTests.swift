// Threat: damage, or a newer program's entries, make an outbox lose something silently.
import Bytes
import Foundation
import SeededRandom
import Testing

@testable import Verbatim

@Suite struct `A damaged outbox` {
  private let folder = OutboxFolder()
  private let there = WorkspaceFolder()

  @Test func `a flipped bit hides at most the entry it is in, and damage is reported`() async throws {
    let outbox = try folder.open()
    try await outbox.add(messages: 3)
    let kept = outbox.waiting
    await outbox.close()
    var bytes = try folder.bytes
    let boundaries = try folder.boundaries
    let hurt = OutboxFolder()
    for place in bytes.indices {
      for bit in 0..<8 {
        bytes[place] ^= 1 << bit
        defer { bytes[place] ^= 1 << bit }
        try hurt.write(bytes)
        let outbox = try hurt.open()
        let hit = try #require(boundaries.lastIndex { $0 <= place })
        #expect(
          outbox.waiting == kept.enumerated().filter { $0.offset != hit }.map(\.element), "bit \(bit) of \(place)")
        #expect(outbox.damage == [boundaries[hit]..<boundaries[hit + 1]], "bit \(bit) of \(place)")
        outbox.closeNow()
      }
    }
  }

  @Test func `a delivery stops at damage, and continues after skipping it`() async throws {
    let workspace = try there.open()
    try await workspace.populate()
    let outbox = try folder.open()
    try await outbox.add(messages: 3)
    let kept = outbox.waiting
    await outbox.close()
    var bytes = try folder.bytes
    let boundaries = try folder.boundaries
    bytes[boundaries[1] + 40] ^= 1
    try folder.write(bytes)
    let damaged = Array(bytes[boundaries[1]..<boundaries[2]])
    let again = try folder.open()
    let late = try await again.add(message("late", "late"))
    let range = boundaries[1]..<boundaries[2]
    for count in [1, 0] {
      let delivery = await expectStop(of: again, to: workspace) {
        if case .damaged(folder.path, range) = $0 { true } else { false }
      }
      #expect(delivery.delivered.count == count)
    }
    #expect(again.waiting == [kept[2], late] && again.damage == [range])
    #expect(try await again.skipDamaged() == damaged.count)
    #expect(try await again.skipDamaged() == 0)
    #expect(again.damage.isEmpty && again.waiting == [kept[2], late])
    #expect(try Data(folder.bytes).range(of: Data(damaged)) != nil)
    await again.close()
    let third = try folder.open()
    #expect(third.damage.isEmpty && third.waiting == [kept[2], late])
    #expect(try await third.deliver(to: workspace).delivered.count == 2)
    #expect(try await workspace.texts() == ["m0", "m2", "late"])
    // After another compaction, it still has them.
    try await third.add(large(100_000))
    try await third.deliver(to: workspace)
    #expect(try folder.bytes.count < 10_000)
    #expect(try Data(folder.bytes).range(of: Data(damaged)) != nil)
    await third.close()
    await workspace.close()
  }

  // What broke: zeros in a sector were taken for an append that never returned, even before a record that was written
  // after that append: an entry that had been on the disk vanished, and nothing reported it. Later, so did one before
  // another entry, which could be of the same append: a composer had a text without some letters in the middle.
  @Test(arguments: ["forgotten", "delivered", "added"])
  func `zeros in place of an entry are damage where a later record proves that it was on the disk`(
    proof: String
  ) async throws {
    let outbox = try folder.open()
    try await outbox.add(message(String(repeating: "x", count: 1800), "lost"))
    try await outbox.add(message("next", "next"))
    if proof != "added" { try await outbox.add(message("last", "last")) }
    let kept = outbox.waiting
    let next = kept[1].id
    if proof == "forgotten" { try await outbox.note(.forgotten(next), syncs: true) }
    if proof == "delivered" { try await outbox.note(.delivered(next), syncs: true) }
    await outbox.close()
    var bytes = try folder.bytes
    let lost = try folder.boundaries[0]..<folder.boundaries[1]
    for place in 512..<1024 { bytes[place] = 0 }
    try folder.write(bytes)
    for _ in 0..<2 {
      let again = try folder.open()
      #expect(again.damage == [lost] && again.waiting == Array(kept[(proof == "added" ? 1 : 2)...]))
      again.closeNow()
    }
  }

  @Test func `arbitrary bytes never trap`() async throws {
    var random = SeededRandom.printingSeed()
    let outbox = try folder.open()
    try await outbox.add(messages: 2)
    outbox.closeNow()
    let sound = try folder.bytes
    let hurt = OutboxFolder()
    for _ in 0..<300 {
      var bytes = sound
      for _ in 0...random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.insert(contentsOf: random.noise(random.below(40)), at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(30)))
        }
      }
      try hurt.write(bytes)
      let outbox = try hurt.open()
      _ = (outbox.waiting, outbox.refused)
      try await outbox.skipDamaged()
      #expect(outbox.damage.isEmpty)
      outbox.closeNow()
    }
    // Intact records with arbitrary contents.
    for _ in 0..<2000 {
      var content = random.noise(random.below(60))
      for (index, byte) in withUnsafeBytes(of: UInt32(content.count).littleEndian, Array.init).enumerated()
      where content.count > 4 { content[index] = byte }
      if content.count > 4 { content[4] = UInt8(random.below(8)) }
      try hurt.write(record(content))
      // The contents may be of another author.
      guard let outbox = try? hurt.open() else { continue }
      #expect(outbox.damage.isEmpty)
      outbox.closeNow()
    }
  }
}

@Suite struct `An entry of a newer program` {
  private let folder = OutboxFolder()
  private let there = WorkspaceFolder()

  @Test(arguments: [true, false])
  func `a delivery stops with an error that names the entry, and its bytes stay`(isRecordKnown: Bool) async throws {
    let workspace = try there.open()
    try await workspace.populate()
    let outbox = try folder.open()
    try await outbox.add(message("", "refused"))
    try await outbox.add(large(100_000))
    outbox.closeNow()
    let id = AppendID(high: 9, low: 9)
    var newer = OutboxRecord.added(id, Timestamp(rawValue: 1), unknownSubmission).content
    if !isRecordKnown { newer[4] = 77 }
    try folder.write(try folder.bytes + record(newer))
    let again = try folder.open()
    try await again.add(message("after", "m2"))
    for count in [1, 0] {
      let delivery = await expectStop(of: again, to: workspace) {
        switch $0 {
        case .unreadable(folder.path, id, let reason?): isRecordKnown && reason.isUnknown
        case .unreadable(folder.path, nil, nil): !isRecordKnown
        default: false
        }
      }
      #expect(delivery.delivered.count == count)
    }
    #expect(again.waiting.count == 1 && again.refused.count == 1 && again.damage.isEmpty)
    // The file was compacted without the delivered entries.
    #expect(try folder.bytes.count < 10_000)
    #expect(try Data(folder.bytes).range(of: Data(record(newer))) != nil)
    again.closeNow()
    // The newer program delivered it.
    try folder.write(try folder.bytes + record(OutboxRecord.delivered(id).content))
    let third = try folder.open()
    if isRecordKnown {
      #expect(try await third.deliver(to: workspace).delivered.count == 1)
    } else {
      await expectStop(of: third, to: workspace) { if case .unreadable = $0 { true } else { false } }
    }
    third.closeNow()
    await workspace.close()
  }

  private var unknownSubmission: [UInt8] {
    var writer = ByteWriter()
    for (number, text) in [(1, "ada"), (2, "phone")] as [(UInt64, String)] {
      Array(text.utf8).withUnsafeBytes { writer.field(number, bytes: $0) }
    }
    [0x7A, 0].withUnsafeBytes { writer.field(5, bytes: $0) }
    return writer.array()
  }
}

@Suite struct `The page about outboxes on disk` {
  @Test func `the example has the bytes of an outbox`() async throws {
    let folder = OutboxFolder()
    let outbox = try folder.open(user: "a", device: "d", clock: { Timestamp(rawValue: 1000) })
    let id = AppendID(high: 1, low: 2)
    try await outbox.add(.user("a", .deactivate), id: id)
    try await outbox.note(.delivered(id), syncs: true)
    outbox.closeNow()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "Sources/App/Verbatim/Verbatim.docc/OutboxOnDisk.md"), encoding: .utf8)
    let example = try #require(page.split(separator: "```").first { $0.contains("56 42 52 31") })
    let shown = example.split(separator: "\n").flatMap { line in
      line.prefix { $0 != "V" && $0 != "i" && $0 != "t" && $0 != "b" && $0 != "y" }.prefix(50).split(separator: " ")
        .compactMap { $0.count == 2 ? UInt8($0, radix: 16) : nil }
    }
    let bytes = try folder.bytes
    #expect(shown == bytes, "\(bytes.map { String($0 | 0, radix: 16, uppercase: true) }.joined(separator: " "))")
  }
}

extension Outbox {
  /// Closes the outbox synchronously.
  func closeNow() { closeBlocking() }
}
