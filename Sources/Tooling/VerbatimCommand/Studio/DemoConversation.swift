// The generated conversation of `verbatim studio --demo`.
internal import Chat
internal import Foundation
internal import Verbatim

/// A generated conversation whose beginning is written at once, and the rest at the pace of its users.
struct DemoConversation: Sendable {
  private static let size = ConversationSize(users: 6, channels: 4, messages: 2_000, keystrokes: true)
  /// The number of messages that are written at once.
  private static let begunCount = 300

  private var conversation: ConversationGenerator

  /// Creates a workspace with the beginning, which ends now.
  init(at path: String, in context: Context) throws(Failure) {
    try requireNoLog(at: path, in: context)
    let start = Timestamp(rawValue: context.configuration.clock().rawValue - Self.duration.rawValue)
    conversation = ConversationGenerator(seed: 1, size: Self.size, startingAt: start)
    var generated = try GeneratedWorkspace(at: path, of: conversation, isErasable: false, in: context)
    defer { generated.close() }
    guard try generated.fill(with: &conversation, through: Self.begunCount, ahead: 64) else {
      throw Failure(.unable, "The demo was interrupted.")
    }
    conversation.isLive = true
  }

  /// The duration of the beginning.
  private static var duration: Microseconds {
    var conversation = ConversationGenerator(seed: 1, size: size)
    while conversation.sentCount < begunCount, conversation.next() != nil {}
    return conversation.now - ConversationGenerator.start
  }

  /// Submits the rest at the pace of its users, until the task is cancelled or the conversation ends.
  ///
  /// Nothing is submitted for users with an open page: a person acts for them. Submissions that are refused because a
  /// person has changed the chat are dropped.
  func goOn(in workspace: Workspace, besides tabs: ChatTabs) async {
    var conversation = conversation
    while !Task.isCancelled {
      // After the machine was suspended, missed moments are not submitted in a burst.
      conversation.advance(to: workspace.now)
      guard let moment = conversation.next() else { return }
      try? await Task.sleep(for: (moment.instant - workspace.now).duration)
      for submission in moment.submissions {
        if case .user(let user, _) = submission.actor, await tabs.users.contains(user) { continue }
        _ = try? await workspace.submit(submission)
      }
    }
  }
}

extension Microseconds {
  fileprivate var duration: Duration { .microseconds(max(0, rawValue)) }
}
