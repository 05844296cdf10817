// Threat: a workload is not deterministic, is refused by the chat, or lacks the actions of real users.
import EventLog
import EventLogLMDB
import Foundation
import Locks
import RandomNumbers
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

  @Test func `a conversation without keystrokes has the same chain hash in each version of the program`() {
    let run = generate(folder("w"), "--messages", "300")
    #expect(run.values("hash") == ["fc0b09fe99fa18e7d219b927991a552ff552714c2be701652a23014fbff3b69f"])
    let other = generate(folder("x"), "--seed", "9", "--users", "300", "--messages", "500", "--channels", "9")
    #expect(other.values("hash") == ["300c14ce0a6dbf328430fe5b5e0270b02d1da08029a8c7a6b2e5a815e10c250c"])
  }

  @Test(arguments: [false, true])
  func `the generated blocks are those that submits to a workspace make`(keystrokes: Bool) throws {
    let size = ConversationSize(users: 5, channels: 2, messages: 20, keystrokes: keystrokes)
    let options = ["--seed", "4", "--users", "5", "--channels", "2", "--messages", "20"]
    let run = verbatim(
      ["generate", folder("w"), "--json"] + options + (keystrokes ? ["--keystrokes"] : []), input: [])
    let now = Locked(ConversationGenerator.start)
    let random = Locked(SplitMix64(seed: ~4))
    var configuration = Configuration()
    configuration.clock = { now.withLock { $0 } }
    configuration.randomBits = { random.withLock { $0.next() } }
    configuration.draftMessagesEnabled = true
    let workspace = try Workspace.open(at: folder("x"), configuration: configuration)
    var conversation = ConversationGenerator(seed: 4, size: size)
    while let moment = conversation.next() {
      now.withLock { $0 = moment.instant }
      for outcome in workspace.submit(each: moment.submissions) { _ = try outcome.get() }
    }
    workspace.closeBlocking()
    #expect(verbatim("log", "read", folder("x")).output == verbatim("log", "read", folder("w")).output)
    let hash = try EventStore.open(at: folder("x")).head().hash
    #expect(run.values("hash") == ["\(hash)"])
    #expect(verbatim("log", "verify", folder("w")).code == .done)
  }

  @Test func `generate reports the size of the workspace`() throws {
    let run = verbatim("generate", folder("w"), "--messages", "10", "--users", "3", "--channels", "1")
    try #require(run.lines.count == 2)
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

/// Story: a recording of typing that is replayed, or drawn as a curve, looks as if a person had typed.
@Suite struct `The rhythm of generated typing` {
  /// A stroke: the text that it types, empty for a deletion, and the time since the stroke before in the composer.
  private struct Typed {
    let text: String
    let pause: Int64
    /// The letter typed before it; nil for the first stroke of a text, and after anything but a typed letter.
    let previous: String?
  }

  /// Returns the strokes of a conversation, composer by composer.
  private func strokes(_ seed: UInt64) -> [Typed] {
    var chatter = ConversationGenerator(
      seed: seed, size: ConversationSize(users: 9, channels: 2, messages: 120, keystrokes: true))
    var last: [Composer.Key: (instant: Timestamp, text: String?)] = [:]
    var strokes: [Typed] = []
    while let moment = chatter.next() {
      for submission in moment.submissions {
        for case .composer(let key, .record(let events)) in submission.intents {
          let before = last[key]
          var text: String?
          if case .typed(let splice, _)? = events.first {
            text = splice.text.string
            if let before {
              let pause = (moment.instant - before.instant).rawValue
              strokes.append(Typed(text: splice.text.string, pause: pause, previous: before.text))
            }
          }
          last[key] = (moment.instant, text)
        }
      }
    }
    return strokes
  }

  private func median(_ pauses: [Int64]) -> Int64 { pauses.sorted()[pauses.count / 2] }

  @Test(arguments: 1...3)
  func `pauses are longer between words, and longest between sentences`(seed: Int) throws {
    let strokes = strokes(UInt64(seed)).filter { !$0.text.isEmpty }
    let within = strokes.filter { $0.previous?.first?.isLetter == true && $0.text.first?.isLetter == true }.map(\.pause)
    let words = strokes.filter { $0.previous == " " }.map(\.pause)
    let sentences = strokes.filter { [".", "!", "?"].contains($0.previous) }.map(\.pause)
    try #require(within.count > 500 && words.count > 100 && sentences.count > 5)
    #expect(90_000 < median(within) && median(within) < 400_000)
    #expect(median(words) > median(within) * 5 / 4 && median(sentences) > median(words))
    // Not like a metronome: a tenth of the pauses is at least twice as long as another tenth.
    let sorted = within.sorted()
    #expect(sorted[sorted.count * 9 / 10] >= 2 * sorted[sorted.count / 10])
  }

  @Test(arguments: 1...3)
  func `a text has thinking pauses, errors that are noticed later, and no night within`(seed: Int) {
    let strokes = strokes(UInt64(seed))
    #expect(strokes.contains { $0.previous != nil && $0.pause > 2_000_000 })
    #expect(strokes.filter { $0.previous != nil }.allSatisfy { $0.pause > 0 && $0.pause < 15_000_000 })
    let erased = strokes.indices.filter { strokes[$0].text.isEmpty }
    #expect(erased.count > 10 && erased.contains { strokes[$0 - 1].text.isEmpty })
  }
}
