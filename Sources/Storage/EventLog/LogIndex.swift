// The index of a log, and its in-memory reference.

/// An index of a log's streams and appends; derived from the log block by block, and consistent with exactly one head.
///
/// It is used by one thread at a time.
public protocol LogIndex: BlockFold where Failure == LogError {
  /// Flushes dirty rows of an index on a disk, and closes it.
  func close()

  /// Returns the number of events in a stream.
  func version(of stream: UnsafeRawBufferPointer) throws(LogError) -> StreamVersion

  /// Appends the number of events in each of some streams to an array.
  func readVersions(of streams: [Name], into versions: inout [UInt64]) throws(LogError)

  /// Returns the positions of a stream's events with consecutive versions.
  ///
  /// The versions must be within ``version(of:)``.
  func positions(
    of stream: UnsafeRawBufferPointer, versions: ClosedRange<StreamVersion>
  ) throws(LogError) -> [Position]

  /// Returns the position of the first event of the append with an id; nil when there is none.
  func append(_ id: AppendID) throws(LogError) -> Position?

  /// Returns the streams whose names begin with a prefix and follow another name, in byte order.
  func streams(
    withPrefix prefix: [UInt8], after: [UInt8]?, limit: Int
  ) throws(LogError) -> [StreamSummary]
}

extension LogIndex {
  /// Appends the number of events in each of some streams to an array.
  public func readVersions(of streams: [Name], into versions: inout [UInt64]) throws(LogError) {
    for stream in streams { versions.append(try version(ofStream: stream).rawValue) }
  }
}

/// A stream and its version.
public struct StreamSummary: Hashable, Sendable {
  /// The name of the stream.
  public let name: Name
  /// The number of its events.
  public let version: StreamVersion

  /// Creates a summary from its parts.
  public init(name: Name, version: StreamVersion) {
    self.name = name
    self.version = version
  }
}

/// An index in memory: the reference implementation.
public final class InMemoryIndex: LogIndex {
  /// The head up to which blocks were folded.
  public private(set) var applied: Head
  private var streams: [Name: [Position]] = [:]
  private var appends: [AppendID: Position] = [:]

  /// Creates the index of a log without events.
  public init(genesis: Genesis) { applied = Head(of: genesis) }

  /// Does nothing: the index is freed with its last reference.
  public func close() {}

  /// Folds the block that follows ``applied``.
  public func fold(_ block: BlockView) {
    guard block.first == applied.position.next else { return }
    block.forEachAppend { appends[$0.id] = block.first.advanced(by: $0.firstIndex) }
    for index in 0..<block.count {
      let event = block.event(at: index)
      streams[event.stream.withUnsafeBytes { Name(validated: $0) }, default: []].append(event.position)
    }
    applied = block.head
  }

  /// Returns the number of events in a stream.
  public func version(of stream: UnsafeRawBufferPointer) -> StreamVersion {
    StreamVersion(rawValue: UInt64(streams[Name(validated: stream)]?.count ?? 0))
  }

  /// Returns the positions of a stream's events with consecutive versions.
  public func positions(
    of stream: UnsafeRawBufferPointer, versions: ClosedRange<StreamVersion>
  ) -> [Position] {
    let positions = streams[Name(validated: stream)] ?? []
    return Array(positions[Int(versions.lowerBound.rawValue) - 1...Int(versions.upperBound.rawValue) - 1])
  }

  /// Returns the position of the first event of the append with an id.
  public func append(_ id: AppendID) -> Position? { appends[id] }

  /// Returns the streams whose names begin with a prefix and follow another name.
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
