// The caret movements in a text: by characters, words and lines.
internal import Chat
internal import ChatComposer
internal import Verbatim

extension TypedText {
  /// Returns the target of a move from an offset.
  func offset(of move: Move, from offset: UTF16Offset) -> UTF16Offset {
    switch move {
    case .left: offset == .start ? offset : clusterStart(at: UTF16Offset(rawValue: offset.rawValue - 1))
    case .right: clusterEnd(after: offset)
    case .wordLeft: wordStart(before: offset)
    case .wordRight: wordEnd(behind: offset)
    case .lineStart: lineStart(of: offset)
    case .lineEnd: lineEnd(of: offset)
    case .up: up(from: offset)
    case .down: down(from: offset)
    }
  }

  private func string(_ range: UTF16Range) -> String { userText(of: range).string }

  private func wordStart(before offset: UTF16Offset) -> UTF16Offset {
    let letters = string(.start..<offset).reversed()
    return UTF16Offset(rawValue: offset.rawValue - wordLength(letters))
  }

  private func wordEnd(behind offset: UTF16Offset) -> UTF16Offset {
    UTF16Offset(rawValue: offset.rawValue + wordLength(string(offset..<end)))
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

  private func lineStart(of offset: UTF16Offset) -> UTF16Offset {
    UTF16Offset(rawValue: units[..<offset.rawValue].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
  }

  private func lineEnd(of offset: UTF16Offset) -> UTF16Offset {
    clusterStart(at: UTF16Offset(rawValue: units[offset.rawValue...].firstIndex(of: 0x0A) ?? units.count))
  }

  /// Returns the offset at the same column in the line above; from the first line the text's start.
  private func up(from offset: UTF16Offset) -> UTF16Offset {
    let start = lineStart(of: offset)
    if start == .start { return .start }
    let above = lineStart(of: UTF16Offset(rawValue: start.rawValue - 1))
    return self.offset(behind: string(start..<offset).count, from: above)
  }

  /// Returns the offset at the same column in the line below; from the last line the text's end.
  private func down(from offset: UTF16Offset) -> UTF16Offset {
    guard let lineFeed = units[offset.rawValue...].firstIndex(of: 0x0A) else { return end }
    let column = string(lineStart(of: offset)..<offset).count
    return self.offset(behind: column, from: UTF16Offset(rawValue: lineFeed + 1))
  }

  /// Returns the offset behind `count` characters of a line, or at its end.
  private func offset(behind count: Int, from start: UTF16Offset) -> UTF16Offset {
    let letters = string(start..<lineEnd(of: start)).prefix(count)
    return UTF16Offset(rawValue: start.rawValue + letters.utf16.count)
  }
}
