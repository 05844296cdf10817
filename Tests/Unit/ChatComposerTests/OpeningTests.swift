// Tests of opening and leaving: kept content, fills from drafts, and interrupted commands.
import Chat
import ChatComposer
import Testing

struct Opening {
  private var draft: Composition {
    var draft = Composition("hi @Ada")
    (draft.mentions, draft.quoted) = ([Mention("ada", at: 3..<7)], "m1")
    return draft
  }

  @Test func `an empty composer is filled with the draft and is untouched`() {
    var desk = Desk()
    #expect(desk.open(with: draft) == [.filled(draft, selection: 7..<7)])
    #expect(desk.content == draft)
    #expect(desk.shown == "hi @Ada|")
    #expect(desk.composer.state == .quote)
    #expect(desk.composer.isOpen && !desk.composer.isTouched)
    desk.move(to: 0)
    #expect(!desk.composer.isTouched)
    #expect(!desk.reducer.canUndo)
    desk.type("x")
    #expect(desk.composer.isTouched)
  }

  @Test func `a composer with content continues with it, whatever the draft is`() {
    let ways: [(inout Desk) -> Void] = [
      { $0.type("mine") }, { $0.act(.quote("m1")) }, { $0.act(.activate("giphy")) },
      { $0.act(.attach(Attachment("a", .link, at: .url("https://a.example")))) },
      { $0.act(.beginEdit(.folded("m2", by: "bo", Message.Content("")))) },
    ]
    for way in ways {
      var desk = Desk(in: .around(.two))
      way(&desk)
      let content = desk.content
      #expect(desk.open(with: draft) == [.opened])
      #expect(desk.content == content)
      #expect(desk.open(with: draft) == [])
    }
  }

  @Test func `white space counts as empty, and an empty draft fills once`() {
    var desk = Desk()
    desk.type(" \n")
    #expect(desk.open(with: Composition(" ")) == [.filled(Composition(" "), selection: 1..<1)])
    // Regression: the composer was filled again each time.
    #expect(desk.open(with: Composition(" ")) == [])
    var other = Desk()
    #expect(other.open() == [.opened])
    #expect(other.open() == [])
    #expect(other.open(with: Composition()) == [])
  }

  @Test func `a command in progress at a restart is interrupted once`() {
    var desk = Desk()
    desk.type("/giphy cats")
    desk.commit(.commandStarted(CommandExecution("e1", of: ComposedCommand("giphy"), arguments: "cats")))
    desk.restart()
    var opened = desk
    opened.commit(.opened)
    #expect(opened.open(with: draft) == [.commandInterrupted("e1")])
    #expect(desk.open(with: draft) == [.commandInterrupted("e1"), .opened])
    #expect(desk.composer.execution == nil)
    #expect(desk.shown == "cats|")
    #expect(desk.open(with: draft) == [])
  }

  @Test func `after a restart everything is restored except the undo history`() {
    var desk = Desk()
    desk.type("one two")
    desk.act(.moveSelection(0..<3))
    let before = desk.composer
    desk.restart()
    #expect(desk.composer == before)
    desk.actInVain(.undo)
    desk.type("x")
    desk.act(.undo)
    #expect(desk.shown == "[one] two")
  }

  @Test func `leaving keeps the content or empties the composer, and collapses the picker`() {
    for keeps in [true, false] {
      var desk = Desk("mine")
      desk.act(.showPicker(.expanded(.media)))
      desk.act(.showCommands(true))
      desk.commit(.left(keepingContent: keeps))
      #expect(desk.content == (keeps ? Composition("mine") : Composition()))
      #expect(desk.composer.picker == .collapsed)
      #expect(!desk.composer.isOpen && !desk.composer.showsCommands)
    }
  }

  @Test func `settings and custom actions are recorded unchanged`() {
    var desk = Desk(thread: "m1")
    #expect(desk.act(.setSilent(true)) == [.silentSet(true)])
    #expect(desk.act(.setShowsInChannel(true)) == [.showsInChannelSet(true)])
    #expect(desk.act(.setExtra(["mood": 1])) == [.extraSet(["mood": 1])])
    #expect(desk.act(.custom("dice", payload: [6])) == [.custom("dice", payload: [6])])
    #expect(desk.act(.custom("dice", payload: [6])) == [.custom("dice", payload: [6])])
  }
}
