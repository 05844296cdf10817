// A row of a run's words, each with the texts that contain it.
package import Bytes
internal import Tables

/// Words and labels of a run in byte order, each with the slots of the texts that contain it.
///
/// Stored for each word: the length of the prefix it shares with the previous word, the length of the rest, and the
/// rest; the byte length of its slots, the first slot, and the difference of each to the next.
package struct WordChunk: BinaryRow, Hashable {
  package static let isWrittenOnce = true

  private let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Always returns nil: the row's last word is in its key.
  package init?(decoding bytes: RawSpan) { nil }

  package init?(decoding bytes: RawSpan, of key: RawSpan) {
    guard isChunk(bytes, endingWith: key) else { return nil }
    self.bytes = bytes.withUnsafeBytes { Array($0) }
  }

  package func encode(into writer: inout ByteWriter) { bytes.withUnsafeBytes { writer.bytes($0) } }

  /// Inserts the slots of all words with a prefix; returns whether the next row can have such words, too.
  package func insertSlots(ofWordsStartingWith beginning: [UInt8], into slots: inout SlotSet) -> Bool {
    var reader = ByteReader(bytes.span.bytes)
    // The length of the prefix that the last word read has in common with the searched one.
    var common = 0
    while let shared = reader.varint(), let rest = reader.lengthDelimited(), let list = reader.lengthDelimited() {
      // A word that shares less with the previous one than that had in common sorts after all words with the prefix.
      if Int(shared) < common { return false }
      if Int(shared) == common, !extend(&common, with: rest, as: beginning) { return false }
      if common == beginning.count { slots.insert(listIn: list, of: bytes.span.bytes) }
    }
    return true
  }

  /// Continues the comparison with the bytes of a word; returns false when it sorts after all words with the prefix.
  private func extend(_ common: inout Int, with rest: Range<Int>, as beginning: [UInt8]) -> Bool {
    for offset in rest where common < beginning.count {
      if bytes[offset] != beginning[common] { return bytes[offset] < beginning[common] }
      common += 1
    }
    return true
  }
}

/// The maximum number of bytes of a word or a label.
private let wordByteCountMax = max(keptWordByteCount, TextLabel.byteCountMax)

/// Returns whether bytes are words with slots, the last of which is the word in the key after the run's number.
private func isChunk(_ bytes: RawSpan, endingWith key: RawSpan) -> Bool {
  guard key.byteCount > 4, bytes.byteCount > 0 else { return false }
  return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: wordByteCountMax) { word in
    var (reader, count) = (ByteReader(bytes), 0)
    while !reader.isAtEnd {
      guard let shared = reader.varint(), let rest = reader.lengthDelimited(), let slots = reader.lengthDelimited(),
        shared <= count, !rest.isEmpty, Int(shared) + rest.count <= wordByteCountMax
      else { return false }
      let first = bytes.unsafeLoad(fromByteOffset: rest.lowerBound, as: UInt8.self)
      if shared < count, first <= word[Int(shared)] { return false }
      count = Int(shared)
      for offset in rest {
        word[count] = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        count += 1
      }
      if !isList(slots, of: bytes) { return false }
    }
    return key.extracting(4..<key.byteCount).withUnsafeBytes { $0.elementsEqual(word[..<count]) }
  }
}

/// Returns whether bytes are slots in ascending order.
private func isList(_ range: Range<Int>, of bytes: RawSpan) -> Bool {
  var reader = ByteReader(bytes, from: range.lowerBound, to: range.upperBound)
  guard var last = reader.varint(), last <= SlotSet.slotMax else { return false }
  while !reader.isAtEnd {
    guard let step = reader.varint(), step > 0, step <= SlotSet.slotMax - last else { return false }
    last += step
  }
  return true
}

// MARK: Writing

/// A builder of rows from the words of a run.
package struct WordChunkBuilder: ~Copyable {
  /// The completed rows, each with its last word.
  package private(set) var rows: [(lastWord: [UInt8], row: WordChunk)] = []
  private let byteCountMax: Int
  private var chunk = ByteWriter(capacity: 8192)
  private var list = ByteWriter()
  private var lastWord: [UInt8] = []

  /// Creates a builder of rows with a maximum size, unless a single word takes more.
  package init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

  /// Adds a word, which sorts after all others, with its slots in ascending order.
  package mutating func add(_ word: UnsafeRawBufferPointer, at slots: ArraySlice<UInt16>) {
    list.removeAll()
    var last: UInt16 = 0
    for slot in slots {
      list.varint(UInt64(slot - last))
      last = slot
    }
    let shared = zip(lastWord, word).prefix { $0 == $1 }.count
    if chunk.count > 0, chunk.count + word.count - shared + list.count + 4 > byteCountMax { endRow() }
    write(word, sharing: chunk.count == 0 ? 0 : shared)
    lastWord.removeAll(keepingCapacity: true)
    lastWord.append(contentsOf: word)
  }

  private mutating func write(_ word: UnsafeRawBufferPointer, sharing shared: Int) {
    chunk.varint(UInt64(shared))
    chunk.varint(UInt64(word.count - shared))
    chunk.bytes(UnsafeRawBufferPointer(rebasing: word[shared...]))
    chunk.varint(UInt64(list.count))
    list.withBytes { chunk.bytes($0) }
  }

  /// Ends the current row, if there is one.
  package mutating func endRow() {
    if chunk.count == 0 { return }
    rows.append((lastWord, WordChunk(chunk.array())))
    chunk.removeAll()
  }
}
