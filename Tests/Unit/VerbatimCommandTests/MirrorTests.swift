// Threat: a mirror that is not complete is taken for a complete one.
import ChildProcess
import EventLog
import EventLogLMDB
import Foundation
import Testing
import TestThreads
import Verbatim

@testable import VerbatimCommand

@Suite(.waitsForProcesses) struct `A mirror in a directory` {
  private let folder = Folder()

  // What broke: a run that a signal had ended before the end of the log had exit code 0.
  @Test(.enabled(if: program != nil, "the program was not built"))
  func `a run to the end that is interrupted before it fails and says how far it came`() throws {
    let (path, copy) = (folder("log"), folder("copy"))
    let store = try EventStore.open(at: path, options: LMDBLog.Options(creates: true))
    _ = try store.appendBlocking([ProposedEvent(stream: "a", type: "said", payload: [1])])
    #expect(verbatim("mirror", path, copy, "--once").code == .done)
    // Two of these blocks are written at once.
    let payload = [UInt8](repeating: 7, count: 600_000)
    for _ in 0..<4 { _ = try store.appendBlocking([ProposedEvent(stream: "a", type: "said", payload: payload)]) }
    store.close()
    var child: Child?
    let held = try LMDBLog.open(at: copy)
    try held.withWriterLock {
      let script = #"exec "$0" mirror "$1" "$2" --once 2>&1"#
      child = try? Child(["sh", "-c", script, program ?? "", path, copy])
      let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
      while let child, waiter(for: copy) != child.process, .now < deadline { sched_yield() }
      child?.signal(SIGTERM)
    }
    held.close()
    let mirror = try #require(child)
    #expect(
      try mirror.line()
        == "verbatim: The mirror was interrupted: \(copy) has 3 of 5 events; mirror again.")
    #expect(mirror.wait() == .exit(ExitCode.unable.rawValue))
    #expect(verbatim("mirror", path, copy, "--once").output.hasPrefix("\(copy) has 5 events"))
  }

  /// Returns the process that waits for the writer lock of a log; nil when it was none yet.
  private func waiter(for path: String) -> pid_t? {
    guard let bytes = FileManager.default.contents(atPath: path + "/writer-queue"), bytes.count >= 4 else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: pid_t.self) }
  }

  // What broke: only the attachments that new blocks name were looked at, so that one that was missing once was never
  // copied.
  @Test(arguments: [false, true])
  func `an attachment that was missing is copied by the next run that finds it`(isErasable: Bool) async throws {
    let (path, copy) = (folder("chat"), folder("copy"))
    var configuration = Configuration()
    configuration.isErasable = isErasable
    let workspace = try Workspace.open(at: path, configuration: configuration)
    let ada = workspace.client(user: "ada")
    try await ada.me.create(name: "Ada")
    try await ada.channel("general").create()
    var files: [String] = []
    for number in 0..<2 {
      let blob = try await workspace.blobs.add([UInt8(number)])
      let attachment = Attachment("a1", .file, at: .url(blob.url), byteCount: 1)
      let id: Message.ID = number == 0 ? "m1" : "m2"
      let content = Message.Content("look", attachments: [attachment])
      try await ada.submit(.message(Message.Key("general", id), .send(content)))
      let hash = String(blob.id.text.prefix(64))
      files.append("/blobs/\(hash.prefix(2))/\(hash)")
    }
    // Blobs that no message names are not copied, unless it is unknown which ones they name.
    if !isErasable { _ = try await workspace.blobs.add([2]) }
    await workspace.close()
    try FileManager.default.moveItem(atPath: path + files[0], toPath: folder("away"))
    let first = verbatim("mirror", path, copy, "--once")
    #expect(first.code == (isErasable ? .done : .refused) && first.output.contains("1 attachment copied"), "\(first)")
    #expect(verbatim("mirror", path, copy, "--once").output.contains("attachment") == false)
    try FileManager.default.moveItem(atPath: folder("away"), toPath: path + files[0])
    let second = verbatim("mirror", path, copy, "--once")
    #expect(second.code == .done && second.output.contains("1 attachment copied"), "\(second)")
    #expect(files.allSatisfy { FileManager.default.contents(atPath: copy + $0) != nil })
    #expect(verbatim("mirror", path, copy, "--once").output.contains("attachment") == false)
  }

  // What broke: each run counted the attachments that its blocks name, whether or not the copy had them.
  @Test(arguments: [false, true])
  func `an attachment that the copy has already is not reported as copied`(isErasable: Bool) async throws {
    let (path, copy) = (folder("chat"), folder("copy"))
    var configuration = Configuration()
    configuration.isErasable = isErasable
    let workspace = try Workspace.open(at: path, configuration: configuration)
    let ada = workspace.client(user: "ada")
    try await ada.me.create(name: "Ada")
    try await ada.channel("general").create()
    let attachment = Attachment("a1", .file, at: .url(try await workspace.blobs.add([1]).url), byteCount: 1)
    await workspace.close()
    for (id, count) in [("m1", 1), ("m2", 0)] as [(Message.ID, Int)] {
      let workspace = try Workspace.open(at: path)
      let general = workspace.client(user: "ada").channel("general")
      try await general.send(Message.Content("look", attachments: [attachment]), id: id)
      await workspace.close()
      let run = verbatim("mirror", path, copy, "--once", "--json")
      #expect(run.code == .done && run.values("attachments") == ["\(count)"], "\(run)")
    }
  }
}
