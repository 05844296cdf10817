// Content: encrypted, decrypted, erased, and refused where it does not belong.
import Digests
import EventLog
import Foundation
import SeededRandom
import Testing

@testable import ContentKeys

@Suite struct `Encrypted content` {
  @Test func `has the fields of the content alone, and comes back in its place`() async throws {
    let folder = try KeyFolder()
    let log = KeptLog(try folder.create())
    // Fields 1 (a number), 4 (text), 6 (text, twice), 9 (a number).
    let payload: [UInt8] = [8, 5, 0x22, 2, 65, 66, 0x32, 1, 67, 0x32, 1, 68, 0x48, 7]
    var event = ProposedEvent(stream: "channel/general", type: "t.1", payload: payload, actor: "ada")
    event.content = EventContent(fields: 1 << 4 | 1 << 6)
    try await log.append(event)
    #expect(try log.store.events(limit: 1)[0].payload == payload)
    let stored = try log.stored()[0]
    #expect(stored.payload == [8, 5, 0x48, 7])
    #expect(stored.encrypted.count == 1 + EnvelopeKey.tagByteCount + 10)
    // An event without any of these fields has nothing to encrypt.
    event.payload = [8, 5]
    try await log.append(event)
    #expect(try log.stored()[1].encrypted.isEmpty)
  }

