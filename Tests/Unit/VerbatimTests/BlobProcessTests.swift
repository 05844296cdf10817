// Threat: a killed or concurrent process leaves a partial blob or remains of one.
import ChildProcess
import Foundation
import PostgresServer
import Testing
import TestThreads

@testable import Verbatim

@Suite(.waitsForProcesses, .directoryOnly("it looks at the files of attachments"))
struct `Blob stores of several processes` {
  private let folder: BlobFolder

  init() throws {
    folder = try BlobFolder()
    // It is only opened, so that the directory contains a workspace.
    try Workspace.open(at: folder.path).closeBlocking()
  }

  /// Starts a process that adds a file, and stops after its first piece.
  private func begin(_ source: String) throws -> Child {
    let child = try Child([Child.path(ofWorker: "WorkspaceWorker"), "add-blob", folder.path, source])
    try child.expect("began")
    return child
  }

  @Test func `a killed process leaves only an unfinished file, which the next add removes`() async throws {
    let source = try folder.sparse(3 << 20)
    let (killed, other) = (try begin(source), try begin(source))
    #expect(folder.files.count == 2 && folder.files.allSatisfy { $0.hasPrefix("unfinished/") })
    let blobs = folder.open()
    // The file of a running process stays.
    let first = try await blobs.add([1])
    #expect(folder.files.count == 3)
    #expect(killed.end() == .signal(SIGKILL))
    #expect(folder.files.count == 3)
    let second = try await blobs.add([2])
    #expect(folder.files.count == 3)
    other.send()
    let id = try #require(Blob.ID(try other.expect("added")[0]))
    #expect(try await blobs.read(id) == [UInt8](repeating: 0, count: 3 << 20))
    let names = [first, second, Blob(id: id, byteCount: 3 << 20)].map(BlobStore.name)
    #expect(folder.files == names.sorted())
    try other.finish()
  }

  @Test func `concurrent adds of equal content store one blob`() async throws {
    let source = try folder.sparse(3 << 20)
    let children = try (0..<4).map { _ in try begin(source) }
    for child in children { child.send() }
    let ids = try children.map { try $0.expect("added")[0] }
    #expect(Set(ids).count == 1)
    let blobs = folder.open()
    let id = try #require(Blob.ID(ids[0]))
    try await blobs.verify(id)
    #expect(folder.files == [BlobStore.name(of: Blob(id: id, byteCount: 3 << 20))])
    for child in children { try child.finish() }
  }

  #if os(Linux)
    @Test func `adding a large file takes no more memory than adding a small one`() async throws {
      let child = try begin(try folder.sparse(150 << 20))
      let before = try peakMemory(of: child)
      child.send()
      try child.expect("added")
      let after = try peakMemory(of: child)
      #expect(after - before < 15 << 20, "\(before) bytes, then \(after)")
      try child.finish()
    }

    /// Returns the peak memory of a process in bytes.
    private func peakMemory(of child: Child) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(child.process)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(Int(line.filter(\.isNumber))) << 10
    }
  #endif
}
