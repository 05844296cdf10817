// Threat: a command works on a directory and not on a log on a server, or shows a password.
import ChildProcess
import Foundation
import PostgresServer
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct ServerTests {
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
    #expect(run("init", one).code == .refused)
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

  @Test(arguments: ["compact", "rebuild", "readers", "backup"])
  func `commands that work on files refuse an address`(command: String) {
    let arguments = [command, server.address(ofLog: "none")] + (command == "backup" ? [folder("copy")] : [])
    let refused = verbatim(arguments, input: [])
    #expect(refused.code == .misused && refused.errors.contains("give a directory"), "\(refused)")
  }

  @Test func `a server that cannot be reached is named without its password`() {
    let failed = run("status", "postgres://ada:secret@127.0.0.1:1/chat?log=team")
    #expect(failed.code == .unable)
    #expect(failed.errors.contains("postgres://ada@127.0.0.1:1/chat?log=team") && !failed.errors.contains("secret"))
  }
}
