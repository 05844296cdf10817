// Parses the control sequences by which terminals report keys.

/// A sequence that begins with `ESC [` or `ESC O`: numbers, then the final byte that gives its kind.
struct ControlSequence {
  private let isCSI: Bool
  /// The numeric parameters; nil if the parameters contain anything else.
  private let numbers: [Int]?
  private let final: UInt8

  /// Parses the bytes after the escape, and the final byte.
  init(_ bytes: [UInt8], final: UInt8) {
    isCSI = bytes.first == UInt8(ascii: "[")
    self.final = final
    let parameters = bytes.dropFirst()
    // Digits, `;` between numbers, `:` before the subparameters of newer protocols.
    guard parameters.allSatisfy({ (0x30...0x3B).contains($0) }) else {
      numbers = nil
      return
    }
    numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
      Int(String(decoding: part.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)) ?? 0
    }
  }

  /// Whether the sequence starts a paste.
  var beginsPaste: Bool { isCSI && final == UInt8(ascii: "~") && number(0) == 200 }

  /// The key; nil for an unknown sequence.
  var key: Key? {
    guard numbers != nil else { return nil }
    return switch final {
    case UInt8(ascii: "A"): .named(.up, modifiers)
    case UInt8(ascii: "B"): .named(.down, modifiers)
    case UInt8(ascii: "C"): .named(.right, modifiers)
    case UInt8(ascii: "D"): .named(.left, modifiers)
    case UInt8(ascii: "H"): .named(.home, modifiers)
    case UInt8(ascii: "F"): .named(.end, modifiers)
    // Enter on the keypad.
    case UInt8(ascii: "M") where !isCSI: .named(.enter, modifiers)
    case UInt8(ascii: "Z") where isCSI: .named(.tab, modifiers.union(.shift))
    // The protocols that distinguish shift+enter from enter: `CSI u`, and xterm's `modifyOtherKeys`.
    case UInt8(ascii: "u") where isCSI: Key(code: number(0), modifiers)
    case UInt8(ascii: "~") where isCSI && number(0) == 27: Key(code: number(2), modifiers)
    case UInt8(ascii: "~") where isCSI: numberedName.map { .named($0, modifiers) }
    default: nil
    }
  }

  private var numberedName: Key.Name? {
    switch number(0) {
    case 1, 7: .home
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    default: nil
    }
  }

  private var modifiers: Key.Modifiers {
    Key.Modifiers(rawValue: UInt8(max(0, number(1) - 1) & 7))
  }

  private func number(_ index: Int) -> Int {
    guard let numbers, index < numbers.count else { return 0 }
    return numbers[index]
  }
}
