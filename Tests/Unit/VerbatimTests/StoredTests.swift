// Threat: something beside the log is reported as stored before it is on the disk.
//
// Every test passed with the `fsync` of record files (the entries of an outbox, checkpoints) or of blobs removed: a
// test that ends its process loses nothing that the system has in memory. So the system calls are checked: a worker
// stores something under `strace`, and its writes have to be synced before it reports success.
import ChildProcess
import Foundation
import PostgresServer
import Testing
import Verbatim
import Projections
import WorkspaceWorker
import TestThreads

@Suite(.waitsForProcesses, .enabled(if: SystemCalls.areWanted), .directoryOnly("a server syncs its own files"))
struct `Durability before completion` {
  private let folder = WorkspaceFolder()

  /// Files that need not survive a power failure: locks, and files derived from the log.
  private static let volatile: Set = [
    "lock", "lock.mdb", "writer-lock", "writer-queue", "gate", "holders", "writer", "unfinished", "index", "making",
    "beginning",
    "past", "snapshots",
  ]

  @Test func `an outbox entry is synced`() async throws {
    let calls = try await calls(storing: "entries")
    expectStored(calls, "ack entry", 3, in: folder.path + "/outbox", with: "/outbox/entries")
  }

  @Test func `a checkpoint is synced`() async throws {
    let calls = try await calls(storing: "checkpoints")
    expectStored(calls, "ack checkpoint", 2, in: folder.path + "/projections", with: "/projections/checkpoints")
  }

  @Test func `a blob is synced`() async throws {
    let calls = try await calls(storing: "blobs")
    expectStored(calls, "ack blob", 2, in: folder.path + "/blobs", with: "/blobs/unfinished/")
  }

  @Test func `a backup with checkpoints and blobs is synced`() async throws {
    let calls = try await calls(storing: "backup")
    for file in ["/backup/incoming/log/data.mdb", "/backup/projections/checkpoints", "/backup/blobs/"] {
      expectStored(calls, "ack backup", 1, in: folder.path + "/backup", with: file)
    }
  }

  @Test func `keys that another process wrote are synced once, before they are used`() async throws {
    let calls = try await calls(storing: "checkpoints", isErasable: true)
    let acknowledgements = calls.said("ack checkpoint")
    #expect(acknowledgements.count == 2)
    let first = try #require(acknowledgements.first)
    let syncs = calls.calls.filter { $0.name == "fsync" && $0.path == folder.path + "/keys" }
    #expect(syncs.allSatisfy { $0.ended < first.began })
    let sync = try #require(syncs.first)
    #expect(
      calls.calls.contains {
        $0.name == "fsync" && $0.path == folder.path && $0.began > sync.ended && $0.ended < first.began
      })
  }

  @Test func `a snapshot is synced, its content before its name`() async throws {
    let calls = try await calls(storing: "snapshots")
    let snapshots = folder.path + "/projections/snapshots"
    let renames = calls.calls.filter { $0.name.hasPrefix("rename") && $0.paths.first?.hasSuffix("/making") == true }
    let first = try #require(renames.first)
    for rename in renames {
      let unsynced = calls.unsynced(below: snapshots, before: rename).descriptions.filter { $0.contains("/making/") }
      #expect(unsynced == [])
    }
    let said = try #require(calls.said("ack snapshot").first)
    let entries = calls.unsynced(below: snapshots, before: said).entries.keys
    // The directory of all snapshots may be lost with them: they are derived.
    #expect(entries.filter { UInt64(URL(filePath: $0).lastPathComponent) != nil } == [])
    let broken = calls.without { $0.name == "fsync" }
    #expect(broken.unsynced(below: snapshots, before: first).contents.isEmpty == false)
  }

  /// Only the existence of a mark must be durable: after a restart of the system, no content is that of the new boot.
  @Test func `the mark of unsynced tables is durable before the first table is written`() async throws {
    let calls = try await calls(storing: "tables", isNew: true)
    let folders = Set(calls.calls.compactMap { $0.path }.filter { $0.hasSuffix("/dirty") }).map { $0.dropLast(6) }
    #expect(folders.count >= 3, "the index and two folders of tables")
    for folder in folders {
      let first = try #require(calls.calls.first { $0.isWrite && $0.path == folder + "/data.mdb" })
      for (calls, holds) in [(calls, true), (calls.without { $0.name == "fsync" }, false)] {
        let unsynced = calls.unsynced(below: String(folder), before: first)
        #expect((unsynced.entries[folder + "/dirty"] == nil) == holds, "\(folder)")
      }
    }
  }

  @Test func `the mark of complete tables is durable`() async throws {
    let calls = try await calls(storing: "tables", isNew: true)
    let said = try #require(calls.said("ack close").first)
    let marks = Set(calls.calls.compactMap { $0.path }.filter { $0.hasSuffix("/complete") })
    #expect(marks.count >= 1)
    for (calls, holds) in [(calls, true), (calls.without { $0.name == "fsync" }, false)] {
      let unsynced = calls.unsynced(below: folder.path, before: said)
      for mark in marks {
        #expect((unsynced.entries[mark] == nil) == holds, "\(mark)")
      }
    }
  }

  /// Expects that everything but volatile files is synced at each report, and that the check fails without the syncs.
  private func expectStored(
    _ calls: SystemCalls, _ said: String, _ count: Int, in directory: String, with file: String
  ) {
    let acknowledgements = calls.said(said)
    #expect(acknowledgements.count == count)
    for said in acknowledgements { #expect(unsynced(calls, before: said, in: directory) == []) }
    let synced = calls.without { $0.name == "fsync" && $0.path?.hasPrefix(folder.path + file) == true }
    for said in acknowledgements {
      #expect(unsynced(synced, before: said, in: directory) != [], "\(file) is not synced")
    }
  }

  private func unsynced(_ calls: SystemCalls, before said: SystemCalls.Call, in directory: String) -> [String] {
    let all = calls.unsynced(below: directory, before: said)
    func isKept(_ path: String) -> Bool {
      let names = path.dropFirst(folder.path.count).split(separator: "/").map(String.init)
      // A blob's content is on the disk before it gets its name; tables are named by a fingerprint.
      if let place = names.firstIndex(of: "unfinished") { return place < names.count - 1 }
      return Self.volatile.isDisjoint(with: names) && !names.contains { $0.count == 32 }
    }
    return all.contents.keys.filter(isKept).map { "\($0): its content" }
      + all.entries.keys.filter { isKept($0) && !$0.contains("/unfinished/") }.map { "\($0): its entry" }
  }

  /// Lets a worker store something, in a populated workspace or a new one.
  private func calls(
    storing kind: String, isNew: Bool = false, isErasable: Bool = false
  ) async throws -> SystemCalls {
    if !isNew {
      let workspace = try folder.openAsWorker { $0.isErasable = isErasable }
      _ = try await Worker.populate(workspace, 1)
      if kind == "backup" {
        _ = try workspace.projections.checkpoint()
        _ = try await workspace.blobs.add([7])
      }
      await workspace.close()
    }
    let worker = Child.path(ofWorker: "WorkspaceWorker")
    let arguments = [worker, "store", folder.path, kind] + (isErasable ? ["erasable"] : [])
    return try SystemCalls(of: arguments, in: folder.path + ".strace")
  }
}

extension SystemCalls.Call {
  fileprivate var isWrite: Bool { ["write", "writev", "pwrite64", "pwritev", "pwritev2"].contains(name) }
}
