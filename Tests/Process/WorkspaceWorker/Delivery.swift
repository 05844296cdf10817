// Delivers the contents of an outbox; the process can be killed while it delivers.
import ChildProcess
import Verbatim

extension Worker {
  /// Delivers the contents of the outbox of a user's device, and reports it.
  static func deliver(_ path: String, of user: User.ID, on device: Device.ID, to workspace: Workspace) async throws {
    let outbox = try Outbox(at: path, user: user, device: device)
    say("ready")
    awaitLine()
    try await outbox.deliver(to: workspace)
    say("done")
    awaitLine()
    await outbox.close()
  }
}
