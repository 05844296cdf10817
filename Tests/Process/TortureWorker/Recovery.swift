// The work of a process that finds what a power cut or a kill left.
import CrashImages
import EventLogLMDB
import SeededRandom
import Verbatim

/// A process that opens everything that another one left, writes to it, and closes it, twice.
struct Recovery {
  /// What the other process was promised.
  let ledger: Ledger

  func run(_ root: String, _ random: SeededRandom) async throws {
    for round in 0..<2 {
      for (name, area) in ledger.areas.sorted(by: { $0.key < $1.key }) where !area.isIncomplete {
        if area.isLog {
          try appendToLog(root, name)
        } else {
          try await write(to: name, isErasable: area.isErasable, root, round, random)
        }
      }
    }
  }

  private func appendToLog(_ root: String, _ name: String) throws {
    let store = try EventStore.open(at: root + "/" + name, options: LMDBLog.Options(creates: true))
    mark("there \(name)")
    let id = AppendID.timeOrdered(at: .now)
    mark("want \(name) \(id)")
    let event = ProposedEvent(stream: "stream/again", type: "noted", payload: [1, 2, 3])
    try Session.have(store.appendBlocking(Append([event], id: id)), in: store, name)
    store.close()
  }

  private func write(
    to name: String, isErasable: Bool, _ root: String, _ round: Int, _ random: SeededRandom
  ) async throws {
    let session = try Session.open(root, name, isErasable: isErasable)
    if isErasable { _ = try await retrying { try await session.workspace.resumeErasures() } }
    try await session.read()
    for number in 0..<3 {
      let user: User.ID = ID(stringLiteral: "again\(round)-\(number)")
      try await session.submit([.user(user, .create(User.Profile(name: "Again")))], by: .system)
    }
    try session.checkpoint()
    if round == 1 { try session.snapshot() }
    var random = random
    let blob = try await session.workspace.blobs.add(random.noise(600))
    mark("blob \(name) \(blob.id)")
    for (outbox, known) in ledger.outboxes where known.area == name {
      try await deliver(outbox, to: session, root, round, &random)
    }
    await session.workspace.close()
  }

  private func deliver(
    _ name: String, to session: Session, _ root: String, _ round: Int, _ random: inout SeededRandom
  ) async throws {
    let outbox = try Outbox(at: root + "/" + name, user: Session.user(0), device: "phone")
    for number in 0..<2 {
      try await Workload.add("again\(round)-\(number)", to: outbox, name, session.area, &random)
    }
    try await Workload.deliver(outbox, name, to: session)
    await outbox.close()
  }
}
