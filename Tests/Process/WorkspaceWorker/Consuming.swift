// A consumer that replies to each message of the members, until the process is killed.
package import Verbatim

extension Worker {
  /// The consumer that the killed processes run.
  package static let consumer: Consumer.ID = "replies"

  /// Replies to each message that a member sent; passes all other events.
  static func consume(in workspace: Workspace) async throws {
    try await workspace.consume(as: consumer) { change, effects in
      guard case .message(let key, .sent) = change.event.change, change.event.origin.actor != .system else { return }
      effects.send("to \(key.id)", in: key.channel, id: ID(stringLiteral: "reply\(change.position)"))
    }
  }
}
