// Tests of round trips: encoded events are decoded unchanged, in every way of reading a log.
import Chat
import ChatCodec
import EventLog
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: Sample.all)
  func `a sample round-trips`(sample: Sample) throws {
    let stored = encode(sample.event)
    let subject = try #require(StreamSubject(name: stored.stream))
    let type = try #require(StoredType(name: stored.type))
    #expect(subject.name == stored.stream)
    #expect(type.name == stored.type)
    #expect(try decode(stored.payload.span.bytes, as: type, in: subject, sample.stamp) == sample.event)
  }

  @Test func `events are read back from a log, as copies and in their blocks`() throws {
    let store = store(at: Sample.all[0].stamp.at)
    _ = try store.appendBlocking(Sample.all.map { encode($0.event) })
    let recorded = try store.events(from: .first, .forward, limit: Sample.all.count)
    #expect(try recorded.map { try decode($0) } == Sample.all.map(\.event))
    var inPlace: [ChatEvent] = []
    try store.read { event in
      inPlace.append(try! decode(event))
      return .next
    }
    #expect(inPlace == Sample.all.map(\.event))
  }

  @Test func `an unpaired surrogate is stored as U+FFFD`() throws {
    let key = Draft.Key(by: "ada", in: "general")
    let edit = Edit(at: Timestamp(rawValue: 1), on: nil)
    let half = Composition(TypedText(units: [0x61, 0xD83D, 0x62]))
    let stored = encode(ChatEvent(.draft(key, .updated(half, edit)), Sample.all[0].stamp))
    let event = try decode(
      stored.payload.span.bytes, as: .shape(.draftUpdated1), in: .draft(key), Sample.all[0].stamp)
    #expect(event.change == .draft(key, .updated(Composition("a\u{FFFD}b"), edit)))
  }
}

@Suite struct `Events without a stored form` {
  @Test func `a range before the text traps`() async {
    await #expect(processExitsWith: .failure) {
      let start = UTF16Offset(rawValue: -1)
      _ = encode(ChatEvent(.composer(.example, .selectionMoved(start..<start)), .example))
    }
  }

  @Test func `a range beyond the maximum offset traps`() async {
    await #expect(processExitsWith: .failure) {
      let end = UTF16Offset(rawValue: Int(Int32.max) + 1)
      _ = encode(ChatEvent(.composer(.example, .selectionMoved(.start..<end)), .example))
    }
  }

  @Test func `extra values that are too deep trap`() async {
    await #expect(processExitsWith: .failure) {
      var deep = Extra()
      for _ in 0...Limits.storedDepthMax { deep = ["a": .fields(deep)] }
      _ = encode(ChatEvent(.composer(.example, .extraSet(deep)), .example))
    }
  }

  @Test func `an app's event of version 0 traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = encode(ChatEvent(.app(.app("a"), AppEvent("b", version: 0, payload: [])), .example))
    }
  }
}

extension Composer.Key {
  fileprivate static let example = Composer.Key(of: "ada", on: "phone", in: "general")
}

extension EventOrigin {
  fileprivate static let example = EventOrigin(by: .system, at: Timestamp(rawValue: 0))
}

extension Sample: CustomTestStringConvertible {
  var testDescription: String { fixture }
}

/// Returns a log in memory with a constant clock.
func store(at instant: Timestamp) -> EventStore {
  var configuration = EventStore.Configuration()
  let instant = instant
  configuration.clock = { instant }
  return EventStore.inMemory(
    genesis: Genesis(id: AppendID(high: 1, low: 2), created: instant), configuration: configuration)
}
