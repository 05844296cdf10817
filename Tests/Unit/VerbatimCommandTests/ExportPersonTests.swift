// Threat: what is held of a person is missing from their export, or what is others' is in it.
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `The export of a person` {
  private let folder = Folder()

  /// Creates a chat of two users with a file of Ada's; returns the path of its content.
  private func makeChat(isErasable: Bool = false) async throws -> String {
    var configuration = Configuration()
    configuration.isErasable = isErasable
    configuration.draftMessagesEnabled = true
    let workspace = try Workspace.open(at: folder("chat"), configuration: configuration)
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "phone"))
    try await ada.me.create(name: "Ada")
    try await ben.me.create(name: "Ben")
    try await ben.channel("general").create()
    try await ben.channel("general").add("ada")
    let blob = try await workspace.blobs.add(Array("the content of the file".utf8))
    try await ada.channel("general").send(
      Message.Content(
        "adasays", attachments: [Attachment("a1", .file, at: .url(blob.id.url), title: "notes.TXT")]), id: "m1")
    try await ada.channel("general").send("adawrote", id: "m2")
    try await ada.channel("general").edit("m2", to: "adaedited")
    try await ben.channel("general").send("bensays", id: "m3")
    try await ben.channel("general").ban("ada", reason: "benbans")
    await workspace.close()
    return workspace.blobs.path + "/\(blob.id.text.prefix(2))/\(blob.id)"
  }

  private func text(_ name: String) throws -> String { try String(contentsOfFile: folder(name), encoding: .utf8) }

  @Test(arguments: [false, true])
  func `has the person's words, files and history, and not those of others`(isErasable: Bool) async throws {
    let blob = try await makeChat(isErasable: isErasable)
    let run = verbatim("export-person", folder("chat"), "ada", folder("ada"))
    #expect(run.code == .done, "\(run.errors)")
    #expect(run.output.contains("2 messages, 1 attachment."))
    let (page, state) = (try text("ada/index.html"), try text("ada/person.json"))
    let events = try text("ada/events.jsonl")
    for words in ["adasays", "adaedited"] { #expect(page.contains(words) && state.contains(words)) }
    for words in ["adasays", "adawrote", "adaedited", "benbans"] { #expect(events.contains(words)) }
    for file in [page, state, events] { #expect(!file.contains("bensays")) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("ada/attachments"))
    let name = "attachments/" + (names.first ?? "")
    #expect(names.count == 1 && names[0].contains(blob.split(separator: "/").last ?? "?") && name.hasSuffix(".txt"))
    #expect(try text("ada/" + name) == "the content of the file")
    #expect(page.contains(name))
  }

  // What broke: the memberships were those of the default channel list, without hidden and archived channels.
  @Test func `has the memberships of hidden and archived channels`() async throws {
    let workspace = try Workspace.open(at: folder("chat"))
    let ada = workspace.client(user: "ada", device: "phone")
    try await ada.me.create(name: "Ada")
    for id in ["general", "old", "quiet"] as [Channel.ID] { try await ada.channel(id).create() }
    try await ada.channel("old").archive()
    try await ada.channel("quiet").hide()
    await workspace.close()
    #expect(verbatim("export-person", folder("chat"), "ada", folder("ada")).code == .done)
    let state = try JSONParser.parse(Array(try text("ada/person.json").utf8).dropLast())
    guard case .array(let memberships)? = state["memberships"] else { throw InputDefect("\(state)") }
    #expect(Set(memberships.compactMap { $0["key"]?["channel"]?.text }) == ["general", "old", "quiet"])
  }

  // What broke: the events of the person were exported whole, also where the words and files in them are those of
  // others: forwarded messages, and messages that a moderator edits.
  @Test(arguments: [false, true])
  func `has nothing that others wrote and the person forwarded, edited or opened for editing`(
    isErasable: Bool
  ) async throws {
    _ = try await makeChat(isErasable: isErasable)
    let workspace = try Workspace.open(at: folder("chat"))
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "phone"))
    try await ben.channel("random").create(members: ["ada"])
    try await ben.channel("random").forward(Message.Key("general", "m1"), id: "f1")
    try await ben.channel("general").edit("m1", to: "adareworded")
    let poll = Message.Key("random", "p1")
    let options = [Poll.Option("1", "benoption"), Poll.Option("2", "more")]
    try await ben.submit([
      .message(poll, .send(Message.Content("benasks"))),
      .message(poll, .openPoll(options, Poll.Rules(isExtensible: true))),
    ])
    try await ada.submit(.message(poll, .addPollOption(Poll.Option("3", "adaoption"))))
    let composer = try await ben.channel("general").openComposer()
    try composer.record([.editBegan("m2", Composition("adaedited"))])
    try composer.record([.typed(Splice(9..<9, to: " adatyped"))])
    try await composer.flush()
    await workspace.close()
    let run = verbatim("export-person", folder("chat"), "ben", folder("ben"))
    #expect(run.code == .done && run.output.contains("3 messages, 0 attachments."), "\(run)")
    let (page, state) = (try text("ben/index.html"), try text("ben/person.json"))
    let events = try text("ben/events.jsonl")
    for file in [page, state, events] {
      #expect(["bensays", "benasks", "benoption"].allSatisfy { file.contains($0) })
      let others = ["adasays", "adawrote", "adaedited", "adareworded", "adatyped", "adaoption", "notes.TXT"]
      #expect(others.filter { file.contains($0) } == [])
    }
    #expect(!FileManager.default.fileExists(atPath: folder("ben/attachments")))
    // Ids stay.
    let lines = events.split(separator: "\n").filter { $0.contains(#""contentOf":"ada""#) }
    for id in ["f1", "m1", "m2"] { #expect(lines.contains { $0.contains("\"\(id)\"") }, "\(id)") }
    #expect(state.contains(#""f1""#) && state.contains(#""m2""#))
  }

  /// The name of a file with a digit in its extension lost the extension.
  @Test func `keeps the extension of an attachment with a digit in it`() async throws {
    let workspace = try Workspace.open(at: folder("chat"))
    let ada = workspace.client(user: "ada", device: "phone")
    try await ada.me.create(name: "Ada")
    try await ada.channel("general").create()
    let blob = try await workspace.blobs.add([1, 2, 3])
    let clip = Attachment("a1", .file, at: .url(blob.id.url), title: "clip.MP4")
    try await ada.channel("general").send(Message.Content("look", attachments: [clip]), id: "m1")
    await workspace.close()
    #expect(verbatim("export-person", folder("chat"), "ada", folder("ada")).code == .done)
    #expect(FileManager.default.fileExists(atPath: folder("ada/attachments/\(blob.id.text).mp4")))
  }

  @Test func `names a damaged attachment and has all others`() async throws {
    let blob = try await makeChat()
    try Data("the contant of the file".utf8).write(to: URL(filePath: blob))
    let run = verbatim("export-person", folder("chat"), "ada", folder("ada"), "--json")
    #expect(run.code == .refused)
    #expect(run.output.contains(#""messages":2,"attachments":0,"missing":["The blob "#))
    #expect(try text("ada/index.html").contains("adasays"))
  }

  @Test func `of an unknown user or into an existing directory is refused and leaves nothing`() async throws {
    _ = try await makeChat()
    let unknown = verbatim("export-person", folder("chat"), "eve", folder("eve"))
    #expect(unknown.code == .refused)
    #expect(unknown.errors.contains("There is no user eve"))
    #expect(!FileManager.default.fileExists(atPath: folder("eve")))
    try FileManager.default.createDirectory(atPath: folder("full"), withIntermediateDirectories: false)
    try Data().write(to: URL(filePath: folder("full/kept")))
    let full = verbatim("export-person", folder("chat"), "ada", folder("full"))
    #expect(full.code == .unable)
    #expect(FileManager.default.fileExists(atPath: folder("full/kept")))
  }
}