  @Test func `is the same for a retried append, which is recognized`() async throws {
    let folder = try KeyFolder()
    let log = KeptLog(try folder.create())
    let id = AppendID.timeOrdered(at: Timestamp(rawValue: 1))
    let first = try await log.append(.said("one", by: "ada"), id: id)
    #expect(try await log.append(.said("one", by: "ada"), id: id) == first)
    await #expect(throws: AppendError.self) { try await log.append(.said("two", by: "ada"), id: id) }
    let intent = ProposalHash(rawValue: 77)
    let other = AppendID.timeOrdered(at: Timestamp(rawValue: 2))
    let proposed = try await log.store.append(Append([.said("x", by: "bo")], id: other, proposal: intent))
    #expect(try await log.store.append(Append([.said("y", by: "bo")], id: other, proposal: intent)) == proposed)
    await #expect(throws: AppendError.self) {
      try await log.store.append(Append([.said("x", by: "bo")], id: other, proposal: ProposalHash(rawValue: 78)))
    }
    // A reader of the log who guesses an intent cannot check the guess.
    #expect(try log.stored().last?.proposal != intent)
  }

  @Test func `of two people in one channel needs the keys of each`() async throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    let log = KeptLog(keys)
    try await log.append(.said("ada's", by: "ada"), .said("bo's", by: "bo"))
    try await log.append(.said("ada's, edited by bo", by: "bo", owner: .person("ada")))
    try await log.append(.said("the app's", by: nil), .said("the name", by: "ada", owner: .channel))
    try await log.append(.said("the app's, edited by bo", by: "bo", owner: .workspace))
    try await log.append(
      .said("profile", by: "ada", in: "user/ada"), .said("typed", by: "ada", in: "composer/ada/p/general"))
    keys.erasures.erase("ada", generations: 1, at: Position(rawValue: 9))
    let events = try log.store.events(limit: .max)
    #expect(
      events.map { $0.erasedBy == nil ? String(decoding: $0.payload, as: UTF8.self) : "erased" } == [
        "erased", "bo's", "erased", "the app's", "the name", "the app's, edited by bo", "erased", "erased",
      ])
    // What she writes from now on has new keys.
    try await log.append(.said("again", by: "ada"))
    #expect(try log.payloads().last == "again")
    #expect(try keys.destroyErased())
    #expect(try log.payloads().last == "again")
  }

  @Test func `that was typed before a day is erased alone`() async throws {
    let folder = try KeyFolder()
    let keys = try folder.create()
    let log = KeptLog(keys)
    for day in 0..<4 {
      for name in ["ada", "bo"] as [Name] {
        try await log.append(
          .said("typed \(day)", by: name, in: try Name("composer/\(name)/p/general")),
          .said("sent \(day)", by: name))
      }
      log.advance(days: 1)
    }
    let start = Day(of: try #require(try log.store.event(at: .first)).recorded)
    func day(_ offset: Int32) -> Day { Day(rawValue: start.rawValue + offset) }
    let all = try log.payloads()
    keys.erasures.eraseTyping(of: .person("ada"), before: day(2), at: Position(rawValue: 17))
    #expect(try keys.destroyErased())
    func left() throws -> [String] { try log.payloads().filter { !$0.isEmpty } }
    #expect(try left().count == all.count - 2)
    keys.erasures.eraseTyping(of: .workspace, before: day(3), at: Position(rawValue: 18))
    #expect(try keys.destroyErased())
    #expect(try left() == all.filter { !$0.hasPrefix("typed") || $0 == "typed 3" })
    // What is typed on an erased day, after a step of the clock, is kept under a later key.
    keys.erasures.eraseTyping(of: .workspace, before: day(90), at: Position(rawValue: 19))
    #expect(try keys.destroyErased())
    try await log.append(.said("typed later", by: "ada", in: "composer/ada/p/general"))
    log.store.log.content.cipher = {
      let opened = try? folder.open()
      opened?.erasures = keys.erasures
      return opened
    }()
    #expect(try left() == all.filter { $0.hasPrefix("sent") } + ["typed later"])
  }

  @Test func `is not stored without keys`() async throws {
    let log = KeptLog(nil)
    await #expect(throws: AppendError.self) { try await log.append(.said("one", by: "ada")) }
    #expect(try log.store.head().position == .zero)
    let plain = KeptLog(nil, isErasable: false)
    try await plain.append(.said("one", by: "ada"))
    #expect(try plain.payloads() == ["one"])
  }

  private enum Fault: CaseIterable {
    case none, flipped, truncated, lengthened, swapped, otherStream, otherAuthor, otherType, otherAppend, otherIndex
    case replayed, otherLog, erased, lostKeys, otherReadable
  }

  @Test func `is classified correctly in 10,000 seeded cases`() async throws {
    var random = SeededRandom.printingSeed()
    let folder = try KeyFolder()
    let keys = try folder.create()
    let log = KeptLog(keys)
    let (others, empty) = (try KeyFolder(), try KeyFolder())
    let strangers = KeptLog(try others.create())
    let people: [Name] = ["ada", "bo", "cy"]
    for number in 0..<60 {
      let event = Self.event(number, people[number % 3])
      try await log.append(event, Self.event(number + 1, people[number % 3]))
      try await strangers.append(event)
    }
    let (stored, foreign) = (try log.stored(), try strangers.stored())
    let lost = try empty.create()
    for number in 0..<10_000 {
      let place = random.below(stored.count)
      let fault = Fault.allCases[number % Fault.allCases.count]
      var event = Copied(stored[place], index: place % 2)
      var used = keys
      switch fault {
      case .none: break
      case .flipped:
        event.proposed.encrypted[random.below(event.proposed.encrypted.count)] ^= 1 << UInt8(random.below(8))
      case .truncated: event.proposed.encrypted.removeLast(1 + random.below(event.proposed.encrypted.count - 1))
      case .lengthened: event.proposed.encrypted.append(UInt8(random.below(256)))
      case .swapped:
        event.proposed.encrypted = stored[(place + 1 + random.below(stored.count - 1)) % stored.count].encrypted
      case .otherStream: event.proposed.stream = "channel/other"
      case .otherAuthor: event.proposed.actor = event.proposed.actor == "ada" ? "bo" : "ada"
      case .otherType: event.proposed.type = "said.2"
      case .otherAppend: event.append = .timeOrdered(at: Timestamp(rawValue: 5))
      case .otherIndex: event.index += 1
      case .replayed: event.append = stored[(place + 2) % stored.count].append
      case .otherLog: event.proposed.encrypted = foreign[place / 2].encrypted
      case .erased: break
      case .lostKeys: used = lost
      case .otherReadable: event.proposed.payload += [0x78, 1]
      }
      keys.erasures = Erasures()
      if fault == .erased {
        keys.erasures.erase(try #require(event.proposed.actor), generations: 1, at: Position(rawValue: 9))
      }
      let found = try event.classified(with: used)
      switch fault {
      case .none: #expect(found == .readable, "case \(number)")
      case .erased: #expect(found == .erased, "case \(number)")
      case .lostKeys: #expect(found == .keyMissing, "case \(number)")
      // The first bytes name the keys, so that some changes of them name keys that there are not.
      case .flipped, .truncated, .swapped, .otherStream, .otherAuthor, .otherLog:
        #expect([.changed, .keyMissing].contains(found), "case \(number): \(fault) is \(found)")
      default: #expect(found == .changed, "case \(number): \(fault) is \(found)")
      }
    }
  }

  private static func event(_ number: Int, _ person: Name) -> ProposedEvent {
    var event = ProposedEvent(
      stream: number % 4 == 0 ? "composer/x/y/general" : "channel/general", type: "said.1",
      payload: [8, UInt8(number), 0x12, 3] + Array("abc".utf8), actor: person)
    event.content = EventContent(fields: 1 << 2)
    return event
  }
}

private enum Found { case readable, erased, keyMissing, changed }

/// A stored event, copied to a log of its own.
private struct Copied {
  var proposed: ProposedEvent
  var append: AppendID
  var index: Int
  let recorded: Timestamp

  init(_ event: RecordedEvent, index: Int) {
    proposed = ProposedEvent(stream: event.stream, type: event.type, payload: event.payload, actor: event.actor)
    proposed.encrypted = event.encrypted
    (append, self.index, recorded) = (event.append, index, event.recorded)
  }

  func classified(with keys: ContentKeys) throws -> Found {
    let filler = ProposedEvent(stream: "a", type: "b", payload: [1])
    var block = CopiedBlock()
    let events = Array(repeating: filler, count: index) + [proposed]
    block.add(Append(events), append, versions: (1...events.count).map { StreamVersion(rawValue: UInt64($0)) })
    let genesis = Genesis(id: append, created: recorded, isErasable: true)
    let log = InMemoryLog(genesis: genesis)
    try block.withBlock(after: Head(of: genesis), at: recorded) { try log.append($0, after: Head(of: genesis)) }
    log.content.cipher = keys
    let report = try ContentReport(of: log)
    if report.readable == 1 { return .readable }
    if !report.erased.isEmpty { return .erased }
    if case .keyMissing = report.findings[0].defect { return .keyMissing }
    return .changed
  }
}
