// The workloads of maintenance: rebuilding, copies, and imports.
import ChildProcess
import CrashImages
import EventLogLMDB
import Foundation
import SeededRandom
import Verbatim

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

  @Sendable static func erasure(_ root: String, _ random: SeededRandom) async throws {
    for erased in 0..<2 {
      let session =
        erased == 0 ? try await Session.populated(root, "chat", isErasable: true) : try Session.open(root, "chat")
      for number in 0..<6 { try await session.say("e\(erased)-\(number)", "quince\(erased)x\(number)", by: number % 2) }
      try await session.read()
      try session.checkpoint()
      try session.snapshot()
      try readPast(of: session)
      let user = "w\(erased)"
      // The second time, another instance has the tables open, and replaces them.
      let other =
        erased == 0
        ? nil : try Workspace.open(at: root + "/chat", creates: false, configuration: Session.configuration())
      _ = try await other?.read { $0.position }
      mark("erasing chat \(user)")
      _ = try retryingBlocking { try session.workspace.eraseBlocking(.user(Name(user))) }
      mark("erased chat \(user)")
      await other?.close()
      await session.workspace.close()
    }
    let last = try Session.open(root, "chat")
    for number in 0..<2 { try await last.say("last\(number)", "quincelast\(number)", by: number) }
    await last.workspace.close()
  }

  @Sendable static func rotation(_ root: String, _ random: SeededRandom) async throws {
    let session = try await Session.populated(root, "chat", isErasable: true)
    for round in 0..<3 {
      try await session.say("a\(round)", "medlar\(round)a", by: 0)
      if round != 1 { try await retrying { try await session.workspace.replaceMasterKey() } }
      try await session.say("b\(round)", "medlar\(round)b", by: 1)
      if round != 0 { try await retrying { try await session.workspace.replaceContentKeys() } }
    }
    for number in 0..<2 { try await session.say("c\(number)", "medlarc\(number)", by: number) }
    mark("erasing chat w0")
    _ = try retryingBlocking { try session.workspace.eraseBlocking(.user("w0")) }
    mark("erased chat w0")
    await session.workspace.close()
  }

  @Sendable static func importing(_ root: String, _ random: SeededRandom) async throws {
    let session = try await filled(root, "i")
    await session.workspace.close()
    let lines = root + "-lines"
    let tool = Child.path(ofWorker: "verbatim")
    let export = try Child([tool, "export", root + "/chat"])
    let exported = try export.lines()
    guard export.wait() == .exit(0) else { throw Failed(step: "export") }
    func write(_ lines: some Sequence<String>, to file: String) throws {
      try lines.map { $0 + "\n" }.joined().write(toFile: file, atomically: false, encoding: .utf8)
    }
    // They stay: an import that a power cut interrupted continues with them.
    try write(exported, to: lines)
    let ends = exported.indices.filter { exported[$0].contains("\"hash\"") }
    try write(exported[...ends[ends.count / 2]], to: lines + "-part")
    mark("importing imported chat")
    for arguments in [[lines + "-part"], [lines, "--resume"]] {
      guard try Child([tool, "import", root + "/imported"] + arguments).wait() == .exit(0) else {
        throw Failed(step: "import")
      }
    }
    mark("imported imported chat")
    let imported = try Session.open(root, "imported")
    try await imported.send("after", "after the import")
    await imported.workspace.close()
  }

  /// A step of a workload that failed.
  struct Failed: Error { let step: String }
}
