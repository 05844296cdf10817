// Threat: pressing a drawn action has no effect.
import Foundation
import TerminalRendering
import Testing

@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `Pressing drawn actions` {
  /// A workspace with a list and a composer that contain every kind of action.
  @MainActor private final class PressingFixture {
    let folder = WorkspaceFolder()
    let workspace: Workspace
    let model: MessageListModel
    let composer: LiveComposer
    let ada: Client

    init() async throws {
      workspace = try folder.open { $0.draftMessagesEnabled = true }
      try await workspace.populate()
      ada = workspace.client(user: "ada", device: "phone")
      let (own, other) = (ada.channel("general"), workspace.client(user: "ben", device: "phone").channel("general"))
      for number in 1...5 { try await other.send("earlier", id: Message.ID("e\(number)")) }
      try await other.send("Hello", id: "m1")
      try await own.send(Message.Content("Hi", quoted: "m1"), id: "m2")
      try await own.react(to: "m1", "like")
      try await other.react(to: "m1", "love")
      try await own.send(Message.Content("In the thread", parent: "m1"), id: "r1")
      try await workspace.submit(
        .message(
          Message.Key("general", "m1"), .openPoll([Poll.Option("y", "Yes"), Poll.Option("n", "No")], Poll.Rules())),
        by: .system)
      try await own.vote(for: ["y"], in: "m1")
      try await own.send(Message.Content("lost", isPending: true), id: "m3")
      try await ada.submit(.message(Message.Key("general", "m3"), .fail(reason: "no net")))
      let file = Attachment("f", .file, at: .url("https://example.org/f.pdf"), title: "f.pdf")
      try await other.send(Message.Content("a file", attachments: [file]), id: "m4")
      try await workspace.submit(
        .draft(
          Draft.Key(by: "ada", in: "general", thread: "m1"), .update(Composition("not yet"), editedAt: workspace.now)),
        by: .user("ada"))

      model = MessageListModel(of: own, pageSize: 6)
      composer = try await own.composer()
      let (model, composer) = (model, composer)
      // The first shown message depends on whether the window is read before a message is sent.
      await until { model.isLoaded }
      try composer.perform(.activate("giphy"))
      try composer.perform(.type("cat"))
      _ = try await composer.send()
      try composer.perform(.type("Look @b"))
      try composer.perform(.quote("e1"))
      try composer.perform(.attach(Attachment("p", .link, at: .url("https://example.org"), title: "page")))
      try composer.perform(.attach(Attachment("poll", .custom("poll", payload: []), title: "Lunch")))
      composer.appearance.onCustomAttachmentTap = { _, _ in }
      try composer.perform(.showPicker(.expanded(.media)))
      await until {
        model.layout.rows.contains { $0.content == .ephemeral } && composer.suggestions?.items.isEmpty == false
      }
    }

    /// Draws everything with a factory.
    func draw<Factory: ViewFactory>(_ factory: Factory) async throws -> Factory.Output {
      let channel = try await ada.read { try $0.channels(limit: 1) }.channels[0]
      let thread = try await ada.read { try $0.threads(limit: 1) }.threads[0]
      let draft = try #require(try await ada.read { try $0.drafts(limit: 1).drafts.first })
      return .joined([
        factory.drawList(model.layout), factory.draw(composer), factory.makeChannelListItem(channel),
        factory.makeThreadListItem(thread), factory.makeDraftListItem(draft),
      ])
    }

    /// Returns the state that pressing may change.
    func state() async throws -> [String] {
      try await composer.flush()
      let rows = model.layout.rows.map { "\($0)" }
      return rows + ["\(try workspace.head())", "\(composer.presentation)", "\(composer.reducer.content)"]
    }
  }

  @Test func `text and HTML carry the same actions, each once`() async throws {
    let room = try await PressingFixture()
    let text = try await room.draw(PlainTextFactory(columns: 60)).actions
    let page = try await room.draw(PageFactory(actionURL: "/act"))
    #expect(Set(text) == Set(page.actions))
    #expect(Set(text).count == text.count && Set(page.actions).count == page.actions.count)
    let missing = page.actions.filter { !page.markup.contains($0.pageID) }
    #expect(missing == [])
    let pressed = Set(
      text.compactMap { action -> MessageAction? in
        if case .message(let action, _) = action { action } else { nil }
      })
    #expect(pressed == Set(MessageAction.allCases))
    await room.workspace.close()
  }

  @Test func `every action has an effect`() async throws {
    let count = try await PressingFixture().draw(PlainTextFactory(columns: 60)).actions.count
    #expect(count > 30)
    for number in 0..<count {
      let room = try await PressingFixture()
      let actions = try await room.draw(PlainTextFactory(columns: 60)).actions
      try #require(actions.count == count)
      let action = actions[number]
      let before = try await room.state()
      let outcome = try await room.model.press(action, in: room.composer)
      switch outcome {
      case .done:
        try await expectEffect(of: action, in: room)
        let after = try await room.state()
        #expect(after != before, "\(action.id)")
      default: expect(outcome, of: action)
      }
      await room.workspace.close()
    }
  }

  private func expect(_ outcome: PressOutcome, of action: SlotAction) {
    let expected: PressOutcome? =
      switch action {
      case .message(.copy, let id): .copy(["m1": "Hello", "m2": "Hi", "m4": "a file"][id] ?? "earlier")
      case .message(.react, let id): .chooseReaction(to: Message.ID(rawValue: id)!)
      case .message(.thread, let id): .openThread(Message.Key("general", Message.ID(rawValue: id)!))
      case .jump(let id): .scroll(to: Message.ID(rawValue: id)!)
      case .openChannel: .openChannel("general")
      case .openThread: .openThread(Message.Key("general", "m1"))
      case .openDraft: .openDraft(Draft.Key(by: "ada", in: "general", thread: "m1"))
      default: nil
      }
    if case .open(let attachment) = outcome, case .open(let id, _) = action {
      #expect(attachment.id == id)
    } else {
      #expect(outcome == expected, "\(action.id)")
    }
  }

  private func expectEffect(of action: SlotAction, in room: PressingFixture) async throws {
    func message(_ id: String) async throws -> Message {
      try await room.ada.channel("general").message(Message.ID(id))
    }
    switch action {
    case .message(.reply, let id): #expect(room.composer.composer.quoting?.text == id)
    case .message(.edit, let id): #expect(room.composer.composer.editing?.text == id)
    case .message(.delete, let id): #expect(try await message(id).presence != .present)
    case .message(.retry, let id): #expect(try await message(id).delivery == .pending)
    case .message(.pin, let id): #expect(try await message(id).pin != nil)
    case .message(.mute, _): #expect(try await room.ada.user("ben").ownMute() != nil)
    case .react("like", let id): #expect(try await message(id).reactions.map(\.kind) == ["love"])
    case .react("love", let id): #expect(try await message(id).reactions.map(\.count) == [1, 2])
    case .vote("y", let id): #expect(try await message(id).poll?.options.map(\.votes) == [0, 0])
    case .vote("n", let id): #expect(try await message(id).poll?.options.map(\.votes) == [0, 1])
    case .ephemeral(.send, let id): #expect(try await message(id).content.kind == .regular)
    case .loadOlder: await until { room.model.layout.messageCount > 7 }
    case .pick: #expect(room.composer.text == "Look @ben ")
    case .deleteDraft: #expect(try await room.ada.read { try $0.draft(in: "general", thread: "m1") } == nil)
    default: break
    }
  }

  @Test func `pictures of the giphy picker are drawn, and attached when pressed`() async throws {
    let room = try await PressingFixture()
    try room.composer.perform(.showPicker(.expanded(.giphy)))
    await until { !room.composer.presentation.pickerSources.isEmpty }
    let text = PlainTextFactory(columns: 60).draw(room.composer)
    let page = PageFactory(actionURL: "/act").draw(room.composer)
    let picture = try #require(room.composer.presentation.pickerSources.first)
    #expect(text.actions.contains(.tap(picture.id)) && page.actions.contains(.tap(picture.id)))
    #expect(text.text(hasColors: false).contains("[\(picture.label ?? "")]"))
    _ = try await room.model.press(.tap(picture.id), in: room.composer)
    #expect(room.composer.slot.content.attachments.last?.attachment.kind == .giphy)
    await room.workspace.close()
  }

  @Test func `the actions of a slot are performed when pressed`() async throws {
    let room = try await PressingFixture()
    var slot: ComposerSlot { room.composer.slot }
    for action in [
      slot.onTextChange(to: "new"), slot.onCaretMove(to: 1), slot.onPickerChange(to: .expanded(.none)),
      slot.removeAttachmentWithId("p"), slot.onQuoteRemove,
    ] {
      _ = try await room.model.press(action, in: room.composer)
    }
    #expect((slot.text, slot.selectedRangeLocation, slot.pickerTypeState) == ("new", 1, .expanded(.none)))
    #expect(slot.addedCustomAttachments.map(\.attachment.id) == ["poll"] && slot.quotedMessage == nil)
    var tapped: [Chat.Attachment.ID] = []
    room.composer.appearance.onCustomAttachmentTap = { tapped.append($1.id) }
    _ = try await room.model.press(slot.onCustomAttachmentTap("poll"), in: room.composer)
    #expect(tapped == ["poll"])
    _ = try await room.model.press(slot.onTap, in: room.composer)
    #expect((slot.text, slot.hasContent) == ("", false))
    await room.workspace.close()
  }

  /// A page with a send button of the app, in the form of the composer, and one that stands alone in a form of its own.
  private struct OwnButtons: HTMLFactory {
    var context = RenderingContext()
    var actionURL: String? = "/act"

    func makeTrailingComposer(
      _ items: [ComposerItem], isEnabled: Bool, hasContent: Bool, cooldown: Int
    ) -> HTML {
      control(.send, .element("b", [:], text: "Go!"), label: "Send the message", isOn: isEnabled)
    }

    func makeEmptyList() -> HTML { form("start", control(.loadOlder, HTML(text: "Load"))) }
  }

  @Test func `an app's own button on a page sends what is typed`() async throws {
    let room = try await PressingFixture()
    let page = OwnButtons().draw(room.composer)
    let button = "<button type=\"submit\" name=\"action\" value=\"send\" aria-label=\"Send the message\""
    #expect(page.markup.contains(button + " aria-pressed=\"true\"><b>Go!</b></button>"))
    // The page submits the value of its button, from which the app finds the action.
    let pressed = try #require(page.actions.first { SlotAction.id(ofPageID: "send") == $0.id })
    #expect(try await room.model.press(pressed, in: room.composer) == .done)
    #expect(room.composer.text == "" && !page.actions.contains(.tap(.send)))
    let channel = room.ada.channel("general")
    #expect(try await channel.messages().messages.last?.content.text == "Look @b")
    let alone = OwnButtons().makeEmptyList()
    #expect(alone.markup.hasPrefix("<form class=\"start\" method=\"post\" action=\"/act\"><button"))
    let read = OwnButtons(actionURL: nil).makeEmptyList()
    #expect(read.markup.contains("<span class=\"control\" data-actions=\"older\">Load</span>"))
    #expect(!read.markup.contains("<button") && read.actions == [.loadOlder])
    await room.workspace.close()
  }

  @Test func `an impossible action is refused with a sentence`() async throws {
    let room = try await PressingFixture()
    await #expect(throws: PressError.messageGone("gone")) { try await room.model.press(.message(.pin, "gone")) }
    await #expect(throws: PressError.noComposer("reply:m1")) { try await room.model.press(.message(.reply, "m1")) }
    #expect(PressError.messageGone("gone").description.contains("gone"))
    await room.workspace.close()
  }
}
