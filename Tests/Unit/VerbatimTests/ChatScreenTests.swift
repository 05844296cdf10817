// Threat: an app has to join messages, composer and factory itself, and names its factory in several places.
import ChildProcess
import Foundation
import TerminalRendering
import TestThreads
import Testing

@testable import ChatComposer
@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `A chat screen` {
  private let folder = WorkspaceFolder()

  private func ui() -> ChatUI<PlainTextFactory> {
    var options = ComposerOptions()
    options.appearance.placeholders[.new] = "Say something"
    return ChatUI(PlainTextFactory(columns: 60), composer: options) { messages in
      messages.messageHeader { TerminalText("«\($0.sender?.name ?? "")»") }
        .messageMenuItems { _ in [MessageMenuItem("translate", title: "Translate")] }
    }
  }

  @Test func `draws messages and composer with the options of the app, and follows both`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let ben = workspace.client(user: "ben", device: "desk")
    try await ben.channel("general").send("Lunch?", id: "m1")
    let chat = try await ui().open(workspace.client(user: "ada", device: "phone").channel("general"))
    await until { chat.messages.layout.message("m1") != nil }
    var drawn = chat.draw().text(hasColors: false)
    for word in ["«ben»", "Lunch?", "Say something", "Translate"] { #expect(drawn.contains(word), "\(word)") }
    chat.composer.text = "At one"
    drawn = chat.draw().text(hasColors: false)
    #expect(drawn.contains("At one") && !drawn.contains("Say something"))
    #expect(try await chat.press(.tap(.send)) == .done)
    await until { chat.messages.layout.messageCount == 2 }
    #expect(chat.draw().text(hasColors: false).contains("At one"))
    #expect(try await chat.press(.custom("translate", message: "m1")) == .custom("translate", message: "m1"))
    await workspace.close()
  }

  // What broke: a chat that was not read yet said that it had no messages, and so did one that could not be read.
  @Test func `is loading until it is read, and offers to try again where that fails`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let ada = workspace.client(user: "ada", device: "phone")
    try await ada.channel("general").send("Lunch?", id: "m1")
    let chat = try await ui().open(ada.channel("general"))
    func drawn() -> String { chat.draw().text(hasColors: false) }
    // The model cannot have read anything yet: it does so in this actor.
    #expect(drawn().contains("Loading …") && !drawn().contains("No messages yet"))
    await until { drawn().contains("Lunch?") }
    #expect(!drawn().contains("Loading …"))

    let model = MessageListModel(of: ada.channel("later"))
    let list = MessageList(MessagesView(model, drawing: TerminalText.self))
    func shown() -> TerminalText { PlainTextFactory(columns: 60).draw(list) }
    await until { model.failure != nil }
    var text = shown().text(hasColors: false)
    #expect(text.contains("try again") && !text.contains("No messages yet") && !text.contains("Loading …"))
    #expect(shown().actions.contains(.loadOlder))
    #expect(try await model.press(.loadOlder) == .done)
    await until { model.failure != nil }
    try await ada.channel("later").create()
    await until { model.isLoaded }
    text = shown().text(hasColors: false)
    #expect(text.contains("No messages yet") && !text.contains("try again"))
    await workspace.close()
  }

  @Test func `shows the quoted message above the input, and scrolls to it`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let ben = workspace.client(user: "ben", device: "desk")
    try await ben.channel("general").send("Lunch?", id: "m1")
    let chat = try await ui().open(workspace.client(user: "ada", device: "phone").channel("general"))
    await until { chat.messages.layout.message("m1") != nil }
    #expect(try await chat.press(.message(.reply, "m1")) == .done)
    await until { chat.composer.slot.quotedMessage?.text == "Lunch?" }
    #expect(chat.composer.slot.quotedMessage?.author?.id == "ben")
    chat.composer.text = "Yes"
    _ = try await chat.press(.tap(.send))
    #expect(chat.composer.slot.quotedMessage == nil)
    #expect(chat.list.viewport == nil)
    #expect(try await chat.press(.jump(to: "m1")) == .scroll(to: "m1"))
    #expect(chat.list.viewport?.row == chat.messages.layout.row(ofMessage: "m1")?.id)
    await workspace.close()
  }

  @Test func `shows that a report was recorded, until the next action`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let chat = try await ui().open(workspace.client(user: "ada", device: "phone").channel("general"))
    chat.composer.text = "/flag @ben"
    await until { chat.composer.canSend }
    _ = try await chat.press(.tap(.send))
    #expect(chat.draw().text(hasColors: false).contains("ben was reported to the moderators."))
    _ = try await chat.press(.tap(.commands))
    #expect(!chat.draw().text(hasColors: false).contains("reported"))
    await workspace.close()
  }

  // What broke: the first of two screens that was left closed the composer of the other one.
  @Test func `leaves its composer open while another screen shows it`() async throws {
    let workspace = try folder.open { $0.draftMessagesEnabled = true }
    try await workspace.populate()
    let ada = workspace.client(user: "ada", device: "phone")
    let screens = [try await ui().open(ada.channel("general")), try await ui().open(ada.channel("general"))]
    // A screen that is gone counts no more.
    _ = try await ui().open(ada.channel("general"))
    screens[0].composer.text = "Not yet"
    for _ in 0..<2 { try await screens[0].leave() }
    #expect(screens[1].composer.composer.isOpen && screens[1].composer.text == "Not yet")
    try await screens[1].leave()
    #expect(!screens[1].composer.composer.isOpen)
    #expect(try await ada.read { try $0.draft(in: "general")?.content?.text } == "Not yet")
    await workspace.close()
  }

  // What broke: a screen that was left before another one was made closed the composer of the other one.
  @Test(arguments: 0..<4) func `has an open composer, whenever another screen is left`(turns: Int) async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let channel = workspace.client(user: "ada", device: "phone").channel("general")
    let first = try await ui().open(channel)
    let composer = first.composer
    let openings = composer.openings
    let opening = Task {
      try await withTaskExecutorPreference(AppExecutor.shared) { try await ui().open(channel) }
    }
    await until { composer.openings > openings }
    for _ in 0..<turns { await Task.yield() }
    try await first.leave()
    let second = try await within("the opening") { try await opening.value }
    #expect(second.composer === composer && composer.composer.isOpen)
    await workspace.close()
  }

  @Test func `keeps the unsent text as a draft when it is left`() async throws {
    let workspace = try folder.open { $0.draftMessagesEnabled = true }
    try await workspace.populate()
    let ada = workspace.client(user: "ada", device: "phone")
    let chat = try await ui().open(ada.channel("general"))
    chat.composer.text = "Not yet"
    try await chat.leave()
    #expect(try await ada.read { try $0.draft(in: "general")?.content?.text } == "Not yet")
    let channels = ChannelListModel(of: ada)
    await until { channels.channels.count == 1 }
    #expect(ui().draw(channels).text(hasColors: false).contains("Not yet"))
    await workspace.close()
  }
}
