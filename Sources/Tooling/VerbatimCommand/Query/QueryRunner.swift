// Opens an existing workspace for one query of a user.
internal import Chat
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import Verbatim

/// A runner of queries on one workspace, as one user.
struct QueryRunner: Sendable {
  /// The directory of the workspace.
  let path: String
  /// The user who runs the query.
  let user: User.ID
  /// Whether the query searches messages by text, which requires the search tables.
  var findsWords = false

  /// Opens the existing workspace, runs the query, and closes the workspace.
  func ask<R: Sendable>(
    in context: Context, _ question: @escaping @Sendable (Client) async throws(Failure) -> R
  ) throws(Failure) -> R {
    DamageGuard.install(for: path, in: context)
    var configuration = context.readingConfiguration
    configuration.searchesMessages = findsWords
    let workspace = try rethrow(
      Workspace.open(at: path, creates: false, configuration: configuration), as: Failure.init(asking:))
    defer { workspace.closeBlocking() }
    let client = workspace.client(user: user)
    return try waited { () async throws(Failure) in try await question(client) }
  }
}

extension Failure {
  /// Creates the failure for a workspace that cannot be opened for a query.
  init(asking error: WorkspaceError) {
    switch error {
    case .log(.missing(let path)):
      self.init(.unable, "There is no workspace at \(path): give the directory of an existing one.")
    case .log(let error): self.init(error)
    case .otherApplication, .erasableOnServer, .keys, .projections: self.init(.unable, error.description)
    }
  }

  /// Creates the failure for a query that was refused or could not be read.
  init(_ error: ReadError) {
    switch error {
    case .refused(let refusal): self.init(.refused, refusal.description)
    case .projections: self.init(.unable, error.description)
    }
  }
}
