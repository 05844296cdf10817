// Replays a log: folds all projections of a chat range by range and reports the results as lines.
public import EventLog
internal import Errors
internal import Projections
internal import Tables

/// A replay of a log into fresh tables.
///
/// Apart from durations, its lines depend only on the log, the code and the options that select lines, so that replays
/// in other processes, or with other options, can be compared line by line.
public struct Replay {
  internal let path: String
  internal let store: EventStore
  internal let options: ReplayOptions

  /// Creates a replay of a workspace's log.
  public init(of store: EventStore, at path: String, options: ReplayOptions = ReplayOptions()) {
    (self.store, self.path, self.options) = (store, path, options)
  }

  /// Folds the log and passes each line to the closure until it returns false.
  public func run(_ tell: (ReplayLine) -> Bool) throws(ReplayError) {
    if let destination = options.destination, !TableStore.tableStores(in: destination).isEmpty {
      throw .failed("The directory \(destination) has tables already: give a directory without tables.")
    }
    try rethrow(fold(tell), as: ReplayError.init)
  }

  private func fold(_ tell: (ReplayLine) -> Bool) throws(ProjectionError) {
    let began = ContinuousClock.now
    let end = try end()
    var run = try ReplayRun(store, path, options, end)
    defer { run.close() }
    guard run.began().allSatisfy(tell) else { return }
    if options.recodes { guard try run.recode().allSatisfy(tell) else { return } }
    while let lines = try run.next() {
      guard lines.allSatisfy(tell) else { return }
      options.progress?(run.position, end)
    }
    _ = tell(run.ended(after: UInt64(max(0, began.duration(to: .now) / .milliseconds(1)))))
  }

  private func end() throws(ProjectionError) -> Position {
    let head = try rethrow(store.head(), as: ProjectionError.log)
    let end = options.explained ?? options.end ?? head.position
    guard end <= head.position else { throw .beyondEnd(end, end: head.position) }
    return end
  }
}

/// The reason why a replay failed.
public enum ReplayError: Error, Sendable {
  /// Reading the log failed.
  case log(LogError)
  /// The tables failed or an option is invalid: one sentence.
  case failed(String)

  internal init(_ error: ProjectionError) {
    if case .log(let error) = error { self = .log(error) } else { self = .failed(error.description) }
  }
}

extension ReplayError: CustomStringConvertible {
  /// The error in one sentence: what failed, on what, and what to do.
  public var description: String {
    switch self {
    case .log(let error): error.description
    case .failed(let sentence): sentence
    }
  }
}
