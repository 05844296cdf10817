// A list of messages that is there: laid out, scrolled, refreshed.

/// A view's messages laid out, with the place to which the list is scrolled.
///
/// It belongs to one place at a time: a view, a screen, a test. Whoever draws asks for ``layout`` and ``viewport``.
public final class MessageList<Message: MessageType, Output: MessageOutput, InputBar> {
  /// What the app wants; its messages are those with which the list began.
  public let view: MessagesView<Message, Output, InputBar>
  /// The rows.
  public private(set) var layout: MessageLayout<Message>
  /// To where the list is scrolled; nil before anything asked for a place.
  public var viewport: Viewport? { proxy.viewport }
  /// Whether earlier messages are being loaded.
  public private(set) var isRefreshing = false
  /// Why they could not be, the last time; a notice says so above the messages.
  public private(set) var refreshFailure: (any Error)?

  private lazy var proxy = MessageListProxy { [weak self] in self?.layout.row(ofMessage: $0)?.id }

  /// Lays out the messages of a view.
  public init(_ view: MessagesView<Message, Output, InputBar>) {
    self.view = view
    var options = view.options
    if options.customRenderers == nil { options.customRenderers = Set(view.builders.custom.keys) }
    layout = MessageLayout(view.messages, options: options)
  }

  /// The rows, from the top down.
  public var rows: MessageRows { layout.rows }

  /// What was wrong with what the app gave, and what was done about it.
  public var problems: [MessageListProblem] {
    view.builders.duplicateRenderers.map { .duplicateRenderer($0) }
      + layout.duplicates.sorted().map { .duplicateMessage($0) }
  }

  /// Tells that the list is on the screen.
  public func appear() { view.appears?(proxy) }

  /// Has other messages, all of them: what differs from those before is found here.
  @discardableResult
  public func setMessages(_ messages: [Message]) -> RowDiff {
    let kept = Set(messages.map(\.messageID))
    var change = MessageChange.put(messages)
    change.remove = layout.messages.map(\.messageID).filter { !kept.contains($0) }
    return apply(change)
  }

  /// Takes a change.
  @discardableResult
  public func apply(_ change: MessageChange<Message>) -> RowDiff { apply { $0.apply(change) } }

  /// Lays the messages out by other rules.
  @discardableResult
  public func apply(_ options: LayoutOptions<Message>) -> RowDiff { apply { $0.apply(options) } }

  private func apply(_ change: (inout MessageLayout<Message>) -> RowDiff) -> RowDiff {
    let place = viewport.flatMap { layout.layoutState.place(ofRow: $0.row) }
    let diff = change(&layout)
    if let viewport, layout.index(ofRow: viewport.row) == nil {
      proxy.viewport = place.flatMap { layout.layoutState.row(nearest: $0) }.map {
        Viewport(row: $0, edge: viewport.edge)
      }
    }
    if !diff.isEmpty { view.messagesChanged?(proxy, Array(layout.messages)) }
    return diff
  }

  /// Pulls the list down: does what the view says, unless that is being done already.
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

/// Something that an app gave to a list and cannot have meant.
public enum MessageListProblem: Hashable, Sendable, CustomStringConvertible {
  /// Several renderers were given for one id.
  case duplicateRenderer(String)
  /// Several messages that came in at once have one id.
  case duplicateMessage(String)

  /// One sentence: what is wrong, and what is done about it.
  public var description: String {
    switch self {
    case .duplicateRenderer(let id):
      "More than one renderer is registered for '\(id)': the first draws; take the others away."
    case .duplicateMessage(let id):
      "More than one message is called '\(id)': the last is shown; give each an id of its own."
    }
  }
}
