// The check of an image: opens it, compares it with what was promised, writes to it, and verifies it.
import ChildProcess
import Digests
import EventLogLMDB
import Foundation
import Tables
import Verbatim

/// The losses of an image.
final class Losses {
  private let areFindings: Bool
  private(set) var count = 0

  init(areFindings: Bool) { self.areFindings = areFindings }

  func add(_ text: String) throws {
    if areFindings { throw Finding(text, .lost) }
    count += 1
  }

  func require(_ condition: Bool, _ text: @autoclosure () -> String) throws { if !condition { try add(text()) } }
}

/// The check of images below a directory; keeps the digests of logs that it has folded.
struct ImageCheck {
  /// The digests of all tables, folded from the log alone, by the hash of its head.
  private var folded: [String: [String]] = [:]
  /// What is lost: a finding, unless the disk is one of which nothing is promised.
  let losses: Losses
  /// The longest time before a power cut at which a keystroke was made that is lost, in nanoseconds.
  var oldestLostKeystroke: UInt64 = 0
  /// The file with the lines of interrupted imports.
  private let lines: String

  /// Creates the check of images of a recording, the directory of a workload.
  init(of recording: String, lossesAreFindings: Bool = true) {
    (lines, losses) = (recording + "/root-lines", Losses(areFindings: lossesAreFindings))
  }

  /// Checks the image in a directory against a ledger, at the time of the cut; throws a ``Finding``.
  mutating func check(_ root: String, _ ledger: Ledger, at time: UInt64) async throws {
    for (name, area) in ledger.areas.sorted(by: { $0.key < $1.key }) {
      if area.isResumable {
        try resumeImport(at: root + "/" + name)
      } else if area.isIncomplete, try !opens(root + "/" + name, area) {
        continue
      }
      if area.isLog {
        try checkLog(root + "/" + name, area, name)
      } else {
        try await checkWorkspace(root, name, area, ledger, at: time)
      }
    }
  }

  // MARK: Copies

  /// Returns whether a copy that is not complete opens, so that it has to have everything.
  private func opens(_ path: String, _ area: Ledger.Area) throws -> Bool {
    do {
      if area.isLog {
        try EventStore.open(at: path).close()
      } else {
        try Workspace.open(at: path, creates: false, configuration: Session.configuration()).closeBlocking()
      }
      return true
    } catch { return false }
  }

  /// Continues an import with the tool, as a user does.
  private func resumeImport(at path: String) throws {
    let tool = try Child([Child.path(ofWorker: "verbatim"), "import", path, lines, "--resume"])
    tool.closeInput()
    let output = try tool.lines().joined(separator: " ")
    let ending = tool.wait()
    guard ending == .exit(0) else { throw Finding("an import does not continue, \(ending): \(output)", .reported) }
  }

  // MARK: Logs

  private func checkLog(_ path: String, _ area: Ledger.Area, _ name: String) throws {
    let store: EventStore
    do {
      store = try EventStore.open(at: path, options: LMDBLog.Options(creates: !area.isThere))
    } catch {
      throw Finding("\(name) does not open: \(error)", .reported)
    }
    do {
      defer { store.close() }
      try checkEvents(of: store, area, name)
      let event = ProposedEvent(stream: "stream/after", type: "noted", payload: [1, 2, 3])
      let receipt = try store.appendBlocking(Append([event]))
      try require(store.receipt(of: receipt.id) == receipt, "\(name) does not find a new append")
    } catch let error as Finding { throw error } catch { throw Finding("\(name): \(error)", .reported) }
    try verify(path, name)
  }

  /// Checks that each acknowledged append is at its positions, and nothing is there that was never begun.
  private func checkEvents(of store: EventStore, _ area: Ledger.Area, _ name: String) throws {
    let events = try store.events(from: .first, limit: .max)
    for (index, event) in events.enumerated() {
      try require(event.position.rawValue == UInt64(index) + 1, "\(name): position \(event.position) is the \(index)th")
    }
    for (id, receipt) in area.receipts {
      guard receipt.last <= UInt64(events.count) else {
        try losses.add("\(name): the acknowledged append at \(receipt.first)–\(receipt.last) is lost")
        continue
      }
      let found = events[Int(receipt.first) - 1..<Int(receipt.last)]
      guard Session.hash(of: found, isErasable: area.isErasable) == receipt.hash else {
        // On a lying disk: an append that was not acknowledged, from before the one that was lost.
        try losses.add("\(name): other events are at \(receipt.first)–\(receipt.last)")
        continue
      }
      let stored = try store.receipt(of: AppendID(id)!)
      try require(
        stored?.positions.lowerBound.rawValue == receipt.first, "\(name): the index does not find the append \(id)")
    }
    var sends: Set<AppendID> = []
    for event in events where !area.wanted.contains("\(event.append)") {
      if area.isErasable, event.stream == Erasure.stream { continue }
      // The beginning of a consumer is an append of its own.
      let isKeystroke = ["composer/", "draft/", "consumer/"].contains { "\(event.stream)".hasPrefix($0) }
      if !isKeystroke { sends.insert(event.append) }
      try require(
        area.hasKeystrokes && (isKeystroke || "\(event.stream)".hasPrefix("channel/")),
        "\(name): the event at \(event.position) of \(event.stream) was never appended")
    }
    let sent = "\(name): \(sends.count) messages were sent from composers, not \(area.sends)"
    try require(sends.count <= area.sends.begun, sent)
    try losses.require(sends.count >= area.sends.done, sent)
    let streams = Dictionary(grouping: events, by: \.stream)
    for (stream, events) in streams {
      let found = try store.events(of: stream, limit: .max)
      try require(found == events, "\(name): the index has other events of \(stream)")
    }
  }

