// Threat: a message that is not loaded, a report, a mute or a draft that no user of the page can reach.
import Browser
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `The lists of the chat page` {
  private let studio: StudioProcess
  private let context: Browser.Context

  init() throws {
    studio = try StudioProcess(of: Workspaces.lively())
    context = try Browser.shared().context()
    _ = try context.visit(studio.address)
    // More messages than are loaded at once: the first of them is not in the page.
    let lines = (1...130).map { number in
      let text = number == 1 ? "the lighthouse keeper" : "message \(number) of many"
      return #"{"message":{"channel":"general","id":"far\#(number)"},"send":{"text":"\#(text)"}}"#
    }
    let answer = #"{"message":{"channel":"general","id":"answer"},"send":{"text":"well said","quoted":"far1"}}"#
    try studio.run("submit", studio.workspace, "--as", "ben", input: (lines + [answer]).joined(separator: "\n"))
  }

  private func open(as user: String, _ rest: String = "") throws -> Window {
    let window = try context.visit(
      studio.base + "/chat?user=\(user)&channel=general\(rest)", width: 1000, height: 800)
    try window.wait(for: "document.querySelectorAll('.messages .row').length > 3")
    return window
  }

  private func choose(_ list: String, in window: Window) throws {
    try window.run(
      "document.querySelector('#list').value = '\(list)'; "
        + "document.querySelector('#list').dispatchEvent(new Event('change'))")
  }

  /// Presses a button. A list is drawn anew when it changes, so that a click at a place could miss it.
  private func press(_ selector: String, in window: Window) throws {
    try window.run("document.querySelector(\"\(selector)\").click()")
  }

  /// Waits until a message is in the middle part of the list, which can be seen.
  private func wait(_ window: Window, untilShown message: String) throws {
    try window.wait(
      for: """
        (() => {
          const row = document.querySelector('#message-\(message)')?.getBoundingClientRect()
          const list = document.querySelector('.messages').getBoundingClientRect()
          return row && row.top >= list.top - 1 && row.bottom <= list.bottom + 1
        })()
        """)
  }

  private static let isHandled = "document.body.dataset.waiting === '0'"
  private static let side = "document.querySelector('.channel-list').textContent"

  @Test func `a search finds a message that is not loaded, and the page goes there and back`() throws {
    let ada = try open(as: "ada")
    #expect(try ada.evaluate("document.querySelector('#message-far1') === null"))
    try choose("found", in: ada)
    try ada.focus("#query")
    try ada.type("LIGHTH")
    try ada.wait(for: "\(Self.side).includes('the lighthouse keeper')")
    try press(".channel-list .entry button", in: ada)
    try wait(ada, untilShown: "far1")
    #expect(try ada.evaluate("document.querySelector('#message-far130') === null"))
    // A message that arrives meanwhile does not move what is read.
    try studio.run("submit", studio.workspace, "--as", "cleo", "send", "general", "meanwhile")
    try wait(ada, untilShown: "far1")
    try press(".newest", in: ada)
    try ada.wait(for: "document.querySelector('.messages').textContent.includes('meanwhile')")
    try ada.wait(for: "document.querySelector('.newest').hidden")
    // A quote leads to its message, though that is not loaded any more.
    try wait(ada, untilShown: "answer")
    try press("#message-answer blockquote button", in: ada)
    try wait(ada, untilShown: "far1")
    #expect(ada.problems == [])
  }

  @Test func `a date and a link lead to a message`() throws {
    let ada = try open(as: "ada")
    // The made conversation is of January, the others are of now.
    try ada.run(
      """
      document.querySelector('#date').value = '2026-01-01'
      document.querySelector('#date').dispatchEvent(new Event('change'))
      """)
    try ada.wait(
      for: "document.querySelector('.messages').textContent.includes('This is where the conversation begins')")
    #expect(try ada.evaluate("document.querySelector('#message-far130') === null"))
    let linked = try open(as: "ada", "&message=far1")
    try wait(linked, untilShown: "far1")
    #expect(ada.problems == [] && linked.problems == [])
  }

  @Test func `a moderator claims and resolves a report, which others may not see`() throws {
    try studio.run("submit", studio.workspace, "--as", "cleo", "flag", "far130", "in=general", "reason=rude")
    let (ada, ben) = (try open(as: "ada"), try open(as: "ben"))
    try choose("flagged", in: ben)
    try ben.wait(for: "document.querySelector('.channel-list .notice') !== null")
    #expect(try !ben.evaluate("\(Self.side).includes('message 130')"))
    try choose("flagged", in: ada)
    try ada.wait(for: "\(Self.side).includes('message 130 of many') && \(Self.side).includes('Cleo (rude)')")
    // The made conversation has reports of its own.
    try press("button[value='claim:general/far130']", in: ada)
    try ada.wait(for: "\(Self.side).includes('Claimed by Ada') && \(Self.side).includes('Release')")
    try press("button[value='resolve:dismissed:general/far130']", in: ada)
    try ada.wait(for: "!\(Self.side).includes('message 130 of many')")
    let review = try studio.run(
      "query", "review", studio.workspace, "far130", "--channel", "general", "--as", "ada", "--json")
    #expect(review.contains("dismissed"))
    #expect(ada.problems == [] && ben.problems == [])
  }

  @Test func `channels are joined; saved and scheduled messages and blocks are listed and ended`() throws {
    for (user, words) in [
      ("ben", ["channel", "attic", "name=Attic"]), ("ben", ["invite", "ada", "in=attic"]),
      ("ben", ["channel", "porch", "name=Porch"]), ("ada", ["save", "far130", "in=general", "note=read it"]),
      ("ada", ["schedule", "Good night", "for=1h", "in=general"]), ("ada", ["block", "cleo"]),
    ] {
      _ = try StudioProcess.run(["submit", studio.workspace, "--as", user] + words)
    }
    try studio.run("submit", studio.workspace, "--system", "publish", "true", "in=porch")
    let ada = try open(as: "ada")
    for (list, shown, ended) in [
      ("invitations", "Attic", "No invitations"), ("saved", "read it", "No saved messages"),
      ("scheduled", "Good night", "No scheduled messages"), ("blocks", "Cleo", "Nobody is blocked"),
    ] {
      try choose(list, in: ada)
      try ada.wait(for: "\(Self.side).includes('\(shown)')")
      try press(".channel-list .about button:nth-of-type(1)", in: ada)
      try ada.wait(for: "\(Self.side).includes('\(ended)')")
    }
    try choose("publicChannels", in: ada)
    try ada.wait(for: "\(Self.side).includes('Porch')")
    try press(".channel-list .about button", in: ada)
    try ada.wait(for: "document.querySelector('.channel-list .about button') === null")
    try press(".channel-list .entry button", in: ada)
    try ada.wait(for: "location.search.includes('channel=porch')")
    for channel in ["attic", "porch"] {
      #expect(try studio.run("query", "members", studio.workspace, channel, "--as", "ada").contains("Ada"))
    }
    #expect(ada.problems == [])
  }

  @Test func `mutes are listed and ended, drafts and threads are opened`() throws {
    let ada = try open(as: "ada")
    try studio.run("submit", studio.workspace, "--as", "ada", "mute", "ben")
    try choose("mutes", in: ada)
    try ada.wait(for: "\(Self.side).includes('Ben') && \(Self.side).includes('Unmute')")
    try press(".channel-list button", in: ada)
    try ada.wait(for: "\(Self.side).includes('Nobody is muted')")
    try ada.focus("textarea")
    try ada.type("half a")
    try ada.wait(for: Self.isHandled)
    // The draft is left with its channel.
    try choose("channels", in: ada)
    try ada.wait(for: "document.querySelectorAll('.channel-list .entry').length > 1")
    try press(".channel-list .entry button:not([value='channel:general'])", in: ada)
    try ada.wait(for: "!location.search.includes('channel=general')")
    try choose("drafts", in: ada)
    // The list of channels shows the draft, too, until it is replaced by the list of drafts.
    try ada.wait(for: "\(Self.side).includes('half a') && \(Self.side).includes('Delete draft')")
    try ada.run(
      """
      [...document.querySelectorAll('.channel-list .entry')].find(each => each.textContent.includes('half a'))
        .querySelector('button').click()
      """)
    try ada.wait(
      for: "location.search.includes('channel=general') && document.querySelector('textarea').value === 'half a'")
    try choose("threads", in: ada)
    try ada.wait(for: "document.querySelector('.channel-list .entry, .channel-list .notice') !== null")
    #expect(ada.problems == [])
  }
}
