// The views of a log: folded, kept in a folder, read.
internal import Digests
public import EventLog
internal import Locks
public import Tables

/// The tables that views fold from a log, kept in a folder of their own, and as new as the log whenever they are read.
///
/// Any number of processes may have them open; each folds what it has not seen before it reads. A folder belongs to one
/// set of views in one form, by its ``Fingerprint``: programs with other forms have others beside it.
public final class ViewStore: Sendable {
  /// What they are folded from.
  public let store: EventStore
  /// Names these views in their form.
  public let fingerprint: Fingerprint
  private let options: Options
  private let folder: Folder
  private let fold: WriteBehind<ViewFold>
  /// Held by who folds.
  private let turn = Guarded(())
  private let records: Records
  private let numbers: [String: Int]
  private let viewCount: Int

  /// What their owner may choose.
  public struct Options: Sendable {
    /// How many events lie between two checkpoints that are made by themselves.
    public var checkpointDistance: UInt64 = 100_000
    /// How long others may take that write the folder, before what waits for them is an error.
    public var patience: Duration = .seconds(10)

    /// The options as they are where nobody chooses others.
    public init() {}
  }

  /// The views of a log, kept in a directory, which is made if it is not there.
  public init(
    of store: EventStore, _ views: [any View.Type], at directory: String, options: Options = Options()
  ) throws(ViewError) {
    self.store = store
    self.options = options
    fingerprint = Fingerprint(of: views)
    viewCount = views.count
    let names = ViewFold.tableNames(of: views)
    precondition(Set(names).count == names.count, "two views have a table of the same name: \(names)")
    numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    let log = store.log
    do throws(TablesError) {
      records = try Records("checkpoints", in: directory)
      folder = try Folder(at: directory + "/" + fingerprint.text, tables: names) { log.holds($0) }
      let head = try folder.anchor().flatMap { log.head(at: $0) } ?? Head(of: log.genesis)
      var limits = WriteBehindLimits()
      limits.unwrittenMaxInRush = 100_000
      fold = WriteBehind(try ViewFold(views, in: folder, at: head), in: folder, limits: limits)
    } catch {
      throw .tables(error)
    }
  }

  /// Views that could not fold an event; each stands before it, the others go on.
  public var stops: [ViewStop] { fold.use { $0.stops.compactMap { $0 } } }

  /// Folds up to the present end of the log.
  public func bringToEnd() throws(ViewError) {
    try turn.withLock { _ throws(ViewError) in
      do throws(LogError) { try store.log.bringToEnd(self, triesMax: 8 + 2 * viewCount) } catch {
        throw ViewError(error)
      }
    }
  }

  /// Lends the tables as they are at the present end of the log, or further.
  public func read<R>(_ body: (ViewReading) throws(ViewError) -> R) throws(ViewError) -> R {
    try bringToEnd()
    try flush()
    let result = lend(body)
    return try result.get()
  }

  private func lend<R>(_ body: (ViewReading) throws(ViewError) -> R) -> Result<R, ViewError> {
    do throws(TablesError) {
      return try folder.lend { reading in
        do throws(ViewError) { return .success(try body(ViewReading(reading, numbers))) } catch {
          return .failure(error)
        }
      }
    } catch {
      return .failure(.tables(error))
    }
  }

  /// Lends a view as it stands at the present end of the log, or further, while nobody folds.
  ///
  /// When its tables could not be read, because another process has folded further, the body is run again: it changes
  /// nothing but what it answers. The position holds for as long as who asks has the log's turn.
  package func withView<Kind: View, R>(
    _ kind: Kind.Type, _ body: (Kind, Head) throws(TablesError) -> R
  ) throws(ViewError) -> R {
    var result: R?
    while result == nil {
      try bringToEnd()
      try fold.use { fold throws(ViewError) in
        do throws(TablesError) { result = try fold.withView(kind, body) } catch {
          try startOver(&fold, after: .tables(error))
        }
      }
    }
    return result!
  }

  /// Waits until the log reaches a position and the views stand there; answers false when the deadline came first.
  public func reached(_ position: Position, until deadline: ContinuousClock.Instant) throws(ViewError) -> Bool {
    if position > .zero {
      do throws(LogError) {
        let before = Position(rawValue: position.rawValue - 1)
        guard try store.log.wait(beyond: before, until: deadline) else { return false }
      } catch {
        throw ViewError(error)
      }
    }
    try bringToEnd()
    return true
  }

