// The viewport of a list and the proxy that scrolls it.

/// A scroll position: a row and the screen edge at which it is aligned.
public struct Viewport: Hashable, Sendable {
  /// The aligned row.
  public var row: MessageRow.ID
  /// The screen edge at which the row is aligned.
  public var edge: Edge

  /// Creates a viewport that aligns a row at an edge.
  public init(row: MessageRow.ID, edge: Edge) { (self.row, self.edge) = (row, edge) }

  /// The alignment of a row on the screen.
  public enum Edge: Hashable, Sendable {
    /// The row is at the top of the screen.
    case top
    /// The row is in the middle of the screen.
    case center
    /// The row is at the bottom of the screen.
    case bottom
  }
}

/// A viewport with the sort key of its row, with which the nearest remaining row is found after its removal.
struct ViewportPlace {
  let viewport: Viewport
  let sortKey: MessageSortKey

  init(_ viewport: Viewport, _ sortKey: MessageSortKey) { (self.viewport, self.sortKey) = (viewport, sortKey) }
}

/// The handle with which an app scrolls a list.
public final class MessageListProxy {
  /// The current scroll position; nil until the app scrolls for the first time. It stays with its row while rows above
  /// are inserted or removed; if that row is removed, it moves to the next remaining row.
  public var viewport: Viewport? { place?.viewport }
  var place: ViewportPlace?
  /// The lookup of a message's row id and sort key.
  private let row: (String) -> (row: MessageRow.ID, sortKey: MessageSortKey)?

  init(_ row: @escaping (String) -> (row: MessageRow.ID, sortKey: MessageSortKey)?) { self.row = row }

  /// Scrolls to a message and returns true; a no-op that returns false if the message has no row or the list has been
  /// deallocated.
  @discardableResult
  public func scrollTo(_ messageID: String, anchor: Viewport.Edge = .bottom) -> Bool {
    guard let (row, sortKey) = row(messageID) else { return false }
    place = ViewportPlace(Viewport(row: row, edge: anchor), sortKey)
    return true
  }
}
