// Erasing: what is gone, what stays, and what an interruption leaves.
import ContentKeys
import EventLogLMDB
import Foundation
import PostgresServer
import Testing

@testable import Verbatim

@Suite(.directoryOnly("it erases the files of a directory")) struct `Erasing from a workspace` {
  private let sample = ErasableSample()
  private let hers = ErasableSample.hers
  private let his = ErasableSample.his
  private var folder: WorkspaceFolder { sample.folder }
  private var files: WorkspaceFiles { folder.files }

  @discardableResult
  private func erase(_ scope: Erasure.Scope) throws -> Erasure {
    let workspace = try sample.open()
    defer { workspace.closeBlocking() }
    return try workspace.eraseBlocking(scope)
  }

  /// Requests an erasure, which is then interrupted.
  private func request(_ scope: Erasure.Scope) throws -> Erasure {
    let store = try folder.openStore()
    defer { store.close() }
    let keys = try #require(try ContentKeys.attach(to: store, in: folder.path, Configuration()))
    return try #require(try store.requestErasure(of: scope, with: keys).last)
  }

  private func resume() throws -> [Erasure] {
    let workspace = try sample.open()
    defer { workspace.closeBlocking() }
    return try workspace.resumeErasuresBlocking()
  }

  @Test func `removes a person's words from every file, and nothing of others'`() async throws {
    let blob = try await sample.write()
    // The content of the picture can be read only with the key that is in its URL.
    let key = String(blob.url.string.suffix(64))
    #expect(try sample.found(["Lycheecontent", key], in: folder.path) == [key])
    #expect(try sample.found(hers + his, in: folder.path + "/log") == [])
    #expect(try sample.found(hers + his, in: folder.path) == Set(hers + his))
    let written = try sample.open()
    #expect(written.isErasable)
    let before = try written.store.head()
    await written.close()
    let backup = folder.path + "-copy"
    defer { try? FileManager.default.removeItem(atPath: backup) }
    _ = try files.backUp(to: backup)

    let erasure = try erase(.user("ada"))
    #expect(erasure.keysDestroyed != nil && erasure.completed != nil)
    #expect(try sample.found(hers + ["Lycheecontent", key], in: folder.path) == [])
    // A backup has no keys: none of the words are in it, either.
    #expect(try sample.found(hers + his + ["Lycheecontent", key], in: backup) == [])

    let workspace = try sample.open()
    // The chain goes on from where it was.
    #expect(try workspace.store.log.head(at: before.position) == before)
    let ben = workspace.client(user: "ben", device: "desk")
    let page = try await ben.read { try $0.messages(in: "general", limit: 10).messages }
    #expect(page.map(\.key.id) == ["m1", "m2", "m3"])
    #expect(page.map { $0.presence == .erased } == [true, false, true])
    #expect(page[0].replyCount == 1)
    #expect(page[0].author == "ada" && page[0].content.text.string.isEmpty)
    #expect(page[1].content.text.string == his[0])
    #expect(try await ben.read { try $0.messages(matching: "Quincewords", limit: 5).messages.count } == 0)
    #expect(try await ben.read { try $0.messages(matching: "Apricotwords", limit: 5).messages.count } == 1)
    let name = try await ben.read { try $0.user("ada")?.profile.name.string }
    #expect(name == "")
    // What she writes from now on is readable.
    try await workspace.send("again", "m9", by: "ada")
    await workspace.close()
    let again = try sample.open()
    #expect(try await again.texts(for: "ben").last == "again")
    await again.close()
  }

  @Test func `leaves a state that does not depend on who has the erased keys`() async throws {
    try await sample.write()
    let keys = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/keys"))
    try erase(.user("ada"))
    let workspace = try sample.open()
    let without = try sample.digests(workspace)
    await workspace.close()
    // A program with the keys of before folds the same, and destroys them.
    try keys.write(to: URL(fileURLWithPath: folder.path + "/keys"))
    sample.removeTables()
    let other = try sample.open()
    #expect(try sample.digests(other) == without)
    await other.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/keys")) != keys)
  }

  @Test func `continues at each step where it was interrupted`() async throws {
    try await sample.write()
    func steps(_ take: (EventStore, ContentKeys) throws -> Void) throws {
      let store = try folder.openStore()
      defer { store.close() }
      try take(store, #require(try ContentKeys.attach(to: store, in: folder.path, Configuration())))
    }
    // Requested: it counts as erased, and the tables of before are not used any more.
    var requested: Erasure?
    try steps { store, keys in requested = try store.requestErasure(of: .user("ada"), with: keys).last }
    var again: Erasure?
    try steps { store, keys in again = try store.requestErasure(of: .user("ada"), with: keys).last }
    #expect(again == requested)
    let workspace = try sample.open()
    #expect(try await workspace.texts(for: "ben") == ["", his[0], ""])
    await workspace.close()
    let resumed = try resume()
    #expect(resumed.map(\.position) == [requested?.position] && resumed.allSatisfy { $0.completed != nil })
    #expect(try sample.found(hers, in: folder.path) == [])
    #expect(try resume() == [])
    // Keys destroyed, and not recorded; recorded, and not completed.
    for isRecorded in [false, true] {
      try steps { store, keys in
        let erasures = try store.requestErasure(
          of: .typing(of: "ben", before: Timestamp(rawValue: 1_000 * (isRecorded ? 2 : 1))), with: keys)
        try #require(erasures.count == 1)
        keys.erasures = try Erasures(of: store)
        _ = try keys.destroyErased()
        if isRecorded { try store.record(.keysDestroyed, of: erasures[0]) }
      }
      #expect(try resume().count == 1)
    }
    let last = try sample.open()
    #expect(try await last.texts(for: "ben") == ["", his[0], ""])
    await last.close()
  }

  // What broke: the author of a message had its thread in their list from the reply on that was counted first. An
  // erased one is counted and is no reply, so that the thread left the list when the first reply was erased.
  @Test func `of the first who replied leaves the thread in the list of its author`() async throws {
    let workspace = try sample.open()
    for user in ["ada", "ben", "cleo"] as [User.ID] {
      try await workspace.submit(.user(user, .create(User.Profile(name: "Name"))), by: .user(user))
    }
    try await workspace.submit(
      .channel("general", .create("team", Channel.Profile(), ChannelConfig(), members: ["ada", "ben"])),
      by: .user("cleo"))
    try await workspace.send("Question", "m1", by: "cleo")
    for (user, reply) in [("ada", "r1"), ("ben", "r2")] as [(User.ID, Message.ID)] {
      try await workspace.submit(
        .message(Message.Key("general", reply), .send(Message.Content("Reply", parent: "m1"))), by: .user(user))
    }
    await workspace.close()
    try erase(.user("ada"))
    let again = try sample.open()
    let threads = try await again.client(user: "cleo", device: "desk").read { try $0.threads(limit: 5).threads }
    #expect(threads.map(\.parent.key.id) == ["m1"] && threads.map(\.newest.key.id) == ["r2"])
    await again.close()
  }

  @Test func `of what was typed keeps messages`() async throws {
    try await sample.write()
    try erase(.typing(of: "ada", before: .now + .seconds(86_400)))
    #expect(try sample.found(hers, in: folder.path) == Set(hers).subtracting([hers[4]]))
    let workspace = try sample.open()
    #expect(try await workspace.texts().first == hers[1])
    let ada = workspace.client(user: "ada", device: "phone")
    #expect(try await ada.read { try $0.drafts(limit: 5).drafts.count } == 0)
    // Today's typing goes on.
    try await ada.submit(
      .draft(Draft.Key(by: "ada", in: "general"), .update(Composition(TypedText("new")), editedAt: workspace.now)))
    await workspace.close()
    let again = try sample.open()
    let draft = try await again.client(user: "ada", device: "phone").read { try $0.drafts(limit: 5).drafts.first }
    #expect(draft?.content.text.userText.string == "new")
    await again.close()
  }

  // What broke: it was found by reading. A deleted reply counted again, and a thread without its first reply was not in
  // the list of its author.
  @Test func `leaves the replies that are there, and threads with them`() async throws {
    try await sample.write()
    let workspace = try sample.open()
    try await workspace.submit(.user("cy", .create(User.Profile(name: "Cy"))), by: .user("cy"))
    try await workspace.submit(.member(Member.Key("general", "cy"), .add(.member)), by: .user("ada"))
    func reply(_ id: Message.ID, to parent: Message.ID, by user: User.ID) async throws {
      let key = Message.Key("general", id)
      try await workspace.submit(.message(key, .send(Message.Content("Re", parent: parent))), by: .user(user))
    }
    try await reply("r2", to: "m2", by: "cy")
    try await reply("r3", to: "m2", by: "ada")
    try await reply("r4", to: "m3", by: "cy")
    try await workspace.submit(.message(Message.Key("general", "r4"), .delete(forGood: false)), by: .user("cy"))
    _ = try await workspace.erase(.user("cy"))
    let ben = workspace.client(user: "ben", device: "desk")
    let page = try await ben.read { try $0.messages(in: "general", limit: 10).messages }
    #expect(page.map(\.replyCount) == [1, 1, 0])
    try await workspace.submit(.message(Message.Key("general", "r2"), .delete(forGood: true)), by: .user("ada"))
    #expect(try await ben.read { try $0.messages(in: "general", limit: 10).messages[1].replyCount } == 1)
    #expect(try await ben.me.threads().threads.map(\.parent.key.id).contains("m2"))
    await workspace.close()
  }

  // What broke: it was found by reading. The second one erased nothing, and was reported as done.
  @Test func `of what was typed today is refused where it would erase nothing`() async throws {
    try await sample.write()
    let workspace = try sample.open()
    let today = Erasure.Scope.typing(of: "ada", before: workspace.now + .seconds(86_400))
    _ = try await workspace.erase(today)
    try await workspace.client(user: "ada", device: "phone").submit(
      .draft(Draft.Key(by: "ada", in: "general"), .update(Composition(TypedText("new")), editedAt: workspace.now)))
    await #expect { try await workspace.erase(today) } throws: {
      if case MaintenanceError.erasedToday = $0 { "\($0)".contains("can be erased from") } else { false }
    }
    _ = try await workspace.erase(.typing(of: "ada", before: workspace.now))
    _ = try await workspace.erase(.typing(of: "ben", before: workspace.now + .seconds(86_400)))
    await workspace.close()
  }

  // What broke: it was found by reading. What was written since the request was kept, and the erasure reported as done.
  @Test func `covers what was written since an erasure that was interrupted`() async throws {
    try await sample.write()
    let interrupted = try request(.user("ada"))
    let workspace = try sample.open()
    try await workspace.send("Nectarinewords", "m9", by: "ada")
    await workspace.close()
    let erasure = try erase(.user("ada"))
    #expect(erasure.position > interrupted.position)
    #expect(try sample.found(hers + ["Nectarinewords"], in: folder.path) == [])
    let again = try sample.open()
    #expect(try again.store.erasures().allSatisfy { $0.completed != nil })
    #expect(try await again.texts(for: "ben").last == "")
    await again.close()
  }

  // What broke: it was found by reading. The edit, with all words of the message, had the keys of the moderator.
  @Test func `removes a person's words from an edit that a moderator began`() async throws {
    try await sample.write()
    let workspace = try sample.open()
    let content = Composition(TypedText(UserText(his[0])))
    let begin = Composer.Event.editBegan("m2", content)
    let added = Composer.Event.typed(Splice(content.text.end..<content.text.end, to: "Mangotyped"))
    // Typed into an open composer, and submitted: from an outbox, for example.
    let open = try await workspace.openComposer(Composer.Key(of: "ada", on: "phone", in: "general"))
    try open.record([.filled(Composition(TypedText("Own")), selection: .start ..< .start), begin])
    try open.record([added])
    try await open.flush()
    let other = Composer.Key(of: "ada", on: "desk", in: "general")
    let ada = workspace.client(user: "ada", device: "desk")
    try await ada.submit(.composer(other, .record([begin, added])))
    try await ada.submit(.composer(other, .record([added])))
    await workspace.close()
    #expect(try sample.found(["Mangotyped"], in: folder.path) == ["Mangotyped"])
    try erase(.user("ben"))
    #expect(try sample.found(["Mangotyped", his[0]], in: folder.path) == [])
    let again = try sample.open()
    let composer = try await again.openComposer(Composer.Key(of: "ada", on: "phone", in: "general")).composer
    #expect(composer.content.text.userText == "Own")
    await again.close()
  }

  // What broke: it was found by reading. The words had the keys of the author of the message.
  @Test func `removes what a person typed for a message that they may not edit`() async throws {
    try await sample.write()
    let workspace = try sample.open()
    let ben = Author.user("ben", on: "desk")
    let key = Composer.Key(of: "ben", on: "desk", in: "general")
    await expectRefusal(.notAllowed(.editAny, in: "general")) {
      try await workspace.submit(.composer(key, .record([.editBegan("m1", Composition())])), by: ben)
    }
    try await workspace.submit(.composer(key, .record([.typed(Splice(0..<0, to: "Mangotyped"))])), by: ben)
    await workspace.close()
    #expect(try sample.found(["Mangotyped"], in: folder.path) == ["Mangotyped"])
    try erase(.user("ben"))
    #expect(try sample.found(["Mangotyped"], in: folder.path) == [])
  }

  // What broke: it was found by reading. The keys of all days to come were destroyed, and no message could be sent.
  @Test func `of days to come is refused, and messages are sent as before`() async throws {
    _ = try await sample.write()
    let workspace = try sample.open()
    for late in [Timestamp(rawValue: .max), workspace.now + .seconds(2 * 86_400)] {
      for scope in [
        .messages(in: nil, before: late), .typing(of: "ada", before: late), .typingInChannel("general", before: late),
      ] as [Erasure.Scope] {
        await #expect { try await workspace.erase(scope) } throws: {
          if case MaintenanceError.notYet = $0 { "\($0)".contains("the end of today in UTC") } else { false }
        }
      }
    }
    _ = try await workspace.erase(.messages(in: "general", before: Timestamp(rawValue: .min)))
    let ben = workspace.client(user: "ben", device: "desk")
    try await ben.channel("general").send("still here", id: "late")
    let texts = try await ben.read { try $0.messages(in: "general", limit: 10).messages.map(\.content.text.string) }
    #expect(texts.contains("still here") && texts.contains(his[0]))
    await workspace.close()
  }

  @Test func `leaves content readable in a backup with keys, for those who have the master key`() async throws {
    try await sample.write()
    let (keyless, backup, restored) = (folder.path + "-none", folder.path + "-copy", folder.path + "-again")
    defer { for path in [keyless, backup, restored] { try? FileManager.default.removeItem(atPath: path) } }
    #expect(try !files.backUp(to: keyless).hasKeys)
    #expect(try files.backUp(to: backup, hasKeys: true).hasKeys)
    #expect(try FileManager.default.contentsOfDirectory(atPath: keyless).allSatisfy { !$0.contains("key") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup).filter { $0.contains("key") } == ["keys"])
    #expect(try sample.found(hers, in: backup) == [])
    try erase(.user("ada"))
    #expect(try WorkspaceFiles(at: backup).restore(to: restored).hasKeys)
    #expect { try Workspace.open(at: restored) } throws: { "\($0)".contains("master-key") }
    try FileManager.default.copyItem(atPath: folder.path + "/master-key", toPath: restored + "/master-key")
    let again = try Workspace.open(at: restored)
    #expect(try await again.texts(for: "ben") == [hers[1], his[0], "poll"])
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
    await #expect { try await workspace.erase(.user("ada")) } throws: { "\($0)".contains("is not encrypted") }
    await workspace.close()
    try await sample.write()
    #expect { try erase(.user("nobody")) } throws: { "\($0)".contains("There is no user nobody") }
    try FileManager.default.removeItem(atPath: folder.path + "/keys")
    #expect { try sample.open() } throws: { "\($0)".contains("The keys of the workspace are missing") }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/keys"))
  }
}
