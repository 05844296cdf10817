// Threat: a list of drafts repeats or misses one, or is out of order, in rare cases: many drafts at one instant, many
// deleted ones, and some replaced by earlier versions.
import Chat
import ChatCodec
import ChatSamples
import ChatProjections
import EventLog
import SeededRandom
import Testing
import Projections

@Suite struct `Lists of drafts` {
  private let scratch: Scratch
  private let store: EventStore
  private let projections: ProjectionStore

  init() throws {
    scratch = try Scratch()
    store = try scratch.log(inMemory: true)
    projections = try scratch.projections(store)
  }

  private func reference() throws -> Reference {
    var reference = Reference()
    for event in try store.events(from: .first, limit: .max) { reference.fold(try decode(event), at: event.position) }
    return reference
  }

  @Test func `a list of drafts is in the requested order, for any saves and deletes at any instants`() throws {
    var random = SeededRandom.printingSeed()
    for round in 0..<40 {
      // Blocks of several events at one instant make many drafts saved at once.
      scratch.clock.instantOfHistory = Timestamp(rawValue: Int64(round / 3))
      try store.append(
        (0..<40).map { _ in ChatEvent(random.draftChange(), EventOrigin(by: .system, at: Timestamp(rawValue: 0))) })
      var asking = Asking(random, try reference(), "seed \(random.seed), round \(round)")
      try projections.read { reading throws(ProjectionError) in
        #expect(try reading.chat.draftDefects() == [], "seed \(random.seed)")
        for _ in 0..<6 {
          let standing = asking.random.standing(asking.reference.drafts)
          try asking.askForDrafts(of: asking.random.pick(DraftTown.users), standing: standing, reading.chat)
        }
      }
      random = asking.random
    }
  }

  @Test func `another user's cursor continues a list at the same sort position as the user's own`() throws {
    for user in ["ada", "bob"] as [User.ID] {
      try store.append(
        (0..<5).map { number in
          let key = Draft.Key(by: user, in: ID(stringLiteral: "c\(number)"))
          let event = Draft.Event.updated(Composition("hello"), Edit(at: Timestamp(rawValue: 0), on: nil))
          return ChatEvent(.draft(key, event), EventOrigin(by: .system, at: Timestamp(rawValue: 0)))
        })
    }
    let channels = try projections.read { reading throws(ProjectionError) in
      let next = try reading.chat.drafts(of: "bob", sorting: [], limit: 2).next
      return try reading.chat.drafts(of: "ada", sorting: [], after: next, limit: 9).drafts.map(\.key.channel)
    }
    #expect(channels == ["c2", "c3", "c4"])
  }

  @Test func `a draft cursor keeps the position of the first page from page to page`() throws {
    func save(_ channels: [Channel.ID]) throws {
      try store.append(
        channels.map { channel in
          let event = Draft.Event.updated(Composition("hello"), Edit(at: Timestamp(rawValue: 0), on: nil))
          return ChatEvent(
            .draft(Draft.Key(by: "ada", in: channel), event), EventOrigin(by: .system, at: Timestamp(rawValue: 0)))
        })
    }
    func page(after cursor: DraftCursor?) throws -> DraftCursor? {
      try projections.read { reading throws(ProjectionError) in
        try reading.chat.drafts(of: "ada", sorting: [], after: cursor, limit: 1).next
      }
    }
    try save(["a", "b", "c"])
    let first = try page(after: nil)
    try save(["d"])
    let second = try page(after: first)
    #expect(first?.position == Position(rawValue: 3) && second?.position == Position(rawValue: 3))
  }
}

extension SeededRandom {
  /// Returns the key of a draft for one of a few targets, to save or to delete.
  fileprivate mutating func draftKey() -> Draft.Key {
    let channels: [Channel.ID] = ["c", "c-a", "c1", "d", "e"]
    let threads: [Message.ID?] = [nil, nil, "m", "m1", "m-1", "n"]
    return Draft.Key(by: pick(DraftTown.users), in: pick(channels), thread: pick(threads))
  }

  fileprivate mutating func draftChange() -> ChatEvent.Change {
    let edit = Edit(at: Timestamp(rawValue: Int64(below(9))), on: nil)
    switch below(5) {
    case 0...1: return .draft(draftKey(), .deleted(pick(Draft.DeletionReason.allCases), edit))
    case 2: return .draft(draftKey(), .superseded(nil, edit))
    default: return .draft(draftKey(), .updated(Composition(TypedText("hello \(below(9))")), edit))
    }
  }

  /// Returns some drafts as earlier versions: present, absent, or saved at other instants.
  fileprivate mutating func standing(_ drafts: [Draft]) -> [Draft.Key: Draft?] {
    var standing: [Draft.Key: Draft?] = [:]
    for _ in 0..<pick([0, 1, below(12)]) {
      let key = bool() ? draftKey() : pick(drafts).key
      var other = pick(drafts)
      if other.key != key { other = drafts.first { $0.key == key } ?? other }
      guard other.key == key, !once(in: 3) else {
        standing.updateValue(nil, forKey: key)
        continue
      }
      other.content = once(in: 4) ? nil : Composition("as it stood")
      (other.created, other.updated) = (pick(drafts).created, pick(drafts).updated)
      standing.updateValue(other, forKey: key)
    }
    return standing
  }
}
