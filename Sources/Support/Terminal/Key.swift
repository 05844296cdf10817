// What somebody did at the keyboard.

/// A key that was pressed, or text that was typed or pasted.
package enum Key: Hashable, Sendable {
  /// Letters as they were typed, as many as came together, without control characters below U+0080.
  case text(String)
  /// What was pasted, exactly as the terminal sent it, control characters included; most send line ends as `\r`.
  case paste(String)
  /// A letter with the control or alt key; with control in lower case.
  case letter(Character, Modifiers)
  /// A key that writes nothing.
  case named(Name, Modifiers = [])

  /// A key that writes nothing.
  package enum Name: Hashable, Sendable {
    case enter, tab, backspace, delete, escape
    case up, down, left, right
    case home, end, pageUp, pageDown
  }

  /// The keys that were held down meanwhile, as far as terminals tell.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = Self(rawValue: 1)
    package static let alt = Self(rawValue: 2)
    package static let control = Self(rawValue: 4)
  }
}

extension Key {
  /// The key behind one byte below 0x80.
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

  /// The key with the number of a Unicode scalar, as newer protocols name keys; nil if there is none.
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
