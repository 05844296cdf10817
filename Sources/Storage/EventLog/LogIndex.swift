// What is found without reading the log from its beginning.

/// Finds streams and appends in a log; derived from the log, block by block, and always of one state of it.
///
/// It is used by one thread at a time.
public protocol LogIndex: BlockFold {
  /// Writes what is not yet written, where it is kept on a disk, and ends the use of it.
  func close()

  /// How many events a stream has.
  func version(of stream: UnsafeRawBufferPointer) throws(LogError) -> StreamVersion

  /// Where a stream's events of consecutive versions stand.
  ///
  /// The versions exist, as ``version(of:)`` says.
  func positions(
    of stream: UnsafeRawBufferPointer, versions: ClosedRange<StreamVersion>
  ) throws(LogError) -> [Position]

  /// Where the first event of the append with an id stands; nil when there is none.
  func append(_ id: AppendID) throws(LogError) -> Position?

  /// The streams whose names begin with some bytes and come after others, in the order of their bytes.
  func streams(
    withPrefix prefix: [UInt8], after: [UInt8]?, limit: Int
  ) throws(LogError) -> [StreamSummary]
}

/// A stream and how many events it has.
public struct StreamSummary: Hashable, Sendable {
  /// The stream.
  public let name: Name
  /// How many events it has.
  public let version: StreamVersion

  /// A summary with its parts.
  public init(name: Name, version: StreamVersion) {
    self.name = name
    self.version = version
  }
}

/// An index that is kept in memory: the reference for all others.
public final class InMemoryIndex: LogIndex {
  /// The end of what has been folded.
  public private(set) var applied: Head
  private var streams: [Name: [Position]] = [:]
  private var appends: [AppendID: Position] = [:]

  /// The index of a log without events.
  public init(genesis: Genesis) { applied = Head(of: genesis) }

  /// Nothing: it ends with its last owner.
  public func close() {}

  /// Adds the block that follows ``applied``.
  public func fold(_ block: BlockView) {
    guard block.first == applied.position.next else { return }
    block.forEachAppend { appends[$0.id] = block.first.advanced(by: $0.firstIndex) }
    for index in 0..<block.count {
      let event = block.event(at: index)
      streams[event.stream.withUnsafeBytes { Name(validated: $0) }, default: []].append(event.position)
    }
    applied = block.head
  }

  /// How many events a stream has.
  public func version(of stream: UnsafeRawBufferPointer) -> StreamVersion {
    StreamVersion(rawValue: UInt64(streams[Name(validated: stream)]?.count ?? 0))
  }

  /// Where a stream's events of consecutive versions stand.
  public func positions(
    of stream: UnsafeRawBufferPointer, versions: ClosedRange<StreamVersion>
  ) -> [Position] {
    let positions = streams[Name(validated: stream)] ?? []
    return Array(positions[Int(versions.lowerBound.rawValue) - 1...Int(versions.upperBound.rawValue) - 1])
  }

  /// Where the append with an id stands.
  public func append(_ id: AppendID) -> Position? { appends[id] }

  /// The streams whose names begin with some bytes and come after others.
  public func streams(withPrefix prefix: [UInt8], after: [UInt8]?, limit: Int) -> [StreamSummary] {
    let chosen = streams.keys.filter { name in
      name.withBytes { bytes in
        bytes.starts(with: prefix) && (after.map { $0.lexicographicallyPrecedes(bytes) } ?? true)
      }
    }
    return chosen.sorted().prefix(limit).map { name in
      StreamSummary(name: name, version: StreamVersion(rawValue: UInt64(streams[name]?.count ?? 0)))
    }
  }
}
