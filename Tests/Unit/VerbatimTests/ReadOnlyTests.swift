// Threat: a workspace cannot be written: read-only media, a full disk.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import Glibc
import PostgresServer
import Testing

@testable import Verbatim

/// What broke: every command failed if it could not write a lock file or tables, even one that only reads; on a full
/// disk the failure was reported as damage. What fixed it: with ``Configuration/allowsReadOnly`` the log is read as it
/// is, and its tables are kept in memory or in a directory that the caller names.
@Suite(.enabled(if: MemoryDisk.canBeMade), .directoryOnly("the disk of a directory is full or read-only"))
struct `A workspace that cannot be written` {
  private let disk: MemoryDisk
  private let path: String

  init() async throws {
    disk = try MemoryDisk()
    path = disk.path + "/chat"
    let workspace = try Workspace.open(at: path, configuration: Self.small())
    try await workspace.populate()
    for number in 1...5 { try await workspace.send("text \(number)", Message.ID(rawValue: "m\(number)")!) }
    await workspace.close()
  }

  private static func small(_ choose: (inout Configuration) -> Void = { _ in }) -> Configuration {
    var configuration = Configuration()
    configuration.freeSpaceReserve = 0
    choose(&configuration)
    return configuration
  }

  private func expectReadable(_ path: String, _ configuration: Configuration) async throws {
    let workspace = try Workspace.open(at: path, creates: false, configuration: configuration)
    #expect(try await workspace.texts() == (1...5).map { "text \($0)" })
    let head = try workspace.head()
    let past = try await workspace.at(Position(rawValue: head.rawValue - 1))
    let texts = try await past.read { projections in
      try projections.chat.messages(in: "general", .latest, limit: 50, for: "ada").messages.map {
        $0.content.text.string
      }
    }
    #expect(texts.count == 4)
    if workspace.store.isReadOnly {
      await #expect(throws: SubmitError.self) { try await workspace.send("more", "m6") }
    }
    await workspace.close()
  }

  @Test func `a workspace on read-only media is read with tables in memory or in a named directory`() async throws {
    let path = try disk.readOnlyPath() + "/chat"
    #expect(throws: WorkspaceError.self) { try Workspace.open(at: path, creates: false) }
    try await expectReadable(path, Self.small { $0.allowsReadOnly = true })
    let cache = WorkspaceFolder()
    for _ in 0..<2 {
      try await expectReadable(
        path,
        Self.small {
          $0.allowsReadOnly = true
          $0.cacheDirectory = cache.path
        })
    }
    #expect(!(try FileManager.default.contentsOfDirectory(atPath: cache.path)).isEmpty)
  }

  // What broke: it was found by reading. No erasure looked into the directory for tables of read-only workspaces.
  @Test(arguments: [true, false])
  func `what is erased goes also from the tables of programs that only read`(isConfigured: Bool) async throws {
    try disk.remove("chat")
    var workspace = try Workspace.open(at: path, configuration: Self.small { $0.isErasable = true })
    try await workspace.populate()
    try await workspace.send("Quincewords", "m1")
    await workspace.close()
    let (cache, sample) = (WorkspaceFolder(), ErasableSample())
    let reading = Self.small {
      $0.allowsReadOnly = true
      $0.cacheDirectory = cache.path
    }
    let readOnly = try disk.readOnlyPath() + "/chat"
    func texts() async throws -> [String] {
      let reader = try Workspace.open(at: readOnly, creates: false, configuration: reading)
      let texts = try await reader.texts()
      await reader.close()
      return texts
    }
    #expect(try await texts() == ["Quincewords"])
    #expect(try sample.found(["Quincewords"], in: cache.path) == ["Quincewords"])
    workspace = try Workspace.open(
      at: path, creates: false, configuration: Self.small { if isConfigured { $0.cacheDirectory = cache.path } })
    _ = try await workspace.erase(.user("ada"))
    await workspace.close()
    if !isConfigured { #expect(try await texts() == [""]) }
    #expect(try sample.found(["Quincewords"], in: cache.path) == [])
    #expect(try await texts() == [""])
  }

  @Test func `a workspace on a full disk is read without writing tables until there is space`() async throws {
    try disk.remove("chat/projections")
    try disk.remove("chat/index")
    try disk.fill()
    do throws(WorkspaceError) {
      _ = try Workspace.open(at: path, creates: false, configuration: Self.small())
      Issue.record("it was opened")
    } catch {
      #expect("\(error)".contains("is full") && !"\(error)".contains("damaged"), "\(error)")
    }
    try await expectReadable(path, Self.small { $0.allowsReadOnly = true })
    try disk.empty()
    let workspace = try Workspace.open(at: path, creates: false, configuration: Self.small())
    try await workspace.send("more", "m6")
    #expect(try await workspace.texts().count == 6)
    await workspace.close()
  }
}
