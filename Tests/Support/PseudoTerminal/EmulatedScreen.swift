// A small emulator of an xterm-like terminal: computes what it shows after the bytes it received.

/// A terminal's window, its caret and its history.
///
/// It supports the sequences that the tests use, and throws at others. When the window is resized, it rewraps the rows
/// that it wrapped itself, as most terminals do. It treats the blocks with most of the wide characters as wide.
package struct EmulatedScreen: Sendable {
  /// A cell of the window for one character; the second cell of a wide character is empty.
  package struct Cell: Hashable, Sendable {
    package var letter = " "
    /// The numbers of the style, in order.
    package var look: [Int] = []

    package init(_ letter: String = " ", look: [Int] = []) { (self.letter, self.look) = (letter, look) }

    var isBlank: Bool { letter == " " && look.isEmpty }
  }

  /// A row, and whether the next one continues it.
  package struct Row: Hashable, Sendable {
    package var cells: [Cell]
    package var goesOn = false
    /// The number of cells at its end that are not part of the text, because a wide character did not fit.
    var restCount = 0

    /// The row's text without trailing spaces.
    package var text: String {
      let text = cells.map(\.letter).joined()
      return String(
        text.prefix(text.lastIndex { $0 != " " }.map { text.distance(from: text.startIndex, to: $0) + 1 } ?? 0))
    }
  }

  /// The error for a sequence that this emulator does not support.
  package struct Unknown: Error, CustomStringConvertible {
    package let description: String
  }

  package internal(set) var columns: Int
  package internal(set) var history: [Row] = []
  package internal(set) var rows: [Row]
  package internal(set) var row = 0
  package internal(set) var column = 0
  package private(set) var isCaretVisible = true
  package private(set) var wrapsLines = true
  package private(set) var bracketsPastes = false
  /// Whether the caret is in the last column after a character in it.
  var isWrapPending = false
  private var look: [Int] = []
  /// The position of the character that a combining mark would join.
  private var last: (row: Int, column: Int)?
  /// The bytes of an incomplete character or sequence.
  private var unread: [UInt8] = []

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = (0..<rows).map { _ in Row(cells: Array(repeating: Cell(), count: columns)) }
  }

  /// Processes bytes.
  package mutating func feed(_ bytes: some Sequence<UInt8>) throws(Unknown) {
    unread += bytes
    var place = 0
    while place < unread.count, let count = try take(unread[place...]) { place += count }
    unread.removeFirst(place)
  }

  /// Processes the first character or sequence; returns its length, nil if it is incomplete.
  private mutating func take(_ bytes: ArraySlice<UInt8>) throws(Unknown) -> Int? {
    let first = bytes.first!
    switch first {
    case 0x1B: return try takeSequence(bytes)
    case 0x0D: (column, isWrapPending) = (0, false)
    case 0x0A: lineFeed()
    case 0x08: (column, isWrapPending) = (max(0, column - 1), false)
    case 0x07: break
    case 0x20...0x7E: put(Unicode.Scalar(first))
    case 0xC2...0xF4: return try takeLetter(bytes)
    default: throw Unknown(description: "the byte \(first) is no part of a text")
    }
    if first < 0x20 { last = nil }
    return 1
  }

  private mutating func takeLetter(_ bytes: ArraySlice<UInt8>) throws(Unknown) -> Int? {
    let count = bytes.first! < 0xE0 ? 2 : bytes.first! < 0xF0 ? 3 : 4
    if bytes.count < count { return nil }
    guard let scalar = String(validating: bytes.prefix(count), as: UTF8.self)?.unicodeScalars.first else {
      throw Unknown(description: "the bytes \(bytes.prefix(count)) are no letter")
    }
    let isControl = scalar.value < 0xA0 || (0x2028...0x202E).contains(scalar.value)
    if isControl || (0x2066...0x2069).contains(scalar.value) {
      throw Unknown(description: "U+\(String(scalar.value, radix: 16)) controls the terminal")
    }
    put(scalar)
    return count
  }

  private mutating func takeSequence(_ bytes: ArraySlice<UInt8>) throws(Unknown) -> Int? {
    guard bytes.count > 1 else { return nil }
    guard bytes[bytes.startIndex + 1] == UInt8(ascii: "[") else {
      throw Unknown(description: "the sequence “ESC \(String(decoding: bytes.dropFirst().prefix(8), as: UTF8.self))”")
    }
    guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
    let parameters = String(decoding: bytes[(bytes.startIndex + 2)..<end], as: UTF8.self)
    try obey(Character(Unicode.Scalar(bytes[end])), parameters)
    return end + 1 - bytes.startIndex
  }

  private mutating func obey(_ final: Character, _ parameters: String) throws(Unknown) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    let count = max(1, numbers.first ?? 1)
    switch (final, parameters) {
    case ("A", _): move(row: row - count)
    case ("B", _): move(row: row + count)
    case ("C", _): move(column: column + count)
    case ("D", _): move(column: column - count)
    case ("J", ""), ("J", "0"):
      eraseLine(from: column)
      for below in rows.indices where below > row { rows[below] = blank }
    case ("K", ""), ("K", "0"): eraseLine(from: column)
    case ("m", _): look = numbers.contains(0) || numbers.isEmpty ? numbers.filter { $0 != 0 } : look + numbers
    case ("h", "?7"): wrapsLines = true
    case ("l", "?7"): wrapsLines = false
    case ("h", "?25"): isCaretVisible = true
    case ("l", "?25"): isCaretVisible = false
    case ("h", "?2004"): bracketsPastes = true
    case ("l", "?2004"): bracketsPastes = false
    default: throw Unknown(description: "the sequence “ESC [ \(parameters)\(final)”")
    }
    if final != "m" { last = nil }
  }

  private mutating func move(row: Int? = nil, column: Int? = nil) {
    self.row = min(max(0, row ?? self.row), rows.count - 1)
    self.column = min(max(0, column ?? self.column), columns - 1)
    isWrapPending = false
  }

  var blank: Row { Row(cells: Array(repeating: Cell(), count: columns)) }

  private mutating func eraseLine(from start: Int) {
    for column in start..<columns { clear(column) }
    (rows[row].goesOn, rows[row].restCount) = (false, 0)
    isWrapPending = false
  }

  /// Blanks a cell, and the other half of a wide character with it.
  private mutating func clear(_ column: Int) {
    if rows[row].cells[column].letter.isEmpty, column > 0 { rows[row].cells[column - 1] = Cell() }
    if column + 1 < columns, rows[row].cells[column + 1].letter.isEmpty { rows[row].cells[column + 1] = Cell() }
    rows[row].cells[column] = Cell()
  }

  private mutating func lineFeed() {
    isWrapPending = false
    if row < rows.count - 1 {
      row += 1
    } else {
      history.append(rows.removeFirst())
      rows.append(blank)
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    if let last, join(scalar, to: last) { return }
    let letter = String(scalar)
    let width = emulatedWidth(letter)
    if wrapsLines, isWrapPending || column + width > columns { wrap() }
    let start = min(column, columns - width)
    place(letter, width, at: start)
    let isAtEdge = start + width >= columns
    column = isAtEdge ? columns - 1 : start + width
    isWrapPending = isAtEdge && wrapsLines
  }

  private mutating func wrap() {
    rows[row].goesOn = true
    rows[row].restCount = isWrapPending ? 0 : columns - column
    column = 0
    lineFeed()
  }

  private mutating func place(_ letter: String, _ width: Int, at column: Int) {
    for place in column..<column + width { clear(place) }
    rows[row].cells[column] = Cell(letter, look: look)
    if width == 2 { rows[row].cells[column + 1] = Cell("", look: look) }
    last = (row, column)
  }

  /// Joins a scalar to the previous character, if both form one grapheme cluster; it can become wider.
  private mutating func join(_ scalar: Unicode.Scalar, to last: (row: Int, column: Int)) -> Bool {
    let before = rows[last.row].cells[last.column].letter
    let letter = before + String(scalar)
    guard letter.count == 1 else { return false }
    rows[last.row].cells[last.column].letter = letter
    guard emulatedWidth(letter) > emulatedWidth(before), !isWrapPending else { return true }
    place(letter, 2, at: last.column)
    isWrapPending = last.column + 2 >= columns && wrapsLines
    column = min(last.column + 2, columns - 1)
    return true
  }
}

/// Returns the number of columns of a character, which can consist of several scalars.
func emulatedWidth(_ letter: String) -> Int {
  let scalars = Array(letter.unicodeScalars)
  let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0x1F300...0x1FAFF, 0x20000...0x3FFFD,
  ]
  let isFlag = scalars.count == 2 && scalars.allSatisfy { (0x1F1E6...0x1F1FF).contains($0.value) }
  return isFlag || scalars.contains("\u{FE0F}") || wide.contains { $0.contains(scalars[0].value) } ? 2 : 1
}
