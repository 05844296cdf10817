// A build of the command whose views break the rules as they are told to, and what it reports.
import ChildProcess
import Foundation

/// A workspace of some thousand events, as it was made by the command with a fault; it goes with its last user.
final class Workplace: Sendable {
  let path: String

  /// Makes it.
  init(fault: String? = nil, messages: Int = 100) throws {
    path = FileManager.default.temporaryDirectory.path + "/verbatim-\(UInt64.random(in: 0 ... .max))"
    let run = try Saboteur(fault).run([
      "generate", path, "--seed", "7", "--users", "6", "--channels", "2", "--messages", "\(messages)", "--keystrokes",
    ])
    guard run.code == 0 else { throw Unmade(output: run.output) }
  }

  /// A copy.
  init(of other: Workplace) throws {
    path = other.path + "-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.copyItem(atPath: other.path, toPath: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A file within it.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  struct Unmade: Error { let output: String }
}

/// A build of the command with a fault.
struct Saboteur {
  let fault: String?

  init(_ fault: String? = nil) { self.fault = fault }

  static var program: String { Child.path(ofWorker: "Saboteur") }

  /// What came of a run.
  struct Run {
    let code: CInt
    let output: String
  }

  func run(_ arguments: [String]) throws -> Run {
    let child = try Child([Self.program] + arguments, environment: ["VERBATIM_FAULT": fault])
    let output = try child.lines().joined(separator: "\n")
    guard case .exit(let code) = try child.finish() else { return Run(code: -1, output: output) }
    return Run(code: code, output: output)
  }

  /// Verifies a workspace.
  func verify(_ workplace: Workplace, _ options: [String] = []) throws -> (code: CInt, report: Report) {
    let run = try run(["verify", workplace.path, "--json"] + options)
    return (run.code, try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)))
  }
}

/// What a verification reports.
struct Report: Decodable {
  struct Check: Decodable {
    let check: String
    let verdict: String
    let words: String
  }

  struct Finding: Decodable {
    let difference: Difference
    let event: Event?
  }

  struct Event: Decodable {
    let position: UInt64
    let type: String
  }

  struct Difference: Decodable {
    let what: String
    let position: UInt64?
    let stretch: [UInt64]
    let tables: [String]
    let rows: [Row]
  }

  struct Row: Decodable {
    struct Case: Decodable {
      let `case`: String
      let fields: [[String]]?
    }

    let table: String
    let keyText: String
    let cases: [Case]

    /// What the row says in each case, its fields one behind the other.
    var texts: [String] { cases.map { $0.fields?.map { $0[1] }.joined(separator: " ") ?? "no row" } }
  }

  let holds: Bool
  let checks: [Check]
  let findings: [Finding]
  let faults: [String]
  let notes: [String]
  let advice: [String]

  func verdict(of check: String) -> String? { checks.first { $0.check == check }?.verdict }
}
