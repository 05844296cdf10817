// Tests of commands in a composer: activated, targeted, cleared, and executed exactly once.
import Chat
import Testing

struct ComposerCommands {
  private let mute = ComposedCommand("mute")
  private let execution = CommandExecution("e1", of: ComposedCommand("mute", target: "ada"), arguments: "8h")
  private var running: Scene { Scene.general.composing(.type("8h"), .commandStarted(execution)) }

  @Test func `a picked command removes its name from the text and keeps the rest`() {
    let scene = Scene.general.composing(
      .commandsShown(true), .type("/mu 8h"), .commandActivated(mute, Splice(0..<4, to: "")))
    #expect(scene.composer.text == "8h")
    #expect(scene.composer.content.command == mute)
    #expect(!scene.composer.showsCommands)
  }

  @Test func `a command is given a target user, and loses it again`() {
    let scene = Scene.general.composing(.commandActivated(mute, nil), .commandTargeted("ada"))
    #expect(scene.composer.content.command == ComposedCommand("mute", target: "ada"))
    #expect(scene.composing(.commandTargeted(nil)).composer.content.command == mute)
  }

  @Test func `without a command there is no target`() {
    #expect(Scene.general.composing(.commandTargeted("ada")).composer.content == Composition())
  }

  @Test func `another command replaces the active one, without its target`() {
    let scene = Scene.general.composing(
      .commandActivated(mute, nil), .commandTargeted("ada"), .commandActivated(ComposedCommand("giphy"), nil))
    #expect(scene.composer.content.command == ComposedCommand("giphy"))
  }

  @Test func `a cleared command restores its name in the text, if it was removed`() {
    let scene = Scene.general.composing(.type("8h"), .commandActivated(mute, nil))
    let back = scene.composing(.commandCleared(Splice(0..<0, to: "/mute ")))
    #expect(back.composer.text == "/mute 8h")
    #expect(back.composer.selection == 6..<6)
    #expect(back.composer.content.command == nil)
    #expect(scene.composing(.commandCleared(nil)).composer.text == "8h")
  }

  @Test func `the name of a command moves and removes mentions like any typed text`() {
    let scene = Scene.general.composing(.type("/mute "), .pick("ada", as: "@Ada", in: 6..<6))
    #expect(scene.composing(.commandActivated(mute, Splice(0..<6, to: ""))).composer.meant == ["ada: @Ada"])
    #expect(scene.composing(.commandActivated(mute, Splice(0..<10, to: ""))).composer.meant == [])
  }

  @Test func `all commands are shown until one is picked, or the text is typed, sent, cleared or left`() {
    let shown = Scene.general.composing(.commandsShown(true))
    #expect(shown.composer.showsCommands)
    let ends: [Composer.Event] = [
      .commandActivated(mute, nil), .type("x"), .sent("m3", keeping: nil), .cleared(keeping: nil),
      .left(keepingContent: true),
      .left(keepingContent: false),
    ]
    for event in ends { #expect(!shown.composing(event).composer.showsCommands) }
  }

  @Test func `a running command is stored until it ends, with any outcome`() {
    #expect(running.composer.execution == execution)
    let ends: [Composer.Event] = [
      .commandExecuted("e1"), .commandFailed("e1", .text("offline")), .commandInterrupted("e1"),
    ]
    for event in ends {
      let ended = running.composing(event)
      #expect(ended.composer.execution == nil)
      #expect(ended.composer.text == "8h")
      for again in ends { ended.composingIsRefused(again, refusal: .commandEnded("e1")) }
    }
  }

  @Test func `while a command is running, no other starts, nor the same again`() {
    let other = CommandExecution("e2", of: mute, arguments: "")
    running.composingIsRefused(.commandStarted(other), refusal: .commandRuns("e1"))
    running.composingIsRefused(.commandStarted(execution), refusal: .commandRuns("e1"))
    let next = running.composing(.commandExecuted("e1"), .commandStarted(other))
    #expect(next.composer.execution == other)
  }

  @Test func `only the running command ends`() {
    running.composingIsRefused(.commandExecuted("e2"), refusal: .commandEnded("e2"))
    running.composingIsRefused(.commandFailed("e2", .text("offline")), refusal: .commandEnded("e2"))
    running.composingIsRefused(.commandInterrupted("e2"), refusal: .commandEnded("e2"))
    Scene.general.composingIsRefused(.commandExecuted("e1"), refusal: .commandEnded("e1"))
  }

  @Test func `the end of another command is ignored by the fold`() {
    for event in [Composer.Event.commandExecuted("e2"), .commandFailed("e2", .text("")), .commandInterrupted("e2")] {
      var composer = running.composer
      composer.apply(event, at: .start)
      #expect(composer == running.composer)
    }
  }

  @Test func `typing continues while a command is running`() {
    #expect(running.composing(.type("more "), .commandExecuted("e1")).composer.text == "more 8h")
  }

  @Test func `a command keeps running when the message is sent, cleared or left`() {
    for event in [
      Composer.Event.sent("m3", keeping: nil), .cleared(keeping: nil), .left(keepingContent: false),
      .left(keepingContent: true),
    ] {
      #expect(running.composing(event).composer.execution == execution)
    }
  }

  @Test func `arguments are limited like texts, and reasons to a line`() {
    var scene = running
    scene.state.rules.limits.lineByteCountMax = 4
    scene.composingIsRefused(
      .commandFailed("e1", .text("12345")), refusal: .tooLarge(.lineByteCount, count: 5, max: 4))
    scene = Scene.general { $0.limits.textByteCountMax = 4 }
    let (fits, long) = (
      CommandExecution("e1", of: mute, arguments: "1234"), CommandExecution("e1", of: mute, arguments: "12345")
    )
    #expect(scene.composing(.commandStarted(fits)).composer.execution == fits)
    scene.composingIsRefused(.commandStarted(long), refusal: .tooLarge(.textByteCount, count: 5, max: 4))
  }
}
