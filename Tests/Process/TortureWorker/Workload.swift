// The workloads: programs whose writes are recorded, each determined by a seed.
import CrashImages
import EventLogLMDB
import Foundation
import SeededRandom
import Tables
import Verbatim
import VerbatimUI

/// A workload: what a recorded process does below a directory.
struct Workload: Sendable {
  let name: String
  /// One line about what it does.
  let summary: String
  /// The work, below a directory that is empty or was prepared.
  let run: @Sendable (_ root: String, _ random: SeededRandom) async throws -> Void
  /// How the recorded process begins.
  var beginning = Beginning.empty

  /// What is in the directory of a recorded process.
  enum Beginning: Sendable {
    /// Nothing.
    case empty
    /// What a power cut left of other workloads.
    case powerCut([String])
    /// What other workloads left that were killed, in the same trace.
    case kill([String])
  }

  /// The number of the boot of the system in which what other workloads left is opened: theirs is the first.
  var bootOfRecovery: Int {
    if case .powerCut = beginning { 2 } else { 1 }
  }

  static let all: [Workload] = [
    Workload(name: "create", summary: "creates a workspace, opens it again", run: create),
    Workload(name: "appends", summary: "appends single and large events to a log", run: appends),
    Workload(name: "writers", summary: "64 writers submit at once", run: writers),
    Workload(name: "typing", summary: "types in a composer, with messages sent between", run: typing),
    Workload(name: "outbox", summary: "adds to an outbox, delivers, refuses, forgets, compacts", run: outbox),
    Workload(name: "offline", summary: "types and sends in the composer of an outbox, delivers", run: offline),
    Workload(name: "blobs", summary: "adds blobs, one of them twice", run: blobs),
    Workload(name: "consumers", summary: "a bot replies to messages", run: consumers),
    Workload(name: "tables", summary: "reads between submits, closes and opens the tables", run: tables),
    Workload(name: "checkpoints", summary: "records checkpoints", run: checkpoints),
    Workload(name: "snapshots", summary: "takes snapshots, loses the tables", run: snapshots),
    Workload(name: "past", summary: "writes the history of the rows", run: past),
    Workload(name: "rebuild", summary: "rebuilds index and tables", run: rebuild),
    Workload(name: "backup", summary: "backs up while messages are sent", run: backup),
    Workload(name: "restore", summary: "restores a backup and continues in it", run: restore),
    Workload(name: "compact", summary: "compacts the log", run: compact),
    Workload(name: "erasure", summary: "erases what users wrote", run: erasure),
    Workload(name: "rotation", summary: "replaces keys, then erases what a user wrote", run: rotation),
    Workload(name: "import", summary: "exports, imports a part and continues, in other processes", run: importing),
    Workload(
      name: "recovery", summary: "opens what a power cut left, and is cut again", run: { _, _ in },
      beginning: .powerCut([
        "create", "appends", "outbox", "offline", "blobs", "consumers", "tables", "checkpoints", "snapshots", "past",
        "erasure", "rotation",
      ])),
    Workload(
      name: "kills", summary: "opens what a killed process left", run: { _, _ in },
      beginning: .kill([
        "create", "appends", "outbox", "offline", "blobs", "consumers", "tables", "checkpoints", "snapshots",
        "erasure", "rotation",
      ])),
  ]

  /// A small one with every kind of file, whose bits are flipped.
  static let small = Workload(name: "small", summary: "writes a little of everything", run: everything)

  static func named(_ name: String) -> Workload? { (all + [small]).first { $0.name == name } }
}

// MARK: Logs

extension Workload {
  @Sendable static func create(_ root: String, _ random: SeededRandom) async throws {
    let session = try Session.open(root, "chat")
    await session.workspace.close()
    let again = try await Session.populated(root, "chat")
    try await again.send("m0", "Hello")
    await again.workspace.close()
  }

  @Sendable static func appends(_ root: String, _ random: SeededRandom) async throws {
    mark("log log")
    let store = try EventStore.open(at: root + "/log", options: LMDBLog.Options(creates: true))
    mark("there log")
    var random = random
    for number in 0..<40 {
      let sizes = number % 8 == 7 ? [300_000] : number % 5 == 4 ? Array(repeating: 700, count: 30) : [20]
      let events = sizes.map { size in
        ProposedEvent(stream: "stream/a", type: "noted", payload: random.noise(size))
      }
      try append(events, to: store)
    }
    store.close()
  }

