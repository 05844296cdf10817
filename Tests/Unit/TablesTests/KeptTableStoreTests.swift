// Threat: tables that are kept though they may be damaged, or dropped though they are whole.
import Digests
import Foundation
import Files
import Testing

@testable import Tables

@Suite struct `A reopened table store` {
  private let scratch = Scratch()

  @Test func `a closed table store is kept`() throws {
    try fill { $0.close() }
    #expect(scratch.dirtyMark == nil)
    try expectKept()
  }

  @Test func `an unclosed table store is kept until the next boot`() throws {
    try fill { _ in }
    #expect(try scratch.dirtyMark == scratch.presentMark)
    try expectKept()
  }

  @Test func `a table store is kept when its writer died before the mark was recorded as synced`() throws {
    try fill { $0.close() }
    try Data(try FileSystem.bootAndDevice(of: scratch.path).utf8).write(to: URL(filePath: scratch.path + "/dirty"))
    try expectKept()
  }

  @Test func `a table store is kept when its writer died`() async throws {
    let path = scratch.path
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let folder = try TableStore(at: path, tables: ["one", "other"], isOnChain: { _ in true })
      _ = try folder.write([[1]: [2]], at: logPoint(1))
      _exit(7)
    }
    try expectKept()
  }

  @Test(arguments: ["another boot\n", ""])
  func `a table store with a mark of another boot or mount is dropped`(mark: String) throws {
    try fill { $0.close() }
    try Data(mark.utf8).write(to: URL(filePath: scratch.path + "/dirty"))
    let folder = try scratch.open()
    #expect(try folder.logPoint() == nil && folder.rows() == [[:], [:]])
    #expect(try scratch.dirtyMark == scratch.presentMark)
    #expect(try folder.write([[1]: [2]], at: logPoint(1)) == .written)
  }

  @Test func `a table store that another process has open is kept whatever its mark`() throws {
    let other = try scratch.open()
    _ = try other.write([[1]: [2]], at: logPoint(1))
    try Data("another boot\n".utf8).write(to: URL(filePath: scratch.path + "/dirty"))
    try expectKept()
  }

  @Test func `a table store is dropped when its log point is not on the chain`() throws {
    try fill { $0.close() }
    var asked: [LogPoint] = []
    let folder = try scratch.open { logPoint in
      asked.append(logPoint)
      return false
    }
    #expect(asked == [logPoint(1)])
    #expect(try folder.logPoint() == nil && folder.rows() == [[:], [:]])
  }

  /// What broke: a process was killed between moving the initial data file and removing its directory; the table store
  /// was kept, and so the leftovers stayed forever.
  @Test func `leftovers of a process killed during the initial copy are removed`() throws {
    try fill { $0.close() }
    try FileSystem.makeDirectory(scratch.path + "/beginning")
    let folder = try scratch.open()
    #expect(FileSystem.kind(at: scratch.path + "/beginning") == .nothing)
    #expect(try folder.logPoint() == logPoint(1))
    folder.close()
  }

  @Test func `an empty table store starts from a complete initial data file`() throws {
    try fill { $0.close() }
    let copy = try Data(contentsOf: URL(filePath: scratch.path + "/data.mdb"))
    for isLeft in [false, true] {
      var isLaid = false
      let present = try scratch.presentMark
      try FileManager.default.removeItem(atPath: scratch.path + "/data.mdb")
      // As a process leaves it that is killed during the copy.
      if isLeft {
        try FileSystem.makeDirectory(scratch.path + "/beginning")
        try copy.prefix(5_000).write(to: URL(filePath: scratch.path + "/beginning/data.mdb"))
      }
      let begin = { (directory: String) in
        isLaid = true
        #expect((try? FileSystem.names(in: directory)) == [])
        try? copy.write(to: URL(filePath: directory + "/data.mdb"))
        #expect(FileSystem.kind(at: scratch.path + "/data.mdb") == .nothing)
        #expect(scratch.dirtyMark == present)
      }
      let folder = try TableStore(at: scratch.path, tables: ["one", "other"], beginningWith: begin) { _ in true }
      #expect(isLaid && FileSystem.kind(at: scratch.path + "/beginning") == .nothing)
      #expect(try folder.logPoint() == logPoint(1))
      folder.close()
    }
    try expectKept()
  }

  @Test func `a table store starts empty when the initial data file is not on the chain`() throws {
    try fill { $0.close() }
    let copy = try Data(contentsOf: URL(filePath: scratch.path + "/data.mdb"))
    try FileManager.default.removeItem(atPath: scratch.path + "/data.mdb")
    let begin = { (directory: String) in _ = try? copy.write(to: URL(filePath: directory + "/data.mdb")) }
    let folder = try TableStore(at: scratch.path, tables: ["one", "other"], beginningWith: begin) { _ in false }
    #expect(try folder.logPoint() == nil && folder.rows() == [[:], [:]])
  }

  @Test func `a table store in use is foreign when its log point is not on the chain`() throws {
    let other = try scratch.open()
    _ = try other.write([[1]: [2]], at: logPoint(1))
    #expect { try scratch.open { _ in false } } throws: { error in
      if case TablesError.foreign(scratch.path) = error { true } else { false }
    }
    #expect(try other.rows()[0] == [[1]: [2]])
    other.close()
    // The failed opening holds no lock.
    #expect(scratch.dirtyMark == nil)
  }

  @Test func `a table store with a damaged or foreign data file is dropped`() throws {
    for damage in [noise, cutShort, empty, cutToMetas, zeroPages] {
      try fill { $0.close() }
      try damage(scratch.path + "/data.mdb")
      let folder = try scratch.open()
      #expect(try folder.logPoint() == nil && folder.rows() == [[:], [:]])
      folder.close()
      try FileSystem.removeDirectory(scratch.path)
    }
  }

  /// Otherwise a verification would take them for tables that are not there.
  @Test func `tables without their lock files are read for a comparison`() throws {
    try fill { $0.close() }
    for name in ["gate", "holders", "writer"] { try FileSystem.remove(scratch.path + "/" + name) }
    #expect(try ReadOnlyTableStore(at: scratch.path) != nil)
    try FileSystem.removeDirectory(scratch.path)
    #expect(try ReadOnlyTableStore(at: scratch.path) == nil)
  }

  @Test func `a table store with other tables is dropped`() throws {
    try fill { $0.close() }
    let folder = try TableStore(at: scratch.path, tables: ["one"], isOnChain: { _ in true })
    #expect(try folder.logPoint() == nil && folder.digests() == [TableDigest()])
  }

  /// A power cut during a removal left the tables without their gate, and no process could remove them again.
  @Test(arguments: [["gate"], ["data.mdb"], ["gate", "writer", "data.mdb", "lock.mdb"]])
  func `a table store is found and removed whichever of its files an interrupted removal left`(gone: [String]) throws {
    try fill { $0.close() }
    for name in gone { try FileManager.default.removeItem(atPath: scratch.path + "/" + name) }
    let parent = FileSystem.parent(of: scratch.path)
    let name = String(scratch.path.dropFirst(parent.count + 1))
    #expect(TableStore.tableStores(in: parent).contains(name))
    #expect(TableStore.removeIfUnused(scratch.path, for: 0))
    #expect(!FileManager.default.fileExists(atPath: scratch.path))
  }

  /// The system's time for files can be some milliseconds ahead of that for programs: about one in 250 removals of a
  /// table store that had just been closed was refused.
  @Test func `a table store that was changed in the future is removed`() throws {
    try fill { $0.close() }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 3_600)], ofItemAtPath: scratch.path + "/holders")
    #expect(!TableStore.removeIfUnused(scratch.path, for: 1))
    #expect(TableStore.removeIfUnused(scratch.path, for: 0))
  }

  private func fill(_ end: (TableStore) -> Void) throws {
    let folder = try scratch.open()
    #expect(try folder.write([[1]: [2]], at: logPoint(1)) == .written)
    end(folder)
  }

  private func expectKept(_ location: SourceLocation = #_sourceLocation) throws {
    let folder = try scratch.open()
    #expect(try folder.logPoint() == logPoint(1), sourceLocation: location)
    #expect(try folder.rows() == [[[1]: [2]], [:]], sourceLocation: location)
  }
}

