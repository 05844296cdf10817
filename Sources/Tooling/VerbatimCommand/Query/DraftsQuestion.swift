// `verbatim query drafts`: the unsent drafts of a user.
internal import Chat
internal import ChatProjections
internal import Verbatim

/// The query for the drafts of a user.
struct DraftsQuestion: Question {
  static let name = "drafts"
  static let summary = "Shows the drafts of a user."
  static let details = """
    Drafts are shown even if drafts are switched off.

    --json: drafts, each a DraftItem: key (user, channel, thread), content (text, mentions, attachments,
    command, quoted, showsInChannel, isSilent, extra, dismissedPreviews), channelName, parent, created,
    updated, edit.
    """
  static let examples = [
    "verbatim query drafts chat --as ada", "verbatim query drafts chat --as ada --sort channel --sort updated:desc",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .options(
        "sort", "KEY",
        "The sort key: created, updated or channel, with the suffix :desc for descending order; a further key sorts "
          + "drafts that are equal by the previous keys. Default created:desc.", \.sorting)
    ]
  }

  var sorting: [DraftSort] = []

  func contradiction() -> String? {
    for (index, sort) in sorting.enumerated() where sorting[..<index].contains(where: { $0.key == sort.key }) {
      return "--sort names \(sort.key.word) twice: leave one out."
    }
    return nil
  }

  func answer(_ reading: ClientReading, _ page: Page) throws(ReadError) -> Answer {
    let sorting = sorting.isEmpty ? [DraftSort(key: .createdAt, isAscending: false)] : sorting
    let found = try reading.drafts(sorting: sorting, offset: page.offset, limit: page.limit)
    let listed = ListedDrafts(drafts: found.drafts, times: page.times)
    return Answer(
      .lines { listed.lines(columns: $0) }, found.drafts, key: "drafts", called: "drafts", page,
      hasMore: found.next != nil)
  }
}

// MARK: Arguments

extension DraftSort: ArgumentValue {
  static var choices: [String] { Key.allCases.flatMap { [$0.word, $0.word + ":desc"] } }

  init(argument text: String) throws(ValueDefect) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = Key.allCases.first(where: { $0.word == parts[0] }),
      parts.count == 1 || parts[1] == "asc" || parts[1] == "desc"
    else { throw ValueDefect(expected: "created, updated or channel, or one of these with the suffix :asc or :desc") }
    self.init(key: key, isAscending: parts.last != "desc")
  }
}

extension DraftSort.Key {
  /// The name of the key on the command line.
  fileprivate var word: String {
    switch self {
    case .createdAt: "created"
    case .updatedAt: "updated"
    case .channel: "channel"
    }
  }
}
