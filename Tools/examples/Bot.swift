// A moderation bot in one file: it deletes rude messages, and holds polls with a command and a projection of its own.
import Foundation
import VerbatimUI

// The command, `/poll Lunch? pizza pasta`, which members run in their composers: it records an event of the app.

struct Poll: Codable {
  var question: String
  var choices: [String]
}

struct PollCommand: CommandHandler {
  let id: ComposedCommand.ID = "/poll"
  let displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
    displayName: "Poll", icon: "poll", arguments: ["question?", "choices"])
  let replacesMessageSent = true

  func executeOnMessageSent(
    _ command: ComposerCommand, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    let parts = command.arguments.string.split(separator: "?").map { $0.trimmingCharacters(in: .whitespaces) }
    let choices = parts.last?.split(separator: " ").map(String.init) ?? []
    guard parts.count == 2, choices.count > 1 else { throw PollError.needsChoices }
    let payload = try JSONEncoder().encode(Poll(question: parts[0] + "?", choices: choices))
    return CommandOutcome([
      .app(.channel(context.composer.channel), AppEvent("pollOpened", payload: Array(payload)))
    ])
  }
}

enum PollError: Error { case needsChoices }

// The projection: the poll of each channel and its votes, rebuilt from the log whenever it changes.

struct Polls: ChatProjection {
  static let name = "polls"
  static let revision = "1"
  static let polls = CodableTable<Polls, Channel.ID, Poll>("polls")
  static let votes = CodableTable<Polls, Channel.ID, [User.ID: String]>("votes")
  static let tables: [any DeclaredTable] = [polls, votes]

  let rows: ProjectionRows

  func fold(_ event: ChatEvent, at position: Position) throws {
    switch event.change {
    case .app(.channel(let channel), let own) where own.name == "pollOpened":
      // Any member may record an event of the app: one that is no poll opens none.
      guard let poll = try? JSONDecoder().decode(Poll.self, from: Data(own.payload)) else { return }
      try rows.set(poll, for: channel, in: Self.polls)
      try rows.set([:], for: channel, in: Self.votes)
    case .message(let key, .sent(let content)):
      guard let user = event.origin.actor.user, let choice = content.vote else { return }
      guard try rows.row(of: key.channel, in: Self.polls)?.choices.contains(choice) == true else { return }
      try rows.update(key.channel, in: Self.votes, default: [:]) { $0[user] = choice }
    default: break
    }
  }
}

extension Message.Content {
  /// The choice in `vote pizza`.
  var vote: String? { text.string.hasPrefix("vote ") ? String(text.string.dropFirst(5)) : nil }
}

// The bot: a user that handles each event once, in one process at a time, from where it was before.

struct ModerationBot {
  let client: Client
  let rudeWords = ["darn"]

  func run() async throws {
    try await client.consume(as: "moderation-bot") { change, effects in
      switch change.event.change {
      case .app(.channel(let channel), let own) where own.name == "pollOpened" && !change.event.isErased:
        let poll = try JSONDecoder().decode(Poll.self, from: Data(own.payload))
        effects.send(UserText("\(poll.question) Write “vote \(poll.choices[0])”, for example."), in: channel)
      case .message(let key, .sent(let content)) where change.event.origin.actor.user != client.user:
        if rudeWords.contains(where: content.text.string.contains) {
          // The deletion and the notice are recorded together, or neither is.
          effects.submit(.message(key, .delete(forGood: false)))
          effects.send("A rude message was deleted.", in: key.channel)
        } else if let choice = content.vote {
          let votes = try await client.workspace.read { try $0.row(of: key.channel, in: Polls.votes) } ?? [:]
          effects.send(UserText("\(choice): \(votes.values.count { $0 == choice })"), in: key.channel)
        }
      default: break
      }
    }
  }
}

// A program that uses it. Run again, it continues where it was.

var configuration = Configuration()
configuration.projections = [Polls.self]
let workspace = try Workspace.open(at: NSTemporaryDirectory() + "bot", configuration: configuration)
let (ada, ben) = (workspace.client(user: "ada", device: "laptop"), workspace.client(user: "ben"))
let bot = ModerationBot(client: workspace.client(user: "bot"))

if try await workspace.read({ try $0.chat.user("ada") }) == nil {
  for (client, name) in [(ada, "Ada"), (ben, "Ben"), (bot.client, "Bot")] {
    try await client.me.create(name: UserText(name))
  }
  try await ada.channel("general").create(members: ["ben"])
  try await ada.submit(.member(Member.Key("general", "bot"), .add(.moderator)))
  var options = ComposerOptions()
  options.commands = DefaultCommandsConfig(instantCommands: [PollCommand()])
  let composer = try await ada.channel("general").composer(options: options)
  try await composer.perform(.setText("/poll Lunch? pizza pasta"))
  try await composer.send()
  try await ben.channel("general").send("vote pasta")
  try await ben.channel("general").send("darn it")
} else {
  try await ada.channel("general").send("vote pasta")
}

let running = Task { try await bot.run() }
while try await workspace.consumers().first?.lag != 0 { try await Task.sleep(for: .milliseconds(10)) }
running.cancel()
try await running.value
let messages = try await ada.channel("general").messages().messages
for message in messages.filter({ $0.presence == .present }) {
  print(message.author?.text ?? "the app", "says", message.content.text)
}
await workspace.close()

// Prints:
//   ben says vote pasta
//   bot says Lunch? Write “vote pizza”, for example.
//   bot says pasta: 1
//   bot says A rude message was deleted.
// Prints, run again:
//   ben says vote pasta
//   bot says Lunch? Write “vote pizza”, for example.
//   bot says pasta: 1
//   bot says A rude message was deleted.
//   ada says vote pasta
//   bot says pasta: 2
