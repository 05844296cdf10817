// Threat: opening something that is no workspace, or reading at two positions at once.
import Bytes
import ChildProcess
import Dispatch
import EventLogLMDB
import Foundation
import Locks
import Tables
import Testing

@testable import Verbatim

@Suite struct `Opening a workspace` {
  private let folder = WorkspaceFolder()

  @Test func `opening a missing workspace without creating it throws`() {
    #expect {
      try folder.open(creates: false)
    } throws: { error in
      if case .log(.missing) = error as? WorkspaceError { true } else { false }
    }
  }

  @Test func `opening the log of another application throws`() throws {
    let store = try folder.openStore(creates: true)
    _ = try store.appendBlocking([ProposedEvent(stream: "s", type: "t", payload: [])]) as Receipt
    store.close()
    #expect {
      try folder.open()
    } throws: { error in
      if case .otherApplication(folder.name, nil) = error as? WorkspaceError { true } else { false }
    }
    #expect("\(WorkspaceError.otherApplication(path: "p", "q"))".contains("(q)"))
  }

  @Test func `an erasable workspace on a server is refused`() {
    var configuration = Configuration()
    configuration.isErasable = true
    #expect {
      try Workspace.open(at: "postgres://127.0.0.1:1/chat", configuration: configuration)
    } throws: { error in
      if case .erasableOnServer = error as? WorkspaceError { "\(error)".contains("isErasable") } else { false }
    }
  }

  @Test func `closing one of two instances in a process leaves the other one open`() async throws {
    let (one, other) = (try folder.open(), try folder.open())
    try await one.populate()
    await one.close()
    try await other.send("hello", "m1")
    #expect(try await other.texts() == ["hello"])
    await other.close()
  }
}

/// A projection that counts events by their stream's first letter.
private struct LetterProjection: Projection {
  static let name = "letters"
  static let revision = "1"
  static let counts = ProjectionTable<LetterProjection, Count>("counts")
  static let tableNames = [counts.name]
  private let counts: LiveTable<Count>

  init(_ tables: ProjectionTables) { counts = tables(Self.counts) }

  mutating func fold(_ event: EventView) throws {
    let letter = event.stream.withUnsafeBytes { [$0[0]] }
    try counts.change(letter) { $0 = Count(number: ($0?.number ?? 0) + 1) }
  }
}

private struct Count: BinaryRow {
  let number: UInt64

  init(number: UInt64) { self.number = number }

  init?(decoding bytes: RawSpan) {
    var reader = ByteReader(bytes)
    guard let number = reader.varint() else { return nil }
    self.number = number
  }

  func encode(into writer: inout ByteWriter) { writer.varint(number) }
}

/// A projection that cannot fold messages.
private struct Picky: Projection {
  struct Refused: Error {}
  static let name = "picky"
  static let revision = "1"
  static let counts = ProjectionTable<Picky, Count>("counts")
  static let tableNames = [counts.name]

  init(_ tables: ProjectionTables) { _ = tables(Self.counts) as LiveTable<Count> }

  mutating func fold(_ event: EventView) throws {
    if event.type.withUnsafeBytes({ $0.starts(with: "messageSent".utf8) }) { throw Refused() }
  }
}

/// Returns the number of counted events.
private func total(_ reading: WorkspaceReading) throws -> UInt64 {
  var total: UInt64 = 0
  try reading.own?.forEachRow(of: LetterProjection.counts) { (_, count: Count) throws(ProjectionError) in
    total += count.number
    return true
  }
  return total
}

@Suite struct `Projections of an app` {
  private let folder = WorkspaceFolder()

  @Test func `an app's projections are read at the chat's position, despite concurrent submits`() async throws {
    let workspace = try folder.open { $0.projections = [LetterProjection.self] }
    let other = try folder.open { $0.projections = [LetterProjection.self] }
    try await workspace.populate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for round in 0..<50 {
            let writer = task < 2 ? workspace : other
            try await writer.send("x", Message.ID(rawValue: "m\(task).\(round)")!)
          }
        }
        group.addTask {
          for _ in 0..<100 {
            let reader = task < 2 ? workspace : other
            let (position, counted) = try await reader.read { reading in (reading.position, try total(reading)) }
            #expect(counted == position.rawValue)
          }
        }
      }
      try await group.waitForAll()
    }
    let past = try await workspace.at(Position(rawValue: 2))
    #expect(try await past.read { try total($0) } == 2)
    past.close()
    await workspace.close()
    await other.close()
  }

  @Test func `a stopped projection does not stop submitting and reading`() async throws {
    let workspace = try folder.open { $0.projections = [Picky.self, LetterProjection.self] }
    try await workspace.populate()
    let sent = try await workspace.send("hello", "m1")
    try await workspace.send("more", "m2")
    #expect(try await workspace.texts() == ["hello", "more"])
    #expect(try await workspace.read { try total($0) } == sent.position.rawValue + 1)
    #expect(workspace.stops.map(\.projection) == ["picky"] && workspace.stops.first?.position == sent.position)
    await workspace.close()
  }
}

