// Threat: a crash during adding, delivery or compaction loses or repeats an entry.
import Foundation
import Locks
import Testing

@testable import Verbatim

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `An interrupted outbox` {
  private let folder = OutboxFolder()
  private let there = WorkspaceFolder()

  @Test func `after a crash while adding, confirmed entries are there, a torn record is not`() async throws {
    let outbox = try folder.open()
    try await outbox.add(messages: 3)
    let kept = outbox.waiting
    await outbox.close()
    let (bytes, boundaries) = (try folder.bytes, try folder.boundaries)
    for count in 0...bytes.count {
      let cut = OutboxFolder()
      try cut.write(Array(bytes[..<count]))
      let outbox = try cut.open()
      let whole = boundaries.dropFirst().count { $0 <= count }
      #expect(outbox.waiting == Array(kept[..<whole]) && outbox.damage.isEmpty, "\(count) bytes")
      if count.isMultiple(of: 5) {
        let next = try await outbox.add(message("next", "next"))
        await outbox.close()
        let again = try cut.open()
        #expect(again.waiting == kept[..<whole] + [next] && again.damage.isEmpty, "\(count) bytes")
        await again.close()
      } else {
        await outbox.close()
      }
    }
  }

  @Test func `sectors of an append that a power cut left out are neither an entry nor damage`() async throws {
    // An append that was not yet synced can leave a file of its full size with zeros in some sectors. That was reported
    // as damage, at which every delivery stopped until a person skipped it.
    let outbox = try folder.open()
    try await outbox.add(messages: 2)
    try await outbox.add(message(String(repeating: "x", count: 1800), "torn"))
    let kept = outbox.waiting
    await outbox.close()
    let (bytes, boundaries) = (try folder.bytes, try folder.boundaries)
    let sectors = boundaries[2] / 512...(bytes.count - 1) / 512
    for left in 1..<1 << sectors.count {
      var cut = bytes
      for (bit, sector) in sectors.enumerated() where left >> bit & 1 == 1 {
        for place in (sector * 512..<sector * 512 + 512).clamped(to: boundaries[2]..<bytes.count) { cut[place] = 0 }
      }
      let torn = OutboxFolder()
      try torn.write(cut)
      let outbox = try torn.open()
      #expect(outbox.waiting == Array(kept[..<2]) && outbox.damage.isEmpty, "without the sectors \(left)")
      let next = try await outbox.add(message("next", "next"))
      await outbox.close()
      let again = try torn.open()
      #expect(again.waiting == kept[..<2] + [next] && again.damage.isEmpty, "without the sectors \(left)")
      await again.close()
    }
  }

  @Test func `a record that a power cut left out before later ones is no damage`() async throws {
    let outbox = try folder.open()
    try await outbox.add(message(String(repeating: "x", count: 440), "first"))
    try await outbox.add(message(String(repeating: "y", count: 900), "absent"))
    try await outbox.add(message("last", "last"))
    let kept = outbox.waiting
    await outbox.close()
    try folder.joinAppends()
    var bytes = try folder.bytes
    for place in try 1024..<folder.boundaries[2] { bytes[place] = 0 }
    try folder.write(bytes)
    let again = try folder.open()
    #expect(again.waiting == [kept[0], kept[2]] && again.damage.isEmpty)
    // Nor do the records that follow make it damage.
    try await again.note(.delivered(kept[2].id), syncs: true)
    await again.close()
    let third = try folder.open()
    #expect(third.waiting == [kept[0]] && third.damage.isEmpty)
    await third.close()
  }

  @Test func `a crash at any point of a delivery delivers each entry once after reopening`() async throws {
    let workspace = try there.open()
    try await workspace.populate()
    try await workspace.send("first", "m")
    let key = Reaction.Key(to: Message.Key("general", "m"), by: "ada")
    let outbox = try folder.open()
    try await outbox.add(.reaction(key, .add("wave", score: 1)))
    try await outbox.add(message("", "empty"))
    try await outbox.add(message("one", "m1"))
    try await outbox.add(.reaction(key, .remove("wave")))
    try await outbox.add(message("two", "m2"))
    let added = try folder.bytes.count
    let delivery = try await outbox.deliver(to: workspace)
    let refused = outbox.refused
    await outbox.close()
    #expect(delivery.delivered.count == 4 && refused.count == 1)
    let (head, bytes) = (try workspace.head(), try folder.bytes)
    for count in added...bytes.count {
      let left = OutboxFolder()
      try left.write(Array(bytes[..<count]))
      let outbox = try left.open()
      let again = try await outbox.deliver(to: workspace)
      #expect(outbox.waiting.isEmpty && outbox.refused == refused, "\(count) bytes")
      for (entry, submitted) in again.delivered {
        #expect(delivery.delivered.contains { $0.entry == entry && $0.submitted == submitted })
      }
      await outbox.close()
      #expect(try workspace.head() == head, "\(count) bytes")
    }
    await workspace.close()
  }

  @Test func `a delivered no-op is not submitted again after later changes`() async throws {
    let workspace = try there.open()
    try await workspace.populate()
    try await workspace.send("first", "m")
    let key = Reaction.Key(to: Message.Key("general", "m"), by: "ada")
    try await workspace.submit(.reaction(key, .add("wave", score: 1)), by: .user("ada"))
    let outbox = try folder.open()
    try await outbox.add(.reaction(key, .add("wave", score: 1)))
    try await outbox.add(.reaction(key, .remove("wave")))
    let delivery = try await outbox.deliver(to: workspace)
    #expect(delivery.delivered.map { $0.submitted.receipt == nil } == [true, false])
    await outbox.close()
    // The power failed before the outcome with a receipt was on the disk; that without one was.
    let left = OutboxFolder()
    try left.write(Array(try folder.bytes[..<(try folder.boundaries[3])]))
    let again = try left.open()
    #expect(again.waiting.count == 1)
    try await again.deliver(to: workspace)
    let message = try await workspace.read { try $0.chat.message(Message.Key("general", "m")) }
    #expect(message?.reactions.isEmpty == true)
    await again.close()
    await workspace.close()
  }

  @Test func `a delivery syncs where a later entry depends on it, and once at the end`() async throws {
    let workspace = try there.open()
    try await workspace.populate()
    let outbox = try folder.open()
    try await outbox.add(messages: 3)
    func syncs() throws -> Int { try outbox.change { $0.counts.syncs } }
    #expect(try syncs() == 3)
    try await outbox.deliver(to: workspace)
    #expect(try syncs() == 4)
    try await outbox.add(message("m0", "m0"))
    try await outbox.add(message("", "empty"))
    try await outbox.deliver(to: workspace)
    #expect(try syncs() == 4 + 2 + 2 + 1)
    try await outbox.forget(try #require(outbox.refused.first).entry.id)
    #expect(try syncs() == 10)
    await outbox.close()
    await workspace.close()
  }

  // What broke: what a killed process had not synced was taken to be on the disk because of the next records.
  @Test func `a process syncs what an earlier one wrote before its first record`() async throws {
    let outbox = try folder.open()
    try await outbox.add(messages: 2)
    await outbox.close()
    let again = try folder.open()
    for entry in again.waiting { try await again.note(.delivered(entry.id), syncs: false) }
    #expect(try again.change { $0.counts.syncs } == 1)
    await again.close()
  }

  // What broke: opening could not compact the file, and the next records proved that what is missing was on the disk.
  @Test func `a record that a power cut left out is no damage where the file could not be compacted`() async throws {
    let outbox = try folder.open()
    for (text, id) in [("x", "first"), ("y", "absent"), ("z", "last")] as [(String, Message.ID)] {
      try await outbox.add(message(String(repeating: text, count: 900), id))
    }
    let kept = outbox.waiting
    await outbox.close()
    try folder.joinAppends()
    var bytes = try folder.bytes
    for place in try 1024..<folder.boundaries[2] { bytes[place] = 0 }
    try folder.write(bytes)
    await #expect(processExitsWith: .success) { [path = folder.path as String, size = bytes.count as Int] in
      signal(SIGXFSZ, SIG_IGN)
      let usual = limitFileSize(to: 0)
      let outbox = try Outbox(at: path, user: "ada", device: "phone")
      guard FileManager.default.contents(atPath: path + "/entries")?.count == size else { fatalError("it has changed") }
      let hasFailed = (try? await outbox.add(message("early", "early"))) == nil
      _ = limitFileSize(to: usual)
      guard hasFailed, outbox.damage.isEmpty, outbox.waiting.count == 2 else { fatalError("\(outbox.waiting)") }
      try await outbox.add(message("next", "next"))
      try await outbox.note(.delivered(outbox.waiting[0].id), syncs: true)
      await outbox.close()
    }
    let again = try folder.open()
    #expect(again.damage.isEmpty && again.waiting.first == kept[2] && again.waiting.count == 2)
    await again.close()
  }

  @Test func `a crash at any step of compaction neither loses nor repeats an entry`() async throws {
    let workspace = try there.open()
    try await workspace.populate()
    let outbox = try folder.open()
    try await outbox.add(message("", "refused"))
    for number in 0..<3 { try await outbox.add(large(40_000, number)) }
    let seen = Locked<[(OutboxFile.Step, OutboxFolder)]>([])
    let folder = folder
    try outbox.change { file in
      file.onStep = { step in
        guard let copy = try? folder.copy() else { return }
        seen.withLock { $0.append((step, copy)) }
      }
    }
    try await outbox.deliver(to: workspace)
    let copies = seen.withLock { $0 }
    #expect(copies.map(\.0) == OutboxFile.Step.allCases)
    let (refused, head) = (outbox.refused, try workspace.head())
    #expect(try folder.bytes.count < 1000 && refused.count == 1)
    let late = try await outbox.add(message("late", "late"))
    await outbox.close()
    for (step, copy) in copies {
      let outbox = try copy.open()
      #expect(outbox.waiting.isEmpty && outbox.refused == refused && outbox.damage.isEmpty, "\(step)")
      try await outbox.deliver(to: workspace)
      #expect(try workspace.head() == head, "\(step)")
      await outbox.close()
      #expect(!FileManager.default.fileExists(atPath: copy.path + "/entries-new"))
    }
    let again = try folder.open()
    #expect(again.waiting == [late] && again.refused == refused)
    await again.close()
    await workspace.close()
  }
}

