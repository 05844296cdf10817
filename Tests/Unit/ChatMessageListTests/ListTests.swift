// Tests of a view's options and of a displayed list: handlers, viewport, refresh.
import Bindings
import ChatMessageList
import Foundation
import Testing

struct Lists {
  private let messages = (0..<5).map { Plain("\($0)", at: Double($0)) }

  private func view(_ messages: [Plain]? = nil) -> MessagesView<Plain, String, BasicInputBar> {
    MessagesView(messages ?? self.messages)
  }

  // MARK: Options

  @Test func `options chain, and each leaves the others unchanged`() {
    let chained = view()
      .groupingOptions([.collapseProfilePicture]).groupingOptions([.collapseEnclosingViews])
      .configureMessageEndsGroup { first, _ in first.messageID == "1" }
      .messageMaxWidth(0.5).messageCornerRadius(2).showTimestampsOnSwipe()
      .geometry(ListGeometry(width: 100, height: 50))
    let rows = MessageList(chained).rows.filter(\.isBubble)
    #expect(rows.map(\.position) == [.first, .last, .first, .middle, .last])
    #expect(rows.map(\.avatar) == Array(repeating: .shown, count: 5))
    #expect(rows.map(\.header) == [true, false, true, false, false])
    #expect(rows.allSatisfy { $0.maxWidth == 50 && $0.cornerRadius == 2 && $0.swipeTimestamp })
  }

  // A view of plain messages was laid out as a chat, unless the app asked for the other preset.
  @Test func `the message type decides the preset, unless the app gives options`() {
    func rows<Message: MessageType>(_ messages: [Message]) -> [MessageRow] {
      // A generic function: the preset depends on the type of the messages, not on what the caller knows of it.
      Array(MessageList(MessagesView(messages, drawing: String.self)).rows)
    }
    let plain = [Plain("a", at: 0), Plain("s", at: 1, .left, .system), Plain("b", at: 2)]
    #expect(rows(plain).map(\.id) == ["d:1970-01-01", "m:a", "m:s", "m:b"])
    #expect(rows(plain).filter(\.isBubble).map(\.position) == [.first, .last])
    #expect(rows(plain).filter(\.isBubble).allSatisfy { $0.header && $0.timestamp == .row && $0.avatar == .shown })
    let said = [Said("a", at: 0), Said("s", by: nil, at: 1) { $0.isSystem = true }, Said("b", at: 2)]
    #expect(rows(said).map(\.id) == ["start", "d:1970-01-01", "m:a", "m:s", "m:b"])
    #expect(rows(said).filter(\.isBubble).map(\.position) == [.single, .single])
    #expect(rows(said).filter(\.isBubble).allSatisfy { $0.timestamp == .bottom })
    let chosen = MessagesView(plain, drawing: String.self).layoutOptions(.verbatim)
    #expect(MessageList(chosen).rows.first?.kind == .conversationStart)
  }

  @Test func `builders concatenate parts, and an empty part draws no output`() {
    let drawn = view()
      .messageHeader { message in
        if message.messageID == "1" { "first" }
        for letter in ["a", "b"] { letter }
      }
      .messageFooter { message in if message.messageID == "1" { "footer" } else { String() } }
    #expect(drawn.builders.header?(messages[1]) == "firstab")
    #expect(drawn.builders.header?(messages[2]) == "ab")
    #expect(drawn.builders.footer?(messages[2]).isEmpty == true)
    #expect(drawn.builders.avatar == nil)
  }

  @Test func `the first renderer of an id is used, and a second one is reported`() {
    let custom = [Plain("a", at: 0, .left, .custom("map")), Plain("b", at: 1, .left, .custom("poll"))]
    let list = MessageList(
      view(custom)
        .customRenderer(forTypeWithID: "map") { _, info in "map \(info.suggestedWidth)" }
        .customRenderer(forTypeWithID: "map") { _, _ in "another" })
    let info = CustomRendererInfo(suggestedWidth: 0.75, cornerRadius: 8)
    #expect(list.view.builders.custom["map"]?(custom[0], info) == "map 0.75")
    #expect(list.problems == [.duplicateRenderer("map")])
    #expect(list.problems[0].description.contains("'map'"))
    #expect(list.rows.filter { $0.kind == .notice }.map(\.content) == [.custom("poll")])
    let told = LayoutOptions<Plain>.bare.with { $0.customRenderers = ["poll"] }
    #expect(MessageList(view(custom).layoutOptions(told)).rows.map(\.kind) == [.notice, .message])
  }

