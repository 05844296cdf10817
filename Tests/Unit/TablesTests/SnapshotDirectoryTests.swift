// Threat: a snapshot that another process replaces or removes is taken for a damaged one.
import Foundation
import LMDBPages
import Testing

@testable import Tables

// What broke: `verify` during `snapshot` reported whole snapshots as damaged, and advised to rebuild: a snapshot was
// replaced by removing its directory and renaming the new one, and a reader in between found nothing; a pruned one
// looked the same. Fix: a snapshot's file is replaced atomically, a check reads through one open file, and a damage is
// confirmed before it is reported.
@Suite struct `Snapshots during concurrent takes and removals` {
  private let scratch = Scratch()
  private let copies: SnapshotDirectory
  private let folder: TableStore

  init() throws {
    try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
    folder = try TableStore(
      at: scratch.path + "/folder", tables: ["one", "other"], seededBy: .name, isOnChain: { _ in true })
    copies = SnapshotDirectory(in: scratch.path + "/copies", tables: ["one", "other"], seededBy: .name)
    _ = try folder.write([[1]: [2]], at: logPoint(1))
    #expect(try take() == logPoint(1))
  }

  private func take() throws -> LogPoint? { try copies.take(of: folder, until: .now + .seconds(10)) }

  private var data: String { copies.path(of: 1) + "/data.mdb" }

  private func isWhole(_ check: SnapshotCheck) -> Bool {
    if case .whole = check { true } else { false }
  }

  private func inode(_ path: String) throws -> UInt64 {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
  }

  @Test func `a snapshot is replaced atomically so that a reader always finds one`() throws {
    let (directory, file) = (try inode(copies.path(of: 1)), try inode(data))
    let open = try DataFile(path: data)
    #expect(try take() == logPoint(1))
    // The directory was never removed, and the old file is unchanged for its reader.
    #expect(try inode(copies.path(of: 1)) == directory)
    #expect(try inode(data) != file)
    #expect(try open.damages(of: open.newestMeta()).isEmpty)
    #expect(isWhole(copies.check(1) { _ in true }))
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies.path(of: 1)) == ["data.mdb"])
  }

  // What broke: the directory in which a killed process had made one stayed.
  @Test func `nothing remains of removed snapshots`() throws {
    let making = copies.path + "/making"
    try FileManager.default.createDirectory(atPath: making, withIntermediateDirectories: false)
    try Data(count: 4096).write(to: URL(filePath: making + "/data.mdb"))
    copies.removeAll()
    #expect(!FileManager.default.fileExists(atPath: copies.path))
  }

  @Test func `a snapshot removed after it was listed is gone and not damaged`() throws {
    #expect(copies.positions == [1])
    copies.remove(1)
    #expect(copies.check(1) { _ in true } == .gone)
    let empty = scratch.path + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    #expect(copies.lay(1, into: empty) { _ in true } == .gone)
    #expect(try FileManager.default.contentsOfDirectory(atPath: empty).isEmpty)
  }

  @Test func `a damaged snapshot that was replaced or removed is checked again`() throws {
    let whole = try Data(contentsOf: URL(filePath: data))
    var broken = whole
    broken.replaceSubrange(3 * 4096..<4 * 4096, with: Data(count: 4096))
    try broken.write(to: URL(filePath: data), options: .atomic)
    let found = copies.check(1, isOnChain: { _ in true }, betweenLooks: {})
    guard case .damaged = found else {
      Issue.record("\(found)")
      return
    }
    let replaced = copies.check(1, isOnChain: { _ in true }) { _ = try? take() }
    #expect(isWhole(replaced), "\(replaced)")
    try broken.write(to: URL(filePath: data), options: .atomic)
    #expect(copies.check(1, isOnChain: { _ in true }, betweenLooks: { copies.remove(1) }) == .gone)
  }

  @Test func `a check of a repeatedly replaced snapshot ends`() throws {
    var broken = try Data(contentsOf: URL(filePath: data))
    broken.replaceSubrange(3 * 4096..<4 * 4096, with: Data(count: 4096))
    try broken.write(to: URL(filePath: data), options: .atomic)
    var count = 0
    let found = copies.check(1, isOnChain: { _ in true }) {
      count += 1
      try? broken.write(to: URL(filePath: data), options: .atomic)
    }
    if case .damaged = found {} else { Issue.record("\(found)") }
    #expect(count == 100)
  }
}
