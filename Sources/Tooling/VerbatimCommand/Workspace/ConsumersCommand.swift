// `verbatim consumers`: lists the consumers of a workspace, skips an event of one, or ends one.
internal import Chat
internal import Errors
internal import EventLog
internal import JSONLines
internal import Projections
internal import Terminal
internal import Verbatim

/// The command that lists the consumers of a workspace.
struct ConsumersCommand: Command {
  static let name = "consumers"
  static let summary = "Shows the consumers of a workspace, how far each is, and whether anybody delivers."
  static let details = """
    A consumer is a named program that handles each event of the log once: a bot, or a job. `lag` is the
    number of events after its position.

    A consumer that cannot handle an event ends there, and again at each start. --skip with --through
    skips the events up to a position; --end removes the consumer, and its next start begins anew.

    The last line has the number of scheduled messages and reminders that are due, and the process that
    delivers them, as `verbatim deliver` does.

    --json: head, consumers, each with name, owner (the user who may run it; absent for the app), began,
    position, recorded (the position in the log), lag and process (absent if none runs it on this machine),
    and deliveries, with due and process.
    """
  static let examples = [
    "verbatim consumers chat", "verbatim consumers chat --skip poll-bot --through 1804",
    "verbatim consumers chat --end poll-bot",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .option("skip", "NAME", "Skips events of this consumer, up to --through.", \.skipped),
      .option("through", "POSITION", "The last skipped position.", \.through),
      .option("end", "NAME", "Ends this consumer and removes its position.", \.ended),
      .option("time-zone", "ZONE", "The time zone of shown times, as Europe/Berlin; default this machine's.", \.zone),
      .flag("json", "Shows one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var skipped: Consumer.ID?
  var through: Position?
  var ended: Consumer.ID?
  var zone: Zone?
  var isJSON = false

  func contradiction() -> String? {
    if skipped != nil, ended != nil { return "--skip and --end cannot be combined: leave one out." }
    if (skipped == nil) != (through == nil) { return "--skip and --through belong together: give both, or neither." }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let changes = skipped != nil || ended != nil
    let configuration = changes ? context.configuration : context.readingConfiguration
    let workspace = try openWorkspace(path, configuration, in: context)
    defer { workspace.closeBlocking() }
    if let skipped, let through {
      let end = try head(of: workspace)
      if through > end {
        throw Failure(.misused, "The log ends at position \(end): give --through a position that it has.")
      }
      try submit(.consumer(skipped, .skip(through: through.rawValue)), to: workspace)
    }
    if let ended { try submit(.consumer(ended, .end), to: workspace) }
    let consumers = try rethrow(
      workspace.consumersBlocking(), as: { (error: ProjectionError) in Failure(.unable, error.description) })
    let deliveries = try deliveries(of: workspace)
    let head = try head(of: workspace)
    var output = Output(context.output)
    if isJSON {
      try output.write(json(consumers, deliveries, head))
    } else {
      var lines = consumers.isEmpty ? ["There are no consumers."] : table(consumers).lines(for: context.output)
      lines += ["", "deliveries  \(deliveries.dueCount) due  \(place(of: deliveries.process))"]
      try output.write(styled: lines.map { $0 + "\n" }.joined())
    }
    try output.flush()
    return .done
  }

  private func head(of workspace: Workspace) throws(Failure) -> Position {
    try rethrow(workspace.head(), as: { (error: ProjectionError) in Failure(.unable, error.description) })
  }

  private func deliveries(of workspace: Workspace) throws(Failure) -> DeliveryStatus {
    try waited { () async throws(Failure) in
      do throws(ProjectionError) { return try await workspace.deliveryStatus() } catch {
        throw Failure(.unable, error.description)
      }
    }
  }

  private func place(of process: Int32?) -> String { process.map { "process \($0)" } ?? "not running here" }

  private func submit(_ intent: ChatIntent, to workspace: Workspace) throws(Failure) {
    do throws(SubmitError) { _ = try workspace.submitBlocking(Submission([intent], by: .system)) } catch {
      throw Failure(error.refusal == nil ? .unable : .refused, error.description)
    }
  }

  private func table(_ consumers: [ConsumerStatus]) -> Answer.Text {
    let times = Times(zone)
    let rows = consumers.map { status in
      [
        status.consumer.id.text, "\(status.position)", "\(status.lag)", times(status.consumer.advanced),
        place(of: status.process),
      ]
    }
    let columns: [TextTable.Column] = [
      .init("consumer", style: .bold), .init("position", isNumber: true), .init("lag", isNumber: true),
      .init("recorded"), .init(""),
    ]
    return .table(TextTable(columns, rows))
  }

  private func json(_ consumers: [ConsumerStatus], _ deliveries: DeliveryStatus, _ head: Position) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("head", head.rawValue)
      writer.key("consumers")
      writer.array { writer in
        for status in consumers {
          writer.object { writer in
            writer.member("name", status.consumer.id.text)
            writer.member("owner", status.consumer.owner?.text)
            writer.member("began", status.consumer.began.description)
            writer.member("position", status.position.rawValue)
            writer.member("recorded", status.consumer.handled)
            writer.member("lag", status.lag)
            writer.member("process", status.process.map { Int($0) })
          }
        }
      }
      writer.key("deliveries")
      writer.object { writer in
        writer.member("due", deliveries.dueCount)
        writer.member("process", deliveries.process.map { Int($0) })
      }
    }
    return writer.text + "\n"
  }
}
