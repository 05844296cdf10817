// Threat: the log's file is moved, deleted or replaced while it is open.
import EventLog
import EventLogLMDB
import Foundation
import LMDB
import LogWorker
import Testing

/// What broke: a writer whose directory had been removed or renamed, or whose file had been replaced by a restore,
/// continued to write to the file that was no longer at the path, and returned receipts for events that were lost. What
/// fixed it: before an append is acknowledged, device and inode of the path are compared with the open file; readers
/// and followers compare them periodically.
@Suite struct MovedLogTests {
  private let directory = TemporaryDirectory()
  private let workload = Workload(seed: 32, shape: .several)

  /// A change of the file at the log's path.
  enum Change: CaseIterable {
    case directoryRemoved, directoryRenamed, fileRemoved, fileReplaced, logReplaced
  }

  @Test(arguments: Change.allCases)
  func `an append to a moved log is not acknowledged`(change: Change) throws {
    let store = try makeLog(directory)
    try append(workload, 0..<5, to: store)
    try apply(change)
    for number in 5..<10 {
      let error = try #require(failure { () throws(AppendError) in try store.appendBlocking(workload.append(number)) })
      guard case .log(.replaced(directory.path)) = error else { throw error }
      #expect("\(error)".contains("open it again"))
    }
    store.close()
    guard change == .fileReplaced || change == .logReplaced else { return }
    // The log at the path can be opened, and the appends retried.
    let again = try EventStore.open(at: directory.path)
    try append(workload, 0..<10, to: again)
    try expectRightAnswers(again)
    again.close()
  }

  @Test(arguments: Change.allCases)
  func `reading and following a moved log throws`(change: Change) async throws {
    let store = try makeLog(directory)
    try append(workload, 0..<5, to: store)
    let end = try store.head().position
    try apply(change)
    await expectEnd(of: store.follow(from: end.next))
    #expect(throws: LogError.self) { try store.head() }
    #expect(throws: LogError.self) { try store.events(limit: 1) }
    store.close()
  }

  private func expectEnd(of events: EventFeed) async {
    do {
      for try await event in events { Issue.record("\(event.position) was delivered") }
      Issue.record("following ended without an error")
    } catch {
      #expect("\(error)".contains("moved, deleted or replaced"), "\(error)")
    }
  }

  private func apply(_ change: Change) throws {
    let (manager, path) = (FileManager.default, directory.path)
    switch change {
    case .directoryRemoved: try remove(path)
    case .directoryRenamed:
      try manager.moveItem(atPath: path, toPath: path + ".moved")
      try remove(path + ".moved")
    case .fileRemoved: try remove(path + "/log/data.mdb")
    case .fileReplaced:
      try copy(path + "/log/data.mdb", path + "/log/restored")
      #expect(rename(path + "/log/restored", path + "/log/data.mdb") == 0)
    case .logReplaced:
      try copy(path + "/log", path + "/restored")
      try remove(path + "/log")
      try manager.moveItem(atPath: path + "/restored", toPath: path + "/log")
    }
  }
}
