// Threat: a row of the search is decoded as another one, finds texts without the word or misses texts with it, or
// damaged bytes are accepted as a row.
import Bytes
import Chat
import ChatSamples
import ChatProjections
import SeededRandom
import Tables
import Testing

struct `Stored rows of the search` {
  /// Returns a stored row of a random kind, with the function that decodes and encodes it again.
  private func sample(_ random: inout SeededRandom) -> StoredSample {
    switch random.below(4) {
    case 0: stored(TextNumber(1 + random.number()), [1])
    case 1: stored(UnindexedText(random.userText(), at: random.place()), [1])
    case 2: stored(SourceChunk((0...random.below(8)).map { _ in random.place() }), [1])
    default: storedChunk(random.chunk())
    }
  }

  private func storedChunk(_ sample: (words: [WordOfRun], chunk: WordChunk)) -> StoredSample {
    stored(sample.chunk, [0, 0, 0, 1] + sample.words.last!.word)
  }

  private func stored<Row: BinaryRow & Equatable>(_ row: Row, _ key: [UInt8]) -> StoredSample {
    let value = encoded(row)
    #expect(Row(decoding: value.span.bytes, of: key.span.bytes) == row)
    return StoredSample(name: "\(Row.self)", key: key, value: value) { [self] key, value in
      Row(decoding: value.span.bytes, of: key.span.bytes).map { (key, encoded($0)) }
    }
  }

  private func encoded(_ row: some BinaryRow) -> [UInt8] {
    var writer = ByteWriter()
    row.encode(into: &writer)
    return writer.array()
  }

  @Test func `a stored search row decodes to the same row`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<500 { _ = sample(&random) }
  }

  @Test func `damaged bytes are rejected, or are the encoding of another search row`() {
    var random = SeededRandom.printingSeed()
    var counts = (refused: 0, read: 0)
    for _ in 0..<1500 {
      let sample = sample(&random)
      for _ in 0..<8 {
        var value = sample.value
        random.damage(&value)
        if random.once(in: 6) { value = random.noise(random.below(60)) }
        if let other = sample.rewrite(sample.key, value) {
          counts.read += 1
          #expect(other.value == value, "\(sample.name), seed \(random.seed)")
        } else {
          counts.refused += 1
        }
      }
    }
    #expect(counts.read > 0 && counts.refused > 0, "\(counts)")
  }

  @Test func `a row of words is rejected under another key`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<200 {
      let (words, chunk) = random.chunk()
      let value = encoded(chunk)
      for key in [[0, 0, 0, 1], [], words[0].word, [0, 0, 0, 1] + words.last!.word + [0]] {
        #expect(WordChunk(decoding: value.span.bytes, of: key.span.bytes) == nil)
      }
    }
  }

  @Test(
    arguments: [
      ([0, 1, 0x61, 1, 5], true), ([0, 1, 0x61, 2, 5, 1], true), ([0, 1, 0x61, 3, 0xFF, 0xFF, 3], true),
      ([0, 1, 0x61, 0], false), ([0, 1, 0x61, 2, 5, 0], false), ([0, 1, 0x61, 3, 0x80, 0x80, 4], false),
      ([0, 1, 0x61, 4, 1, 0xFF, 0xFF, 3], false), ([1, 1, 0x61, 1, 5], false), ([0, 0, 1, 5], false),
      ([0, 1, 0x61, 10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], false), ([], false),
      ([0, 1, 0x62, 1, 5, 0, 1, 0x61, 1, 5], false), ([0, 1, 0x61, 1, 5, 0, 1, 0x61, 1, 5], false),
    ] as [([UInt8], Bool)])
  func `a row of words is rejected unless words and slots are in order`(bytes: [UInt8], isRow: Bool) {
    let key: [UInt8] = [0, 0, 0, 1, 0x61]
    #expect((WordChunk(decoding: bytes.span.bytes, of: key.span.bytes) != nil) == isRow)
  }

  @Test func `a row of sources returns each of its sources, and nil beyond them`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<200 {
      let places = (0...random.below(70)).map { _ in random.place() }
      let value = encoded(SourceChunk(places))
      let chunk = SourceChunk(decoding: value.span.bytes)
      #expect((-1...places.count).map { chunk?.source(at: $0) } == [nil] + places + [nil], "seed \(random.seed)")
    }
  }
}

