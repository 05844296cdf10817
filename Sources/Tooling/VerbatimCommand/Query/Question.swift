// The protocol of queries for `verbatim query`, and the form of their results.
internal import Chat
internal import EventLog
internal import JSONLines
internal import Verbatim

/// A query that a user of a workspace runs: a value whose properties are its arguments.
protocol Question: Sendable {
  /// The name behind `verbatim query`.
  static var name: String { get }
  /// The result of the query, in one sentence.
  static var summary: String { get }
  /// Further help text, with the keys of the result; may be empty.
  static var details: String { get }
  /// Example command lines.
  static var examples: [String] { get }
  /// The query's own parameters, besides those that all queries share.
  static var parameters: [Parameter<Self>] { get }
  /// Whether the result is paged.
  static var isPaged: Bool { get }
  /// Whether the query searches messages by text.
  static var findsWords: Bool { get }

  /// Creates the query with its initial values, before arguments are parsed.
  init()

  /// Returns the error in arguments that are valid one by one but not together; nil if there is none.
  func contradiction() -> String?

  /// Returns the result, as far as the user may see it.
  func answer(_ reading: ClientReading, _ page: Page) throws -> Answer
}

extension Question {
  static var details: String { "" }
  static var parameters: [Parameter<Self>] { [] }
  static var isPaged: Bool { true }
  static var findsWords: Bool { false }
  func contradiction() -> String? { nil }
}

/// The requested part of a long result, and the format of its times.
struct Page: Sendable {
  /// The number of items to skip.
  let offset: Int
  /// The maximum number of items.
  let limit: Int
  let times: Times
  /// The log, for details of single events.
  let store: EventStore

  /// The number of items through the end of the page.
  var reach: Int { offset + limit }

  /// Returns the page's part of all items, or of the first `reach` ones.
  func part<Item>(of items: [Item]) -> [Item] { Array(items.dropFirst(offset).prefix(limit)) }

  /// Reads the page from behind the cursor of the skipped items.
  ///
  /// A reading of the past omits items of a page that were deleted since. Items are skipped by their cursor because
  /// that counts the omitted ones, as the pages before did.
  func read<Found, Item, Cursor>(
    _ items: KeyPath<Found, [Item]>, _ next: KeyPath<Found, Cursor?>,
    _ read: (_ after: Cursor?, _ limit: Int) throws(ReadError) -> Found
  ) throws(ReadError) -> (items: [Item], hasMore: Bool) {
    var start: Cursor?
    if offset > 0 {
      start = try read(nil, offset)[keyPath: next]
      if start == nil { return ([], false) }
    }
    let found = try read(start, limit)
    return (found[keyPath: items], found[keyPath: next] != nil)
  }
}

/// The result of a query.
struct Answer: Sendable {
  /// The form of the result for people.
  enum Text: Sendable {
    case table(TextTable)
    case list(PropertyList)
    /// A function from a window's width to lines.
    case lines(@Sendable (Int) -> [String])
  }

  let text: Text
  /// The keys and values of the JSON output.
  var members: [JSON.Member]
  /// Whether more items follow the page.
  var hasMore = false
  /// The message for an empty result; nil where the result is not empty.
  var nothing: String?

  /// Creates a result of the properties of one thing.
  init(_ list: PropertyList, _ members: [JSON.Member]) { (text, self.members) = (.list(list), members) }

  /// Creates a page of items, each a row of text and a JSON value.
  init<Item>(
    _ items: [Item], key: String, called plural: String, _ page: Page, hasMore: Bool, as columns: [TextTable.Column],
    row: (Item) throws(ReadError) -> [String]
  ) throws(ReadError) {
    let rows = try items.map { item throws(ReadError) in try row(item) }
    self.init(.table(TextTable(columns, rows)), items, key: key, called: plural, page, hasMore: hasMore)
  }

  /// Creates a page of items with a given text form.
  init<Item>(_ text: Text, _ items: [Item], key: String, called plural: String, _ page: Page, hasMore: Bool) {
    (self.text, self.hasMore) = (text, hasMore)
    members = [JSON.Member(key: key, value: .array(items.map { JSON(of: $0) }))]
    guard items.isEmpty else { return }
    nothing =
      hasMore
      ? "The \(plural) of this page can no longer be seen." : "There are no \(page.offset > 0 ? "more " : "")\(plural)."
  }
}

/// The start of a page as one word: the position of the first page, the number of items before it, and the instant.
struct PageToken: Hashable, Sendable, CustomStringConvertible {
  let position: Position
  let offset: Int
  let instant: Timestamp

  var description: String { "\(position.rawValue).\(offset).\(instant.rawValue)" }
}

extension PageToken: ArgumentValue {
  init(argument text: String) throws(ValueDefect) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, isDigits(parts[0]), isDigits(parts[1]), let position = UInt64(parts[0]), position > 0,
      let offset = Int(parts[1]), let instant = Int64(parts[2]), instant.description == parts[2]
    else { throw ValueDefect(expected: "a page token, as shown by the previous page") }
    self.init(position: Position(rawValue: position), offset: offset, instant: Timestamp(rawValue: instant))
  }
}
