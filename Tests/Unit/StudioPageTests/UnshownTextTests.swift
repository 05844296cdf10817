// Threat: what is written before a page shows its composer is lost, or changes a text that its user has not seen.
import Browser
import ChildProcess
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `A chat page that does not show its composer yet` {
  private let studio: StudioProcess
  private let context: Browser.Context

  init() throws {
    studio = try StudioProcess(of: Workspaces.lively())
    context = try Browser.shared().context()
    _ = try context.visit(studio.address)
  }

  private static let isReady = "document.querySelector('textarea').isConnected && 'release' in window"
  private static let isHandled = "document.body.dataset.waiting === '0'"

  /// Lets a page hold the events of its streams back from `hold()` to `release()`, whatever their speed.
  private static let holding = """
    (() => {
      const Shared = globalThis.SharedWorker
      let held = null
      globalThis.hold = () => { held = [] }
      globalThis.SharedWorker = function (address) {
        const { port } = new Shared(address)
        const own = { postMessage: message => port.postMessage(message) }
        port.onmessage = event => { held === null ? own.onmessage(event) : held.push(event) }
        globalThis.release = () => {
          const events = held
          held = null
          events.forEach(event => own.onmessage(event))
        }
        return { port: own }
      }
    })()
    """

  /// Opens the channel general as a user; the page holds events back from the beginning if it is not connected.
  private func open(as user: String, isConnected: Bool) throws -> Window {
    let window = try context.window(width: 1000)
    try window.runFirst(isConnected ? Self.holding : Self.holding + "\nhold()")
    try window.visit(studio.base + "/chat?user=\(user)&channel=general")
    try window.wait(for: isConnected ? "document.querySelectorAll('.messages .row').length > 3" : Self.isReady)
    return window
  }

  private func wait(_ window: Window, forText text: String) throws {
    try window.wait(for: "document.querySelector('textarea').value === '\(text)' && \(Self.isHandled)")
  }

  private func wait(_ window: Window, forMessage text: String) throws {
    try window.wait(for: "document.querySelector('.messages').textContent.includes('\(text)')")
  }

  // What broke: the first connection of a new window threw away everything but sent messages.
  @Test func `text and messages that were written before the first connection are delivered in order`() throws {
    let ada = try open(as: "ada", isConnected: false)
    try ada.focus("textarea")
    try ada.type("first words")
    try ada.press(.enter)
    try ada.type("second words")
    try ada.run("release()")
    try wait(ada, forMessage: "first words")
    try wait(ada, forText: "second words")
    try ada.press(.enter)
    try wait(ada, forMessage: "second words")
    let sent = try studio.run("events", studio.workspace, "--type", "messageSent", "--backward", "--limit", "3")
    #expect(sent.components(separatedBy: "“first words”").count == 2)
    #expect(sent.components(separatedBy: "“second words”").count == 2)
    #expect(ada.problems == [])
  }

  // What broke: a text that was too large to be saved was not sent, and the next key added it once more.
  @Test func `what cannot be saved for a reload is delivered, and a text that is too long is refused`() throws {
    let ada = try open(as: "ada", isConnected: false)
    try ada.run("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }")
    try ada.focus("textarea")
    try ada.type("large words")
    #expect(try ada.evaluate("document.querySelector('[role=alert]').textContent.includes('reloaded')"))
    try ada.press(.enter)
    try ada.type("more")
    try ada.run("release()")
    try wait(ada, forMessage: "large words")
    try wait(ada, forText: "more")
    try ada.run(
      """
      const field = document.querySelector('textarea')
      field.value = 'é'.repeat(600000); field.dispatchEvent(new InputEvent('input'))
      """)
    #expect(try ada.evaluate("document.querySelector('textarea').value") == "more")
    #expect(try ada.evaluate("document.querySelector('[role=alert]').textContent.includes('not changed')"))
    try ada.press(.enter)
    try wait(ada, forMessage: "more")
    let sent = try studio.run("events", studio.workspace, "--type", "messageSent", "--backward", "--limit", "3")
    #expect(sent.contains("“large words”") && sent.contains("“more”"), "\(sent)")
    #expect(ada.problems == [])
  }

  // What broke: what waited in a window was sent as the user, or into the channel, that was shown there next.
  @Test func `what was not delivered waits for its user and channel, and is sent there`() throws {
    let window = try open(as: "ada", isConnected: false)
    try window.focus("textarea")
    try window.type("by one alone")
    try window.press(.enter)
    try window.type("and more")
    func show(_ user: String) throws {
      try window.visit(studio.base + "/chat?user=\(user)&channel=general")
      try window.wait(for: Self.isReady)
      try window.run("release()")
      try window.wait(for: "document.querySelectorAll('.messages .row').length > 3 && \(Self.isHandled)")
    }
    try show("ben")
    #expect(try window.text(of: ".talk > .notice").contains("Ada"))
    #expect(try window.evaluate("document.querySelector('textarea').value") == "")
    try show("ada")
    try wait(window, forMessage: "by one alone")
    try wait(window, forText: "and more")
    #expect(try window.evaluate("document.querySelector('.talk > .notice') === null"))
    let sent = try studio.run("events", studio.workspace, "--type", "messageSent", "--backward", "--limit", "3")
    let lines = sent.split(separator: "\n").filter { $0.contains("“by one alone”") }
    #expect(lines.count == 1 && lines.first?.contains("ada") == true, "\(sent)")
  }

  // What broke: the text of a page that was loaded again replaced what the composer had, after a restart of the studio.
  @Test func `what is written before a draft is shown follows it, and Enter does not send it unseen`() throws {
    let cleo = try open(as: "cleo", isConnected: true)
    // Without the focus, the page records no movements of the caret: nothing is waiting when the studio ends.
    try cleo.run(
      """
      const field = document.querySelector('textarea')
      field.value = 'Half a th'; field.dispatchEvent(new InputEvent('input'))
      """)
    try wait(cleo, forText: "Half a th")
    #expect(studio.interrupt() == .exit(0))
    try cleo.wait(for: "!document.querySelector('.lost').hidden")
    try studio.start(["--port", studio.port])
    _ = try context.visit(studio.address)
    try cleo.runFirst("hold()")
    try cleo.reload()
    try cleo.wait(for: Self.isReady)
    try cleo.focus("textarea")
    try cleo.type("ough")
    try cleo.press(.enter)
    try cleo.run("release()")
    try wait(cleo, forText: "Half a though")
    try cleo.wait(for: "document.querySelector('[role=alert]').textContent.includes('nothing was sent')")
    #expect(try cleo.evaluate("!document.querySelector('.messages').textContent.includes('Half a th')"))
    try cleo.type("t")
    try cleo.press(.enter)
    try wait(cleo, forMessage: "Half a thought")
  }

  // What broke: the field kept the text of the channel before, and keys were inserted in the new text at its offsets.
  @Test func `keys that are pressed at once in another channel follow the draft there`() throws {
    let ada = try open(as: "ada", isConnected: true)
    let button = "document.querySelector('.channel-list button[value^=\"channel:\"]:not([value=\"channel:general\"])')"
    try ada.wait(for: "\(button) !== null")
    let other: String = try ada.evaluate("\(button).value")
    try studio.run(
      "submit", studio.workspace, "--as", "ada", "say", "Welcome", "in=\(other.split(separator: ":").last ?? "")")
    // A channel is left once its messages are gone from the page.
    func go(to channel: String) throws {
      let button = "document.querySelector('.channel-list button[value=\"\(channel)\"]')"
      try ada.wait(for: "document.querySelector('.messages .row') !== null && \(button) !== null")
      try ada.run("hold(); \(button).click()")
      try ada.wait(for: "document.querySelector('.messages .row') === null")
      try ada.focus("textarea")
    }
    try go(to: other)
    try ada.run("release()")
    try ada.type("hello wo")
    try wait(ada, forText: "hello wo")
    try go(to: "channel:general")
    try ada.run("release()")
    try ada.type("abc")
    try wait(ada, forText: "abc")
    try go(to: other)
    #expect(try ada.evaluate("document.querySelector('textarea').value") == "")
    try ada.type("rld")
    try ada.run("release()")
    try wait(ada, forText: "hello world")
    try ada.press(.enter)
    try wait(ada, forMessage: "hello world")
    try go(to: "channel:general")
    try ada.run("release()")
    try wait(ada, forText: "abc")
    #expect(ada.problems == [])
  }
}
