// A text as it is typed: letter by letter, with slips, and looks back.
internal import Chat

/// What is done in a composer until it holds a text.
struct Strokes {
  /// What is done, in order.
  private(set) var events: [Composer.Event] = []
  /// The places between letters, the start among them; the caret is at the last.
  private var places = [0]
  private var end: Int { places[places.count - 1] }

  /// In a composer that holds a text already, at whose end the caret is.
  init(behind text: String = "") {
    for letter in text.letters { places.append(end + letter.utf16.count) }
  }

  /// Does something that changes no text.
  mutating func add(_ event: Composer.Event) { events.append(event) }

  /// Types a text, and now and then something else first.
  mutating func type(_ text: String, _ random: inout SeededNumbers) {
    for letter in text.letters {
      if random.happens(20) {
        type("e")
        erase()
      }
      type(letter)
      if random.happens(6) { lookBack(&random) }
    }
  }

  /// Begins to type a name and picks it from what is suggested.
  mutating func mention(_ user: User.ID, named name: String) {
    let start = end
    type("@")
    type(String(name.letters[0]))
    let range = UTF16Offset(rawValue: start)..<UTF16Offset(rawValue: end)
    let length = name.utf16.count + 1
    add(.mentionPicked(user, Splice(range, to: UserText("@\(name) ")), length: length))
    places.removeLast(2)
    places += [start + length, start + length + 1]
  }

  private mutating func type(_ letter: String) {
    let caret = UTF16Offset(rawValue: end)
    add(.typed(Splice(caret..<caret, to: UserText(letter))))
    places.append(end + letter.utf16.count)
  }

  private mutating func erase() {
    let last = end
    places.removeLast()
    add(.typed(Splice(UTF16Offset(rawValue: end)..<UTF16Offset(rawValue: last), to: "")))
  }

  private mutating func lookBack(_ random: inout SeededNumbers) {
    let place = UTF16Offset(rawValue: random.one(of: places))
    let caret = UTF16Offset(rawValue: end)
    add(.selectionMoved(place..<place))
    add(.selectionMoved(caret..<caret))
  }
}

extension String {
  /// What a key puts in: scalars, with those that stand on the one before or are joined to it.
  ///
  /// It is not what a `Character` is, since that changes with each version of Unicode.
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
