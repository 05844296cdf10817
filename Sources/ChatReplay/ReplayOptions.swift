// How a log is folded again.
public import ChatViews

/// How a log is folded again.
public struct ReplayOptions: Sendable {
  /// Which views are folded.
  public var views = ViewSets()
  /// How many events are folded before rows are written; nil for as many as are quickest.
  public var batch: Int?

  /// A fold of everything that a chat keeps, as quick as it goes.
  public init() {}
}
