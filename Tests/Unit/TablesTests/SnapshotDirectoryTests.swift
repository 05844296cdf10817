// Threat: a copy that another process replaces or removes is taken for a damaged one.
import Foundation
import LMDB
import Testing

@testable import Tables

// `verify` while `snapshot` ran said of whole snapshots that they were not, and advised to rebuild: a copy was replaced
// by removing its directory and renaming the new one, and who looked in between found nothing; one that was pruned
// looked the same. A copy's file is now replaced in one step, a check reads through one open file, and what is found
// wrong is looked at again before it is reported.
@Suite struct `Copies of a folder while others take and remove them` {
  private let scratch = Scratch()
  private let copies: SnapshotDirectory
  private let folder: TableStore

  init() throws {
    try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
    folder = try TableStore(
      at: scratch.path + "/folder", tables: ["one", "other"], seededBy: .name, isOnChain: { _ in true })
    copies = SnapshotDirectory(in: scratch.path + "/copies", tables: ["one", "other"], seededBy: .name)
    _ = try folder.write([[1]: [2]], at: anchor(1))
    #expect(try take() == anchor(1))
  }

  private func take() throws -> LogPoint? { try copies.take(of: folder, until: .now + .seconds(10)) }

  private var data: String { copies.path(of: 1) + "/data.mdb" }

  private func isWhole(_ check: SnapshotCheck) -> Bool {
    if case .whole = check { true } else { false }
  }

  private func inode(_ path: String) throws -> UInt64 {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
  }

  @Test func `are replaced in one step, so that a reader always finds one`() throws {
    let (directory, file) = (try inode(copies.path(of: 1)), try inode(data))
    let open = try DataFile(path: data)
    #expect(try take() == anchor(1))
    // The directory was never away, and the old file is still what it was to who reads it.
    #expect(try inode(copies.path(of: 1)) == directory)
    #expect(try inode(data) != file)
    #expect(try open.damages(of: open.newestMeta()).isEmpty)
    #expect(isWhole(copies.check(1) { _ in true }))
    #expect(try FileManager.default.contentsOfDirectory(atPath: copies.path(of: 1)) == ["data.mdb"])
  }

  @Test func `are gone, and not damaged, when they were removed after they were listed`() throws {
    #expect(copies.positions == [1])
    copies.remove(1)
    #expect(copies.check(1) { _ in true } == .gone)
    let empty = scratch.path + "/empty"
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    #expect(copies.lay(1, into: empty) { _ in true } == .gone)
    #expect(try FileManager.default.contentsOfDirectory(atPath: empty).isEmpty)
  }

  @Test func `are looked at again where the one that was found wrong has been replaced or removed`() throws {
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

  @Test func `that somebody replaces over and over are not looked at for ever`() throws {
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
