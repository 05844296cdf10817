// Picking: what stands in the text then, for whom, and where the caret is.
import Chat
import ChatComposer
import Testing

struct Picking {
  @Test func `a mention takes the place of what was typed, with one space behind it`() {
    var desk = Desk()
    desk.type("hi @mi")
    let events = desk.pick("mike", named: "Mike Morgan")
    #expect(events == [.mentionPicked("mike", Splice(3..<6, to: "@Mike Morgan "), length: 12)])
    #expect(desk.shown == "hi @Mike Morgan |")
    #expect(desk.meant == ["mike: @Mike Morgan"])
    #expect(desk.asked == nil)
  }

  @Test func `a mention moves when a command takes its word out before it`() {
    // It was taken for a new one, and the event of the command does not carry any: nobody was mentioned any more.
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

  @Test func `a pick changes what it must, and not the mentions behind it`() {
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

  @Test func `a name that was typed out is meant once it is picked`() {
    var desk = Desk("x @Ada y")
    desk.move(to: 6)
    let events = desk.pick("ada", named: "Ada")
    #expect(events.first == .mentionPicked("ada", Splice(2..<6, to: "@Ada"), length: 4))
    #expect(desk.meant == ["ada: @Ada"])
  }

  @Test func `before white space a mention gets no space, and the caret stands directly behind the name`() {
    for white in [" ", "\n", "\r\n", "\t", "\u{3000}"] {
      var desk = Desk(TypedText(UserText("@mi" + white + "there")))
      desk.move(to: 3)
      desk.pick("mike", named: "Mike")
      #expect(desk.shown == "@Mike|" + white + "there")
      #expect(desk.meant == ["mike: @Mike"])
      #expect(desk.asked == nil, "a caret at the end of a mention asks nothing")
    }
  }

  @Test func `picking the command that is active closes the list, and keeps its user`() {
    // The user was taken away, and the list stayed.
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
