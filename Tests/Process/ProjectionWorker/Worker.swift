// A process that folds projections of a log, as requested by its arguments.
import ChildProcess
import EventLog
import EventLogLMDB
import SeededRandom
import Tables
import Projections

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The arguments are the command, the log, the directory of projections, and the projections; each step is reported by
/// a line on standard output.
@main package enum Worker {
  package static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 4 else { return complain("say what to do") }
    let store = try EventStore.open(at: arguments[2])
    let rest = Array(arguments.dropFirst(5))
    switch arguments[1] {
    case "fold": fold(try projections(store, arguments, checkpointDistance: UInt64(rest[0])!))
    case "stand": try stand(try projections(store, arguments, checkpointDistance: 1_000), at: UInt64(rest[0])!)
    case "obey":
      try obey(
        try projections(store, arguments, checkpointDistance: UInt64(rest[0])!), SeededRandom(seed: UInt64(rest[1])!))
    case "open":
      say("ready")
      let projections = try projections(store, arguments, checkpointDistance: 1_000)
      say("opened \(projections.recoveredFrom.map { "\($0)" } ?? "none")")
      projections.close()
    case "churn":
      try churn(
        try projections(store, arguments, checkpointDistance: UInt64(rest[0])!), SeededRandom(seed: UInt64(rest[1])!))
    default: complain("there is no “\(arguments[1])”")
    }
    store.close()
  }

  private static let types: [String: any Projection.Type] = [
    "counts": Counts.self, "fragile": Fragile.self, "hash-order": HashOrder.self, "clock": Clock.self,
    "hoard": Hoard.self,
  ]

  private static func projections(
    _ store: EventStore, _ arguments: [String], checkpointDistance: UInt64
  ) throws -> ProjectionStore {
    var options = ProjectionStore.Options()
    options.checkpointDistance = checkpointDistance
    options.historyDistance = 300
    options.snapshotDistance = 2 * checkpointDistance
    let types = arguments[4].split(separator: ",").map { Self.types[String($0)]! }
    return try ProjectionStore(of: store, types, at: arguments[3], options: options)
  }

  private static func complain(_ what: String) {
    say("error \(what)")
    exit(2)
  }
}

extension Worker {
  /// Prints a hash of this process; folds all events, and prints each checkpoint, or the error.
  private static func fold(_ projections: ProjectionStore) {
    say("hash \("text".hashValue)")
    do throws(ProjectionError) {
      try projections.catchUp()
      _ = try projections.checkpoint()
      for checkpoint in try projections.checkpoints() {
        let digests = checkpoint.digests.map { "\($0.table) \($0.digest)" }
        say("checkpoint \(checkpoint.position) \(checkpoint.hash) \(digests.joined(separator: " "))")
      }
    } catch .differs(let table, let position, _, _) {
      say("differs \(table) \(position)")
    } catch {
      say("error \(error)")
    }
    projections.close()
  }
}

extension Worker {
  /// Keeps projections open at a past position until a line arrives or the process is killed.
  private static func stand(_ projections: ProjectionStore, at position: UInt64) throws {
    let past = try projections.at(Position(rawValue: position))
    try past.read { reading throws(ProjectionError) in say("standing \(reading.position)") }
    _ = readLine()
    past.close()
    projections.close()
    say("gone")
  }
}

extension Worker {
  /// Executes each line: "append", "read", or "run" for a number of appends and reads without waiting; replies with
  /// "at", the position read and the number of events counted there. At the end it prints the digests.
  private static func obey(_ projections: ProjectionStore, _ random: SeededRandom) throws {
    var random = random
    say("ready")
    while let line = readLine() {
      let words = line.split(separator: " ")
      switch words[0] {
      case "append": try append(projections, &random)
      case "run": for _ in 0..<Int(words[1])! { try append(projections, &random) }
      case "digests":
        let digests = try projections.checkpoint()?.digests.map { "\($0.table) \($0.digest)" }
        say("digests \((digests ?? []).joined(separator: " "))")
        continue
      default: break
      }
      let (position, counted) = try count(projections)
      say("at \(position) \(counted)")
    }
    projections.close()
  }

  /// Appends, and checks that the projections contain it, with all events that other processes have appended.
  private static func append(_ projections: ProjectionStore, _ random: inout SeededRandom) throws {
    let receipt = try projections.store.appendBlocking(random.events(1 + random.below(3)))
    let (position, counted) = try count(projections)
    guard position >= receipt.positions.upperBound, counted == position.rawValue else {
      return complain("at \(position) the views count \(counted), after an append up to \(receipt.positions)")
    }
  }

  /// Returns the position of the projections, and the number of events counted there.
  private static func count(_ projections: ProjectionStore) throws(ProjectionError) -> (Position, UInt64) {
    try projections.read { reading throws(ProjectionError) in
      var counted: UInt64 = 0
      try reading.forEachRow(of: Counts.streams) { _, row in
        counted += row.events
        return true
      }
      return (reading.position, counted)
    }
  }

  /// Appends, reads, takes checkpoints and snapshots and reads at past positions, in any order, until it is killed.
  private static func churn(_ projections: ProjectionStore, _ random: SeededRandom) throws {
    var random = random
    say("ready")
    while true {
      switch random.below(12) {
      case 0: _ = try projections.checkpoint()
      case 1: try projections.takeSnapshot()
      case 2:
        let end = try projections.store.head().position.rawValue
        let past = try projections.at(Position(rawValue: UInt64(random.below(Int(end) + 1))))
        past.close()
      default: try append(projections, &random)
      }
      say("did")
    }
  }
}
