// Tests of detection: the text that has a suggestion query, and the text that has none.
import Chat
import ChatComposer
import Testing

/// Returns the query for a text with the caret at `|`; nil if there is none.
private func asked(_ shown: String, _ choose: (inout ComposerOptions) -> Void = { _ in }) -> String? {
  let parts = shown.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
  var desk = Desk(choose)
  desk.act(.setText(parts.joined()))
  desk.move(to: UTF16Offset(rawValue: parts[0].utf16.count))
  return desk.asked
}

struct CommandDetection {
  @Test func `commands are suggested while the caret is within the first word`() {
    #expect(asked("/|") == "")
    #expect(asked("/gi|") == "gi")
    #expect(asked("/|gi") == "gi")
    #expect(asked("/gi| cats") == "gi")
    #expect(asked("|/gi") == nil)
    #expect(asked("/gi c|ats") == nil)
    #expect(asked(" /gi|") == nil)
    #expect(asked("x/gi|") == nil)
    #expect(asked("\n/gi|") == nil)
  }

  @Test func `a selection has no query`() {
    var desk = Desk("/gi")
    desk.act(.moveSelection(1..<3))
    #expect(desk.asked == nil)
  }

  @Test func `the list of all commands is shown without typing, whatever is selected`() {
    // Regression: the list was not shown while there was a selection.
    var desk = Desk("some text")
    desk.act(.moveSelection(0..<4))
    desk.act(.showCommands(true))
    #expect(desk.asked == "")
    desk.type("x")
    #expect(!desk.composer.showsCommands)
    #expect(desk.asked == nil)
  }

  @Test func `an edit activates and lists no command`() {
    // Regression: the list of all commands was shown, and picking from it activated a command in the edit.
    var desk = Desk(in: .around(.two))
    desk.act(.showCommands(true))
    desk.act(.beginEdit(.two))
    #expect(desk.asked == nil)
    desk.act(.showCommands(false))
    desk.actRefused(.showCommands(true), .noCommandInEdit)
    desk.act(.setText("/gi"))
    #expect(desk.asked == nil)
    desk.act(.setText("@ad"))
    #expect(desk.asked == "ad")
  }

  @Test func `a mention within a word that starts with the command symbol is detected`() {
    // Regression: the command word hid the mention although no command could be activated.
    var desk = Desk(in: .around(.two))
    desk.act(.beginEdit(.two))
    desk.act(.setText("/(@ad"))
    #expect(desk.asked == "ad")
  }

  @Test func `an unknown active command suggests nothing`() {
    var desk = Desk()
    desk.commit(.commandActivated(ComposedCommand("gone"), nil))
    #expect(desk.asked == nil)
    desk.type("@ad")
    #expect(desk.asked == "ad")
    desk.move(to: 0)
    desk.act(.backspace)
    #expect(desk.content.command == nil)
  }
}

struct MentionDetection {
  @Test func `a mention starts at the start, or after white space or opening punctuation`() {
    for before in ["", " ", "x ", "\n", "\t", "\r\n", "\u{A0}", "\u{3000}", "(", "[", "{", "„", "«", "“", "\u{300C}"] {
      #expect(asked(before + "@mi|") == "mi", "behind “\(before)”")
    }
    for before in ["a", "1", ".", ")", "é", "日", "🙂", "\u{301}", "-", "_"] {
      #expect(asked(before + "@mi|") == nil, "behind “\(before)”")
    }
  }

  @Test func `an e-mail address is not a mention`() {
    #expect(asked("a@b|") == nil)
    #expect(asked("write to a@example.org| soon") == nil)
    #expect(asked("@mike a@b|") == "mike a@b")
  }

