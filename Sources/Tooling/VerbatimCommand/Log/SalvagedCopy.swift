// The new log that salvaged blocks are appended to.
internal import Errors
internal import EventLog
internal import EventLogLMDB
internal import Synchronization

/// A log that is created with the first salvaged block and receives the events of all blocks.
struct SalvagedCopy {
  /// The clock of the new log: the time at which the current block was recorded.
  private final class Clock: Sendable {
    let microseconds = Atomic<Int64>(0)
  }

  private let path: String
  private let source: Genesis?
  private let context: Context
  private let clock = Clock()
  private var store: EventStore?
  private var queue: AppendQueue?
  private var rewriting = PositionMap()
  private var recorded: Timestamp?

  init(at path: String, of source: Genesis?, in context: Context) {
    self.path = path
    self.source = source
    self.context = context
  }

  /// Appends the events of a block; blocks must be passed in the order of their positions.
  mutating func add(_ block: BlockView) throws(Failure) {
    if store == nil {
      let made = try makeStore(bornAt: block.recorded)
      (store, queue) = (made, AppendQueue(made))
    }
    if block.recorded != recorded || rewriting.isWorthWaiting { try finish() }
    let isCorrection = block.clockCorrection != nil
    // Times fall only at a correction: this one is missing.
    if let recorded, block.recorded < recorded, !isCorrection,
      try correctClock(at: block.recorded, .timeOrdered(at: block.recorded))
    {
      rewriting.addCorrection()
    }
    recorded = block.recorded
    clock.microseconds.store(block.recorded.rawValue, ordering: .sequentiallyConsistent)
    let appends = rewriting.appends(of: block)
    if isCorrection, let id = appends[0].append.id, try correctClock(at: block.recorded, id) { return }
    queue?.submit(appends[...])
  }

  /// Corrects the clock of the new log as in the old one; returns false where no correction is needed, since the events
  /// with the wrong times are missing.
  private mutating func correctClock(at time: Timestamp, _ id: AppendID) throws(Failure) -> Bool {
    try finish()
    guard let store else { return false }
    return try asked { () throws(LogError) in try store.correctClock(at: time, id) } != nil
  }

  /// Waits for the pending appends.
  mutating func finish() throws(Failure) {
    for (_, outcome) in queue?.settle() ?? [] {
      try rethrow(outcome.get(), as: { (error: AppendError) in Failure(error) })
    }
    rewriting.hasSettled()
  }

  /// A summary of moved positions and removed causes, one per line.
  var summary: String { rewriting.summary(path) }

  /// Creates the log. It must not be younger than its events, or they would get its time.
  private func makeStore(bornAt instant: Timestamp) throws(Failure) -> EventStore {
    var configuration = EventStore.Configuration()
    configuration.clock = { [clock] in
      Timestamp(rawValue: clock.microseconds.load(ordering: .sequentiallyConsistent))
    }
    configuration.eventByteCountMax = .max
    configuration.appendByteCountMax = .max
    let genesis = Genesis(
      id: .timeOrdered(at: instant), created: instant, application: source?.application,
      isErasable: source?.isErasable ?? false)
    return try openStore(
      path, LMDBLog.Options(creates: true, genesis: genesis), in: context, configuration: configuration)
  }
}
