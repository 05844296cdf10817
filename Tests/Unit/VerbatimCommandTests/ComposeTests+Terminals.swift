// Pseudo-terminals with a composer, for tests that send keys and read the screen.
import Foundation
import PseudoTerminal
import Verbatim

@testable import VerbatimCommand

/// The byte sequences of keys.
enum Press {
  static let enter = "\r"
  static let tab = "\t"
  static let escape = "\u{1B}"
  static let up = "\u{1B}[A"
  static let down = "\u{1B}[B"
  static let right = "\u{1B}[C"
  static let left = "\u{1B}[D"
  static let wordLeft = "\u{1B}[1;5D"
  static let selectLeft = "\u{1B}[1;2D"
  static let backspace = "\u{7F}"

  /// Returns a letter with the control key.
  static func control(_ letter: Character) -> String {
    String(Unicode.Scalar(letter.uppercased().unicodeScalars.first!.value & 0x1F)!)
  }

  /// Returns the bytes that a terminal sends for a pasted text.
  static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}

/// Starts a composer of a user in a pseudo-terminal.
func terminal(
  of user: String, in path: String, _ more: String..., columns: Int = 70, rows: Int = 24,
  environment: [String: String?] = [:]
) throws -> PseudoTerminal {
  let terminal = try PseudoTerminal(
    [program!, "compose", path, "--as", user] + more, columns: columns, rows: rows,
    environment: environment.merging(["NO_COLOR": nil as String?]) { $1 })
  try terminal.wait { $0.isReady }
  return terminal
}

extension EmulatedScreen {
  /// Whether the composer is ready for a key.
  var isReady: Bool { isCaretVisible && bracketsPastes && input.hasPrefix(">") }

  /// The row with the caret.
  var input: String { rows[row].text }

  /// The text of the whole transcript.
  var everything: String { transcript.map(\.text).joined(separator: "\n") }

  /// Returns whether the input row has this text and the caret is in a column.
  func shows(_ input: String, caretAt column: Int) -> Bool { self.input == input && self.column == column }

  /// Returns whether any row of the transcript ends with a text.
  func says(_ end: String) -> Bool { transcript.contains { $0.text.hasSuffix(end) } }

  /// Returns the styles of the letters in a part of a row.
  func looks(of part: String) -> [[Int]] {
    for row in transcript {
      let letters = row.cells.map(\.letter)
      for start in letters.indices where letters[start...].joined().hasPrefix(part) {
        return row.cells[start..<(start + part.count)].map(\.look)
      }
    }
    return []
  }
}

/// Creates a workspace with Ada and Ben in one channel.
func conversation(in folder: Folder, slowMode: UInt32 = 0) async throws -> String {
  let path = folder("chat")
  let workspace = try Workspace.open(at: path)
  for (id, name) in [("ada", "Ada"), ("ben", "Ben")] as [(User.ID, UserText)] {
    try await workspace.client(user: id).me.create(name: name)
  }
  var config = ChannelConfig()
  config.slowMode = slowMode
  try await workspace.client(user: "ada").channel("general").create(config: config, members: ["ben"])
  await workspace.close()
  return path
}
