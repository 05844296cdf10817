// Stores with clients in Python, each measured in a process of its own.
import Foundation

/// A store that Tools/setup --bench installs in a virtual environment of Python.
enum PythonPeer: String, CaseIterable {
  case umadb
  case salamander = "salamander-db"
  case eventsourcing

  private static let python = ".build/bench-venv/bin/python"
  private static let script = "Tools/Benchmarks/clients.py"

  /// The name of its row.
  var row: String { rawValue + " (Python client)" }

  /// The version that is installed.
  var version: String { (try? Self.run(["--version", rawValue])) ?? "none" }

  /// Returns the events per second that its client appends to a new store.
  func append(_ perCommit: Int, _ limit: RunLimit, _ disk: Disk) throws -> Double {
    try disk.withDirectory { directory in
      let text = try Self.run([rawValue, directory, "\(perCommit)", "\(limit.seconds)", "\(limit.events)"])
      guard let rate = Double(text) else { throw Usage(message: "\(rawValue) printed \(text)") }
      return rate
    }
  }

  private static func run(_ arguments: [String]) throws -> String {
    guard let text = output(of: python, [script] + arguments) else {
      throw Usage(message: "\(python) \(script) \(arguments[0]) failed; run Tools/setup --bench")
    }
    return text
  }
}
