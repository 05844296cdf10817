// The mutable state of a displayed message list: layout, viewport, swipe and refresh.

/// A displayed message list: the layout of a ``MessagesView``, its viewport, its swipe and its refresh state.
///
/// It belongs to one owner at a time: a view, a screen or a test. A renderer reads it.
public final class MessageList<Message: MessageType, Output: MessageOutput, InputBar> {
  /// The configuration given by the app; its `messages` are the initial messages.
  public let view: MessagesView<Message, Output, InputBar>
  /// The rows and messages of the list; those of the view's source if it has one.
  public var layout: MessageLayout<Message> { view.source?.layout() ?? ownLayout }
  /// The current scroll position; nil until the app scrolls for the first time.
  public var viewport: Viewport? { proxy.viewport }
  /// Whether the list is swiped sideways, set by the app: the time of each message is then shown beside it, if
  /// ``MessagesView/showTimestampsOnSwipe(_:)`` allows it.
  public var isSwiped = false
  /// Whether messages are being loaded: earlier ones, or the first ones of a source.
  public var isRefreshing: Bool { runsRefresh || view.source?.isLoading() ?? false }
  /// The error of the last refresh if it failed; a notice above the messages reports it.
  public private(set) var refreshFailure: (any Error)?

  /// The layout of a view without a source.
  private var ownLayout: MessageLayout<Message>
  private var runsRefresh = false
  private lazy var proxy = MessageListProxy { [weak self] in self?.place(ofMessage: $0) }

  /// Creates a list from the messages and options of a view; the layout of a source takes over the options.
  public init(_ view: MessagesView<Message, Output, InputBar>) {
    self.view = view
    var options = view.options
    if options.customRenderers == nil { options.customRenderers = Set(view.builders.custom.keys) }
    ownLayout = MessageLayout(view.messages, options: options)
    guard let source = view.source else { return }
    _ = source.layOut(options)
    source.observe(self) { [weak self] in self?.follow($0) }
  }

  /// The rows, from top to bottom.
  public var rows: MessageRows { layout.rows }

  /// Problems found in the app's input, with how each was resolved.
  public var problems: [MessageListProblem] {
    view.builders.duplicateRenderers.map { .duplicateRenderer($0) }
      + layout.duplicates.sorted().map { .duplicateMessage($0) }
  }

  /// Calls the view's `proxyOnAppear` handler: the list is on the screen.
  public func appear() { view.appears?(proxy) }

  /// Scrolls to a message and returns true; a no-op that returns false if the message has no row.
  @discardableResult
  public func scrollTo(_ messageID: String, anchor: Viewport.Edge = .bottom) -> Bool {
    proxy.scrollTo(messageID, anchor: anchor)
  }

  /// Replaces all messages and returns the row diff.
  @discardableResult
  public func setMessages(_ messages: [Message]) -> RowDiff {
    let kept = Set(messages.map(\.messageID))
    var change = MessageChange.put(messages)
    change.remove = layout.messages.map(\.messageID).filter { !kept.contains($0) }
    return apply(change)
  }

  /// Applies a change and returns the row diff.
  @discardableResult
  public func apply(_ change: MessageChange<Message>) -> RowDiff { apply { $0.apply(change) } }

  /// Lays out all messages by new options and returns the row diff.
  @discardableResult
  public func apply(_ options: LayoutOptions<Message>) -> RowDiff {
    view.source?.layOut(options) ?? apply { $0.apply(options) }
  }

  private func apply(_ change: (inout MessageLayout<Message>) -> RowDiff) -> RowDiff {
    // A source calls its observers itself.
    if let source = view.source { return source.apply(change) }
    let diff = change(&ownLayout)
    follow(diff)
    return diff
  }

  /// Moves the viewport if its row was removed, and calls the app if rows changed.
  private func follow(_ diff: RowDiff) {
    if let viewport = proxy.place?.viewport, let sortKey = proxy.place?.sortKey {
      let state = layout.layoutState
      let row = state.index(ofRow: viewport.row) == nil ? state.row(nearest: sortKey) : viewport.row
      proxy.place = row.map { ViewportPlace(Viewport(row: $0, edge: viewport.edge), state.sortKey(ofRow: $0)) }
    }
    if !diff.isEmpty { view.messagesChanged?(proxy, Array(layout.messages)) }
  }

  private func place(ofMessage id: String) -> (row: MessageRow.ID, sortKey: MessageSortKey)? {
    layout.row(ofMessage: id).map { ($0.id, layout.layoutState.sortKey(ofRow: $0.id)) }
  }

  /// Runs the view's refresh handler, unless earlier messages are already being loaded.
  public func refresh(isolation: isolated (any Actor)? = #isolation) async {
    guard let refresh = view.refresh, !isRefreshing else { return }
    let hadFailed = refreshFailure != nil
    runsRefresh = true
    do {
      try await refresh()
      refreshFailure = nil
    } catch {
      refreshFailure = error
    }
    runsRefresh = false
    // A source shows its own failures; only one of the handler is to be shown or taken back.
    if view.source != nil, refreshFailure == nil, !hadFailed { return }
    var change = MessageChange<Message>()
    change.olderFailed = refreshFailure != nil
    apply(change)
  }
}

/// A problem in the input of an app to a list.
public enum MessageListProblem: Hashable, Sendable, CustomStringConvertible {
  /// Several renderers are registered for one id.
  case duplicateRenderer(String)
  /// Several messages of one change have the same id.
  case duplicateMessage(String)

  /// One sentence that names the problem and the resolution.
  public var description: String {
    switch self {
    case .duplicateRenderer(let id):
      "More than one renderer is registered for '\(id)': the first is used; remove the others."
    case .duplicateMessage(let id):
      "More than one message has the id '\(id)': the last is shown; give each its own id."
    }
  }
}
