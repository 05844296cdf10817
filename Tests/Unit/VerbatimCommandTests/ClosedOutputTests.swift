// Threat: a check whose output is not read any more reports that all is well.
import Dispatch
import Foundation
import Testing
import TestThreads
import Verbatim

@testable import VerbatimCommand

/// Runs a command whose output was closed by its reader, and returns the exit code.
private func code(
  _ arguments: String..., executable: String? = nil, configuration: Configuration = Configuration()
) throws -> ExitCode {
  try code(arguments, executable: executable, configuration: configuration)
}

private func code(
  _ arguments: [String], executable: String? = nil, configuration: Configuration = Configuration()
) throws -> ExitCode {
  let (output, errors) = (Pipe(), Pipe())
  try output.fileHandleForReading.close()
  var context = Context()
  context.output = output.fileHandleForWriting.fileDescriptor
  context.errors = errors.fileHandleForWriting.fileDescriptor
  context.executable = executable
  context.configuration = configuration
  return withExtendedLifetime((output, errors)) { Invocation(arguments, in: context).run() }
}

// What broke: a closed output ended checks as it ends reading commands, with exit code 0, whatever they had found.
@Suite(.waitsForProcesses) struct `A check whose output is closed` {
  private let folder = Folder()

  /// Creates a small workspace with a snapshot.
  private func workspace() -> String {
    #expect(verbatim("generate", folder("work"), "--messages", "40", "--users", "4", "--channels", "2").code == .done)
    #expect(verbatim("snapshot", folder("work")).code == .done)
    return folder("work")
  }

  @Test func `status and diff have the exit code of what they found`() throws {
    let work = workspace()
    var configuration = Configuration()
    configuration.freeSpaceReserve = .max
    #expect(try code("status", work, configuration: configuration) == .refused)
    #expect(try code("status", work) == .done)
    #expect(try code("diff", work + "@1", work + "@20") == .refused)
    #expect(try code("diff", work + "@2", work + "@2") == .done)
  }

  @Test func `a replay fails where it was stopped before it found a difference`() throws {
    let work = workspace()
    #expect(try code("replay", work) == .done)
    #expect(try code("replay", work, "--json", "--digests-every", "1") == .unable)
    for set in try FileManager.default.contentsOfDirectory(atPath: work + "/projections") where set.count == 32 {
      let tables = try FileHandle(forUpdating: URL(filePath: work + "/projections/\(set)/data.mdb"))
      try tables.truncate(atOffset: 4096)
      try tables.close()
    }
    #expect(try code("replay", work, "--check-tables") == .refused)
    #expect(try code("replay", work, "--check-tables", "--json", "--digests-every", "1") == .refused)
  }

  @Test(.enabled(if: program != nil, "the program was not built"))
  func `verify has the exit code of what it found`() throws {
    let work = workspace()
    let file = URL(filePath: work + "/log/data.mdb")
    var bytes = try Data(contentsOf: file)
    var start = bytes.startIndex
    while let text = bytes.range(of: Data("messageSent".utf8), in: start..<bytes.endIndex) {
      bytes[text.lowerBound] ^= 1
      start = text.upperBound
    }
    try #require(start > bytes.startIndex)
    try bytes.write(to: file)
    #expect(try code("verify", work, executable: program) == .refused)
  }

  // What broke: a command that goes on until it is interrupted ended as if it had been.
  @Test func `a seal or a witness for a long time fails`() throws {
    let (work, key, keys) = (workspace(), folder("key"), folder("witness.key"))
    #expect(verbatim("seal-key", key, "example").code == .done)
    #expect(verbatim("seal-key", keys, "witness").code == .done)
    #expect(try code("seal", work, "--key", key, "--every", "3600") == .unable)
    let witness = ["witness", work, "--public-key", key + ".pub", "--key", keys, "--into", folder("witnessed")]
    #expect(try code(witness + ["--every", "3600"]) == .unable)
    #expect(verbatim("log", "verify", work, "--seals", work + "/seals", "--public-key", key + ".pub").code == .done)
  }

  @Test func `run plays the remaining scenarios`() async throws {
    let paths = ["Hello", "Hullo"].map { folder($0) }
    for path in paths {
      let lines = [
        #"{"scenario":1,"title":"a test","users":{"ada":"Ada"},"channels":{"general":["ada"]}}"#,
        #"{"as":"ada","type":"Hello"}"#, #"{"expect":{"text":"\#(path.suffix(5))"}}"#,
      ]
      try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
    // On a blocking thread: the scenarios need the threads of the task pool.
    let found: ExitCode = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try code("run", paths[0], paths[1]) })
      }
    }
    #expect(found == .refused)
  }
}
