// Threat: a workspace that is made erasable has lost an event, or has words that stay when they are erased.
import Bytes
import ChatCodec
import ContentKeys
import EventLog
import Foundation
import SeededRandom
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct `An import that makes a workspace erasable` {
  private let folder = Folder()

  /// Creates a workspace that is not erasable, and exports it.
  private func generate() -> String {
    var random = SeededRandom.printingSeed()
    let made = verbatim(
      "generate", folder("plain"), "--messages", "60", "--users", "5", "--seed", "\(random.below(1_000))",
      "--keystrokes")
    #expect(made.code == .done)
    #expect(verbatim("export", folder("plain"), folder("lines")).code == .done)
    return folder("plain")
  }

  /// Returns the last positions of the exported blocks.
  private func blockEnds() throws -> [Int] {
    let lines = try String(contentsOfFile: folder("lines"), encoding: .utf8).split(separator: "\n")
    let blocks = lines.compactMap { $0.firstMatch(of: /"block":"?([0-9]+)/).flatMap { Int($0.1) } }
    return blocks.indices.filter { $0 == blocks.count - 1 || blocks[$0] != blocks[$0 + 1] }.map { $0 + 1 }
  }

  /// Returns everything of the events of a workspace but their encrypted form.
  private func events(of path: String) throws -> [String] {
    let store = try openEvents(path, in: Context())
    defer { store.close() }
    return try store.events(limit: .max).map { event in
      let head = "\(event.position) \(event.stream) \(event.version) \(event.recorded) \(event.type)"
      let origin = "\(event.actor?.text ?? "") \(event.device?.text ?? "") \(event.cause?.rawValue ?? 0)"
      return "\(head) \(origin) \(event.append) \(event.correlation?.text ?? "") \(event.payload)"
    }
  }

  @Test func `has the same events, whose content is encrypted`() throws {
    let plain = generate()
    let run = verbatim("import", folder("copy"), folder("lines"), "--erasable")
    #expect(run.code == .done && run.output.contains("The chain differs from the exported one"), "\(run)")
    #expect(try events(of: folder("copy")) == events(of: plain))
    #expect(verbatim("log", "verify", folder("copy")).code == .done)
    let store = try openEvents(folder("copy"), in: Context())
    let report = try ContentReport(of: store.log)
    store.close()
    #expect(report.readable > 100 && report.erased.isEmpty && report.unreadable == 0)
    // The events with content are the same as those that an erasable workspace encrypts itself.
    let own = try openEvents(plain, in: Context())
    defer { own.close() }
    let withContent = try own.events(limit: .max).filter { event in
      guard let content = encode(try decode(event)).content else { return false }
      return content.isAlways || !fields(content.fields, of: event.payload).isEmpty
    }
    #expect(report.readable == withContent.count)
    let again = verbatim("import", folder("more"), "--erasable", input: verbatim("export", folder("copy")).output)
    #expect(again.code == .misused && again.errors.contains("leave --erasable out"))
  }

  @Test func `continues where it was interrupted, and only there`() throws {
    let plain = generate()
    let whole = verbatim("import", folder("whole"), folder("lines"), "--erasable")
    let ends = try blockEnds()
    #expect(whole.code == .done && ends.count > 20)
    for end in [ends[0], ends[ends.count / 2], ends[ends.count - 1]] {
      let copy = folder("copy-\(end)")
      let part = verbatim("export", plain, "--to", "\(end)").output
      #expect(verbatim("import", copy, "--erasable", input: part).code == .done)
      let run = verbatim("import", copy, folder("lines"), "--erasable", "--resume")
      #expect(run.code == .done, "\(run.errors)")
      #expect(try events(of: copy) == events(of: plain))
    }
    // Neither a longer log, nor one with other keys, nor one that is not erasable.
    let short = verbatim("export", plain, "--to", "\(ends[0])").output
    #expect(verbatim("import", folder("whole"), "--erasable", "--resume", input: short).code == .refused)
    #expect(verbatim("import", plain, folder("lines"), "--erasable", "--resume").code == .refused)
    let (one, other) = (folder("copy-\(ends[0])"), folder("copy-\(ends[ends.count / 2])"))
    for file in ["keys", "master-key"] {
      try FileManager.default.removeItem(atPath: one + "/" + file)
      try FileManager.default.copyItem(atPath: other + "/" + file, toPath: one + "/" + file)
    }
    let before = verbatim("log", "verify", one, "--json").output
    #expect(verbatim("import", one, folder("lines"), "--erasable", "--resume").code == .refused)
    #expect(verbatim("log", "verify", one, "--json").output == before)
  }

  @Test func `gives words to those whose they are, also where others edited or forwarded them`() async throws {
    let workspace = try Workspace.open(at: folder("plain"))
    let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben", device: "desk"))
    try await ada.me.create(name: "Ada")
    try await ben.me.create(name: "Ben")
    try await ben.channel("general").create()
    try await ben.channel("general").add("ada")
    try await ada.channel("general").send("Avocado", id: "m1")
    try await ben.channel("general").edit("m1", to: "Blueberry")
    let composer = try await ben.channel("general").openComposer()
    try composer.record([.editBegan("m1", Composition(TypedText("Blueberry")))])
    try composer.record([.typed(Splice(9..<9, to: " Damson"))])
    try await composer.flush()
    try await ben.channel("general").send("Cranberry", id: "m2")
    await workspace.close()
    let lines = verbatim("export", folder("plain")).output
    #expect(verbatim("import", folder("copy"), "--erasable", input: lines).code == .done)
    let before = verbatim("events", folder("copy")).output
    #expect(before.contains("Blueberry") && before.contains("Damson"))
    #expect(verbatim("erase", folder("copy"), "ada", "--yes").code == .done)
    let events = verbatim("events", folder("copy")).output
    #expect(["Avocado", "Blueberry", "Damson"].allSatisfy { !events.contains($0) } && events.contains("Cranberry"))
  }

  private let contents = (0..<8).map { "the content of file \($0)" }

  /// Creates a workspace that is not erasable, in which blobs are named wherever an event can name one; returns them.
  private func makeAttached() async throws -> [Blob] {
    let workspace = try Workspace.open(at: folder("plain"))
    let ada = workspace.client(user: "ada", device: "phone")
    var blobs: [Blob] = []
    for text in contents { blobs.append(try await workspace.blobs.add(Array(text.utf8))) }
    try await ada.me.create(User.Profile(name: "Ada", image: blobs[0].url))
    try await ada.channel("general").create("team", Channel.Profile(image: blobs[1].url))
    let scans: Extra = ["scans": .list([.text(blobs[4].url), .fields(["first": .text(blobs[5].url)])])]
    let photo = Attachment("a1", .image, at: .url(blobs[2].url), thumbnail: blobs[3].url, extra: scans)
    try await ada.channel("general").send(Message.Content("See", attachments: [photo]), id: "m1")
    let composer = try await ada.channel("general").openComposer()
    let notes = Attachment("a2", .file, at: .device("/notes.txt"))
    try composer.record([.opened, .attached(ComposedAttachment(notes, .local))])
    try composer.record([.uploadFinished("a2", url: blobs[6].url)])
    // A text that is a URL, in which later positions must stay the same.
    try composer.record([.typed(Splice(0..<0, to: blobs[2].url)), .typed(Splice(69..<69, to: " is a photo"))])
    try await composer.flush()
    let note = AppEvent("note", payload: Array("to \(blobs[7].url)".utf8))
    try await workspace.submit(.app(.user("ada"), note), by: .system)
    await workspace.close()
    return blobs
  }

  /// Returns those of the contents that a file in a directory has.
  private func found(in path: String) throws -> [String] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: path).compactMap {
      try? Data(contentsOf: URL(filePath: path + "/" + $0))
    }
    return contents.filter { content in files.contains { $0.range(of: Data(content.utf8)) != nil } }
  }

  @Test func `encrypts the attachments, too`() async throws {
    let blobs = try await makeAttached()
    #expect(verbatim("export", folder("plain"), folder("lines")).code == .done)
    let refused = verbatim("import", folder("copy"), folder("lines"), "--erasable")
    #expect(refused.code == .misused && refused.errors.contains("name 8 attachments, to be encrypted"))
    #expect(!FileManager.default.fileExists(atPath: folder("copy")))
    let run = verbatim("import", folder("copy"), folder("lines"), "--erasable", "--attachments", folder("plain"))
    // Texts and payloads of an app stay as they are.
    let lines = run.output.split(separator: "\n").map { String($0) }
    #expect(run.code == .refused && lines.count == 6 && lines[3] == "8 attachments encrypted", "\(run)")
    #expect(lines[4].contains("names the blob \(blobs[2].id) where"))
    #expect(lines[5].contains("names the blob \(blobs[7].id) where"))
    #expect(try found(in: folder("plain")) == contents && found(in: folder("copy")).isEmpty)
    #expect(verbatim("log", "verify", folder("copy")).code == .done)

    let workspace = try Workspace.open(at: folder("copy"))
    let ada = workspace.client(user: "ada", device: "phone")
    let message = try #require(try await workspace.read { try $0.chat.message(Message.Key("general", "m1")) })
    guard case .url(let url) = message.content.attachments[0].location else { throw CancellationError() }
    #expect(try await workspace.blobs.read(try #require(Blob.ID(url: url))) == Array(contents[2].utf8))
    let composer = try await ada.channel("general").openComposer()
    #expect(composer.composer.content.text == TypedText(UserText(blobs[2].url.string + " is a photo")))
    await workspace.close()
    // Those with a key are erased with the words of their user, except the picture of the channel.
    #expect(try names(of: folder("copy")).count { $0.text.count > 64 } == 7)
    #expect(verbatim("erase", folder("copy"), "ada", "--yes").code == .done)
    let left = try names(of: folder("copy"))
    #expect(left.count == 2 && left.contains(blobs[7].id) && !left.contains(blobs[2].id))
  }

  /// Returns the blobs that the readable content of a workspace names.
  private func names(of path: String) throws -> Set<Blob.ID> {
    let store = try openEvents(path, in: Context())
    defer { store.close() }
    return try store.events(limit: .max).reduce(into: []) { names, event in
      event.payload.withUnsafeBytes { names.formUnion(Blob.ID.all(in: $0)) }
    }
  }

  /// An interruption leaves the same URLs, also where a blob was missing before.
  @Test func `continues with the same attachments`() async throws {
    let blobs = try await makeAttached()
    #expect(verbatim("export", folder("plain"), folder("lines")).code == .done)
    let file = folder("plain") + "/blobs/\(blobs[2].id.text.prefix(2))/\(blobs[2].id)"
    let content = try Data(contentsOf: URL(filePath: file))
    let ends = try blockEnds()
    var random = SeededRandom.printingSeed()
    for isMissing in [true, false] {
      let end = ends[ends.count - 1 - random.below(ends.count / 2)]
      let copy = folder("copy-\(end)-\(isMissing)")
      let part = verbatim("export", folder("plain"), "--to", "\(end)").output
      if isMissing { try FileManager.default.removeItem(atPath: file) }
      let first = verbatim("import", copy, "--erasable", "--attachments", folder("plain"), input: part)
      try content.write(to: URL(filePath: file))
      let names = try names(of: copy)
      #expect(first.code == (names.contains { $0.text.count == 64 } ? .refused : .done), "\(end) \(first)")
      for _ in 1...2 {
        let run = verbatim(
          "import", copy, folder("lines"), "--erasable", "--resume", "--attachments", folder("plain"))
        #expect(run.output.contains(" encrypted\nThe event at "), "\(end) \(isMissing) \(run)")
      }
      #expect(try names.isSubset(of: self.names(of: copy)))
      #expect(try found(in: copy).isEmpty)
    }
  }

  // What broke: a blob that an event before the interruption named without a key, in the payload of an app or because
  // the blob was missing, was encrypted nowhere behind it.
  @Test(arguments: [false, true])
  func `encrypts an attachment behind an interruption, though a written event names it without a key`(
    isMissing: Bool
  ) async throws {
    let workspace = try Workspace.open(at: folder("plain"))
    let ada = workspace.client(user: "ada", device: "phone")
    try await ada.me.create(name: "Ada")
    try await ada.channel("general").create()
    let blob = try await workspace.blobs.add(Array(contents[0].utf8))
    let photo = Message.Content("See", attachments: [Attachment("a1", .image, at: .url(blob.url))])
    if isMissing {
      try await ada.channel("general").send(photo, id: "m1")
    } else {
      let note = AppEvent("note", payload: Array("to \(blob.url)".utf8))
      try await workspace.submit(.app(.user("ada"), note), by: .system)
    }
    let end = try workspace.head()
    try await ada.channel("general").send(photo, id: "m2")
    await workspace.close()
    #expect(verbatim("export", folder("plain"), folder("lines")).code == .done)
    let part = verbatim("export", folder("plain"), "--to", "\(end)").output
    let file = folder("plain") + "/blobs/\(blob.id.text.prefix(2))/\(blob.id)"
    if isMissing { try FileManager.default.moveItem(atPath: file, toPath: folder("away")) }
    let first = verbatim("import", folder("copy"), "--erasable", "--attachments", folder("plain"), input: part)
    #expect(first.code == .refused, "\(first)")
    if isMissing { try FileManager.default.moveItem(atPath: folder("away"), toPath: file) }
    for _ in 1...2 {
      let run = verbatim(
        "import", folder("copy"), folder("lines"), "--erasable", "--resume", "--attachments", folder("plain"))
      #expect(run.code == .refused && run.output.contains("1 attachment encrypted\nThe event at "), "\(run)")
    }
    let copy = try Workspace.open(at: folder("copy"))
    let message = try #require(try await copy.read { try $0.chat.message(Message.Key("general", "m2")) })
    guard case .url(let url) = message.content.attachments[0].location else { throw CancellationError() }
    let id = try #require(Blob.ID(url: url))
    #expect(id.text.count > 64)
    #expect(try await copy.blobs.read(id) == Array(contents[0].utf8))
    await copy.close()
  }

  @Test func `names attachments that are missing or damaged, and has everything else`() async throws {
    let blobs = try await makeAttached()
    let lines = verbatim("export", folder("plain")).output
    let files = blobs.map { folder("plain") + "/blobs/\($0.id.text.prefix(2))/\($0.id)" }
    try FileManager.default.removeItem(atPath: files[3])
    try Data("other".utf8).write(to: URL(filePath: files[4]))
    let run = verbatim(
      "import", folder("copy"), "--erasable", "--attachments", folder("plain"), "--json", input: lines)
    #expect(run.code == .refused, "\(run)")
    #expect(run.output.contains(#""attachments":6,"missing":["The blob \#(blobs[3].id) is not"#))
    #expect(run.output.contains("The blob \(blobs[4].id) is damaged"))
    let names = try names(of: folder("copy"))
    for (number, blob) in blobs.enumerated() {
      #expect(names.contains(blob.id) == [2, 3, 4, 7].contains(number), "\(number)")
    }
    let nowhere = verbatim("import", folder("other"), "--erasable", "--attachments", folder("none"), input: lines)
    #expect(nowhere.code == .misused && nowhere.errors.contains("There is no directory at"))
    let plain = verbatim("import", folder("other"), "--attachments", folder("plain"), input: lines)
    #expect(plain.code == .misused && plain.errors.contains("--attachments is for --erasable"))
    #expect(!FileManager.default.fileExists(atPath: folder("other")))
  }

  @Test func `is of the workspace of a directory`() throws {
    let refused = verbatim("import", "postgres://localhost/chat?log=a", "--erasable")
    #expect(refused.code == .misused && refused.errors.contains("--erasable is for a workspace in a directory"))
    let line = #"{"stream":"s","type":"t","payload":"x"}"# + "\n"
    #expect(verbatim("log", "append", folder("raw"), "--create", input: line).code == .done)
    let raw = verbatim("import", folder("copy"), "--erasable", input: verbatim("export", folder("raw")).output)
    #expect(raw.code == .misused && raw.errors.contains("without a workspace"), "\(raw)")
    #expect(!FileManager.default.fileExists(atPath: folder("copy")))
  }

  /// Returns the bytes of some fields of a payload.
  private func fields(_ numbers: UInt16, of payload: [UInt8]) -> [UInt8] {
    var content = ByteWriter()
    var rest = ByteWriter()
    split(payload.span.bytes, by: numbers, &content, &rest)
    return content.array()
  }
}
