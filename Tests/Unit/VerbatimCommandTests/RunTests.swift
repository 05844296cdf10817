// Scenarios played from the command line: the output and the exit code.
import ChildProcess
import Foundation
import JSONLines
import Testing
import Verbatim

@testable import VerbatimCommand

struct Running {
  let folder = Folder()

  private let first =
    #"{"scenario":1,"title":"a test","users":{"ada":"Ada"},"channels":{"general":["ada"]}}"#

  /// Creates a scenario file.
  private func script(_ name: String, _ lines: String...) -> String {
    let path = folder(name)
    let text = ([first] + lines).joined(separator: "\n") + "\n"
    precondition(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    return path
  }

  private var holding: String {
    script("holds.jsonl", #"{"as":"ada","type":"Hello"}"#, #"{"expect":{"text":"Hello","caret":5}}"#)
  }

  private var differing: String {
    script(
      "differs.jsonl", #"{"as":"ada","type":"Hello"}"#, #"{"expect":{"text":"Hullo","caret":5}}"#, #"{"send":true}"#)
  }

  @Test func `a scenario without differences is reported as holding`() async {
    let path = holding
    let run = await played(path)
    #expect(run.code == .done)
    #expect(run.output == "\(path): passed, 2 expectations in 2 lines\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `several scenarios report each difference with its line, and a total`() async {
    let (holding, differing) = (holding, differing)
    let run = await played(differing, holding)
    #expect(run.code == .refused)
    #expect(
      run.lines == [
        #"\#(differing): line 3: text: expected "Hullo", found "Hello""#,
        "\(holding): passed, 2 expectations in 2 lines", "2 scenarios: 1 passed, 1 failed",
      ])
  }

  @Test func `differences are printed as JSON`() async throws {
    let path = differing
    let run = await played(path, "--json")
    #expect(run.code == .refused)
    #expect(
      run.output == #"{"script":"\#(path)","line":3,"what":"text","expected":"Hullo","found":"Hello"}"# + "\n")
    #expect(await played(holding, "--json").output.isEmpty)
  }

  @Test func `the trace prints the composer's presentation after each line`() async throws {
    let run = await played(differing, "--trace")
    let trace = run.lines.dropLast()
    #expect(trace.count == 3)
    #expect(trace.first?.hasPrefix(#"{"line":2,"composer":"ada/phone/general/","text":"Hello","caret":5"#) == true)
    for line in trace { _ = try JSONParser.parse(Array(line.utf8)) }
  }

  @Test func `an invalid script is an error, and nothing is played`() async {
    let path = script("broken.jsonl", #"{"as":"ada","tpye":"Hello"}"#)
    let run = await played(holding, path)
    #expect(run.code == .misused)
    #expect(run.errors == "verbatim: \(path): line 2: “tpye” is not a verb: did you mean “type”?\n")
    #expect(run.output.isEmpty)
    #expect(await played().code == .misused)
  }

  @Test func `a missing script cannot be played`() async {
    let run = await played(folder("nothing"))
    #expect(run.code == .unable)
    #expect(run.errors == "verbatim: The scenario \(folder("nothing")) cannot be read: give an existing file.\n")
  }

  @Test func `a scenario is played into an empty directory and kept there`() async throws {
    let (path, place) = (differing, folder("chat"))
    #expect(await played(path, "--into", place).code == .refused)
    let workspace = try Workspace.open(at: place, creates: false)
    let texts = try await workspace.client(user: "ada").channel("general").messages().messages.map(\.content.text)
    #expect(texts == ["Hello"])
    await workspace.close()
    let again = await played(path, "--into", place)
    #expect(again.code == .unable)
    #expect(again.errors.contains("is not empty: give an empty or new one"))
    #expect(await played(path, holding, "--into", folder("other")).code == .misused)
  }

  @Test func `the help fits a screen and names the page with the format`() async throws {
    let help = await played("--help")
    #expect(help.lines.count < 45 && help.output.contains("usage: verbatim run SCRIPT… [--into DIR]"))
    let path = try #require(help.output.firstMatch(of: /Sources\/[A-Za-z\/]+\.docc\/[A-Za-z]+\.md/)).output
    let root = documentation.appending(path: "../../../..")
    #expect(FileManager.default.fileExists(atPath: root.appending(path: path).path(percentEncoded: false)))
  }

  @Test func `a message sent from a composer is stored under its id`() async throws {
    let path = script(
      "ids.jsonl", #"{"as":"ada","type":"Hello"}"#, #"{"send":true,"id":"m3"}"#, #"{"react":"like","to":"m3"}"#,
      #"{"type":"again"}"#, #"{"send":true,"id":"m3"}"#, #"{"expect":{"refused":"messageExists","text":"again"}}"#,
      #"{"delete":"a b"}"#)
    let place = folder("ids")
    let run = await played(path, "--into", place)
    #expect(run.errors.contains("cannot be played: Line 8: \"a b\" is not an id: use 1 to 64"), "\(run.errors)")
    let events = verbatim("events", place, "--type", "messageSent", "--type", "reactionAdded", "--json").lines
    try #require(events.count == 2)
    #expect(events[0].contains(#""event":{"message":{"channel":"general","id":"m3"},"sent":"#))
    #expect(events[1].contains(#"{"reaction":{"message":{"channel":"general","id":"m3"},"user":"ada"}"#))
  }

  @Test func `the example of the help holds`() async {
    let lines = await played("--help").lines.filter { $0.hasPrefix("  {") }
    #expect(lines.count == 5)
    let path = folder("example.jsonl")
    precondition(FileManager.default.createFile(atPath: path, contents: Data(lines.joined(separator: "\n").utf8)))
    let run = await played(path)
    #expect(run.code == .done, "\(run.output)\(run.errors)")
  }

  @Test func `the program plays scenarios on its main thread`() async throws {
    let path = differing
    let (output, process) = (Pipe(), Process())
    process.executableURL = URL(filePath: program ?? "")
    process.arguments = ["run", path]
    process.standardOutput = output
    try process.run()
    let text = try process.output(through: output, of: "run")
    #expect(process.terminationStatus == 1)
    #expect(text.contains("line 3: text"))
  }
}

/// Plays scenarios on a blocking thread: the scenarios need the threads of the task pool.
private func played(_ arguments: String...) async -> Run {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: verbatim(["run"] + arguments, input: [])) }
  }
}
