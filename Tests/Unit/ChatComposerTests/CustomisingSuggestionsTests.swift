// Tests of custom suggestions: other symbols, other kinds, none.
import Chat
import ChatComposer
import Testing

@MainActor
struct CustomisingSuggestions {
  @Test func `custom symbols start mentions and commands`() async throws {
    let room = try await Room {
      $0.commands = DefaultCommandsConfig(mentionsSymbol: "👤", instantCommandsSymbol: "⚡️")
    }
    try room.type("Hi 👤cl")
    #expect(await room.suggested() == ["cleo"])
    try await room.pick()
    #expect(room.text == "Hi 👤Cleo Moreau ")
    #expect(room.content.mentions == [Mention("cleo", at: 3..<16)])
    try room.composer.perform(.clear)
    try room.type("⚡️mu")
    #expect(await room.suggested() == ["mute", "unmute"])
    try room.type("te ")
    #expect(room.content.command?.id == "mute")
    try room.type("👤bo")
    #expect(try await room.composer.send() == .command("mute"))
    #expect(room.chat.state[Mute.Key(by: "ada", of: .user("bo"))] != nil)
  }

  @Test func `symbols that an app does not use are plain text`() async throws {
    let room = try await Room {
      $0.commands = DefaultCommandsConfig(mentionsSymbol: "👤", instantCommandsSymbol: "⚡️")
    }
    try room.type("@bo")
    #expect(room.composer.suggestions == nil)
    try room.composer.perform(.setText("/mute @bo"))
    #expect(room.composer.suggestions == nil)
    #expect(try await room.composer.send() == .message("id2"))
  }

  @Test func `an app suggests a custom kind and inserts the picked value`() async throws {
    let room = try await Room { $0.commands = WithEmoji() }
    try room.type("nice :thu")
    #expect(await room.suggested() == ["thumbsup", "thumbsdown"])
    let list = try #require(room.composer.suggestions)
    #expect((list.kind, list.query, list.range) == ("emoji", "thu", 5..<9))
    try await room.pick("thumbsup")
    #expect(room.text == "nice 👍")
    #expect(room.composer.composer.selection == 7..<7)
    #expect(room.composer.suggestions == nil)
    try room.composer.perform(.undo)
    #expect(room.text == "nice :thu")
  }

  @Test func `suggestions have the values of their kind and of no other`() async throws {
    let room = try await Room { $0.commands = WithEmoji() }
    try room.type("nice :thu")
    _ = await room.suggested()
    let list = try #require(room.composer.suggestions)
    #expect(list.values(for: .emoji)?.map(\.picture) == ["👍", "👎"])
    #expect(list.values(for: .mentions) == nil && list.values(for: SuggestionKey<String>("emoji")) == [])
    try room.composer.perform(.setText("@c"))
    _ = await room.suggested()
    #expect(room.composer.suggestions?.values(for: .mentions)?.map(\.id) == ["cleo"])
    try room.composer.perform(.setText("/ba"))
    _ = await room.suggested()
    #expect(room.composer.suggestions?.values(for: .instantCommands)?.map(\.word) == ["/ban", "/unban"])
  }

  @Test func `a view picks a value that was not offered`() async throws {
    let room = try await Room { $0.commands = WithEmoji() }
    try room.type("nice :thu")
    _ = await room.suggested()
    try room.composer.pick(.custom(Emoji(name: "heart", picture: "❤️"), for: .emoji))
    #expect(room.text == "nice ❤️")
    // A value of another kind is not one of this handler.
    try room.type(" :s")
    _ = await room.suggested()
    try room.composer.pick(.custom("❤️", for: SuggestionKey<String>("emoji")))
    #expect(room.text == "nice ❤️ :s")
    try room.composer.perform(.setText("@"))
    _ = await room.suggested()
    try room.composer.pick(.chatUser("ada", name: "Ada"))
    #expect(room.text == "@Ada ")
    #expect(room.content.mentions.map(\.user) == ["ada"])
    let before = room.composer.composer
    #expect(throws: ComposerError.self) { try room.composer.pick(.chatUser("bo", name: "Bo")) }
    #expect(room.composer.composer == before)
  }

  @Test func `users and commands are suggested beside a custom kind`() async throws {
    let room = try await Room { $0.commands = WithEmoji() }
    try room.type("@bo")
    #expect(await room.suggested() == ["bo"])
    try room.composer.perform(.setText("/gi"))
    #expect(await room.suggested() == ["giphy"])
  }

  @Test(arguments: [(nil, "/"), ("@", nil), (nil, nil)] as [(String?, String?)])
  func `each kind of suggestions can be disabled`(mentions: String?, commands: String?) async throws {
    let room = try await Room {
      $0.commands = DefaultCommandsConfig(mentionsSymbol: mentions, instantCommandsSymbol: commands)
    }
    try room.type("@bo")
    #expect(await room.suggested() == (mentions == nil ? [] : ["bo"]))
    try room.composer.perform(.setText("/giph"))
    #expect(await room.suggested() == (commands == nil ? [] : ["giphy"]))
    try room.composer.perform(.setText("@bo"))
    try await room.composer.send()
    #expect(room.said.map(\.text) == ["@bo"])
  }

