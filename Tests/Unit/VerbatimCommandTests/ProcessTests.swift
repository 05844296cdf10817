// The program as a process: exit codes, signals, pipes, and damaged pages that crash it.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import Testing
import TestThreads

@testable import VerbatimCommand

/// The path of the program, which is built beside the tests.
let program: String? = {
  let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
  let places = (bundles + [Bundle.main.executableURL].compactMap { $0 }).map {
    $0.deletingLastPathComponent().appending(path: "verbatim").path(percentEncoded: false)
  }
  return places.first { FileManager.default.isExecutableFile(atPath: $0) }
}()

/// Runs a shell script in which `$V` is the program and `$L` a log.
func shell(_ script: String, log: String = "") throws -> (code: Int32, output: String) {
  let process = Process()
  process.executableURL = URL(filePath: "/bin/bash")
  process.arguments = ["-c", script + "\n"]
  process.environment = ProcessInfo.processInfo.environment.merging(["V": program ?? "", "L": log]) { $1 }
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let output = try process.output(through: pipe, of: script)
  return (process.terminationStatus, output)
}

@Suite(.waitsForProcesses, .enabled(if: program != nil, "the program was not built"))
struct Program {
  private let folder = Folder()

  @Test func `help is on standard output, and argument errors are on standard error`() throws {
    let help = try shell(#""$V" --help 2>/dev/null"#)
    #expect(help.code == 0)
    #expect(help.output.contains("3  failure: no such log"))
    let mistake = try shell(#""$V" log raed 2>&1 >/dev/null"#)
    #expect(mistake.code == 2)
    #expect(mistake.output.hasPrefix("verbatim: raed is not a command of `verbatim log`: did you mean read?\nusage: "))
    #expect(try shell(#""$V" log read"#).code == 2)
    #expect(try shell(#""$V" log read /nowhere/log"#).code == 3)
  }

  @Test func `log verify runs its check in a child process`() throws {
    let log = logWithEvents(3, in: folder)
    let run = try shell(#""$V" log verify "$L""#, log: log)
    #expect(run.code == 0)
    #expect(run.output.contains("is undamaged: 3 events"))
  }

  #if canImport(Glibc)
    // Dispatch waits without end for the addresses of a thread. A sanitizer takes terabytes of addresses itself.
    @Test(
      .enabled(if: ProcessInfo.processInfo.environment["VERBATIM_SANITIZER"] == nil), arguments: [3300, 3400, 3500])
    func `a limit of addresses that leaves none for threads is reported`(mebibytes: Int) throws {
      let run = try shell(
        #"ulimit -v \#(mebibytes << 10); timeout 60 "$V" generate "$L" --seed 1"#, log: folder("chat"))
      #expect(run.code == 3, "\(run)")
      #expect(run.output.contains("raise the limit of the process's memory and addresses"), "\(run)")
    }
  #endif

  @Test func `a closed output ends reading commands with exit code 0`() throws {
    let log = logWithEvents(20_000, in: folder)
    let run = try shell(#""$V" log read "$L" | head -n 1; echo "${PIPESTATUS[0]}""#, log: log)
    #expect(run.output.split(separator: "\n").count == 2)
    #expect(run.output.hasSuffix("\n0\n"))
    let tail = try shell(#""$V" log tail "$L" --follow | head -n 1; echo "${PIPESTATUS[0]}""#, log: log)
    #expect(tail.output.hasSuffix("\n0\n"))
  }

  @Test func `append with a closed output reports what was appended`() throws {
    let script = #"""
      lines() { for i in {1..9}; do echo '{"stream":"a","type":"t","payload":""}'; done; }
      (sleep 0.2; lines | "$V" log append "$L" --create; echo $? >&2) | exec true
      """#
    let run = try shell(script, log: folder("log"))
    #expect(run.output.contains("The output was closed. Lines 1 to 9 were appended and stay.\n3\n"))
  }

  @Test(arguments: ["INT", "TERM"], ["log tail", "tail --json"])
  func `a following command ends on a signal with exit code 0`(signal: String, command: String) throws {
    let log = logWithEvents(2, in: folder)
    let script = """
      "$V" \(command) "$L" --follow > "$L.out" & pid=$!
      echo '{"stream":"a","type":"t","payload":"last"}' | "$V" log append "$L" > /dev/null
      for i in {1..200}; do grep -q last "$L.out" && break; sleep 0.05; done
      kill -\(signal) $pid; wait $pid; echo "ended $?"; cat "$L.out"
      """
    let run = try shell(script, log: log)
    #expect(run.output.hasPrefix("ended 0\n"))
    #expect(run.output.split(separator: "\n").count == 4)
  }

  @Test func `append prints each receipt as soon as its line is on disk`() throws {
    let script = """
      coproc "$V" log append "$L" --create
      for i in 1 2 3; do
        echo '{"stream":"a","type":"t","payload":"x"}' >&"${COPROC[1]}"
        read -r -t 20 answer <&"${COPROC[0]}" && [[ $answer == *"\\"positions\\":[$i,$i]"* ]] && echo "answer $i"
      done
      """
    #expect(try shell(script, log: folder("log")).output == "answer 1\nanswer 2\nanswer 3\n")
  }

  @Test func `a truncated file is reported as damaged`() throws {
    let log = logWithEvents(5000, in: folder)
    let run = try shell(#"truncate -s 8192 "$L/log/data.mdb"; "$V" log read "$L" > /dev/null"#, log: log)
    #expect(run.code == 1)
    #expect(run.output.hasPrefix("verbatim: The file of the log at \(log) is damaged ("))
    #expect(run.output.hasSuffix("): verify it, salvage the intact blocks, or restore a backup.\n"))
    let verified = try shell(#""$V" log verify "$L""#, log: log)
    #expect(verified.code == 1)
  }

  @Test func `two processes append and neither loses a line`() throws {
    let script = """
      lines() { for i in {1..500}; do echo "{\\"stream\\":\\"$1\\",\\"type\\":\\"t\\",\\"payload\\":\\"$i\\"}"; done; }
      "$V" log append "$L" --create </dev/null
      lines a | "$V" log append "$L" | wc -l & lines b | "$V" log append "$L" | wc -l; wait
      """
    let counts = try shell(script, log: folder("log")).output.split(separator: "\n")
    #expect(counts.map { $0.filter(\.isNumber) } == ["500", "500"])
    for stream in ["a", "b"] {
      #expect(verbatim("log", "read", folder("log"), "--stream", stream).payloads == (1...500).map(String.init))
    }
    #expect(verbatim("log", "verify", folder("log")).code == .done)
  }
}

@Suite(.waitsForProcesses) struct `Exit codes` {
  @Test func `each error of the log maps to its exit code`() throws {
    let defect = BlockDefect.otherFormat(9)
    #expect(Failure(LogError.damaged(at: .first, defect)).code == .unable)
    #expect(Failure(LogError.damaged(at: .first, .noMagic)).code == .refused)
    #expect(Failure(LogError.indexDiffers(at: .first)).code == .refused)
    #expect(Failure(LogError.writerLockHeld(WriterLockHolder(process: "1", waited: .seconds(1)))).code == .unable)
    #expect(Failure(LogError.storage(StorageFailure("x"))).code == .unable)
    #expect(Failure(OpenError.damaged(path: "x", reason: "y")).code == .refused)
    #expect(Failure(OpenError.missing(path: "x")).code == .unable)
    #expect(Failure(OpenError.newerFormat(path: "x", format: 2)).code == .unable)
    #expect(Failure(AppendError.empty).code == .misused)
    #expect(Failure(AppendError.eventTooLarge(index: 0, byteCount: 2, max: 1)).code == .misused)
    #expect(Failure(AppendError.appendTooLarge(byteCount: 2, max: 1)).code == .misused)
    #expect(Failure(AppendError.unknownCause(index: 0, .first)).code == .refused)
    #expect(Failure(AppendError.log(.storage(StorageFailure("x")))).code == .unable)
  }

  @Test func `the help of a group lists the exit codes, and that of a command its usage`() {
    for words in [["--help"], ["log", "--help"]] {
      let run = verbatim(words, input: [])
      #expect(run.code == .done)
      #expect(run.output.contains(ExitCode.details))
    }
    for command in ["append", "read", "tail", "verify", "salvage", "backup", "stats"] {
      let run = verbatim("log", command, "--help")
      #expect(run.code == .done)
      #expect(run.output.contains("usage: verbatim log \(command) DIR"))
      #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 104 })
    }
  }
}
