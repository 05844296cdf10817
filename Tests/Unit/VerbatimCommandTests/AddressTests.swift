// Threat: a command that accepts a directory fails on a log on a server, refuses it without saying what to do instead,
// or shows the password of its address.
import ChildProcess
import Foundation
import PostgresServer
import PseudoTerminal
import Testing
import TestThreads
import Verbatim

@testable import VerbatimCommand

@Suite(.waitsForProcesses, .enabled(if: program != nil, "the program was not built"))
struct AddressTests {
  private let server: PostgresServer
  private let folder = Folder()
  private let name = "addresses-\(UInt64.random(in: 0 ... .max))"

  init() throws { server = try PostgresServer.shared() }

  /// The address of a log, with a password.
  private func address(_ suffix: String = "") -> String {
    server.address(ofLog: name + suffix).replacing("postgres:///", with: "postgres://:sesame@/")
  }

  /// Runs the program as a machine with a directory of its own; returns its exit code and all of its output.
  private func run(_ words: [String], on machine: String = "cache") throws -> (code: Child.Ending, output: String) {
    let child = try start(words, on: machine)
    let output = try child.lines().joined(separator: "\n")
    return (child.wait(), output)
  }

  private func start(_ words: [String], on machine: String) throws -> Child {
    try Child(
      ["sh", "-c", #"exec "$0" "$@" </dev/null 2>&1"#, program ?? ""] + words,
      environment: ["VERBATIM_CACHE_DIR": folder(machine), "NO_COLOR": "1"])
  }

  /// Creates a workspace with a channel and messages.
  private func conversation() throws {
    #expect(try run(["init", address()]).code == .exit(0))
    for words in [
      "--system user ada name=Ada role=admin", "--system user ben name=Ben", "--as ada channel general members=ben",
      "--as ada say Hello id=m1 in=general", "--as ben say Hi thread=m1 id=m2 in=general",
      "--as ada poll Lunch? options=Pizza,Soup id=p1 in=general",
    ] {
      let (code, output) = try run(["submit", address()] + words.split(separator: " ").map(String.init))
      #expect(code == .exit(0), "\(words): \(output)")
    }
  }

  /// Uses of all commands: the exit code, the words with `@` for the address and `%` for a directory, and a part of
  /// the output.
  private static let uses: [(code: CInt, words: String, output: String)] = [
    (0, "status @", "The checks found no problem"), (0, "consumers @", "There are no consumers"),
    (0, "deliver @ --once", "Delivered 0."), (0, "submit @ --as ada say Again in=general", "\"positions\":[11,11]"),
    (0, "show @ general --as ada", "Hello"), (0, "query channels @ --as ada", "Again"),
    (0, "query channel @ general --as ada", "general"), (0, "query messages @ general --as ada", "Hello"),
    (0, "query message @ general m1 --as ada", "Ada"), (0, "query thread @ general m1 --as ada", "Hi"),
    (0, "query threads @ --as ada", "general/m1"), (0, "query members @ general --as ada", "Ben"),
    (0, "query unread @ --as ada", "mentions"), (0, "query mutes @ --as ada", "no mutes"),
    (0, "query bans @ --as ada", "no bans"), (0, "query drafts @ --as ada", "no drafts"),
    (0, "query composers @ --as ada", "no composers"), (0, "query commands @ --as ada", "no commands"),
    (0, "query search @ hello --as ada", "m1"), (0, "query typing @ general --as ada", "No user is typing"),
    (0, "query mentions @ --as ada", "no mentions"), (0, "query user @ ben --as ada", "Ben"),
    (0, "query users @ be --as ada", "Ben"), (0, "query reviews @ --as ada --channel general", "no open reviews"),
    (0, "query review @ m1 --as ada --channel general", "never flagged"),
    (0, "query votes @ general p1 --as ada", "no votes"), (0, "query saved @ --as ada", "no saved messages"),
    (0, "query scheduled @ --as ada", "no scheduled messages"), (0, "query blocks @ --as ada", "no blocked users"),
    (0, "query invitations @ --as ada", "no invitations"), (0, "query public @ --as ada", "no public channels"),
    (0, "query recipients @ general m1", "ben"), (0, "query presence @", "Nobody was ever online"),
    (0, "events @ --limit 3", "userCreated"), (0, "event @ 7", "messageSent"),
    (0, "biography @ general/m1 --as ada", "sent it"), (0, "tail @ --lines 1", "Again"),
    (0, "replay @", "At position 11"), (0, "verify @", " holds."), (1, "diff @@5 @@9", "general"),
    (0, "export @ %/lines", ""), (0, "import @-copy %/lines", "The chain is the exported one"),
    (0, "diff @ @-copy", "They are equal"), (0, "mirror @ %/mirrored --once", "has 11 events"),
    (0, "backup @ %/backup", "every block and every blob"),
    (0, "restore %/backup @-restored", "every block and every blob"),
    (0, "rebuild @", "were rebuilt: 11 events"), (0, "snapshot @", "taken at position 11"),
    (0, "snapshot @ --list", "11"), (0, "snapshot @ --check", "is undamaged"),
    (0, "clock @ --correct", "nothing to correct"), (0, "generate @-generated --messages 3", "chain hash"),
    (0, "demo @-demo", " holds."), (0, "status @-demo", "The checks found no problem"),
    (0, "log append @-log --create", ""), (0, "log read @ --limit 1", "userCreated"),
    (0, "log tail @ --lines 1", "messageSent"), (0, "log verify @", "11 events in"),
    (0, "log stats @", "events       11"), (0, "log salvage @", "Nothing is missing"),
    (0, "run %/scenario --into @-scenario", "passed, 1 expectations"),
    (0, "export-person @ ada %/ada", "holds of ada: "), (0, "seal-key %/seal.key seal.example", "seal.example+"),
    (0, "seal @ --key %/seal.key --into %/seals", "position 11"),
    (0, "seal-key %/witness.key witness.example", "witness.example+"),
    (0, witness, "— witness.example "), (0, "log verify @ \(witnessed)", "The log has the events of 1 seal"),
    // What exists is left as it is.
    (3, "init @", "already: name a new one"), (3, "generate @", "already: name a new one"),
    (3, "import @ %/lines", "already: name a new one"), (3, "run %/scenario --into @", "already: name a new one"),
    (3, "demo @", "already: name a new one"), (3, "restore %/mirrored @-demo", "name a new one"),
    // What cannot be done says what can.
    (2, "compact @", "the server reuses the space of its tables by itself"),
    (2, "readers @", "pg_stat_activity"), (2, "log backup @ %/copy", "verbatim mirror"),
    (2, "backup @ @-backup", "give a directory"), (2, "erase @ ada --yes", "erase content where the directory is"),
    (2, "expire @ --typed 3", "erase content where the directory is"),
    (2, "rotate-key @", "replace the key where the directory is"),
    (2, "restore @ %/third", "give the directory of a backup"),
    (3, "status @-none", "There is no workspace at"), (3, "log read @-none", "There is no log at"),
  ]

  private static let witnessed = "--seals %/witnessed --public-key %/seal.key.pub --public-key %/witness.key.pub"
  private static let witness =
    "witness @ --seals %/seals --public-key %/seal.key.pub --key %/witness.key --into %/witnessed"

  @Test func `each command works on an address or says what to do instead, without a password`() throws {
    try conversation()
    let scenario = """
      {"scenario":1,"title":"hello","users":{"ada":"Ada"},"channels":{"general":["ada"]}}
      {"as":"ada","type":"Hello"}
      {"expect":{"text":"Hello"}}

      """
    try scenario.write(toFile: folder("scenario"), atomically: true, encoding: .utf8)
    for (code, words, part) in Self.uses {
      let arguments = words.split(separator: " ").map { word -> String in
        guard word.hasPrefix("@") else { return String(word).replacing("%", with: folder.path) }
        let suffix = String(word.dropFirst())
        // Behind an address, @ and a position name a moment of the workspace.
        return suffix.hasPrefix("@") ? address() + suffix : address(suffix)
      }
      let (found, output) = try run(arguments)
      let isRight = found == .exit(code) && (part.isEmpty || output.contains(part))
      #expect(isRight && !output.contains("sesame"), "\(words): \(found), \(output)")
      if code > 1 { #expect(output.split(separator: "\n").last?.hasSuffix(".") == true, "\(words): \(output)") }
    }
  }

  @Test func `the uses include every command`() {
    func names(of group: CommandGroup, below path: String = "") -> [String] {
      group.members.flatMap { member in
        switch member {
        case .command(let type): [path + type.name]
        case .group(let group): names(of: group, below: path + group.name + " ")
        }
      }
    }
    let uses = Self.uses.map(\.words)
    let unused = names(of: .verbatim).filter { name in !uses.contains { $0.hasPrefix(name + " ") } }
    // Those have tests of their own, or know no workspace.
    #expect(unused == ["studio", "compose", "completions"])
  }

  @Test func `two terminals on two machines show each other's messages and typing`() throws {
    try conversation()
    func terminal(_ user: String) throws -> PseudoTerminal {
      try VerbatimCommandTests.terminal(of: user, in: address(), environment: ["VERBATIM_CACHE_DIR": folder(user)])
    }
    let (ada, ben) = (try terminal("ada"), try terminal("ben"))
    try ada.send("Good mor")
    try ben.wait { $0.text.contains("Ada is typing …") }
    try ada.send("ning" + Press.enter)
    try ben.wait { $0.says(" Ada: Good morning") && !$0.text.contains("is typing") }
    try ben.send("To you, too" + Press.enter)
    try ada.wait { $0.says(" Ben: To you, too") }
    for terminal in [ada, ben] {
      try terminal.send(Press.control("d"))
      try #expect(terminal.finish() == .exit(0))
      #expect(!terminal.screen.everything.contains("sesame"))
    }
    let messages = try run(["query", "messages", address(), "general", "--as", "ben"]).output
    #expect(messages.contains("Good morning") && messages.contains("To you, too"))
  }

  @Test func `the studio shows a workspace on a server`() throws {
    try conversation()
    let studio = try start(["studio", address(), "--as", "ada"], on: "studio")
    let line = try #require(try studio.line())
    #expect(line.hasPrefix("http://127.0.0.1:") && !line.contains("sesame"))
    studio.signal(SIGINT)
    #expect(studio.wait() == .exit(0))
  }

  @Test func `what two machines deliver at once is sent once`() async throws {
    // The clock of the app is a minute late, so that its messages are due for the command.
    var configuration = Configuration()
    (configuration.clock, configuration.cacheDirectory) = ({ .now + .seconds(-60) }, folder("app"))
    let workspace = try Workspace.open(at: address(), configuration: configuration)
    let ada = workspace.client(user: "ada")
    try await ada.me.create(name: "Ada")
    try await ada.channel("general").create()
    for number in 0..<20 {
      try await ada.channel("general").schedule(
        Message.Content("Good morning"), at: workspace.now + .seconds(30), id: ID(stringLiteral: "s\(number)"))
    }
    await workspace.close()
    let machines = try ["one", "two"].map { try start(["deliver", address(), "--once"], on: $0) }
    for machine in machines {
      #expect(try machine.line()?.hasPrefix("Delivered") == true)
      #expect(machine.wait() == .exit(0))
    }
    let sent = try run(["events", address(), "--type", "messageSent.1", "--type", "messageSent.2", "--json"]).output
    #expect(sent.split(separator: "\n").count == 20)
    #expect(try run(["deliver", address(), "--once"]).output == "Delivered 0.")
  }
}
