// The fold of texts into the tables of a search, and the building of runs.
internal import Bytes
internal import Chat
internal import ChatCodec
package import EventLog
internal import Tables
package import Projections

/// The tables of a search while events are folded into them.
package struct SearchFold {
  private let cut: SearchLayout
  private let counts: LiveTable<TextNumber>
  private let open: LiveTable<UnindexedText>
  private let words: LiveTable<WordChunk>
  private let sources: LiveTable<SourceChunk>
  private let edited: LiveTable<TextNumber>
  private var decoder = EventDecoder()
  /// The number of texts; nil until it is read.
  private var count: UInt64?

  static let countsKey = Array("texts".utf8)

  /// Creates the fold on the tables of a projection as they were last left.
  package init<Owner: SearchProjection>(_ tables: ProjectionTables, of owner: Owner.Type) {
    cut = owner.cut
    counts = tables(owner.counts)
    open = tables(owner.open)
    words = tables(owner.words)
    sources = tables(owner.sources)
    edited = tables(owner.edited)
  }

  /// Returns whether events of a type have texts of messages, in any version.
  package static func readsPayloads(ofType type: RawSpan) -> Bool {
    type.withUnsafeBytes { name in
      let family = name.prefix { $0 != UInt8(ascii: ".") }
      return family.elementsEqual(sentName) || family.elementsEqual(editedName)
    }
  }

  private static let sentName = Array("messageSent".utf8)
  private static let editedName = Array("messageEdited".utf8)

  /// Folds an event; most have no text.
  package mutating func fold(_ event: EventView) throws {
    switch try decoder.shape(of: event) {
    case .messageSent1, .messageEdited1: break
    default: return
    }
    let event = try decoder.decode(event)
    guard case .message(let key, let change) = event.change else { return }
    switch change {
    case .sent(let content):
      try add(content.text, TextSource(key: key, author: event.origin.actor.user, isEdit: false))
    case .edited(let edits):
      if let text = edits.text { try add(text, TextSource(key: key, author: nil, isEdit: true)) }
    default: return
    }
  }

  private mutating func add(_ text: UserText, _ source: TextSource) throws(TablesError) {
    let before = try countRead()
    let number = TextNumber(before + 1)
    count = number.rawValue
    // Rows are set by index: that is specialized for the rows of each table.
    counts[try counts.index(of: Self.countsKey)] = number
    open[try open.index(of: SlotKey(Int(before % cut.texts)))] = UnindexedText(text, at: source)
    if source.isEdit { edited[try edited.index(of: source.key)] = number }
    if number.rawValue.isMultiple(of: cut.texts) { try close(before / cut.texts) }
  }

  private func countRead() throws(TablesError) -> UInt64 {
    if let count { return count }
    return try counts.row(of: Self.countsKey)?.rawValue ?? 0
  }

  /// Builds a run of the open texts, which fill one.
  private func close(_ run: UInt64) throws(TablesError) {
    var (sorter, texts) = (WordSorter(), [TextSource]())
    for slot in 0..<Int(cut.texts) {
      let row = try open.index(of: SlotKey(slot))
      // None is missing: each slot was filled since the previous run was built.
      guard let text = open[row] else { continue }
      sorter.add(text, at: UInt16(slot))
      texts.append(text.place)
      open[row] = nil
    }
    for (word, row) in sorter.rows(byteCountMax: cut.wordByteCount) {
      words[try words.index(of: RunKey(run, lastWord: word))] = row
    }
    for (row, start) in stride(from: 0, to: texts.count, by: cut.sources).enumerated() {
      let end = min(start + cut.sources, texts.count)
      sources[try sources.index(of: RunKey(run, row: row))] = SourceChunk(texts[start..<end])
    }
  }
}

/// A sorter of the words of a run.
private struct WordSorter {
  private var words = ByteMap()
  /// The number of texts with each word, by word number, and the last of them.
  private var counts: [(texts: Int, last: UInt16)] = []
  /// The pairs of word and text, in the order of the texts.
  private var uses: [(word: Int32, slot: UInt16)] = []

  mutating func add(_ text: UnindexedText, at slot: UInt16) {
    text.forEachWord { word in
      add(word, at: slot)
      return true
    }
    for label in [TextLabel(text.place.key.channel), TextLabel(text.place.author)] {
      label.bytes.withUnsafeBytes { add($0, at: slot) }
    }
  }

  private mutating func add(_ word: UnsafeRawBufferPointer, at slot: UInt16) {
    let (number, isNew) = words.insert(word)
    if isNew {
      counts.append((1, slot))
    } else if counts[number].last != slot {
      counts[number] = (counts[number].texts + 1, slot)
    } else {
      return
    }
    uses.append((Int32(number), slot))
  }

  /// Returns all words with their slots, in rows.
  func rows(byteCountMax: Int) -> [(lastWord: [UInt8], row: WordChunk)] {
    var builder = WordChunkBuilder(byteCountMax: byteCountMax)
    let slots = slotsByWord
    for number in sorted {
      let range = slots.starts[number]..<slots.starts[number + 1]
      words.withKey(number) { builder.add($0, at: slots.all[range]) }
    }
    builder.endRow()
    return builder.rows
  }

  /// The slots of all words, grouped by word and sorted.
  private var slotsByWord: (all: [UInt16], starts: [Int]) {
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts.last! + count.texts) }
    var (all, next) = (Array(repeating: 0 as UInt16, count: uses.count), starts)
    for use in uses {
      all[next[Int(use.word)]] = use.slot
      next[Int(use.word)] += 1
    }
    return (all, starts)
  }

  /// The numbers of the words in byte order.
  private var sorted: [Int] {
    let keys = counts.indices.map { number in (beginning: words.withKey(number) { $0.firstEight }, number: number) }
    return keys.sorted { a, b in
      if a.beginning != b.beginning { return a.beginning < b.beginning }
      return words.withKey(a.number) { a in words.withKey(b.number) { a.lexicographicallyPrecedes($0) } }
    }.map(\.number)
  }
}

extension UnsafeRawBufferPointer {
  /// The first eight bytes as a number with the same order, padded with zeros.
  fileprivate var firstEight: UInt64 {
    var number: UInt64 = 0
    for index in 0..<8 { number = number << 8 | (index < count ? UInt64(self[index]) : 0) }
    return number
  }
}
