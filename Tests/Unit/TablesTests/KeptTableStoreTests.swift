// Threat: tables that are kept though they may be damaged, or thrown away though they are whole.
import Digests
import Foundation
import LMDB
import Testing

@testable import Tables

@Suite struct `A folder that is opened again` {
  private let scratch = Scratch()

  @Test func `is kept when it was closed`() throws {
    try fill { $0.close() }
    #expect(scratch.dirtyMark == nil)
    try expectKept()
  }

  @Test func `is kept when it was not closed, in the same run of the system`() throws {
    try fill { _ in }
    #expect(scratch.dirtyMark == scratch.presentMark)
    try expectKept()
  }

  @Test func `is kept when nobody lived to say that its mark is on the disk`() throws {
    try fill { $0.close() }
    try Data(Files.bootAndMount(of: scratch.path).utf8).write(to: URL(filePath: scratch.path + "/dirty"))
    try expectKept()
  }

  @Test func `is kept when its writer died`() async throws {
    let path = scratch.path
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let folder = try TableStore(at: path, tables: ["one", "other"], isOnChain: { _ in true })
      _ = try folder.write([[1]: [2]], at: anchor(1))
      _exit(7)
    }
    try expectKept()
  }

  @Test(arguments: ["another boot\n", ""])
  func `is dropped when it was written in another run of the system`(mark: String) throws {
    try fill { $0.close() }
    try Data(mark.utf8).write(to: URL(filePath: scratch.path + "/dirty"))
    let folder = try scratch.open()
    #expect(try folder.anchor() == nil && folder.rows() == [[:], [:]])
    #expect(scratch.dirtyMark == scratch.presentMark)
    #expect(try folder.write([[1]: [2]], at: anchor(1)) == .written)
  }

  @Test func `is kept when another has it open, whatever its mark says`() throws {
    let other = try scratch.open()
    _ = try other.write([[1]: [2]], at: anchor(1))
    try Data("another boot\n".utf8).write(to: URL(filePath: scratch.path + "/dirty"))
    try expectKept()
  }

  @Test func `is dropped when its anchor is not on the chain`() throws {
    try fill { $0.close() }
    var asked: [LogPoint] = []
    let folder = try scratch.open { anchor in
      asked.append(anchor)
      return false
    }
    #expect(asked == [anchor(1)])
    #expect(try folder.anchor() == nil && folder.rows() == [[:], [:]])
  }

  /// Once a process was killed between giving a folder its file and removing where that came from; the folder was kept,
  /// and so what was left stayed for good.
  @Test func `is tidied of what somebody left who was killed after laying what it begins with`() throws {
    try fill { $0.close() }
    try Files.makeDirectory(scratch.path + "/beginning")
    let folder = try scratch.open()
    #expect(Files.kind(at: scratch.path + "/beginning") == .nothing)
    #expect(try folder.anchor() == anchor(1))
    folder.close()
  }

  @Test func `begins with what is laid for it when there is nothing to go on from, once that is whole`() throws {
    try fill { $0.close() }
    let copy = try Data(contentsOf: URL(filePath: scratch.path + "/data.mdb"))
    for isLeft in [false, true] {
      var isLaid = false
      try FileManager.default.removeItem(atPath: scratch.path + "/data.mdb")
      // As one leaves it who is killed on the way.
      if isLeft {
        try Files.makeDirectory(scratch.path + "/beginning")
        try copy.prefix(5_000).write(to: URL(filePath: scratch.path + "/beginning/data.mdb"))
      }
      let begin = { (directory: String) in
        isLaid = true
        #expect((try? Files.names(in: directory)) == [])
        try? copy.write(to: URL(filePath: directory + "/data.mdb"))
        #expect(Files.kind(at: scratch.path + "/data.mdb") == .nothing)
        #expect(scratch.dirtyMark == scratch.presentMark)
      }
      let folder = try TableStore(at: scratch.path, tables: ["one", "other"], beginningWith: begin) { _ in true }
      #expect(isLaid && Files.kind(at: scratch.path + "/beginning") == .nothing)
      #expect(try folder.anchor() == anchor(1))
      folder.close()
    }
    try expectKept()
  }

  @Test func `begins with nothing when what is laid for it does not lie on the chain`() throws {
    try fill { $0.close() }
    let copy = try Data(contentsOf: URL(filePath: scratch.path + "/data.mdb"))
    try FileManager.default.removeItem(atPath: scratch.path + "/data.mdb")
    let begin = { (directory: String) in _ = try? copy.write(to: URL(filePath: directory + "/data.mdb")) }
    let folder = try TableStore(at: scratch.path, tables: ["one", "other"], beginningWith: begin) { _ in false }
    #expect(try folder.anchor() == nil && folder.rows() == [[:], [:]])
  }

  @Test func `is foreign when its anchor is not on the chain and another has it open`() throws {
    let other = try scratch.open()
    _ = try other.write([[1]: [2]], at: anchor(1))
    #expect { try scratch.open { _ in false } } throws: { error in
      if case TablesError.foreign(scratch.path) = error { true } else { false }
    }
    #expect(try other.rows()[0] == [[1]: [2]])
    other.close()
    // The opening that failed holds nothing.
    #expect(scratch.dirtyMark == nil)
  }

  @Test func `is dropped when its data is damaged or of something else`() throws {
    for damage in [noise, cutShort, empty] {
      try fill { $0.close() }
      try damage(scratch.path + "/data.mdb")
      let folder = try scratch.open()
      #expect(try folder.anchor() == nil && folder.rows() == [[:], [:]])
      folder.close()
      try Files.removeDirectory(scratch.path)
    }
  }

  @Test func `is dropped when it was written with other tables`() throws {
    try fill { $0.close() }
    let folder = try TableStore(at: scratch.path, tables: ["one"], isOnChain: { _ in true })
    #expect(try folder.anchor() == nil && folder.digests() == [TableDigest()])
  }

  private func fill(_ end: (TableStore) -> Void) throws {
    let folder = try scratch.open()
    #expect(try folder.write([[1]: [2]], at: anchor(1)) == .written)
    end(folder)
  }

  private func expectKept(_ location: SourceLocation = #_sourceLocation) throws {
    let folder = try scratch.open()
    #expect(try folder.anchor() == anchor(1), sourceLocation: location)
    #expect(try folder.rows() == [[[1]: [2]], [:]], sourceLocation: location)
  }
}

