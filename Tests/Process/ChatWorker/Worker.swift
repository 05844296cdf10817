// A process that folds a chat's log or continues its history, as requested by its arguments.
import Chat
import ChatCodec
import ChatSamples
import ChatProjections
import ChildProcess
import EventLog
import EventLogLMDB
import Locks
import SeededRandom
package import Projections

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The arguments are the command, the log, the directory of projections, and the number of events between two
/// checkpoints; each step is reported by a line on standard output.
@main package enum Worker {
  package static func main() throws {
    let arguments = CommandLine.arguments
    var options = ProjectionStore.Options()
    options.checkpointDistance = UInt64(arguments[4])!
    let clock = Clock()
    var configuration = EventStore.Configuration()
    configuration.clock = { clock.now }
    let store = try EventStore.open(at: arguments[2], configuration: configuration)
    let projections = try ProjectionStore(of: store, ChatWorkerViews.all, at: arguments[3], options: options)
    switch arguments[1] {
    case "fold": fold(projections)
    default: try goOn(projections, clock, SeededRandom(seed: UInt64(arguments[5])!))
    }
    projections.close()
    store.close()
  }
}

/// The projections of a chat.
package enum ChatWorkerViews {
  package static let all: [any Projection.Type] = [ChatState.self, ChatSearch.self]
}

extension Worker {
  /// Prints a hash of this process; folds all events, and prints each checkpoint, or the error.
  private static func fold(_ projections: ProjectionStore) {
    say("hash \("text".hashValue)")
    do throws(ProjectionError) {
      _ = try projections.checkpoint()
      for checkpoint in try projections.checkpoints() {
        let digests = checkpoint.digests.map { "\($0.table) \($0.digest)" }
        say("checkpoint \(checkpoint.position) \(checkpoint.hash) \(digests.joined(separator: " "))")
      }
    } catch {
      say("error \(error)")
    }
  }

  /// Decides and appends random intents, with occasional reads, checkpoints, snapshots and reads at past positions,
  /// until it is killed.
  private static func goOn(_ projections: ProjectionStore, _ clock: Clock, _ random: SeededRandom) throws {
    var random = random
    var history = try history(so: projections.store, SeededRandom(seed: random.next()))
    say("ready")
    while true {
      switch random.below(16) {
      case 0: _ = try projections.checkpoint()
      case 1: try projections.takeSnapshot()
      case 2:
        let end = try projections.store.head().position.rawValue
        let past = try projections.at(Position(rawValue: UInt64(random.below(Int(end) + 1))))
        past.close()
      case 3: try projections.read { _ in }
      default: try step(&history, projections, clock)
      }
      say("did")
    }
  }

  private static func history(so store: EventStore, _ random: SeededRandom) throws -> History {
    var state = InMemoryChatState(rules: .tight)
    let events = try store.events(from: .first, limit: .max)
    for event in events { Chat.fold(try decode(event), into: &state) }
    let instant = max(Int64(1_700_000_000_000_000), events.last?.recorded.rawValue ?? 0)
    return History(random, from: state, after: events.count, at: Timestamp(rawValue: instant))
  }

  /// Decides an intent; the outcome by the tables must equal the outcome by the reference.
  private static func step(_ history: inout History, _ projections: ProjectionStore, _ clock: Clock) throws {
    let step = history.step()
    let outcome = try projections.deciding(under: .tight) { next in
      Result { () throws(Refusal) in try next.decide(step.intent, by: step.actor, at: step.instant) }
    }
    guard outcome == step.outcome else {
      say("error \(step.intent) came to \(outcome) and not to \(step.outcome)")
      exit(2)
    }
    guard case .success(let events) = outcome, !events.isEmpty else { return }
    clock.now = step.instant
    let proposed = events.map { encode($0) }
    _ = try projections.store.appendBlocking(proposed) as Receipt
  }
}

/// A clock that only changes when it is set.
private final class Clock: Sendable {
  private let instant = Locked(Timestamp(rawValue: 1_700_000_000_000_000))

  var now: Timestamp {
    get { instant.withLock { $0 } }
    set { instant.withLock { $0 = newValue } }
  }
}
