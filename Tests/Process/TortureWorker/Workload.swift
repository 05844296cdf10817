// The workloads: programs whose writes are recorded, each determined by a seed.
import ChildProcess
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

  static let all: [Workload] = [
    Workload(name: "create", summary: "creates a workspace, opens it again", run: create),
    Workload(name: "appends", summary: "appends single and large events to a log", run: appends),
    Workload(name: "writers", summary: "64 writers submit at once", run: writers),
    Workload(name: "typing", summary: "types in a composer, with messages sent between", run: typing),
    Workload(name: "outbox", summary: "adds to an outbox, delivers, refuses, forgets, compacts", run: outbox),
    Workload(name: "blobs", summary: "adds blobs, one of them twice", run: blobs),
    Workload(name: "tables", summary: "reads between submits, closes and opens the tables", run: tables),
    Workload(name: "checkpoints", summary: "records checkpoints", run: checkpoints),
    Workload(name: "snapshots", summary: "takes snapshots, loses the tables", run: snapshots),
    Workload(name: "past", summary: "writes the history of the rows", run: past),
    Workload(name: "rebuild", summary: "rebuilds index and tables", run: rebuild),
    Workload(name: "backup", summary: "backs up while messages are sent", run: backup),
    Workload(name: "restore", summary: "restores a backup and continues in it", run: restore),
    Workload(name: "compact", summary: "compacts the log", run: compact),
    Workload(name: "import", summary: "exports, and imports with another process", run: importing),
    Workload(
      name: "recovery", summary: "opens what a power cut left, and is cut again", run: { _, _ in },
      beginning: .powerCut(["create", "appends", "outbox", "blobs", "tables", "checkpoints", "snapshots", "past"])),
    Workload(
      name: "kills", summary: "opens what a killed process left", run: { _, _ in },
      beginning: .kill(["create", "appends", "outbox", "blobs", "tables", "checkpoints", "snapshots"])),
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

  private static func append(_ events: [ProposedEvent], to store: EventStore) throws {
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

// MARK: Clients

extension Workload {
  @MainActor @Sendable static func typing(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat")
    mark("keystrokes chat")
    mark("compose chat ")
    var (random, count) = (random, 0)
    let channel = session.workspace.client(user: Session.user(0), device: "desk").channel(Session.channel)
    let composer = try await channel.composer()
    func act(_ text: String, _ body: () throws -> Void) rethrows {
      count += 1
      mark("compose chat \(text)")
      try body()
    }
    for turn in 0..<12 {
      for _ in 0..<8 + random.below(24) {
        let letter = String(UnicodeScalar(UInt8(97 + random.below(26))))
        try act(composer.text + letter) { try composer.perform(.type(letter)) }
        // Without a pause all keystrokes would be in one block.
        if random.below(4) == 0 { try await Task.sleep(for: .milliseconds(random.below(12))) }
      }
      switch turn % 3 {
      case 0:
        count += 1
        mark("compose chat ")
        mark("will-send chat")
        try await composer.send()
        mark("sent chat")
      case 1: try await composer.flush()
      default: try await session.send("m\(turn)", "between")
      }
      // Everything that was typed before a submit returned is on the disk.
      mark("kept chat \(count)")
    }
    try await composer.leave()
    mark("kept chat \(count)")
    await session.workspace.close()
  }

  @Sendable static func outbox(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat")
    mark("outbox outbox chat")
    var random = random
    for round in 0..<4 {
      let outbox = try Outbox(at: root + "/outbox", user: Session.user(0), device: "phone")
      for number in 0..<8 {
        // One message is to a channel that does not exist; a file of 64 KiB of settled entries is compacted.
        try await add(
          "o\(round)-\(number)", to: outbox, "outbox", "chat", &random,
          channel: number == 4 ? "nowhere" : Session.channel, size: 4_900)
      }
      for refused in try await deliver(outbox, "outbox", to: session) where round % 2 == 0 {
        mark("will-forget outbox \(refused)")
        try await outbox.forget(refused)
        mark("forgotten outbox \(refused)")
      }
      // After the compaction that follows a delivery.
      try await add("o\(round)-last", to: outbox, "outbox", "chat", &random)
      await outbox.close()
    }
    await session.workspace.close()
  }

  /// Adds a message to an outbox.
  static func add(
    _ message: String, to outbox: Outbox, _ name: String, _ area: String, _ random: inout SeededRandom,
    channel: Channel.ID = Session.channel, size: Int = 20
  ) async throws {
    let id = AppendID.timeOrdered(at: .now, random: random.next())
    let key = Message.Key(channel, ID(stringLiteral: message))
    mark("want \(area) \(id)")
    mark("will-add \(name) \(id)")
    let text = UserText(String(repeating: "word ", count: size / 5))
    _ = try await retrying { try await outbox.add(.message(key, .send(Message.Content(text))), id: id) }
    mark("added \(name) \(id)")
  }

  /// Delivers an outbox; returns the refused entries.
  @discardableResult
  static func deliver(_ outbox: Outbox, _ name: String, to session: Session) async throws -> [AppendID] {
    let delivery = try await retrying { try await outbox.deliver(to: session.workspace) }
    for (entry, submitted) in delivery.delivered {
      if let receipt = submitted.receipt { try session.have(receipt) }
      mark("delivered \(name) \(entry.id)")
    }
    for refused in delivery.refused { mark("refused \(name) \(refused.entry.id)") }
    return delivery.refused.map(\.entry.id)
  }

  @Sendable static func blobs(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat")
    var random = random
    var first: [UInt8] = []
    for number in 0..<12 {
      let bytes = number == 6 ? first : random.noise(number % 4 == 3 ? 60_000 : 900)
      if number == 0 { first = bytes }
      let blob = try await retrying { try await session.workspace.blobs.add(bytes) }
      mark("blob chat \(blob.id)")
      try await session.send("b\(number)", "see \(blob.id)")
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
  private static func rounds(
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

  private static func readPast(of session: Session) throws {
    let store = try session.stateWithHistory()
    defer { store.close() }
    for position in stride(from: 5, to: try session.workspace.head().rawValue, by: 11) {
      try store.at(Position(rawValue: position)).close()
    }
  }
}

// MARK: Maintenance

extension Workload {
  private static func filled(_ root: String, _ word: String) async throws -> Session {
    let session = try await Session.populated(root, "chat")
    for number in 0..<12 { try await session.send("\(word)\(number)", "number \(number)") }
    let blob = try await session.workspace.blobs.add(Array("a blob of \(word)".utf8))
    mark("blob chat \(blob.id)")
    try session.checkpoint()
    return session
  }

  @Sendable static func rebuild(_ root: String, _ random: SeededRandom) async throws {
    let session = try await filled(root, "r")
    await session.workspace.close()
    _ = try WorkspaceFiles(at: root + "/chat").rebuild(Session.configuration())
    let again = try Session.open(root, "chat")
    try await again.send("after", "after the rebuild")
    await again.workspace.close()
  }

  @Sendable static func backup(_ root: String, _ random: SeededRandom) async throws {
    let session = try await filled(root, "b")
    for round in 0..<2 {
      mark("copying backup\(round) chat")
      _ = try WorkspaceFiles(at: root + "/chat").backUp(to: root + "/backup\(round)")
      mark("copied backup\(round) chat")
      try await session.send("after\(round)", "after the backup")
    }
    await session.workspace.close()
    try backUpLog(root)
  }

  /// Backs up a log without a workspace.
  private static func backUpLog(_ root: String) throws {
    mark("log log")
    let store = try EventStore.open(at: root + "/log", options: LMDBLog.Options(creates: true))
    mark("there log")
    for number in 0..<3 as Range<UInt8> {
      try append([ProposedEvent(stream: "stream/a", type: "noted", payload: [number])], to: store)
    }
    store.close()
    mark("copying copy log")
    let log = try LMDBLog.open(at: root + "/log")
    try log.backUp(to: root + "/copy")
    mark("copied copy log")
    log.close()
  }

  @Sendable static func restore(_ root: String, _ random: SeededRandom) async throws {
    let session = try await filled(root, "r")
    mark("copying backup chat")
    _ = try WorkspaceFiles(at: root + "/chat").backUp(to: root + "/backup")
    mark("copied backup chat")
    await session.workspace.close()
    mark("copying restored chat")
    _ = try WorkspaceFiles(at: root + "/backup").restore(to: root + "/restored")
    mark("copied restored chat")
    let restored = try Session.open(root, "restored")
    for number in 0..<4 { try await restored.send("after\(number)", "in the restored workspace") }
    await restored.workspace.close()
  }

  @Sendable static func compact(_ root: String, _ random: SeededRandom) async throws {
    let session = try await filled(root, "c")
    await session.workspace.close()
    for round in 0..<2 {
      _ = try WorkspaceFiles(at: root + "/chat").compact()
      let again = try Session.open(root, "chat")
      for number in 0..<3 { try await again.send("after\(round)-\(number)", "after the compaction") }
      await again.workspace.close()
    }
  }

  @Sendable static func importing(_ root: String, _ random: SeededRandom) async throws {
    let session = try await filled(root, "i")
    await session.workspace.close()
    let lines = root + "-lines"
    let tool = Child.path(ofWorker: "verbatim")
    let export = try Child([tool, "export", root + "/chat"])
    let exported = try export.lines().joined(separator: "\n") + "\n"
    guard export.wait() == .exit(0) else { throw Failed(step: "export") }
    try exported.write(toFile: lines, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: lines) }
    mark("copying imported chat")
    guard try Child([tool, "import", root + "/imported", lines]).wait() == .exit(0) else {
      throw Failed(step: "import")
    }
    mark("imported imported chat")
    let imported = try Session.open(root, "imported")
    try await imported.send("after", "after the import")
    await imported.workspace.close()
  }

  /// A step of a workload that failed.
  struct Failed: Error { let step: String }
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
