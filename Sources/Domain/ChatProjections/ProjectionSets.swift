// The sets in which a chat keeps its projections.
internal import Tables
public import Projections

/// The projections of a chat, grouped into sets.
///
/// The projections of a set share a position and a table store: the state, for which deciders wait, is one set; all
/// others, which catch up behind it, are the other.
public struct ProjectionSets: Sendable {
  /// The state, with the index by which its rows are found.
  public let state: [any Projection.Type]
  /// All other projections: the full-text search and those of the app; may be empty.
  public let others: [any Projection.Type]

  /// Creates the sets of a chat, with or without full-text search, and with the app's own projections.
  public init(searchesMessages: Bool = true, own: [any Projection.Type] = []) {
    state = [ChatState.self]
    others = (searchesMessages ? [ChatSearch.self] : []) + own
  }

  /// The sets that are not empty.
  public var all: [[any Projection.Type]] { others.isEmpty ? [state] : [state, others] }

  /// Returns the directory of a workspace's projections: in the workspace directory, with symbolic links resolved.
  public static func directory(ofWorkspaceAt path: String) -> String { TableStore.resolved(path) + "/projections" }
}
