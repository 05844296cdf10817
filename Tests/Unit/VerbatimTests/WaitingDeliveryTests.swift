// Threat: scheduled messages that wait in slow mode delay the deliveries of everybody else.
import Chat
import Testing
import Verbatim

@Suite struct `Deliveries in slow mode` {
  private let folder = WorkspaceFolder()
  private let clock = SetClock(1_700_000_000_000_000)

  private func schedule(_ id: Message.ID, in channel: Channel.ID, at instant: Timestamp) -> ChatIntent {
    let content = Message.Content(UserText(id.text))
    return .scheduled(ScheduledMessage.Key(by: "ben", Message.Key(channel, id)), .schedule(content, at: instant))
  }

  // What broke: each pass submitted each waiting message, one by one, before all later deliveries. A user can schedule
  // any number of messages in a channel whose slow mode lasts for years.
  @Test func `try one message of an author and channel in a pass, and those of other channels`() async throws {
    let workspace = try folder.open { [clock] in $0.clock = { clock.now } }
    try await workspace.populate(["ada", "ben"], "general")
    try await workspace.submit(
      .channel("club", .create("team", Channel.Profile(), ChannelConfig(), members: ["ben"])), by: .user("ada"))
    try await workspace.submit(.channel("general", .setSlowMode(3600)), by: .user("ada"))
    let at = clock.now + .seconds(60)
    try await workspace.submit(
      (1...5).map { schedule(Message.ID(stringLiteral: "s\($0)"), in: "general", at: at) }, by: .user("ben"))
    try await workspace.submit(schedule("z1", in: "club", at: at + .seconds(1)), by: .user("ben"))
    clock.set((at + .seconds(1)).rawValue)
    let before = try workspace.statistics().submits.unchanged
    #expect(try await workspace.deliverDue() == 2)
    #expect(try await workspace.texts() == ["s1"])
    #expect(try await workspace.texts(of: "club") == ["z1"])
    #expect(try workspace.statistics().submits.unchanged == before + 1)
    #expect(try await workspace.deliverDue() == 0)
    #expect(try workspace.statistics().submits.unchanged == before + 2)
    #expect(try await workspace.deliveryStatus().dueCount == 4)
    clock.set((at + .seconds(3602)).rawValue)
    #expect(try await workspace.deliverDue() == 1)
    #expect(try await workspace.texts() == ["s1", "s2"])
    await workspace.close()
  }
}
