// Threat: tables that cannot be read for a moment are taken for damaged ones, or for ones that need no rebuild.
import Files
import Foundation
import Testing

@testable import Tables

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `Tables that cannot be read` {
  private let scratch = Scratch()

  init() throws {
    let folder = try scratch.open()
    _ = try folder.write([[1]: [2]], at: logPoint(1))
    folder.close()
  }

  // What broke: the mark of a table store that could not be opened was taken for that of another boot, and its data
  // file for a damaged one.
  @Test func `a lack of descriptors is not reported as damage, and changes nothing`() async throws {
    try Data(scratch.presentMark.utf8).write(to: URL(filePath: scratch.path + "/dirty"))
    await #expect(processExitsWith: .exitCode(0)) { [path = scratch.path as String] in
      let failures = failuresForLackOfDescriptors {
        do throws(TablesError) {
          guard try ReadOnlyTableStore(at: path) != nil else { _exit(2) }
          return true
        } catch {
          switch error {
          case .failed, .cannotOpen: return false
          default: _exit(4)
          }
        }
      }
      _exit(failures > 3 ? 0 : 3)
    }
    #expect(try scratch.dirtyMark == scratch.presentMark)
    #expect(try scratch.open().rows() == [[[1]: [2]], [:]])
  }

  @Test func `a snapshot is neither damaged nor gone for a lack of descriptors`() async throws {
    let path = scratch.path + "/snapshots"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let folder = try TableStore(at: path + "/folder", tables: ["one"], seededBy: .name, isOnChain: { _ in true })
    _ = try folder.write([changes([[1]: [2]])], logPoint: logPoint(1))
    let copies = SnapshotDirectory(in: path, tables: ["one"], seededBy: .name)
    #expect(try copies.take(of: folder, until: .now + .seconds(10)) == logPoint(1))
    folder.close()
    await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
      let copies = SnapshotDirectory(in: path, tables: ["one"], seededBy: .name)
      let failures = failuresForLackOfDescriptors {
        switch copies.check(1, isOnChain: { _ in true }) {
        case .whole: true
        case .unreadable: false
        case .damaged: _exit(4)
        case .gone: _exit(5)
        }
      }
      _exit(failures > 1 ? 0 : 3)
    }
  }

  // What broke: an erasure was recorded as completed though files of the tables could not be removed.
  @Test func `what remains for a lack of descriptors is not reported as removed`() async throws {
    let path = scratch.path + "/snapshots"
    try FileManager.default.createDirectory(atPath: path + "/old/1", withIntermediateDirectories: true)
    try Data("words".utf8).write(to: URL(filePath: path + "/old/1/data.mdb"))
    await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
      let failures = failuresForLackOfDescriptors {
        guard (try? TableStore.removeAll(in: path, where: { _ in true })) == true else { return false }
        if FileManager.default.fileExists(atPath: path + "/old") { _exit(4) }
        return true
      }
      _exit(failures > 2 ? 0 : 3)
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/old"))
  }

  // What broke: a directory without its lock file was taken for removed.
  @Test func `a scratch directory that remains for a lack of descriptors is not reported as removed`() async throws {
    let path = scratch.path + "/past"
    try FileManager.default.createDirectory(atPath: path + "/1/beginning", withIntermediateDirectories: true)
    for name in ["used", "beginning/data.mdb"] {
      try Data("words".utf8).write(to: URL(filePath: path + "/1/" + name))
    }
    await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
      let failures = failuresForLackOfDescriptors {
        guard (try? ScratchDirectory.used(in: path))?.isEmpty == true else { return false }
        if FileManager.default.fileExists(atPath: path + "/1") { _exit(4) }
        return true
      }
      _exit(failures > 3 ? 0 : 3)
    }
    #expect(!FileManager.default.fileExists(atPath: path + "/1"))
  }

  @Test func `the status of tables whose mark cannot be read is that they cannot be read`() throws {
    try FileManager.default.createDirectory(atPath: scratch.path + "/dirty", withIntermediateDirectories: false)
    guard case .unreadable(let reason) = TableStore.status(at: scratch.path) else {
      Issue.record("\(TableStore.status(at: scratch.path))")
      return
    }
    #expect(reason.hasPrefix("\(scratch.path)/dirty is a directory"), "\(reason)")
  }
}

/// How often `succeeds` returned false while no descriptor was free, and then one more with each call.
///
/// The most of several rounds: other threads of this process may close descriptors of their own meanwhile.
private func failuresForLackOfDescriptors(_ succeeds: () -> Bool) -> Int {
  (0..<20).map { _ in
    var taken = allDescriptors()
    var failures = 0
    while !succeeds() {
      failures += 1
      close(taken.removeLast())
    }
    for descriptor in taken { close(descriptor) }
    return failures
  }.max()!
}

/// Opens descriptors until this process may not open another one.
private func allDescriptors() -> [CInt] {
  #if canImport(Glibc)
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    let files = RLIMIT_NOFILE
  #endif
  var limit = rlimit()
  getrlimit(files, &limit)
  limit.rlim_cur = min(limit.rlim_cur, 64)
  setrlimit(files, &limit)
  var taken: [CInt] = []
  while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
  return taken
}
