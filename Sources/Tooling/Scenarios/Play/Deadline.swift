// The deadlines of a scenario's waits.

/// The time limits of a scenario's waits.
///
/// They do not measure performance: they are long enough for a slow machine, and let an event that never occurs fail
/// the scenario instead of blocking its player.
enum Deadline {
  /// The limit of a single named wait.
  static let ofStep = Duration.seconds(60)
  /// The limit of all work of a line: longer, so that the step that did not end is reported first.
  static let ofLine = Duration.seconds(150)

  /// The wait for a deadline; tests replace it.
  @TaskLocal static var wait = Wait { _, time in try await Task.sleep(for: time) }

  /// A function that returns when a deadline has passed.
  ///
  /// A task-local value that is itself a function ends the process in optimised builds.
  struct Wait: Sendable {
    let pass: @Sendable (_ awaited: String, _ time: Duration) async throws -> Void
  }
}

/// Runs a body; throws a ``ScenarioFailure`` that names the awaited result if the body has not returned by the
/// deadline.
///
/// The body is then cancelled, without waiting for it.
@MainActor
func within<R: Sendable>(
  _ time: Duration, awaiting awaited: String, _ body: @escaping @MainActor () async throws -> R
) async throws -> R {
  let race = Race<R>()
  let work = Task {
    do { race.end(with: .success(try await body())) } catch { race.end(with: .failure(error)) }
  }
  let timer = Task {
    try await Deadline.wait.pass(awaited, time)
    race.end(
      with: .failure(ScenarioFailure("Timed out after \(time.components.seconds) seconds waiting for \(awaited).")))
    work.cancel()
  }
  defer { timer.cancel() }
  return try await withCheckedThrowingContinuation { race.begin($0) }
}

/// The first result of two tasks, and the continuation that waits for it.
@MainActor
private final class Race<R: Sendable> {
  private var result: Result<R, any Error>?
  private var waiting: CheckedContinuation<R, any Error>?

  func begin(_ continuation: CheckedContinuation<R, any Error>) {
    if let result { continuation.resume(with: result) } else { waiting = continuation }
  }

  func end(with new: Result<R, any Error>) {
    if result != nil { return }
    result = new
    waiting?.resume(with: new)
    waiting = nil
  }
}
