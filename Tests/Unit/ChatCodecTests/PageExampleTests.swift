// Tests that the page's example of a chat compiles, runs, and equals the one below.
import Chat
import ChatCodec
import EventLog
import Foundation
import Testing

@Suite struct `The page` {
  @Test func `the example sends a message and a reaction`() async throws {
    let message = try #require(try await example())
    #expect(message.content.text == "Hello")
    #expect(message.reactions.map(\.kind) == ["wave"])
  }

  @Test func `the example equals the tested code`() throws {
    let tests = URL(filePath: #filePath)
    let pagePath = tests.deletingLastPathComponent()
      .appending(path: "../../../Sources/Domain/ChatCodec/ChatCodec.docc/ChatCodec.md")
    let page = try String(contentsOf: pagePath, encoding: .utf8)
    let source = try String(contentsOf: tests, encoding: .utf8)
    let run = source.components(separatedBy: "// example\n")[1].components(separatedBy: "    // end\n")[0]
    let lines = run.components(separatedBy: "\n").map { $0.dropFirst(4) }
    #expect(page.contains(lines.joined(separator: "\n").trimmingCharacters(in: .newlines)))
  }

  private func example() async throws -> Message? {
    // example
    let store = EventStore.inMemory()
    var state = InMemoryChatState()

    let general = Message.Key("general", "m1")
    let intents: [ChatIntent] = [
      .user("ada", .create(User.Profile(name: "Ada"))),
      .channel("general", .create("team", Channel.Profile(), ChannelConfig(), members: [])),
      .message(general, .send(Message.Content("Hello"))),
      .reaction(Reaction.Key(to: general, by: "ada"), .add("wave", score: 1)),
    ]

    for intent in intents {
      let now = Instant(rawValue: Timestamp.now.rawValue)
      let events = try decide(intent, by: .user("ada"), at: now, given: state)
      guard !events.isEmpty else { continue }
      let receipt = try await store.append(events.map { encode($0) })
      for stored in try store.events(from: receipt.positions.lowerBound, limit: events.count) {
        fold(try decode(stored), into: &state)
      }
    }

    print(state[general]?.content.text ?? "", state[general]?.reactions ?? [])
    // end
    return state[general]
  }
}
