// The composer events of typing a text: character by character, with typing errors and caret movements.
internal import Chat
internal import RandomNumbers

/// The events of a composer until it contains a text.
struct Strokes {
  /// The events, in order.
  private(set) var events: [Composer.Event] = []
  /// The offsets between characters, including the start; the caret is at the last.
  private var offsets = [0]
  private var end: Int { offsets[offsets.count - 1] }

  /// Creates the strokes for a composer that contains a text, with the caret at its end.
  init(behind text: String = "") {
    for letter in text.letters { offsets.append(end + letter.utf16.count) }
  }

  /// Adds an event that changes no text.
  mutating func add(_ event: Composer.Event) { events.append(event) }

  /// Types a text, with occasional typing errors that are corrected.
  mutating func type(_ text: String, _ random: inout SplitMix64) {
    for letter in text.letters {
      if random.happens(20) {
        type("e")
        erase()
      }
      type(letter)
      if random.happens(6) { lookBack(&random) }
    }
  }

  /// Types the beginning of a name and picks the suggested user.
  mutating func mention(_ user: User.ID, named name: String) {
    let start = end
    type("@")
    type(String(name.letters[0]))
    let range = UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: end)
    let length = name.utf16.count + 1
    add(.mentionPicked(user, Splice(range, to: UserText("@\(name) ")), length: length))
    offsets.removeLast(2)
    offsets += [start + length, start + length + 1]
  }

  private mutating func type(_ letter: String) {
    let caret = UTF16Offset(rawValue: end)
    add(.typed(Splice(caret..<caret, to: UserText(letter))))
    offsets.append(end + letter.utf16.count)
  }

  private mutating func erase() {
    let last = end
    offsets.removeLast()
    add(.typed(Splice(UTF16Offset(rawValue: end)..<UTF16Offset(rawValue: last), to: "")))
  }

  private mutating func lookBack(_ random: inout SplitMix64) {
    let offset = UTF16Offset(rawValue: random.one(of: offsets))
    let caret = UTF16Offset(rawValue: end)
    add(.selectionMoved(offset..<offset))
    add(.selectionMoved(caret..<caret))
  }
}

extension String {
  /// The units of typing: scalars, each with the combining or joined scalars behind it.
  ///
  /// They are not `Character`s, whose boundaries change with each version of Unicode.
  fileprivate var letters: [String] {
    var letters: [String] = []
    var isJoined = false
    for scalar in unicodeScalars {
      let stands =
        switch scalar.value {
        case 0x0300...0x036F, 0x200D, 0xFE0F, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF: true
        default: isJoined
        }
      if stands, !letters.isEmpty {
        letters[letters.count - 1].unicodeScalars.append(scalar)
      } else {
        letters.append(String(scalar))
      }
      isJoined = scalar.value == 0x200D
    }
    return letters
  }
}
