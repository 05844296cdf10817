// Keyboard input as keys.

/// A pressed key, or typed or pasted text.
package enum Key: Hashable, Sendable {
  /// Typed characters, as many as arrived together, without control characters below U+0080.
  case text(String)
  /// A paste, exactly as the terminal sent it, control characters included; most terminals send line ends as `\r`.
  case paste(String)
  /// A character with the control or alt key; lower case with control.
  case letter(Character, Modifiers)
  /// A key that produces no text.
  case named(Name, Modifiers = [])

  /// The name of a key that produces no text.
  package enum Name: Hashable, Sendable {
    case enter, tab, backspace, delete, escape
    case up, down, left, right
    case home, end, pageUp, pageDown
  }

  /// The modifier keys that were held down, as far as the terminal reports them.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = Self(rawValue: 1)
    package static let alt = Self(rawValue: 2)
    package static let control = Self(rawValue: 4)
  }
}

extension Key {
  /// Creates the key that a byte below 0x80 represents.
  init(ascii byte: UInt8, _ modifiers: Modifiers = []) {
    switch byte {
    case 0x00: self = .letter(" ", modifiers.union(.control))
    case 0x08, 0x7F: self = .named(.backspace, modifiers)
    case 0x09: self = .named(.tab, modifiers)
    case 0x0D: self = .named(.enter, modifiers)
    case 0x1B: self = .named(.escape, modifiers)
    case 0x01...0x1A: self = .letter(Character(Unicode.Scalar(byte + 0x60)), modifiers.union(.control))
    case 0x1C...0x1F: self = .letter(Character(Unicode.Scalar(byte + 0x40)), modifiers.union(.control))
    default: self = .letter(Character(Unicode.Scalar(byte)), modifiers)
    }
  }

  /// Creates the key for a Unicode scalar number, as newer protocols encode keys; nil if the number is invalid.
  init?(code: Int, _ modifiers: Modifiers) {
    guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
    if scalar.value < 0x20 || scalar.value == 0x7F {
      self = Key(ascii: UInt8(scalar.value), modifiers)
    } else if modifiers.isSubset(of: .shift) {
      self = .text(String(scalar))
    } else {
      self = .letter(Character(scalar), modifiers)
    }
  }
}
