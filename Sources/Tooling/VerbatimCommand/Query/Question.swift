// What a question of `verbatim query` is, and what its answer.
internal import Chat
internal import EventLog
internal import JSONLines
internal import Verbatim

/// A question that one of the users of a workspace asks: a value whose properties are its arguments.
protocol Question: Sendable {
  /// What it is called behind `verbatim query`.
  static var name: String { get }
  /// What is asked, in one sentence.
  static var summary: String { get }
  /// What else one must know to use it, and the keys of what it answers; may be empty.
  static var details: String { get }
  /// How it may be asked.
  static var examples: [String] { get }
  /// Its arguments besides those that all questions have.
  static var parameters: [Parameter<Self>] { get }
  /// Whether its answer comes in pages.
  static var isPaged: Bool { get }
  /// Whether it finds messages by their words.
  static var findsWords: Bool { get }

  /// The question before any argument was read.
  init()

  /// Says what is wrong with arguments that are right each for itself; nil for nothing.
  func contradiction() -> String?

  /// Its answer, as somebody may have it.
  func answer(_ reading: ClientReading, _ page: Page) throws -> Answer
}

extension Question {
  static var details: String { "" }
  static var parameters: [Parameter<Self>] { [] }
  static var isPaged: Bool { true }
  static var findsWords: Bool { false }
  func contradiction() -> String? { nil }
}

/// Which part of a long answer is wanted, and how times are told.
struct Page: Sendable {
  /// How many are passed over.
  let offset: Int
  /// How many are wanted at most.
  let limit: Int
  let times: Times
  /// The log, for what is told of single events.
  let store: EventStore

  /// How many to ask for, so that those behind the passed over are among them.
  var reach: Int { offset + limit }

  /// The part of the first ones that is wanted.
  func part<Item>(of items: [Item]) -> [Item] { Array(items.dropFirst(offset).prefix(limit)) }
}

/// What a question is answered with.
struct Answer: Sendable {
  /// How it is shown to people.
  enum Text: Sendable {
    case table(TextTable)
    case list(PropertyList)
    /// What makes lines for a window of some columns.
    case lines(@Sendable (Int) -> [String])
  }

  let text: Text
  /// The keys and values that programs are shown.
  var members: [JSON.Member]
  /// Whether there is more behind the page.
  var hasMore = false
  /// What is said where there is nothing to show; nil where there is something.
  var nothing: String?

  /// Properties of one thing.
  init(_ list: PropertyList, _ members: [JSON.Member]) { (text, self.members) = (.list(list), members) }

  /// A page of things, each a row for people and a value for programs.
  init<Item>(
    _ items: [Item], key: String, called plural: String, _ page: Page, hasMore: Bool, as columns: [TextTable.Column],
    row: (Item) throws(ReadError) -> [String]
  ) throws(ReadError) {
    let rows = try items.map { item throws(ReadError) in try row(item) }
    self.init(.table(TextTable(columns, rows)), items, key: key, called: plural, page, hasMore: hasMore)
  }

  /// A page of things that are shown in some way.
  init<Item>(_ text: Text, _ items: [Item], key: String, called plural: String, _ page: Page, hasMore: Bool) {
    (self.text, self.hasMore) = (text, hasMore)
    members = [JSON.Member(key: key, value: .array(items.map { JSON(of: $0) }))]
    if items.isEmpty { nothing = "There are no \(page.offset > 0 ? "more " : "")\(plural)." }
  }
}

/// Where a page begins, as one word: the position of the first page, how many come before it, and the instant.
struct PageToken: Hashable, Sendable, CustomStringConvertible {
  let position: Position
  let offset: Int
  let instant: Instant

  var description: String { "\(position.rawValue).\(offset).\(instant.rawValue)" }
}

extension PageToken: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, isDigits(parts[0]), isDigits(parts[1]), let position = UInt64(parts[0]), position > 0,
      let offset = Int(parts[1]), let instant = Int64(parts[2]), instant.description == parts[2]
    else { throw ValueDefect(expected: "a token of a page, as the page before shows it") }
    self.init(position: Position(rawValue: position), offset: offset, instant: Instant(rawValue: instant))
  }
}
