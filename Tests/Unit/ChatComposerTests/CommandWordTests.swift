// Tests of command words: activation, restoring the word, and the remaining text.
import Chat
import ChatComposer
import Testing

struct CommandWords {
  @Test func `a full word and a space activate a command, as picking it does`() {
    for how in [{ $0.type("/giphy ") }, { $0.act(.paste("/giphy ")) }, { $0.act(.setText("/GIPHY ")) }]
      as [(inout Desk) -> Void]
    {
      var desk = Desk()
      how(&desk)
      #expect(desk.content.command == ComposedCommand("giphy"))
      #expect(desk.shown == "|")
    }
    var picked = Desk()
    picked.type("/gi")
    picked.pick(command: "giphy")
    #expect(picked.content.command == ComposedCommand("giphy"))
    #expect(picked.shown == "|")
  }

  @Test func `text after the word stays as arguments, with the caret unchanged`() {
    var desk = Desk()
    desk.act(.paste("/giphy waving cats"))
    #expect(desk.shown == "waving cats|")
    desk = Desk()
    desk.type("cats")
    desk.move(to: 0)
    desk.type("/giphy ")
    #expect(desk.shown == "|cats")
    desk = Desk("/gi cats")
    desk.move(to: 3)
    desk.pick(command: "giphy")
    #expect(desk.shown == "|cats")
  }

  @Test func `a word turned back into text stays text while other text is typed`() {
    var desk = Desk()
    desk.type("/giphy cats")
    desk.move(to: 0)
    desk.act(.backspace)
    #expect(desk.shown == "/giphy| cats")
    desk.move(to: 11)
    desk.type("!")
    #expect(desk.shown == "/giphy cats!|")
    #expect(desk.content.command == nil)
  }

  @Test func `a longer word, or one not at the start, activates no command`() {
    for text in ["/giphyfoo ", " /giphy ", "x/giphy ", "/ giphy ", "//giphy ", "/giphy", "/giph\u{131} "] {
      var desk = Desk()
      desk.type(text)
      #expect(desk.content.command == nil, "\(text)")
      #expect(desk.shown == text + "|")
    }
  }

  @Test(arguments: ["/", "/\n", "/ ", "/\r\n", "/\u{2028}x", "/unheard of", "//", "/@", "@", "/\u{301} "])
  func `text that names no command stays text`(text: String) {
    for isTyped in [true, false] {
      var desk = Desk()
      if isTyped { desk.type(text) } else { desk.act(.paste(text)) }
      #expect(desk.content.command == nil)
      #expect(desk.content.text == TypedText(text))
      _ = desk.asked
      #expect(desk.reducer.hasContent)
    }
  }

  @Test(arguments: [" ", "\t", "\n", "\u{A0}", "\u{2003}", "\u{3000}", "\u{85}"])
  func `any white space ends a command's word`(white: String) {
    var desk = Desk()
    desk.type("/mute" + white)
    #expect(desk.content.command == ComposedCommand("mute"))
    #expect(desk.shown == "|")
  }

  @Test func `CR LF after a command's word is removed as one`() {
    // Regression: CR was removed with the word, and LF stayed at the start of the text.
    let ways: [(inout Desk) -> Void] = [
      { $0.act(.setText("/giphy\r\ncats")) }, { $0.act(.activate("giphy")) },
      {
        $0.move(to: 3)
        $0.pick(command: "giphy")
      },
    ]
    for way in ways {
      var desk = Desk("/gi\r\ncats")
      way(&desk)
      #expect(desk.content.text == "cats")
      #expect(desk.content.command == ComposedCommand("giphy"))
    }
  }

  @Test func `at the start of the text, backspace restores a command's word`() {
    var desk = Desk()
    desk.type("/giphy ")
    desk.act(.backspace)
    #expect(desk.content.command == nil)
    #expect(desk.shown == "/giphy|")
    desk.type(" ")
    #expect(desk.content.command == ComposedCommand("giphy"))
    desk.type("cats")
    desk.move(to: 0)
    desk.act(.backspace)
    #expect(desk.shown == "/giphy| cats")
    #expect(desk.content.command == nil)
  }

  @Test func `backspace removes the command's target first, and undo restores it`() {
    // Regression: it was not an undo step, so that undo reverted the change before it.
    var desk = Desk()
    desk.type("/mute @ad")
    desk.pick("ada", named: "Ada")
    #expect(desk.content.command == ComposedCommand("mute", target: "ada"))
    #expect(desk.shown == "|")
    #expect(desk.act(.backspace) == [.commandTargeted(nil)])
    #expect(desk.content.command == ComposedCommand("mute"))
    desk.act(.undo)
    #expect(desk.content.command == ComposedCommand("mute", target: "ada"))
    desk.act(.redo)
    desk.act(.backspace)
    #expect(desk.shown == "/mute|")
    #expect(desk.content.command == nil)
  }

