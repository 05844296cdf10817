// A text file of the package: its lines, and the code of each line.
import Foundation

struct SourceFile: Sendable {
  /// The path from the package's directory, for example `Sources/LMDB/Environment.swift`.
  let path: String
  let text: String
  let lines: [String]
  /// The lines without comments and without the contents of string literals.
  let code: [String]

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // Compiled once: it is evaluated for each line.
    let literal = /"(\\.|[^"\\])*"|`[^`]*`/
    code = lines.map { codeOnly($0, without: literal) }
  }

  /// Creates a sample for a test, line by line.
  init(_ path: String, lines: String...) {
    self.init(path, lines.joined(separator: "\n"))
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
  var isScript: Bool { text.hasPrefix("#!") }
  var isManifest: Bool { path == "Package.swift" || path.hasSuffix("/Package.swift") }

  /// Returns whether the text has a part, byte by byte: a comparison by characters would take most of the time.
  func has(_ part: String) -> Bool { strstr(text, part) != nil }

  func lies(in folder: String) -> Bool { path.hasPrefix(folder + "/") }

  /// Returns a complaint that names this file, the line with this index, and what to do.
  func complaint(_ index: Int, _ advice: String) -> String { "\(path):\(index + 1): \(advice)" }

  /// Returns one complaint for every line for which there is advice.
  func complaints(_ lines: [String], _ advice: (String) -> String?) -> [String] {
    lines.enumerated().compactMap { index, line in advice(line).map { complaint(index, $0) } }
  }
}

/// The first letters of literals and comments.
private let codeMarks = Array("\"`/".utf8)

private func codeOnly(_ line: String, without literal: some RegexComponent) -> String {
  guard line.utf8.contains(where: codeMarks.contains) else { return line }
  let unquoted = line.replacing(literal, with: "\"\"")
  return unquoted.firstRange(of: "//").map { String(unquoted[..<$0.lowerBound]) } ?? unquoted
}
