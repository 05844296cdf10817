// The frozen table: the folding of each scalar, and whether it is part of a word.

/// The folding of each scalar, and whether it is part of a word.
///
/// It is decoded from the string literals beside it on first use, and never changes.
// Safe because its memory is written before the first use and never freed.
struct FoldingTable: @unchecked Sendable {
  static let shared = FoldingTable()

  /// The maximum number of folded bytes per byte of a text: “⁗” is four signs of three bytes.
  static let growthMax = 4

  /// The folding of each ASCII character; the highest bit is set for characters of words.
  let ascii: UnsafePointer<UInt8>
  private let blocks: UnsafePointer<UInt16>
  private let entries: UnsafePointer<Entry>
  private let sequences: UnsafePointer<UInt32>

  /// The role of a folded scalar in words.
  enum Kind: UInt8 {
    /// The scalar separates words.
    case separator
    /// The scalar is a letter, a digit or a mark of a script that is written with spaces.
    case letter
    /// The scalar begins a word wherever it occurs.
    case beginning
    /// The scalar belongs to the one before it.
    case mark
  }

  /// The folding of a scalar: itself, another, several, or none.
  struct Entry {
    /// The role in words; meaningless for a scalar that is not folded to itself.
    var kind = Kind.separator
    /// The number of scalars that it is folded to.
    var count: UInt8 = 1
    /// The difference to the scalar that it is folded to; for several, the index of the first in the sequences.
    var step: Int32 = 0

    var isItself: Bool { count == 1 && step == 0 }
  }

  private init() {
    var builder = FoldingTableBuilder()
    builder.readFoldings(Self.foldings)
    builder.readWords(Self.wordRanges)
    blocks = kept(builder.blocks)
    entries = kept(builder.entries)
    sequences = kept(builder.sequences)
    ascii = kept(
      (0..<0x80).map { scalar in
        let folded = scalar + Int(builder[scalar].step)
        return UInt8(folded) | (builder[folded].kind == .letter ? 0x80 : 0)
      })
  }

  /// Returns the folding of a scalar.
  @inline(__always)
  subscript(scalar: UInt32) -> Entry {
    let block = Int(blocks[Int(scalar) >> FoldingTableBuilder.blockBits]) << FoldingTableBuilder.blockBits
    return entries[block | Int(scalar) & (FoldingTableBuilder.blockSize - 1)]
  }

  /// Returns one of the scalars that another is folded to.
  @inline(__always)
  func part(_ number: Int, of scalar: UInt32, _ entry: Entry) -> UInt32 {
    if entry.count == 1 { return UInt32(bitPattern: Int32(bitPattern: scalar) &+ entry.step) }
    return sequences[Int(entry.step) + number]
  }
}

/// Copies values to memory that is never moved or freed.
private func kept<Value>(_ values: [Value]) -> UnsafePointer<Value> {
  let room = UnsafeMutablePointer<Value>.allocate(capacity: values.count)
  room.initialize(from: values, count: values.count)
  return UnsafePointer(room)
}
