// The single pass over a text that folds it and finds its words.

/// The output of folding one text: the folded bytes, in a buffer of the caller, and the ranges of its words in them.
struct FoldingPass: ~Copyable {
  /// The maximum number of characters of words that begin within others.
  static let beginningsMax = 4

  private let table = FoldingTable.shared
  private let room: UnsafeMutablePointer<UInt8>
  /// Whether, of a run in which every character begins a word, only words are emitted that no other word contains.
  private let isQuery: Bool
  /// The number of bytes written.
  private(set) var end = 0
  /// The start of the word being written; the end when there is none.
  private var start = 0
  /// The starts of the overlapping words being written.
  private var beginnings = (0, 0, 0, 0)
  private var beginningCount = 0

  /// Creates a pass into a buffer of a text's byte count times ``FoldingTable/growthMax``.
  init(into room: UnsafeMutablePointer<UInt8>, isQuery: Bool = false) { (self.room, self.isQuery) = (room, isQuery) }

  /// Folds a text; returns the number of folded bytes.
  mutating func fold(_ text: UnsafeRawBufferPointer, _ word: (Range<Int>) -> Void) -> Int {
    let ascii = table.ascii
    var offset = 0
    while offset < text.count {
      let byte = text[offset]
      guard byte < 0x80 else {
        fold(nextScalar(of: text, &offset), word)
        continue
      }
      let folded = ascii[Int(byte)]
      let isLetter = folded >= 0x80
      if isLetter ? beginningCount > 0 : start < end { endWord(word) }
      room[end] = folded & 0x7F
      end += 1
      if !isLetter { start = end }
      offset += 1
    }
    endWord(word)
    return end
  }

  private mutating func fold(_ scalar: UInt32, _ word: (Range<Int>) -> Void) {
    let entry = table[scalar]
    if entry.isItself { return write(scalar, entry.kind, word) }
    for number in 0..<Int(entry.count) {
      let part = table.part(number, of: scalar, entry)
      write(part, table[part].kind, word)
    }
  }

  // MARK: Words

  private mutating func write(_ scalar: UInt32, _ kind: FoldingTable.Kind, _ word: (Range<Int>) -> Void) {
    switch kind {
    case .separator: endWord(word)
    case .letter: if beginningCount > 0 { endWord(word) }
    case .beginning:
      if beginningCount == 0 { endWord(word) }
      if beginningCount == Self.beginningsMax { endFirst(word) }
      begin()
    case .mark: break
    }
    write(scalar)
    if kind == .separator { start = end }
  }

  private mutating func begin() {
    switch beginningCount {
    case 0: beginnings.0 = end
    case 1: beginnings.1 = end
    case 2: beginnings.2 = end
    default: beginnings.3 = end
    }
    beginningCount += 1
  }

  /// Emits the first of the words being written.
  private mutating func endFirst(_ word: (Range<Int>) -> Void) {
    word(beginnings.0..<end)
    beginnings = (beginnings.1, beginnings.2, beginnings.3, 0)
    beginningCount -= 1
  }

  private mutating func endWord(_ word: (Range<Int>) -> Void) {
    if beginningCount > 0 {
      endFirst(word)
      while beginningCount > 0, !isQuery { endFirst(word) }
      beginningCount = 0
    } else if start < end {
      word(start..<end)
    }
    start = end
  }

  // MARK: Bytes

  private mutating func write(_ scalar: UInt32) {
    func put(_ byte: UInt32) {
      room[end] = UInt8(truncatingIfNeeded: byte)
      end += 1
    }
    func putRest(_ shift: UInt32) { put(0x80 | scalar >> shift & 0x3F) }
    switch scalar {
    case ..<0x80: put(scalar)
    case ..<0x800:
      put(0xC0 | scalar >> 6)
      putRest(0)
    case ..<0x10000:
      put(0xE0 | scalar >> 12)
      putRest(6)
      putRest(0)
    default:
      put(0xF0 | scalar >> 18)
      putRest(12)
      putRest(6)
      putRest(0)
    }
  }
}

/// Decodes the scalar at an offset and advances past it; U+FFFD for a byte that begins no valid scalar.
@inline(__always)
private func nextScalar(of text: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt32 {
  let first = text[offset]
  offset += 1
  let count = first < 0xC2 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : 0
  guard count > 0, text.count - offset >= count else { return 0xFFFD }
  var scalar = UInt32(first) & (0x3F >> UInt32(count))
  for next in text[offset..<offset + count] {
    guard next & 0xC0 == 0x80 else { return 0xFFFD }
    scalar = scalar << 6 | UInt32(next & 0x3F)
  }
  let isShortest = scalar >= (count == 1 ? 0x80 : count == 2 ? 0x800 : 0x10000)
  guard isShortest, scalar < 0x110000, scalar >> 11 != 0x1B else { return 0xFFFD }
  offset += count
  return scalar
}
