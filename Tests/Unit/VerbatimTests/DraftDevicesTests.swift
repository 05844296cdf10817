// Threat: of two devices of one user, in two processes, one misses or overwrites a draft saved by the other.
import ChildProcess
import Testing
import TestThreads
import Verbatim
import WorkspaceWorker

@Suite(.waitsForProcesses) struct `Two devices of one user in two processes` {
  @Test(arguments: DraftSortPosition.allCases, [false, true])
  func `a draft is shared, and never replaces what is being written`(place: DraftSortPosition, isTouchedHere: Bool)
    async throws
  {
    let desk = try await Desk(for: place)
    let (here, there) = (Seat.here(desk.device), Seat.there(try desk.startOther()))
    // The first device saves, updates and deletes; the other one follows, and writes at the end.
    let (one, other) = isTouchedHere ? (there, here) : (here, there)

    try await other.does("open", "")
    try await one.does("open", "")
    try await one.does("type first", "first (touched)")
    try await one.does("leave", "")
    try await other.does("await first", "first")
    try await one.does("open", "first")
    try await one.does("type , more", "first, more (touched)")
    try await one.does("leave", "")
    try await other.does("await first, more", "first, more")
    try await one.does("open", "first, more")
    try await one.does("clear", "")
    try await other.does("await", "")
    try await one.does("type anew", "anew (touched)")
    try await one.does("leave", "")
    try await other.does("await anew", "anew")

    try await other.does("type  and mine", "anew and mine (touched)")
    try await one.does("open", "anew")
    try await one.does("type  and theirs", "anew and theirs (touched)")
    try await one.does("leave", "")
    try await other.meets(by: desk, "anew and mine (touched)")
    try await one.does("open", "anew and theirs")
    try await one.does("clear", "")
    try await other.meets(by: desk, "anew and mine (touched)")
    try await one.does("leave", "")
    try await one.does("open", "")
    try await other.does("leave", "")
    try await one.does("await anew and mine", "anew and mine")

    try await one.does("leave", "")
    try await desk.expectSame(here, there, "anew and mine")
  }

  @Test(arguments: DraftSortPosition.allCases, [false, true])
  func `the contents left last become the draft of both`(place: DraftSortPosition, isLastHere: Bool)
    async throws
  {
    let desk = try await Desk(for: place)
    let (here, there) = (Seat.here(desk.device), Seat.there(try desk.startOther()))
    let (first, last) = isLastHere ? (there, here) : (here, there)
    for seat in [first, last] { try await seat.does("open", "") }
    try await first.does("type one", "one (touched)")
    try await last.does("type two", "two (touched)")
    try await first.does("leave", "")
    try await last.meets(by: desk, "two (touched)")
    try await last.does("leave", "")
    for seat in [first, last] {
      try await seat.does("open", "two")
      try await seat.does("leave", "")
    }
    try await desk.expectSame(here, there, "two")
  }
}

/// A workspace with one device in this process, and one in another.
private final class Desk {
  let device: DraftDevice
  private let folder = WorkspaceFolder()
  private let place: DraftSortPosition
  private let workspace: Workspace
  private var slowMode: UInt32 = 0

  init(for place: DraftSortPosition) async throws {
    self.place = place
    workspace = try folder.openAsWorker { $0.draftMessagesEnabled = true }
    _ = try await Worker.populate(workspace, 2)
    let parent = Message.Key(Worker.meeting, "parent")
    try await workspace.submit(.message(parent, .send(Message.Content("parent"))), by: .user(Worker.user(1)))
    device = await DraftDevice(workspace, Worker.written.device, thread: place.thread)
  }

  func startOther() throws -> Child {
    try folder.startWorker("device", "phone", place.thread?.text ?? "-", "on")
  }

  /// Changes the channel's slow mode; returns its seconds.
  func changeChannel() async throws -> UInt32 {
    slowMode += 1
    try await workspace.submit(.channel(Worker.meeting, .setSlowMode(slowMode)), by: .system)
    return slowMode
  }

  /// Expects that both have the same non-empty draft and the same tables; ends the other process.
  func expectSame(_ here: Seat, _ there: Seat, _ text: String) async throws {
    let key = place.draft
    #expect(try await workspace.read { try $0.chat.draft(key) }?.content == Composition(TypedText(text)))
    for line in ["draft", "digests"] {
      let (mine, theirs) = (try await here.answer(to: line), try await there.answer(to: line))
      #expect(mine == theirs, "\(line)")
    }
    if case .there(let child) = there { #expect(try child.finish() == .exit(0)) }
    await workspace.close()
  }
}

/// The process of a device.
private enum Seat {
  case here(DraftDevice)
  case there(Child)

  /// Executes a line; returns its outcome.
  func answer(to line: String) async throws -> String {
    switch self {
    case .here(let device): return try await device.answer(to: line)
    case .there(let child):
      child.send(line)
      return try child.line() ?? "the process ended: \(child.wait())"
    }
  }

  /// Executes a line, and expects its outcome.
  func does(_ line: String, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let found = try await self.answer(to: line)
    #expect(found == answer, "\(line)", sourceLocation: sourceLocation)
  }

  /// Expects an outcome once the composer has seen everything recorded so far.
  func meets(by desk: Desk, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await does("meet \(desk.changeChannel())", answer, sourceLocation: sourceLocation)
    try await does("flush", answer, sourceLocation: sourceLocation)
  }
}
