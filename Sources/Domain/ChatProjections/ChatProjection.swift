// The protocol of an app's own projections of a chat.
public import Chat
internal import ChatCodec
public import EventLog
public import Projections

/// A projection of the events of a chat into tables of `Codable` rows.
///
/// ```swift
/// struct Activity: ChatProjection {
///   static let name = "activity"
///   static let revision = "1"
///   static let messages = CodableTable<Activity, User.ID, Int>("messages")
///   static let tables: [any DeclaredTable] = [messages]
///
///   let rows: ProjectionRows
///
///   func fold(_ event: ChatEvent, at position: Position) throws {
///     guard case .message(_, .sent) = event.change, let author = event.origin.actor.user else { return }
///     try rows.update(author, in: Self.messages, default: 0) { $0 += 1 }
///   }
/// }
/// ```
///
/// It must be deterministic: it reads no clock, no random source, no locale, and no order of a set or a dictionary.
/// Its rows are read with ``/Projections/ProjectionReader``.
public protocol ChatProjection: Projection {
  /// All tables of the projection.
  static var tables: [any DeclaredTable] { get }

  /// The rows of the tables.
  var rows: ProjectionRows { get }

  /// Creates the projection over its rows; a structure whose only stored property is `rows` has this initializer.
  init(rows: ProjectionRows)

  /// Folds an event; an error stops the projection before the event.
  mutating func fold(_ event: ChatEvent, at position: Position) throws
}

extension ChatProjection {
  /// The names of its tables.
  public static var tableNames: [String] { tables.map(\.name) }

  /// Creates the projection over its tables as they were last written.
  public init(_ tables: ProjectionTables) { self.init(rows: ProjectionRows(of: tables, declared: Self.tables)) }

  /// Decodes and folds an event.
  public mutating func fold(_ event: EventView) throws { try fold(decode(event), at: event.position) }
}
