// Threat: an append id occurs twice in a log.
import EventLog
import EventLogLMDB
import LogWorker
import Testing

/// What broke: it is documented that no append id occurs twice, and no check verified it.
@Suite struct RepeatedAppendTests {
  @Test func `an append id that occurs twice is reported with both positions`() throws {
    let directory = TemporaryDirectory(inMemory: true)
    let log = try LMDBLog.open(at: directory.path, options: LMDBLog.Options(creates: true))
    // An index without appends makes the store write the same append again.
    let store = EventStore(log: log, index: ForgetfulIndex(genesis: log.genesis))
    let workload = Workload(seed: 3, shape: .several)
    try append(workload, 0..<10, to: store)
    let first = try store.events(from: .first, limit: 1)[0]
    #expect(try LogCheck.verify(logAt: directory.path).holds)
    let again = try store.appendBlocking(workload.append(0))
    store.close()
    let findings = try LogCheck.verify(logAt: directory.path).findings
    #expect(findings.map(\.location) == [.log])
    let sentence = findings.first?.description ?? ""
    #expect(
      sentence.contains("\(first.append) occurs twice, at positions 1 and \(again.positions.lowerBound)"), "\(sentence)"
    )
  }
}

/// An index that finds no append.
private final class ForgetfulIndex: LogIndex {
  private let index: InMemoryIndex

  init(genesis: Genesis) { index = InMemoryIndex(genesis: genesis) }

  var applied: Head { index.applied }
  func fold(_ block: BlockView) { index.fold(block) }
  func close() {}
  func version(of stream: UnsafeRawBufferPointer) -> StreamVersion { index.version(of: stream) }
  func positions(of stream: UnsafeRawBufferPointer, versions: ClosedRange<StreamVersion>) -> [Position] {
    index.positions(of: stream, versions: versions)
  }
  func append(_ id: AppendID) -> Position? { nil }
  func streams(withPrefix prefix: [UInt8], after: [UInt8]?, limit: Int) -> [StreamSummary] {
    index.streams(withPrefix: prefix, after: after, limit: limit)
  }
}
