// The deadline of everything that a scenario waits for.

/// How long a scenario waits.
///
/// Nothing is measured by it: it is long enough for a slow machine, and there so that what never comes fails the
/// scenario in place of hanging its player.
enum Deadline {
  /// For one thing that is awaited by name.
  static let ofStep = Duration.seconds(60)
  /// For all that a line does: longer, so that the step that did not end is named first.
  static let ofLine = Duration.seconds(150)

  /// Returns when the deadline of what is awaited has passed. A test says by itself when that is.
  @TaskLocal static var passes: @Sendable (_ awaited: String, _ time: Duration) async throws -> Void = { _, time in
    try await Task.sleep(for: time)
  }
}

/// Runs a body; throws a ``ScenarioFailure`` that names what was awaited, when it has not returned at the deadline.
///
/// The body is cancelled then, and not waited for.
@MainActor
func within<R: Sendable>(
  _ time: Duration, awaiting awaited: String, _ body: @escaping @MainActor () async throws -> R
) async throws -> R {
  let race = Race<R>()
  let work = Task {
    do { race.end(with: .success(try await body())) } catch { race.end(with: .failure(error)) }
  }
  let timer = Task {
    try await Deadline.passes(awaited, time)
    race.end(with: .failure(ScenarioFailure("\(awaited) did not come within \(time.components.seconds) seconds.")))
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
