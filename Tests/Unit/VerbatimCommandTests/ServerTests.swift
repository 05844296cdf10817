// Threat: a command works on a directory and not on a log on a server, or shows a password.
import ChildProcess
import Foundation
import PostgresServer
import Testing
import TestThreads
import Verbatim

@testable import VerbatimCommand

@Suite(.waitsForProcesses) struct ServerTests {
  private let server: PostgresServer
  private let folder = Folder()

  init() throws { server = try PostgresServer.shared() }

  /// Runs a command as a machine with a directory of its own.
  private func run(_ arguments: String..., input: String = "") -> Run {
    var configuration = Configuration()
    configuration.cacheDirectory = folder("cache")
    return verbatim(arguments, input: Array(input.utf8), configuration: configuration)
  }

  @Test func `a generated workspace is exported, imported and compared`() throws {
    let (one, two) = (server.address(ofLog: "commands-one"), server.address(ofLog: "commands-two"))
    #expect(run("generate", one, "--messages", "20", "--keystrokes").code == .done)
    #expect(run("init", one).code == .unable)
    #expect(run("export", one, folder("lines")).code == .done)
    for copy in [two, folder("directory")] {
      #expect(run("import", copy, folder("lines")).code == .done)
      #expect(run("diff", one, copy).code == .done)
    }
    let (here, there) = (run("replay", one), run("replay", folder("directory")))
    #expect(here.code == .done && here.lines.dropLast() == there.lines.dropLast())
    #expect(run("events", one, "--limit", "50").output == run("events", folder("directory"), "--limit", "50").output)
    let query = run("query", "channels", two, "--as", "ada")
    #expect(query.code == .done)
    #expect(query.output == run("query", "channels", folder("directory"), "--as", "ada").output)
    #expect(run("log", "verify", two).code == .done)
    #expect(run("status", two).output.contains("The checks found no problem"))
  }

  @Test func `a log is mirrored from a directory to a server and back`() throws {
    let (here, there, back) = (folder("here"), server.address(ofLog: "commands-mirror"), folder("back"))
    #expect(run("generate", here, "--messages", "20", "--keystrokes").code == .done)
    for (from, to) in [(here, there), (there, back), (here, there)] {
      #expect(run("mirror", from, to, "--once").code == .done)
    }
    #expect(run("diff", here, back).code == .done)
    let other = folder("other")
    #expect(run("generate", other, "--messages", "5").code == .done)
    let refused = run("mirror", other, there, "--once")
    #expect(refused.code == .refused && refused.errors.contains("is not the beginning of"))
    #expect(run("diff", there, back).code == .done)
  }

  @Test(.enabled(if: program != nil, "the program was not built"))
  func `a mirror follows the log until it is interrupted, and refuses a copy with other events`() throws {
    let (log, copy) = (logWithEvents(3, in: folder), server.address(ofLog: "commands-followed"))
    let mirror = try Child(
      [program ?? "", "mirror", log, copy, "--json"], environment: ["VERBATIM_CACHE_DIR": folder("cache")])
    func payloads() -> [String] { run("log", "read", copy).payloads }
    func wait(for count: Int) {
      let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
      while payloads().count < count, .now < deadline { Thread.sleep(forTimeInterval: 0.01) }
    }
    wait(for: 3)
    #expect(verbatim("log", "append", log, input: line("a", "4") + line("b", "5")).code == .done)
    wait(for: 5)
    mirror.signal(SIGINT)
    #expect(try mirror.line()?.contains("\"events\":5") == true)
    #expect(mirror.wait() == .exit(0))
    #expect(payloads() == ["1", "2", "3", "4", "5"])
    #expect(run("log", "append", copy, input: line("a", "other")).code == .done)
    let refused = run("mirror", log, copy, "--once")
    #expect(refused.code == .refused && refused.errors.contains("is not the beginning of"))
  }

