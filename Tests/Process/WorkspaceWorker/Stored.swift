// A worker that stores data and then reports it, to check that data is durable when a call returns.
import ChildProcess
import Verbatim

extension Worker {
  /// Stores one kind of data beside the log, and prints “ack” after each.
  static func store(_ kind: String, in workspace: Workspace) async throws {
    let path = workspace.path
    switch kind {
    case "entries":
      let outbox = try Outbox(at: path + "/outbox", user: user(0), device: "phone")
      for number in 0..<3 {
        let key = Message.Key(meeting, Message.ID(stringLiteral: "waiting\(number)"))
        try await outbox.add(.message(key, .send(Message.Content("Hello"))))
        say("ack entry \(number)")
      }
      await outbox.close()
    case "checkpoints":
      for number in 0..<2 {
        let key = Message.Key(meeting, Message.ID(stringLiteral: "said\(number)"))
        try await workspace.submit(.message(key, .send(Message.Content("Hello"))), by: .user(user(0)))
        _ = try workspace.projections.checkpoint()
        say("ack checkpoint \(number)")
      }
    case "blobs":
      for number in 0..<2 as Range<UInt8> {
        _ = try await workspace.blobs.add([number, 1, 2, 3])
        say("ack blob \(number)")
      }
    case "snapshots":
      try takeSnapshot(of: workspace)
      say("ack snapshot")
    case "backup":
      _ = try WorkspaceFiles(at: path).backUp(to: path + "/backup")
      say("ack backup")
    default: _ = try await populate(workspace, 1)
    }
    awaitLine()
  }

  private static func takeSnapshot(of workspace: Workspace) throws { _ = try workspace.takeSnapshot() }
}
