// Threat: a workload is not deterministic, is refused by the chat, or lacks the actions of real users.
import Foundation
import Testing
import Verbatim

@testable import VerbatimCommand

/// Generates a workspace; returns the run with its JSON report.
private func generate(_ path: String, _ arguments: String...) -> Run {
  verbatim(["generate", path, "--json"] + arguments, input: [])
}

struct `A generated workspace` {
  private let folder = Folder()

  @Test func `the same seed generates the same events with any batch size and in another process`() throws {
    let first = generate(folder("a"), "--seed", "5", "--messages", "60", "--keystrokes", "--ahead", "1")
    #expect(first.code == .done)
    let second = generate(folder("b"), "--seed", "5", "--messages", "60", "--keystrokes", "--ahead", "1000")
    #expect(second.output == first.output)
    let read = verbatim("log", "read", folder("a")).output
    #expect(verbatim("log", "read", folder("b")).output == read)
    #expect(verbatim("log", "verify", folder("a")).code == .done)
    guard program != nil else { return }
    let third = try shell(#""$V" generate "$L" --seed 5 --messages 60 --keystrokes --json"#, log: folder("c"))
    #expect(third.output == first.output)
  }

  @Test func `another seed or size generates other events`() {
    let arguments = [
      ["--seed", "1"], ["--seed", "2"], ["--seed", "1", "--messages", "21"], ["--seed", "1", "--users", "4"],
      ["--seed", "1", "--channels", "2"], ["--seed", "1", "--keystrokes"],
    ]
    let hashes = arguments.enumerated().flatMap { number, words in
      let size = words.contains("--messages") ? [] : ["--messages", "20"]
      return verbatim(["generate", folder("\(number)"), "--json"] + words + size, input: []).values("hash")
    }
    #expect(Set(hashes).count == arguments.count)
  }

  @Test func `a generated conversation contains all common kinds of events`() throws {
    #expect(generate(folder("w"), "--messages", "3000", "--users", "30").code == .done)
    let types = Set(verbatim("log", "read", folder("w")).values("type").map { $0.split(separator: ".")[0] })
    for type in [
      "userCreated", "userChanged", "deviceAdded", "channelCreated", "channelChanged", "memberAdded", "memberRead",
      "memberReceived", "memberLeft", "memberRemoved", "channelHidden", "messageSent", "messageEdited",
      "messageDeleted", "messageRestored", "messagePinned", "reactionAdded", "reactionRemoved", "draftUpdated",
      "draftDeleted", "memberBanned", "channelMuted", "userMuted", "messageFlagged",
    ] {
      #expect(types.contains(type[...]), "nobody made \(type)")
    }
    #expect(!types.contains { $0.hasPrefix("composer") })
    #expect(verbatim("log", "read", folder("w")).values("type").count { $0.hasPrefix("messageSent.") } == 3000)
  }

  @Test func `generate refuses an existing log`() throws {
    #expect(generate(folder("w"), "--messages", "1").code == .done)
    let again = generate(folder("w"), "--messages", "1")
    #expect(again.code == .unable)
    #expect(again.errors.hasPrefix("verbatim: There is a log at \(folder("w")) already"))
    #expect(generate(folder("x"), "--users", "0").code == .misused)
    #expect(generate(folder("x"), "--channels", "0").code == .misused)
    #expect(!FileManager.default.fileExists(atPath: folder("x")))
  }

  @Test func `generate reports the size of the workspace`() {
    let run = verbatim("generate", folder("w"), "--messages", "10", "--users", "3", "--channels", "1")
    #expect(run.lines.count == 2)
    #expect(run.lines[0].hasPrefix("The workspace at \(folder("w")) has "))
    #expect(run.lines[0].hasSuffix("; 3 users, 1 channel."))
    #expect(run.lines[1].count == "chain hash ".count + 64)
    #expect(run.errors == "")
  }
}

struct `A generated conversation` {
  /// Decides and folds a whole conversation; calls `before` with each submission, and returns the final state.
  private func play(
    _ seed: UInt64, _ size: ConversationSize, before: (Submission, InMemoryChatState) -> Void = { _, _ in }
  ) throws -> InMemoryChatState {
    var rules = Rules()
    rules.draftMessagesEnabled = true
    var state = InMemoryChatState(rules: rules)
    var chatter = ConversationGenerator(seed: seed, size: size)
    while let moment = chatter.next() {
      for submission in moment.submissions {
        before(submission, state)
        for intent in submission.intents {
          for event in try decide(intent, by: submission.actor, at: moment.instant, given: state) {
            fold(event, into: &state)
          }
        }
      }
    }
    return state
  }

  @Test(arguments: 1...8)
  func `a generated submission is never refused`(seed: Int) throws {
    let size = ConversationSize(users: seed * seed, channels: seed, messages: 1500, keystrokes: seed % 2 == 0)
    _ = try play(UInt64(seed), size)
  }

  @Test(arguments: 1...4)
  func `a composer contains the exact content before it is sent or saved`(seed: Int) throws {
    var (sent, edited, attached, mentioned) = (0, 0, 0, 0)
    let size = ConversationSize(users: 12, channels: 3, messages: 400, keystrokes: true)
    _ = try play(UInt64(seed), size) { submission, state in
      guard case .message(_, let intent) = submission.intents[0] else { return }
      for case .composer(let key, _) in submission.intents {
        let composed = state[key]?.content ?? Composition()
        switch intent {
        case .send(let content):
          #expect(composed.text.userText == content.text)
          #expect(composed.mentions == content.mentions)
          #expect(composed.attachments.map(\.attachment.id) == content.attachments.map(\.id))
          #expect(composed.quoted == content.quoted)
          #expect(key.thread == content.parent)
          sent += 1
          attached += content.attachments.count
          mentioned += content.mentions.count
        case .edit(let edits):
          #expect(composed.text.userText == edits.text)
          edited += 1
        default: return
        }
      }
    }
    #expect(sent == 400 && edited > 0 && attached > 0 && mentioned > 0)
  }
}
