// Sample logs, and the expected results of reading them.
import EventLog
import EventLogLMDB
import Foundation
import LogWorker
import Testing

/// Returns a store on a new log in a directory.
func makeLog(_ directory: TemporaryDirectory) throws -> EventStore {
  try .open(at: directory.path, options: LMDBLog.Options(creates: true))
}

/// Creates an empty log for other processes to use.
func makeEmptyLog(_ directory: TemporaryDirectory) throws {
  try makeLog(directory).close()
}

/// Appends the given appends of a workload, one by one.
@discardableResult
func append(_ workload: Workload, _ numbers: Range<Int>, to store: EventStore) throws -> [Receipt] {
  try numbers.map { try store.appendBlocking(workload.append($0)) }
}

/// Returns an in-memory store with the same blocks: the reference for a log on disk.
func mirror(_ store: EventStore) throws -> EventStore {
  let log = InMemoryLog(genesis: store.log.genesis)
  try store.log.blocks(from: .first, .forward, checks: .full) { block throws(LogError) in
    try log.append(block, after: log.head())
    return .next
  }
  return EventStore(log: log, index: InMemoryIndex(genesis: log.genesis))
}

/// Expects a log to return the same versions, streams, receipts and events as an in-memory one with the same blocks.
func expectRightAnswers(_ store: EventStore, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let expected = try mirror(store)
  #expect(try store.head() == expected.head(), sourceLocation: sourceLocation)
  let streams = try expected.streams(limit: .max)
  #expect(try store.streams(limit: .max) == streams, sourceLocation: sourceLocation)
  for stream in streams {
    #expect(try store.version(of: stream.name) == stream.version, sourceLocation: sourceLocation)
    let events = try positions(of: stream.name, in: store)
    #expect(try events == positions(of: stream.name, in: expected), sourceLocation: sourceLocation)
  }
  #expect(try store.version(of: "never written") == .zero, sourceLocation: sourceLocation)
  for id in Set(try store.events(limit: .max).map(\.append)) {
    #expect(try store.receipt(of: id) == expected.receipt(of: id), sourceLocation: sourceLocation)
  }
  #expect(try store.receipt(of: AppendID(high: .max, low: .max)) == nil, sourceLocation: sourceLocation)
}

private func positions(of stream: Name, in store: EventStore) throws -> [Position] {
  var positions: [Position] = []
  try store.readStream(stream) { event in
    positions.append(event.position)
    return .next
  }
  return positions
}

/// Expects verification of a log to have no findings.
func expectWhole(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let report = try LogCheck.verify(logAt: path)
  #expect(report.findings == [], sourceLocation: sourceLocation)
}

/// Expects recorded events to equal those that an append proposed.
func expectSame(
  _ recorded: some Collection<RecordedEvent>, _ append: Append,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let proposals = recorded.map {
    ProposedEvent(
      stream: $0.stream, type: $0.type, payload: $0.payload, actor: $0.actor, device: $0.device,
      cause: $0.cause)
  }
  #expect(proposals == append.events, sourceLocation: sourceLocation)
  #expect(recorded.allSatisfy { $0.append == append.id }, sourceLocation: sourceLocation)
  #expect(recorded.allSatisfy { $0.correlation == append.correlation }, sourceLocation: sourceLocation)
}

/// Returns the bytes of a file.
func contents(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

/// Writes a file, replacing an existing one.
func write(_ contents: [UInt8], to path: String) throws { try Data(contents).write(to: URL(filePath: path)) }

func copy(_ from: String, _ to: String) throws { try FileManager.default.copyItem(atPath: from, toPath: to) }

func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

/// Returns the error that a closure throws; nil when it throws none.
func failure<R, E: Error>(_ body: () throws(E) -> R) -> E? {
  do throws(E) {
    _ = try body()
    return nil
  } catch { return error }
}
