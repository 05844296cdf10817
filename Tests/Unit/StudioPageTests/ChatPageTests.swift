// Threat: what people write in a browser is lost, doubled, or appears somewhere else.
import Browser
import ChildProcess
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `The chat page` {
  private let studio: StudioProcess
  private let context: Browser.Context

  init() throws {
    studio = try StudioProcess(of: Workspaces.lively())
    context = try Browser.shared().context()
    _ = try context.visit(studio.address)
  }

  /// Opens the channel general as a user.
  private func open(as user: String, width: Int = 1000) throws -> Window {
    let window = try context.visit(studio.base + "/chat?user=\(user)&channel=general", width: width, height: 800)
    try window.wait(for: Self.isReady)
    return window
  }

  private static let isReady =
    "document.querySelectorAll('.messages .row').length > 3 && document.querySelector('textarea')?.isConnected"
  private static let isHandled =
    "document.body.dataset.waiting === '0' && document.body.dataset.behind === 'false'"

  private func wait(_ window: Window, forMessage text: String) throws {
    try window.wait(for: "document.querySelector('.messages').textContent.includes('\(text)')")
  }

  /// Presses *Edit* in the menu of a message.
  private func beginEdit(of message: String, in window: Window) throws {
    try window.run(
      """
      const row = document.querySelector('#message-\(message)')
      row.querySelector('summary').click();
      [...row.querySelectorAll('.menu button')].find(button => button.textContent.includes('Edit')).click()
      """)
  }

  @Test func `two people write to each other, and each sees the other typing`() throws {
    let (ada, ben) = (try open(as: "ada"), try open(as: "ben"))
    try ada.focus("textarea")
    try ada.type("Good morning")
    try ben.wait(for: "document.querySelector('.typing-line').textContent.includes('Ada is typing')")
    try ada.press(.enter)
    try wait(ben, forMessage: "Good morning")
    try wait(ada, forMessage: "Good morning")
    try ada.wait(for: "document.querySelector('textarea').value === '' && \(Self.isHandled)")
    try ben.focus("textarea")
    try ben.type("And to you 👋")
    try ben.press(.enter)
    try wait(ada, forMessage: "And to you 👋")
    #expect(ada.problems == [] && ben.problems == [])
    // Every key is an event.
    let typed = try studio.run("events", studio.workspace, "--type", "composerTyped", "--backward", "--limit", "40")
    #expect(typed.contains("“G”") && typed.contains("“👋”"))
  }

  @Test func `a mention and a command are picked from suggestions by keys`() throws {
    let ada = try open(as: "ada")
    try ada.focus("textarea")
    try ada.type("@be")
    try ada.wait(for: "document.querySelector('.suggestions button') !== null && \(Self.isHandled)")
    try ada.press(.arrowDown)
    try ada.press(.enter)
    try ada.wait(for: "document.querySelector('textarea').value.startsWith('@Ben')")
    try ada.focus("textarea")
    try ada.press(.enter)
    try wait(ada, forMessage: "@Ben")
    try ada.wait(for: "document.querySelector('textarea').value === '' && \(Self.isHandled)")
    try ada.type("/mute @ben")
    try ada.wait(for: Self.isHandled)
    try ada.press(.enter)
    try ada.wait(for: "document.querySelector('textarea').value === '' && \(Self.isHandled)")
    let mutes = try studio.run("events", studio.workspace, "--type", "userMuted", "--backward", "--limit", "1")
    #expect(mutes.contains("ben"))
    #expect(ada.problems == [])
  }

  @Test func `a draft that was left continues in another window`() throws {
    let first = try open(as: "cleo")
    try first.focus("textarea")
    try first.type("Half a thou")
    try first.wait(for: Self.isHandled)
    try first.visit(studio.base + "/health")
    let second = try open(as: "cleo")
    try second.wait(for: "document.querySelector('textarea').value === 'Half a thou'")
    try second.focus("textarea")
    try second.press(.end)
    try second.type("ght")
    try second.press(.enter)
    try wait(second, forMessage: "Half a thought")
    #expect(second.problems == [])
  }

  @Test func `a picture is attached, and shown to the other`() throws {
    let (ada, ben) = (try open(as: "ada"), try open(as: "ben"))
    let path = FileManager.default.temporaryDirectory.path + "/studio-picture-\(UUID().uuidString).png"
    try ada.screenshot().write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ada.setFiles("#files", [path])
    try ada.wait(
      for: "document.querySelector('.chip') !== null && !document.querySelector('.chip').textContent.includes('%')")
    try ada.focus("textarea")
    try ada.type("See")
    try ada.wait(for: Self.isHandled)
    try ada.press(.enter)
    try ben.wait(
      for: "[...document.querySelectorAll('.messages img.picture')].some(picture => picture.naturalWidth === 1000)")
    #expect(ada.problems == [] && ben.problems == [])
  }

  @Test func `files are picked, pasted and dropped, and their upload is shown`() throws {
    let (ada, ben) = (try open(as: "ada"), try open(as: "ben"))
    let folder = FileManager.default.temporaryDirectory.path + "/studio-files-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = ["pasted.txt", "dropped <b>.txt"].map { "\(folder)/\($0)" }
    for file in files { try "Text".write(toFile: file, atomically: true, encoding: .utf8) }
    try ada.run(
      """
      window.chosen = []
      document.querySelector('#files').click = function () { chosen.push(this.accept) }
      window.uploading = []
      new MutationObserver(changes => changes.forEach(({ addedNodes }) => addedNodes.forEach(node =>
        uploading.push(node.textContent.trim(), node.querySelector('progress').getAttribute('aria-label')))))
        .observe(document.querySelector('.files'), { childList: true })
      document.querySelector('.composing .leading button').click()
      """)
    for source in ["photosAndVideos", "files"] {
      try ada.wait(for: "document.querySelector('.picker [value=\"composer:\(source)\"]')")
      try ada.run("document.querySelector('.picker [value=\"composer:\(source)\"]').click()")
    }
    #expect(try ada.evaluate("chosen") == ["image/*,video/*", ""])
    try ada.focus("textarea")
    try ada.paste(files: [files[0]])
    let center: [Double] = try ada.evaluate(
      "(({left, top, width, height}) => [left + width / 2, top + height / 2])"
        + "(document.querySelector('.messages').getBoundingClientRect())")
    try ada.drop(files: [files[1]], at: Window.Point(center[0], center[1]))
    try ada.wait(
      for: "[...document.querySelectorAll('.chip')].filter(chip => !chip.textContent.includes('%')).length === 2")
    let uploading: Set<String> = Set(try ada.evaluate("uploading", as: [String].self))
    #expect(uploading == ["pasted.txt", "Uploading pasted.txt", "dropped <b>.txt", "Uploading dropped <b>.txt"])
    try ada.wait(for: "\(Self.isHandled) && document.querySelector('.files').childElementCount === 0")
    try ada.press(.enter)
    try wait(ben, forMessage: "pasted.txt")
    try wait(ben, forMessage: "dropped <b>.txt")
    // A file that is larger than a request may be is not sent at all.
    try ada.run(
      """
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([new Uint8Array(17 << 20)], 'large.bin'))
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData }))
      """)
    #expect(try ada.evaluate("document.querySelector('.files').childElementCount") == 0)
    let error = try ada.text(of: "[role=alert]")
    #expect(error == "large.bin was not attached: it has 17.8 MB, and a file may have 16.8 MB.")
    #expect(ada.problems == [] && ben.problems == [])
  }

  @Test func `nothing is lost or doubled when the studio is killed while a user writes`() throws {
    let ada = try open(as: "ada")
    try ada.focus("textarea")
    try ada.type("before ")
    try ada.wait(for: Self.isHandled)
    studio.kill()
    try ada.wait(for: "!document.querySelector('.lost').hidden")
    try ada.type("while")
    try ada.press(.enter)
    try ada.type("and after")
    // The new process prints a new token; the browser lets itself in with it.
    try studio.start(["--port", studio.port])
    _ = try context.visit(studio.address)
    try ada.wait(for: "document.querySelector('.lost').hidden && \(Self.isHandled)")
    try wait(ada, forMessage: "before while")
    try ada.press(.enter)
    try wait(ada, forMessage: "and after")
    let shown = try ada.text(of: ".messages").components(separatedBy: "before while").count
    #expect(shown == 2)
    let sent = try studio.run("events", studio.workspace, "--type", "messageSent", "--backward", "--limit", "4")
    #expect(sent.components(separatedBy: "“before while”").count == 2)
    #expect(sent.components(separatedBy: "“and after”").count == 2)
  }

  // What broke: one action that the studio could not read was sent again for ever, and all later ones waited behind it.
  @Test func `an action that cannot be read shows an error, and later ones are performed`() throws {
    let ada = try context.visit(
      studio.base + "/chat?user=ada&channel=general&message=no%20id", width: 1000, height: 800)
    try ada.wait(for: Self.isReady)
    try ada.wait(for: "document.querySelector('[role=alert]').textContent.includes('the id of a message')")
    try ada.run(
      """
      window.field = document.querySelector('textarea')
      field.value = 'half \\ud83d'; field.dispatchEvent(new InputEvent('input'))
      """)
    try ada.wait(for: "field.value === 'half \\ufffd' && \(Self.isHandled)")
    try ada.run(
      """
      const send = fetch
      window.fetch = (address, options) => options?.body?.includes('large') ?
        Promise.resolve(new Response('The body is too large.', { status: 413 })) : send(address, options)
      field.value += 'large'; field.dispatchEvent(new InputEvent('input'))
      """)
    try ada.wait(for: "document.querySelector('[role=alert]').textContent === 'The body is too large.'")
    try ada.wait(for: Self.isHandled)
    try ada.focus("textarea")
    try ada.press(.enter)
    try wait(ada, forMessage: "half ")
    #expect(ada.problems == [])
  }

  // What broke: leaving its composer ended the edit, and its text was sent as a new message.
  @Test func `an edit goes on after a restart of the studio`() throws {
    let ada = try open(as: "ada")
    try studio.run("submit", studio.workspace, "--as", "ada", "say", "Teh quick fox", "id=edited", "in=general")
    try wait(ada, forMessage: "Teh quick fox")
    try beginEdit(of: "edited", in: ada)
    try ada.wait(for: "document.querySelector('textarea').value === 'Teh quick fox' && \(Self.isHandled)")
    try ada.focus("textarea")
    try ada.press(.end)
    try ada.type("!")
    try ada.wait(for: Self.isHandled)
    #expect(studio.interrupt() == .exit(0))
    try ada.wait(for: "!document.querySelector('.lost').hidden")
    try ada.press(.enter)
    try studio.start(["--port", studio.port])
    _ = try context.visit(studio.address)
    try ada.wait(for: "document.querySelector('.lost').hidden && \(Self.isHandled)")
    try wait(ada, forMessage: "Teh quick fox!")
    let sent = try studio.run("events", studio.workspace, "--type", "messageSent", "--backward", "--limit", "1")
    #expect(sent.contains("“Teh quick fox”"))
  }

  // What broke: a text field has no CR: a key replaced everything from the first line end to the caret.
  @Test func `an edit of a text with CR LF keeps its mentions`() throws {
    let ada = try open(as: "ada")
    let sent = #"{"text":"one\r\ntwo @Ben","mentions":[{"user":"ben","range":[9,13]}]}"#
    try studio.run(
      "submit", studio.workspace, "--as", "ada",
      input: #"{"message":{"channel":"general","id":"lines"},"send":\#(sent)}"#)
    try wait(ada, forMessage: "two @Ben")
    try beginEdit(of: "lines", in: ada)
    try ada.wait(for: "document.querySelector('textarea').value === 'one\\ntwo @Ben' && \(Self.isHandled)")
    #expect(try ada.evaluate("document.querySelector('textarea').selectionStart") == 12)
    try ada.focus("textarea")
    try ada.type("!")
    try ada.wait(for: Self.isHandled)
    try ada.press(.enter)
    try wait(ada, forMessage: "two @Ben!")
    let message = try studio.run("query", "message", studio.workspace, "general", "lines", "--as", "ada", "--json")
    #expect(message.contains(#""mentions":[{"user":"ben","range":[9,13]}]"#), "\(message)")
    #expect(ada.problems == [])
  }

  // What broke: each window kept a connection for its stream, and a browser opens six to a server: six windows sent
  // nothing, and a seventh did not load.
  @Test func `any number of windows of a browser send and get messages`() throws {
    let windows = try (0..<8).map { try open(as: $0.isMultiple(of: 2) ? "ada" : "ben") }
    for (index, window) in windows.enumerated() {
      try window.focus("textarea")
      try window.type("From window \(index)")
      try window.press(.enter)
      try wait(windows[(index + 1) % 8], forMessage: "From window \(index)")
    }
    for window in windows { #expect(window.problems == []) }
  }

  @Test func `windows of a browser without shared workers send and get messages`() throws {
    let windows = try ["ada", "ben"].map { user in
      let window = try context.window(width: 1000)
      try window.runFirst("delete globalThis.SharedWorker")
      try window.visit(studio.base + "/chat?user=\(user)&channel=general")
      try window.wait(for: Self.isReady)
      return window
    }
    for (from, to) in [(0, 1), (1, 0)] {
      try windows[from].focus("textarea")
      try windows[from].type("From window \(from)")
      try windows[from].press(.enter)
      try wait(windows[to], forMessage: "From window \(from)")
    }
    for window in windows {
      #expect(try window.evaluate("typeof SharedWorker === 'undefined'"))
      #expect(window.problems == [])
    }
  }

  @Test func `typing goes on without a connection, and is delivered once and in order`() throws {
    let (ada, ben) = (try open(as: "ada"), try open(as: "ben"))
    try ada.focus("textarea")
    try ada.setOffline(true)
    try ada.type("first")
    try ada.press(.enter)
    try ada.type("second")
    try ada.press(.enter)
    try ada.setOffline(false)
    try wait(ben, forMessage: "second")
    let order: Bool = try ben.evaluate(
      "(text => text.indexOf('first') < text.indexOf('second') && text.split('first').length === 2)"
        + "(document.querySelector('.messages').textContent)")
    #expect(order)
  }

  @Test func `text of an input method, combined characters and undo are recorded as they are shown`() throws {
    let ada = try open(as: "ada")
    try ada.focus("textarea")
    try ada.compose("にほ")
    try ada.compose("にほん")
    try ada.insert("日本")
    try ada.type(" ok")
    try ada.wait(for: Self.isHandled)
    try ada.run(
      """
      const field = document.querySelector('textarea')
      field.value = 'e\u{301}क्षx👩‍👩‍👧'; field.dispatchEvent(new InputEvent('input'))
      field.value = 'eक्षy👩‍👧'; field.dispatchEvent(new InputEvent('input'))
      """)
    try ada.wait(for: Self.isHandled)
    try ada.press(.enter)
    try wait(ada, forMessage: "eक्षy👩‍👧")
    try ada.wait(for: "document.querySelector('textarea').value === '' && \(Self.isHandled)")
    try ada.type("one")
    try ada.wait(for: Self.isHandled)
    try ada.press("z", .control)
    try ada.wait(for: "document.querySelector('textarea').value !== 'one' && \(Self.isHandled)")
    #expect(ada.problems == [])
  }

  @Test func `a composer opened by another studio shows an error and sends nothing`() throws {
    let ada = try open(as: "ada")
    try ada.focus("textarea")
    try ada.type("Here")
    try ada.wait(for: Self.isHandled)
    let name: String = try ada.evaluate("sessionStorage.getItem('studio-tab')")
    // Another process serves the workspace, and a page with the same device opens there.
    let other = try StudioProcess(at: studio.workspace)
    let there = try Browser.shared().context()
    let second = try there.visit(other.address)
    try second.run("sessionStorage.setItem('studio-tab', '\(name)')")
    try second.visit(other.base + "/chat?user=ada&channel=general")
    try second.wait(for: "document.querySelector('textarea').value === 'Here'")
    try second.focus("textarea")
    try second.press(.end)
    try second.type(" and there")
    try second.wait(for: Self.isHandled)
    try ada.wait(for: "document.querySelector('[role=alert]').textContent.includes('Another process')")
    try ada.focus("textarea")
    try ada.type(" more")
    try ada.wait(for: Self.isHandled)
    try second.wait(for: "\(Self.isHandled) && document.querySelector('textarea').value === 'Here and there'")
    #expect(try ada.evaluate("document.querySelector('textarea').value") == "Here")
    #expect(second.problems == [])
  }

  @Test func `the input keeps its text direction and spell checking after a redraw`() throws {
    let ada = try open(as: "ada")
    try ada.focus("textarea")
    try ada.type("שלום לכולם")
    try ada.wait(for: Self.isHandled)
    let field = "document.querySelector('.composing textarea')"
    #expect(try ada.evaluate("\(field).spellcheck && getComputedStyle(\(field)).direction === 'rtl'"))
    try ada.press(.enter)
    try wait(ada, forMessage: "שלום לכולם")
    try ada.type("ltr")
    try ada.wait(for: Self.isHandled)
    #expect(try ada.evaluate("\(field).spellcheck && getComputedStyle(\(field)).direction === 'ltr'"))
    let texts = "[...document.querySelectorAll('.messages [dir=auto]')]"
    #expect(
      try ada.evaluate("getComputedStyle(\(texts).findLast(text => /ש/.test(text.textContent))).direction === 'rtl'"))
    #expect(ada.problems == [])
  }

  // What broke: each key took the text field out of the document, which scrolled it to its beginning, and what came
  // during a composition was not shown.
  @Test func `the text field stays in the document while suggestions come, also during a composition`() throws {
    let ada = try open(as: "ada")
    try ada.wait(for: "document.querySelector('.composing .trailing button') !== null")
    try ada.focus("textarea")
    try ada.run(
      """
      window.field = document.querySelector('textarea')
      window.removals = 0
      new MutationObserver(changes => changes.forEach(({ removedNodes }) => {
        removals += [...removedNodes].filter(node => node.contains(field)).length
      })).observe(document.querySelector('.composing'), { childList: true, subtree: true })
      field.value = 'line\\n'.repeat(12); field.dispatchEvent(new InputEvent('input'))
      """)
    try ada.type("and ")
    try ada.wait(for: "\(Self.isHandled) && field.scrollTop > 0")
    try ada.compose("@be")
    try ada.wait(for: "document.querySelector('.suggestions button') !== null")
    try ada.insert("@ben")
    try ada.wait(for: "\(Self.isHandled) && field.value.endsWith('and @ben')")
    try ada.wait(for: "document.querySelector('.suggestions button')?.textContent.includes('Ben')")
    #expect(try ada.evaluate("field.scrollTop > 0 && document.activeElement === field && removals === 0"))
    try ada.press(.arrowDown)
    try ada.press(.enter)
    try ada.wait(for: "\(Self.isHandled) && field.value.includes('and @Ben')")
    #expect(try ada.evaluate("removals === 0"))
    #expect(ada.problems == [])
  }

  // What broke: a changed message was a new element of the list, which a screen reader reads as a new message.
  @Test func `a changed message stays the same element, with its open menu and the focus`() throws {
    let ada = try open(as: "ada")
    try studio.run("submit", studio.workspace, "--as", "ada", "say", "Teh quick fox", "id=changed", "in=general")
    try wait(ada, forMessage: "Teh quick fox")
    try ada.run(
      """
      window.row = document.querySelector('#message-changed')
      window.added = []
      new MutationObserver(changes => changes.forEach(({ addedNodes }) => added.push(...addedNodes)))
        .observe(row.parentElement, { childList: true })
      row.querySelector('summary').click()
      row.querySelector('.menu button').focus()
      window.focused = document.activeElement.value
      """)
    try studio.run("submit", studio.workspace, "--as", "ada", "edit", "changed", "text=The quick fox", "in=general")
    try wait(ada, forMessage: "The quick fox")
    #expect(try ada.evaluate("row === document.querySelector('#message-changed') && added.length === 0"))
    #expect(try ada.evaluate("row.querySelector('details').open && row.contains(document.activeElement)"))
    #expect(try ada.evaluate("focused !== '' && document.activeElement.value === focused"))
    #expect(ada.problems == [])
  }

  @Test func `a reaction is added, and a channel is opened, by keyboard alone`() throws {
    let ada = try open(as: "ada")
    try ada.focus("textarea")
    try ada.tab(to: "each.matches('.messages .row .menu summary')", .shift)
    try ada.press(.enter)
    try ada.tab(to: "each.matches('.menu[open] button') && each.textContent.includes('React')")
    try ada.press(.enter)
    try ada.wait(for: "document.querySelector('dialog[open]')?.contains(document.activeElement)")
    try ada.tab(to: "each.getAttribute('aria-label') === 'wow'")
    try ada.press(.enter)
    try ada.wait(for: "document.querySelector('.reaction-picker') === null && \(Self.isHandled)")
    let added = try studio.run("events", studio.workspace, "--type", "reactionAdded", "--backward", "--limit", "1")
    #expect(added.contains("ada") && added.contains("wow"))
    try ada.tab(to: "each.matches('.channel-list button:not([value=\"channel:general\"])')", .shift)
    try ada.press(.enter)
    try ada.wait(for: "!location.search.includes('channel=general')")
    #expect(ada.problems == [])
  }

  @Test func `what was written without a connection is there after the page is loaded again`() throws {
    let ada = try open(as: "ada")
    try ada.focus("textarea")
    studio.kill()
    try ada.wait(for: "!document.querySelector('.lost').hidden")
    try ada.type("kept over")
    try studio.start(["--port", studio.port])
    _ = try context.visit(studio.address)
    try ada.reload()
    try ada.wait(for: "document.querySelector('textarea').value === 'kept over' && \(Self.isHandled)")
    try ada.focus("textarea")
    try ada.press(.enter)
    try wait(ada, forMessage: "kept over")
  }

  @Test(arguments: [320, 1280]) func `the chat breaks no rule of accessibility`(width: Int) throws {
    let ada = try open(as: "ada", width: width)
    for scheme in Browser.Scheme.allCases {
      try ada.prefer(scheme)
      #expect(try ada.violations(except: ["color-contrast-enhanced"]) == [], "\(scheme)")
    }
    #expect(try ada.evaluate("document.documentElement.scrollWidth <= innerWidth"))
    if let folder = ProcessInfo.processInfo.environment["VERBATIM_PICTURES"] {
      try ada.screenshot().write(to: URL(fileURLWithPath: "\(folder)/studio-chat-\(width).png"))
    }
  }
}
