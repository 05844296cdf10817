// Tests of picking: the resulting text, mentions and caret.
import Chat
import ChatComposer
import Testing

struct Picking {
  @Test func `a picked mention replaces the typed text and adds one space`() {
    var desk = Desk()
    desk.type("hi @mi")
    let events = desk.pick("mike", named: "Mike Morgan")
    #expect(events == [.mentionPicked("mike", Splice(3..<6, to: "@Mike Morgan "), length: 12)])
    #expect(desk.shown == "hi @Mike Morgan |")
    #expect(desk.meant == ["mike: @Mike Morgan"])
    #expect(desk.asked == nil)
  }

  @Test func `a mention moves when a command removes its word before it`() {
    // Regression: the moved mention was treated as a new one, which the command's event cannot carry, and was lost.
    var desk = Desk()
    desk.type("hello @ad")
    desk.pick("ada", named: "Ada")
    desk.move(to: 0)
    desk.type("/giphy ")
    #expect(desk.shown == "|hello @Ada ")
    #expect(desk.content.command == ComposedCommand("giphy"))
    #expect(desk.meant == ["ada: @Ada"])
    desk.act(.backspace)
    #expect(desk.shown == "/giphy| hello @Ada ")
    #expect(desk.meant == ["ada: @Ada"])
    desk.act(.undo)
    desk.act(.undo)
    #expect(desk.meant == ["ada: @Ada"])
  }

  @Test func `a pick changes the minimal range and keeps the mentions after it`() {
    var desk = Desk()
    desk.type("@ad")
    desk.pick("ada", named: "Ada")
    desk.move(to: 0)
    desk.type("@mi ")
    desk.move(to: 3)
    let events = desk.pick("mike", named: "Mike")
    #expect(desk.meant == ["mike: @Mike", "ada: @Ada"])
    #expect(events.first == .mentionPicked("mike", Splice(0..<3, to: "@Mike"), length: 5))
  }

  @Test func `a fully typed name becomes a mention once it is picked`() {
    var desk = Desk("x @Ada y")
    desk.move(to: 6)
    let events = desk.pick("ada", named: "Ada")
    #expect(events.first == .mentionPicked("ada", Splice(2..<6, to: "@Ada"), length: 4))
    #expect(desk.meant == ["ada: @Ada"])
  }

  @Test func `before white space a mention adds no space, and the caret is directly after the name`() {
    for white in [" ", "\n", "\r\n", "\t", "\u{3000}"] {
      var desk = Desk(TypedText("@mi" + white + "there"))
      desk.move(to: 3)
      desk.pick("mike", named: "Mike")
      #expect(desk.shown == "@Mike|" + white + "there")
      #expect(desk.meant == ["mike: @Mike"])
      #expect(desk.asked == nil, "a caret at the end of a mention asks nothing")
    }
  }

  @Test func `picking the active command closes the list and keeps its target`() {
    // Regression: the target was removed, and the list stayed open.
    var desk = Desk()
    desk.act(.activate("mute"))
    desk.act(.target("ada"))
    desk.act(.showCommands(true))
    #expect(desk.pick(command: "mute") == [.commandsShown(false)])
    #expect(desk.content.command == ComposedCommand("mute", target: "ada"))
    desk.act(.showCommands(true))
    desk.pick(command: "ban")
    #expect(desk.content.command == ComposedCommand("ban"))
    #expect(!desk.composer.showsCommands)
  }
}
