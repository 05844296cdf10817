// The composer events of typing a text: character by character, with pauses, typing errors and caret movements.
internal import Chat
internal import RandomNumbers

/// An event of a composer, and the pause before it.
struct Stroke: Sendable {
  let event: Composer.Event
  /// The time since the stroke before.
  let pause: Microseconds
}

/// The events of a composer until it contains a text.
struct Strokes {
  /// The strokes, in order.
  private(set) var all: [Stroke] = []
  /// The pause before the content is sent, saved or left.
  let endPause: Microseconds
  private var rhythm: Rhythm
  /// The offsets between characters, including the start; the caret is at the last.
  private var offsets = [0]
  private var end: Int { offsets[offsets.count - 1] }

  /// Creates the strokes for a composer that contains a text, with the caret at its end.
  init(_ rhythm: Rhythm, behind text: String = "") {
    self.rhythm = rhythm
    endPause = self.rhythm.pauseOfLook()
    for letter in text.letters { offsets.append(end + letter.utf16.count) }
  }

  /// Adds an event that changes no text, after a look at it.
  mutating func add(_ event: Composer.Event) { all.append(Stroke(event: event, pause: rhythm.pauseOfLook())) }

  /// Adds an event of an attachment.
  mutating func addFile(_ event: Composer.Event) { all.append(Stroke(event: event, pause: rhythm.pauseOfFile())) }

  /// Types a text, with occasional typing errors that are corrected.
  mutating func type(_ text: String, _ random: inout SplitMix64) {
    let letters = text.letters
    for (index, letter) in letters.enumerated() {
      let previous = index == 0 ? nil : letters[index - 1]
      if random.happens(20) { err(in: letters[index...], after: previous) }
      type(letter, pause: rhythm.pause(after: previous))
      if random.happens(6) { lookBack(&random) }
    }
  }

  /// Types the beginning of a name and picks the suggested user.
  mutating func mention(_ user: User.ID, named name: String) {
    let start = end
    type("@", pause: rhythm.pause(after: nil))
    type(String(name.letters[0]), pause: rhythm.pause(after: "@"))
    let range = UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: end)
    let length = name.utf16.count + 1
    add(.mentionPicked(user, Splice(range, to: UserText("@\(name) ")), length: length))
    offsets.removeLast(2)
    offsets += [start + length, start + length + 1]
  }

  /// Types a wrong letter and some of those that follow, notices it, and erases them.
  private mutating func err(in rest: ArraySlice<String>, after previous: String?) {
    guard let first = rest.first else { return }
    let following = rest.dropFirst().prefix(rhythm.lettersUntilNotice())
    type(rhythm.error(for: first), pause: rhythm.pause(after: previous))
    var last = first
    for letter in following {
      type(letter, pause: rhythm.pause(after: last))
      last = letter
    }
    erase(pause: rhythm.pauseOfNotice())
    for _ in following { erase(pause: rhythm.pauseOfRepeat()) }
  }

  private mutating func type(_ letter: String, pause: Microseconds) {
    let caret = UTF16Offset(rawValue: end)
    all.append(Stroke(event: .typed(Splice(caret..<caret, to: UserText(letter))), pause: pause))
    offsets.append(end + letter.utf16.count)
  }

  private mutating func erase(pause: Microseconds) {
    let last = end
    offsets.removeLast()
    let range = UTF16Offset(rawValue: end)..<UTF16Offset(rawValue: last)
    all.append(Stroke(event: .typed(Splice(range, to: "")), pause: pause))
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
