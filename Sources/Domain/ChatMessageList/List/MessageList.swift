// The mutable state of a displayed message list: layout, viewport, swipe and refresh.

/// A displayed message list: the layout of a ``MessagesView``, its viewport, its swipe and its refresh state.
///
/// It belongs to one owner at a time: a view, a screen or a test. A renderer reads it.
public final class MessageList<Message: MessageType, Output: MessageOutput, InputBar> {
  /// The configuration given by the app; its `messages` are the initial messages.
  public let view: MessagesView<Message, Output, InputBar>
  /// The rows and messages of the list.
  public private(set) var layout: MessageLayout<Message>
  /// The current scroll position; nil until the app scrolls for the first time.
  public var viewport: Viewport? { proxy.viewport }
  /// Whether the list is swiped sideways, set by the app: the time of each message is then shown beside it, if
  /// ``MessagesView/showTimestampsOnSwipe(_:)`` allows it.
  public var isSwiped = false
  /// Whether earlier messages are being loaded.
  public private(set) var isRefreshing = false
  /// The error of the last refresh if it failed; a notice above the messages reports it.
  public private(set) var refreshFailure: (any Error)?

  private lazy var proxy = MessageListProxy { [weak self] in self?.layout.row(ofMessage: $0)?.id }

  /// Creates a list from the messages and options of a view.
  public init(_ view: MessagesView<Message, Output, InputBar>) {
    self.view = view
    var options = view.options
    if options.customRenderers == nil { options.customRenderers = Set(view.builders.custom.keys) }
    layout = MessageLayout(view.messages, options: options)
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
  public func apply(_ options: LayoutOptions<Message>) -> RowDiff { apply { $0.apply(options) } }

  private func apply(_ change: (inout MessageLayout<Message>) -> RowDiff) -> RowDiff {
    let sortKey = viewport.flatMap { layout.layoutState.sortKey(ofRow: $0.row) }
    let diff = change(&layout)
    if let viewport, layout.index(ofRow: viewport.row) == nil {
      proxy.viewport = sortKey.flatMap { layout.layoutState.row(nearest: $0) }.map {
        Viewport(row: $0, edge: viewport.edge)
      }
    }
    if !diff.isEmpty { view.messagesChanged?(proxy, Array(layout.messages)) }
    return diff
  }

  /// Runs the view's refresh handler, unless a refresh is already running.
  public func refresh(isolation: isolated (any Actor)? = #isolation) async {
    guard let refresh = view.refresh, !isRefreshing else { return }
    isRefreshing = true
    do {
      try await refresh()
      refreshFailure = nil
    } catch {
      refreshFailure = error
    }
    isRefreshing = false
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
