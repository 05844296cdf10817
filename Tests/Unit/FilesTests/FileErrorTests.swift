// Threat: an error that is taken for another, and a file that is taken for another.
import Foundation
import Testing

@testable import Files

@Suite struct `A file error` {
  @Test func `an error keeps codes without a name`() {
    #expect(FileError(rawValue: EACCES).description == "Permission denied")
    #expect(FileError(rawValue: 4711).description.contains("4711"))
  }

  @Test func `a full disk, a missing permission and a read-only filesystem are distinguished`() {
    let codes = [ENOENT, ENOSPC, EDQUOT, EACCES, EPERM, EROFS]
    #expect(codes.filter { FileError(rawValue: $0).isNoSpace } == [ENOSPC, EDQUOT])
    #expect(codes.filter { FileError(rawValue: $0).isPermission } == [EACCES, EPERM])
    #expect(codes.filter { FileError(rawValue: $0).isReadOnly } == [EACCES, EPERM, EROFS])
  }
}

@Suite struct `A file identity` {
  private let scratch = Scratch()

  @Test func `a file has one identity by each of its paths and as an open file`() throws {
    let (path, link) = (scratch.path + "/a", scratch.path + "/link")
    for name in ["a", "b"] { try FileSystem.mark(scratch.path + "/" + name, with: "", in: scratch.path) }
    try FileManager.default.linkItem(atPath: path, toPath: link)
    let identity = try #require(FileIdentity(at: path))
    #expect(FileIdentity(at: link) == identity && FileIdentity.withoutTimes(at: link) == identity)
    let descriptor = try FileSystem.openFile(path, O_RDONLY)
    defer { close(descriptor) }
    #expect(FileIdentity(of: descriptor) == identity)
    #expect(FileIdentity(at: scratch.path + "/b") != identity)
    #expect(FileIdentity(at: scratch.path + "/none") == nil && FileIdentity(of: -1) == nil)
    #expect(FileIdentity.withoutTimes(at: scratch.path + "/none") == nil)
  }
}
