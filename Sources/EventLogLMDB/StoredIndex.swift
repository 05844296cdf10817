// The index of a log on disk: streams and append ids in tables beside it.
internal import Dispatch
internal import EventLog
internal import Locks
internal import Tables

/// Finds streams and appends through tables in the folder `index/`, which are written behind the log.
///
/// What was folded and not yet written is held in working tables; the folder may be written by any process of the log.
/// When it stands further than this process has folded, this process goes on from there.
internal final class StoredIndex: LogIndex, Sendable {
  private let log: LMDBLog
  private let folder: Folder
  private let state: Guarded<State>
  private let writing = DispatchQueue(label: "verbatim.index")

  private struct State {
    var index: IndexState
    var isWriting = false
    var isScheduled = false
    var lastFold = ContinuousClock.now
    /// When what waits may be written; later than now after an attempt that failed.
    var notBefore = ContinuousClock.now
  }

  /// How many events may wait to be written before they are.
  private static let unwrittenMax = 10_000
  /// How many may wait at all: whoever folds further, waits.
  private static let unwrittenLimit = 1_000_000
  /// How long it must be quiet before what waits is written.
  private static let quietMilliseconds = 20

  init(of log: LMDBLog) throws(LogError) {
    self.log = log
    do throws(TablesError) {
      folder = try Folder(at: LMDBLog.indexPath(log.path), tables: IndexState.tableNames) { anchor in
        log.head(at: anchor) != nil
      }
    } catch {
      throw LogError(error)
    }
    state = Guarded(State(index: IndexState(folder: folder, applied: Head(of: log.genesis), streamCount: 0)))
    try state.withLock { state throws(LogError) in try restart(&state.index) }
  }

  var applied: Head { state.withLock { $0.index.applied } }

  func fold(_ block: BlockView) throws(LogError) {
    let next = try state.withLock { state throws(LogError) in
      try retrying(&state.index) { index throws(IndexFault) in try index.fold(block) }
      state.lastFold = .now
      return nextStep(&state)
    }
    switch next {
    case .nothing: break
    case .write: writing.async { self.write() }
    case .writeNow: writing.sync { self.write() }
    case .schedule: schedule()
    }
  }

  func version(of stream: UnsafeRawBufferPointer) throws(LogError) -> StreamVersion {
    try use { index throws(IndexFault) in StreamVersion(rawValue: try index.version(of: stream)) }
  }

  func positions(
    of stream: UnsafeRawBufferPointer, versions: ClosedRange<StreamVersion>
  ) throws(LogError) -> [Position] {
    let range = versions.lowerBound.rawValue...versions.upperBound.rawValue
    let positions = try use { index throws(IndexFault) in try index.positions(of: stream, versions: range) }
    guard positions.count == Int(range.upperBound - range.lowerBound) + 1 else {
      throw .indexDiffers(at: applied.position)
    }
    return positions
  }

  func append(_ id: AppendID) throws(LogError) -> Position? {
    try use { index throws(IndexFault) in try index.append(id) }
  }

  func streams(withPrefix prefix: [UInt8], after: [UInt8]?, limit: Int) throws(LogError) -> [StreamSummary] {
    try use { index throws(IndexFault) in try index.streams(withPrefix: prefix, after: after, limit: limit) }
  }

  /// Writes what waits and closes the folder.
  func close() {
    writing.sync { self.write() }
    folder.close()
  }

  private func use<R>(_ body: (inout IndexState) throws(IndexFault) -> R) throws(LogError) -> R {
    try state.withLock { state throws(LogError) in try retrying(&state.index, body) }
  }

  /// Runs the closure; once more, from where the folder stands, as long as others write it further.
  private func retrying<R>(
    _ index: inout IndexState, _ body: (inout IndexState) throws(IndexFault) -> R
  ) throws(LogError) -> R {
    while true {
      do throws(IndexFault) {
        return try body(&index)
      } catch {
        // Nothing of a block that was folded in part may be written, also if going on from the folder fails.
        index.restart(at: Head(of: log.genesis), streamCount: 0)
        try restart(&index)
        if case .log(let error) = error { throw error }
      }
    }
  }

  /// Gives up what is held and goes on from where the folder stands.
  private func restart(_ index: inout IndexState) throws(LogError) {
    guard let (anchor, streamCount) = try anchorAndStreamCount() else {
      index.restart(at: Head(of: log.genesis), streamCount: 0)
      return
    }
    guard let head = log.head(at: anchor) else { throw .indexDiffers(at: Position(rawValue: anchor.position)) }
    index.restart(at: head, streamCount: streamCount)
  }

  /// Where the folder stands, and how many streams it has there.
  private func anchorAndStreamCount() throws(LogError) -> (Anchor, UInt64)? {
    while true {
      do throws(TablesError) {
        guard let anchor = try folder.anchor() else { return nil }
        return (anchor, UInt64(try folder.rowCount(of: 2, upTo: anchor.position)))
      } catch .ahead {
        continue
      } catch {
        throw LogError(error)
      }
    }
  }
}

extension StoredIndex {
  private enum NextStep { case nothing, write, writeNow, schedule }

  /// What is to be done about what waits to be written.
  private func nextStep(_ state: inout State) -> NextStep {
    let unwritten = state.index.unwritten
    if unwritten >= Self.unwrittenMax {
      if state.isWriting && unwritten < Self.unwrittenLimit || ContinuousClock.now < state.notBefore { return .nothing }
      state.isWriting = true
      return unwritten < Self.unwrittenLimit ? .write : .writeNow
    }
    if unwritten == 0 || state.isScheduled { return .nothing }
    state.isScheduled = true
    return .schedule
  }

  private func schedule() {
    writing.asyncAfter(deadline: .now() + .milliseconds(Self.quietMilliseconds)) {
      let isQuiet = self.state.withLock { state in
        let isQuiet = state.lastFold.duration(to: .now) >= .milliseconds(Self.quietMilliseconds)
        state.isScheduled = !isQuiet
        return isQuiet
      }
      if isQuiet { self.write() } else { self.schedule() }
    }
  }

  /// Writes what waits; runs on the queue for writing alone.
  private func write() {
    let batch: IndexState.Unwritten? = state.withLock { state in
      state.isWriting = state.index.unwritten > 0
      return state.isWriting ? state.index.takeUnwritten() : nil
    }
    guard let batch else { return }
    let outcome = try? folder.write(batch.changes, anchor: batch.anchor)
    state.withLock { state in
      state.isWriting = false
      switch outcome {
      case .written, .alreadyThere: state.index.trim()
      // Nothing is lost: it is written with what comes next.
      case .busy, nil:
        state.index.restore(batch)
        state.notBefore = .now + .milliseconds(100)
      }
    }
  }
}

extension LMDBLog {
  /// The head at an anchor, if the anchor lies on this chain.
  fileprivate func head(at anchor: Anchor) -> Head? {
    guard let head = try? head(at: Position(rawValue: anchor.position)), head.hash == anchor.hash else { return nil }
    return head
  }
}
