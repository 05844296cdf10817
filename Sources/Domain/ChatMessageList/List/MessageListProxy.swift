// To where a list is scrolled.

/// To where a list is scrolled: a row, and at which edge of the screen it is.
public struct Viewport: Hashable, Sendable {
  /// Which row.
  public var row: MessageRow.ID
  /// At which edge.
  public var edge: Edge

  /// A row at an edge.
  public init(row: MessageRow.ID, edge: Edge) { (self.row, self.edge) = (row, edge) }

  /// Where on the screen a row is.
  public enum Edge: Hashable, Sendable {
    /// At the top.
    case top
    /// In the middle.
    case center
    /// At the bottom.
    case bottom
  }
}

/// What scrolls a list.
public final class MessageListProxy {
  /// To where the list is scrolled; nil before anything asked for a place. It stays with its row, whatever comes or
  /// goes above; where that row goes, with the next that is left.
  public internal(set) var viewport: Viewport?
  /// The row of a message.
  private let row: (String) -> MessageRow.ID?

  init(_ row: @escaping (String) -> MessageRow.ID?) { self.row = row }

  /// Scrolls to a message; nothing happens where it has no row, or the list is there no more, and the
  /// answer is false.
  @discardableResult
  public func scrollTo(_ messageID: String, anchor: Viewport.Edge = .bottom) -> Bool {
    guard let row = row(messageID) else { return false }
    viewport = Viewport(row: row, edge: anchor)
    return true
  }
}