  /// Verifies a log that no process has open, with its index.
  private func verify(_ path: String, _ name: String) throws {
    let report: LogReport
    do { report = try LogCheck.verify(logAt: path) } catch {
      throw Finding("\(name) cannot be verified: \(error)", .reported)
    }
    if let found = report.findings.first { throw Finding("\(name): \(found)", .reported) }
  }
}

// MARK: Workspaces

extension ImageCheck {
  private mutating func checkWorkspace(
    _ root: String, _ name: String, _ area: Ledger.Area, _ ledger: Ledger, at time: UInt64
  ) async throws {
    let path = root + "/" + name
    if area.isErasable, area.isThere { try finishErasures(at: path, area, name) }
    let workspace: Workspace
    do {
      workspace = try Workspace.open(at: path, creates: !area.isThere, configuration: Session.configuration())
    } catch {
      throw Finding("\(name) does not open: \(error)", .reported)
    }
    let session = Session(area: name, workspace: workspace)
    do {
      try checkEvents(of: workspace.store, area, name)
      try await checkTables(session, area)
      if area.isErasable { try await checkWords(session, area) }
      try await checkBlobs(session, area)
      try await checkClients(root, ledger, session, at: time)
      if let replies = area.replies { try await checkBot(session, replies) }
      try await write(to: session)
    } catch {
      await workspace.close()
      throw error as? Finding ?? Finding("\(name): \(error)", .reported)
    }
    await workspace.close()
    try verify(path, name)
  }

  /// Writes to the workspace, and reads it.
  private func write(to session: Session) async throws {
    let user: User.ID = "after"
    try await session.workspace.submit(.user(user, .create(User.Profile(name: "After"))), by: .system)
    let found = try await session.workspace.read { try $0.chat.user(user) }
    try require(found != nil, "\(session.area): a user who was created is not read")
  }

  /// Checks that the tables are those that a fold of the log alone gives, and that nothing stored beside is damaged.
  private mutating func checkTables(_ session: Session, _ area: Ledger.Area) async throws {
    let (workspace, name) = (session.workspace, session.area)
    let position = try await workspace.read { $0.position }
    let head = try workspace.store.head()
    try require(position == head.position, "\(name): the tables are at \(position) of \(head.position)")
    let recorded = try workspace.projections.checkpoints().map(\.position.rawValue)
    for position in area.checkpoints where !recorded.contains(position) {
      if try ProjectionStore.hasUnreadableCheckpoints(in: workspace.path + "/projections") {
        throw Finding("\(name): the checkpoint at \(position) cannot be read", .reported)
      }
      try losses.add("\(name): the checkpoint at \(position) is lost")
    }
    if head.position > .zero {
      let found = try digests(of: workspace)
      let expected = try folded["\(head.hash)"] ?? fold(workspace)
      folded["\(head.hash)"] = expected
      try require(found == expected, "\(name): the tables \(found) differ from a fold of the log, \(expected)")
    }
    try checkStored(session, area)
  }

  /// Checks the snapshots and the history.
  private func checkStored(_ session: Session, _ area: Ledger.Area) throws {
    let (workspace, name) = (session.workspace, session.area)
    let directory = workspace.path + "/projections/snapshots"
    for position in area.snapshots.suffix(1) {
      let sets = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      // The snapshot of a set is removed once it has a newer one, whether or not all sets have that.
      let count = sets.count { set in
        let found = (try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(set)")) ?? []
        return found.contains { name in
          UInt64(name).map { $0 >= position } ?? false
            && FileManager.default.fileExists(atPath: "\(directory)/\(set)/\(name)/data.mdb")
        }
      }
      let lost = workspace.configuration.projectionSets.all.count - count
      try losses.require(lost == 0, "\(name): the snapshot at \(position) is lost of \(lost) sets of tables")
    }
    for report in workspace.checkSnapshots() where report.damage != nil {
      throw Finding("\(name): \(report)", .reported)
    }
    if FileManager.default.fileExists(atPath: workspace.path + "/projections/history") {
      let store = try session.stateWithHistory()
      defer { store.close() }
      if let report = try store.checkHistory(), report.damage != nil {
        throw Finding("\(name): \(report)", .reported)
      }
    }
  }

  private func digests(of workspace: Workspace) throws -> [String] {
    let directory = workspace.path + "/projections"
    return try workspace.configuration.projectionSets.all.flatMap { types in
      let store = try ProjectionStore(of: workspace.store, types, at: directory)
      defer { store.close() }
      return try store.checkpoint()?.digests.map { "\($0.table) \($0.digest)" } ?? []
    }
  }

  private func fold(_ workspace: Workspace) throws -> [String] {
    let head = try workspace.head()
    return try workspace.configuration.projectionSets.all.flatMap { types in
      let replay = try ProjectionReplay(types, of: workspace.store, in: workspace.path + "-replay")
      defer { replay.close() }
      _ = try replay.fold(through: head)
      return try replay.checkpoint().digests.map { "\($0.table) \($0.digest)" }
    }
  }

  /// Checks that every acknowledged blob is there, and that none is damaged.
  private func checkBlobs(_ session: Session, _ area: Ledger.Area) async throws {
    let blobs = session.workspace.blobs
    for id in area.blobs {
      try await finding("\(session.area): the blob \(id)") { try await blobs.verify(Blob.ID(id)!) }
    }
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: blobs.path)) ?? []
    for file in files where file.utf8.count > 40 && !file.hasPrefix("unfinished") {
      guard let id = Blob.ID(String(file.split(separator: "/").last ?? "")) else {
        throw Finding("\(session.area): blobs/\(file) is no blob")
      }
      try await finding("\(session.area): the stored blob \(id)") { try await blobs.verify(id) }
    }
  }
}