private func noise(_ path: String) throws {
  try Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
}

private func cutShort(_ path: String) throws { truncate(path, 100) }

private func empty(_ path: String) throws { truncate(path, 0) }

/// Leaves both meta pages, which are undamaged.
private func cutToMetas(_ path: String) throws { truncate(path, 2 * 4096) }

/// Leaves both meta pages and the length.
private func zeroPages(_ path: String) throws {
  let metas = try Data(contentsOf: URL(filePath: path))
  try (metas.prefix(2 * 4096) + Data(count: metas.count - 2 * 4096)).write(to: URL(filePath: path))
}

@Suite struct `The dirty mark` {
  private let scratch = Scratch()

  /// The creation of tables is a write, too.
  @Test func `the dirty mark exists from the creation of a table store`() throws {
    let folder = try scratch.open()
    #expect(try scratch.dirtyMark == scratch.presentMark)
    folder.close()
    #expect(scratch.dirtyMark == nil)
  }

  @Test func `the dirty mark is written with the first write and not by opening or reading`() throws {
    try scratch.open().close()
    let folder = try scratch.open()
    _ = try folder.rows()
    #expect(scratch.dirtyMark == nil)
    _ = try folder.write([[1]: [1]], at: logPoint(1))
    #expect(try scratch.dirtyMark == scratch.presentMark)
  }

