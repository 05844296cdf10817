// The caret movements in a text: by characters, words and lines.
internal import Chat
internal import ChatComposer
internal import Verbatim

extension TypedText {
  /// Returns the target of a move from an offset.
  func place(of move: Move, from place: UTF16Offset) -> UTF16Offset {
    switch move {
    case .left: place == .start ? place : clusterStart(at: UTF16Offset(rawValue: place.rawValue - 1))
    case .right: clusterEnd(after: place)
    case .wordLeft: wordStart(before: place)
    case .wordRight: wordEnd(behind: place)
    case .lineStart: lineStart(of: place)
    case .lineEnd: lineEnd(of: place)
    case .up: up(from: place)
    case .down: down(from: place)
    }
  }

  private func string(_ range: UTF16Range) -> String { userText(of: range).string }

  private func wordStart(before place: UTF16Offset) -> UTF16Offset {
    let letters = string(.start..<place).reversed()
    return UTF16Offset(rawValue: place.rawValue - wordLength(letters))
  }

  private func wordEnd(behind place: UTF16Offset) -> UTF16Offset {
    UTF16Offset(rawValue: place.rawValue + wordLength(string(place..<end)))
  }

  /// Returns the length in UTF-16 units of the separators and the word behind them.
  private func wordLength(_ letters: some Sequence<Character>) -> Int {
    var (length, isInWord) = (0, false)
    for letter in letters {
      let isWord = letter.isLetter || letter.isNumber || letter == "_"
      if isInWord, !isWord { break }
      isInWord = isInWord || isWord
      length += letter.utf16.count
    }
    return length
  }

  private func lineStart(of place: UTF16Offset) -> UTF16Offset {
    UTF16Offset(rawValue: units[..<place.rawValue].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
  }

  private func lineEnd(of place: UTF16Offset) -> UTF16Offset {
    clusterStart(at: UTF16Offset(rawValue: units[place.rawValue...].firstIndex(of: 0x0A) ?? units.count))
  }

  /// Returns the offset at the same column in the line above; from the first line the text's start.
  private func up(from place: UTF16Offset) -> UTF16Offset {
    let start = lineStart(of: place)
    if start == .start { return .start }
    let above = lineStart(of: UTF16Offset(rawValue: start.rawValue - 1))
    return self.place(behind: string(start..<place).count, from: above)
  }

  /// Returns the offset at the same column in the line below; from the last line the text's end.
  private func down(from place: UTF16Offset) -> UTF16Offset {
    guard let lineFeed = units[place.rawValue...].firstIndex(of: 0x0A) else { return end }
    let column = string(lineStart(of: place)..<place).count
    return self.place(behind: column, from: UTF16Offset(rawValue: lineFeed + 1))
  }

  /// Returns the offset behind `count` characters of a line, or at its end.
  private func place(behind count: Int, from start: UTF16Offset) -> UTF16Offset {
    let letters = string(start..<lineEnd(of: start)).prefix(count)
    return UTF16Offset(rawValue: start.rawValue + letters.utf16.count)
  }
}
