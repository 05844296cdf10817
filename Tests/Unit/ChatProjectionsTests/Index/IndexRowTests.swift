// Threat: a field of a row is not stored, so that no digest covers it; or damaged bytes are accepted as a row.
import Bytes
import Chat
import ChatSamples
import EventLog
import SeededRandom
import Tables
import Testing

@testable import ChatProjections

struct `Stored rows of the index and the search` {
  /// The kinds of rows, each built from parts.
  private let kinds: [(inout RowParts) -> IndexSample] = [
    { IndexSample(Entry(MembershipKey($0.id(), $0.id())), \.key) },
    { IndexSample(Entry(ActivityKey($0.id(), $0.instant(), $0.id())), \.key) },
    { parts in
      let key = NameKey(parts.part { $0.pick([.id, .word]) }, parts.name(), of: parts.id())
      return IndexSample(NameEntry(key, name: parts.name()), \.key)
    },
    { IndexSample(NameEntry(NameKey(.name, $0.name(), of: $0.id()), name: [1]), \.key) },
    { IndexSample(TimelineEntry(TimelineKey($0.id(), $0.number()), $0.id(), since: $0.position()), \.key) },
    { IndexSample(TimelineEntry(ReplyKey($0.message(), $0.number()), $0.id(), since: $0.position()), \.key) },
    { parts in
      var row = Participation(ThreadKey(parts.id(), parts.message()))
      (row.replies, row.isParentAuthor) = (parts.part { $0.number32() }, parts.flag())
      return IndexSample(row, \.key)
    },
    { IndexSample(Entry(PinKey($0.message(), $0.instant())), \.key) },
    { IndexSample(ConcernEntry(ConcernKey($0.id(), TimelineKey($0.id(), $0.number())), $0.id()), \.key) },
    { IndexSample(Entry(MentionTimeKey($0.id(), $0.instant(), $0.message())), \.key) },
    { IndexSample(countable(&$0), \.key) },
    { IndexSample(LastMessageTime($0.id(), at: $0.instant(), falls: [$0.number(), $0.number()]), \.channel) },
    { IndexSample(Entry(BiographyKey($0.message(), $0.position().rawValue)), \.key) },
    { IndexSample(Entry(ComposingKey($0.composer())), \.key) },
    { IndexSample(Entry(DraftTargetKey($0.draft())), \.key) },
    { IndexSample(ListedDraft($0.draftPlace(), in: $0.part { $0.pick(DraftList.allCases) }), \.key) },
    { IndexSample(commandRun(&$0), \.rowKey) },
    { IndexSample(RunningCommand($0.composer(), since: $0.position()), \.key) },
    { IndexSample(TextNumber($0.part { max(1, $0.number()) }), under: Array("texts".utf8)) },
    { IndexSample(TextNumber($0.part { max(1, $0.number()) }), under: $0.message()) },
    { parts in
      let slot = SlotKey(parts.part { $0.below(4096) })
      return IndexSample(
        UnindexedText(parts.part { UserText($0.letters() + " " + $0.letters()) }, at: place(&parts)), under: slot)
    },
    { parts in
      let key = RunKey(UInt64(parts.part { $0.number32() }), row: parts.part { $0.below(64) })
      return IndexSample(SourceChunk((0..<3).map { _ in place(&parts) }), under: key)
    },
    { words(&$0) },
  ]

  @Test func `a stored index row decodes to the same row`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<150 {
      for kind in kinds {
        var parts = RowParts(seed: random.next())
        let sample = kind(&parts)
        let read = sample.read(sample.key, sample.value)
        #expect(read == sample, "seed \(random.seed)")
        #expect((1...511).contains(sample.key.count), "\(sample.row)")
      }
    }
  }

  @Test func `the stored form of an index row changes with each of its fields`() {
    var random = SeededRandom.printingSeed()
    for _ in 0..<60 {
      for kind in kinds {
        let seed = random.next()
        var parts = RowParts(seed: seed)
        let sample = kind(&parts)
        #expect(parts.count > 0)
        for number in 0..<parts.count {
          var changed = RowParts(seed: seed, changing: number)
          let other = kind(&changed)
          #expect(
            other.key != sample.key || other.value != sample.value,
            "\(sample.row) and \(other.row), part \(number), seed \(random.seed)")
        }
      }
    }
  }

  /// What broke: with the value of another row, a row by a whole name was read, and the value was ignored.
  @Test func `a row by a whole name has the name in its key alone`() {
    var count = 0
    for seed in 0..<100 {
      for kind in kinds {
        var parts = RowParts(seed: UInt64(seed))
        let sample = kind(&parts)
        guard "\(sample.row)".contains("NameEntry"), "\(sample.row)".contains("NameKind.name,") else { continue }
        #expect(sample.read(sample.key, [0x0A, 1, UInt8(ascii: "a")]) == nil)
        count += 1
      }
    }
    #expect(count > 0)
  }

  @Test func `damaged bytes are rejected, or are the encoding of another index row`() {
    var random = SeededRandom.printingSeed()
    var counts = (refused: 0, read: 0)
    for _ in 0..<80 {
      for kind in kinds {
        var parts = RowParts(seed: random.next())
        let sample = kind(&parts)
        for _ in 0..<12 {
          var (key, value) = (sample.key, sample.value)
          if sample.readsKey, random.once(in: 3) { random.damage(&key) } else { random.damage(&value) }
          if let other = sample.read(key, value) {
            counts.read += 1
            #expect(other.key == key && other.value == value, "\(sample.row), \(other.row), seed \(random.seed)")
          } else {
            counts.refused += 1
          }
        }
        _ = sample.read(sample.key, random.noise(random.below(60)))
        _ = sample.read(random.noise(random.below(60)), sample.value)
        _ = sample.read([], [])
      }
    }
    #expect(counts.read > 100 && counts.refused > 100, "\(counts)")
  }
}

