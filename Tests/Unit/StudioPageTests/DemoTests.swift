// Threat: a new user runs the one command of the front page and sees a chat in which nothing happens.
import Browser
import ChildProcess
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `The demo of the studio` {
  @Test func `its users continue to write, except those with an open page`() throws {
    let demo = try Child([StudioProcess.program, "studio", "--demo"])
    let address = try #require(try demo.line())
    let context = try Browser.shared().context()
    let ada = try context.visit(address, width: 1000, height: 800)
    try ada.wait(for: "document.querySelectorAll('.messages .row').length > 20")
    let base = address.prefix { $0 != "?" }.dropLast()
    try ada.run("window.open = address => { window.other = address }")
    let button = "[...document.querySelectorAll('button')].find(each => each.textContent === 'New window as Ben')"
    try ada.run("\(button).click()")
    let other: String = try ada.evaluate("window.other")
    let ben = try context.visit(base + other, width: 1000, height: 800)
    try ben.wait(for: "document.querySelectorAll('.messages .row').length > 20")
    try ada.focus("textarea")
    try ada.press("a", .control)
    try ada.type("Good morning, everybody")
    try ada.press(.enter)
    try ben.wait(for: "document.querySelector('.messages').textContent.includes('Good morning, everybody')")
    try ben.wait(for: "document.querySelector('.typing-line').textContent.includes('typing')")
    // Messages of other users arrive after it.
    let texts = "[...document.querySelectorAll('.messages .row')].map(row => row.textContent)"
    try ben.wait(
      for: "\(texts).slice(\(texts).findLastIndex(text => text.includes('Good morning')) + 1).join('').length > 100")
    let folder = try ben.text(of: ".path")
    func events(_ words: String...) throws -> [String] {
      try StudioProcess.run(["events", folder] + words).split(separator: "\n").map(String.init)
    }
    let newest = try #require(events("--actor", "ada", "--type", "messageSent", "--backward", "--limit", "1").first)
    #expect(newest.contains("Good morning, everybody"))
    let position = try #require(newest.split(separator: " ").first.map(String.init))
    // The demo also reads and reacts for nobody with an open page: all their events are of a page's device.
    let own = try events("--actor", "ada", "--actor", "ben", "--from", position, "--json")
    let generated = own.filter { $0.contains(#""device":"phone""#) || $0.contains(#""device":"laptop""#) }
    #expect(!own.isEmpty && generated == [])
    #expect(ada.problems == [] && ben.problems == [])
    demo.signal(SIGINT)
    #expect(demo.wait() == .exit(0))
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
