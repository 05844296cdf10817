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
