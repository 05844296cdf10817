// Commands of an app: other symbols, another choice and order, a command of its own, and its own list of suggestions.
import Foundation
import VerbatimUI

// The commands, their order and their symbols.

struct OurCommands: CommandsConfig {
  let mentionsSymbol: String? = "@"
  let instantCommandsSymbol: String? = "/"

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    let instant: [any CommandHandler] = [GiphyCommandHandler(), HushCommand(), UnmuteCommandHandler()]
    return CommandsHandler(commands: [
      MentionsCommandHandler(mentionAllAppUsers: false), InstantCommandsHandler(commands: instant),
    ])
  }
}

// A command with a target user, which is picked in the second step; without `displayInfo` it could only be typed.

struct HushCommand: TwoStepMentionCommand {
  let id: ComposedCommand.ID = "/hush"
  let displayInfo: CommandDisplayInfo? = CommandDisplayInfo(
    displayName: "Hush", icon: "mute", arguments: [.username], isInstant: true)

  func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    CommandOutcome([.mute(Mute.Key(by: context.composer.user, of: .user(user)), .begin(.endless))])
  }
}

// The same, but the message is sent as well.

struct LoudHushCommand: TwoStepMentionCommand {
  let id: ComposedCommand.ID = "/loudhush"
  let replacesMessageSent = false

  func execute(
    _ command: ComposerCommand, on user: User.ID, in context: ExecutionContext
  ) async throws -> CommandOutcome {
    try await HushCommand().execute(command, on: user, in: context)
  }
}

// The container of the suggestions, by their kind. Each item carries its pick.

struct Pages: HTMLFactory {
  let context = RenderingContext()
  let actionURL: String? = "/act"

  func makeCommandsContainer(_ list: SuggestionList) -> HTML {
    switch list.kind {
    case .mentions?: .element("ol", ["class": "people"], list.items.map { makeUserSuggestion($0) })
    case .instantCommands?: .element("ol", ["class": "commands"], list.items.map { makeCommandSuggestion($0) })
    default: HTML()
    }
  }
}

// The factory and the configuration, named once for all screens of the app.

var options = ComposerOptions()
options.commands = OurCommands()
let ui = ChatUI(Pages(), composer: options)

// A program that uses them.

let workspace = try Workspace.open(at: NSTemporaryDirectory() + "commands")
let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben"))
try await ada.me.create(name: "Ada")
try await ben.me.create(name: "Ben")
try await ada.channel("general").create("team", members: ["ben"])

let chat = try await ui.open(ada.channel("general"))
chat.composer.text = "/"
while chat.composer.suggestions?.isLoading ?? true { await Task.yield() }
for command in chat.composer.suggestions?.values(for: .instantCommands) ?? [] {
  print(command.displayInfo.displayName, command.format)
}
try await chat.composer.pick(.instantCommand("/hush"))
chat.composer.text = "@b"
while chat.composer.suggestions?.values(for: .mentions)?.isEmpty ?? true { await Task.yield() }
print(chat.draw().markup.contains("<ol class=\"people\">") ? "people are drawn by the app" : "")
for user in chat.composer.suggestions?.values(for: .mentions) ?? [] { try await chat.composer.pick(.chatUser(user)) }
print(try await chat.composer.send())
print(try await ada.me.mutes().count, "muted")

// Prints:
//   Giphy /giphy [text]
//   Hush /hush [@username]
//   Unmute /unmute [@username]
//   people are drawn by the app
//   command(/hush)
//   1 muted
