// A composer arranged by an app: items removed and moved, other symbols, own buttons, suggestions and states.
import Foundation
import VerbatimUI

// As in iMessage: no commands button, the send button in the input, a camera, and a placeholder for new messages.

var appearance = ComposerAppearance()
appearance.remove(.commands)
appearance.move(.send, to: .input)
appearance.change(.attachments) { $0.icon = "camera.fill" }
appearance.placeholders[.new] = "iMessage"

// A button of the app, and another effect of an existing one.

func pickEmoji() async -> String { "🙂" }

appearance.add(ComposerItem("emoji", label: "Emoji"), to: .trailing) { $0.text += await pickEmoji() }
appearance.onTap(.attachments) { _ in print("the app's picker opens") }

// Other symbols.

var options = ComposerOptions()
options.commands = DefaultCommandsConfig(mentionsSymbol: "👤", instantCommandsSymbol: "⚡️")

// The style of the container of suggestions.

struct Pages: HTMLFactory {
  let context = RenderingContext()
  let actionURL: String? = "/act"

  func makeCommandsContainer(_ list: SuggestionList) -> HTML {
    let items = list.items.map { list.kind == .mentions ? makeUserSuggestion($0) : makeCommandSuggestion($0) }
    return .element("ol", ["style": "border: 1px solid; border-radius: 10px"], items)
  }
}

// Suggestions shown by a view of the app.

@MainActor func showSuggestions(of composer: LiveComposer) {
  guard let list = composer.suggestions else { return }
  print("\(list.kind?.text ?? "") “\(list.query)”: \(list.items.map(\.title))")
}

// No suggestions at all.

var plain = ComposerOptions()
plain.commands = DefaultCommandsConfig(mentionsSymbol: nil, instantCommandsSymbol: nil)

// A state of the app, which keeps the attachments, and its title.

extension ComposerState {
  static var poll: ComposerState { "poll" }
}

extension LiveComposer {
  func writePoll() throws { try perform(.enter(.poll, keeping: [.attachments])) }
}

appearance.titles[.poll] = "A poll"

// The components, named once for all screens of the app.

options.appearance = appearance
let ui = ChatUI(Pages(), composer: options)

// A program that uses them.

let workspace = try Workspace.open(at: NSTemporaryDirectory() + "arranged")
let (ada, ben) = (workspace.client(user: "ada", device: "phone"), workspace.client(user: "ben"))
try await ada.me.create(name: "Ada")
try await ben.me.create(name: "Ben")
try await ada.channel("general").create("team", members: ["ben"])

let chat = try await ui.open(ada.channel("general"))
let shown = chat.composer.presentation
print(shown.placeholder, shown.leading.map(\.id), shown.input.map(\.id), shown.trailing.map(\.id))
try await chat.composer.tap("emoji")
try await chat.composer.tap(.attachments)
chat.composer.text += " 👤b"
while chat.composer.suggestions?.items.isEmpty ?? true { await Task.yield() }
showSuggestions(of: chat.composer)
print(chat.draw().markup.contains("border-radius: 10px"))
try chat.composer.writePoll()
print(chat.composer.presentation.title ?? "", chat.composer.text.isEmpty)
let quiet = try await ada.channel("general").composer(thread: nil, options: plain)
print(quiet === chat.composer)

// Prints:
//   iMessage [attachments] [text, send] [emoji]
//   the app's picker opens
//   mentions “b”: [Ben]
//   true
//   A poll true
//   true
