// What a server lost of the appends that it had acknowledged to this machine.
public import EventLog
internal import Errors
internal import Files

/// The blocks that this machine appended and that the server does not have: it was restored from an older backup, or
/// promoted without its last commits.
///
/// They are read from the files of this machine, which have the last megabytes of its own appends. Those of other
/// machines are on those.
public struct LostBlocks: Sendable {
  /// The lost positions of which this machine has no block.
  public let missing: [ClosedRange<Position>]
  /// The genesis of the log.
  public let genesis: Genesis
  private let blocks: [[UInt8]]

  /// Finds the lost blocks of the log at an address.
  public init(of address: PostgresAddress, options: PostgresLog.Options = PostgresLog.Options()) throws(OpenError) {
    var options = options
    options.acceptsMissingTail = true
    let log = try PostgresLog.open(at: address, options: options)
    defer { log.close() }
    var (recent, acknowledged) = ([RecentBlocks.Block](), log.acknowledged.head?.position)
    // What was restored in another database may have lost what was appended to the one before.
    let directories = acknowledged == nil ? log.otherDerivedPaths : [log.derivedPath]
    for directory in directories {
      do throws(FileError) { recent += try RecentBlocks.all(in: directory) } catch {
        throw .storage(StorageFailure("\(directory)/recent cannot be read (\(error)): check its rights."))
      }
      acknowledged = max(acknowledged ?? .zero, AcknowledgedHead.read(in: directory)?.position ?? .zero)
    }
    recent.sort { $0.head.position < $1.head.position }
    do throws(LogError) { try self.init(recent, acknowledged ?? .zero, of: log) } catch {
      throw OpenError(error)
    }
  }

  private init(_ recent: [RecentBlocks.Block], _ acknowledged: Position, of log: PostgresLog) throws(LogError) {
    // A log that has a block has all before it.
    var (first, end) = (0, recent.count)
    while first < end {
      let middle = (first + end) / 2
      let head = recent[middle].head
      if try log.head(at: head.position) == head { first = middle + 1 } else { end = middle }
    }
    // Between its own blocks and the end of the log are those of other machines.
    var next = try log.head().position.next
    if first < recent.count { next = min(next, recent[first].first) }
    var (blocks, missing) = ([[UInt8]](), [ClosedRange<Position>]())
    // Of two blocks of a position, left by two histories of the log, the first one is taken.
    for block in recent[first...] where block.first >= next {
      if block.first > next { missing.append(next...Position(rawValue: block.first.rawValue - 1)) }
      blocks.append(block.bytes)
      next = block.head.position.next
    }
    if next <= acknowledged { missing.append(next...acknowledged) }
    if !blocks.isEmpty || !missing.isEmpty { try log.requirePrimary() }
    (self.blocks, self.missing, genesis) = (blocks, missing, log.genesis)
  }

  /// The number of the blocks.
  public var count: Int { blocks.count }

  /// Passes each block to the closure, in order.
  public func forEach<Failure: Error>(_ body: (BlockView) throws(Failure) -> Void) throws(Failure) {
    for bytes in blocks {
      guard let block = try? BlockView(bytes.span.bytes) else { preconditionFailure("a block was read that is none") }
      try body(block)
    }
  }
}

extension PostgresLog {
  /// Accepts that the server does not have all that it acknowledged to this machine, and forgets what is lost; throws
  /// if it is a standby.
  package func acceptMissingTail() throws(LogError) {
    try requirePrimary()
    let head = try head()
    acknowledged.forget()
    acknowledged.record(head)
    recent.removeAll()
  }
}