private func noise(_ path: String) throws {
  try Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
}

private func cutShort(_ path: String) throws { truncate(path, 100) }

private func empty(_ path: String) throws { truncate(path, 0) }

@Suite struct `The mark of unsynced writes` {
  private let scratch = Scratch()

  /// The making of tables is written too.
  @Test func `is there from the making of a folder on`() throws {
    let folder = try scratch.open()
    #expect(scratch.dirtyMark == scratch.presentMark)
    folder.close()
    #expect(scratch.dirtyMark == nil)
  }

  @Test func `comes with the first write, not with opening again or reading`() throws {
    try scratch.open().close()
    let folder = try scratch.open()
    _ = try folder.rows()
    #expect(scratch.dirtyMark == nil)
    _ = try folder.write([[1]: [1]], at: anchor(1))
    #expect(scratch.dirtyMark == scratch.presentMark)
  }

  @Test func `is not written again where it is on the disk, and is where it may not be`() throws {
    let path = scratch.path + "/dirty"
    var folder = try scratch.open()
    for position in 1...2 as ClosedRange<UInt64> {
      let before = Files.identity(of: path)
      _ = try folder.write([[1]: [1]], at: anchor(position))
      #expect(Files.identity(of: path) == before)
      // As if its process had died.
      folder = try scratch.open()
    }
    try Data(Files.bootAndMount(of: scratch.path).utf8).write(to: URL(filePath: path))
    folder = try scratch.open()
    #expect(try folder.anchor() == anchor(2))
    _ = try folder.write([[1]: [1]], at: anchor(3))
    #expect(scratch.dirtyMark == scratch.presentMark)
  }

  @Test func `comes before the first write, which is not made without it`() throws {
    try scratch.open().close()
    let folder = try scratch.open()
    try Files.makeDirectory(scratch.path + "/dirty")
    #expect(throws: TablesError.self) { try folder.write([[1]: [1]], at: anchor(1)) }
    #expect(try folder.anchor() == nil)
    rmdir(scratch.path + "/dirty")
    #expect(try folder.write([[1]: [1]], at: anchor(1)) == .written)
  }

  @Test func `goes with the last closing, not with an earlier one`() throws {
    let (one, other, third) = (try scratch.open(), try scratch.open(), try scratch.open())
    _ = try one.write([[1]: [1]], at: anchor(1))
    one.close()
    #expect(scratch.dirtyMark != nil)
    one.close()
    other.close()
    #expect(scratch.dirtyMark != nil)
    third.close()
    #expect(scratch.dirtyMark == nil)
  }

  @Test func `comes again with the next write after a closing`() throws {
    let one = try scratch.open()
    _ = try one.write([[1]: [1]], at: anchor(1))
    one.close()
    let other = try scratch.open()
    #expect(scratch.dirtyMark == nil)
    _ = try other.write([[1]: [2]], at: anchor(2))
    #expect(scratch.dirtyMark != nil)
    other.close()
    #expect(scratch.dirtyMark == nil)
  }
}
