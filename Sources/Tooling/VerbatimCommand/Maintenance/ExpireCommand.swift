// `verbatim expire`: erases content of an erasable workspace some days after it was written.
internal import Chat
internal import ContentKeys
internal import Errors
internal import Locks
internal import Verbatim

/// The command that erases what a policy does not keep.
struct ExpireCommand: Command {
  static let name = "expire"
  static let summary = "Erases what was written some days ago from an erasable workspace."
  static let details = """
    Content of a day (UTC) is kept for the number of days that follow it. What expires is erased as by
    `verbatim erase`: its keys are destroyed, and the tables are built anew, if
    there is anything. A draft expires with what was typed, by the day on which it was saved.

    It runs until it is interrupted, and erases at once and after each day; with --once it ends. Of several
    processes one works, and another takes over within a second of its end. For channels with other numbers
    of days, run it once more with --channel, and leave these out of the first with --except.

    --json: position, keysDestroyed and completed (positions), of each erasure.
    """
  static let examples = [
    "verbatim expire chat --typed 30", "verbatim expire chat --typed 30 --messages 365 --except news --once",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace.", \.path),
      .option("typed", "DAYS", "The days for which what was typed and drafted is kept.", \.typed),
      .option("messages", "DAYS", "The days for which messages are kept.", \.messages),
      .options("channel", "ID", "Only in this channel; can be repeated.", \.channels),
      .options("except", "ID", "Not in this channel; can be repeated.", \.exceptions),
      .flag("once", "Erases what has expired now, and ends.", \.isOnce),
      .flag("json", "Reports lines of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var typed: DayCount?
  var messages: DayCount?
  var channels: [String] = []
  var exceptions: [String] = []
  var isOnce = false
  var isJSON = false

  func contradiction() -> String? {
    if typed == nil, messages == nil { return "Give --typed or --messages, with a number of days." }
    if !channels.isEmpty, !exceptions.isEmpty { return "Give --channel or --except, not both." }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    try requireDirectory(path, orElse: "erase content where the directory is")
    let policy = try policy()
    let workspace = try openWorkspace(path, context.erasingConfiguration, in: context)
    defer { workspace.closeBlocking() }
    if isOnce {
      let erasures = try waited { () async throws(Failure) in
        do throws(MaintenanceError) { return try await workspace.expire(policy) } catch { throw Failure(error) }
      }
      try context.report(report(erasures))
      return .done
    }
    let failure = Locked<Failure?>(nil)
    try untilInterrupted(in: context) { () async throws(Failure) in
      do throws(MaintenanceError) {
        try await workspace.expireContinuously(policy) { erasures in
          do throws(Failure) { try context.report(report(erasures)) } catch {
            failure.withLock { $0 = error }
            withUnsafeCurrentTask { $0?.cancel() }
          }
        }
      } catch {
        throw Failure(error)
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return .done
  }

  private func policy() throws(Failure) -> RetentionPolicy {
    let retention = Retention(typing: typed?.count, messages: messages?.count)
    var policy = RetentionPolicy(channels.isEmpty ? retention : Retention())
    for text in channels + exceptions {
      guard let channel = Channel.ID(rawValue: text) else {
        throw Failure(.misused, "“\(text)” is not the id of a channel: give one, as general.")
      }
      policy.channels[channel] = channels.isEmpty ? Retention() : retention
    }
    return policy
  }

  private func report(_ erasures: [Erasure]) -> String {
    if isJSON { return erasures.map(\.json).joined() }
    if erasures.isEmpty { return "Nothing has expired.\n" }
    return erasures.map { $0.sentence(in: path) }.joined()
  }
}

/// A number of days, from 0.
struct DayCount: ArgumentValue, Sendable {
  /// The number.
  let count: Int

  init(argument text: String) throws(ValueDefect) {
    guard let count = Int(text), count >= 0 else { throw ValueDefect(expected: "a number of days, as 30") }
    self.count = count
  }
}
