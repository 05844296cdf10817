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
    let lines = try String(contentsOfFile: folder("lines"), encoding: .utf8).split(separator: "\n")
    let blocks = lines.compactMap { $0.firstMatch(of: /"block":"?([0-9]+)/).flatMap { Int($0.1) } }
    let ends = blocks.indices.dropLast().filter { blocks[$0] != blocks[$0 + 1] }.map { $0 + 1 }
    #expect(whole.code == .done && ends.count > 20)
    for end in [ends[0], ends[ends.count / 2], blocks.count] {
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
    try await ada.channel("general").send("Avocado", as: "m1")
    try await ben.channel("general").edit("m1", to: "Blueberry")
    try await ben.channel("general").send("Cranberry", as: "m2")
    await workspace.close()
    let lines = verbatim("export", folder("plain")).output
    #expect(verbatim("import", folder("copy"), "--erasable", input: lines).code == .done)
    #expect(verbatim("events", folder("copy")).output.contains("Blueberry"))
    #expect(verbatim("erase", folder("copy"), "ada", "--yes").code == .done)
    let events = verbatim("events", folder("copy")).output
    #expect(!events.contains("Avocado") && !events.contains("Blueberry") && events.contains("Cranberry"))
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