  @Test func `a name can contain spaces and ends with its line`() {
    #expect(asked("@Mike mor|") == "Mike mor")
    #expect(asked("@Mike | mor") == "Mike ")
    for end in ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}", "\u{85}", "\u{0B}", "\u{0C}"] {
      #expect(asked("@Mike\(end)mor|") == nil)
    }
  }

  @Test func `the nearest symbol before the caret is used`() {
    #expect(asked("@ada @mi|") == "mi")
    #expect(asked("@a|da @mi") == "a")
    #expect(asked("@ada| @mi") == "ada")
    #expect(asked("|@ada") == nil)
    #expect(asked("no one|") == nil)
    #expect(asked("@|") == "")
  }

  @Test func `the search for a symbol is limited to the maximum name length`() {
    let long = String(repeating: "x", count: 511)
    #expect(asked("@\(long)|") == long)
    #expect(asked("@\(long)x|") == nil)
  }

  @Test func `an existing mention has no query`() {
    var desk = Desk()
    desk.type("@ad")
    desk.pick("ada", named: "Ada")
    for place in 0...5 as ClosedRange<Int> {
      desk.move(to: UTF16Offset(rawValue: place))
      #expect(desk.asked == nil)
    }
    desk.type("and @")
    #expect(desk.asked == "")
    desk.type("mi")
    #expect(desk.asked == "mi")
  }

  @Test func `after a mention that is the command's target, another mention is detected`() {
    // Regression: the mention at the start hid all others while the command had no target.
    var desk = Desk("@ad")
    desk.pick("ada", named: "Ada")
    desk.act(.activate("ban"))
    desk.type("because of @mi")
    #expect(desk.asked == "mi")
    desk.pick("mike", named: "Mike")
    #expect(desk.shown == "@Ada because of @Mike |")
    #expect(desk.meant == ["ada: @Ada", "mike: @Mike"])
    #expect(desk.content.command == ComposedCommand("ban"))
  }

  @Test func `a target is queried with or without the symbol, up to the end of the line`() {
    var desk = Desk()
    desk.type("/mute ")
    #expect(desk.asked == "")
    desk.type("mi")
    #expect(desk.asked == "mi")
    desk.act(.setText("@Mike mor"))
    #expect(desk.asked == "Mike mor")
    for end in ["\n", "\r", "\r\n", "\u{2028}", "\u{85}"] {
      desk.act(.setText("mi\(end)"))
      #expect(desk.asked == nil)
    }
  }
}

struct Symbols {
  @Test(arguments: ["👤", "⚡️", "#", "::", "@@", "\u{5E9}"])
  func `any text can be a symbol`(symbol: String) {
    let mentions = { (options: inout ComposerOptions) in
      options.commands = DefaultCommandsConfig(mentionsSymbol: symbol)
    }
    #expect(asked("\(symbol)mi|", mentions) == "mi")
    #expect(asked("hi \(symbol)mi|", mentions) == "mi")
    #expect(asked("hi \(symbol)|", mentions) == "")
    #expect(asked("x\(symbol)mi|", mentions) == nil)
    #expect(asked("@mi|", mentions) == nil)
    var desk = Desk(mentions)
    desk.type("hi \(symbol)mi")
    desk.pick("mike", named: "Mike")
    #expect(desk.shown == "hi \(symbol)Mike |")
    #expect(desk.meant == ["mike: \(symbol)Mike"])
    let commands = { (options: inout ComposerOptions) in
      options.commands = DefaultCommandsConfig(instantCommandsSymbol: symbol)
    }
    #expect(asked("\(symbol)gi|", commands) == "gi")
    #expect(asked("/gi|", commands) == nil)
    var other = Desk(commands)
    other.type("\(symbol)giphy ")
    #expect(other.content.command == ComposedCommand("giphy"))
    other.act(.backspace)
    #expect(other.shown == "\(symbol)giphy|")
  }

  @Test func `each kind can be disabled`() {
    let none = { (options: inout ComposerOptions) in
      options.commands = DefaultCommandsConfig(mentionsSymbol: nil, instantCommandsSymbol: nil)
    }
    #expect(asked("@mi|", none) == nil)
    #expect(asked("/gi|", none) == nil)
    var desk = Desk(none)
    desk.type("/giphy ")
    #expect(desk.content.command == nil)
    desk.act(.showCommands(true))
    #expect(desk.asked == "")
    desk.act(.activate("mute"))
    desk.act(.setText("mi"))
    #expect(desk.asked == "mi", "a command that was made active asks for its user all the same")
  }

  @Test func `an app replaces the detection of the word being typed`() {
    let word = { @Sendable (text: TypedText, caret: UTF16Offset) -> TypingSuggestion? in
      guard text.units.last == 0x21 else { return nil }
      return TypingSuggestion("own", at: .start..<caret)
    }
    for isOfMentions in [true, false] {
      let desk = { () -> Desk in
        var desk = Desk { options in
          options.commands = Handlers { _ in
            isOfMentions
              ? [MentionsCommandHandler(typingMention: word)]
              : [InstantCommandsHandler(commands: DefaultCommandsConfig.readyMade, typingCommand: word)]
          }
        }
        desk.type("@mi /gi!")
        return desk
      }
      var own = desk()
      #expect(own.asked == "own")
      own.act(.backspace)
      #expect(own.asked == nil)
      own = desk()
      if isOfMentions { own.pick("mike", named: "Mike") } else { own.pick(command: "giphy") }
      #expect(own.shown == (isOfMentions ? "@Mike |" : "|"))
    }
  }
}

/// The handlers of a test.
struct Handlers: CommandsConfig {
  var mentionsSymbol: String? { "@" }
  var instantCommandsSymbol: String? { "/" }
  let make: @Sendable (Channel.ID) -> [any CommandHandler]

  func makeCommandsHandler(for context: CommandsContext) -> CommandsHandler {
    CommandsHandler(commands: make(context.channel))
  }
}
