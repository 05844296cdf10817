// A list of an app's own messages in a running scenario, with the app's custom drawing.
internal import ChatMessageList
internal import ChatRendering
internal import TerminalRendering
internal import JSONLines

/// The options of a list of an app's own messages, in addition to its layout.
struct OwnView: Sendable {
  private var header: [String: String]
  private var footer: [String: String]
  private var avatar: [String: String]
  private var menu: [String: String]
  private var placeholder: String?
  private var renders: [String]
  private var time: String?
  private var appears: String?
  private var follows: Bool
  private var refreshes: Bool

  static let keys = [
    Verb.Argument("header", "the text above a message, by message id"),
    Verb.Argument("footer", "the text below a message, by message id"),
    Verb.Argument("avatar", "the picture beside a message, by message id"),
    Verb.Argument("menu", "the menu of a message, by message id"),
    Verb.Argument("imagePlaceholder", "the placeholder of pictures"),
    Verb.Argument("renders", "the custom kinds with a renderer; a repeated kind gets a second renderer"),
    Verb.Argument("time", "the text shown in place of each time"),
    Verb.Argument("scrolledTo", "the message to which it is scrolled initially"),
    Verb.Argument("followsNewest", "whether it scrolls to the newest message when messages change"),
    Verb.Argument("refreshable", "whether it can be pulled to refresh; default true"),
  ]

  init(_ reader: inout ObjectReader) throws(InputDefect) {
    func texts(_ key: String) throws(InputDefect) -> [String: String] {
      Dictionary(try reader.names(key)) { $1 }
    }
    (header, footer) = (try texts("header"), try texts("footer"))
    (avatar, menu) = (try texts("avatar"), try texts("menu"))
    placeholder = try reader.text("imagePlaceholder")
    renders = try reader.texts("renders") ?? []
    time = try reader.text("time")
    appears = try reader.text("scrolledTo")
    follows = try reader.bool("followsNewest") ?? false
    refreshes = try reader.bool("refreshable") ?? true
  }

  /// Returns the configured view, which reports its callbacks to the list.
  @MainActor
  func view(
    of messages: [OwnMessage], by options: LayoutOptions<OwnMessage>, telling list: OwnList
  ) -> MessagesView<OwnMessage, TerminalText, BasicInputBar> {
    var view = MessagesView(messages, drawing: TerminalText.self).layoutOptions(options)
    for (texts, path) in [
      (header, \MessageBuilders<OwnMessage, TerminalText>.header), (footer, \.footer), (avatar, \.avatar),
      (menu, \.contextMenu),
    ] where !texts.isEmpty {
      view.builders[keyPath: path] = { TerminalText(texts[$0.messageID] ?? "") }
    }
    if let placeholder { view = view.messageImagePlaceholder { _ in TerminalText(placeholder) } }
    for id in renders {
      view = view.customRenderer(forTypeWithID: id) { _, info in TerminalText("\(id) \(info.suggestedWidth)") }
    }
    if let time { view = view.messageTimestampFormatter { _ in time } }
    if let appears { view = view.proxyOnAppear { _ = $0.scrollTo(appears, anchor: .top) } }
    let follows = follows
    view = view.proxyOnMessagesChange { [weak list] proxy, messages in
      let ids = messages.map(\.messageID)
      MainActor.assumeIsolated { list?.notified = ids }
      if follows, let newest = ids.last { _ = proxy.scrollTo(newest) }
    }
    if refreshes { view = view.refreshable { [weak list] in try await list?.pull() } }
    return view
  }
}

/// A list of an app's own messages.
@MainActor
final class OwnList {
  private(set) var list: MessageList<OwnMessage, TerminalText, BasicInputBar>
  /// The row differences of the last change.
  private(set) var diff = RowDiff()
  /// The message ids passed to the last change callback.
  fileprivate(set) var notified: [String]?
  /// The number of loads of earlier messages.
  private(set) var pulls = 0
  private var failure: Failing?
  private var proxy: MessageListProxy?

  init(_ view: OwnView, _ messages: [OwnMessage], _ options: LayoutOptions<OwnMessage>) {
    // The callbacks of the view need `self`, so the list is initialized before with a plain view.
    list = MessageList(MessagesView(messages))
    let whole = view.view(of: messages, by: options, telling: self)
    let appears = whole.appears
    list = MessageList(
      whole.proxyOnAppear { [weak self] proxy in
        self?.proxy = proxy
        appears?(proxy)
      })
    list.appear()
  }

  func apply(_ change: MessageChange<OwnMessage>) { diff = list.apply(change) }

  func scroll(to id: String, _ edge: Viewport.Edge) -> Bool { proxy?.scrollTo(id, anchor: edge) ?? false }

  func refresh(failing reason: String?) async {
    failure = reason.map { Failing($0) }
    await list.refresh()
  }

  fileprivate func pull() async throws {
    pulls += 1
    // Refreshing again during a load does not start a second load.
    await list.refresh()
    if let failure { throw failure }
  }
}
