// From where one looks at a workspace: its end, or where it once ended; now, or at an instant.
internal import Chat
internal import EventLog
internal import Verbatim

/// From where somebody looks.
struct QueryContext: Sendable {
  /// Where the log ended then; nil for where it ends.
  var position: Position?
  /// For when it is told what depends on the time; nil for now, and in the past for when the position was recorded.
  var instant: Instant?
  /// Which option says so.
  var option = "--at"
  /// Whether messages are found by their words.
  var findsWords = false

  /// Lends what somebody sees from there.
  func read<R: Sendable>(
    _ client: Client, _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws(Failure) -> R {
    do {
      guard let position else { return try await client.read(at: instant, findingWords: findsWords, body) }
      let end = try client.workspace.head()
      if end < position { throw beyond(client.workspace.path, end, position) }
      if end == position, let here = try await present(client, position, body) { return here }
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

  /// Where the log ends still, nothing has to be folded anew; nil when it has gone on meanwhile.
  private func present<R: Sendable>(
    _ client: Client, _ position: Position, _ body: @escaping @Sendable (ClientReading) throws -> R
  ) async throws -> R? {
    let instant = try instant ?? recorded(client, position)
    return try await client.read(at: instant, findingWords: findsWords) { reading in
      reading.position == position ? try body(reading) : nil
    }
  }

  private func recorded(_ client: Client, _ position: Position) throws -> Instant {
    let event = try client.workspace.store.event(at: position)
    return Instant(rawValue: event?.recorded.rawValue ?? 0)
  }

  private func beyond(_ path: String, _ end: Position, _ position: Position) -> Failure {
    Failure(
      .unable, "The log at \(path) ends at position \(end), and \(option) asks for \(position): take one that it has.")
  }
}
