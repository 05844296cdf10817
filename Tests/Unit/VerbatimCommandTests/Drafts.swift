// A workspace with drafts, for the tests of queries.
import Foundation
import Locks
import Verbatim

@testable import VerbatimCommand

/// A clock that starts in 2026 and advances by a second when a test asks for it.
final class Seconds: Sendable {
  private let count = Locked<Int64>(0)

  var now: Timestamp { count.withLock { Timestamp(rawValue: 1_767_225_600_000_000 + $0 * 1_000_000) } }

  func pass() { count.withLock { $0 += 1 } }
}

/// A workspace with Ada, who writes drafts on her phone, and Ben, in two channels.
struct Drafts {
  let path: String
  private let workspace: Workspace
  private let clock = Seconds()
  var ada: Client { workspace.client(user: "ada", device: "phone") }
  var ben: Client { workspace.client(user: "ben") }

  init(in folder: Folder, _ name: String = "chat") async throws {
    path = folder(name)
    var configuration = Configuration()
    configuration.clock = { [clock] in clock.now }
    workspace = try Workspace.open(at: path, configuration: configuration)
    try await ada.me.create(name: "Ada")
    try await ben.me.create(name: "Ben")
    for channel in ["general", "random"] as [Channel.ID] {
      try await ada.channel(channel).create("team", Channel.Profile(name: "A channel"), members: ["ben"])
    }
  }

  /// Saves a draft of Ada's, a second after the previous change.
  func save(_ content: Composition, in channel: Channel.ID, _ thread: Message.ID? = nil) async throws {
    clock.pass()
    let key = Draft.Key(by: "ada", in: channel, thread: thread)
    try await ada.submit(.draft(key, .update(content, editedAt: clock.now)))
  }

  func save(_ text: TypedText, in channel: Channel.ID, _ thread: Message.ID? = nil) async throws {
    try await save(Composition(text), in: channel, thread)
  }

  func discard(_ channel: Channel.ID, _ thread: Message.ID? = nil) async throws {
    clock.pass()
    try await ada.me.deleteDraftMessage(in: channel, thread: thread)
  }

  /// Sends messages of Ben's, `m1`, `m2` …, and saves drafts of replies to them, `reply 1`, `reply 2` ….
  func saveReplies(_ numbers: ClosedRange<Int>) async throws {
    for number in numbers {
      try await ben.channel("general").send("Question", id: ID(stringLiteral: "m\(number)"))
      try await save(TypedText("reply \(number)"), in: "general", ID(stringLiteral: "m\(number)"))
    }
  }

  /// Advances the clock by a second.
  func pass() { clock.pass() }

  /// Queries Ada's drafts.
  func query(_ options: String...) -> Run { ask("drafts", options) }

  /// Runs a query as Ada, or as another user.
  func ask(_ question: String, _ options: [String] = [], as user: String = "ada") -> Run {
    verbatim(["query", question, path, "--as", user, "--time-zone", "UTC"] + options, input: [])
  }

  func ask(_ question: String, _ options: String..., as user: String = "ada") -> Run {
    ask(question, options, as: user)
  }

  /// Runs a query of the app.
  func ask(app question: String, _ options: String...) -> Run {
    verbatim(["query", question, path] + options, input: [])
  }

  /// Waits until everything recorded in composers is on the disk.
  func flush() async { await workspace.flush() }

  func close() async { await workspace.close() }
}

extension Run {
  /// The channel and thread of each draft in the output, without the text of the thread's message.
  var places: [String] {
    lines.filter { $0.hasPrefix("2026-") }.map { line in
      line.dropFirst(42).prefix { $0 != ":" }.split(separator: " ").prefix(3).joined(separator: " ")
    }
  }

  /// The content of each draft in the output.
  var words: [String] { lines.filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) } }

  /// The command for the next page, as arguments.
  var following: [String]? {
    lines.last?.components(separatedBy: "Next page: verbatim ").dropFirst().last.map {
      $0.split(separator: " ").map(String.init)
    }
  }
}