@Suite struct `Waiting for a position` {
  private let folder = WorkspaceFolder()

  @Test func `waiting ends at the position, at the timeout, and on cancellation`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let end = try workspace.head()
    #expect(try await workspace.reached(end))
    #expect(try await workspace.reached(.zero))
    #expect(try await !workspace.reached(end.next, within: .milliseconds(1)))
    let task = Task { try await workspace.reached(end.advanced(by: 9), within: .seconds(3600)) }
    task.cancel()
    #expect(try await !task.value)
    async let isThere = workspace.reached(end.next, within: .seconds(Deadline.seconds))
    try await workspace.send("hello", "m1")
    #expect(try await isThere)
    await workspace.close()
  }
}

@Suite struct `The past of a workspace` {
  private let folder = WorkspaceFolder()

  @Test func `the past is read at a position and at an instant, and not beyond the head`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let first = try #require(try await workspace.send("one", "m1").receipt)
    let second = try #require(try await workspace.send("two", "m2").receipt)
    try await workspace.submit(.message(Message.Key("general", "m1"), .delete(forGood: true)), by: .user("ada"))
    func texts(_ past: PastWorkspace) async throws -> [String] {
      try await past.read { reading in
        try reading.chat.messages(in: "general", .latest, limit: 9, for: "ada").messages.map(\.content.text.string)
      }
    }
    let past = try await workspace.at(second.positions.upperBound)
    #expect(try await texts(past) == ["one", "two"] && past.position == second.positions.upperBound)
    past.close()
    await #expect(throws: ProjectionError.self) { try await texts(past) }
    let instant = first.recorded
    let earlier = try await workspace.at(instant)
    #expect(try await texts(earlier).first == "one")
    earlier.close()
    await #expect {
      try await workspace.at(Position(rawValue: 999))
    } throws: { error in
      if case .beyondEnd = error as? ProjectionError { true } else { false }
    }
    await workspace.close()
  }

  // A read between the moves of the two would combine a chat with projections of another position.
  @Test func `a past that moves has the chat and other projections at one position in every read`() async throws {
    let workspace = try folder.open { $0.projections = [LetterProjection.self] }
    try await workspace.populate()
    for number in 1...20 { try await workspace.send("text \(number)", Message.ID("m\(number)")) }
    let end = try workspace.head().rawValue
    @Sendable func texts(_ reading: borrowing WorkspaceReading) throws -> [String] {
      try reading.chat.messages(in: "general", .latest, limit: 99, for: "ada").messages.map(\.content.text.string)
    }
    var expected: [[String]] = []
    for position in 0...end {
      let past = try await workspace.at(Position(rawValue: position))
      expected.append(try await past.read { reading in try texts(reading) })
      past.close()
    }
    let past = try await workspace.at(.zero)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for step in 0..<200 as Range<UInt64> {
          try await past.move(to: Position(rawValue: step * 7919 % (end + 1)))
        }
      }
      group.addTask { [expected] in
        for _ in 0..<200 {
          try await past.read { reading in
            #expect(reading.own?.position == reading.position)
            let found = try texts(reading)
            #expect(found == expected[Int(reading.position.rawValue)])
          }
          try await past.read(as: "ada") { _ in }
        }
      }
      try await group.waitForAll()
    }
    await #expect(throws: ProjectionError.self) { try await past.move(to: Position(rawValue: end + 1)) }
    #expect(past.position == Position(rawValue: 199 * 7919 % (end + 1)))
    past.close()
    await #expect(throws: ProjectionError.self) { try await past.move(to: .zero) }
    await workspace.close()
  }

  // What broke: it was found by reading. Reads that waited for a move of a past workspace had all threads.
  @Test func `reads of a past workspace that wait leave threads to those of the present`() async throws {
    let workspace = try folder.open()
    try await workspace.populate()
    let past = try await workspace.at(.zero)
    let (begun, end) = (Locked(0), DispatchSemaphore(value: 0))
    let waiting = (0..<16).map { _ in
      Task {
        begun.withLock { $0 += 1 }
        try await past.read { _ in end.wait() }
      }
    }
    while begun.withLock({ $0 }) < 16 { await Task.yield() }
    do {
      defer { for _ in waiting { end.signal() } }
      for _ in 0..<100 { _ = try await within("a read") { try await workspace.read { $0.position } } }
    }
    for read in waiting { try await read.value }
    await workspace.close()
  }
}
