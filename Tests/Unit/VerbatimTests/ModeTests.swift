// Threat: other users than the owner can read a workspace, a backup or an outbox.
import EventLogLMDB
import Foundation
import PostgresServer
import Testing

@testable import Verbatim

/// Fills a workspace with messages, a blob, checkpoints and a snapshot, and closes it.
private func fill(_ path: String, cacheDirectory: String? = nil) async throws {
  var configuration = Configuration()
  (configuration.checkpointDistance, configuration.cacheDirectory) = (2, cacheDirectory)
  let workspace = try Workspace.open(at: path, configuration: configuration)
  try await workspace.populate()
  for number in 0..<5 { try await workspace.send("message", ID(stringLiteral: "m\(number)")) }
  _ = try await workspace.blobs.add(Array("a picture".utf8))
  _ = await workspace.offThread { try? $0.takeSnapshot() }
  await workspace.close()
}

/// Ends the process unless all files below a directory are accessible to their owner alone; returns their paths.
private func names(ofPrivateFilesIn path: String) throws -> [String] {
  let names = try FileManager.default.subpathsOfDirectory(atPath: path)
  for name in names {
    let facts = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    let expected = facts[.type] as? FileAttributeType == .typeDirectory ? 0o700 : 0o600
    guard facts[.posixPermissions] as? Int == expected else { fatalError("\(name): \(facts)") }
  }
  return names
}

// A backup's log used to be readable by the group and by others, as far as the umask permitted: LMDB created its file.
@Suite struct `File modes` {
  private let folder = WorkspaceFolder()

  @Test(.directoryOnly("it looks at all files of a workspace"), arguments: [0, 0o022] as [UInt32])
  func `all files are accessible to their owner alone, under any umask`(mask: UInt32) async throws {
    // The umask is the process's, and other tests create files concurrently.
    await #expect(processExitsWith: .success) { [path = folder.path as String, mask = mask as UInt32] in
      umask(mode_t(mask))
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      chmod(path, 0o700)
      try await fill(path + "/work")
      _ = try WorkspaceFiles(at: path + "/work").backUp(to: path + "/saved")
      _ = try WorkspaceFiles(at: path + "/saved").restore(to: path + "/restored")
      try LMDBLog.open(at: path + "/work").backUp(to: path + "/log")
      // Not the workspace's log, which may still be open here for a moment after it was closed.
      _ = try LMDBLog.compact(logAt: path + "/log")
      let outbox = try Outbox(at: path + "/outbox", user: "ada", device: "phone")
      try await outbox.add(.user("ada", .create(User.Profile(name: "Ada"))))
      await outbox.close()
      let names = try names(ofPrivateFilesIn: path)
      for part in ["log/log/data.mdb", "saved/log/data.mdb", "restored/projections/checkpoints", "outbox/entries"] {
        guard names.contains(part) else { fatalError("there is no \(part)") }
      }
      for part in ["work/projections/snapshots/", "saved/blobs/", "work/index/"] {
        guard names.contains(where: { $0.hasPrefix(part) }) else { fatalError("there is no \(part)") }
      }
    }
  }

  @Test func `what a machine derives from a log on a server is accessible to its owner alone`() async throws {
    let address = try PostgresServer.shared().address(ofLog: "modes-\(UInt64.random(in: 0 ... .max))")
    await #expect(processExitsWith: .success) { [path = folder.path as String, address = address as String] in
      umask(0)
      try await fill(address, cacheDirectory: path)
      let names = try names(ofPrivateFilesIn: path)
      for part in ["/acknowledged", "/blobs/", "/index/", "/projections/checkpoints", "/projections/snapshots/"] {
        guard names.contains(where: { $0.contains(part) }) else { fatalError("there is no \(part)") }
      }
    }
  }
}

// A blob that the user may not read used to be reported as damaged, and so did a restore of its backup.
@Suite struct `An unreadable blob` {
  private let folder = WorkspaceFolder()

  @Test(.directoryOnly("it looks at the file of an attachment"))
  func `an unreadable blob is not reported as a damaged backup`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let files = FileManager.default
      let workspace = try Workspace.open(at: path)
      let blob = try await workspace.blobs.add(Array("a picture".utf8))
      let place = workspace.blobs.path(of: blob.id) ?? ""
      await workspace.close()
      chmod(place, 0)
      // The superuser may read every file.
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
