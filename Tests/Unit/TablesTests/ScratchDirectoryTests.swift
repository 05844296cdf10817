// Threat: what a dead process had for a while stays for ever.
import Foundation
import Tables
import Testing

@Suite struct `A folder for a while` {
  private let parent = FileManager.default.temporaryDirectory.path + "/tables-tests-\(UUID().uuidString)"

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: parent).sorted() }

  /// Processes that stood in the past were killed; from one of them on, nobody removed what it left. A folder of tables
  /// is begun in a directory of its own, and directories were removed as if there were only files in them. Now that
  /// directory goes first.
  @Test func `of a process that died while tables were begun is removed by the next`() throws {
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
