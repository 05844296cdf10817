// Threat: in slow mode a user presses Enter in vain: the text is gone, or nothing says when it can be sent.
import Browser
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `Slow mode in the chat page` {
  private static let seconds = 5

  @Test func `slow mode shows a countdown, and keeps a refused text until it can be sent`() throws {
    let studio = try StudioProcess(of: Workspaces.lively())
    let context = try Browser.shared().context()
    _ = try context.visit(studio.address)
    try studio.run(
      "submit", studio.workspace, "--system",
      input: #"{"channel":"general","setSlowMode":{"seconds":\#(Self.seconds)}}"#)
    let ben = try context.visit(studio.base + "/chat?user=ben&channel=general", width: 1000, height: 800)
    try ben.wait(for: "document.querySelectorAll('.messages .row').length > 3")
    #expect(try ben.evaluate("document.querySelector('.cooldown') === null"))
    try ben.run(
      """
      window.counted = []
      new MutationObserver(() => {
        const seconds = Number.parseInt(document.querySelector('.cooldown')?.textContent ?? '0', 10)
        if (counted.at(-1) !== seconds) counted.push(seconds)
      }).observe(document.querySelector('.composing'), { childList: true, subtree: true, characterData: true })
      """)
    try ben.focus("textarea")
    try ben.type("first of two")
    try ben.press(.enter)
    try ben.wait(for: "document.querySelector('.cooldown') !== null && \(Self.isHandled)")
    try ben.type("second of two")
    try ben.press(.enter)
    try ben.wait(for: "document.querySelector('[role=alert]').textContent.includes('slow mode')")
    try ben.wait(for: "\(Self.isHandled) && document.querySelector('textarea').value === 'second of two'")
    #expect(try ben.evaluate("document.querySelector('.cooldown') !== null && \(Self.send).disabled"))
    #expect(try ben.evaluate("!document.querySelector('.messages').textContent.includes('second of two')"))
    try ben.wait(for: "document.querySelector('.cooldown') === null && !\(Self.send).disabled")
    #expect(try ben.evaluate("document.querySelector('textarea').value") == "second of two")
    let counted: [Int] = try ben.evaluate("counted.slice(counted.findIndex(seconds => seconds > 0))")
    #expect(counted.count > 2 && counted.first! <= Self.seconds && counted == counted.sorted().reversed())
    // The next send succeeds, which removes the error.
    try ben.press(.enter)
    try ben.wait(for: "document.querySelector('.messages').textContent.includes('second of two')")
    try ben.wait(for: "document.querySelector('[role=alert]').textContent === ''")
    #expect(ben.problems == [])
  }

  private static let isHandled = "document.body.dataset.waiting === '0'"
  private static let send = "document.querySelector('.composing .trailing button')"
}
