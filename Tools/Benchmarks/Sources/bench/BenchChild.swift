// Runs this program again as a child process.
import Foundation

/// A child process of this program that measures, or that a benchmark runs against.
final class BenchChild {
  private let process = Process()
  private let output = Pipe()
  private var unread: [UInt8] = []

  init(_ arguments: [String]) throws {
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  /// Runs a child to its end, and returns its measurements, printed as `name value` pairs.
  static func measurements(_ arguments: [String]) throws -> [String: Double] {
    let child = try BenchChild(arguments)
    let words = try child.expect("done")
    try child.finish()
    return stride(from: 0, to: words.count - 1, by: 2).reduce(into: [:]) { $0[words[$1]] = Double(words[$1 + 1]) }
  }

  /// Prints a line with measurements, as a child.
  static func say(_ word: String, _ figures: [String: Double] = [:]) {
    let words = figures.map { "\($0.key.replacingOccurrences(of: " ", with: "_")) \($0.value)" }
    FileHandle.standardOutput.write(Data(([word] + words).joined(separator: " ").appending("\n").utf8))
  }

  deinit { if process.isRunning { kill() } }

  /// Waits for a line that begins with a word; returns the rest of its words, with `_` in names replaced by spaces.
  @discardableResult
  func expect(_ word: String) throws -> [String] {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let words = String(decoding: unread[..<end], as: UTF8.self).split(separator: " ").map(String.init)
        unread.removeSubrange(...end)
        guard words.first == word else { throw Usage(message: "a child said “\(words.joined(separator: " "))”") }
        return words.dropFirst().map { $0.replacingOccurrences(of: "_", with: " ") }
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Usage(message: "a child ended before it said “\(word)”") }
      unread += more
    }
  }

  /// Waits until the process has ended.
  func finish() throws {
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Usage(message: "a child failed") }
  }

  /// Kills the process, and waits for its end.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
