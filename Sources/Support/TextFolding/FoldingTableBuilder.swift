// The decoder of the string literals that hold the folding table.

/// A folding table being decoded: blocks of entries, and the block of each run of scalars.
struct FoldingTableBuilder {
  static let blockBits = 7
  static let blockSize = 1 << blockBits

  /// The block of each run; the first block is that of runs of separators that fold to themselves.
  private(set) var blocks: [UInt16] = Array(repeating: 0, count: 0x110000 >> blockBits)
  /// The entries of all blocks.
  private(set) var entries: [FoldingTable.Entry] = Array(repeating: .init(), count: blockSize)
  /// The sequences that scalars are folded to, from index 1.
  private(set) var sequences: [UInt32] = [0]
  /// The blocks in which every scalar has the same role in words.
  private var full: [FoldingTable.Kind: UInt16] = [:]

  /// The entry of a scalar.
  private(set) subscript(scalar: Int) -> FoldingTable.Entry {
    get { entries[Int(blocks[scalar >> Self.blockBits]) << Self.blockBits | scalar & (Self.blockSize - 1)] }
    set {
      let run = scalar >> Self.blockBits
      if blocks[run] == 0 { blocks[run] = addBlock(of: .init()) }
      entries[Int(blocks[run]) << Self.blockBits | scalar & (Self.blockSize - 1)] = newValue
    }
  }

  private mutating func addBlock(of entry: FoldingTable.Entry) -> UInt16 {
    entries += Array(repeating: entry, count: Self.blockSize)
    return UInt16(entries.count >> Self.blockBits - 1)
  }
}

// MARK: Folds

extension FoldingTableBuilder {
  /// Decodes the folding of letters.
  mutating func readFoldings(_ text: StaticString) {
    var reader = TableReader(text)
    while let first = reader.next() {
      let count = reader.skip(",") ? reader.number()! : 1
      let stride = reader.skip(",") ? reader.number()! : 1
      let entry = readFolding(of: first, &reader)
      for number in 0..<count { self[first + number * stride] = entry }
    }
  }

  private mutating func readFolding(of first: Int, _ reader: inout TableReader) -> FoldingTable.Entry {
    if reader.skip(">") { return FoldingTable.Entry(step: Int32(reader.number()! - first)) }
    precondition(reader.skip(":"), "the table of letters is not as it was printed")
    let start = sequences.count
    while let scalar = reader.number() {
      sequences.append(UInt32(scalar))
      if !reader.skip("+") { break }
    }
    return FoldingTable.Entry(count: UInt8(sequences.count - start), step: Int32(start))
  }
}

// MARK: Words

extension FoldingTableBuilder {
  /// Decodes the scalars of words.
  mutating func readWords(_ text: StaticString) {
    var reader = TableReader(text)
    while !reader.isAtEnd {
      reader.skipSpace()
      let kind: FoldingTable.Kind = reader.skip("*") ? .beginning : reader.skip("~") ? .mark : .letter
      let first = reader.number()!
      precondition(reader.skip(","), "the table of letters is not as it was printed")
      fill(first..<first + reader.number()!, with: kind)
    }
  }

  private mutating func fill(_ range: Range<Int>, with kind: FoldingTable.Kind) {
    var scalar = range.lowerBound
    while scalar < range.upperBound {
      let next = min(scalar | (Self.blockSize - 1) + 1, range.upperBound)
      if next - scalar == Self.blockSize, blocks[scalar >> Self.blockBits] == 0 {
        blocks[scalar >> Self.blockBits] = fullBlock(of: kind)
      } else {
        for scalar in scalar..<next where self[scalar].isItself { self[scalar].kind = kind }
      }
      scalar = next
    }
  }

  private mutating func fullBlock(of kind: FoldingTable.Kind) -> UInt16 {
    if let block = full[kind] { return block }
    let block = addBlock(of: FoldingTable.Entry(kind: kind))
    full[kind] = block
    return block
  }
}

// MARK: Reading

/// A reader of hexadecimal numbers with signs between them and white space between entries.
private struct TableReader {
  private let text: UnsafeBufferPointer<UInt8>
  private var offset = 0

  init(_ text: StaticString) {
    self.text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  var isAtEnd: Bool { offset == text.count }

  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: sign) else { return false }
    offset += 1
    return true
  }

  mutating func skipSpace() {
    while offset < text.count, text[offset] <= UInt8(ascii: " ") { offset += 1 }
  }

  /// Returns the number after white space; nil at the end.
  mutating func next() -> Int? {
    skipSpace()
    return number()
  }

  /// Returns the number at the current offset; nil without one.
  mutating func number() -> Int? {
    var number: Int?
    while offset < text.count, let digit = Self.digit(text[offset]) {
      number = (number ?? 0) << 4 | digit
      offset += 1
    }
    return number
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte & 0x0F)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}
