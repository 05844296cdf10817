// Threat: a log that was rewritten with all its hashes passes as the sealed one, or the wrong block is named first.
import Digests
import SeededRandom
import Testing

@testable import EventLog

@Suite struct `Seals of a log` {
  private static let genesis = Genesis(id: AppendID(high: 1, low: 2), created: Timestamp(rawValue: 1_000))

  /// Returns a log with blocks of one to three events; that of `changed` has another payload.
  private func log(_ sizes: [Int], changed: Int? = nil) throws -> any Log {
    var configuration = EventStore.Configuration()
    configuration.clock = { Timestamp(rawValue: 2_000) }
    let store = EventStore.inMemory(genesis: Self.genesis, configuration: configuration)
    for (number, size) in sizes.enumerated() {
      let payload: [UInt8] = [UInt8(truncatingIfNeeded: number), number == changed ? 1 : 0]
      let events = (0..<size).map { _ in ProposedEvent(stream: "a", type: "said", payload: payload) }
      _ = try store.appendBlocking(Append(events, id: AppendID(high: 7, low: UInt64(number))))
    }
    return store.log
  }

  private struct Sealed {
    var seals: [Seal] = []
    var lists: [Seal: SealedBlocks] = [:]
  }

  private func head(of seal: Seal?, in log: any Log) throws -> Head {
    try seal.flatMap { try log.head(of: $0) } ?? Head(of: Self.genesis)
  }

  /// Seals a log after some of its blocks.
  private func seal(_ sizes: [Int], after counts: [Int]) throws -> Sealed {
    var sealed = Sealed()
    for count in counts {
      let log = try log(Array(sizes[..<count]))
      let (seal, list) = try #require(
        try log.unsignedSeal(after: head(of: sealed.seals.last, in: log), at: Timestamp(rawValue: Int64(count))))
      sealed.seals.append(seal)
      sealed.lists[seal] = list
    }
    return sealed
  }

  @Test func `agree with the log and with all that was appended since`() throws {
    let sizes = [1, 3, 2, 1, 1, 2]
    let sealed = try seal(sizes, after: [1, 4, 5])
    let log = try log(sizes)
    #expect(try log.difference(from: sealed.seals) { sealed.lists[$0] } == nil)
    #expect(sealed.seals.map(\.position.rawValue) == [1, 7, 8])
    #expect(sealed.seals.map(\.previousPosition.rawValue) == [0, 1, 7])
    let next = try log.unsignedSeal(after: head(of: sealed.seals[2], in: log), at: Timestamp(rawValue: 9))
    #expect(next?.0.position.rawValue == 10)
    #expect(try log.unsignedSeal(after: log.head(), at: Timestamp(rawValue: 9)) == nil)
  }

  @Test func `name the first block that was rewritten`() throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<200 {
      let sizes = (0..<1 + random.below(30)).map { _ in 1 + random.below(3) }
      let counts = Set((0..<1 + random.below(4)).map { _ in 1 + random.below(sizes.count) }).sorted()
      let sealed = try seal(sizes, after: counts)
      let changed = random.below(sizes.count)
      let log = try log(sizes, changed: changed)
      let first = UInt64(sizes[..<changed].reduce(0, +))
      let seal = zip(counts, sealed.seals).first { $0.0 > changed }?.1
      let shuffled = sealed.seals.shuffled(using: &random)
      let difference = try log.difference(from: shuffled) { sealed.lists[$0] }
      guard let seal else {
        #expect(difference == nil)
        continue
      }
      #expect(difference?.seal == seal)
      #expect(difference?.agreed.rawValue == first)
      let events = Position(rawValue: first + 1)...Position(rawValue: first + UInt64(sizes[changed]))
      #expect(difference?.events == events)
      #expect(difference?.isExact == true)
      // Without the lists, only the seals around it are known.
      let bounds = try log.difference(from: sealed.seals) { _ in nil }
      #expect(bounds?.isExact == false)
      #expect(bounds?.events?.contains(events.lowerBound) == true)
      #expect(bounds?.events?.upperBound == seal.position)
    }
  }

  @Test func `show where a log was cut off`() throws {
    let sizes = [1, 3, 2, 1, 1, 2]
    let sealed = try seal(sizes, after: [2, 6])
    let short = try log(Array(sizes[..<4]))
    let difference = try short.difference(from: sealed.seals) { sealed.lists[$0] }
    #expect(difference?.agreed.rawValue == 7)
    #expect(difference?.events == nil)
    #expect(
      difference?.description == """
        The log ends at position 7, and events up to position 10 were sealed on 1970-01-01T00:00:00.000006Z: its last \
        events are missing.
        """)
    let empty = try log([])
    #expect(try empty.difference(from: sealed.seals) { sealed.lists[$0] }?.agreed == .zero)
  }

  @Test func `are read as they were written, and not otherwise`() throws {
    let key = try #require(SigningKey(named: "a.example"))
    let sealed = try seal([1, 3, 2], after: [1, 3])
    for unsigned in sealed.seals {
      var seal = unsigned
      seal.sign(with: key)
      #expect(Seal("\(seal)") == seal)
      let list = try #require(sealed.lists[unsigned])
      #expect(SealedBlocks("\(list)") == list)
      #expect(list.hash == seal.listHash)
      for (old, new) in [
        ("position ", "position 0"), ("position ", "position +"), ("hash ", "hash 0"), ("\ntime ", "\ntime  "),
        ("log ", "LOG "), ("verbatim", "Verbatim"), ("previous-position ", "previous-position 9"),
      ] {
        let text = String("\(seal)".prefix { $0 != "—" }.dropLast())
        var note = try #require(SignedNote(text.replacing(old, with: new)))
        note.sign(with: key)
        #expect(Seal("\(note)") == nil, "\(note)")
      }
    }
    for text in [
      "x", "1\n", "1 0123456789abcdef", "1 0123456789ABCDEF\n", "1 123456789abcdef\n", "01 0123456789abcdef\n",
    ] {
      #expect(SealedBlocks(text) == nil)
    }
    #expect(SealedBlocks("2 0123456789abcdef\n1 0123456789abcdef\n") == nil)
  }
}
