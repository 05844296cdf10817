// Threat: a command works on a directory and not on a log on a server, or shows a password.
import PostgresServer
import Testing
import Verbatim

@testable import VerbatimCommand

@Suite struct ServerTests {
  private let server: PostgresServer
  private let folder = Folder()

  init() throws { server = try PostgresServer.shared() }

  private func run(_ arguments: String...) -> Run {
    var configuration = Configuration()
    configuration.cacheDirectory = folder("cache")
    return verbatim(arguments, input: [], configuration: configuration)
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
