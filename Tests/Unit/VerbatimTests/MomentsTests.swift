// Threat: a clock that goes backwards, or an id that comes twice.
import Foundation
import Testing

@testable import Verbatim

@Suite struct `A clock that goes back` {
  private let folder = WorkspaceFolder()
  private let clock = SetClock(1_000_000)

  @Test func `lets no time go back in a workspace: not what is recorded, not ids, not what time it is`() async throws {
    let workspace = try folder.open { $0.clock = { [clock] in clock.now } }
    try await workspace.populate()
    let before = try await workspace.send("one", "m1").receipt
    let (id, append, now): (Message.ID, AppendID, Instant) = (
      workspace.newID(), workspace.moments.appendID(), workspace.now
    )
    clock.set(500_000)
    let after = try await workspace.send("two", "m2").receipt
    #expect(after?.recorded == before?.recorded)
    #expect(after?.id.description ?? "" > before?.id.description ?? "")
    #expect(workspace.now == now)
    #expect(workspace.newID(for: Message.self) > id)
    #expect(workspace.moments.appendID().description > append.description)
    await workspace.close()
  }

  @Test func `does not go back behind what another process recorded, nor when it is opened again`() async throws {
    let ahead = try folder.open { $0.clock = { Instant(rawValue: 9_000_000) } }
    try await ahead.populate()
    let workspace = try folder.open { $0.clock = { [clock] in clock.now } }
    #expect(workspace.now.rawValue == 9_000_000)
    let sent = try await workspace.send("late", "m1").receipt
    #expect(sent?.recorded.rawValue == 9_000_000)
    await ahead.close()
    await workspace.close()
    let id: Message.ID = workspace.newID()
    clock.set(1000)
    let again = try folder.open { $0.clock = { [clock] in clock.now } }
    #expect(again.newID(for: Message.self).text.prefix(9) >= id.text.prefix(8))
    let next = try await again.send("later", "m2").receipt
    #expect(next?.id.description ?? "" >= sent?.id.description.prefix(13) ?? "z")
    #expect(again.now.rawValue == 9_000_000)
    await again.close()
  }
}

@Suite struct `A clock that was ahead` {
  private let folder = WorkspaceFolder()
  private let start: Int64 = 1_767_225_600_000_000
  private let twentyYears: Int64 = 20 * 365 * 86_400_000_000

  // The wrong time was kept by the process as the last one that was known: each later submit had it, also when the
  // clock was right again.
  @Test func `for a moment is refused for that moment, and for nothing behind it`() async throws {
    let clock = SetClock(start)
    let workspace = try folder.open { configuration in
      configuration.clock = { clock.now }
      configuration.clockLimits = ClockLimits()
    }
    try await workspace.populate()
    let composer = try await workspace.openComposer(Composer.Key(of: "ada", on: "phone", in: "general"))
    clock.set(start + twentyYears)
    #expect(workspace.now.rawValue == start + twentyYears)
    await #expect {
      try await workspace.send("early", "m1")
    } throws: { error in
      if case .failed(_, .log(.clock(.ahead))) = error as? SubmitError { true } else { false }
    }
    try composer.record([.typed(Splice(.start ..< .start, to: "a"))])
    clock.set(start + 1_000_000)
    let sent = try await workspace.send("right", "m1").receipt
    #expect(sent?.recorded.rawValue == start + 1_000_000)
    #expect(workspace.now.rawValue == start + 1_000_000)
    try await composer.flush()
    #expect(try await workspace.texts() == ["right"])
    await workspace.close()
  }

  @Test func `is corrected for all who have the workspace open`() async throws {
    let clock = SetClock(start)
    let workspace = try folder.open { $0.clock = { clock.now } }
    try await workspace.populate()
    let other = try folder.open { $0.clock = { clock.now } }
    clock.set(start + twentyYears)
    let wrong = try await workspace.send("wrong", "m1")
    clock.set(start + 1_000_000)
    #expect(try await other.send("late", "m2").receipt?.recorded.rawValue == start + twentyYears)
    #expect(other.now.rawValue == start + twentyYears)
    let correction = try await workspace.correctClock()
    #expect(correction == wrong.position.advanced(by: 2))
    #expect(try await workspace.correctClock() == nil)
    for (workspace, id) in [(workspace, "m3"), (other, "m4")] as [(Workspace, Message.ID)] {
      #expect(workspace.now.rawValue == start + 1_000_000)
      #expect(try await workspace.send("right", id).receipt?.recorded.rawValue == start + 1_000_000)
    }
    // Messages stay in the order in which they were sent, and the past is found by what was recorded last.
    #expect(try await workspace.texts() == ["wrong", "late", "right", "right"])
    let past = try await workspace.at(Instant(rawValue: start + 500_000))
    #expect(past.position.next == wrong.position)
    past.close()
    await other.close()
    await workspace.close()
  }
}

@Suite struct `An id that is made` {
  @Test func `is 15 letters, comes behind all before it, and is never another's, whatever clock and random bits do`() {
    let clock = SetClock(0)
    let moments = MonotonicClock({ clock.now }, { 0 })
    var last = ""
    for time in [0, 0, 5, 5, 1, 1 << 40, 1 << 40, 7, -9, 1 << 53, 1 << 53] as [Int64] {
      clock.set(time)
      let id = moments.id()
      #expect(id.utf8.count == 15 && Message.ID(rawValue: id) != nil)
      #expect(last.utf8.lexicographicallyPrecedes(id.utf8), "\(last) \(id)")
      last = id
    }
  }

  @Test func `carries the random bits`() {
    let moments = MonotonicClock({ Instant(rawValue: 0) }, { 0xFFFF_FFFF_FFFF_FFFF })
    #expect(moments.id().hasSuffix("zzzzzz"))
    #expect(MonotonicClock({ Instant(rawValue: 0) }, { 0 }).id() == "---------------")
  }

  @Test func `is unlike all that others make at once`() async {
    let moments = MonotonicClock({ .now }, { .random(in: 0 ... .max) })
    let ids = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 { group.addTask { (0..<1000).map { _ in moments.id() } } }
      return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(ids.count == 8000)
  }
}