/// Limits the size to which this process may write files; returns the limit of before.
private func limitFileSize(to byteCount: rlim_t) -> rlim_t {
  #if canImport(Glibc)
    let fileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  #else
    let fileSize = RLIMIT_FSIZE
  #endif
  var limit = rlimit()
  getrlimit(fileSize, &limit)
  let before = limit.rlim_cur
  limit.rlim_cur = byteCount
  setrlimit(fileSize, &limit)
  return before
}

@Suite struct `Two outboxes of one user` {
  @Test func `drafts changed offline have the same result in any order of delivery`() async throws {
    var drafts: [[Composition?]] = []
    for order in [[0, 1], [1, 0], [0, 1, 0, 1], [1, 1, 0]] {
      let there = WorkspaceFolder()
      let workspace = try there.open()
      try await workspace.populate()
      let folders = [OutboxFolder(), OutboxFolder()]
      for (number, (device, at)) in [("phone" as Device.ID, [10, 40]), ("desk", [20, 30])].enumerated() {
        let outbox = try folders[number].open(device: device)
        for at in at {
          let content = Composition(TypedText("\(device) at \(at)"))
          try await outbox.add(
            .draft(Draft.Key(by: "ada", in: "general"), .update(content, editedAt: Timestamp(rawValue: Int64(at)))))
        }
        try await outbox.add(message("from \(device)", Message.ID(rawValue: device.text)!))
        await outbox.close()
      }
      // If one is delivered twice, no outcome of the first delivery was recorded.
      for number in order {
        let copy = try folders[number].copy()
        let outbox = try copy.open(device: number == 0 ? "phone" : "desk")
        try await outbox.deliver(to: workspace)
        #expect(outbox.refused.isEmpty && outbox.waiting.isEmpty)
        await outbox.close()
      }
      let draft = try await workspace.read { try $0.chat.draft(Draft.Key(by: "ada", in: "general")) }
      drafts.append([draft?.content])
      #expect(Set(try await workspace.texts()) == ["from phone", "from desk"])
      await workspace.close()
    }
    #expect(drafts == Array(repeating: [Composition("phone at 40")], count: 4))
  }
}
