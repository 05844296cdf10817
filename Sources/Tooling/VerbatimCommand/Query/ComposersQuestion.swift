// `verbatim query composers` and `verbatim query commands`: composers of a user, and the slash commands executed from
// them.
internal import Chat
internal import ChatComposer
internal import ChatProjections
internal import Terminal
internal import Verbatim

/// The query for the composers of a user that are open or have content.
struct ComposersQuestion: Question {
  static let name = "composers"
  static let summary = "Shows the composers of a user, on each device."
  static let details = """
    --json: composers, each with key (user, device, channel, thread), state, content, selection, editing,
    aside, asideState, picker, showsCommands, execution, isTouched, isOpen, typed.
    """
  static let examples = [
    "verbatim query composers chat --as ada", "verbatim query composers chat --as ada --channel general",
  ]
  static var parameters: [Parameter<Self>] {
    [.option("channel", "CHANNEL", "Only in this channel.", \.channel)]
  }

  var channel: Channel.ID?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let composers = try reading.composers(in: channel)
    let columns: [TextTable.Column] = [
      .init("device"), .init("for", style: .bold), .init("typed last"), .init("state"), .init("what", isCut: true),
    ]
    return try Answer(
      page.part(of: composers), key: "composers", called: "composers", page, hasMore: composers.count > page.reach,
      as: columns
    ) { composer throws(ReadError) in
      let state = [composer.isOpen ? "open" : "left", composer.state == .new ? "" : composer.state.text]
      return [
        composer.key.device.text, composer.key.targetText, composer.typed.map { page.times($0) } ?? "",
        state.filter { !$0.isEmpty }.joined(separator: ", "), composer.words,
      ]
    }
  }
}

/// The query for the slash commands that a user executed.
struct CommandsQuestion: Question {
  static let name = "commands"
  static let summary = "Shows the commands executed by a user with their outcomes, the last first."
  static let details = """
    --json: commands, each with composer (user, device, channel, thread), execution (id, command, arguments),
    began, position, and end (outcome, at) if it has ended.
    """
  static let examples = [
    "verbatim query commands chat --as ada", "verbatim query commands chat --as ada --channel general --json",
  ]
  static var parameters: [Parameter<Self>] {
    [.option("channel", "CHANNEL", "Only in this channel.", \.channel)]
  }

  var channel: Channel.ID?

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let found = try page.read(\.commands, \.next) { cursor, limit throws(ReadError) in
      try reading.commands(in: channel, after: cursor, limit: limit)
    }
    let columns: [TextTable.Column] = [
      .init("began"), .init("in"), .init("command", isCut: true, style: .bold), .init("outcome", isCut: true),
    ]
    return try Answer(
      found.items, key: "commands", called: "commands", page, hasMore: found.hasMore, as: columns
    ) { run throws(ReadError) in
      let command = [run.execution.command.words, run.execution.arguments.string].filter { !$0.isEmpty }
      return [
        page.times(run.began), run.composer.targetText, command.joined(separator: " "),
        run.end?.outcome.words ?? "is executing",
      ]
    }
  }
}

// MARK: Descriptions

extension Composer {
  fileprivate var words: String {
    let words = content.hasContent ? content.words : "(nothing)"
    let running = execution.map { [" [executes \($0.command.words)]"] } ?? []
    return words + (content.marks.map { " [\($0)]" } + running).joined()
  }
}

extension Composer.Key {
  /// The channel, and the thread if any, that the composer writes to.
  fileprivate var targetText: String { channel.text + (thread.map { " › \($0.text)" } ?? "") }
}

extension CommandRun.Outcome {
  fileprivate var words: String {
    switch self {
    case .executed: "executed"
    case .failed(let failure): "failed: \(failure.sentence)"
    case .interrupted: "interrupted: the outcome is unknown"
    }
  }
}
