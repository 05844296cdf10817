// `verbatim query drafts`: what somebody has written and not sent.
internal import JSONLines
internal import Chat
internal import ChatViews
internal import EventLog
internal import Terminal
internal import Verbatim

/// Shows the drafts of somebody, a page at a time.
struct DraftsCommand: Command {
  static let name = "drafts"
  static let summary = "Shows what somebody has written and not sent."
  static let details = """
    Drafts are shown whether or not they are switched on. Where there are more than a page has, the
    last line says how to go on; later pages show what stood there when the first was read.

    --json shows a page as one line: position, drafts, and next, the token of the next page, where
    there is one. A draft has id, user, channel, thread, parent (id, author, text, deleted), content
    (text, mentions, attachments, command, quoted, showsInChannel, silent, extra, dismissedPreviews),
    created, updated, editedAt and device; what it does not have is left out.
    """

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace.", \.path),
      .option("user", "U", "Whose drafts; it cannot be left out.", \.user),
      .options(
        "sort", "KEY",
        "In which order: created, updated or channel, descending with :desc behind it; given again, it orders what "
          + "the keys before leave equal. created:desc unless told.", \.sorting),
      .option("page-size", "N", "Shows so many at most; 25 unless told.", \.pageSize),
      .option("offset", "N", "Passes over so many before the first page.", \.offset),
      .option("page", "TOKEN", "Goes on where the page before ended, in the same order.", \.cursor),
      .flag("json", "Shows the page as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var user: User.ID?
  var sorting: [DraftSort] = []
  var pageSize: Int?
  var offset: Int?
  var cursor: DraftCursor?
  var isJSON = false

  func contradiction() -> String? {
    if user == nil { return "--user is missing: say whose drafts, as in --user ada." }
    if pageSize == 0 { return "--page-size is 0 and must be 1 or more." }
    if offset != nil, cursor != nil { return "--offset counts before the first page: leave it out, or --page." }
    for (index, sort) in sorting.enumerated() where sorting[..<index].contains(where: { $0.key == sort.key }) {
      return "--sort names \(sort.key.word) twice: leave one out."
    }
    return nil
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    guard let user else { preconditionFailure("nobody asks") }
    let command = self
    let list = try Questioner(path: path, user: user).ask(in: context) { client async throws(Failure) in
      try await command.list(client)
    }
    var output = Output(context.output)
    try output.write(isJSON ? list.json : list.text(columns: WindowSize(of: context.output).columns))
    try output.flush()
    return .done
  }

  private var query: DraftListQuery {
    var query = DraftListQuery(pagination: Pagination(pageSize: pageSize ?? 25, offset: offset ?? 0))
    if !sorting.isEmpty { query.sorting = sorting }
    return query
  }

  private func list(_ client: Client) async throws(Failure) -> ListedDrafts {
    if let cursor, let end = try? client.workspace.head(), cursor.position > end {
      throw beyond(cursor.position, end)
    }
    do throws(ReadError) { return list(try await client.me.drafts(query, after: cursor)) } catch {
      throw Failure(error)
    }
  }

  private func beyond(_ position: Position, _ end: Position) -> Failure {
    Failure(
      .unable,
      "The page is of drafts as they stood at position \(position), and the log at \(path) ends at position \(end): "
        + "take the token that was shown for this workspace.")
  }

  private func list(_ page: DraftPage) -> ListedDrafts {
    ListedDrafts(page, isFirst: cursor == nil && offset ?? 0 == 0) { next in
      following(next)
    }
  }

  /// The command that shows the next page, as one types it.
  private func following(_ next: DraftCursor) -> String {
    var words = ["verbatim", "query", Self.name]
    words += option("user", user?.text ?? "")
    for sort in sorting { words += option("sort", sort.word) }
    if let pageSize { words += option("page-size", "\(pageSize)") }
    if isJSON { words.append("--json") }
    words += option("page", next.description)
    if path.hasPrefix("-") { words.append("--") }
    return (words + [path.quotedForShell]).joined(separator: " ")
  }

  private func option(_ name: String, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["--\(name)=\(value.quotedForShell)"] : ["--\(name)", value.quotedForShell]
  }
}

extension String {
  /// The text as one word of a shell: between quotes, unless nothing in it means anything there.
  fileprivate var quotedForShell: String {
    let plain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:,+@%".utf8.contains(byte)
      }
    }
    return plain && !isEmpty
      ? self
      : "'"
        + split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
  }
}
