// `verbatim show`: renders a channel as a user sees it, as text or as an HTML page.
internal import Chat
internal import ChatMessageList
internal import ChatRendering
internal import TerminalRendering
internal import ChatProjections
internal import EventLog
internal import Foundation
internal import Terminal
internal import Verbatim
internal import VerbatimUI

/// The command that renders the messages of a channel, or of a thread in it.
struct ShowCommand: Command {
  static let name = "show"
  static let summary = "Renders a channel as a user sees it, now or at an earlier position."
  static let details = """
    Text fits the terminal, in colors if the output is a terminal and NO_COLOR is not set. HTML is a
    self-contained page without scripts; it loads nothing, and links to pictures.
    """
  static let examples = [
    "verbatim show chat general --as ada", "verbatim show chat general --as ada --at 1200",
    "verbatim show chat general --as ada --at -2h30m",
    "verbatim show chat general --as ada --format html > general.html",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace, or its address on a server.", \.path),
      .positional("CHANNEL", "The channel.", \.channel),
      .option("as", "USER", "The user who looks; required.", \.user),
      .option("thread", "MESSAGE", "Shows the thread of this message.", \.thread),
      .option("around", "MESSAGE", "Shows this message and its neighbors; default the newest.", \.around),
      .option("limit", "N", "The maximum number of messages; default 100.", \.limit),
      .option("at", "POINT", "The point of the log to show: \(LogPoint.forms); default its end.", \.point),
      .option("format", "FORMAT", "text or html; default text.", \.format),
      .option("time-zone", "ZONE", "The time zone of shown times, as Europe/Berlin; default this machine's.", \.zone),
      .option("columns", "N", "The width of text; default that of the terminal, or 80.", \.columns),
    ]
  }

  var path = ""
  var channel: Channel.ID = "general"
  var user: User.ID?
  var thread: Message.ID?
  var around: Message.ID?
  var limit: Int?
  var point: LogPoint?
  var format: Format?
  var zone: Zone?
  var columns: Int?

  /// The output format.
  enum Format: String, CaseIterable {
    case text, html
  }

  func contradiction() -> String? {
    if user == nil { return "--as is missing: name the user who looks, as in --as ada." }
    if let defect = unusable(limit, of: "limit") ?? unusable(columns, of: "columns", max: 1_000) { return defect }
    if columns != nil, format == .html {
      return "--columns applies to text only: leave it out, or leave --format html out."
    }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    guard let user else { preconditionFailure("the user is missing") }
    let command = self
    let conversation = try QueryRunner(path: path, user: user).ask(in: context) { client async throws(Failure) in
      try await command.read(client)
    }
    var output = Output(context.output)
    let drawn = draw(conversation, context.words, for: context.output)
    if format == .html { try output.write(Array(drawn.utf8)) } else { try output.write(styled: drawn) }
    try output.flush()
    return .done
  }

  // MARK: Reading

  private func read(_ client: Client) async throws(Failure) -> Conversation {
    let (channel, thread, limit) = (channel, thread, limit ?? 100)
    let span = around.map { MessageSpan.around($0) } ?? .latest
    return try await QueryContext(point: point, zone: zone).read(client) { reading in
      try reading.conversation(in: channel, thread: thread, span, limit: limit)
    }
  }

  // MARK: Drawing

  private func draw(_ conversation: Conversation, _ words: RenderingWords, for descriptor: Int32) -> String {
    var calendar = Calendar.gregorianInUTC
    calendar.timeZone = zone?.timeZone ?? .current
    var options = LayoutOptions<ChatMessage>.verbatim
    options.calendar = calendar
    let names = conversation.names
    var context = RenderingContext()
    context.words = words
    context.calendar = calendar
    context.name = { names[$0] ?? $0 }
    let layout = conversation.layout(options)
    if format == .html {
      let page = PageFactory(context).page(
        title: context.title(of: conversation.channel), PageFactory(context).drawList(layout))
      return page.referringToMarksOfDirection
    }
    let columns = columns ?? WindowSize(of: descriptor).columns
    return PlainTextFactory(columns: columns, context: context).drawList(layout)
      .text(columns: columns, hasColors: Descriptor(descriptor).hasColors) + "\n"
  }
}

extension String {
  /// The page with character references for bidirectional controls, which a browser applies and a terminal does not.
  fileprivate var referringToMarksOfDirection: String {
    var page = ""
    page.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
        page += "&#x" + String(scalar.value, radix: 16) + ";"
      default: page.unicodeScalars.append(scalar)
      }
    }
    return page
  }
}

// MARK: Arguments

extension ShowCommand.Format: ArgumentValue {
  static var choices: [String] { allCases.map(\.rawValue) }

  init(argument text: String) throws(ValueDefect) {
    guard let format = Self(rawValue: text) else { throw ValueDefect(expected: "text or html") }
    self = format
  }
}

/// A time zone given by its name.
struct Zone: ArgumentValue {
  let timeZone: TimeZone

  init(argument text: String) throws(ValueDefect) {
    guard let timeZone = TimeZone(identifier: text) else {
      throw ValueDefect(expected: "the name of a time zone, as UTC or Europe/Berlin")
    }
    self.timeZone = timeZone
  }
}
