// Threat: machines that share a log on a server differ, or one misses what another was acknowledged.
import EventLog
import Foundation
import PostgresServer
import Projections
import SeededRandom
import Testing

@testable import Verbatim

@Suite struct `Many machines with a log on a server` {
  private let server: PostgresServer
  private let name = "machines-\(UInt32.random(in: 0 ... .max))"
  private let folder = WorkspaceFolder()

  init() throws { server = try PostgresServer.shared() }

  /// Opens the workspace as a machine with a directory of its own.
  private func machine(_ number: Int, searches: Bool = true) throws -> Workspace {
    var configuration = Configuration()
    configuration.searchesMessages = searches
    configuration.cacheDirectory = folder.path + "/\(number)"
    return try Workspace.open(at: server.address(ofLog: name), configuration: configuration)
  }

  @Test func `mixed submits of four machines at once have positions without gaps and equal tables`() async throws {
    let random = SeededRandom.printingSeed()
    let machines = try (0..<4).map { try machine($0) }
    try await machines[0].populate(["ada", "ben", "cleo", "dmitri"])
    let users: [User.ID] = ["ada", "ben", "cleo", "dmitri"]
    let positions = try await withThrowingTaskGroup(of: [Position].self) { group in
      for (number, workspace) in machines.enumerated() {
        group.addTask {
          var random = SeededRandom(seed: random.seed &+ UInt64(number))
          var positions: [Position] = []
          var sent: [Message.ID] = []
          for turn in 0..<50 {
            let submitted: Submitted
            switch sent.isEmpty ? 0 : random.below(3) {
            case 0:
              sent.append(Message.ID(rawValue: "m\(number)-\(turn)")!)
              submitted = try await workspace.send("\(turn)", sent[sent.count - 1], by: users[number])
            case 1:
              let key = Message.Key("general", sent[random.below(sent.count)])
              submitted = try await workspace.submit(
                .message(key, .edit(Message.Edits(text: UserText("edited in \(turn)")))), by: .user(users[number]))
            default:
              submitted = try await workspace.submit(
                .user(users[number], .change(User.Profile(name: UserText("\(turn)")))), by: .user(users[number]))
            }
            if let range = submitted.receipt?.positions {
              positions += (range.lowerBound.rawValue...range.upperBound.rawValue).map { Position(rawValue: $0) }
            }
            // What was acknowledged here is read at once on another machine.
            let other = machines[(number + 1) % machines.count]
            #expect(try other.head() >= submitted.position)
          }
          return positions
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(positions).count == positions.count)
    let head = try machines[0].head()
    var digests: [[Checkpoint.Digest]] = []
    for workspace in machines {
      digests.append(try #require(try workspace.projections.checkpoint()).digests)
      #expect(try workspace.head() == head)
      await workspace.close()
    }
    #expect(digests.allSatisfy { $0 == digests[0] })
    for number in [0, 9] { #expect(try machine(number).head() == head) }
  }

  @Test func `a server that lost events is refused until what a machine derived from them is discarded`() async throws {
    let first = try machine(0)
    try await first.populate()
    _ = try await first.send("kept", "m1")
    let kept = try first.head()
    try server.rememberHead(of: name)
    _ = try await first.send("lost", "m2")
    #expect(try await first.texts() == ["kept", "lost"])
    await first.close()
    try server.lose(of: name, after: kept.rawValue)
    func isRefused(_ body: () throws -> Void) -> Bool {
      do { try body() } catch { return "\(error)".contains("last events are missing") }
      return false
    }
    let files = WorkspaceFiles(at: server.address(ofLog: name), cacheDirectory: folder.path + "/0")
    #expect(isRefused { try machine(0).closeBlocking() } && isRefused { _ = try files.rebuild() })
    let rebuilt = try files.rebuild(discardsAhead: true)
    #expect(rebuilt.events == kept.rawValue && rebuilt.stops == [])
    let again = try machine(0)
    #expect(try await again.texts() == ["kept"])
    _ = try await again.send("new", "m2")
    #expect(try await again.texts() == ["kept", "new"])
    await again.close()
  }

  @Test func `nothing is discarded for what a standby lacks`() async throws {
    let primary = try PostgresServer()
    defer { primary.stop() }
    let cache = folder.path + "/cache"
    var configuration = Configuration()
    configuration.cacheDirectory = cache
    let workspace = try Workspace.open(at: primary.address(ofLog: name), configuration: configuration)
    try await workspace.populate()
    await workspace.close()
    let standby = try PostgresServer(following: primary, name: "second")
    defer { standby.stop() }
    let files = WorkspaceFiles(at: standby.address(ofLog: name), cacheDirectory: cache)
    #expect {
      try files.rebuild(discardsAhead: true)
    } throws: {
      "\($0)".contains("is a standby")
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: cache).contains { $0.hasSuffix("index/data.mdb") })
  }

  @Test func `tables in use are not rebuilt, and the error has no password`() async throws {
    let workspace = try machine(0)
    try await workspace.populate()
    _ = try await workspace.texts()
    let address = server.address(ofLog: name).replacing("postgres:///", with: "postgres://:sesame@/")
    #expect { try WorkspaceFiles(at: address, cacheDirectory: folder.path + "/0").rebuild() } throws: { error in
      if case .inUse? = error as? MaintenanceError { !"\(error)".contains("sesame") } else { false }
    }
    await workspace.close()
  }

  @Test func `a consumer that two machines run records its effects once`() async throws {
    let machines = [try machine(0), try machine(1)]
    try await machines[0].populate()
    let running = machines.map { workspace in
      Task {
        try await workspace.consume(as: "replies") { change, effects in
          let isOwn = change.event.origin.actor == .system
          guard case .message(let key, .sent) = change.event.change, !isOwn else { return }
          effects.send("to \(key.id)", in: key.channel)
        }
      }
    }
    for number in 0..<50 { _ = try await machines[number % 2].send("words", ID(stringLiteral: "m\(number)")) }
    for workspace in machines { try await until { try await workspace.consumers().first?.lag == 0 } }
    for task in running {
      task.cancel()
      try await task.value
    }
    let texts = try await machines[0].read { reading in
      try reading.chat.messages(in: "general", .latest, limit: 200, for: "ada").messages.map(\.content.text.string)
    }
    #expect(texts.filter { $0.hasPrefix("to ") }.sorted() == (0..<50).map { "to m\($0)" }.sorted())
    for workspace in machines { await workspace.close() }
  }

  @Test(arguments: [0, 1, 1 << 20, 1 << 20 + 1])
  func `an attachment of any size that one machine added is read on another`(count: Int) async throws {
    var random = SeededRandom.printingSeed()
    let content = random.noise(count)
    let blob = try await machine(0).blobs.add(content)
    #expect(try await machine(1).blobs.read(blob.id) == content)
  }

  @Test func `an attachment that one machine added is read on another, and checked there`() async throws {
    var random = SeededRandom.printingSeed()
    let content = random.noise(3 << 20 + 7)
    let (one, two) = (try machine(0), try machine(1))
    let blob = try await one.blobs.add(content)
    #expect(try await one.blobs.add(content) == blob)
    #expect(try await two.blobs.read(blob.id) == content)
    #expect(two.blobs.path(of: blob.id)?.hasPrefix(folder.path + "/1/") == true)
    try server.query(
      """
      UPDATE verbatim.blobs SET bytes = set_byte(bytes, 5, get_byte(bytes, 5) # 1)
      WHERE chunk = 1 AND log = (SELECT id FROM verbatim.logs WHERE name = '\(name)')
      """)
    let error = await #expect(throws: BlobError.self) { _ = try await machine(2).blobs.read(blob.id) }
    #expect("\(try #require(error))".contains("restore its rows in verbatim.blobs"))
    await #expect(throws: BlobError.self) { _ = try await two.blobs.read(Blob.ID(String(repeating: "0", count: 64))!) }
  }

  // What broke: a damaged copy on a machine stayed, and the attachment could not be read there any more.
  @Test func `a damaged copy of an attachment is replaced by the one on the server`() async throws {
    var random = SeededRandom.printingSeed()
    let (content, workspace) = (random.noise(2 << 20 + 7), try machine(0))
    let blob = try await workspace.blobs.add(content)
    let path = try #require(workspace.blobs.path(of: blob.id))
    for damaged in [Array(content.dropLast()), [], content + [0]] {
      try Data(damaged).write(to: URL(filePath: path))
      #expect(try await workspace.blobs.read(blob.id) == content)
      #expect(FileManager.default.contents(atPath: path) == Data(content))
    }
    await workspace.close()
  }

  // What broke: it was found by reading. The log was written where a workspace has it, from the first block on.
  @Test func `a backup from a server that was interrupted is no workspace`() async throws {
    let workspace = try machine(0)
    try await workspace.populate(["ada", "ben"])
    _ = try await workspace.blobs.add([1])
    await workspace.close()
    let (backup, other) = (folder.path + "/backup", folder.path + "/left")
    let files = WorkspaceFiles(at: server.address(ofLog: name), cacheDirectory: folder.path + "/0")
    var count = 0
    _ = try files.backUp(to: backup, verifies: false) { _ in
      count += 1
      try? FileManager.default.removeItem(atPath: other)
      try? FileManager.default.copyItem(atPath: backup, toPath: other)
      let error = #expect(throws: WorkspaceError.self) { try Workspace.open(at: other) }
      #expect(error.map { "\($0)" }?.contains("an interrupted backup or restore") == true)
      #expect(throws: MaintenanceError.self) { try WorkspaceFiles(at: other).restore(to: folder.path + "/never") }
    }
    #expect(count >= 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: backup)
    #expect(names.contains("log") && !names.contains("incoming"), "\(names)")
  }

  // What broke: it was found by reading. After a loss, the checkpoints of lost events stayed, and the machine was
  // refused as soon as the log was longer than they are.
  @Test func `checkpoints of events that the server lost are discarded, and those of others are left out`()
    async throws
  {
    let one = try machine(0)
    try await one.populate(["ada", "ben"])
    try server.rememberHead(of: name)
    let end = try one.store.head().position.rawValue
    for number in 1...3 { _ = try await one.send("lost", Message.ID(rawValue: "m\(number)")!, by: "ada") }
    let lost = try #require(try one.projections.checkpoint())
    await one.close()
    try server.lose(of: name, after: end)
    // The server still has the checkpoint.
    let two = try machine(1)
    for number in 4...9 { _ = try await two.send("kept", Message.ID(rawValue: "m\(number)")!, by: "ada") }
    #expect(try two.store.head().position > lost.position)
    await two.close()
    let files = WorkspaceFiles(at: server.address(ofLog: name), cacheDirectory: folder.path + "/0")
    // What broke: a rebuild counted it among those that match.
    #expect(try files.rebuild(discardsAhead: true).checkpoints == 0)
    let again = try machine(0)
    try again.projections.catchUp()
    #expect(try again.projections.applied == again.store.head())
    #expect(try again.projections.checkpoints() == [])
    await again.close()
    // A backup has none of them, either.
    _ = try files.backUp(to: folder.path + "/backup")
    let copy = try Workspace.open(at: folder.path + "/backup")
    try copy.projections.catchUp()
    #expect(try copy.projections.checkpoints().allSatisfy { $0.hash != lost.hash })
    await copy.close()
  }

  @Test func `a workspace moves to a directory and to another server log with its attachments`() async throws {
    var random = SeededRandom.printingSeed()
    let workspace = try machine(0)
    try await workspace.populate(["ada", "ben"])
    _ = try await workspace.send("hello", Message.ID(rawValue: "m1")!, by: "ada")
    var contents: [[UInt8]] = []
    for count in [0, 5, 1 << 20, 2 << 20 + 1] { contents.append(random.noise(count)) }
    var blobs: [Blob.ID] = []
    for content in contents { blobs.append(try await workspace.blobs.add(content).id) }
    let head = try workspace.store.head()
    await workspace.close()

    let (backup, cache) = (folder.path + "/backup", folder.path + "/other")
    let copied = try WorkspaceFiles(at: server.address(ofLog: name), cacheDirectory: cache).backUp(to: backup)
    #expect(copied.head == head && copied.blobs == 4 && copied.isVerified)
    #expect(copied.blobByteCount == contents.reduce(0) { $0 + $1.count })
    let copy = server.address(ofLog: name + "-copy")
    for _ in 0..<2 {
      let restored = try WorkspaceFiles(at: backup, cacheDirectory: cache).restore(to: copy)
      #expect(restored.head == head && restored.blobs == 4 && restored.isVerified)
    }
    var configuration = Configuration()
    configuration.cacheDirectory = folder.path + "/9"
    for path in [backup, copy] {
      let workspace = try Workspace.open(at: path, configuration: configuration)
      for (id, content) in zip(blobs, contents) { #expect(try await workspace.blobs.read(id) == content) }
      #expect(try workspace.store.head() == head)
      await workspace.close()
    }
    // A log with other events is left as it is, and so is one whose server has a damaged attachment.
    let changed = try Workspace.open(at: copy, configuration: configuration)
    _ = try await changed.send("more", Message.ID(rawValue: "m2")!, by: "ada")
    await changed.close()
    #expect(throws: MaintenanceError.self) { try WorkspaceFiles(at: backup, cacheDirectory: cache).restore(to: copy) }
    try server.query(
      """
      UPDATE verbatim.blobs SET bytes = set_byte(bytes, 0, get_byte(bytes, 0) # 1)
      WHERE length(bytes) = 5 AND log = (SELECT id FROM verbatim.logs WHERE name = '\(name)')
      """)
    let damaged = WorkspaceFiles(at: server.address(ofLog: name), cacheDirectory: cache)
    #expect(throws: MaintenanceError.self) { try damaged.backUp(to: folder.path + "/second") }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/second"))
  }

  @Test func `a machine whose fold differs from the checkpoint of another stops, and backups have the checkpoints`()
    async throws
  {
    let one = try machine(0)
    try await one.populate(["ada", "ben"])
    _ = try await one.send("hello", "m1", by: "ada")
    let checkpoint = try #require(try one.projections.checkpoint())
    await one.close()
    let two = try machine(1)
    #expect(try two.projections.checkpoints() == [checkpoint])
    #expect(try two.projections.checkpoint() == checkpoint)
    await two.close()

    let (backup, cache) = (folder.path + "/backup", folder.path + "/other")
    let copied = try WorkspaceFiles(at: server.address(ofLog: name), cacheDirectory: cache).backUp(to: backup)
    #expect(copied.hasCheckpoints)
    let restored = try WorkspaceFiles(at: backup, cacheDirectory: cache)
      .restore(to: server.address(ofLog: name + "-restored"))
    #expect(restored.hasCheckpoints)
    var configuration = Configuration()
    configuration.cacheDirectory = cache
    for path in [backup, server.address(ofLog: name + "-restored")] {
      let copy = try Workspace.open(at: path, configuration: configuration)
      #expect(try copy.projections.checkpoints() == [checkpoint])
      await copy.close()
    }

    // The last byte is one of the digest of the last table.
    try server.query(
      """
      UPDATE verbatim.checkpoints
      SET checkpoint = set_byte(checkpoint, length(checkpoint) - 1, get_byte(checkpoint, length(checkpoint) - 1) # 1)
      WHERE log = (SELECT id FROM verbatim.logs WHERE name = '\(name)')
      """)
    let three = try machine(2)
    #expect(throws: ProjectionError.self) { try three.projections.catchUp() }
    await three.close()
    let again = try machine(0)
    #expect(throws: ProjectionError.self) { try again.projections.catchUp() }
    await again.close()
  }

  @Test func `attachments in a directory that the machines share are read by each, and not where it is missing`()
    async throws
  {
    var random = SeededRandom.printingSeed()
    let shared = folder.path + "/shared"
    try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
    var configuration = Configuration()
    (configuration.cacheDirectory, configuration.blobDirectory) = (folder.path + "/0", shared)
    let one = try Workspace.open(at: server.address(ofLog: name), configuration: configuration)
    let content = random.noise(2 << 20 + 5)
    let blob = try await one.blobs.add(content)
    let two = try machine(1)
    #expect(try await two.blobs.read(blob.id) == content)
    #expect(two.blobs.path(of: blob.id)?.hasPrefix(shared) == true)
    let stored = "SELECT count(*) FROM verbatim.blobs WHERE log = (SELECT id FROM verbatim.logs WHERE name = '\(name)')"
    #expect(try server.query(stored) == ["0"])

    let (backup, cache) = (folder.path + "/backup", folder.path + "/other")
    let copied = try WorkspaceFiles(at: server.address(ofLog: name), cacheDirectory: cache).backUp(to: backup)
    #expect(copied.blobs == 1 && copied.blobByteCount == content.count)
    let elsewhere = folder.path + "/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    let restored = try WorkspaceFiles(at: backup, cacheDirectory: cache)
      .restore(to: server.address(ofLog: name + "-restored"), blobDirectory: elsewhere)
    #expect(restored.blobs == 1)
    #expect(FileManager.default.fileExists(atPath: elsewhere + "/blobs/\(blob.id.text.prefix(2))/\(blob.id)"))

    // A machine on which the directory is not mounted creates nothing in its place.
    try FileManager.default.moveItem(atPath: shared + "/blobs", toPath: shared + "/away")
    let error = await #expect(throws: BlobError.self) { _ = try await two.blobs.read(blob.id) }
    #expect("\(try #require(error))".contains("it is not there: mount it"))
    await #expect(throws: BlobError.self) { _ = try await one.blobs.add([1]) }
    // What broke: the backup had no attachments, and was reported as verified.
    let refusal = #expect(throws: MaintenanceError.self) {
      try WorkspaceFiles(at: server.address(ofLog: name), cacheDirectory: cache).backUp(to: folder.path + "/second")
    }
    #expect("\(try #require(refusal))".contains("it is not there: mount it"))
    #expect(!FileManager.default.fileExists(atPath: shared + "/blobs"))
    await one.close()
    await two.close()
  }

  @Test func `no error of maintenance has the password of an address`() {
    let files = WorkspaceFiles(at: "postgres://ada:secret@127.0.0.1:1/chat?log=team&password=secret")
    #expect(files.path == "postgres://ada@127.0.0.1:1/chat?log=team")
    for operation in [
      { _ = try files.compact() }, { _ = try files.restore(to: folder.path) },
      { _ = try files.backUp(to: folder.path) }, { _ = try files.rebuild() },
      { _ = try files.rebuild(discardsAhead: true) },
    ] {
      let error = #expect(throws: MaintenanceError.self) { try operation() }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("postgres://ada@127.0.0.1:1/chat") && !text.contains("secret"))
    }
  }

  @Test func `a submit is one round trip to the server, or two after a pause`() async throws {
    let proxy = try CuttingProxy(to: server.directory, cutting: 0, seed: 1)
    defer { proxy.close() }
    let address = server.address(ofLog: name).replacing(server.directory, with: proxy.directory) + "&notify=off"
    var configuration = Configuration()
    configuration.cacheDirectory = folder.path + "/0"
    // The search reads the blocks again, as often as there is time for it.
    configuration.searchesMessages = false
    let workspace = try Workspace.open(at: address, configuration: configuration)
    try await workspace.populate(["ada", "ben"])
    _ = try await workspace.send("first", "m", by: "ada")
    let before = proxy.requestCount
    var (last, pauses) = (ContinuousClock.now, 0)
    for turn in 0..<20 {
      // The head was learnt some time within the send before.
      let began = ContinuousClock.now
      _ = try await workspace.send("\(turn)", Message.ID(rawValue: "m\(turn)")!, by: "ada")
      if last.duration(to: .now) > .milliseconds(500) { pauses += 1 }
      last = began
    }
    let count = proxy.requestCount - before
    #expect(20...20 + pauses ~= count, "\(pauses) pauses")
    await workspace.close()
  }

  /// A submit was decided on the last head that its process had seen, while the index had read later blocks: it was
  /// appended after blocks that it had not been decided on.
  @Test func `a submit is decided on all blocks after which it is appended`() async throws {
    // The search would need a second connection, whose first read asks for the head.
    let (one, two) = (try machine(0, searches: false), try machine(1))
    try await one.populate(["ada", "ben"])
    _ = try await one.send("hello", "m1", by: "ada")
    _ = try await two.submit(.channel("general", .freeze), by: .user("ada"))
    let seen = try one.store.log.lastSeenHead()
    try one.store.log.blocks(from: seen.position.next, .forward, checks: .full) { block throws(LogError) in
      try one.store.currentIndex.fold(block)
      return .next
    }
    #expect(try one.store.log.lastSeenHead() == seen)
    await #expect(throws: SubmitError.self) { _ = try await one.send("too late", "m2", by: "ada") }
    await one.close()
    await two.close()
  }
}