  // MARK: Input

  @Test func `a bar with a text of its own is cleared when it is sent`() {
    let bar = MessagesView(messages, drawing: String.self).inputBar
    #expect(!bar.send())
    bar.text = "Hello"
    #expect(bar.canSend && bar.send() && bar.text == "")
  }

  @Test func `the closure of a bar receives the text before the text is cleared`() {
    var text = "Hello"
    var sent: [[String]] = []
    let binding = ValueBinding(get: { text }, set: { text = $0 })
    let bar = BasicInputBar(text: binding) { sent.append([$0, text]) }
    #expect(bar.send() && !bar.send())
    #expect(sent == [["Hello", "Hello"]] && text == "")
  }

  // MARK: Changes

  @Test func `setMessages computes the diff and reports the messages in layout order`() {
    var told: [[String]] = []
    let list = MessageList(
      view().proxyOnMessagesChange { _, messages in told.append(messages.map(\.messageID)) })
    var other = messages
    other.remove(at: 1)
    other[0].text = "changed"
    other.insert(Plain("9", at: -1), at: 3)
    let diff = list.setMessages(other)
    #expect(told == [["9", "0", "2", "3", "4"]])
    #expect(diff.removed == ["m:1"] && diff.inserted.map(\.row.messageID).contains("9"))
    #expect(list.setMessages(other).isEmpty)
    #expect(told.count == 1)
    other[0].text = "changed again"
    #expect(list.setMessages(other).updated.map(\.id) == ["m:0"])
    #expect(told.count == 2)
  }

  @Test func `new options lay out all messages again and return the diff`() {
    let list = MessageList(view())
    let before = Array(list.rows)
    let diff = list.apply(LayoutOptions<Plain>.alluja.with { $0.grouping = [.collapseEnclosingViews] })
    #expect(diff.applied(to: before) == Array(list.rows))
    #expect(diff.updated.count == 5 && diff.inserted.isEmpty && diff.moved.isEmpty)
    list.apply(.unread(UnreadMark(from: MessageSortKey(messages[3]), count: 2)))
    list.apply(.typing(["ben"]))
    list.apply(LayoutOptions<Plain>.bare)
    #expect(list.rows.map(\.id) == ["m:0", "m:1", "m:2", "unread", "m:3", "m:4", "typing:ben"])
  }

  // MARK: Place

  @Test func `the viewport is set on appear, and stays with its row`() {
    let list = MessageList(
      view().proxyOnAppear { proxy in
        #expect(proxy.scrollTo("2", anchor: .top))
        #expect(!proxy.scrollTo("nowhere"))
      })
    #expect(list.viewport == nil)
    list.appear()
    #expect(list.viewport == Viewport(row: "m:2", edge: .top))
    list.apply(.prepend([Plain("-1", at: -10)], hasOlder: true))
    list.apply(.remove(["0", "1", "4"]))
    #expect(list.viewport == Viewport(row: "m:2", edge: .top))
    list.apply(.remove(["2"]))
    #expect(list.viewport == Viewport(row: "m:3", edge: .top))
    list.apply(.remove(["3"]))
    #expect(list.viewport == Viewport(row: "m:-1", edge: .top))
    list.apply(.remove(["-1"]))
    #expect(list.viewport == nil)
  }

  @Test func `the proxy of a deallocated list is a no-op`() throws {
    var kept: MessageListProxy?
    MessageList(view().proxyOnAppear { kept = $0 }).appear()
    #expect(try #require(kept).scrollTo("2") == false)
    #expect(kept?.viewport == nil)
  }

  // MARK: Refreshing

  @Test func `one refresh runs at a time, and a failure is shown until the next success`() async {
    struct Offline: Error {}
    var fails = true
    var count = 0
    var again: (() async -> Void)?
    let list = MessageList(
      view().refreshable {
        count += 1
        await again?()
        if fails { throw Offline() }
      })
    again = { await list.refresh() }
    await list.refresh()
    #expect(count == 1 && list.refreshFailure is Offline && !list.isRefreshing)
    #expect(list.rows.first?.id == "notice:older" && list.rows.first?.kind == .notice)
    fails = false
    await list.refresh()
    #expect(count == 2 && list.refreshFailure == nil)
    #expect(list.rows.first?.kind != .notice)
    let still = MessageList(view())
    await still.refresh()
    #expect(still.refreshFailure == nil)
  }
}
