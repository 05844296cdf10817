// Workspaces of tests, in directories that go with them.
import Foundation
import Verbatim

/// A directory for a workspace, removed when it goes away.
final class WorkspaceFolder {
  let path: String

  init() { path = NSTemporaryDirectory() + "verbatim-workspace-tests-\(UUID().uuidString)" }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Opens the workspace in it.
  func open(_ choose: (inout Configuration) -> Void = { _ in }) throws -> Workspace {
    var configuration = Configuration()
    choose(&configuration)
    return try Workspace.open(at: path, configuration: configuration)
  }
}

extension Workspace {
  /// Makes users, and a channel of the first with the others in it.
  func populate(_ users: [User.ID] = ["ada", "ben"], _ channel: Channel.ID = "general") async throws {
    for user in users {
      try await submit(.user(user, .create(User.Profile(name: Wording(user.text)))), by: .user(user))
    }
    try await submit(
      .channel(channel, .create("team", Channel.Profile(), ChannelConfig(), members: Array(users.dropFirst()))),
      by: .user(users[0]))
  }

  /// Sends a message with a text.
  @discardableResult
  func send(
    _ text: String, _ id: Message.ID, by user: User.ID = "ada", in channel: Channel.ID = "general",
    as append: AppendID? = nil
  ) async throws(SubmitError) -> Submitted {
    try await submit(
      .message(Message.Key(channel, id), .send(Message.Content(Wording(text)))), by: .user(user), id: append)
  }

  /// The texts of a channel's messages, in order.
  func texts(of channel: Channel.ID = "general", for user: User.ID = "ada") async throws -> [String] {
    try await read { views in
      try views.chat.messages(in: channel, .latest, limit: 50, for: user).messages.map { $0.content.text.string }
    }
  }
}
