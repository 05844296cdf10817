// Which views a chat keeps in its directory, and which of them stand together.
internal import Tables
public import Projections

/// The views of a chat, in the sets in which they are kept.
///
/// The views of a set stand at one position and share a folder: the state, for which deciding waits; and all others,
/// which follow behind.
public struct ProjectionSets: Sendable {
  /// The state, with the index by which its rows are found.
  public let state: [any Projection.Type]
  /// All others: words that are searched for, and what an app has of its own; may be empty.
  public let others: [any Projection.Type]

  /// The views of a chat; whether messages are found by their words, and an app's own.
  public init(searchesMessages: Bool = true, own: [any Projection.Type] = []) {
    state = [ChatState.self]
    others = (searchesMessages ? [ChatSearch.self] : []) + own
  }

  /// The sets that have any view.
  public var all: [[any Projection.Type]] { others.isEmpty ? [state] : [state, others] }

  /// Where the views of a workspace are kept: in its directory, to which a link may lead.
  public static func directory(ofWorkspaceAt path: String) -> String { TableStore.resolved(path) + "/projections" }
}
