// Tests that the README's example of a chat compiles, runs, and equals the one below.
import Chat
import ChatCodec
import EventLog
import Foundation
import Testing

@Suite struct `The README` {
  @Test func `the example sends a message and a reaction`() throws {
    let message = try #require(try example())
    #expect(message.content.text == "Hello")
    #expect(message.reactions.map(\.kind) == ["wave"])
  }

  @Test func `the example equals the tested code`() throws {
    let tests = URL(filePath: #filePath)
    let readmePath = tests.deletingLastPathComponent().appending(path: "../../../README.md")
    let readme = try String(contentsOf: readmePath, encoding: .utf8)
    let code = readme.components(separatedBy: "```swift\n")[3].components(separatedBy: "\n```")[0]
    let source = try String(contentsOf: tests, encoding: .utf8)
    let run = source.components(separatedBy: "// example\n")[1].components(separatedBy: "    // end\n")[0]
    let lines = run.components(separatedBy: "\n").map { $0.dropFirst(4) }
    #expect(code.hasSuffix(lines.joined(separator: "\n").trimmingCharacters(in: .newlines)))
  }

  private func example() throws -> Message? {
    // example
    let store = EventStore.inMemory()
    var state = InMemoryChatState()

    func want(_ intent: ChatIntent, by user: User.ID) throws {
      let now = Instant(rawValue: Timestamp.now.rawValue)
      let events = try decide(intent, by: .user(user), at: now, given: state)
      guard !events.isEmpty else { return }
      let receipt = try store.appendBlocking(events.map { encode($0) })
      for stored in try store.events(from: receipt.positions.lowerBound, limit: events.count) {
        fold(try decode(stored), into: &state)
      }
    }

    let general = Message.Key("general", "m1")
    try want(.user("ada", .create(User.Profile(name: "Ada"))), by: "ada")
    try want(.channel("general", .create("team", Channel.Profile(), ChannelConfig(), members: [])), by: "ada")
    try want(.message(general, .send(Message.Content("Hello"))), by: "ada")
    try want(.reaction(Reaction.Key(to: general, by: "ada"), .add("wave", score: 1)), by: "ada")

    print(state[general]?.content.text ?? "", state[general]?.reactions ?? [])
    // end
    return state[general]
  }
}