  @Test func `clearing a command of a composer without a symbol restores no text`() {
    // Regression: it restored a space, since it had no word.
    var desk = Desk { $0.commands = DefaultCommandsConfig(instantCommandsSymbol: nil) }
    desk.type("cats")
    desk.act(.activate("giphy"))
    desk.move(to: 0)
    desk.act(.backspace)
    #expect(desk.content.command == nil)
    #expect(desk.shown == "|cats")
  }

  @Test func `activating a command removes only its own typed word`() {
    // Regression: it removed the first word of any text that starts with a slash.
    for (text, shown) in [
      ("/usr/bo is mine", "/usr/bo is mine|"), ("/gi", "|"), ("/ cats", "cats|"), ("/Gip cats", "cats|"),
      ("/mute", "/mute|"), ("hi", "hi|"),
    ] as [(TypedText, String)] {
      var desk = Desk(text)
      desk.act(.activate("giphy"))
      #expect(desk.shown == shown)
      #expect(desk.content.command == ComposedCommand("giphy"))
      desk.act(.undo)
      #expect(desk.content.text == text)
      #expect(desk.content.command == nil)
      // Picking from the list of all commands has the same effect.
      var other = Desk(text)
      other.act(.showCommands(true))
      #expect(other.asked == "")
      other.pick(command: "giphy")
      #expect(other.shown == shown)
      #expect(!other.composer.showsCommands)
    }
  }

  @Test func `the selection is kept when a command is activated or cleared`() {
    var desk = Desk("one two")
    desk.act(.moveSelection(4..<7))
    #expect(desk.act(.activate("giphy")) == [.commandActivated(ComposedCommand("giphy"), nil)])
    #expect(desk.act(.clearCommand) == [.commandCleared(nil)])
    #expect(desk.shown == "one [two]")
  }

  @Test func `a mention replaced by its own text is no longer a mention`() {
    var desk = Desk()
    desk.type("@ad")
    desk.pick("ada", named: "Ada")
    desk.act(.moveSelection(0..<4))
    desk.act(.paste("/giphy @Ada"))
    #expect(desk.shown == "@Ada| ")
    #expect(desk.meant == [])
    desk.act(.undo)
    #expect(desk.shown == "[@Ada] ")
    #expect(desk.meant == ["ada: @Ada"])
  }

  @Test func `a command action whose effect already holds is a no-op`() {
    var desk = Desk()
    desk.actInVain(.clearCommand)
    desk.actInVain(.target("ada"))
    desk.actInVain(.target(nil))
    desk.actInVain(.backspace)
    desk.actInVain(.showCommands(false))
    desk.act(.activate("mute"))
    desk.actInVain(.activate("mute"))
    desk.actInVain(.target(nil))
    desk.act(.target("ada"))
    desk.actInVain(.target("ada"))
    desk.act(.showCommands(true))
    #expect(desk.act(.activate("mute")) == [.commandsShown(false)])
  }

  @Test func `an unknown command is refused`() {
    var composerContext = ComposerContext()
    (composerContext.config.commands, composerContext.capabilities) = (["giphy", "ban"], [.read, .send])
    var desk = Desk(in: composerContext)
    for id in ["mute", "ban", "unheard"] as [ComposedCommand.ID] {
      desk.actRefused(.activate(id), .unknownCommand(UserText(id.text)))
      desk.act(.setText("/\(id) "))
      #expect(desk.content.command == nil)
    }
    desk.act(.activate("giphy"))
  }

  @Test func `during an execution or an edit no word activates a command`() {
    var busy = Desk()
    busy.type("/giphy cats")
    busy.commit(.commandStarted(CommandExecution("e1", of: ComposedCommand("giphy"), arguments: "cats")))
    busy.commit(.cleared(keeping: nil))
    busy.type("/mute ")
    #expect(busy.content.command == nil)
    #expect(busy.shown == "/mute |")
    var edit = Desk(in: .around(.two))
    edit.act(.beginEdit(.two))
    edit.actRefused(.activate("giphy"), .noCommandInEdit)
    edit.act(.setText("/giphy "))
    #expect(edit.content.command == nil)
    edit.move(to: 3)
    #expect(edit.asked == nil)
  }
}