  @Test func `a detection that finds nothing suggests nothing`() async throws {
    let room = try await Room { $0.commands = Detecting(mention: { _, _ in nil }, command: { _, _ in nil }) }
    for text in ["@bo", "/mut", "/", "@"] {
      try room.composer.perform(.setText(text))
      #expect(room.composer.suggestions == nil)
    }
  }

  @Test func `a custom detection decides which text is a name or a command`() async throws {
    // A name is any text after a bracket; a command is a text of one word.
    let room = try await Room {
      $0.commands = Detecting(
        mention: { text, caret in
          let typed = text.userText(of: .start..<caret).string
          guard let place = typed.lastIndex(of: "[") else { return nil }
          let start = UTF16Offset(rawValue: typed.utf16.distance(from: typed.startIndex, to: place))
          return TypingSuggestion(UserText(String(typed[place...].dropFirst())), at: start..<caret)
        },
        command: { text, caret in
          let isWord = !text.userText.string.contains { $0.isWhitespace }
          return isWord && caret == text.end ? TypingSuggestion(text.userText, at: .start..<caret) : nil
        })
    }
    try room.type("gip")
    #expect(await room.suggested() == ["giphy"])
    try await room.pick()
    #expect((room.content.command?.id, room.text) == ("giphy", ""))
    try room.composer.perform(.clearCommand)
    try room.type("Hi [cl")
    #expect(await room.suggested() == ["cleo"])
    try await room.pick()
    #expect(room.text == "Hi @Cleo Moreau ")
    #expect(room.content.mentions == [Mention("cleo", at: 3..<15)])
  }

  @Test func `two handlers of users with two symbols are each used for their own symbol`() async throws {
    let room = try await Room { $0.commands = TwoSymbols() }
    try room.type("ask +cl")
    #expect(await room.suggested() == ["cleo"])
    try await room.pick()
    #expect(room.text == "ask +Cleo Moreau ")
  }
}

// MARK: Suggestions of the app's

/// A configuration that adds emoji after a colon to the default handlers.
private struct WithEmoji: CommandsConfig {
  let mentionsSymbol: String? = "@"
  let instantCommandsSymbol: String? = "/"

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    let standing = DefaultCommandsConfig().makeCommandsHandler(for: context)
    return CommandsHandler(commands: [EmojiHandler()] + standing.commands)
  }
}

/// A value of the app's own type.
private struct Emoji: Hashable, Sendable {
  let name: UserText
  let picture: UserText
}

extension SuggestionKey where Value == Emoji {
  fileprivate static var emoji: Self { Self("emoji") }
}

private struct EmojiHandler: CommandHandler {
  let id: ComposedCommand.ID = "emoji"
  private let all = [
    Emoji(name: "smile", picture: "😀"), Emoji(name: "thumbsup", picture: "👍"),
    Emoji(name: "thumbsdown", picture: "👎"),
  ]

  func canHandleCommand(in text: TypedText, caretLocation: UTF16Offset) -> ComposerCommand? {
    let typed = text.userText(of: .start..<caretLocation).string
    guard let place = typed.lastIndex(of: ":"), !typed[place...].contains(where: \.isWhitespace) else { return nil }
    let start = UTF16Offset(rawValue: typed.utf16.distance(from: typed.startIndex, to: place))
    let typing = TypingSuggestion(UserText(String(typed[place...].dropFirst())), at: start..<caretLocation)
    return typing.text.isEmpty ? nil : ComposerCommand(id, typing: typing)
  }

  func suggestions(for command: ComposerCommand, in context: SuggestionContext) async throws -> SuggestionInfo {
    let typed = command.typingSuggestion?.text.string ?? ""
    let found = all.filter { $0.name.string.hasPrefix(typed) }
    return SuggestionInfo(.emoji, found) { Suggestion($0.name, title: $0.picture) }
  }

  func handleCommand(_ command: ComposerCommand, picked answer: SuggestionValue, in content: inout CommandContent) {
    guard let emoji = answer[.emoji], let range = command.typingSuggestion?.range else { return }
    content.replace(range, with: emoji.picture)
  }
}

/// The default handlers with detection functions given by a test.
private struct Detecting: CommandsConfig {
  let mentionsSymbol: String? = "@"
  let instantCommandsSymbol: String? = "/"
  let mention: @Sendable (TypedText, UTF16Offset) -> TypingSuggestion?
  let command: @Sendable (TypedText, UTF16Offset) -> TypingSuggestion?

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    CommandsHandler(commands: [
      MentionsCommandHandler(typingMention: mention),
      InstantCommandsHandler(commands: [GiphyCommandHandler()], typingCommand: command),
    ])
  }
}

/// A configuration of two handlers of users with different symbols and the same id.
private struct TwoSymbols: CommandsConfig {
  let mentionsSymbol: String? = "@"
  let instantCommandsSymbol: String?

  init() { instantCommandsSymbol = nil }

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    CommandsHandler(commands: [MentionsCommandHandler(), MentionsCommandHandler(commandSymbol: "+")])
  }
}
