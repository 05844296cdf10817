// Commands in a composer: picked, given a user, cleared, and at work exactly once.
import Chat
import Testing

struct ComposerCommands {
  private let mute = ComposedCommand("mute")
  private let execution = CommandExecution("e1", of: ComposedCommand("mute", target: "ada"), arguments: "8h")
  private var running: Scene { Scene.general.composing(.type("8h"), .commandStarted(execution)) }

  @Test func `a picked command takes its word out of the text, and what follows stays`() {
    let scene = Scene.general.composing(
      .commandsShown(true), .type("/mu 8h"), .commandActivated(mute, Splice(0..<4, to: "")))
    #expect(scene.composer.text == "8h")
    #expect(scene.composer.content.command == mute)
    #expect(!scene.composer.showsCommands)
  }

  @Test func `a command is given a user, and gives them back`() {
    let scene = Scene.general.composing(.commandActivated(mute, nil), .commandTargeted("ada"))
    #expect(scene.composer.content.command == ComposedCommand("mute", target: "ada"))
    #expect(scene.composing(.commandTargeted(nil)).composer.content.command == mute)
  }

  @Test func `where there is no command nobody is its target`() {
    #expect(Scene.general.composing(.commandTargeted("ada")).composer.content == Composition())
  }

  @Test func `another command takes the place of one, without its user`() {
    let scene = Scene.general.composing(
      .commandActivated(mute, nil), .commandTargeted("ada"), .commandActivated(ComposedCommand("giphy"), nil))
    #expect(scene.composer.content.command == ComposedCommand("giphy"))
  }

  @Test func `a cleared command puts its word back, where there is one`() {
    let scene = Scene.general.composing(.type("8h"), .commandActivated(mute, nil))
    let back = scene.composing(.commandCleared(Splice(0..<0, to: "/mute ")))
    #expect(back.composer.text == "/mute 8h")
    #expect(back.composer.selection == 6..<6)
    #expect(back.composer.content.command == nil)
    #expect(scene.composing(.commandCleared(nil)).composer.text == "8h")
  }

  @Test func `the word of a command moves and ends mentions like anything typed`() {
    let scene = Scene.general.composing(.type("/mute "), .pick("ada", as: "@Ada", in: 6..<6))
    #expect(scene.composing(.commandActivated(mute, Splice(0..<6, to: ""))).composer.meant == ["ada: @Ada"])
    #expect(scene.composing(.commandActivated(mute, Splice(0..<10, to: ""))).composer.meant == [])
  }

  @Test func `all commands are shown until one is picked, something is typed, or the message is sent, cleared or left`()
  {
    let shown = Scene.general.composing(.commandsShown(true))
    #expect(shown.composer.showsCommands)
    let ends: [Composer.Event] = [
      .commandActivated(mute, nil), .type("x"), .sent("m3", keeping: nil), .cleared(keeping: nil),
      .left(keepingContent: true),
      .left(keepingContent: false),
    ]
    for event in ends { #expect(!shown.composing(event).composer.showsCommands) }
  }

  @Test func `a command at work is known until its end, whatever its end is`() {
    #expect(running.composer.execution == execution)
    let ends: [Composer.Event] = [
      .commandExecuted("e1"), .commandFailed("e1", reason: "offline"), .commandInterrupted("e1"),
    ]
    for event in ends {
      let ended = running.composing(event)
      #expect(ended.composer.execution == nil)
      #expect(ended.composer.text == "8h")
      for again in ends { ended.composingIsRefused(again, refusal: .commandEnded("e1")) }
    }
  }

  @Test func `while a command is at work no other begins, nor the same again`() {
    let other = CommandExecution("e2", of: mute, arguments: "")
    running.composingIsRefused(.commandStarted(other), refusal: .commandRuns("e1"))
    running.composingIsRefused(.commandStarted(execution), refusal: .commandRuns("e1"))
    let next = running.composing(.commandExecuted("e1"), .commandStarted(other))
    #expect(next.composer.execution == other)
  }

  @Test func `only the command at work ends`() {
    running.composingIsRefused(.commandExecuted("e2"), refusal: .commandEnded("e2"))
    running.composingIsRefused(.commandFailed("e2", reason: "offline"), refusal: .commandEnded("e2"))
    running.composingIsRefused(.commandInterrupted("e2"), refusal: .commandEnded("e2"))
    Scene.general.composingIsRefused(.commandExecuted("e1"), refusal: .commandEnded("e1"))
  }

  @Test func `the end of another command ends none, whatever was recorded`() {
    for event in [Composer.Event.commandExecuted("e2"), .commandFailed("e2", reason: ""), .commandInterrupted("e2")] {
      var composer = running.composer
      composer.apply(event, at: .start)
      #expect(composer == running.composer)
    }
  }

  @Test func `typing goes on while a command is at work`() {
    #expect(running.composing(.type("more "), .commandExecuted("e1")).composer.text == "more 8h")
  }

  @Test func `a command stays at work when the message is sent, cleared or left`() {
    for event in [
      Composer.Event.sent("m3", keeping: nil), .cleared(keeping: nil), .left(keepingContent: false),
      .left(keepingContent: true),
    ] {
      #expect(running.composing(event).composer.execution == execution)
    }
  }

  @Test func `arguments are as long as a text may be, and reasons are lines`() {
    var scene = running
    scene.state.rules.limits.lineByteCountMax = 4
    scene.composingIsRefused(
      .commandFailed("e1", reason: "12345"), refusal: .tooLarge(.lineByteCount, count: 5, max: 4))
    scene = Scene.general { $0.limits.textByteCountMax = 4 }
    let (fits, long) = (
      CommandExecution("e1", of: mute, arguments: "1234"), CommandExecution("e1", of: mute, arguments: "12345")
    )
    #expect(scene.composing(.commandStarted(fits)).composer.execution == fits)
    scene.composingIsRefused(.commandStarted(long), refusal: .tooLarge(.textByteCount, count: 5, max: 4))
  }
}
