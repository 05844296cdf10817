// Words as markup: nothing in them is markup any more, and nothing in them reaches beyond them.

extension String {
  /// Where words stand in markup.
  enum MarkupContext {
    /// Between tags, where lines may break.
    case text
    /// Between the quotation marks of an attribute.
    case attribute
  }

  /// The words as markup.
  ///
  /// Signs of markup are written by name; a control character is shown as its picture, and what no page may hold as
  /// U+FFFD. Marks that turn the direction of writing end where their line ends, and those that would end what they
  /// did not begin are left out: even where the page isolates the words, they would reach beyond them.
  func escaped(for place: MarkupContext) -> String {
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
        output += place == .attribute ? "&#10;" : "\n"
      case "\t": output += place == .attribute ? "&#9;" : "\t"
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

  /// The words with all bytes but letters, digits and some signs written as a sign and two digits: different words
  /// are written differently, since the sign itself is never kept.
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
    // Safe because pictures of all control characters stand there, in their order.
    Unicode.Scalar(0x2400 + value)!
  }

  /// Whether a page may not hold it.
  fileprivate var isNowhere: Bool {
    (0x80...0x9F).contains(value) || (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE
  }
}

/// The turns of the direction of writing that have begun and not ended, the last one last.
private struct Turns {
  private var open: [Unicode.Scalar] = []

  /// Whether a sign may stay: any but one that ends a turn that did not begin here.
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
      // What an isolate ends, all turns within it end with it.
      while open.removeLast() != "\u{2069}" {}
      isolates -= 1
    default: break
    }
    return true
  }

  /// Ends all of them.
  mutating func endAll(in output: inout String) {
    while let end = open.popLast() { output.unicodeScalars.append(end) }
    isolates = 0
  }

  private var isolates = 0
}
