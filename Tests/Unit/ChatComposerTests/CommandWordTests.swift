// Commands by their words: what makes one active, what gives its word back, and what of the text stays.
import Chat
import ChatComposer
import Testing

struct CommandWords {
  @Test func `a full word and a space make a command active, as picking it does`() {
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

  @Test func `what followed the word stays as arguments, with the caret where it was`() {
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

  @Test func `a word that was made text again stays text while something else is written`() {
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

  @Test func `a word that is longer, or not at the start, is not a command's`() {
    for text in ["/giphyfoo ", " /giphy ", "x/giphy ", "/ giphy ", "//giphy ", "/giphy", "/giph\u{131} "] {
      var desk = Desk()
      desk.type(text)
      #expect(desk.content.command == nil, "\(text)")
      #expect(desk.shown == text + "|")
    }
  }

  @Test(arguments: ["/", "/\n", "/ ", "/\r\n", "/\u{2028}x", "/unheard of", "//", "/@", "@", "/\u{301} "])
  func `text that names no command is text`(text: String) {
    for isTyped in [true, false] {
      var desk = Desk()
      if isTyped { desk.type(text) } else { desk.act(.paste(TypedText(UserText(text)))) }
      #expect(desk.content.command == nil)
      #expect(desk.content.text == TypedText(UserText(text)))
      _ = desk.asked
      #expect(desk.composing.hasContent)
    }
  }

  @Test(arguments: [" ", "\t", "\n", "\u{A0}", "\u{2003}", "\u{3000}", "\u{85}"])
  func `any white space ends a command's word`(white: String) {
    var desk = Desk()
    desk.type("/mute" + white)
    #expect(desk.content.command == ComposedCommand("mute"))
    #expect(desk.shown == "|")
  }

  @Test func `a line's end of two units ends a command's word as one`() {
    // The first unit went with the word, and the other stayed behind at the start of the text.
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

  @Test func `at the start of the text, backspace gives a command's word back`() {
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

  @Test func `backspace takes the command's user away first, and undoing brings them back`() {
    // It was no step of undoing: undoing took back what was done before.
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

  @Test func `a command of a composer without a symbol goes without a trace`() {
    // It gave back a space, for it had no word.
    var desk = Desk { $0.commands = DefaultCommandsConfig(instantCommandsSymbol: nil) }
    desk.type("cats")
    desk.act(.activate("giphy"))
    desk.move(to: 0)
    desk.act(.backspace)
    #expect(desk.content.command == nil)
    #expect(desk.shown == "|cats")
  }

  @Test func `a button takes out only what was typed of the command's own word`() {
    // It took out the first word of any text with a slash before it.
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
      // Picked from the list of all, it is the same.
      var other = Desk(text)
      other.act(.showCommands(true))
      #expect(other.asked == "")
      other.pick(command: "giphy")
      #expect(other.shown == shown)
      #expect(!other.composer.showsCommands)
    }
  }

  @Test func `what is selected stays so when a command comes or goes`() {
    var desk = Desk("one two")
    desk.act(.moveSelection(4..<7))
    #expect(desk.act(.activate("giphy")) == [.commandActivated(ComposedCommand("giphy"), nil)])
    #expect(desk.act(.clearCommand) == [.commandCleared(nil)])
    #expect(desk.shown == "one [two]")
  }

  @Test func `a mention that is pasted over with its own text is one no more`() {
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

  @Test func `what holds already is no action`() {
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

  @Test func `a command that is not there is refused`() {
    var composerContext = ComposerContext()
    (composerContext.config.commands, composerContext.capabilities) = (["giphy", "ban"], [.read, .send])
    var desk = Desk(in: composerContext)
    for id in ["mute", "ban", "unheard"] as [ComposedCommand.ID] {
      desk.actRefused(.activate(id), .unknownCommand(UserText(id.text)))
      desk.act(.setText(TypedText(UserText("/\(id) "))))
      #expect(desk.content.command == nil)
    }
    desk.act(.activate("giphy"))
  }

  @Test func `while a command is at work or a message is edited, no word makes one active`() {
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
