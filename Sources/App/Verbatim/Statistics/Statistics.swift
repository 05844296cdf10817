// Figures of a workspace at one moment.
public import EventLog
public import Projections

/// Figures of a workspace at one moment: what is in it, what waits, what was done, how large it is, who is in the way.
///
/// What is counted since opening is counted by this process alone. Two of them, taken some time apart, give rates.
public struct Statistics: Sendable {
  /// The log.
  public let log: Log
  /// The tables of the chat's state, and of what is found in it.
  public let state: Tables
  /// The tables of all other projections, of words and of the app's own; nil where there are none.
  public let others: Tables?
  /// What waits to be appended.
  public let queue: Queue
  /// What was submitted since opening.
  public let submits: Submits
  /// Who holds the writer lock.
  public let writerLock: WriterLock
  /// The bytes that are free on the disk; nil when the system does not tell.
  public let freeByteCount: Int?
}

extension Statistics {
  /// The log, and the index by which streams and appends are found in it.
  public struct Log: Hashable, Sendable {
    /// Its end: the last position, how many blocks there are, when the last was recorded.
    public let head: Head
    /// The file of the log, `log/data.mdb`.
    public let file: File
    /// The file of the index, `index/data.mdb`.
    public let index: File
  }

  /// Tables that are folded from the log.
  public struct Tables: Sendable {
    /// Up to where this process has folded.
    public let folded: Position
    /// Up to where the tables are written, by whatever process; what is behind is folded again after a crash.
    public let written: Position
    /// How many events this process has still to fold, to be where the log ends. It does so when somebody asks.
    public let lag: Int
    /// How many events this process has folded since opening; one that was folded twice counts twice.
    public let foldedEvents: Int
    /// How long that took, without reading the log and writing the tables.
    public let foldingTime: Duration
    /// Their file, `projections/…/data.mdb`.
    public let file: File
    /// Where they were last testified, by whatever process; nil when they were not.
    public let lastCheckpoint: Position?
    /// Where their last snapshot stands; nil when there is none.
    public let lastSnapshot: Position?
    /// Why the last snapshot that was to be taken by itself was not; nil when it was, and before the first.
    public let snapshotFailure: ProjectionError?
  }

  /// A file of LMDB.
  public struct File: Hashable, Sendable {
    /// The bytes that it has used so far, those included that are free to be used again.
    public let used: Int
    /// The bytes that it takes on the disk.
    public let onDisk: Int
    /// The bytes by which ``used`` has grown since this process opened the workspace, by whatever process.
    public let growth: Int
    /// Who reads it.
    public let readers: Readers
  }

  /// The readers of a file, in all processes.
  public struct Readers: Hashable, Sendable {
    /// How many places are taken.
    public let used: Int
    /// How many places there are.
    public let max: Int
    /// How many transactions the oldest reader is behind the last; 0 when nobody reads.
    ///
    /// What those have freed is not used again while he reads: the file grows instead.
    public let lag: Int
  }

  /// What waits to be appended.
  public struct Queue: Hashable, Sendable {
    /// How many submits, and runs of what was typed, wait to be taken up.
    public let waiting: Int
    /// How many submits wait for room, behind those.
    public let inLine: Int
    /// How much room is taken: one for each submit, and for each thing done in a composer, until it is answered.
    public let taken: Int
    /// How much room there is, which is ``Configuration/waitingMax``.
    public let room: Int
  }

  /// What was submitted since opening, and what became of it. A run of what was typed counts as one.
  ///
  /// What was taken back before it was taken up, and what found no room and did not wait for it, is not counted.
  public struct Submits: Hashable, Sendable {
    /// How many were recorded, or found recorded.
    public internal(set) var recorded = 0
    /// How many had nothing to do.
    public internal(set) var unchanged = 0
    /// How many were refused by the domain.
    public internal(set) var refused = 0
    /// How many found a stream other than expected.
    public internal(set) var conflicts = 0
    /// How many failed: the disk, the turn, an id that was taken, a workspace that was closed.
    public internal(set) var failed = 0
    /// The blocks that this process has appended, by their number of events.
    public internal(set) var blocks = BlockSizes()
    /// How long it took from taking a batch up to having its block on the disk, together; the wait for the turn is in
    /// it.
    public internal(set) var appending = Duration.zero
  }

  /// Blocks, counted by how many events they have.
  public struct BlockSizes: Hashable, Sendable {
    /// The largest number of events for each count but the last: 1, 2, 4 … 65536.
    public static let bounds = (0...16).map { 1 << $0 }
    /// How many blocks have so many events or fewer, and more than the bound before; the last counts those that have
    /// more.
    public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// How many blocks there are.
    public private(set) var blocks = 0
    /// How many events they have together.
    public private(set) var events = 0

    internal mutating func add(_ count: Int) {
      blocks += 1
      events += count
      counts[Self.bounds.firstIndex { count <= $0 } ?? Self.bounds.count] += 1
    }
  }

  /// Who holds the writer lock.
  public struct WriterLock: Hashable, Sendable {
    /// Who has it at this moment; nil when nobody has.
    public let holder: Holder?

    /// Who has it.
    public struct Holder: Hashable, Sendable {
      /// The process; nil when it has not said yet who it is.
      public let process: Int?
      /// The process, and what can be said of it: "4711 (verbatim, stopped)".
      public let description: String
    }
  }
}

extension Statistics.Submits {
  internal mutating func add(_ outcome: Result<Submitted, SubmitError>) {
    switch outcome {
    case .success(let submitted): if submitted.receipt == nil { unchanged += 1 } else { recorded += 1 }
    case .failure(.refused): refused += 1
    case .failure(.conflict): conflicts += 1
    case .failure: failed += 1
    }
  }

  internal mutating func add(block count: Int, took time: Duration) {
    blocks.add(count)
    appending += time
  }
}
