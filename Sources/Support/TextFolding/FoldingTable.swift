// The frozen table: what each scalar is folded to, and whether words are made of it.

/// What each scalar is folded to, and whether words are made of it.
///
/// It is read from the texts beside it when it is first asked for, and never changes.
// Safe because what it points to is written before anybody has it, and stays for as long as the program runs.
struct FoldingTable: @unchecked Sendable {
  static let shared = FoldingTable()

  /// How many bytes a byte of a text becomes at most: “⁗” is four signs of three bytes.
  static let growthMax = 4

  /// What an ASCII character is folded to; with the highest bit, words are made of it.
  let ascii: UnsafePointer<UInt8>
  private let blocks: UnsafePointer<UInt16>
  private let entries: UnsafePointer<Entry>
  private let sequences: UnsafePointer<UInt32>

  /// Whether words are made of a scalar that stands in a folded text, and how.
  enum Kind: UInt8 {
    /// It stands between words.
    case separator
    /// It is a letter, a digit or a mark of a script that is written with spaces.
    case letter
    /// It begins a word wherever it stands.
    case beginning
    /// It belongs to what stands before it.
    case mark
  }

  /// What a scalar is folded to: itself, another, several, or nothing.
  struct Entry {
    /// What kind it is; of no meaning where it is not folded to itself.
    var kind = Kind.separator
    /// How many scalars it is folded to.
    var count: UInt8 = 1
    /// How far the scalar lies to which it is folded; where it becomes several, the number of the first.
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

  /// What a scalar is folded to.
  @inline(__always)
  subscript(scalar: UInt32) -> Entry {
    let block = Int(blocks[Int(scalar) >> FoldingTableBuilder.blockBits]) << FoldingTableBuilder.blockBits
    return entries[block | Int(scalar) & (FoldingTableBuilder.blockSize - 1)]
  }

  /// One of the scalars to which another is folded.
  @inline(__always)
  func part(_ number: Int, of scalar: UInt32, _ entry: Entry) -> UInt32 {
    if entry.count == 1 { return UInt32(bitPattern: Int32(bitPattern: scalar) &+ entry.step) }
    return sequences[Int(entry.step) + number]
  }
}

/// Values where nothing moves them.
private func kept<Value>(_ values: [Value]) -> UnsafePointer<Value> {
  let room = UnsafeMutablePointer<Value>.allocate(capacity: values.count)
  room.initialize(from: values, count: values.count)
  return UnsafePointer(room)
}