  @Test func `the dirty mark is rewritten only when it may be unsynced`() throws {
    let path = scratch.path + "/dirty"
    var folder = try scratch.open()
    for position in 1...2 as ClosedRange<UInt64> {
      let before = FileSystem.identity(of: path)
      _ = try folder.write([[1]: [1]], at: logPoint(position))
      #expect(FileSystem.identity(of: path) == before)
      // As if the writing process had died.
      folder = try scratch.open()
    }
    try Data(try FileSystem.bootAndDevice(of: scratch.path).utf8).write(to: URL(filePath: path))
    folder = try scratch.open()
    #expect(try folder.logPoint() == logPoint(2))
    _ = try folder.write([[1]: [1]], at: logPoint(3))
    #expect(try scratch.dirtyMark == scratch.presentMark)
  }

  @Test func `a write fails when the dirty mark cannot be written first`() throws {
    try scratch.open().close()
    let folder = try scratch.open()
    try FileSystem.makeDirectory(scratch.path + "/dirty")
    #expect(throws: TablesError.self) { try folder.write([[1]: [1]], at: logPoint(1)) }
    #expect(try folder.logPoint() == nil)
    rmdir(scratch.path + "/dirty")
    #expect(try folder.write([[1]: [1]], at: logPoint(1)) == .written)
  }

  @Test func `the dirty mark is removed by the last close only`() throws {
    let (one, other, third) = (try scratch.open(), try scratch.open(), try scratch.open())
    _ = try one.write([[1]: [1]], at: logPoint(1))
    one.close()
    #expect(scratch.dirtyMark != nil)
    one.close()
    other.close()
    #expect(scratch.dirtyMark != nil)
    third.close()
    #expect(scratch.dirtyMark == nil)
  }

  @Test func `the dirty mark is written again by the next write after a close`() throws {
    let one = try scratch.open()
    _ = try one.write([[1]: [1]], at: logPoint(1))
    one.close()
    let other = try scratch.open()
    #expect(scratch.dirtyMark == nil)
    _ = try other.write([[1]: [2]], at: logPoint(2))
    #expect(scratch.dirtyMark != nil)
    other.close()
    #expect(scratch.dirtyMark == nil)
  }
}
