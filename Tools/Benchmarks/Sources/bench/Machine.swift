// Describes the machine and the versions that the figures were measured with.
import CSQLite
import Foundation
import Peers

struct Machine: Encodable {
  let cores = ProcessInfo.processInfo.activeProcessorCount
  let processor = Machine.readProcessor()
  let memory = Int(ProcessInfo.processInfo.physicalMemory >> 20)
  let system = ProcessInfo.processInfo.operatingSystemVersionString
  let kernel = Machine.readKernel()
  let load = Machine.readLoad()
  let lmdb = String(cString: peer_lmdb_version())
  let sqlite = String(cString: sqlite3_libversion())
  let rocksdb = Machine.readVersion(ofLibrary: "rocksdb")

  private static func readProcessor() -> String? {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func readKernel() -> String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Returns the version of a library whose header for C does not have it.
  private static func readVersion(ofLibrary name: String) -> String {
    output(of: "/usr/bin/env", ["pkg-config", "--modversion", name]) ?? "unknown"
  }

  /// Returns the load average of the last minute, which shows the load by other processes.
  private static func readLoad() -> Double {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load : -1
  }
}

/// Runs a program and returns what it prints, without the last line break; nil if it fails.
func output(of program: String, _ arguments: [String]) -> String? {
  let (process, output) = (Process(), Pipe())
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  process.standardOutput = output
  guard (try? process.run()) != nil else { return nil }
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return process.terminationStatus == 0 ? text.trimmingCharacters(in: .newlines) : nil
}

/// The heading of the tables, and the whole report as JSON.
struct Report {
  let machine: Machine
  let options: Options

  var heading: String {
    """
    \(machine.cores) cores (\(machine.processor ?? "unknown")), \(machine.memory) MiB, \(machine.system), \
    kernel \(machine.kernel), load \(machine.load)\(options.subject == .log ? "\n" + logHeading : "")
    Medians of \(options.rounds) rounds, contestants in turn, (least–greatest) beside\
    \(options.subject == .log ? "; ratios are taken round by round" : "")\
    \(options.isQuick ? "; quick, so not to be quoted" : "")
    """
  }

  private var logHeading: String {
    """
    LMDB \(machine.lmdb), SQLite \(machine.sqlite), RocksDB \(machine.rocksdb); payloads of \
    \(Vocabulary.payloadByteCount) bytes, \(Vocabulary.streamCount) streams
    """
  }

  func json(_ grids: [Grid]) throws -> String {
    struct Whole: Encodable {
      let machine: Machine
      let rounds: Int
      let quick: Bool
      let grids: [Grid]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let whole = Whole(machine: machine, rounds: options.rounds, quick: options.isQuick, grids: grids)
    return String(decoding: try encoder.encode(whole), as: UTF8.self)
  }
}
