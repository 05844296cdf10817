// Regression: with a fault injected below the player, an event that a scenario awaited never arrived, and a run of the
// whole suite hung where one test should have failed. Since then each wait of the player has a deadline and names the
// awaited result.
import EventLog
import Testing
import Verbatim

@testable import Scenarios

struct Deadlines {
  @Test @MainActor func `an event that never arrives fails its wait by name`() async {
    // Like a feed that is never woken again: it yields one event and then nothing.
    let (events, more) = AsyncStream<Position>.makeStream()
    more.yield(Position(rawValue: 11))
    await passing("the event at position 12") {
      await #expect {
        try await Player.elements(of: events, through: Position(rawValue: 12), at: { $0 })
      } throws: { error in
        "\(error)" == "Timed out after 60 seconds waiting for the event at position 12."
      }
    }
    more.finish()
  }

  @Test @MainActor func `a scenario with an endless wait fails with its line and the awaited result`()
    async throws
  {
    // The command is held, and no line releases it.
    let held = try Scenario(
      [
        #"{"scenario":1,"title":"a","users":{"ada":"Ada"},"channels":{"general":["ada"]}}"#,
        #"{"as":"ada","type":"/giphy hello"}"#, #"{"hold":"gifs"}"#, #"{"send":true}"#,
      ].joined(separator: "\n").utf8)
    await passing("“send” to finish") {
      await #expect {
        try await played(held)
      } throws: { error in
        "\(error)" == "Line 4: Timed out after 150 seconds waiting for “send” to finish."
      }
    }
  }

  /// Runs a body in which one deadline passes immediately, and all others never.
  @MainActor
  private func passing(_ passed: String, _ body: @MainActor () async -> Void) async {
    let wait = Deadline.Wait { awaited, _ in
      if awaited != passed { try await Task.sleep(for: .seconds(3600)) }
    }
    await Deadline.$wait.withValue(wait, operation: body)
  }
}
