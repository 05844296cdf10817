// A log folded again: all views of a chat, stretch by stretch, and what that came to, told as it comes.
public import EventLog
internal import Projections

/// A log folded again.
///
/// What it tells depends on the log and the code alone, but for how long it took: who folds the same elsewhere, or with
/// other options, can be held against it line by line.
public struct Replay {
  internal let path: String
  internal let log: any Log
  internal let options: ReplayOptions

  /// A replay of the log of a workspace.
  public init(of log: any Log, at path: String, options: ReplayOptions = ReplayOptions()) {
    (self.log, self.path, self.options) = (log, path, options)
  }

  /// Folds, and tells what it comes to until that is answered with false.
  public func run(_ tell: (ReplayLine) -> Bool) throws(ReplayError) {
    do throws(ProjectionError) { try fold(tell) } catch { throw ReplayError(error) }
  }

  private func fold(_ tell: (ReplayLine) -> Bool) throws(ProjectionError) {
    let began = ContinuousClock.now
    let end = try end()
    var run = try ReplayRun(log, path, options, end)
    defer { run.close() }
    guard tell(run.began()) else { return }
    if options.recodes { guard try run.recode().allSatisfy(tell) else { return } }
    while let lines = try run.next() {
      guard lines.allSatisfy(tell) else { return }
      options.progress?(run.position, end)
    }
    _ = tell(run.ended(after: UInt64(max(0, began.duration(to: .now) / .milliseconds(1)))))
  }

  private func end() throws(ProjectionError) -> Position {
    let head: Head
    do throws(LogError) { head = try log.head() } catch { throw .log(error) }
    if let instant = options.instant {
      do throws(LogError) { return try log.last(recordedBy: instant) } catch { throw .log(error) }
    }
    let end = options.explained ?? options.end ?? head.position
    guard end <= head.position else { throw .beyondEnd(end, end: head.position) }
    return end
  }
}

/// Why a log could not be folded again.
public enum ReplayError: Error, Sendable {
  /// The log.
  case log(LogError)
  /// Its tables, or what was asked for: one sentence.
  case failed(String)

  internal init(_ error: ProjectionError) {
    if case .log(let error) = error { self = .log(error) } else { self = .failed(error.description) }
  }
}

extension ReplayError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .log(let error): error.description
    case .failed(let sentence): sentence
    }
  }
}
