// Threat: a table store prepared by an attacker, whose opening, copying or removal changes files elsewhere.
import Foundation
import LMDB
import Testing

@testable import Tables

// What broke: a table store's leftovers were removed through links: `beginning`, linked to another directory, emptied
// that.
@Suite struct `A table store with a link in it` {
  private let scratch = Scratch()
  private let outside = Scratch()

  init() throws {
    try FileManager.default.createDirectory(atPath: outside.path, withIntermediateDirectories: false)
    for name in ["data.mdb", "used", "gate", "holders"] { try Data([1, 2, 3]).write(to: file(name)) }
    let folder = try scratch.open()
    _ = try folder.write([[1]: [2]], at: logPoint(1))
    folder.close()
  }

  private func file(_ name: String) -> URL { URL(filePath: outside.path + "/" + name) }

  private func expectUntouched(_ location: SourceLocation = #_sourceLocation) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: outside.path).sorted()
    #expect(names == ["data.mdb", "gate", "holders", "used"], sourceLocation: location)
    for name in names { #expect(try Data(contentsOf: file(name)) == Data([1, 2, 3]), sourceLocation: location) }
  }

  @Test(arguments: ["gate", "holders", "writer", "dirty", "complete", "data.mdb", "lock.mdb", "beginning"])
  func `a table store with a link is neither opened nor read nor removed`(name: String) throws {
    let path = scratch.path + "/" + name
    try? FileManager.default.removeItem(atPath: path)
    symlink(outside.path + (name == "beginning" ? "" : "/data.mdb"), path)
    for open in [{ _ = try scratch.open() }, { _ = try ReadOnlyTableStore(at: scratch.path) }] as [() throws -> Void] {
      #expect {
        try open()
      } throws: { error in
        "\(error)".hasPrefix("\(path) is a symbolic link where Verbatim stores a ")
      }
    }
    #expect(!TableStore.removeIfUnused(scratch.path, for: 0) || name == "writer" || name == "lock.mdb")
    try expectUntouched()
    try? FileManager.default.removeItem(atPath: path)
    #expect(throws: Never.self) { try scratch.open().close() }
  }

  @Test func `a link to a table store is not listed`() throws {
    let link = scratch.path + "-link"
    symlink(outside.path, link)
    defer { unlink(link) }
    #expect(throws: TablesError.self) { try TableStore(at: link, tables: ["one"], isOnChain: { _ in true }) }
    #expect(throws: TablesError.self) { try ScratchDirectory(in: link, until: .now) }
    #expect(throws: TablesError.self) { try Records("records", in: link).append([1]) }
    #expect(!TableStore.removeIfUnused(link, for: 0))
    try expectUntouched()
  }

  @Test func `a link is not removed with the scratch directories of dead processes`() throws {
    let parent = scratch.path + "/past"
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: false)
    symlink(outside.path, parent + "/1")
    let folder = try ScratchDirectory(in: parent, until: .now + .seconds(60))
    #expect(folder.path == parent + "/2")
    folder.remove()
    try expectUntouched()
  }

  @Test(arguments: ["making", "1", "1/data.mdb", "lock"])
  func `a link is not a snapshot and is not replaced by one`(name: String) throws {
    let copies = SnapshotDirectory(in: scratch.path + "/copies", tables: ["one", "other"], seededBy: .number)
    try FileManager.default.createDirectory(atPath: copies.path + "/1", withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: copies.path + "/" + name)
    symlink(outside.path + (name.hasSuffix("k") || name.hasSuffix("b") ? "/data.mdb" : ""), copies.path + "/" + name)
    let folder = try scratch.open()
    #expect {
      try copies.take(of: folder, until: .now + .seconds(60))
    } throws: { error in
      "\(error)".contains("/copies/\(name) is a symbolic link")
    }
    if name.hasPrefix("1") {
      #expect(copies.positions == [1])
      let found = copies.check(1) { _ in true }
      if case .damaged(let reason) = found {
        #expect(reason.contains("is a symbolic link"))
      } else {
        Issue.record("\(found)")
      }
    }
    copies.removeAll()
    folder.close()
    try expectUntouched()
  }
}