/// A stored row, and the function that reads one.
private struct IndexSample: Equatable {
  /// The description of all fields of the row.
  let row: String
  let key: [UInt8]
  let value: [UInt8]
  /// Whether the row holds its key.
  let readsKey: Bool
  let read: (_ key: [UInt8], _ value: [UInt8]) -> IndexSample?

  /// Creates a sample of a row that holds its key.
  init<Row: BinaryRow, Key: TableKey>(_ row: Row, _ keyOf: @escaping @Sendable (Row) -> Key) {
    self.row = String(reflecting: row)
    (key, value, readsKey) = (keyOf(row).withKeyBytes { Array($0) }, encoded(row), true)
    read = { key, value in
      Row(decoding: value.span.bytes, of: key.span.bytes).map { IndexSample($0, keyOf) }
    }
  }

  /// Creates a sample of a row under a key that it does not hold.
  init<Row: BinaryRow>(_ row: Row, under key: some TableKey) {
    self.init(row, of: key.withKeyBytes { Array($0) })
  }

  private init<Row: BinaryRow>(_ row: Row, of key: [UInt8]) {
    self.row = String(reflecting: row)
    (self.key, value, readsKey) = (key, encoded(row), false)
    read = { key, value in
      Row(decoding: value.span.bytes, of: key.span.bytes).map { IndexSample($0, of: key) }
    }
  }

  static func == (a: IndexSample, b: IndexSample) -> Bool {
    a.row == b.row && a.key == b.key && a.value == b.value
  }
}

private func encoded(_ row: some BinaryRow) -> [UInt8] {
  var writer = ByteWriter()
  row.encode(into: &writer)
  return writer.array()
}

// MARK: Rows with many parts

private func countable(_ parts: inout RowParts) -> UnreadBits {
  var row = UnreadBits(UnreadBitsKey(parts.id(), by: parts.optionalID(), parts.position().rawValue))
  for word in 0..<8 as Range<UInt64> {
    let bits = parts.part { $0.bool() ? $0.number() : 1 << UInt64($0.below(64)) }
    for bit in 0..<64 as Range<UInt64> where bits >> bit & 1 == 1 {
      row[Message.Number(rawValue: word * 64 + bit)] = true
    }
  }
  return row
}

private func commandRun(_ parts: inout RowParts) -> CommandRun {
  let command = ComposedCommand(parts.id(), target: parts.optionalID())
  let execution = CommandExecution(parts.id(), of: command, arguments: parts.part { $0.userText() })
  var run = CommandRun(execution, in: parts.composer(), began: parts.instant(), at: parts.position())
  if parts.flag() {
    let outcome = parts.part { random in
      let failure = random.failure()
      return random.pick(
        [.executed, .interrupted, .failed(.text("")), .failed(failure)] as [CommandRun.Outcome])
    }
    run.end = CommandRun.End(outcome, at: parts.instant())
  }
  return run
}

extension CommandRun {
  fileprivate var rowKey: CommandKey { CommandKey(composer.user, position) }
}

extension RowParts {
  fileprivate mutating func draft() -> Draft.Key { Draft.Key(by: id(), in: id(), thread: optionalID()) }

  fileprivate mutating func draftPlace() -> DraftSortPosition {
    DraftSortPosition(draft(), created: instant(), updated: instant())
  }
}

private func place(_ parts: inout RowParts) -> TextSource {
  TextSource(key: parts.message(), author: parts.optionalID(), isEdit: parts.flag())
}

/// Returns words that keep their order whatever follows their first letters.
private func words(_ parts: inout RowParts) -> IndexSample {
  var builder = WordChunkBuilder(byteCountMax: 1 << 20)
  for first in ["a", "b", "c"] {
    let slots = parts.part { random in
      [UInt16(random.below(4))] + (4..<60).filter { _ in random.once(in: 4) }
    }
    Array((first + parts.part { $0.letters() }).utf8).withUnsafeBytes { builder.add($0, at: slots[...]) }
  }
  builder.endRow()
  let (lastWord, row) = builder.rows[0]
  return IndexSample(row, under: RunKey(UInt64(parts.part { $0.number32() }), lastWord: lastWord))
}

extension SeededRandom {
  fileprivate mutating func letters() -> String { (0...below(12)).map { _ in pick(["a", "b", "c"]) }.joined() }
}