  static func append(_ events: [ProposedEvent], to store: EventStore) throws {
    let id = AppendID.timeOrdered(at: .now)
    let receipt = try retryingBlocking {
      mark("want log \(id)")
      return try store.appendBlocking(Append(events, id: id))
    }
    try Session.have(receipt, in: store, "log")
  }

  @Sendable static func writers(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat", users: 64)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<64 {
        group.addTask {
          for number in 0..<4 { try await session.send("m\(writer)-\(number)", "number \(number)", by: writer) }
        }
      }
      try await group.waitForAll()
    }
    await session.workspace.close()
  }
}

// MARK: Derived data

extension Workload {
  @Sendable static func tables(_ root: String, _ random: SeededRandom) async throws {
    try await rounds(4, in: root, sending: 12, as: "t") { session, number in
      if number % 2 == 0 { try await session.read() }
    }
  }

  @Sendable static func checkpoints(_ root: String, _ random: SeededRandom) async throws {
    try await rounds(3, in: root, sending: 6, as: "c") { session, _ in try session.checkpoint() }
  }

  /// Opens a workspace in each round, sends messages, after each of which the closure runs, and closes it.
  static func rounds(
    _ count: Int, in root: String, sending messages: Int, as name: String,
    _ body: (_ session: Session, _ number: Int) async throws -> Void
  ) async throws {
    for round in 0..<count {
      let session = round == 0 ? try await Session.populated(root, "chat") : try Session.open(root, "chat")
      for number in 0..<messages {
        try await session.send("\(name)\(round)-\(number)", "number \(number)")
        try await body(session, number)
      }
      await session.workspace.close()
    }
  }

  @Sendable static func snapshots(_ root: String, _ random: SeededRandom) async throws {
    for round in 0..<3 {
      let session = round == 0 ? try await Session.populated(root, "chat") : try Session.open(root, "chat")
      for number in 0..<4 {
        try await session.send("s\(round)-\(number)", "number \(number)")
        try session.snapshot()
      }
      try await session.send("s\(round)-last", "behind the snapshot")
      await session.workspace.close()
      // The next opening copies the snapshot.
      let directory = root + "/chat/projections"
      for name in TableStore.tableStores(in: directory) {
        _ = TableStore.removeIfUnused(directory + "/" + name, for: 0)
      }
    }
  }

  @Sendable static func past(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat")
    for number in 0..<40 { try await session.send("p\(number)", "number \(number)") }
    try readPast(of: session)
    for number in 40..<60 { try await session.send("p\(number)", "number \(number)") }
    try readPast(of: session)
    await session.workspace.close()
  }

  static func readPast(of session: Session) throws {
    let store = try session.stateWithHistory()
    defer { store.close() }
    for position in stride(from: 5, to: try session.workspace.head().rawValue, by: 11) {
      try store.at(Position(rawValue: position)).close()
    }
  }
}

// MARK: Everything

extension Workload {
  @MainActor @Sendable static func everything(_ root: String, _ random: SeededRandom) async throws {
    mark("log log")
    let store = try EventStore.open(at: root + "/log", options: LMDBLog.Options(creates: true))
    mark("there log")
    for size in Array(repeating: 60, count: 40) + [3_000, 20] {
      let payload = Array(repeating: 7 as UInt8, count: size)
      try append([ProposedEvent(stream: "stream/a", type: "noted", payload: payload)], to: store)
    }
    store.close()

    let session = try await Session.populated(root, "chat")
    for number in 0..<2 { try await session.send("m\(number)", "number \(number)", by: number) }
    let blob = try await session.workspace.blobs.add(Array("a blob".utf8))
    mark("blob chat \(blob.id)")
    mark("keystrokes chat")
    mark("compose chat ")
    mark("compose chat a")
    let composer = try await session.workspace.client(user: Session.user(0), device: "desk").channel(Session.channel)
      .composer()
    try composer.perform(.type("a"))
    try await composer.leave()
    mark("kept chat 1")
    var random = random
    mark("outbox outbox chat")
    let outbox = try Outbox(at: root + "/outbox", user: Session.user(0), device: "phone")
    for number in 0..<3 {
      try await add(
        "o\(number)", to: outbox, "outbox", "chat", &random, channel: number == 1 ? "nowhere" : Session.channel)
      if number == 1 { try await deliver(outbox, "outbox", to: session) }
    }
    await outbox.close()
    try await session.read()
    try session.checkpoint()
    try session.snapshot()
    try readPast(of: session)
    await session.workspace.close()
  }
}
