// Threat: the line of a channel or a thread shows something of lower priority than it should.
import Chat
import ChatProjections
import EventLog
import Testing
import Projections

/// The parts that a line can show, by priority.
private enum Part: Int, CaseIterable, Comparable {
  case failed, draft, typing, message

  static func < (a: Part, b: Part) -> Bool { a.rawValue < b.rawValue }
}

/// All combinations of parts.
private let someParts = (0..<16).map { bits in Part.allCases.filter { bits >> $0.rawValue & 1 == 1 } }

@Suite struct `The line of a channel` {
  private let house: ListedHouse

  init() throws { house = try ListedHouse() }

  /// Makes parts happen; the first message, by Ada, cannot be delivered, the last one is by Bob.
  private func happens(_ parts: [Part]) throws {
    for part in parts {
      switch part {
      case .failed:
        try house.says("m1", by: "ada")
        try house.fails("m1")
      case .draft: try house.saves(Composition("later"), to: nil)
      case .typing: try house.types("bob", to: nil)
      case .message: try house.says("m2", by: "bob")
      }
    }
  }

  private func line(at seconds: Int64 = 1) throws -> ItemLine? { try house.channels(at: seconds).first?.line }

  @Test(arguments: someParts)
  private func `the line of a channel is its part of highest priority`(parts: [Part]) throws {
    try happens(parts)
    func words(_ parts: [Part]) -> String {
      switch parts.min() {
      case .failed: "failed m1"
      case .draft: "draft later"
      case .typing: "typing bob"
      case .message: "message m2"
      case nil: "nothing"
      }
    }
    let line = try line()
    #expect(line?.words == words(parts))
    // A read mark is shown beside a message only.
    #expect(line?.showsReadMark == (parts == [.message]))
    // Typing expires, and the part of next priority is shown.
    #expect(try self.line(at: 7)?.words == words(parts.filter { $0 != .typing }))
  }

  @Test(arguments: someParts.filter { $0.contains(.message) })
  private func `the line of a channel is a placeholder where its message is deleted`(parts: [Part]) throws {
    try happens(parts)
    try house.happens(to: "m2", .deleted(forGood: false))
    let line = try line()
    #expect((line?.words == "deleted m2") == (parts == [.message]))
    #expect(line?.showsReadMark == false)
  }

  @Test func `the line of a channel is its newest message, deleted or not, that is not deleted for good`() throws {
    try house.says("m1", by: "bob")
    try house.says("m2", by: "bob")
    try house.happens(to: "m1", .deleted(forGood: false))
    #expect(try line()?.words == "message m2")
    try house.happens(to: "m2", .deleted(forGood: false))
    #expect(try line()?.words == "deleted m2")
    try house.happens(to: "m2", .deleted(forGood: true))
    #expect(try line()?.words == "deleted m1")
    try house.happens(to: "m1", .restored)
    #expect(try line()?.words == "message m1")
    try house.happens(to: "m1", .deleted(forGood: true))
    #expect(try line()?.words == "nothing")
  }

  @Test func `the line of a channel has the other users typing there, sorted by id, for seven seconds`() throws {
    try house.says("m1", by: "ada")
    try house.types("bob", to: nil)
    try house.types("bob", on: "phone", to: nil, at: 1)
    try house.types("cleo", to: nil, at: 2)
    try house.types("ada", to: nil)
    #expect(try line(at: 2)?.words == "typing bob cleo")
    #expect(try line(at: 8)?.words == "typing cleo")
    #expect(try line(at: 9)?.words == "message m1")
    try house.types("bob", to: "m1", at: 10)
    #expect(try line(at: 11)?.words == "message m1")
  }
}

@Suite struct `The line of a thread` {
  private let house: ListedHouse

  init() throws {
    house = try ListedHouse()
    try house.says("p", by: "ada")
    try house.says("r", by: "bob", to: "p")
  }

  private func line(at seconds: Int64 = 1) throws -> ItemLine? { try house.threads(at: seconds).first?.line }

  @Test(arguments: someParts)
  private func `the line of a thread is its part of highest priority`(parts: [Part]) throws {
    for part in parts {
      switch part {
      case .failed:
        try house.says("m1", by: "ada", to: "p")
        try house.fails("m1")
      case .draft: try house.saves(Composition("later"), to: "p")
      case .typing: try house.types("bob", to: "p")
      case .message: try house.says("m2", by: "bob", to: "p")
      }
    }
    let expected =
      switch parts.min() {
      case .failed: "failed m1"
      case .draft: "draft later"
      case .typing: "typing bob"
      case .message: "message m2"
      case nil: "message r"
      }
    let line = try line()
    #expect(line?.words == expected)
    #expect(line?.showsReadMark == (parts == [.message] || parts.isEmpty))
    #expect(try house.channels().map(\.line.words) == ["message p"])
  }

  @Test func `the line of a thread is its newest present reply, and a placeholder for a deleted one`() throws {
    try house.says("m2", by: "bob", to: "p")
    try house.happens(to: "m2", .deleted(forGood: false))
    let item = try #require(try house.threads().first)
    #expect(item.line.words == "message r")
    // A thread without present replies is in no list, and yet an item can be made of it.
    var reply = item.newest
    reply.presence = .deleted(EventOrigin(by: .system, at: house.instant(0)))
    let line = ThreadItem(parent: item.parent, newest: reply, ownReplyCount: 0).line
    #expect(line == .deleted(reply) && !line.showsReadMark)
  }

  @Test func `the line of a thread has the other users typing in it, not elsewhere, for seven seconds`()
    throws
  {
    try house.says("q", by: "bob")
    try house.types("bob", to: "p")
    try house.types("cleo", to: "p", at: 1)
    try house.types("ada", to: "p")
    #expect(try line()?.words == "typing bob cleo")
    #expect(try line(at: 7)?.words == "typing cleo")
    #expect(try line(at: 8)?.words == "message r")
    try house.types("bob", to: nil, at: 9)
    try house.types("bob", to: "q", at: 9)
    #expect(try line(at: 10)?.words == "message r")
  }
}
