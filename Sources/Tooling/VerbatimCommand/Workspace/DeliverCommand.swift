// `verbatim deliver`: sends scheduled messages and records reminders when they are due.
internal import Chat
internal import Terminal
internal import Verbatim

/// The command that delivers what is due.
struct DeliverCommand: Command {
  static let name = "deliver"
  static let summary = "Sends scheduled messages and records reminders when they are due."
  static let details = """
    It runs until it is interrupted; with --once it delivers what is due now, and prints how much that was. Of
    several processes that deliver one works, and another takes over within a second of its end. It decides by the
    rules of this program: an app with other rules delivers in a process of its own.

    --json: with --once, delivered, the number of deliveries.
    """
  static let examples = ["verbatim deliver chat", "verbatim deliver chat --once"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .flag("once", "Delivers what is due now, and ends.", \.isOnce),
      .flag("json", "With --once, shows one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var isOnce = false
  var isJSON = false

  func contradiction() -> String? { isJSON && !isOnce ? "--json belongs to --once: add it." : nil }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let workspace = try openWorkspace(path, context.configuration, in: context)
    defer { workspace.closeBlocking() }
    if isOnce {
      let count = try waited { () async throws(Failure) in
        do throws(ConsumerError) { return try await workspace.deliverDue() } catch { throw Failure(error) }
      }
      var output = Output(context.output)
      try output.write(isJSON ? "{\"delivered\":\(count)}\n" : "Delivered \(count).\n")
      try output.flush()
      return .done
    }
    try untilInterrupted(in: context) { () async throws(Failure) in
      do throws(ConsumerError) { try await workspace.deliverContinuously() } catch { throw Failure(error) }
    }
    return .done
  }
}

extension Failure {
  fileprivate init(_ error: ConsumerError) { self.init(.unable, error.description) }
}
