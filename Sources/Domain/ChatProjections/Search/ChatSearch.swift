// The projection for full-text search of messages.
internal import Chat
internal import ChatCodec
public import EventLog
public import Projections

/// The inverted index of the words of all messages.
///
/// An app without search does not open it. Found messages are read from ``ChatState``, which must be open beside it.
/// The tables are documented in <doc:SearchTables>.
public struct ChatSearch: Projection {
  /// The name of the projection.
  public static let name = "search"

  /// The revision of the tables: the form of the rows, how letters are folded, and the shapes the codec can read.
  public static let revision = searchRevision

  /// The names of the tables.
  public static let tableNames = searchTableNames

  package static let cut = SearchLayout()

  private var fold: SearchFold

  /// Creates the index on tables as they were last left.
  public init(_ tables: ProjectionTables) { fold = SearchFold(tables, of: Self.self) }

  /// Folds an event; throws ``/ChatCodec/UnreadableEvent`` at one that cannot be read.
  public mutating func fold(_ event: EventView) throws { try fold.fold(event) }

  /// Returns true for events with texts of messages.
  public static func readsPayloads(ofType type: RawSpan) -> Bool { SearchFold.readsPayloads(ofType: type) }
}

/// The sizes of runs and rows in the tables of a search, which are part of their form.
package struct SearchLayout: Sendable {
  /// The number of texts in a run.
  package var texts: UInt64 = 4096
  /// The number of text sources in a row.
  package var sources = 64
  /// The number of bytes of words in a row: with key and checksum, a page.
  package var wordByteCount = 4000

  package init() {}
}

/// A full-text search projection; tests have one with short runs.
package protocol SearchProjection: Projection {
  /// The sizes of runs and rows in its tables.
  static var cut: SearchLayout { get }
}

extension ChatSearch: SearchProjection {}

package let searchRevision = ChatProjections.revision(2)

package let searchTableNames = ["counts", "open", "words", "places", "edited"]

extension SearchProjection {
  /// The number of texts, in one row.
  static var counts: ProjectionTable<Self, TextNumber> { ProjectionTable("counts") }
  /// The texts that are in no run yet, by slot.
  static var open: ProjectionTable<Self, UnindexedText> { ProjectionTable("open") }
  /// The words of runs, grouped by run.
  static var words: ProjectionTable<Self, WordChunk> { ProjectionTable("words") }
  /// The sources of the texts of runs, grouped by run.
  static var sources: ProjectionTable<Self, SourceChunk> { ProjectionTable("places") }
  /// The number of the newest text of each message whose text was edited.
  static var edited: ProjectionTable<Self, TextNumber> { ProjectionTable("edited") }
}
