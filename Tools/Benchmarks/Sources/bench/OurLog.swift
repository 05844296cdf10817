// Our log as a contestant: through the public interface, as any program uses it.
import Dispatch
import EventLog
import EventLogLMDB

/// Opens the log in an existing directory, which may be empty or contain a log.
func openStore(_ directory: String) throws -> EventStore {
  try EventStore.open(at: directory + "/log", options: LMDBLog.Options(creates: true))
}

/// The result of a timed run of appends.
struct AppendRun {
  /// The events per second, from the first append to the last receipt.
  let durable: Double
  /// The same, including the time to write the rest of the index.
  var throughClose: Double?

  /// Appends up to the limit, waiting for each append to be durable before the next.
  init(
    _ store: EventStore, _ draws: inout Draws, _ vocabulary: Vocabulary, perCommit: Int, _ limit: RunLimit,
    closes: Bool = false
  ) throws {
    let start = ContinuousClock.now
    var events = 0
    var elapsed = 0.0
    repeat {
      _ = try store.appendBlocking(draws.proposals(perCommit, vocabulary))
      events += perCommit
      elapsed = secondsSince(start)
    } while elapsed < limit.seconds && events < limit.events
    durable = Double(events) / elapsed
    guard closes else { return }
    store.close()
    throughClose = Double(events) / secondsSince(start)
  }
}

/// Appends one event after the other as a task, awaiting each; returns the events per second.
func appendAwaiting(
  _ store: EventStore, seed: UInt64, _ vocabulary: Vocabulary, seconds: Double
) throws -> Double {
  try waiting {
    let start = ContinuousClock.now
    let events = try await appendInTask(store, seed: seed, vocabulary, until: start + .seconds(seconds))
    return Double(events) / secondsSince(start)
  }
}

/// Appends one event after the other until the deadline; returns their number.
func appendInTask(
  _ store: EventStore, seed: UInt64, _ vocabulary: Vocabulary, until deadline: ContinuousClock.Instant
) async throws -> Int {
  var draws = Draws(seed: seed)
  var events = 0
  while ContinuousClock.now < deadline {
    _ = try await store.append(draws.proposals(1, vocabulary))
    events += 1
  }
  return events
}

/// Runs a task and blocks the calling thread until it has ended.
func waiting<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) throws -> R {
  let outcome = Outcome<R>()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do { outcome.result = .success(try await body()) } catch { outcome.result = .failure(error) }
    done.signal()
  }
  done.wait()
  return try outcome.result!.get()
}

// Safe because the task writes it before the semaphore is signaled, and the waiting thread reads it after.
private final class Outcome<R>: @unchecked Sendable {
  var result: Result<R, any Error>?
}
