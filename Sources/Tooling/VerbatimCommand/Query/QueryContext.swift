// The point of the log and the instant at which a query reads a workspace.
internal import Chat
internal import EventLog
internal import Verbatim

/// The point of the log and the instant of a query.
struct QueryContext: Sendable {
  /// The point at which the log ended; nil for its present end.
  var point: LogPoint?
  /// The time zone of a point without one; nil for this machine's.
  var zone: Zone?
  /// The instant for time-dependent results; nil for now, or, with a point, for its time.
  var instant: Timestamp?
  /// The option that gave the point, for messages.
  var option = "--at"
  /// Whether the query searches messages by text.
  var findsWords = false

  /// Calls the closure with a reading of the workspace at the point and instant.
  func read<R: Sendable>(
    _ client: Client, _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws(Failure) -> R {
    do {
      guard let point else { return try await client.read(at: instant, findingWords: findsWords, body) }
      let workspace = client.workspace
      let (position, given) = try point.resolved(in: workspace.store, at: workspace.path, zone, now: workspace.now)
      let instant = instant ?? given
      let end = try workspace.head()
      if end < position { throw beyond(client.workspace.path, end, position) }
      if end == position, let here = try await present(client, position, instant, body) { return here }
      let past = try await client.workspace.at(position)
      defer { past.close() }
      return try await past.read(as: client.user, at: instant, body)
    } catch let failure as Failure {
      throw failure
    } catch let error as ReadError {
      throw Failure(error)
    } catch {
      throw Failure(.unable, "\(error)")
    }
  }

  /// Reads the present projections, without a rebuild, if the log still ends at the position; nil if it has grown.
  private func present<R: Sendable>(
    _ client: Client, _ position: Position, _ instant: Timestamp?,
    _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws -> R? {
    let instant = try instant ?? recorded(client, position)
    return try await client.read(at: instant, findingWords: findsWords) { reading in
      reading.position == position ? try body(reading) : nil
    }
  }

  private func recorded(_ client: Client, _ position: Position) throws -> Timestamp {
    let event = try client.workspace.store.event(at: position)
    return Timestamp(rawValue: event?.recorded.rawValue ?? 0)
  }

  private func beyond(_ path: String, _ end: Position, _ position: Position) -> Failure {
    Failure(
      .unable, "The log at \(path) ends at position \(end), before \(option) \(position): give a position of the log.")
  }
}
