// Runs commands within the test's process, on logs in temporary directories.
import EventLog
import EventLogLMDB
import Foundation
import Verbatim

@testable import VerbatimCommand

/// The exit code and the output of a run.
struct Run {
  let code: ExitCode
  let output: String
  let errors: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A temporary directory that is deleted with its last reference.
final class Folder: Sendable {
  let path: String

  init() {
    let name = "verbatim-\(UInt64.random(in: 0 ... .max))"
    path = FileManager.default.temporaryDirectory.appending(path: name).path(percentEncoded: false)
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }
}

/// Runs a command with input.
func verbatim(_ arguments: String..., input: String = "", executable: String? = nil) -> Run {
  verbatim(arguments, input: Array(input.utf8), executable: executable)
}

func verbatim(
  _ arguments: [String], input: [UInt8], executable: String? = nil, configuration: Configuration = Configuration()
) -> Run {
  let folder = Folder()
  _ = FileManager.default.createFile(atPath: folder("in"), contents: Data(input))
  _ = FileManager.default.createFile(atPath: folder("out"), contents: nil)
  _ = FileManager.default.createFile(atPath: folder("err"), contents: nil)
  let streams = ["in", "out", "err"].map { FileHandle(forUpdatingAtPath: folder($0))! }
  var context = Context()
  context.input = streams[0].fileDescriptor
  context.output = streams[1].fileDescriptor
  context.errors = streams[2].fileDescriptor
  context.executable = executable
  context.configuration = configuration
  let code = Invocation(arguments, in: context).run()
  for stream in streams { try? stream.close() }
  return Run(code: code, output: text(folder("out")), errors: text(folder("err")))
}

private func text(_ path: String) -> String {
  String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
}

/// Returns a line that appends one event.
func line(_ stream: String, _ payload: String, type: String = "said") -> String {
  #"{"stream":"\#(stream)","type":"\#(type)","payload":"\#(payload)"}"# + "\n"
}

/// Creates a log with the events `1`, `2` …, alternating between the streams `a` and `b`.
func logWithEvents(_ count: Int, in folder: Folder) -> String {
  let lines = (1...count).map { line($0 % 2 == 1 ? "a" : "b", "\($0)") }.joined()
  let path = folder("log")
  precondition(verbatim("log", "append", path, "--create", input: lines).code == .done)
  return path
}

extension Run {
  /// The payloads of the events in the output.
  var payloads: [String] { values("payload") }

  /// Returns the value of a key in each line.
  func values(_ key: String) -> [String] {
    lines.compactMap { line in
      let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return json?[key].map { "\($0)" }
    }
  }
}

/// A random number generator that reproduces a failing test.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
