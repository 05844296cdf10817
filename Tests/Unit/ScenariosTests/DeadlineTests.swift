// A player that waited for ever: with a fault planted below it, an event that a scenario looked at never came, and a
// run of the whole suite hung where one test should have failed. Each wait of the player has a deadline since, and says
// what it waited for.
import EventLog
import Testing
import Verbatim

@testable import Scenarios

struct Deadlines {
  @Test @MainActor func `an event that never comes fails the wait for it, which names it`() async {
    // Like a follower that is woken no more: it gives one event and then nothing.
    let (events, more) = AsyncStream<Position>.makeStream()
    more.yield(Position(rawValue: 11))
    await passing("the event at position 12") {
      await #expect {
        try await Player.elements(of: events, through: Position(rawValue: 12), at: { $0 })
      } throws: { error in
        "\(error)" == "the event at position 12 did not come within 60 seconds."
      }
    }
    more.finish()
  }

  @Test @MainActor func `a scenario that waits for what never comes fails with the line, and says for what`()
    async throws
  {
    // The command is held, and nothing lets it go on.
    let held = try Scenario(
      [
        #"{"scenario":1,"title":"a","users":{"ada":"Ada"},"channels":{"general":["ada"]}}"#,
        #"{"as":"ada","type":"/giphy hello"}"#, #"{"hold":"gifs"}"#, #"{"send":true}"#,
      ].joined(separator: "\n").utf8)
    await passing("the end of “send”") {
      await #expect {
        try await played(held)
      } throws: { error in
        "\(error)" == "Line 4: the end of “send” did not come within 150 seconds."
      }
    }
  }

  /// Runs a body in which one deadline passes at once, and every other never.
  @MainActor
  private func passing(_ passed: String, _ body: @MainActor () async -> Void) async {
    await Deadline.$passes.withValue(
      { awaited, _ in
        if awaited != passed { try await Task.sleep(for: .seconds(3600)) }
      }, operation: body)
  }
}