  /// Writes what waits to be written.
  private func flush() throws(ViewError) {
    do throws(TablesError) {
      if try fold.flush(until: .now + options.patience) == .busy { throw .busy(path: folder.path) }
    } catch {
      throw .tables(error)
    }
  }

  /// Ends the use of the tables; what is not written is folded again. It may be called again.
  public func close() {
    _ = try? fold.flush()
    folder.close()
  }
}

extension ViewStore: BlockFolding {
  /// The end of what has been folded.
  public var applied: Head { fold.use { $0.applied } }

  /// Adds the block that follows ``applied``; does nothing for a block that does not.
  public func fold(_ block: BlockView) throws(LogError) {
    let before = applied
    do throws(ViewError) {
      try fold.fold { fold throws(ViewError) in
        guard block.first == fold.applied.position.next else { return }
        do throws(FoldFault) { try fold.fold(block) } catch { try startOver(&fold, after: error) }
      }
      let after = applied
      let distance = max(1, options.checkpointDistance)
      if after.position.rawValue / distance > before.position.rawValue / distance { try takeCheckpoint() }
    } catch {
      throw LogError.storage(StorageFailure(error.description, underlying: error))
    }
  }

  /// Goes on from where the folder stands: nothing of a block that was folded in part may be written.
  private func startOver(_ fold: inout ViewFold, after fault: FoldFault) throws(ViewError) {
    do throws(TablesError) {
      let head = try folder.anchor().flatMap { store.log.head(at: $0) } ?? Head(of: store.log.genesis)
      try fold.startOver(at: head)
      // Another process has folded further, or a view is stopped: both are dealt with by folding from there.
      if case .tables(let error) = fault {
        guard case .ahead = error else { throw error }
      }
    } catch {
      throw .tables(error)
    }
  }
}

extension ViewStore {
  /// Testifies, durably, what the tables are at the present end of the log.
  public func checkpoint() throws(ViewError) -> Checkpoint? {
    try bringToEnd()
    return try takeCheckpoint()
  }

  /// All that was ever testified, in the order in which it was.
  public func checkpoints() throws(ViewError) -> [Checkpoint] {
    var checkpoints: [Checkpoint] = []
    do throws(TablesError) {
      _ = try records.forEach { record in
        if let checkpoint = Checkpoint(stored: record.bytes) { checkpoints.append(checkpoint) }
      }
    } catch {
      throw .tables(error)
    }
    return checkpoints
  }

  @discardableResult
  private func takeCheckpoint() throws(ViewError) -> Checkpoint? {
    try flush()
    do throws(TablesError) {
      let checkpoint = try folder.lend { reading throws(TablesError) -> Checkpoint? in
        guard let anchor = reading.anchor else { return nil }
        let digests = zip(folder.tableNames, try reading.digests()).map { Checkpoint.Digest(table: $0, digest: $1) }
        return Checkpoint(
          position: Position(rawValue: anchor.position), hash: anchor.hash, fingerprint: fingerprint.text,
          digests: digests)
      }
      if let checkpoint { try records.append(checkpoint.stored) }
      return checkpoint
    } catch {
      throw .tables(error)
    }
  }
}

/// Why views could not be folded or read.
public enum ViewError: Error, Sendable {
  /// Their tables.
  case tables(TablesError)
  /// The log.
  case log(LogError)

  fileprivate init(_ error: LogError) {
    if case .storage(let failure) = error, let own = failure.underlying as? ViewError {
      self = own
    } else {
      self = .log(error)
    }
  }
}

extension ViewError: CustomStringConvertible {
  /// One sentence: what happened, to what, what to do.
  public var description: String {
    switch self {
    case .tables(let error): error.description
    case .log(let error): error.description
    }
  }
}

extension Log {
  /// The head at an anchor, if the anchor lies on this chain.
  fileprivate func head(at anchor: Anchor) -> Head? {
    guard let head = try? head(at: Position(rawValue: anchor.position)), head.hash == anchor.hash else { return nil }
    return head
  }

  fileprivate func holds(_ anchor: Anchor) -> Bool { head(at: anchor) != nil }
}
