// Escaping of text for markup.

extension String {
  /// The context of text in markup.
  enum MarkupContext {
    /// Between tags, where lines may break.
    case text
    /// Between the quotation marks of an attribute.
    case attribute
  }

  /// Returns the text escaped for markup.
  ///
  /// Characters of markup become entities, a control character its picture, and a character that no page may contain
  /// U+FFFD. Bidirectional controls are closed at the end of their line, and closing ones without an opening are
  /// dropped: they would affect text outside even where the page isolates the text.
  func escaped(for markupContext: MarkupContext) -> String {
    var output = ""
    output.reserveCapacity(utf8.count + utf8.count / 16)
    var turns = Turns()
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      case "\n" where previous == "\r": break
      case "\n", "\r", "\u{2028}", "\u{2029}":
        turns.endAll(in: &output)
        output += markupContext == .attribute ? "&#10;" : "\n"
      case "\t": output += markupContext == .attribute ? "&#9;" : "\t"
      case "\u{0}"..."\u{1F}": output.unicodeScalars.append(scalar.picture)
      case "\u{7F}": output += "\u{2421}"
      default:
        if scalar.isNowhere {
          output += "\u{FFFD}"
        } else if turns.take(scalar) {
          output.unicodeScalars.append(scalar)
        }
      }
    }
    turns.endAll(in: &output)
    return output
  }

  /// Returns the text with all bytes but letters, digits and some characters encoded as a sign and two hexadecimal
  /// digits. The encoding is injective, since the sign itself is never kept.
  func encoded(by sign: Character, keeping kept: String) -> String {
    let plain = Set(kept.utf8)
    var output = ""
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        output.unicodeScalars.append(Unicode.Scalar(byte))
      case _ where plain.contains(byte): output.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        output.append(sign)
        output += byte < 16 ? "0" : ""
        output += String(byte, radix: 16, uppercase: true)
      }
    }
    return output
  }
}

extension Unicode.Scalar {
  /// The picture of a control character.
  fileprivate var picture: Unicode.Scalar {
    // Safe because the block has pictures of all control characters, in their order.
    Unicode.Scalar(0x2400 + value)!
  }

  /// Whether a page may not contain the character.
  fileprivate var isNowhere: Bool {
    (0x80...0x9F).contains(value) || (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE
  }
}

/// The stack of open bidirectional controls.
private struct Turns {
  private var open: [Unicode.Scalar] = []

  /// Returns whether a character is kept: all but a closing control without its opening one.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}": open.append("\u{202C}")
    case "\u{2066}", "\u{2067}", "\u{2068}":
      open.append("\u{2069}")
      isolates += 1
    case "\u{202C}":
      guard open.last == "\u{202C}" else { return false }
      open.removeLast()
    case "\u{2069}":
      guard isolates > 0 else { return false }
      // Closing an isolate also closes all controls within it.
      while open.removeLast() != "\u{2069}" {}
      isolates -= 1
    default: break
    }
    return true
  }

  /// Closes all open controls.
  mutating func endAll(in output: inout String) {
    while let end = open.popLast() { output.unicodeScalars.append(end) }
    isolates = 0
  }

  private var isolates = 0
}
