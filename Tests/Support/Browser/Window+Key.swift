// The keys of a keyboard that is printed with the US layout.

extension Window {
  /// A key, or a character that is typed with one.
  package struct Key: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    /// The keys that are held while another one is pressed.
    package struct Modifiers: OptionSet, Sendable {
      package let rawValue: Int
      package static let alt = Modifiers(rawValue: 1)
      package static let control = Modifiers(rawValue: 2)
      package static let meta = Modifiers(rawValue: 4)
      package static let shift = Modifiers(rawValue: 8)

      package init(rawValue: Int) { self.rawValue = rawValue }
    }

    package static let tab = Key("Tab", number: 9)
    package static let enter = Key("Enter", number: 13, text: "\r")
    package static let escape = Key("Escape", number: 27)
    package static let backspace = Key("Backspace", number: 8)
    package static let delete = Key("Delete", number: 46)
    package static let space: Key = " "
    package static let home = Key("Home", number: 36)
    package static let end = Key("End", number: 35)
    package static let pageUp = Key("PageUp", number: 33)
    package static let pageDown = Key("PageDown", number: 34)
    package static let arrowLeft = Key("ArrowLeft", number: 37)
    package static let arrowUp = Key("ArrowUp", number: 38)
    package static let arrowRight = Key("ArrowRight", number: 39)
    package static let arrowDown = Key("ArrowDown", number: 40)

    /// The properties `key` and `code` of keyboard events.
    let name: String
    let code: String
    /// The property `keyCode` of keyboard events.
    let number: Int
    /// The text that the key inserts.
    let text: String?
    let needsShift: Bool

    private init(_ name: String, code: String? = nil, number: Int, text: String? = nil, needsShift: Bool = false) {
      (self.name, self.code, self.number) = (name, code ?? name, number)
      (self.text, self.needsShift) = (text, needsShift)
    }

    package init(extendedGraphemeClusterLiteral character: Character) { self.init(character) }

    /// Returns the key of a character. One that the keyboard does not have is typed with a key without code.
    package init(_ character: Character) {
      let text = String(character)
      let found = Cap.all.first { $0.plain == character || $0.shifted == character }
      self.init(
        text, code: found?.code ?? "", number: found?.number ?? 0, text: text,
        needsShift: found.map { $0.plain != character } ?? false)
    }

    /// The same key with Shift.
    var withShift: Key {
      guard let cap = Cap.all.first(where: { $0.code == code }), !needsShift else { return self }
      return Key(cap.shifted)
    }
  }
}

/// A key of the keyboard that inserts characters.
private struct Cap {
  let code: String
  let number: Int
  let plain: Character
  let shifted: Character

  static let all: [Cap] = {
    let letters = "abcdefghijklmnopqrstuvwxyz".map { letter in
      let capital = Character(letter.uppercased())
      return Cap(code: "Key\(capital)", number: Int(capital.asciiValue!), plain: letter, shifted: capital)
    }
    let digits = zip("0123456789", ")!@#$%^&*(").map { digit, shifted in
      Cap(code: "Digit\(digit)", number: Int(digit.asciiValue!), plain: digit, shifted: shifted)
    }
    return letters + digits + others
  }()

  private static let others = [
    Cap(code: "Space", number: 32, plain: " ", shifted: " "),
    Cap(code: "Semicolon", number: 186, plain: ";", shifted: ":"),
    Cap(code: "Equal", number: 187, plain: "=", shifted: "+"),
    Cap(code: "Comma", number: 188, plain: ",", shifted: "<"),
    Cap(code: "Minus", number: 189, plain: "-", shifted: "_"),
    Cap(code: "Period", number: 190, plain: ".", shifted: ">"),
    Cap(code: "Slash", number: 191, plain: "/", shifted: "?"),
    Cap(code: "Backquote", number: 192, plain: "`", shifted: "~"),
    Cap(code: "BracketLeft", number: 219, plain: "[", shifted: "{"),
    Cap(code: "Backslash", number: 220, plain: "\\", shifted: "|"),
    Cap(code: "BracketRight", number: 221, plain: "]", shifted: "}"),
    Cap(code: "Quote", number: 222, plain: "'", shifted: "\""),
  ]
}
