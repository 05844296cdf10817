// Threat: the options of a list work for an app's own messages only, or cost a layout of everything per message.
import Foundation
import Observation
import Synchronization
import TerminalRendering
import Testing

@testable import Verbatim
@testable import VerbatimUI

@MainActor @Suite struct `A list of a live channel` {
  private let folder = WorkspaceFolder()

  /// A channel with some messages, and a model of it.
  private func opened(pageSize: Int = 50) async throws -> (workspace: Workspace, ada: Client, model: MessageListModel) {
    let workspace = try folder.open()
    try await workspace.populate()
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "phone"))
    for number in 1...20 { try await ben.channel("general").send("\(number)", id: Message.ID("m\(number)")) }
    let model = MessageListModel(of: ada.channel("general"), pageSize: pageSize)
    await until { model.isLoaded }
    return (workspace, ada, model)
  }

  // A live channel could be drawn with a factory alone: the options of `MessagesView` needed an array of messages.
  @Test func `takes the options of a view, for text and for a page`() async throws {
    let (workspace, ada, model) = try await opened()
    try await ada.channel("general").send(Message.Content("Tea?", kind: .custom("poll")), id: "poll")
    let picture = Attachment("p", .image, at: .url("https://example.org/p.png"))
    try await ada.channel("general").send(Message.Content("", attachments: [picture]), id: "picture")
    await until { model.layout.message("picture") != nil }
    func draw<Output: DrawnOutput>(_ factory: some ViewFactory<Output>) -> Output {
      let view = MessagesView(model, drawing: Output.self)
        .groupingOptions([])
        .messageHeader { Output(text: $0.messageID == "m1" ? "«header»" : "") }
        .messageFooter { Output(text: $0.messageID == "m1" ? "«footer»" : "") }
        .messageAvatar { Output(text: $0.messageID == "m1" ? "@" : "") }
        .messageMenuItems { $0.messageID == "m1" ? [MessageMenuItem("translate", title: "Translate")] : [] }
        .messageImagePlaceholder { Output(text: "«picture of \($0.messageID)»") }
        .messageTimestampFormatter { _ in "«noon»" }
        .showTimestampsOnSwipe()
        .customRenderer(forTypeWithID: "poll") { message, _ in Output(text: "«poll \(message.messageID)»") }
      let list = MessageList(view)
      list.isSwiped = true
      #expect(list.problems == [] && list.rows.count == model.layout.rows.count)
      return factory.draw(list)
    }
    let text = draw(PlainTextFactory(columns: 80))
    let page = draw(PageFactory(actionURL: "/act"))
    for drawn in [text.text(hasColors: false), page.markup] {
      for word in ["«header»", "«footer»", "@", "Translate", "«noon»", "«poll poll»", "«picture of picture»"] {
        #expect(drawn.contains(word), "\(word)")
      }
    }
    let action = SlotAction.custom("translate", message: "m1")
    #expect(text.actions.contains(action) && page.actions.contains(action))
    #expect(try await model.press(action) == .custom("translate", message: "m1"))
    await #expect(throws: PressError.messageGone("gone")) {
      try await model.press(.custom("translate", message: "gone"))
    }
    let menus = MessagesView(model, drawing: HTML.self).messageContextMenu { HTML(text: "«\($0.messageID)»") }
    #expect(PageFactory().draw(MessageList(menus)).markup.contains("«poll»") == false)
    let own = menus.customRenderer(forTypeWithID: "poll") { _, _ in HTML(text: "a poll") }
    #expect(PageFactory().draw(MessageList(own)).markup.contains("«poll»"))
    await workspace.close()
  }

  @Test func `stays current by the row diffs of its model`() async throws {
    let (workspace, ada, model) = try await opened()
    var notified: [[String]] = []
    let view = MessagesView(model, drawing: TerminalText.self)
      .customRenderer(forTypeWithID: "poll") { _, _ in TerminalText("a poll") }
      .proxyOnAppear { $0.scrollTo("m10", anchor: .top) }
      .proxyOnMessagesChange { _, messages in notified.append(messages.map(\.messageID)) }
    let list = MessageList(view)
    list.appear()
    #expect(list.viewport?.row == list.layout.row(ofMessage: "m10")?.id)
    let (before, derived) = (Array(list.rows), list.layout.derived.messages)

    let factory = PlainTextFactory(columns: 80)
    let isNotified = Atomic(false)
    withObservationTracking {
      _ = factory.draw(list)
    } onChange: {
      isNotified.store(true, ordering: .relaxed)
    }
    try await ada.channel("general").send(Message.Content("Tea?", kind: .custom("poll")), id: "poll")
    await until { list.layout.message("poll") != nil }
    let hasObserved = isNotified.load(ordering: .relaxed)
    #expect(hasObserved)
    #expect(list.rows.last?.kind == .message && list.rows.last?.content == .custom("poll"))
    #expect(list.layout.derived.messages - derived <= 3)
    #expect(model.lastDiff.applied(to: before) == Array(list.rows))
    #expect(notified.last?.last == "poll")
    #expect(factory.draw(list).text(hasColors: false).contains("a poll"))

    let row = try #require(list.viewport).row
    try await workspace.client(user: "ben", device: "phone").channel("general").delete("m10", forGood: true)
    await until { list.layout.message("m10") == nil }
    #expect(list.viewport?.row != row && list.viewport?.row == list.layout.row(ofMessage: "m11")?.id)
    await workspace.close()
  }

  @Test func `loads earlier messages on refresh, or does what the app says`() async throws {
    struct Offline: Error {}
    let (workspace, _, model) = try await opened(pageSize: 8)
    let list = MessageList(MessagesView(model, drawing: String.self))
    #expect(list.layout.messageCount == 8 && !list.isRefreshing)
    await list.refresh()
    await until { list.layout.messageCount == 16 }
    #expect(list.refreshFailure == nil)
    let own = MessageList(MessagesView(model, drawing: String.self).refreshable { throw Offline() })
    await own.refresh()
    #expect(own.refreshFailure is Offline && model.layout.messageCount == 16)
    #expect(own.rows.first?.kind == .notice && list.rows.first?.kind == .notice)
    await list.refresh()
    await until { list.layout.messageCount == 20 }
    #expect(list.rows.first?.kind != .notice)

    let other = MessageListModel(of: model.controller, pageSize: 8)
    await until { other.isLoaded }
    await workspace.close()
    let failing = MessageList(MessagesView(other, drawing: String.self))
    let handled = MessageList(MessagesView(other, drawing: String.self).refreshable { await other.loadEarlier() })
    await handled.refresh()
    #expect(handled.refreshFailure == nil && handled.rows.first?.kind == .notice)
    await failing.refresh()
    #expect(failing.refreshFailure is ReadError && failing.rows.first?.kind == .notice)
  }

  @Test func `lets go of its model's observer, and its options keep the thread and the mutes of the model`()
    async throws
  {
    let (workspace, ada, _) = try await opened()
    let ben = workspace.client(user: "ben", device: "phone")
    try await ada.user("ben").mute()
    let model = MessageListModel(of: ada.channel("general"), thread: "m1")
    await until { model.layout.options.mutedAuthors == ["ben"] }
    weak var gone: MessageList<ChatMessage, String, Void>?
    do {
      let list = MessageList(MessagesView(model, drawing: String.self).layoutOptions(.alluja))
      gone = list
      #expect(list.layout.options.threadParent == "m1" && list.layout.options.mutedAuthors == ["ben"])
      #expect(list.layout.options.groupKey == .alignment)
      let diff = list.apply(LayoutOptions<ChatMessage>.verbatim)
      #expect(list.layout.options.threadParent == "m1" && list.layout.options.groupKey == .sender && diff.updated != [])
    }
    #expect(gone == nil)
    try await ben.channel("general").send(Message.Content("reply", parent: "m1"), id: "r1")
    await until { model.layout.message("r1") != nil }
    await workspace.close()
  }
}