  /// With `VERBATIM_SUBMITS`, the number of submits of each machine; `Tools/faults` lets each make a thousand.
  @Test(.enabled(if: program != nil, "the program was not built"))
  func `mixed submits of eight machines have positions without gaps, right answers and equal tables`() throws {
    let count = ProcessInfo.processInfo.environment["VERBATIM_SUBMITS"].flatMap { Int($0) } ?? 20
    let users = ["ada", "ben", "cleo", "dmitri", "xlise", "farid", "grace", "hana"]
    let address = server.address(ofLog: "commands-machines")
    #expect(run("generate", address, "--messages", "3", "--users", "8", "--channels", "2").code == .done)
    let base = run("events", address, "--json").lines.count
    func submits(of user: String) -> [String] {
      (0..<count).map { number in
        let message = #"{"channel":"general","id":"\#(user)-\#(number / 4)"}"#
        switch number % 4 {
        case 0: return #"{"message":\#(message),"send":{"text":"\#(user) sends \#(number)"}}"#
        case 1: return #"{"message":\#(message),"edit":{"text":"\#(user) edits \#(number)"}}"#
        case 2: return #"{"user":"\#(user)","change":{"name":"\#(user) \#(number)"}}"#
        default: return #"{"message":\#(message),"delete":{}}"#
        }
      }
    }
    // Through files: a pipe that is full would make the machines wait for each other.
    let script = #"exec "$0" submit "$1" --as "$2" <"$3" >"$4""#
    let machines = try users.map { user in
      let (input, output) = (folder("\(user).in"), folder("\(user).out"))
      try submits(of: user).map { $0 + "\n" }.joined().write(toFile: input, atomically: true, encoding: .utf8)
      return try Child(
        ["sh", "-c", script, program ?? "", address, user, input, output],
        environment: ["VERBATIM_CACHE_DIR": folder(user)])
    }
    for machine in machines { #expect(machine.wait() == .exit(0)) }
    var positions: [Int] = []
    let log = run("events", address, "--json").lines
    for user in users {
      let answers = try String(contentsOfFile: folder("\(user).out"), encoding: .utf8).split(separator: "\n")
        .map { Answer(String($0)) }
      #expect(answers.count == count)
      for (answer, submit) in zip(answers, submits(of: user)) {
        positions += answer.positions
        let text = submit.components(separatedBy: "\"").first { $0.hasPrefix(user + " ") } ?? user + "-"
        let actor = #""actor":"\#(user)""#
        #expect(answer.positions.contains { log[$0 - 1].contains(text) && log[$0 - 1].contains(actor) })
      }
    }
    #expect(positions.sorted() == Array(base + 1...log.count))
    let checks = try users.map { user in
      try Child([program ?? "", "verify", address], environment: ["VERBATIM_CACHE_DIR": folder(user)])
    }
    for check in checks {
      let report = try check.lines()
      #expect(check.wait() == .exit(0) && report.contains { $0.hasPrefix("✔ tables") }, "\(report)")
    }
    let pages = users.map { user in
      var configuration = Configuration()
      configuration.cacheDirectory = folder(user)
      return verbatim(
        ["query", "messages", address, "general", "--as", "ada"], input: [], configuration: configuration)
    }
    // The last line leads to the next page as of an instant.
    for page in pages { #expect(page.code == .done && page.lines.dropLast() == pages[0].lines.dropLast()) }
  }

  /// The positions in an answer of `submit`.
  private struct Answer {
    let positions: [Int]

    init(_ line: String) {
      let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let range = json?["positions"] as? [Int] ?? []
      positions = range.count == 2 ? Array(range[0]...range[1]) : []
    }
  }

  @Test func `a damaged block is found and never returned`() throws {
    let address = server.address(ofLog: "commands-damaged")
    #expect(run("generate", address, "--messages", "20", "--keystrokes").code == .done)
    let damaged = try server.query(
      """
      UPDATE verbatim.blocks SET block = set_byte(block, 40, get_byte(block, 40) # 1) WHERE (log, last) = (
        SELECT log, min(last) FROM verbatim.blocks WHERE last >= 100 AND log = (
          SELECT id FROM verbatim.logs WHERE name = 'commands-damaged') GROUP BY log)
      RETURNING last
      """)
    let last = try #require(damaged.first)
    let check = run("log", "verify", address)
    #expect(check.code == .refused && check.output.contains("–\(last) ("))
    #expect(check.output.contains("Restore a backup of the server"))
    let read = run("events", address, "--from", "90", "--limit", "20")
    #expect(read.code == .refused && read.errors.contains("position \(last) is damaged"))
  }

  @Test func `a workspace is backed up from a server and restored to one`() {
    let (one, two) = (server.address(ofLog: "commands-first"), server.address(ofLog: "commands-restored"))
    #expect(run("generate", one, "--messages", "20", "--keystrokes").code == .done)
    #expect(run("backup", one, folder("backup")).code == .done)
    #expect(run("diff", one, folder("backup")).code == .done)
    for _ in 0..<2 { #expect(run("restore", folder("backup"), two).code == .done) }
    #expect(run("diff", one, two).code == .done)
    #expect(run("init", folder("other")).code == .done)
    let refused = run("restore", folder("other"), two)
    #expect(refused.code == .unable && refused.errors.contains("exists already and is not empty: name a new one"))
    #expect(run("backup", one, two).code == .misused && run("restore", one, folder("third")).code == .misused)
  }

  @Test func `events that the server lost are salvaged, and the shorter log is accepted`() throws {
    let (name, other) = ("commands-lost", folder("salvaged"))
    let address = server.address(ofLog: name)
    #expect(run("generate", address, "--messages", "10").code == .done)
    try server.rememberHead(of: name)
    let position = try #require(try server.query("SELECT position FROM verbatim.logs WHERE name = '\(name)'").first)
    let submit = #"{"message":{"channel":"general","id":"lost"},"send":{"text":"soon lost"}}"#
    #expect(run("submit", address, "--as", "ada", input: submit + "\n").code == .done)
    #expect(run("log", "salvage", address).errors.contains("Nothing is missing."))
    try server.lose(of: name, after: try #require(UInt64(position)))
    let refused = run("query", "channels", address, "--as", "ada")
    #expect(refused.code == .refused && refused.errors.contains("its last events are missing: salvage the log"))
    #expect(run("rebuild", address).code == .refused)

    let salvaged = run("log", "salvage", address)
    #expect(salvaged.code == .done && salvaged.output.contains("soon lost"), "\(salvaged)")
    #expect(run("log", "salvage", address, "--into", other).code == .done)
    #expect(run("log", "read", other).output.contains("soon lost"))
    let rebuilt = run("rebuild", address, "--discard-ahead")
    #expect(rebuilt.code == .done && rebuilt.output.contains("were rebuilt"), "\(rebuilt)")
    #expect(run("query", "channels", address, "--as", "ada").code == .done)
    #expect(run("log", "salvage", address).output.isEmpty)
    #expect(run("log", "verify", address).code == .done)
  }

  // What broke: it was found by reading. The server keeps the checkpoints of events that it lost, and the present
  // events were compared with them.
  @Test(.enabled(if: program != nil, "the program was not built"))
  func `verify compares nothing with checkpoints of events that the server lost`() async throws {
    let name = "commands-checkpoints"
    let address = server.address(ofLog: name)
    #expect(run("generate", address, "--messages", "10").code == .done)
    try server.rememberHead(of: name)
    let position = try #require(try server.query("SELECT position FROM verbatim.logs WHERE name = '\(name)'").first)
    func send(_ id: String, _ configuration: Configuration) async throws -> Workspace {
      let workspace = try Workspace.open(at: address, configuration: configuration)
      let key = Message.Key("general", Message.ID(rawValue: id)!)
      try await workspace.submit(.message(key, .send(Message.Content("hello"))), by: .user("ada"))
      return workspace
    }
    let log = "(SELECT id FROM verbatim.logs WHERE name = '\(name)')"
    let lost = "SELECT count(*) > 0 FROM verbatim.checkpoints WHERE position > \(position) AND log = \(log)"
    var (here, there) = (Configuration(), Configuration())
    (here.cacheDirectory, here.checkpointDistance, there.cacheDirectory) = (folder("cache"), 1, folder("other"))
    let losing = try await send("lost", here)
    // The block is folded after the submit has returned.
    let deadline = ContinuousClock.now + .seconds(Deadline.seconds)
    while try server.query(lost) != ["t"], .now < deadline {}
    await losing.close()
    try server.lose(of: name, after: try #require(UInt64(position)))
    for id in ["kept", "kept-too"] { try await send(id, there).close() }
    #expect(run("rebuild", address, "--discard-ahead").code == .done)
    #expect(try server.query(lost) == ["t"])

    let verifying = try Child([program ?? "", "verify", address], environment: ["VERBATIM_CACHE_DIR": folder("cache")])
    let report = try verifying.lines()
    #expect(verifying.wait() == .exit(0), "\(report)")
  }

  @Test(arguments: [false, true])
  func `attachments are mirrored between a directory and servers, and missing ones are named`(
    isErasable: Bool
  ) async throws {
    let (here, back, name) = (folder("here"), folder("back"), "commands-attached-\(isErasable)")
    let (there, again) = (server.address(ofLog: name), server.address(ofLog: name + "-again"))
    var configuration = Configuration()
    configuration.isErasable = isErasable
    let workspace = try Workspace.open(at: here, configuration: configuration)
    try await workspace.submit(.user("ada", .create(User.Profile(name: "Ada"))), by: .user("ada"))
    try await workspace.submit(
      .channel("general", .create("team", Channel.Profile(), ChannelConfig(), members: [])), by: .user("ada"))
    let contents: [[UInt8]] = [[], [1, 2, 3], Array(repeating: 7, count: 2 << 20)]
    var blobs: [Blob] = []
    for (number, content) in contents.enumerated() {
      let blob = try await workspace.blobs.add(content)
      blobs.append(blob)
      var message = Message.Content("look")
      message.attachments = [
        Attachment(Attachment.ID(rawValue: "a\(number)")!, .file, at: .url(blob.url), byteCount: UInt64(blob.byteCount))
      ]
      try await workspace.submit(
        .message(Message.Key("general", Message.ID(rawValue: "m\(number)")!), .send(message)), by: .user("ada"))
    }
    await workspace.close()
    for (from, to) in [(here, there), (there, again), (again, back)] {
      let mirrored = run("mirror", from, to, "--once")
      #expect(mirrored.code == .done && mirrored.output.contains("3 attachments copied"), "\(mirrored)")
      #expect(!run("mirror", from, to, "--once").output.contains("attachments"))
    }
    // What broke: a damaged copy on this machine made every mirror fail, although the server has the attachment.
    let (cache, damaged) = (folder("cache"), "\(blobs[2].id)")
    let cached = try FileManager.default.subpathsOfDirectory(atPath: cache).filter { $0.hasSuffix("/" + damaged) }
    #expect(!cached.isEmpty)
    for file in cached { try Data([9]).write(to: URL(filePath: cache + "/" + file)) }
    let mended = run("mirror", there, folder("mended"), "--once")
    #expect(mended.code == .done && mended.output.contains("3 attachments copied"), "\(mended)")
    let copies = [here, folder("mended")].map { path in
      FileManager.default.contents(atPath: "\(path)/blobs/\(damaged.prefix(2))/\(damaged)")
    }
    #expect(copies[0] != nil && copies[0] == copies[1])
    if !isErasable {
      let lines = run("export", there).output
      let imported = verbatim("import", folder("erasable"), "--erasable", "--attachments", there, input: lines)
      #expect(imported.code == .done && imported.output.hasSuffix("\n3 attachments encrypted\n"), "\(imported)")
    }
    // A copy has no keys.
    for file in isErasable ? ["keys", "master-key"] : [] {
      try FileManager.default.copyItem(atPath: "\(here)/\(file)", toPath: "\(back)/\(file)")
    }
    let copy = try Workspace.open(at: back)
    for (blob, content) in zip(blobs, contents) { #expect(try await copy.blobs.read(blob.id) == content) }
    await copy.close()
    // A blob that is damaged or missing is not copied; the blocks of an erasable workspace do not name any.
    let paths = blobs.map { "\(copy.blobs.path)/\($0.id.text.prefix(2))/\($0.id)" }
    try FileManager.default.removeItem(atPath: paths[1])
    var content = try Data(contentsOf: URL(filePath: paths[2]))
    content[1 << 20] ^= 1
    try content.write(to: URL(filePath: paths[2]))
    let partial = run("mirror", back, folder("partial"), "--once")
    #expect(partial.code == .refused && partial.output.contains("1 attachment copied"), "\(partial)")
    #expect(partial.output.contains("\(blobs[1].id) is not in") != isErasable)
    #expect(partial.output.contains("\(blobs[2].id) is damaged"))
  }

  @Test func `init stores attachments in a directory that the machines share`() throws {
    let address = server.address(ofLog: "commands-shared")
    let refused = run("init", folder("here"), "--blobs", folder("shared"))
    #expect(refused.code == .misused && refused.errors.contains("--blobs is for a log on a server"))
    #expect(run("init", address, "--blobs", folder("shared")).errors.contains("create \(folder("shared")) first"))
    try FileManager.default.createDirectory(atPath: folder("shared"), withIntermediateDirectories: true)
    #expect(run("init", address, "--blobs", folder("shared")).code == .done)
    #expect(FileManager.default.fileExists(atPath: folder("shared") + "/blobs"))
  }

  @Test func `init brings the tables of an earlier program up to date`() throws {
    try server.query("CREATE DATABASE commands")
    let (log, other) = (
      server.address(ofLog: "one", in: "commands"), server.address(ofLog: "two", in: "commands")
    )
    #expect(run("generate", log, "--messages", "3").code == .done)
    for address in [log, other] {
      try server.query(
        """
        DROP TABLE verbatim.checkpoints; ALTER TABLE verbatim.logs DROP COLUMN blobs;
        UPDATE verbatim.format SET version = 1
        """, in: "commands")
      let old = run("query", "channels", address, "--as", "ada")
      #expect(old.code == .unable && old.errors.contains("those of an earlier program (version 1)"), "\(old)")
      let upgraded = run("init", address)
      #expect(upgraded.code == .done, "\(upgraded)")
      #expect(upgraded.output.contains(address == log ? "are up to date now" : "An empty workspace was created"))
    }
    #expect(run("query", "channels", log, "--as", "ada").code == .done)
    #expect(run("init", log).code == .unable)
  }

  @Test func `a server that cannot be reached is named without its password`() {
    let failed = run("status", "postgres://ada:secret@127.0.0.1:1/chat?log=team")
    #expect(failed.code == .unable)
    #expect(failed.errors.contains("postgres://ada@127.0.0.1:1/chat?log=team") && !failed.errors.contains("secret"))
  }
}
