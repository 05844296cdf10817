// Statistics of a workspace at one moment.
public import EventLog
public import Projections

/// Statistics of a workspace at one moment: its contents, queue, throughput, sizes and lock holder.
///
/// Counters cover this process since it opened the workspace. Two statistics taken some time apart give rates.
public struct Statistics: Sendable {
  /// The statistics of the log.
  public let log: Log
  /// The statistics of the tables of the chat state and its index.
  public let state: Tables
  /// The statistics of the tables of all other projections, search and the app's own; nil if there are none.
  public let others: Tables?
  /// The statistics of the submit queue.
  public let queue: Queue
  /// The statistics of submits since opening.
  public let submits: Submits
  /// The holder of the writer lock.
  public let writerLock: WriterLock
  /// The free bytes on the disk; nil if the system does not report them.
  public let freeByteCount: Int?
}

extension Statistics {
  /// The log and its index of streams and appends.
  public struct Log: Hashable, Sendable {
    /// The log's head: the last position, the number of blocks, the time of the last.
    public let head: Head
    /// The file of the log, `log/data.mdb`; all zero for a log on a server.
    public let file: File
    /// The file of the index, `index/data.mdb`.
    public let index: File
  }

  /// Tables that are folded from the log.
  public struct Tables: Sendable {
    /// The position up to which this process has folded.
    public let folded: Position
    /// The position up to which any process has written the tables; later events are folded again after a crash.
    public let written: Position
    /// The number of events that this process has yet to fold. It catches up on the next read.
    public let lag: Int
    /// The number of events that this process has folded since opening; one that was folded twice counts twice.
    public let foldedEvents: Int
    /// The time spent folding, without reading the log and writing the tables.
    public let foldingTime: Duration
    /// The tables' file, `projections/…/data.mdb`.
    public let file: File
    /// The position of the last checkpoint by any process; nil if there is none.
    public let lastCheckpoint: Position?
    /// The position of the last snapshot; nil if there is none.
    public let lastSnapshot: Position?
    /// The error of the last automatic snapshot; nil if it succeeded or none was due yet.
    public let snapshotFailure: ProjectionError?
  }

  /// An LMDB file.
  public struct File: Hashable, Sendable {
    /// The bytes used so far, including those on the free list.
    public let used: Int
    /// The bytes allocated on the disk.
    public let onDisk: Int
    /// The growth of ``used`` since this process opened the workspace, by any process.
    public let growth: Int
    /// The readers of the file.
    public let readers: Readers
  }

  /// The readers of a file, in all processes.
  public struct Readers: Hashable, Sendable {
    /// The number of reader slots in use.
    public let used: Int
    /// The number of reader slots.
    public let max: Int
    /// The number of transactions by which the oldest reader is behind the last; 0 without readers.
    ///
    /// Pages freed by those transactions are not reused while it reads: the file grows instead.
    public let lag: Int
  }

  /// The queue of submits that wait to be appended.
  public struct Queue: Hashable, Sendable {
    /// The number of submits and runs of composer events in the queue.
    public let waiting: Int
    /// The number of submits that wait for admission to the queue.
    public let inLine: Int
    /// The capacity in use: one for each submit, and for each composer event, until it completes.
    public let taken: Int
    /// The capacity of the queue, which is ``Configuration/waitingMax``.
    public let capacity: Int
  }

  /// The submits since opening, by outcome. A run of composer events counts as one.
  ///
  /// Submits that were cancelled in the queue, or found it full and did not wait, are not counted.
  public struct Submits: Hashable, Sendable {
    /// The number of submits that were recorded, or had been recorded before.
    public internal(set) var recorded = 0
    /// The number of no-ops.
    public internal(set) var unchanged = 0
    /// The number of submits that the domain refused.
    public internal(set) var refused = 0
    /// The number of submits with a conflicting expected version.
    public internal(set) var conflicts = 0
    /// The number of failed submits: by the disk, the writer lock, a reused id, a closed workspace.
    public internal(set) var failed = 0
    /// The blocks that this process has appended, by their number of events.
    public internal(set) var blocks = BlockSizes()
    /// The times from taking a batch to having its block on the disk, including the wait for the writer lock.
    public internal(set) var commits = CommitTimes()
  }

  /// Blocks, counted by their number of events.
  public struct BlockSizes: Hashable, Sendable {
    /// The upper bounds of all counts but the last: 1, 2, 4 … 65536.
    public static let bounds = (0...16).map { 1 << $0 }
    /// The number of blocks up to each bound and above the bound before; the last counts those above all bounds.
    public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The number of blocks.
    public private(set) var blocks = 0
    /// The total number of events.
    public private(set) var events = 0

    internal mutating func add(_ count: Int) {
      blocks += 1
      events += count
      counts[Self.bounds.firstIndex { count <= $0 } ?? Self.bounds.count] += 1
    }
  }

  /// Commits, counted by the time that they took.
  public struct CommitTimes: Hashable, Sendable {
    /// The upper bounds of all counts but the last: 1, 2 and 5 times each power of ten from 50 µs to 10 s.
    public static let bounds: [Duration] = [
      .microseconds(50), .microseconds(100), .microseconds(200), .microseconds(500), .milliseconds(1),
      .milliseconds(2), .milliseconds(5), .milliseconds(10), .milliseconds(20), .milliseconds(50),
      .milliseconds(100), .milliseconds(200), .milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(10),
    ]
    /// The number of commits up to each bound and above the bound before; the last counts those above all bounds.
    public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The total time.
    public private(set) var total = Duration.zero

    /// The number of commits.
    public var count: Int { counts.reduce(0, +) }

    /// Returns the bound within which a part of the commits stayed, for example 0.99; nil without commits, or if it is
    /// above all bounds.
    public func bound(of part: Double) -> Duration? {
      var rest = Int((Double(count) * part).rounded(.up))
      if rest == 0 { return nil }
      for (bound, count) in zip(Self.bounds, counts) {
        rest -= count
        if rest <= 0 { return bound }
      }
      return nil
    }

    internal mutating func add(_ time: Duration) {
      counts[Self.bounds.firstIndex { time <= $0 } ?? Self.bounds.count] += 1
      total += time
    }
  }

  /// The state of the writer lock.
  public struct WriterLock: Hashable, Sendable {
    /// The current holder; nil if the lock is free.
    public let holder: Holder?

    /// A holder of the writer lock.
    public struct Holder: Hashable, Sendable {
      /// The process id; nil if the holder has not recorded it yet.
      public let process: Int?
      /// The process id and a description: "4711 (verbatim, stopped)".
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
    commits.add(time)
  }
}
