// Threat: a button in a list of invitations, saved or reported messages has no effect.
import Foundation
import TerminalRendering
import Testing

@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `Pressing the items of lists without a model` {
  private let folder = WorkspaceFolder()
  private let workspace: Workspace
  private var ada: Client { workspace.client(user: "ada", device: "phone") }
  private var ben: Client { workspace.client(user: "ben", device: "phone") }

  init() async throws {
    workspace = try folder.open()
    try await workspace.populate()
    for channel in ["choir", "chess", "club"] as [Channel.ID] {
      try await ben.channel(channel).create(config: ChannelConfig(isPublic: channel != "choir"))
    }
    try await ben.channel("choir").invite("ada")
    try await ben.channel("general").send("Hello", id: "m1")
  }

  /// Draws a list in both forms, which have the same actions with visible labels, and presses the action with an id.
  private func press(_ id: String, in kind: ItemListKind, _ items: [ListItem]) async throws -> PressOutcome {
    let text = PlainTextFactory(columns: 60).draw(kind, items)
    let page = PageFactory(actionURL: "/act").draw(kind, items)
    #expect(text.actions == page.actions && Set(text.actions).count == text.actions.count)
    #expect(page.actions.allSatisfy { page.markup.contains($0.pageID) })
    let context = RenderingContext()
    for item in items {
      for action in context.parts(of: item).actions {
        #expect(text.text(hasColors: false).contains("[\(action.label)]") && page.markup.contains(action.label))
      }
    }
    let action = try #require(text.actions.first { $0.id == id }, "\(text.actions.map(\.id))")
    return try await ada.me.press(action)
  }

  @Test func `an invitation is accepted or declined, and a public channel is joined and opened`() async throws {
    func invitations() async throws -> [ListItem] { try await ada.me.invitations().map { .invitation($0) } }
    func isPublic() async throws -> [ListItem] {
      try await ada.channels.publicChannels().channels.map { .publicChannel($0) }
    }
    #expect(try await press("decline:choir", in: .invitations, try await invitations()) == .done)
    #expect(try await ada.me.invitations().isEmpty)
    let declined = try await ada.me.invitations(withDeclined: true).map { ListItem.invitation($0) }
    #expect(PlainTextFactory(columns: 60).draw(.invitations, declined).actions.map(\.id) == ["join:choir"])
    #expect(try await press("join:choir", in: .invitations, declined) == .done)
    #expect(try await ada.channel("choir").member("ada")?.isMember == true)

    #expect(try await press("join:chess", in: .publicChannels, try await isPublic()) == .done)
    #expect(try await ada.channel("chess").member("ada")?.isMember == true)
    #expect(
      try await press("channel:chess", in: .publicChannels, try await isPublic()) == .openChannel("chess"))
    await workspace.close()
  }

  @Test func `a saved message is opened and removed, and a scheduled one cancelled`() async throws {
    let tomorrow = workspace.now + .seconds(86_400)
    try await ada.channel("general").save("m1", note: "read", remindAt: tomorrow)
    try await ada.channel("general").schedule(Message.Content("Later"), at: tomorrow, id: "s1")
    func saved() async throws -> [ListItem] {
      try await ada.me.savedMessages().items.map { .saved($0, channelName: nil) }
    }
    let key = Message.Key("general", "m1")
    #expect(try await press("open-message:general/m1", in: .saved, try await saved()) == .openMessage(key))
    #expect(try await press("unsave:general/m1", in: .saved, try await saved()) == .done)
    #expect(try await ada.me.savedMessages().items.isEmpty)

    let scheduled = try await ada.me.scheduledMessages().map { ListItem.scheduled($0, channelName: nil) }
    #expect(try await press("channel:general", in: .scheduled, scheduled) == .openChannel("general"))
    #expect(try await press("cancel-scheduled:general/s1", in: .scheduled, scheduled) == .done)
    #expect(try await ada.me.scheduledMessages().isEmpty)
    await workspace.close()
  }

  @Test func `a block and mutes are ended, and a review is claimed, released and resolved`() async throws {
    try await ada.user("ben").block()
    try await ada.user("ben").mute()
    try await ada.channel("general").mute()
    #expect(try await press("unblock:ben", in: .blocks, try await ada.me.blockedUsers().map { .blocked($0) }) == .done)
    #expect(try await ada.me.blockedUsers().isEmpty)
    let mutes = try await ada.me.mutes().map { ListItem.mute($0, channelName: nil) }
    #expect(try await press("unmute-user:ben", in: .mutes, mutes) == .done)
    #expect(try await press("unmute-channel:general", in: .mutes, mutes) == .done)
    #expect(try await ada.me.mutes().isEmpty)

    let general = ada.channel("general")
    try await ben.channel("general").flag("m1")
    let message = try await general.message("m1")
    func flagged() async throws -> [ListItem] { try await general.openReviews().items.map { .flagged(message, $0) } }
    #expect(try await press("claim:general/m1", in: .flagged, try await flagged()) == .done)
    #expect(try await general.review(of: "m1")?.review.claim?.actor.user == "ada")
    #expect(try await press("release:general/m1", in: .flagged, try await flagged()) == .done)
    #expect(try await general.review(of: "m1")?.review.claim == nil)
    #expect(try await press("resolve:dismissed:general/m1", in: .flagged, try await flagged()) == .done)
    #expect(try await general.review(of: "m1")?.review.decisions.map(\.outcome) == [.dismissed])
    await workspace.close()
  }

  @Test func `a message list passes the actions of other lists on`() async throws {
    let model = MessageListModel(of: ada.channel("general"))
    #expect(try await model.press(.join("club")) == .done)
    #expect(try await ada.channel("club").member("ada")?.isMember == true)
    await #expect(throws: PressError.otherList("more:saved")) { try await ada.me.press(.loadMore(.saved)) }
    await workspace.close()
  }
}
