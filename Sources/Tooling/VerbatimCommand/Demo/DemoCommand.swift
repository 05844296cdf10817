// `verbatim demo`: plays a small conversation, then runs and prints commands on it.
internal import Foundation
internal import JSONLines

/// The command that plays a conversation and shows the commands that read it.
struct DemoCommand: Command {
  static let name = "demo"
  static let summary = "Plays a small conversation, then shows, queries and verifies the result, command by command."
  static let details = """
    Each command is shown as typed. The workspace is removed at the end, unless DIR is given. The
    conversation is a scenario, as `verbatim run` plays it.
    """
  static let examples = ["verbatim demo chat"]

  static var parameters: [Parameter<Self>] {
    [
      Parameter.positional(
        "DIR", "The directory or address in which to keep the workspace; it must not exist yet.", \.path
      ).optional
    ]
  }

  var path = ""

  func run(in context: Context) throws(Failure) -> ExitCode {
    guard let executable = context.executable else {
      throw Failure(
        .unable, "The demo starts the commands that it shows: start `\(context.command("demo"))` as a program.")
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "verbatim-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (script, chat) = (folder + "/demo.jsonl", path.isEmpty ? folder + "/chat" : path)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(conversation.utf8).write(to: URL(fileURLWithPath: script))
    } catch {
      throw Failure(.unable, "\(folder) cannot be written (\(error.localizedDescription)): free space there.")
    }
    for (title, words) in Self.steps(script, chat) {
      let shown = words.map { $0.replacing(folder + "/", with: "").quotedForShell }.joined(separator: " ")
      var output = Output(context.output)
      try output.write("\n\(title)\n  $ \(context.program) \(shown)\n\n")
      if words[0] == "run" { try output.write(conversation.split(separator: "\n").map { "  < \($0)\n" }.joined()) }
      try output.flush()
      guard try runAgain(executable, words, in: context) == .exited(0) else {
        throw Failure(.unable, "`\(context.program) \(shown)` failed: see its output.")
      }
    }
    return .done
  }

  private static func steps(_ script: String, _ chat: String) -> [(title: String, words: [String])] {
    [
      ("Two people talk; one of them leaves something unsent.", ["run", script, "--into", chat]),
      ("The channel, as Ben sees it.", ["show", chat, "general", "--as", "ben", "--time-zone", "UTC"]),
      ("The unsent draft of Ben.", ["query", "drafts", chat, "--as", "ben", "--time-zone", "UTC"]),
      ("The last events.", ["tail", chat, "--lines", "8", "--time-zone", "UTC"]),
      ("The changes by the draft, row by row.", ["replay", chat, "--changes", "12"]),
      ("Every fold of the log gives the same tables.", ["verify", chat]),
    ]
  }
}

private let conversation = """
  {"scenario":1,"title":"demo","drafts":true,"users":{"ada":"Ada","ben":"Ben"},"channels":{"general":["ada","ben"]}}
  {"as":"ada","open":true}
  {"type":"Dinner at seven?"}
  {"send":true}
  {"as":"ben","open":true}
  {"type":"Gladly, I bring the "}
  {"leave":true}
  {"expect":{"messages":["Dinner at seven?"]}}

  """
