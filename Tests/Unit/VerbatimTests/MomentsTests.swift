// Threat: a clock that goes backwards, or a duplicate id.
import Foundation
import Testing

@testable import Verbatim

@Suite struct `A clock that goes back` {
  private let folder = WorkspaceFolder()
  private let clock = SetClock(1_000_000)

  @Test func `recorded times, ids and the current time of a workspace never go back`() async throws {
    let workspace = try folder.open { $0.clock = { [clock] in clock.now } }
    try await workspace.populate()
    let before = try await workspace.send("one", "m1").receipt
    let (id, append, now): (Message.ID, AppendID, Timestamp) = (
      workspace.newID(), workspace.monotonicClock.appendID(), workspace.now
    )
    clock.set(500_000)
    let after = try await workspace.send("two", "m2").receipt
    #expect(after?.recorded == before?.recorded)
    #expect(after?.id.description ?? "" > before?.id.description ?? "")
    #expect(workspace.now == now)
    #expect(workspace.newID(for: Message.self) > id)
    #expect(workspace.monotonicClock.appendID().description > append.description)
    await workspace.close()
  }

  @Test func `time never goes back behind what another process recorded, nor after reopening`() async throws {
    let ahead = try folder.open { $0.clock = { Timestamp(rawValue: 9_000_000) } }
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

  // The process kept the wrong time as the last known one: each later submit had it, also once the clock was right
  // again.
  @Test func `a clock that is ahead for a moment is refused for that moment only`() async throws {
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

  @Test func `correcting the clock applies to all processes with the workspace open`() async throws {
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
    // Messages keep their sending order, and a past instant is found by the last recorded position.
    #expect(try await workspace.texts() == ["wrong", "late", "right", "right"])
    let past = try await workspace.at(Timestamp(rawValue: start + 500_000))
    #expect(past.position.next == wrong.position)
    past.close()
    await other.close()
    await workspace.close()
  }
}

@Suite struct `Generated ids` {
  @Test func `an id has 15 characters, sorts after all before it, and is unique for any clock and random bits`() {
    let clock = SetClock(0)
    let monotonicClock = MonotonicClock({ clock.now }, { 0 })
    var last = ""
    for time in [0, 0, 5, 5, 1, 1 << 40, 1 << 40, 7, -9, 1 << 53, 1 << 53] as [Int64] {
      clock.set(time)
      let id = monotonicClock.id()
      #expect(id.utf8.count == 15 && Message.ID(rawValue: id) != nil)
      #expect(last.utf8.lexicographicallyPrecedes(id.utf8), "\(last) \(id)")
      last = id
    }
  }

  @Test func `an id contains the random bits`() {
    let monotonicClock = MonotonicClock({ Timestamp(rawValue: 0) }, { 0xFFFF_FFFF_FFFF_FFFF })
    #expect(monotonicClock.id().hasSuffix("zzzzzz"))
    #expect(MonotonicClock({ Timestamp(rawValue: 0) }, { 0 }).id() == "---------------")
  }

  @Test func `ids generated concurrently are unique`() async {
    let monotonicClock = MonotonicClock({ .now }, { .random(in: 0 ... .max) })
    let ids = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 { group.addTask { (0..<1000).map { _ in monotonicClock.id() } } }
      return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(ids.count == 8000)
  }
}
