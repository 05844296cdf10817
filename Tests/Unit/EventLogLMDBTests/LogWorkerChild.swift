// The worker of these tests as a child process.
import ChildProcess

extension Child {
  /// The path of the worker.
  static let workerPath = path(ofWorker: "LogWorker")

  /// Starts the worker with arguments.
  static func worker(_ arguments: String...) throws -> Child { try Child([workerPath] + arguments) }
}
