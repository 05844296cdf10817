// Erasable workspaces on the command line.
import Bytes
import ChatCodec
import ChildProcess
import ContentKeys
import EventLog
import Foundation
import SeededRandom
import Testing
import TestThreads
import Verbatim

@testable import VerbatimCommand

@Suite(.waitsForProcesses) struct `Erasable workspaces on the command line` {
  private let folder = Folder()

  private func generate(_ name: String, seed: Int = 1) -> String {
    let made = verbatim(
      "generate", folder(name), "--messages", "60", "--users", "5", "--seed", "\(seed)", "--keystrokes", "--erasable")
    #expect(made.code == .done)
    return folder(name)
  }

  @Test func `equal seeds give equal chains`() {
    let (first, second) = (generate("one"), generate("two"))
    #expect(verbatim("export", first).output == verbatim("export", second).output)
  }

  @Test func `an export has all that another program needs to decrypt it with the keys`() throws {
    var random = SeededRandom.printingSeed()
    let path = generate("chat", seed: random.below(1_000))
    // From here on, users and channels have other keys.
    #expect(verbatim("rotate-key", path, "--content").output.contains("new keys for what is written from now on"))
    let user = try #require(verbatim("events", path, "--json").output.firstMatch(of: /"stream":"user\/([a-z]+)"/))
    #expect(verbatim("submit", path, "rename", "Someone", "--as", String(user.1)).code == .done)
    #expect(verbatim("submit", path, "channel", "later", "--as", String(user.1)).code == .done)
    #expect(verbatim("submit", path, "send", "later", "later words", "--as", String(user.1)).code == .done)
    let export = verbatim("export", path).output
    try export.write(toFile: folder("export"), atomically: false, encoding: .utf8)
    let output = try decrypted(path + "/keys", path + "/master-key", from: folder("export"))
    let decrypted = String(decoding: output, as: UTF8.self)
    let store = try openEvents(path, in: Context())
    defer { store.close() }
    var expected: [String] = []
    for event in try store.events(limit: .max) {
      guard let content = encode(try decode(event)).content else { continue }
      var text = ByteWriter()
      var rest = ByteWriter()
      split(event.payload.span.bytes, by: content.fields, &text, &rest)
      let hexadecimal = text.array().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      if text.count > 0 { expected.append("\(event.position) \(hexadecimal)") }
    }
    #expect(expected.count > 100)
    #expect(decrypted == expected.map { $0 + "\n" }.joined())
  }

  @Test(arguments: [0, 3, 65_536, 200_000])
  func `an attachment can be decrypted by another program with its URL`(count: Int) async throws {
    var random = SeededRandom.printingSeed()
    var configuration = Configuration()
    configuration.isErasable = true
    let workspace = try Workspace.open(at: folder("chat"), configuration: configuration)
    let content = random.noise(count)
    let blob = try await workspace.blobs.add(content)
    let file = workspace.blobs.path + "/\(blob.id.text.prefix(2))/\(blob.id)"
    await workspace.close()
    #expect(try decrypted("--blob", blob.url.string, from: file) == content)
  }

  /// Returns the output of the independent reader.
  private func decrypted(_ first: String, _ second: String, from input: String) throws -> [UInt8] {
    let python = FileManager.default.currentDirectoryPath + "/.build/keys-venv/bin/python"
    try #require(FileManager.default.isExecutableFile(atPath: python), "Tools/setup --checks installs it")
    let process = Process()
    (process.executableURL, process.arguments) = (
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "exec \"$0\" Tools/decrypt \"$1\" \"$2\" <\"$3\"", python, first, second, input]
    )
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return bytes
  }

  @Test(arguments: [true, false])
  func `status warns of ids that name persons, which are not erased`(isErasable: Bool) throws {
    let path = folder("chat")
    #expect(verbatim(["init", path] + (isErasable ? ["--erasable"] : []), input: []).code == .done)
    for id in ["ada@example.org", "+491511234567", "5550100", "ada", "room-12", "user@team", "20260101123456789"] {
      let intent = "{\"user\":\"\(id)\",\"create\":{\"name\":\"x\"}}"
      #expect(verbatim("submit", path, "--system", input: intent + "\n").code == .done, "\(id)")
    }
    let status = verbatim("status", path)
    #expect(status.code == .done)
    let warning = "Warning: 3 users have ids that look like an e-mail address or a telephone number, such as "
    #expect(status.output.contains(warning) == isErasable, "\(status.output)")
  }

  @Test func `what is erased is reported by verify, and asked for without --yes`() throws {
    let path = generate("chat")
    #expect(verbatim("erase", path, "mia").code == .misused)
    let user = try #require(verbatim("events", path, "--json").output.firstMatch(of: /"stream":"user\/([a-z]+)"/))
    let before = verbatim("log", "verify", path, "--json").output
    let erased = verbatim("erase", path, String(user.1), "--yes")
    #expect(erased.code == .done && erased.output.hasPrefix("Erased from "))
    #expect(verbatim("erase", path, "--resume").output.hasPrefix("No erasure"))
    // Four programs fold the log, the tables are compared, and each event is classified.
    let verify = try Child([Child.path(ofWorker: "verbatim"), "verify", path])
    let verified = try verify.lines()
    #expect(verify.wait() == .exit(0), "\(verified.joined(separator: "\n"))")
    let content = try #require(verified.first { $0.contains(" content ") })
    #expect(content.contains(" readable, ") && content.contains("erased by the event at "))
    #expect(verified.contains { $0.hasPrefix("✔ tables") })
    #expect(verbatim("events", path).output.contains("(erased by the event at "))
    #expect(before.contains("\"events\""))
    for wrong in [["nobody"], ["a b"], [], ["ada", "--before", "2026-01-01"], ["ada", "--resume"]] {
      #expect(verbatim(["erase", path] + wrong + ["--yes"], input: []).code != .done, "\(wrong)")
    }
    #expect(verbatim("erase", path, "--typed-only", "--before", "2026-01-02", "--yes").code == .done)
    #expect(verbatim("erase", path, "--typed-only", "--yes", "--json").output.contains("\"completed\":"))
    let master = try String(contentsOfFile: path + "/master-key", encoding: .utf8)
    #expect(verbatim("rotate-key", path).code == .done)
    #expect(try String(contentsOfFile: path + "/master-key", encoding: .utf8) != master)
    #expect(verbatim("rotate-key", path, "--new-key-in", "NO_SUCH_VARIABLE").code == .unable)
    #expect(verbatim("expire", path, "--typed", "0", "--once").output == "Nothing has expired.\n")
    let expired = verbatim("expire", path, "--messages", "0", "--channel", "general", "--once")
    #expect(expired.output.contains("the messages of general before"))
    for wrong in [[], ["--typed", "-1"], ["--typed", "x"], ["--typed", "1", "--channel", "a", "--except", "b"]] {
      #expect(verbatim(["expire", path, "--once"] + wrong, input: []).code == .misused, "\(wrong)")
    }
    let store = try openEvents(path, in: Context())
    defer { store.close() }
    let report = try ContentReport(of: store.log)
    #expect(report.readable > 0 && report.unreadable == 0 && report.erased.count >= 2)
  }
}
