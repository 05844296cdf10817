// The new log that salvaged blocks go to.
internal import EventLog
internal import EventLogLMDB
internal import Synchronization

/// A log that is made for the first salvaged block and gets the events of all.
struct SalvagedCopy {
  /// What time it is for the new log: when the block that is being copied was recorded.
  private final class Clock: Sendable {
    let microseconds = Atomic<Int64>(0)
  }

  private let path: String
  private let application: Name?
  private let context: Context
  private let clock = Clock()
  private var queue: AppendQueue?
  private var rewriting = Rewriting()
  private var recorded: Timestamp?

  init(at path: String, application: Name?, in context: Context) {
    self.path = path
    self.application = application
    self.context = context
  }

  /// Adds the events of a block; blocks come in the order of their positions.
  mutating func add(_ block: BlockView) throws(Failure) {
    if queue == nil { queue = AppendQueue(try store(bornAt: block.recorded)) }
    if block.recorded != recorded || rewriting.isWorthWaiting { try finish() }
    recorded = block.recorded
    clock.microseconds.store(block.recorded.rawValue, ordering: .sequentiallyConsistent)
    queue?.submit(rewriting.appends(of: block)[...])
  }

  /// Waits for what is on its way.
  mutating func finish() throws(Failure) {
    for (_, outcome) in queue?.settle() ?? [] {
      do throws(AppendError) { _ = try outcome.get() } catch { throw Failure(error) }
    }
    rewriting.hasSettled()
  }

  /// What became of positions and causes, a line for each.
  var summary: String { rewriting.summary(path) }

  /// A log must not be younger than its events, or these would get its time.
  private func store(bornAt instant: Timestamp) throws(Failure) -> EventStore {
    var configuration = EventStore.Configuration()
    configuration.clock = { [clock] in
      Timestamp(rawValue: clock.microseconds.load(ordering: .sequentiallyConsistent))
    }
    configuration.eventByteCountMax = .max
    configuration.appendByteCountMax = .max
    return try openStore(
      path, LMDBLog.Options(creates: true, genesis: .new(at: instant, application: application)), in: context,
      configuration: configuration)
  }
}
