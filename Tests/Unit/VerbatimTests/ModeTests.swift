// Threat: a workspace, a copy of one or an outbox that others than its owner can read.
import EventLogLMDB
import Foundation
import Testing

@testable import Verbatim

/// A workspace with messages, a blob, checkpoints and a snapshot, closed again.
private func fill(_ path: String) async throws {
  var configuration = Configuration()
  configuration.checkpointDistance = 2
  let workspace = try Workspace.open(at: path, configuration: configuration)
  try await workspace.populate()
  for number in 0..<5 { try await workspace.send("message", ID(stringLiteral: "m\(number)")) }
  _ = try await workspace.blobs.add(Array("a picture".utf8))
  _ = await workspace.offThread { try? $0.takeSnapshot() }
  await workspace.close()
}

// Once a backup's log could be read by the group, and by others, as far as the umask let them: LMDB made its file.
@Suite struct `What is kept for a person` {
  private let folder = WorkspaceFolder()

  @Test(arguments: [0, 0o022] as [UInt32])
  func `is for its owner alone, whatever the umask`(mask: UInt32) async throws {
    // The umask is the process's, and other tests make files meanwhile.
    await #expect(processExitsWith: .success) { [path = folder.path as String, mask = mask as UInt32] in
      umask(mode_t(mask))
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      chmod(path, 0o700)
      try await fill(path + "/work")
      _ = try WorkspaceFiles(at: path + "/work").backUp(to: path + "/saved")
      _ = try WorkspaceFiles(at: path + "/saved").restore(to: path + "/restored")
      try LMDBLog.open(at: path + "/work").backUp(to: path + "/log")
      // Not that of the workspace, which may still be open here for a moment after it was closed.
      _ = try LMDBLog.compact(logAt: path + "/log")
      let outbox = try Outbox(at: path + "/outbox", user: "ada", device: "phone")
      try await outbox.add(.user("ada", .create(User.Profile(name: "Ada"))))
      await outbox.close()
      let files = FileManager.default
      let names = try files.subpathsOfDirectory(atPath: path)
      for name in names {
        let facts = try files.attributesOfItem(atPath: path + "/" + name)
        let expected = facts[.type] as? FileAttributeType == .typeDirectory ? 0o700 : 0o600
        guard facts[.posixPermissions] as? Int == expected else { fatalError("\(name): \(facts)") }
      }
      for part in ["log/log/data.mdb", "saved/log/data.mdb", "restored/projections/checkpoints", "outbox/entries"] {
        guard names.contains(part) else { fatalError("there is no \(part)") }
      }
      for part in ["work/projections/snapshots/", "saved/blobs/", "work/index/"] {
        guard names.contains(where: { $0.hasPrefix(part) }) else { fatalError("there is no \(part)") }
      }
    }
  }
}

// Once a blob that the user may not read was taken for a damaged one, and a restore said that the backup was damaged.
@Suite struct `A blob that may not be read` {
  private let folder = WorkspaceFolder()

  @Test func `is no damage of a backup`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let files = FileManager.default
      let workspace = try Workspace.open(at: path)
      let blob = try await workspace.blobs.add(Array("a picture".utf8))
      let place = workspace.blobs.path(of: blob.id) ?? ""
      await workspace.close()
      chmod(place, 0)
      // For the superuser there is nothing that may not be read.
      if geteuid() == 0 {
        for name in [""] + (try files.subpathsOfDirectory(atPath: path)) { chown(path + "/" + name, 65_534, 65_534) }
        guard setgid(65_534) == 0, setuid(65_534) == 0 else { fatalError("the process keeps its rights") }
      }
      do throws(MaintenanceError) {
        _ = try WorkspaceFiles(at: path).restore(to: path + "/restored")
        fatalError("it was restored")
      } catch {
        guard case .storage(place, "Permission denied") = error else { fatalError("\(error)") }
      }
    }
  }
}
