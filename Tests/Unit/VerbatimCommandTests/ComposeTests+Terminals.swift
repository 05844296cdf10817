// Terminals in which people chat, as tests type at them and read them.
import Foundation
import PseudoTerminal
import Verbatim

@testable import VerbatimCommand

/// What one presses.
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

  /// A letter with the control key.
  static func control(_ letter: Character) -> String {
    String(Unicode.Scalar(letter.uppercased().unicodeScalars.first!.value & 0x1F)!)
  }

  /// What a terminal sends of a text that is pasted.
  static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}

/// A window in which somebody chats.
func terminal(
  of user: String, in path: String, _ more: String..., columns: Int = 70, rows: Int = 24
) throws -> PseudoTerminal {
  let terminal = try PseudoTerminal(
    [program!, "compose", path, "--as", user] + more, columns: columns, rows: rows,
    environment: ["NO_COLOR": nil])
  try terminal.wait { $0.isReady }
  return terminal
}

extension EmulatedScreen {
  /// Whether the composer waits for a key.
  var isReady: Bool { isCaretVisible && bracketsPastes && input.hasPrefix(">") }

  /// The row with the caret.
  var input: String { rows[row].text }

  /// All that was ever shown, as one text.
  var everything: String { transcript.map(\.text).joined(separator: "\n") }

  /// Whether the caret stands behind so many columns of a row that says this.
  func shows(_ input: String, caretAt column: Int) -> Bool { self.input == input && self.column == column }

  /// Whether there is a row that ends with this, wherever.
  func says(_ end: String) -> Bool { transcript.contains { $0.text.hasSuffix(end) } }

  /// The looks of the letters of a row's part.
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

/// A workspace with Ada and Ben in one channel.
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