struct `Words of a run` {
  @Test func `the words of a run with a prefix yield all their slots, across any number of rows`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<400 {
      let words = random.words()
      var builder = WordChunkBuilder(byteCountMax: random.pick([1, 10, 40, 4000]))
      for (word, slots) in words { word.withUnsafeBytes { builder.add($0, at: slots[...]) } }
      builder.endRow()
      #expect(builder.rows.last?.lastWord == words.last?.word)
      for _ in 0..<20 {
        let beginning = random.word()
        var expected = SlotSet(count: 200)
        for (word, slots) in words where word.starts(with: beginning) {
          for slot in slots { expected.insert(Int(slot)) }
        }
        var found = SlotSet(count: 200)
        for (last, row) in builder.rows where !last.lexicographicallyPrecedes(beginning) {
          if !row.insertSlots(ofWordsStartingWith: beginning, into: &found) { break }
        }
        #expect(found.slots == expected.slots, "\(beginning), seed \(random.seed)")
      }
    }
  }

  @Test func `slot sets list their slots in descending order, and intersect`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<300 {
      let count = 1 + random.below(300)
      let (one, other) = (random.slots(below: count), random.slots(below: count))
      var (a, b) = (SlotSet(count: UInt64(count)), SlotSet(count: UInt64(count)))
      for slot in one { a.insert(Int(slot)) }
      for slot in other { b.insert(Int(slot)) }
      #expect(a.slots == one.map { Int($0) }.reversed())
      a.formIntersection(b)
      #expect(a.slots == Set(one).intersection(other).map { Int($0) }.sorted(by: >))
    }
  }
}

/// A word with the slots of the texts that contain it.
private typealias WordOfRun = (word: [UInt8], slots: [UInt16])

extension SlotSet {
  /// The slots in descending order.
  fileprivate var slots: [Int] {
    var (slots, limit): ([Int], Int) = ([], .max)
    while let slot = slot(below: limit) {
      slots.append(slot)
      limit = slot
    }
    return slots
  }
}

extension SeededRandom {
  fileprivate mutating func place() -> TextSource {
    let (channels, authors): ([Channel.ID], [User.ID]) = (["a", "ab", "u", id()], ["u", "v", "ab", id()])
    let ids: [Message.ID] = ["m1", "m12", "m123", "m13", id()]
    return TextSource(
      key: Message.Key(pick(channels), pick(ids)), author: maybe { $0.pick(authors) }, isEdit: bool())
  }

  /// Returns a word of few letters, rarely as long as the kept length.
  fileprivate mutating func word() -> [UInt8] {
    (0...(once(in: 20) ? 39 : below(4))).map { _ in pick([0x61, 0x62, 0x63, 0xFF]) }
  }

  fileprivate mutating func slots(below limit: Int) -> [UInt16] {
    (0..<UInt16(limit)).filter { _ in below(4) == 0 }
  }

  /// Returns sorted words, each with slots.
  fileprivate mutating func words() -> [WordOfRun] {
    let words = Set((0...below(30)).map { _ in word() }).sorted { $0.lexicographicallyPrecedes($1) }
    return words.map { ($0, [UInt16(below(3))] + slots(below: 200).filter { $0 > 2 }) }
  }

  /// Returns words in one row.
  fileprivate mutating func chunk() -> (words: [WordOfRun], chunk: WordChunk) {
    let words = words()
    var builder = WordChunkBuilder(byteCountMax: 1 << 20)
    for (word, slots) in words { word.withUnsafeBytes { builder.add($0, at: slots[...]) } }
    builder.endRow()
    return (words, builder.rows[0].row)
  }
}
