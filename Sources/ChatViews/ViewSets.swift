// Which views a chat keeps in its directory, and which of them stand together.
internal import Tables
public import Views

/// The views of a chat, in the sets in which they are kept.
///
/// The views of a set stand at one position and share a folder: the state, for which deciding waits; and all others,
/// which follow behind.
public struct ViewSets: Sendable {
  /// The state, with the index by which its rows are found.
  public let state: [any View.Type]
  /// All others: words that are searched for, and what an app has of its own; may be empty.
  public let others: [any View.Type]

  /// The views of a chat; whether messages are found by their words, and an app's own.
  public init(searchesMessages: Bool = true, own: [any View.Type] = []) {
    state = [ChatState.self]
    others = (searchesMessages ? [ChatSearch.self] : []) + own
  }

  /// The sets that have any view.
  public var all: [[any View.Type]] { others.isEmpty ? [state] : [state, others] }

  /// Where the views of a workspace are kept: in its directory, to which a link may lead.
  public static func directory(ofWorkspaceAt path: String) -> String { Folder.resolved(path) + "/views" }
}
