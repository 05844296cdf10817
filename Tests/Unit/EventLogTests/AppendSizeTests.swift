// Threat: an append that grows event by event is checked in quadratic time, or grows past its limits.
import EventLog
import Testing

@Suite struct `The size of an append` {
  private let store: EventStore

  init() {
    var configuration = EventStore.Configuration()
    configuration.eventByteCountMax = 10
    configuration.appendByteCountMax = 15
    store = .inMemory(configuration: configuration)
  }

  private func event(_ byteCount: Int) -> ProposedEvent {
    ProposedEvent(stream: "s", type: "t", payload: [UInt8](repeating: 1, count: byteCount))
  }

  // What broke: after each intent of a submit all events so far were checked again, under the writer lock; one submit
  // of a million intents held it for an hour.
  @Test func `grows with its events, and none of them is checked again`() throws {
    var size = AppendSize()
    try store.check([event(4)], beyond: &size)
    #expect(size.count == 1 && size.byteCount == 4)
    // The first event is too large now, and would be refused if it was checked again.
    try store.check([event(99), event(5)], beyond: &size)
    #expect(size.count == 2 && size.byteCount == 9)
    try store.check([event(99), event(5)], beyond: &size)
    #expect(size.count == 2 && size.byteCount == 9)
  }

  @Test(arguments: [[10], [5, 5, 5], [10, 11], [8, 8], [5, 5, 5, 1]])
  func `has the limits of the append as a whole`(byteCounts: [Int]) {
    let events = byteCounts.map { event($0) }
    let whole = Result { () throws(AppendError) -> Int in try store.check(Append(events)) }
    let grown = Result { () throws(AppendError) -> Int in
      var size = AppendSize()
      for end in 1...events.count { try store.check(Array(events[..<end]), beyond: &size) }
      return size.byteCount
    }
    #expect("\(grown)" == "\(whole)")
  }
}
