// What messages are found by: the words that were said, as a view of its own.
internal import Chat
internal import ChatCodec
public import EventLog
public import Projections

/// The words of all messages, by which they are found.
///
/// An app that does without need not open it. What is found is read from ``ChatState``, which has to be open beside it.
/// What its tables hold stands in <doc:SearchTables>.
public struct ChatSearch: Projection {
  /// What it is called.
  public static let name = "search"

  /// The form of its rows, how letters are folded, and what the codec can read.
  public static let revision = searchRevision

  /// What its tables are called.
  public static let tableNames = searchTableNames

  package static let cut = SearchCut()

  private var fold: SearchFold

  /// The words, with their tables as somebody left them.
  public init(_ tables: ProjectionTables) { fold = SearchFold(tables, of: Self.self) }

  /// Folds an event; throws ``/ChatCodec/UnreadableEvent`` at one that cannot be read.
  public mutating func fold(_ event: EventView) throws { try fold.fold(event) }
}

/// How much belongs together in the tables of a search. It is part of their form.
package struct SearchCut: Sendable {
  /// How many texts make a run.
  package var texts: UInt64 = 4096
  /// How many places stand in a row.
  package var places = 64
  /// How many bytes of words stand in a row: with key and checksum, a page.
  package var wordByteCount = 4000

  package init() {}
}

/// A view of the words that were said; tests have one whose runs are short.
package protocol SearchView: Projection {
  /// How much belongs together in its tables.
  static var cut: SearchCut { get }
}

extension ChatSearch: SearchView {}

package let searchRevision = ChatProjections.revision(2)

package let searchTableNames = ["counts", "open", "words", "places", "edited"]

extension SearchView {
  /// How many texts there are, in one row.
  static var counts: ProjectionTable<Self, TextNumber> { ProjectionTable("counts") }
  /// The texts of no run, newest first.
  static var open: ProjectionTable<Self, UnindexedText> { ProjectionTable("open") }
  /// The words of runs, those of a run together.
  static var words: ProjectionTable<Self, WordChunk> { ProjectionTable("words") }
  /// The places of the texts of runs, those of a run together.
  static var places: ProjectionTable<Self, SourceChunk> { ProjectionTable("places") }
  /// The number of the newest text of each message whose words were edited.
  static var edited: ProjectionTable<Self, TextNumber> { ProjectionTable("edited") }
}
