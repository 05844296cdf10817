// Tests fixture logs against their recorded digests and transcripts, and damaged logs against their recorded faults.
import ChildProcess
import Foundation
import Testing
import TestThreads

private let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/logs")

private let program = Child.path(ofWorker: "verbatim")

private func folders(in folder: URL) -> [String] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  return names.filter { !$0.hasPrefix(".") && $0 != "damaged" }.sorted()
}

private func verbatim(_ arguments: [String]) throws -> (code: CInt, output: String) {
  let child = try Child([program] + arguments)
  let output = try child.lines().joined(separator: "\n")
  guard case .exit(let code) = try child.finish() else { return (-1, output) }
  return (code, output)
}

/// A path whose directory is removed with the object.
private final class Scratch {
  let path = FileManager.default.temporaryDirectory.path + "/verbatim-\(UInt64.random(in: 0 ... .max))"

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite("A log that is kept", .waitsForProcesses)
struct KeptLogTests {
  @Test func `fixture logs exist`() {
    #expect(!folders(in: fixtures).isEmpty)
    #expect(!folders(in: fixtures.appending(path: "damaged")).isEmpty)
  }

  @Test(arguments: folders(in: fixtures))
  func `a fixture log gives the recorded digests and transcript`(name: String) throws {
    let folder = fixtures.appending(path: name)
    let scratch = Scratch()
    #expect(try verbatim(["import", scratch.path, folder.appending(path: "log.jsonl").path]).code == 0)
    let digests = folder.appending(path: "digests.jsonl").path
    if FileManager.default.fileExists(atPath: digests) {
      let run = try verbatim(["verify", scratch.path, "--expect", digests])
      #expect(run.code == 0, "\(run.output)")
      #expect(run.output.contains("✔ expected"), "\(run.output)")
    } else {
      #expect(try verbatim(["verify", scratch.path, "--write-expected", digests]).code == 0)
      Issue.record("\(digests) was missing, and is written: look at it, and keep it")
    }
    try expectTranscript(of: scratch.path, folder.appending(path: "transcript.txt"))
  }

  /// Compares the first channel, as the first user sees it, with the recorded transcript.
  private func expectTranscript(of path: String, _ file: URL) throws {
    let run = try verbatim(
      ["show", path, "general", "--as", "ada", "--time-zone", "UTC", "--columns", "78", "--limit", "1000"])
    #expect(run.code == 0, "\(run.output)")
    guard let kept = try? String(contentsOf: file, encoding: .utf8) else {
      try (run.output + "\n").write(to: file, atomically: true, encoding: .utf8)
      Issue.record("\(file.path) was missing, and is written: look at it, and keep it")
      return
    }
    #expect(run.output + "\n" == kept)
  }

  @Test(arguments: folders(in: fixtures.appending(path: "damaged")))
  func `verify reports the recorded faults of a damaged log`(name: String) throws {
    let folder = fixtures.appending(path: "damaged/\(name)")
    let scratch = Scratch()
    try FileManager.default.copyItem(atPath: folder.path, toPath: scratch.path)
    let run = try verbatim(["verify", scratch.path])
    #expect(run.code == 1)
    let wrong = try String(contentsOf: folder.appending(path: "wrong.txt"), encoding: .utf8)
    for line in wrong.split(separator: "\n") { #expect(run.output.contains(line), "\(run.output)") }
  }
}
