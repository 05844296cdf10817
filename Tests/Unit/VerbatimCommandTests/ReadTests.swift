// The output of `verbatim log read` and `tail`.
import EventLog
import EventLogLMDB
import Foundation
import Testing

@testable import VerbatimCommand

struct Reading {
  private let folder = Folder()

  private func numbers(_ range: ClosedRange<Int>) -> [String] { range.map(String.init) }

  @Test func `a range, a limit and a direction select events`() {
    let log = logWithEvents(20, in: folder)
    let read = { (options: String...) in verbatim(["log", "read", log] + options, input: []).payloads }
    #expect(read() == numbers(1...20))
    #expect(read("--from", "18") == numbers(18...20))
    #expect(read("--to=3") == numbers(1...3))
    #expect(read("--from", "5", "--to", "7") == ["5", "6", "7"])
    #expect(read("--from", "5", "--to", "7", "--backward") == ["7", "6", "5"])
    #expect(read("--limit", "2") == ["1", "2"])
    #expect(read("--limit", "2", "--backward") == ["20", "19"])
    #expect(read("--to", "9", "--limit", "2", "--backward") == ["9", "8"])
    #expect(read("--limit", "0") == [])
    #expect(read("--limit", "9223372036854775807", "--backward") == numbers(1...20).reversed())
    #expect(read("--from", "21") == [])
    #expect(read("--to", "18446744073709551615") == numbers(1...20))
    #expect(read("--from", "18446744073709551615") == [])
  }

  @Test func `a stream is read by its versions`() {
    let log = logWithEvents(20, in: folder)
    let read = { (options: String...) in
      verbatim(["log", "read", log, "--stream", "a"] + options, input: []).payloads
    }
    let odd = stride(from: 1, to: 20, by: 2).map(String.init)
    #expect(read() == odd)
    #expect(read("--backward") == odd.reversed())
    #expect(read("--from-version", "9") == ["17", "19"])
    #expect(read("--from-version", "9", "--backward") == ["19", "17"])
    #expect(read("--limit", "2") == ["1", "3"])
    #expect(read("--limit", "2", "--backward") == ["19", "17"])
    #expect(read("--from-version", "11") == [])
    #expect(verbatim("log", "read", log, "--stream", "c").output == "")
  }

  @Test func `a long stream is read completely in both directions`() {
    let log = logWithEvents(5000, in: folder)
    let even = stride(from: 2, through: 5000, by: 2).map(String.init)
    #expect(verbatim("log", "read", log, "--stream", "b").payloads == even)
    #expect(verbatim("log", "read", log, "--stream", "b", "--backward").payloads == even.reversed())
    #expect(verbatim("log", "read", log, "--stream", "b", "--limit", "1500").payloads == Array(even.prefix(1500)))
    #expect(verbatim("log", "read", log, "--backward").payloads == numbers(1...5000).reversed())
  }

  @Test func `streams are listed by the prefix of their names`() {
    let lines = ["user/1", "channel/b", "channel/a", "channel/a", "channel"].map { line($0, "x") }.joined()
    let log = folder("log")
    _ = verbatim("log", "append", log, "--create", input: lines)
    #expect(
      verbatim("log", "read", log, "--streams", "channel/").output == """
        {"stream":"channel/a","version":2}
        {"stream":"channel/b","version":1}\n
        """)
    #expect(verbatim("log", "read", log, "--streams", "").lines.count == 4)
    #expect(verbatim("log", "read", log, "--streams=", "--limit", "1").lines == [#"{"stream":"channel","version":1}"#])
    #expect(verbatim("log", "read", log, "--streams", "x").output == "")
  }

  @Test func `many streams are listed in several chunks`() {
    let log = folder("log")
    let lines = (1...2500).map { line("s\($0)", "x") }.joined()
    _ = verbatim("log", "append", log, "--create", input: lines)
    #expect(verbatim("log", "read", log, "--streams", "s").values("stream") == (1...2500).map { "s\($0)" }.sorted())
  }

  @Test(arguments: [
    ["--streams", "a", "--backward"], ["--streams", "a", "--stream", "b"], ["--stream", "a", "--from", "1"],
    ["--from-version", "1"], ["--from", "2", "--to", "1"], ["--from", "0"], ["--from", "x"], ["--stream", ""],
    ["--stream", "a\u{1}"], ["--limit", "-1"], ["--limit=-1"], ["--from-version", "0"],
  ])
  func `contradictory options of log read are refused`(options: [String]) {
    let run = verbatim(["log", "read", "/nowhere"] + options, input: [])
    #expect(run.code == .misused)
    #expect(run.errors.contains("usage: verbatim log read DIR"))
  }
}

struct Tailing {
  private let folder = Folder()

  @Test func `log tail prints the last events`() {
    let log = logWithEvents(20, in: folder)
    #expect(verbatim("log", "tail", log).payloads == (11...20).map(String.init))
    #expect(verbatim("log", "tail", log, "--lines", "2").payloads == ["19", "20"])
    #expect(verbatim("log", "tail", log, "--lines", "0").payloads == [])
    #expect(verbatim("log", "tail", log, "--lines", "100").payloads.count == 20)
    #expect(verbatim("log", "tail", log, "--from", "20").payloads == ["20"])
    #expect(verbatim("log", "tail", log, "--from", "30").payloads == [])
    #expect(verbatim("log", "tail", log, "--from", "3", "--lines", "1").code == .misused)
  }

  @Test func `log tail follows new events and ends when its output is closed`() async throws {
    let log = logWithEvents(3, in: folder)
    let pipe = Pipe()
    var context = Context()
    context.output = pipe.fileHandleForWriting.fileDescriptor
    let invocation = Invocation(["log", "tail", log, "--lines", "1", "--follow"], in: context)
    let tail = Task.detached { await onThread { invocation.run() } }
    var lines = LineReader(pipe.fileHandleForReading.fileDescriptor)
    #expect(try lines.payload() == "3")
    #expect(verbatim("log", "append", log, input: line("c", "4") + line("c", "5")).code == .done)
    #expect(try lines.payload() == "4")
    #expect(try lines.payload() == "5")
    try pipe.fileHandleForReading.close()
    #expect(await tail.value == .done)
    withExtendedLifetime(pipe) {}
  }
}

extension LineReader {
  fileprivate mutating func payload() throws -> String? {
    guard case .line(let line) = try next(waits: true) else { return nil }
    return Run(code: .done, output: String(decoding: line, as: UTF8.self), errors: "").payloads.first
  }
}

/// Runs a blocking closure on a thread of its own.
private func onThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
