// The commands of keys: one table, for the session and for the help.
internal import Terminal

/// A caret movement.
enum Move: Hashable { case left, right, wordLeft, wordRight, up, down, lineStart, lineEnd }

/// The command of a key.
enum KeyCommand: Hashable {
  case send, newLine, pick, choosePrevious, escape
  case move(Move, selects: Bool)
  case backspace
  /// Deletes the text between the caret and the target of a move, or the selection.
  case erase(Move)
  case undo, redo
  case quote, commands, attach, detach
  case act(OnEphemeral)
  case leave, leaveOrErase, repaint, help

  /// An action on a message that only its author sees.
  enum OnEphemeral: Hashable { case send, shuffle, cancel }
}

/// The table of all keys, in the order of the help.
enum KeyTable {
  private struct Entry {
    let written: String
    let help: String
    let keys: [Key: KeyCommand]

    init(_ written: String, _ help: String, _ keys: [Key: KeyCommand]) {
      (self.written, self.help, self.keys) = (written, help, keys)
    }
  }

  /// The command of each key; keys that type text or do nothing are not in it.
  static let keyCommands = Dictionary(uniqueKeysWithValues: entries.flatMap(\.keys))

  /// The help for the keys that act on a message that only its author sees.
  static let onEphemeral = "ctrl-p sends it, ctrl-s shuffles it, ctrl-r discards it"

  /// The lines of the help, one per entry.
  static let lines = entries.map { entry in
    "  " + entry.written + String(repeating: " ", count: max(2, 24 - entry.written.count)) + entry.help
  }

  private static let entries = [
    Entry("enter", "Picks the selected suggestion, or sends.", [.named(.enter): .send]),
    Entry(
      "alt-enter, ctrl-j", "Inserts a line break.",
      [.named(.enter, .alt): .newLine, .named(.enter, .shift): .newLine, .letter("j", .control): .newLine]),
    Entry(
      "tab, shift-tab", "Picks the suggestion; selects the previous one.",
      [.named(.tab): .pick, .named(.tab, .shift): .choosePrevious]),
    Entry(
      "escape", "Closes suggestions; removes quote, edit or command.",
      [.named(.escape): .escape]),
    Entry("up, down", "Selects a suggestion; otherwise moves by a line.", vertical),
    Entry("up", "If nothing is written, edits your last message.", [:]),
    Entry("left, right", "Moves by a character, ctrl a word; shift selects.", horizontal),
    Entry(
      "home, end", "Moves to the line's start or end; also ctrl-a, ctrl-e.",
      moves(.lineStart, .named(.home), .letter("a", .control)).merging(
        moves(.lineEnd, .named(.end), .letter("e", .control))
      ) { key, _ in key }),
    Entry(
      "backspace, delete", "Deletes the character before or after the caret.",
      [.named(.backspace): .backspace, .named(.delete): .erase(.right)]),
    Entry(
      "ctrl-w, alt-backspace", "Deletes the word before the caret.",
      [.letter("w", .control): .erase(.wordLeft), .named(.backspace, .alt): .erase(.wordLeft)]),
    Entry(
      "ctrl-u, ctrl-k", "Deletes the line up to the caret, or from it on.",
      [.letter("u", .control): .erase(.lineStart), .letter("k", .control): .erase(.lineEnd)]),
    Entry(
      "ctrl-z, ctrl-y", "Undoes a change, as ctrl-_ does; redoes it.",
      [.letter("z", .control): .undo, .letter("_", .control): .undo, .letter("y", .control): .redo]),
    Entry("ctrl-g", "Quotes the last message; repeated, the one before it.", [.letter("g", .control): .quote]),
    Entry("ctrl-t", "Lists the commands.", [.letter("t", .control): .commands]),
    Entry(
      "ctrl-o, ctrl-x", "Attaches a file; removes the last attachment.",
      [.letter("o", .control): .attach, .letter("x", .control): .detach]),
    Entry(
      "ctrl-p, ctrl-s, ctrl-r", "Sends, shuffles or discards the ephemeral message.",
      [
        .letter("p", .control): .act(.send), .letter("s", .control): .act(.shuffle),
        .letter("r", .control): .act(.cancel),
      ]),
    Entry("ctrl-l", "Redraws the screen.", [.letter("l", .control): .repaint]),
    Entry("ctrl-]", "Shows the keys until the next key.", [.letter("]", .control): .help]),
    Entry(
      "ctrl-c, ctrl-d", "Leaves and keeps the text; ctrl-d only without text.",
      [.letter("c", .control): .leave, .letter("d", .control): .leaveOrErase]),
  ]

  private static let vertical: [Key: KeyCommand] = [
    .named(.up): .move(.up, selects: false), .named(.down): .move(.down, selects: false),
    .named(.up, .shift): .move(.up, selects: true), .named(.down, .shift): .move(.down, selects: true),
  ]

  private static let horizontal: [Key: KeyCommand] = {
    var keys: [Key: KeyCommand] = [
      .letter("b", .alt): .move(.wordLeft, selects: false), .letter("f", .alt): .move(.wordRight, selects: false),
    ]
    for (name, move, byWord) in [(.left, .left, .wordLeft), (.right, .right, .wordRight)] as [(Key.Name, Move, Move)] {
      for selects in [false, true] {
        let shift: Key.Modifiers = selects ? .shift : []
        keys[.named(name, shift)] = .move(move, selects: selects)
        for held in [.control, .alt] as [Key.Modifiers] {
          keys[.named(name, shift.union(held))] = .move(byWord, selects: selects)
        }
      }
    }
    return keys
  }()

  /// Returns keys that move the caret, and with shift select, where the terminal reports shift.
  private static func moves(_ move: Move, _ key: Key, _ other: Key) -> [Key: KeyCommand] {
    var keys: [Key: KeyCommand] = [key: .move(move, selects: false), other: .move(move, selects: false)]
    if case .named(let name, _) = key { keys[.named(name, .shift)] = .move(move, selects: true) }
    return keys
  }
}
