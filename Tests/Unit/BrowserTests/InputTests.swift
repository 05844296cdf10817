// What a page gets from the keyboard, an input method, the mouse, and transfers of files and texts.
import Browser
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser) struct `Input` {
  let browser: Browser

  init() throws { browser = try .shared() }

  private func visit(_ body: String, _ script: String = "", style: String = "") throws -> Window {
    try Site(body, script: script, style: style).visit(in: browser)
  }

  /// A text area that has the focus, and a script that keeps its events.
  private func editor() throws -> Window {
    let window = try visit(
      "<textarea aria-label=text></textarea><input aria-label=next>",
      """
      const area = document.querySelector('textarea')
      globalThis.told = []
      for (const type of ['keydown', 'keyup', 'beforeinput', 'compositionstart', 'compositionend'])
        area.addEventListener(type, event => told.push([type, event.key ?? event.data ?? '', event.code ?? '']
          .concat(['ctrlKey', 'shiftKey'].filter(name => event[name])).join(' ').trim()))
      """)
    try window.focus("textarea")
    return window
  }

  private func text(_ window: Window) throws -> String { try window.evaluate("area.value") }

  // MARK: Keyboard

  @Test func `typed text arrives with the events of keys`() throws {
    let window = try editor()
    try window.type("aB?ä")
    #expect(try text(window) == "aB?ä")
    #expect(
      try window.evaluate("told") == [
        "keydown a KeyA", "beforeinput a", "keyup a KeyA", "keydown B KeyB shiftKey", "beforeinput B",
        "keyup B KeyB shiftKey", "keydown ? Slash shiftKey", "beforeinput ?", "keyup ? Slash shiftKey", "keydown ä",
        "beforeinput ä", "keyup ä",
      ])
  }

  @Test func `typed lines, emoji and combined characters arrive complete`() throws {
    let window = try editor()
    try window.type("one 👩🏽‍🚒 e\u{301}\n\"two\" {3}~")
    #expect(try text(window) == "one 👩🏽‍🚒 e\u{301}\n\"two\" {3}~")
    try window.insert(" and more")
    #expect(try text(window).hasSuffix("~ and more"))
    #expect(try window.evaluate("told.at(-1)") == "beforeinput  and more")
  }

  @Test func `keys move, select, delete and undo`() throws {
    let window = try editor()
    try window.type("one two\nsix")
    let steps: [(key: Window.Key, modifiers: Window.Key.Modifiers, text: String, selection: [Int])] = [
      (.home, [], "one two\nsix", [8, 8]), (.arrowUp, [], "one two\nsix", [0, 0]),
      (.arrowRight, .shift, "one two\nsix", [0, 1]), (.delete, [], "ne two\nsix", [0, 0]),
      (.end, [], "ne two\nsix", [6, 6]), (.backspace, [], "ne tw\nsix", [5, 5]),
      (.arrowLeft, [], "ne tw\nsix", [4, 4]), (.arrowDown, [], "ne tw\nsix", [9, 9]),
      (.space, [], "ne tw\nsix ", [10, 10]), (.enter, .shift, "ne tw\nsix \n", [11, 11]),
    ]
    for (key, modifiers, text, selection) in steps {
      try window.press(key, modifiers)
      #expect(try self.text(window) == text)
      #expect(try window.evaluate("[area.selectionStart, area.selectionEnd]") == selection, "\(key) in \(text)")
    }
  }

  #if os(Linux)
    @Test func `letters with Control are commands`() throws {
      let window = try editor()
      try window.type("one")
      try window.press("a", .control)
      try window.press("x", .control)
      #expect(try text(window) == "")
      try window.press("z", .control)
      #expect(try text(window) == "one")
      try window.press("z", [.control, .shift])
      #expect(try text(window) == "")
      #expect(try window.evaluate("told.at(-1)") == "keyup Z KeyZ ctrlKey shiftKey")
    }
  #endif

  @Test func `Tab and Shift+Tab move the focus, Escape and Enter are keys`() throws {
    let window = try editor()
    try window.press(.tab)
    #expect(try window.evaluate("document.activeElement.tagName") == "INPUT")
    try window.press(.tab, .shift)
    #expect(try window.evaluate("document.activeElement.tagName") == "TEXTAREA")
    try window.press(.escape)
    #expect(try window.evaluate("told.slice(-2)") == ["keydown Escape Escape", "keyup Escape Escape"])
  }

  @Test func `an input method composes a text, then commits or cancels it`() throws {
    let window = try editor()
    try window.compose("に")
    try window.compose("にほ")
    #expect(try text(window) == "にほ")
    try window.insert("日本")
    #expect(try text(window) == "日本")
    try window.compose("ご")
    try window.compose("")
    #expect(try text(window) == "日本")
    let ends = try window.evaluate("told.filter(line => line.startsWith('composition'))", as: [String].self)
    #expect(ends == ["compositionstart", "compositionend 日本", "compositionstart", "compositionend"])
  }

  @Test func `an element that takes no focus is an error`() throws {
    let window = try visit("<p>x</p>")
    #expect(throws: Browser.Failure.element("“p” does not take the focus")) { try window.focus("p") }
    #expect(throws: Browser.Failure.element("the page has no “i”")) { try window.focus("i") }
  }

  // MARK: Mouse

  @Test func `a click arrives at an element, also at one that must be scrolled to`() throws {
    let window = try visit(
      "<button id=a>a</button><p></p><button id=b>b</button>",
      "globalThis.told = []; onclick = event => told.push(event.target.id + event.detail + event.isTrusted)",
      style: "p { height: 3000px }")
    try window.click("#a", count: 2)
    try window.click("#b")
    #expect(try window.evaluate("told") == ["a1true", "a2true", "b1true"])
    #expect(try window.evaluate("scrollY > 1000"))
  }

  @Test func `an element that a user cannot click is an error`() throws {
    let window = try visit(
      "<button id=a>a</button><button id=b hidden>b</button><div></div>",
      style: "div { position: fixed; inset: 0 }")
    #expect(throws: Browser.Failure.element("“#a” is covered by <div></div>")) { try window.click("#a") }
    #expect(throws: Browser.Failure.element("“#b” is not displayed")) { try window.click("#b") }
    #expect(throws: Browser.Failure.element("the page has no “#c”")) { try window.click("#c") }
  }

  @Test func `a drag moves in steps with the button pressed`() throws {
    let window = try visit(
      "<div></div>",
      """
      globalThis.told = []
      for (const type of ['pointerdown', 'pointermove', 'pointerup'])
        addEventListener(type, event => told.push(`${type} ${event.clientX} ${event.buttons}`))
      """)
    var before: [String] = []
    try window.drag(from: Window.Point(10, 20), to: Window.Point(30, 20), steps: 2) {
      before = try window.evaluate("told")
    }
    let moves = ["pointermove 10 0", "pointerdown 10 1", "pointermove 20 1", "pointermove 30 1"]
    #expect(before == moves)
    #expect(try window.evaluate("told") == moves + ["pointerup 30 0"])
  }

  @Test func `a drag moves a slider`() throws {
    let window = try visit("<input type=range min=0 max=100 value=0 aria-label=x>", style: "input { width: 400px }")
    let middle = try window.point(of: "input")
    let start = Window.Point(try window.evaluate("document.querySelector('input').offsetLeft + 8"), middle.y)
    try window.drag(from: start, to: middle)
    #expect(try window.evaluate("document.querySelector('input').value") == "50")
  }

  @Test func `a drag drops a draggable element`() throws {
    let window = try visit(
      "<p draggable=true>x</p><div>y</div>",
      """
      addEventListener('dragover', event => event.preventDefault())
      addEventListener('drop', event => globalThis.target = event.target.tagName)
      """)
    try window.drag(from: window.point(of: "p"), to: window.point(of: "div"))
    try window.wait(for: "target == 'DIV'")
  }

  @Test func `the wheel and keys scroll`() throws {
    // Each scroll is an animation, which the next one would change.
    let window = try visit(
      "<p></p>", "globalThis.ends = []; addEventListener('scrollend', () => ends.push(scrollY))",
      style: "p { height: 3000px }")
    try window.wheel(at: Window.Point(100, 100), deltaY: 300)
    try window.wait(for: "ends.length == 1")
    try window.press(.pageDown)
    try window.wait(for: "ends.length == 2")
    try window.press(.pageUp)
    try window.wait(for: "ends.length == 3")
    let ends: [Double] = try window.evaluate("ends")
    #expect(ends[0] == 300 && ends[1] > 600 && ends[2] == 300, "\(ends)")
  }

  // MARK: Transfers

  @Test func `files are chosen, dropped and pasted`() throws {
    let window = try visit(
      "<input type=file multiple aria-label=files><textarea aria-label=a></textarea>",
      """
      globalThis.told = []
      const tell = async (event, files) => {
        event.preventDefault()
        for (const file of [...files]) told.push(`${event.type} ${file.name} ${file.type} ${await file.text()}`)
      }
      document.querySelector('input').addEventListener('change', event => tell(event, event.target.files))
      addEventListener('dragover', event => event.preventDefault())
      addEventListener('drop', event => tell(event, event.dataTransfer.files))
      addEventListener('paste', event => tell(event, event.clipboardData.files))
      """)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("content".utf8).write(to: file)
    try window.setFiles("input", [file.path])
    try window.wait(for: "told.length == 1")
    try window.drop(files: [file.path], at: Window.Point(200, 200))
    try window.wait(for: "told.length == 2")
    try window.focus("textarea")
    try window.paste(files: [file.path])
    try window.wait(for: "told.length == 3")
    let name = file.lastPathComponent
    #expect(try window.evaluate("told") == ["change", "drop", "paste"].map { "\($0) \(name) text/plain content" })
    #expect(throws: Browser.Failure.element("the page has no “i”")) { try window.setFiles("i", [file.path]) }
  }

  @Test func `a text is pasted at the focus, and dropped at a place`() throws {
    let window = try visit(
      "<textarea aria-label=a></textarea>", "addEventListener('paste', event => trusted = event.isTrusted)")
    try window.focus("textarea")
    try window.paste("one\n“two” \\ 🎉")
    #expect(try window.evaluate("document.querySelector('textarea').value") == "one\n“two” \\ 🎉")
    #expect(try window.evaluate("trusted"))
    try window.run("document.querySelector('textarea').value = ''")
    try window.drop("three", at: window.point(of: "textarea"))
    #expect(try window.evaluate("document.querySelector('textarea').value") == "three")
  }
}
