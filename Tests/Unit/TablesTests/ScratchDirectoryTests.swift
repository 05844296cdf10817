// Threat: the temporary files of a dead process are never removed.
import Foundation
import Tables
import Testing

@Suite struct `A scratch directory` {
  private let parent = FileManager.default.temporaryDirectory.path + "/tables-tests-\(UUID().uuidString)"

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: parent).sorted() }

  /// What broke: processes that read past projections were killed, and what one of them left was never removed. A table
  /// store is created in a subdirectory, and directories were removed as if they contained only files. Fix: that
  /// subdirectory is removed first.
  @Test func `a scratch directory of a dead process is removed by the next`() throws {
    let dead = parent + "/1/beginning"
    try FileManager.default.createDirectory(atPath: dead, withIntermediateDirectories: true)
    for name in ["1/used", "1/gate", "1/beginning/data.mdb"] {
      #expect(FileManager.default.createFile(atPath: parent + "/" + name, contents: nil))
    }
    let folder = try ScratchDirectory(in: parent, until: .now)
    #expect(folder.path == parent + "/1")
    #expect(try names() == ["1", "gate"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["used"])
    folder.remove()
    #expect(try names() == ["gate"])
    try FileManager.default.removeItem(atPath: parent)
  }
}
