// Computes the number of terminal columns of a character.

/// Returns the number of columns of a grapheme cluster: 0, 1 or 2.
///
/// Terminals agree on single scalars, by Unicode's East Asian Width, and less on combinations. Here a cluster is as
/// wide as its scalars together, but at most 2, and 2 if it has an emoji variation selector.
package func columnWidth(of letter: Character) -> Int {
  var width = 0
  for scalar in letter.unicodeScalars {
    // U+FE0F: the character before it is shown as an emoji.
    if scalar == "\u{FE0F}", width > 0 { return 2 }
    width += columnWidth(of: scalar)
  }
  return min(width, 2)
}

private func columnWidth(of scalar: Unicode.Scalar) -> Int {
  if scalar.value < 0x300 { return scalar == "\u{AD}" ? 0 : 1 }
  if isNothing(scalar) { return 0 }
  return isWide(scalar) ? 2 : 1
}

/// Whether a scalar is drawn onto the previous character, or not at all.
private func isNothing(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark: true
  case .format: scalar.properties.isDefaultIgnorableCodePoint
  // Vowels and finals of Hangul, which are drawn into the syllable's first letter.
  default: (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
  }
}

private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  // Two regional indicators make a flag, which is as wide as both.
  if (0x1F1E6...0x1F1FF).contains(scalar.value) { return false }
  return wideRanges.contains { $0.contains(scalar.value) } || scalar.properties.isEmojiPresentation
}

/// The wide ranges (W, F) of Unicode's East Asian Width, except emoji, which the standard library knows. Whole blocks:
/// scalars that are unassigned in them today will be wide, too.
private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F,  // initial letters of Hangul
  0x2329...0x232A,  // angle brackets
  0x2E80...0x303E,  // radicals, marks of Han
  0x3041...0x3247,  // kana, bopomofo, Hangul, signs in circles
  0x3250...0x4DBF,  // signs in circles and squares, Han
  0x4E00...0xA4CF,  // Han, Yi
  0xA960...0xA97F,  // old initial letters of Hangul
  0xAC00...0xD7A3,  // syllables of Hangul
  0xF900...0xFAFF,  // compatibility forms of Han
  0xFE10...0xFE19,  // vertical forms
  0xFE30...0xFE6F,  // compatibility and small forms
  0xFF01...0xFF60,  // full width forms
  0xFFE0...0xFFE6,  // full width signs
  0x16FE0...0x18DFF,  // Tangut, Khitan
  0x1AFF0...0x1B2FF,  // historic kana, Nüshu
  0x1F200...0x1F265,  // Han in squares and circles
  0x20000...0x2FFFD,  // Han
  0x30000...0x3FFFD,  // Han
]
