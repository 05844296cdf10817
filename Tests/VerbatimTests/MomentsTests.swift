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

@Suite struct `An id that is made` {
  @Test func `is 15 letters, comes behind all before it, and is never another's, whatever clock and random bits do`() {
    let clock = SetClock(0)
    let moments = Moments({ clock.now }, { 0 })
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
    let moments = Moments({ Instant(rawValue: 0) }, { 0xFFFF_FFFF_FFFF_FFFF })
    #expect(moments.id().hasSuffix("zzzzzz"))
    #expect(Moments({ Instant(rawValue: 0) }, { 0 }).id() == "---------------")
  }

  @Test func `is unlike all that others make at once`() async {
    let moments = Moments({ .now }, { .random(in: 0 ... .max) })
    let ids = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 { group.addTask { (0..<1000).map { _ in moments.id() } } }
      return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(ids.count == 8000)
  }
}
