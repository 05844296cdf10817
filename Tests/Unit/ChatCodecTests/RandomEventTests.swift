// Tests of random events and random damage: events round-trip, and damaged ones are refused or canonical.
import Bytes
import Chat
import ChatCodec
import ChatSamples
import EventLog
import SeededRandom
import Testing

struct `Random events` {
  @Test func `an event of every kind round-trips, and is encoded to the same bytes again`() throws {
    var random = SeededRandom.printingSeed()
    for event in random.events(ofEach: 60) {
      let stored = Stored(event)
      let decoded = try stored.decode()
      #expect(decoded == event)
      #expect(Stored(decoded) == stored)
    }
  }

  @Test func `an event with any failure round-trips, and is encoded to the same bytes again`() throws {
    var random = SeededRandom.printingSeed()
    for _ in 0..<500 {
      let failure = random.failure()
      var content = random.composition()
      content.attachments.append(ComposedAttachment(random.attachment(), .failed(failure)))
      let key = Composer.Key(of: "ada", on: "phone", in: "general")
      let events: [Composer.Event] = [
        .sendRefused(failure), .commandFailed("e1", failure), .uploadFailed("a1", failure),
        .attached(ComposedAttachment(random.attachment(), .failed(failure))), .filled(content, selection: 0..<0),
        .editBegan("m1", content), .sent("m1", keeping: content), .cleared(keeping: content),
      ]
      let edit = Edit(at: Timestamp(rawValue: 1), on: nil)
      let drafts: [Draft.Event] = [.updated(content, edit), .superseded(content, edit)]
      let changes = events.map { ChatEvent.Change.composer(key, $0) } + drafts.map { .draft(key.draft, $0) }
      for change in changes {
        let event = ChatEvent(change, EventOrigin(by: .system, at: Timestamp(rawValue: 1)))
        let stored = Stored(event)
        let decoded = try stored.decode()
        #expect(decoded == event)
        #expect(Stored(decoded) == stored)
      }
    }
  }

  @Test func `the events of a random history round-trip, and fold to the same state`() throws {
    var history = History(SeededRandom.printingSeed())
    for _ in 0..<10_000 { history.step() }
    var state = InMemoryChatState(rules: history.state.rules)
    for event in history.events {
      let decoded = try Stored(event).decode()
      #expect(decoded == event)
      fold(decoded, into: &state)
    }
    #expect(state == history.state)
  }

  @Test func `the type and the stream of a stored event are found by their names`() throws {
    var random = SeededRandom.printingSeed()
    for event in random.events(ofEach: 10) {
      let (stored, proposed) = (Stored(event), encode(event))
      #expect(proposed.payload == stored.payload)
      #expect(proposed.type == stored.type.name)
      #expect(StreamSubject(name: proposed.stream) == stored.subject)
      #expect(StoredType(name: proposed.type) == stored.type)
    }
  }

  @Test func `a damaged payload is refused, or canonical for another event`() {
    var random = SeededRandom.printingSeed()
    var counts = (refused: 0, read: 0)
    for event in random.events(ofEach: 40) {
      var stored = Stored(event)
      let sound = stored.payload
      for _ in 0..<25 {
        stored.payload = sound
        for _ in 0...random.below(3) { random.damage(&stored.payload) }
        if let other = try? stored.decode() {
          counts.read += 1
          #expect(Stored(other).payload == stored.payload, "read as \(other)")
        } else {
          counts.refused += 1
        }
      }
    }
    #expect(counts.read > 0 && counts.refused > 0, "\(counts)")
  }

  @Test func `a payload of another type or stream is refused, or canonical for another event`() {
    var random = SeededRandom.printingSeed()
    let events = random.events(ofEach: 8)
    for event in events {
      var stored = Stored(event)
      let (type, subject) = (Stored(random.pick(events)).type, Stored(random.pick(events)).subject)
      if random.bool() { stored.type = type } else { stored.subject = subject }
      guard let other = try? stored.decode() else { continue }
      #expect(Stored(other) == stored, "read as \(other)")
    }
  }
}

struct `Found by fuzzing` {
  /// What broke: four bytes can encode more units than the maximum offset: such a mention was decoded, and encoding it
  /// again ended the process.
  @Test func `a picked mention has no more units than a text can have`() throws {
    let key = Composer.Key(of: "u", on: "d", in: "c")
    var stored = Stored(
      ChatEvent(
        .composer(key, .mentionPicked("bob", Splice(3..<6, to: "@Bob "), length: Int(Int32.max))),
        EventOrigin(by: .system, at: Timestamp(rawValue: 0))))
    #expect(Stored(try stored.decode()) == stored)
    // The last byte of the count: from 2^31 - 1 to 2^31 and more.
    stored.payload[stored.payload.count - 1] = 0x0F
    let error = #expect(throws: UnreadableEvent.self) { try stored.decode() }
    #expect(error?.defect == .payload(PayloadDefect(.range, field: 3)))
  }
}

/// The stored form of an event.
private struct Stored: Equatable {
  var type: StoredType
  var subject: StreamSubject
  var payload: [UInt8]
  let stamp: EventOrigin

  init(_ event: ChatEvent) {
    var writer = ByteWriter()
    type = encode(event.change, into: &writer)
    (subject, payload, stamp) = (StreamSubject(of: event.change), writer.array(), event.origin)
  }

  func decode() throws -> ChatEvent {
    try ChatCodec.decode(payload.span.bytes, as: type, in: subject, stamp)
  }
}

extension SeededRandom {
  /// Damages bytes by flipping, truncating, inserting, repeating or replacing.
  mutating func damage(_ bytes: inout [UInt8]) {
    let place = below(bytes.count + 1)
    let end = min(bytes.count, place + below(5))
    switch below(6) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 1 where place < bytes.count: bytes[place] = pick([0, 1, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: next())])
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.removeSubrange(place...)
    case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
    default: bytes.insert(contentsOf: noise(1 + below(4)), at: place)
    }
  }
}
