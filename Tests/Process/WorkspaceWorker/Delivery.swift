// Delivering what waits in an outbox, by a process that may be killed while it is at it.
import ChildProcess
import Verbatim

extension Worker {
  /// Delivers what waits in the outbox of a device of somebody's, and says so.
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
