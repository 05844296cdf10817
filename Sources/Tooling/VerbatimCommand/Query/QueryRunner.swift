// Who asks, and where: a workspace that is there, opened for one question.
internal import Chat
internal import EventLog
internal import EventLogLMDB
internal import Verbatim

/// Who asks, and where.
struct QueryRunner: Sendable {
  /// The directory of the workspace.
  let path: String
  /// Who asks.
  let user: User.ID
  /// Whether messages are found by their words, whose tables then have to be there.
  var findsWords = false

  /// Opens the workspace, which must be there, asks, and closes it.
  func ask<R: Sendable>(
    in context: Context, _ question: @escaping @Sendable (Client) async throws(Failure) -> R
  ) throws(Failure) -> R {
    DamageGuard.install(for: path, in: context)
    let workspace: Workspace
    var configuration = context.readingConfiguration
    configuration.searchesMessages = findsWords
    do throws(WorkspaceError) {
      workspace = try Workspace.open(at: path, creates: false, configuration: configuration)
    } catch {
      throw Failure(asking: error)
    }
    defer { workspace.closeBlocking() }
    let client = workspace.client(user: user)
    return try waited { () async throws(Failure) in try await question(client) }
  }
}

extension Failure {
  /// What a workspace that cannot be opened to be asked means for the exit code.
  init(asking error: WorkspaceError) {
    switch error {
    case .log(.missing(let path)):
      self.init(.unable, "There is no workspace at \(path): take the directory of one that is there.")
    case .log(let error): self.init(error)
    case .otherApplication, .projections: self.init(.unable, error.description)
    }
  }

  /// What an answer that was not given means for the exit code.
  init(_ error: ReadError) {
    switch error {
    case .refused(let refusal): self.init(.refused, refusal.description)
    case .projections: self.init(.unable, error.description)
    }
  }
}
