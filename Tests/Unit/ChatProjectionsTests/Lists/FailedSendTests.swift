// Threat: the failed message of a list item is missing, outdated, or another user's.
import Chat
import ChatProjections
import EventLog
import Testing
import Projections

@Suite struct `Failed messages in lists` {
  private let house: ListedHouse

  init() throws { house = try ListedHouse() }

  /// Returns the failed messages of the channel's item and of the thread's item.
  private func failed() throws -> [Message.ID?] {
    [try house.channels().first?.failed?.key.id, try house.threads().first?.failed?.key.id]
  }

  @Test func `a failed message is listed until it is delivered, retried or deleted, whatever others send`() throws {
    try house.says("m1", by: "ada")
    #expect(try failed() == [nil, nil])
    try house.fails("m1")
    try house.says("m2", by: "bob")
    #expect(try failed() == ["m1", nil])
    try house.happens(to: "m1", .retried)
    #expect(try failed() == [nil, nil])
    try house.fails("m1")
    try house.fails("m1")
    #expect(try failed() == ["m1", nil])
    try house.happens(to: "m1", .edited(Message.Edits(text: "other")))
    #expect(try house.channels().first?.failed?.content.text == "other")
    try house.happens(to: "m1", .deleted(forGood: false))
    #expect(try failed() == [nil, nil])
    try house.happens(to: "m1", .restored)
    #expect(try failed() == ["m1", nil])
    try house.happens(to: "m1", .acknowledged)
    #expect(try failed() == [nil, nil])
    try house.fails("m1")
    try house.happens(to: "m1", .deleted(forGood: true))
    #expect(try failed() == [nil, nil])
  }

  @Test func `only the user's own newest failed message that is not truncated is listed`() throws {
    try house.says("m1", by: "ada")
    try house.says("m2", by: "bob")
    try house.says("m3", by: "ada")
    try house.says("m4", by: "ada")
    for id in ["m3", "m1", "m2"] as [Message.ID] { try house.fails(id) }
    #expect(try failed() == ["m3", nil])
    try house.fails("m4")
    #expect(try failed() == ["m4", nil])
    try house.happens(to: "m4", .deleted(forGood: false))
    #expect(try failed() == ["m3", nil])
    try house.happens(to: "m3", .retried)
    #expect(try failed() == ["m1", nil])
    try house.happens(.channel("general", .truncated(through: Message.Number(rawValue: 1))))
    #expect(try failed() == [nil, nil])
    try house.fails("m3")
    #expect(try failed() == ["m3", nil])
  }

  @Test func `a failed reply is listed in its thread, in its channel or in both, by where it is shown`() throws {
    try house.says("p", by: "ada")
    try house.says("r1", by: "ada", to: "p")
    try house.says("r2", by: "ada", to: "p", showsInChannel: true)
    try house.says("r3", by: "ada", to: "p")
    try house.says("q", by: "bob")
    try house.says("r4", by: "ada", to: "q")
    try house.fails("r4")
    #expect(try house.threads().map { $0.failed?.key.id } == [nil, "r4"])
    #expect(try house.channels().map { $0.failed?.key.id } == [nil])
    try house.happens(to: "r4", .retried)
    try house.fails("r1")
    #expect(try house.threads().map { $0.failed?.key.id } == ["r1", nil])
    #expect(try house.channels().map { $0.failed?.key.id } == [nil])
    try house.fails("r2")
    #expect(try house.threads().map { $0.failed?.key.id } == ["r2", nil])
    #expect(try house.channels().map { $0.failed?.key.id } == ["r2"])
    try house.fails("r3")
    #expect(try house.threads().map { $0.failed?.key.id } == ["r3", nil])
    #expect(try house.channels().map { $0.failed?.key.id } == ["r2"])
  }

  @Test func `a failed ephemeral message is listed by its new number once it is sent to all`() throws {
    try house.says("m1", by: "ada", kind: .ephemeral)
    try house.fails("m1")
    try house.says("m2", by: "ada")
    try house.fails("m2")
    #expect(try failed() == ["m2", nil])
    try house.happens(to: "m1", .ephemeralSent)
    #expect(try failed() == ["m1", nil])
    try house.happens(to: "m1", .acknowledged)
    #expect(try failed() == ["m2", nil])
  }
}
