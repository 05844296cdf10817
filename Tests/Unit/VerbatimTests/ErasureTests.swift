// Erasing: what is gone, what stays, and what an interruption leaves.
import ContentKeys
import EventLogLMDB
import Foundation
import PostgresServer
import Projections
import Testing

@testable import Verbatim

@Suite(.directoryOnly("it erases the files of a directory")) struct `Erasing from a workspace` {
  private let folder = WorkspaceFolder()

  private var files: WorkspaceFiles { folder.files }

  private func open(_ choose: (inout Configuration) -> Void = { _ in }) throws -> Workspace {
    try folder.open {
      $0.isErasable = true
      choose(&$0)
    }
  }

  /// Words of ada's, each in another kind of content, and words of ben's.
  private static let hers = [
    "Pomegranate", "Quincewords", "Rhubarbfile.png", "Saskatoonname", "Tamarindtyped", "Ugniextra", "Vanillareason",
    "Wineberrynote", "Yuzuoption", "Zucchinilater",
  ]
  private static let his = ["Apricotwords", "Blackcurrantname"]

  /// Writes all of these, in one channel, and closes the workspace; returns the blob of ada's picture.
  @discardableResult
  private func write() async throws -> Blob {
    let workspace = try open { $0.checkpointDistance = 5 }
    let words = Self.hers.map { UserText($0) }
    try await workspace.submit(.user("ada", .create(User.Profile(name: words[3]))), by: .user("ada"))
    try await workspace.submit(.user("ben", .create(User.Profile(name: UserText(Self.his[1])))), by: .user("ben"))
    try await workspace.submit(
      .channel("general", .create("team", Channel.Profile(name: "Lunch"), ChannelConfig(), members: ["ben"])),
      by: .user("ada"))
    let ada = workspace.client(user: "ada", device: "phone")
    let blob = try await workspace.blobs.add(Array("Lycheecontent".utf8))
    let picture = Attachment("a1", .image, at: .url(blob.url), title: words[2])
    var content = Message.Content(words[0], attachments: [picture])
    content.extra = ["mood": .text(words[5])]
    try await ada.submit(.message(Message.Key("general", "m1"), .send(content)))
    try await workspace.send(Self.his[0], "m2", by: "ben")
    try await ada.submit(.message(Message.Key("general", "m1"), .edit(Message.Edits(text: words[1]))))
    try await ada.submit(
      .draft(Draft.Key(by: "ada", in: "general"), .update(Composition(TypedText(words[4])), editedAt: workspace.now)))
    try await ada.submit(
      .flag(Flag.Key(by: "ada", on: .message(Message.Key("general", "m2"))), .raise(reason: words[6])))
    try await ada.submit(
      .saved(SavedMessage.Key(by: "ada", Message.Key("general", "m2")), .save(note: words[7], remindAt: nil)))
    try await ada.submit(.message(Message.Key("general", "m3"), .send(Message.Content("poll"))))
    try await ada.submit(
      .message(
        Message.Key("general", "m3"), .openPoll([Poll.Option("a", words[8]), Poll.Option("b", "other")], Poll.Rules())))
    try await ada.submit(
      .scheduled(
        ScheduledMessage.Key(by: "ada", Message.Key("general", "m4")),
        .schedule(Message.Content(words[9]), at: workspace.now + .seconds(86_400))))
    // Another person quotes, answers, reacts: what they do stays.
    var answer = Message.Content("Yes", parent: "m1")
    answer.quoted = "m1"
    try await workspace.submit(.message(Message.Key("general", "r1"), .send(answer)), by: .user("ben"))
    _ = await workspace.offThread { workspace in try? workspace.takeSnapshot() }
    #expect(try workspace.projections.checkpoints().count >= 2)
    await workspace.close()
    return blob
  }

  /// Returns the words that any file of a directory has, in any of several encodings.
  private func found(_ words: [String], in path: String) throws -> Set<String> {
    var found: Set<String> = []
    for case let url as URL in try #require(
      FileManager.default.enumerator(at: URL(fileURLWithPath: path), includingPropertiesForKeys: nil))
    {
      guard let bytes = try? Data(contentsOf: url) else { continue }
      for word in words {
        let base64 = (0..<3).map { shift in
          Data((String(repeating: "x", count: shift) + word).utf8).base64EncodedData().dropFirst(4).dropLast(4)
        }
        let folded = Data(word.lowercased().utf8)
        let forms =
          [Data(word.utf8), Data(word.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }), folded] + base64
        if forms.contains(where: { bytes.firstRange(of: $0) != nil }) { found.insert(word) }
      }
    }
    return found
  }

  private func digests(_ workspace: Workspace) throws -> [String] {
    try [workspace.projections, workspace.others].compactMap { try $0?.checkpoint() }.flatMap(\.digests).map {
      "\($0.table) \($0.digest)"
    }
  }

  @Test func `removes a person's words from every file, and nothing of others'`() async throws {
    let blob = try await write()
    // The content of the picture can be read only with the key that is in its URL.
    let key = String(blob.url.string.suffix(64))
    #expect(try found(["Lycheecontent", key], in: folder.path) == [key])
    #expect(try found(Self.hers + Self.his, in: folder.path + "/log") == [])
    #expect(try found(Self.hers + Self.his, in: folder.path) == Set(Self.hers + Self.his))
    let written = try open()
    let before = try written.store.head()
    await written.close()
    let backup = folder.path + "-copy"
    defer { try? FileManager.default.removeItem(atPath: backup) }
    _ = try files.backUp(to: backup)

    let erasure = try files.erase(.user("ada"))
    #expect(erasure.keysDestroyed != nil && erasure.completed != nil)
    #expect(try found(Self.hers + ["Lycheecontent", key], in: folder.path) == [])
    // A backup has no keys: none of the words are in it, either.
    #expect(try found(Self.hers + Self.his + ["Lycheecontent", key], in: backup) == [])

    let workspace = try open()
    // The chain goes on from where it was.
    #expect(try workspace.store.log.head(at: before.position) == before)
    let ben = workspace.client(user: "ben", device: "desk")
    let page = try await ben.read { try $0.messages(in: "general", limit: 10).messages }
    #expect(page.map(\.key.id) == ["m1", "m2", "m3"])
    #expect(page.map { $0.presence == .erased } == [true, false, true])
    #expect(page[0].replyCount == 1)
    #expect(page[0].author == "ada" && page[0].content.text.string.isEmpty)
    #expect(page[1].content.text.string == Self.his[0])
    #expect(try await ben.read { try $0.messages(matching: "Quincewords", limit: 5).messages.count } == 0)
    #expect(try await ben.read { try $0.messages(matching: "Apricotwords", limit: 5).messages.count } == 1)
    let name = try await ben.read { try $0.user("ada")?.profile.name.string }
    #expect(name == "")
    // What she writes from now on is readable.
    try await workspace.send("again", "m9", by: "ada")
    await workspace.close()
    let again = try open()
    #expect(try await again.texts(for: "ben").last == "again")
    await again.close()
  }

  @Test func `leaves a state that does not depend on who has the erased keys`() async throws {
    try await write()
    let keys = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/keys"))
    _ = try files.erase(.user("ada"))
    let workspace = try open()
    let without = try digests(workspace)
    await workspace.close()
    // A program with the keys of before folds the same, and destroys them.
    try keys.write(to: URL(fileURLWithPath: folder.path + "/keys"))
    #expect(ProjectionStore.removeUnused(at: folder.path + "/projections", keeping: [], unusedFor: .zero).count == 2)
    let other = try open()
    #expect(try digests(other) == without)
    await other.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/keys")) != keys)
  }

  @Test func `continues at each step where it was interrupted`() async throws {
    try await write()
    func steps(_ take: (EventStore, ContentKeys) throws -> Void) throws {
      let store = try folder.openStore()
      defer { store.close() }
      try take(store, #require(try ContentKeys.attach(to: store, in: folder.path, Configuration())))
    }
    // Requested: it counts as erased, and the tables of before are not used any more.
    var requested: Erasure?
    try steps { store, _ in requested = try store.requestErasure(of: .user("ada")) }
    var again: Erasure?
    try steps { store, _ in again = try store.requestErasure(of: .user("ada")) }
    #expect(again == requested)
    let workspace = try open()
    #expect(try await workspace.texts(for: "ben") == ["", Self.his[0], ""])
    // While a process has the workspace open, it is refused, and can be completed later.
    #expect(throws: MaintenanceError.self) { try files.resumeErasures() }
    await workspace.close()
    let resumed = try files.resumeErasures()
    #expect(resumed.map(\.position) == [requested?.position] && resumed.allSatisfy { $0.completed != nil })
    #expect(try found(Self.hers, in: folder.path) == [])
    #expect(try files.resumeErasures() == [])
    // Keys destroyed, and not recorded; recorded, and not completed.
    for isRecorded in [false, true] {
      try steps { store, keys in
        let erasure = try store.requestErasure(
          of: .typing(of: "ben", before: Timestamp(rawValue: 1_000 * (isRecorded ? 2 : 1))))
        keys.erasures = Erasures(try store.erasures())
        _ = try keys.destroyErased()
        if isRecorded { try store.record(.keysDestroyed, of: erasure) }
      }
      #expect(try files.resumeErasures().count == 1)
    }
    let last = try open()
    #expect(try await last.texts(for: "ben") == ["", Self.his[0], ""])
    await last.close()
  }

  @Test func `is refused while another process has the workspace open, and records nothing`() async throws {
    try await write()
    let workspace = try open()
    _ = try await workspace.texts()
    let head = try workspace.head()
    #expect { try files.erase(.user("ada")) } throws: {
      guard case MaintenanceError.inUse = $0 else { return false }
      return true
    }
    #expect(try workspace.head() == head)
    #expect(try await workspace.texts().first == Self.hers[1])
    await workspace.close()
  }

  @Test func `of what was typed keeps messages`() async throws {
    try await write()
    _ = try files.erase(.typing(of: "ada", before: .now + .seconds(86_400)))
    #expect(try found(Self.hers, in: folder.path) == Set(Self.hers).subtracting([Self.hers[4]]))
    let workspace = try open()
    #expect(try await workspace.texts().first == Self.hers[1])
    let ada = workspace.client(user: "ada", device: "phone")
    #expect(try await ada.read { try $0.drafts(limit: 5).drafts.count } == 0)
    // Today's typing goes on.
    try await ada.submit(
      .draft(Draft.Key(by: "ada", in: "general"), .update(Composition(TypedText("new")), editedAt: workspace.now)))
    await workspace.close()
    let again = try open()
    let draft = try await again.client(user: "ada", device: "phone").read { try $0.drafts(limit: 5).drafts.first }
    #expect(draft?.content.text.userText.string == "new")
    await again.close()
  }

  @Test func `leaves content readable in a backup with keys, for those who have the master key`() async throws {
    try await write()
    let (keyless, backup, restored) = (folder.path + "-none", folder.path + "-copy", folder.path + "-again")
    defer { for path in [keyless, backup, restored] { try? FileManager.default.removeItem(atPath: path) } }
    #expect(try !files.backUp(to: keyless).hasKeys)
    #expect(try files.backUp(to: backup, hasKeys: true).hasKeys)
    #expect(try FileManager.default.contentsOfDirectory(atPath: keyless).allSatisfy { !$0.contains("key") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup).filter { $0.contains("key") } == ["keys"])
    #expect(try found(Self.hers, in: backup) == [])
    _ = try files.erase(.user("ada"))
    #expect(try WorkspaceFiles(at: backup).restore(to: restored).hasKeys)
    #expect { try Workspace.open(at: restored) } throws: { "\($0)".contains("master-key") }
    try FileManager.default.copyItem(atPath: folder.path + "/master-key", toPath: restored + "/master-key")
    let again = try Workspace.open(at: restored)
    #expect(try await again.texts(for: "ben") == [Self.hers[1], Self.his[0], "poll"])
    await again.close()
    let plain = WorkspaceFolder()
    let workspace = try plain.open()
    await workspace.close()
    #expect { try plain.files.backUp(to: keyless, hasKeys: true) } throws: { "\($0)".contains("is not encrypted") }
  }

  @Test func `needs an erasable workspace, an existing user, and the keys`() async throws {
    let plain = WorkspaceFolder()
    let workspace = try plain.open()
    try await workspace.populate()
    await workspace.close()
    #expect { try plain.files.erase(.user("ada")) } throws: { "\($0)".contains("is not encrypted") }
    try await write()
    #expect { try files.erase(.user("nobody")) } throws: { "\($0)".contains("There is no user nobody") }
    try FileManager.default.removeItem(atPath: folder.path + "/keys")
    #expect { try open() } throws: { "\($0)".contains("The keys of the workspace are missing") }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/keys"))
  }
}
