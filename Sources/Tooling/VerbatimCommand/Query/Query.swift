// The command of a query: its user, position, instant, page and output format.
internal import Chat
internal import EventLog
internal import JSONLines
internal import Terminal
internal import Verbatim

/// A command that runs a query and prints the result.
struct Query<Asked: Question>: Command {
  static var name: String { Asked.name }
  static var summary: String { Asked.summary }
  static var examples: [String] { Asked.examples }

  static var details: String {
    let pages = """
      If there are more results, the last line has the command for the next page; all pages are of the
      position of the first.
      """
    return [Asked.details, Asked.isPaged ? pages : ""].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  static var parameters: [Parameter<Self>] {
    let own = Asked.parameters.map { $0.of(\Self.asked) }
    let paging: [Parameter<Self>] = [
      .option("limit", "N", "The page size; default 25.", \.limit),
      .option("offset", "N", "Skips this number of results before the first page.", \.offset),
      .option("page", "TOKEN", "Continues after the previous page.", \.page),
    ]
    return [.positional("DIR", "The directory of the workspace, or its address on a server.", \.path)]
      + own.filter { $0.kind == .positional }
      + [.option("as", "USER", "The user who queries; required.", \.user)]
      + own.filter { $0.kind != .positional } + [
        .option("at", "POINT", "The point of the log to show: \(LogPoint.forms); default its end.", \.point),
        .option(
          "now", "INSTANT",
          "The current time, for results that depend on it; default now, and with --at the time of the point.",
          \.instant),
      ] + (Asked.isPaged ? paging : []) + [
        .option("time-zone", "ZONE", "The time zone of shown times, as Europe/Berlin; default this machine's.", \.zone),
        .flag("json", "Shows the result as one line of JSON.", \.isJSON),
      ]
  }

  var path = ""
  var asked = Asked()
  var user: User.ID?
  var point: LogPoint?
  var instant: Timestamp?
  var limit: Int?
  var offset: Int?
  var page: PageToken?
  var zone: Zone?
  var isJSON = false

  func contradiction() -> String? {
    if user == nil { return "--as is missing: name the user who queries, as in --as ada." }
    if let defect = unusable(limit, of: "limit") { return defect }
    let others = [("at", point != nil), ("now", instant != nil), ("offset", offset != nil)]
    if page != nil, let other = others.first(where: \.1)?.0 {
      return "--page and --\(other) cannot be combined: leave one out."
    }
    return asked.contradiction()
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    guard let user else { preconditionFailure("the user is missing") }
    let command = self
    let questioner = QueryRunner(path: path, user: user, findsWords: Asked.findsWords)
    let answered = try questioner.ask(in: context) { client async throws(Failure) in try await command.ask(client) }
    var output = Output(context.output)
    try output.write(styled: isJSON ? json(answered) : text(answered, in: context))
    try output.flush()
    return .done
  }

  // MARK: Execution

  private func wanted(_ client: Client) -> Page {
    let most = Int(Int32.max)
    let offset = min(page?.offset ?? offset ?? 0, most)
    return Page(
      offset: offset, limit: min(limit ?? 25, most), times: Times(zone), store: client.workspace.store)
  }

  private func ask(_ client: Client) async throws(Failure) -> Answered {
    let (asked, wanted) = (asked, wanted(client))
    let queryContext = QueryContext(
      point: page.map { .position($0.position) } ?? point, zone: zone, instant: page?.instant ?? instant,
      option: page == nil ? "--at" : "--page", findsWords: Asked.findsWords)
    return try await queryContext.read(client) { reading in
      let answer = try asked.answer(reading, wanted)
      let next = PageToken(
        position: reading.position, offset: wanted.offset + wanted.limit, instant: reading.instant)
      return Answered(
        answer: answer, position: reading.position, instant: reading.instant, next: answer.hasMore ? next : nil)
    }
  }

  // MARK: Output

  private func json(_ answered: Answered) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("position", answered.position.rawValue)
      writer.member("instant", answered.instant.description)
      for member in answered.answer.members where member.value != .null { writer.member(member.key, member.value) }
      writer.member("next", answered.next?.description)
    }
    return writer.text + "\n"
  }

  private func text(_ answered: Answered, in context: Context) -> String {
    var lines = answered.answer.nothing.map { [$0] } ?? answered.answer.text.lines(for: context.output)
    if let next = answered.next { lines += ["", "Next page: \(following(next, context))"] }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the command line for the next page: this one, with another start.
  private func following(_ next: PageToken, _ context: Context) -> String {
    let replaced = ["--page", "--at", "--now", "--offset"]
    let arguments = context.arguments
    var (words, rest) = ([context.program], arguments[...])
    while let word = rest.popFirst() {
      if word == "--" {
        rest = arguments[(rest.startIndex - 1)...]
        break
      }
      if replaced.contains(word) {
        rest = rest.dropFirst()
      } else if !replaced.contains(where: { word.hasPrefix($0 + "=") }) {
        words.append(word)
      }
    }
    words += ["--page", next.description] + rest
    return words.map(\.quotedForShell).joined(separator: " ")
  }
}

/// The result of a query, with its position and instant.
private struct Answered: Sendable {
  let answer: Answer
  let position: Position
  let instant: Timestamp
  /// The start of the next page; nil when there is none.
  let next: PageToken?
}

extension Answer.Text {
  /// Returns the lines, fitted to the width and colors of a descriptor.
  func lines(for descriptor: Int32) -> [String] {
    let (columns, hasColors) = (WindowSize(of: descriptor).columns, Descriptor(descriptor).hasColors)
    return switch self {
    case .table(let table): table.lines(columns: columns, hasColors: hasColors)
    case .list(let list): list.lines(columns: columns, hasColors: hasColors)
    case .lines(let lines): lines(columns)
    }
  }
}

extension String {
  /// The text as one word of a shell: quoted, unless no character has a meaning there.
  ///
  /// A character that is printed as a visible sign is written as bytes, in the `$'…'` quotes of bash, zsh and ksh: a
  /// copied command names the same file.
  var quotedForShell: String {
    let plain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:,+@%=".utf8.contains(byte)
      }
    }
    if plain, !isEmpty { return self }
    if visible(inOneLine: true) != self { return "$'" + utf8.map(\.inShellQuotes).joined() + "'" }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension UInt8 {
  /// The byte within `$'…'`.
  fileprivate var inShellQuotes: String {
    switch self {
    case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(self))
    case 0x20..<0x7F: String(Unicode.Scalar(self))
    default: "\\x" + (self < 16 ? "0" : "") + String(self, radix: 16)
    }
  }
}
