// Threat: the list of events shows other events than the log has, or stops showing new ones.
import Browser
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `The events page` {
  private let studio: StudioProcess
  private let window: Window

  init() throws {
    studio = try StudioProcess(of: Workspaces.lively())
    window = try Browser.shared().visit(studio.address, width: 1280, height: 800)
    try window.visit(studio.base + "/events")
    try window.wait(for: "\(Self.rows).length > 5")
  }

  private static let rows = "[...document.querySelectorAll('.ev-lines [role=row]')].filter(row => !row.hidden)"

  @Test func `every event is reached from the start to the end, with few rows in the document`() throws {
    // The page of the chat, which was shown first, may append events when it is left.
    func total() throws -> Int {
      try window.evaluate("Number(document.querySelector('[role=treegrid]').ariaRowCount)")
    }
    #expect(try total() > 500)
    try window.focus("[role=treegrid]")
    try window.press(.home)
    try window.wait(for: "\(Self.rows).some(row => row.ariaRowIndex === '2')")
    var seen: Set<Int> = []
    let active = "Number(document.querySelector('.ev-lines [aria-selected=true]')?.ariaRowIndex)"
    try window.press(.home)
    try window.wait(for: "\(active) === 2")
    while true {
      try window.wait(for: "document.querySelectorAll('.ev-wait').length === 0")
      let shown: [Int] = try window.evaluate("\(Self.rows).map(row => Number(row.ariaRowIndex))")
      #expect(shown.count < 200)
      seen.formUnion(shown)
      let before: Int = try window.evaluate(active)
      if before == (try total()) { break }
      try window.press(.pageDown)
      try window.wait(for: "\(active) > \(before)")
    }
    // The first row has the names of the columns.
    #expect(seen == Set(2...(try total())))
    #expect(window.problems == [])
  }

  @Test func `an event that is appended appears at the end while the page follows`() throws {
    try window.focus("[role=treegrid]")
    try window.press(.end)
    try studio.run("submit", studio.workspace, "--as", "ada", "send", "general", "A message for the tail")
    try window.wait(for: "document.querySelector('[role=treegrid]').textContent.includes('A message for the tail')")
    #expect(window.problems == [])
  }

  @Test func `a filter applies to appended events, and an arrow key expands a run of keystrokes`() throws {
    let text = "document.querySelector('[role=treegrid]').textContent"
    try window.focus("#filter-text")
    try window.type("NEEDLE")
    try window.wait(for: "\(Self.rows).length === 0 && location.search.includes('text=NEEDLE')")
    for words in ["a Needle in it", "only hay"] {
      try studio.run("submit", studio.workspace, "--as", "ada", "send", "general", words)
    }
    try studio.run("submit", studio.workspace, "--as", "ben", "send", "general", "needles, two")
    try window.wait(for: "\(text).includes('needles, two') && \(text).includes('a Needle in it')")
    #expect(try window.evaluate("!\(text).includes('only hay') && \(Self.rows).length === 2"))
    let typed = try studio.run("events", studio.workspace, "--type", "composerTyped", "--json", "--limit", "1")
    let actor = try #require(typed.firstMatch(of: #/"actor":"([a-z]+)"/#)?.1)
    try window.visit(studio.base + "/events?type=composerTyped&actor=\(actor)&at=1")
    try window.wait(
      for: "(window.count = Number.parseInt(\(Self.rows)[0].querySelector('.badge').textContent, 10)) > 1")
    let total = "Number(document.querySelector('[role=treegrid]').ariaRowCount)"
    try window.run("window.total = \(total)")
    try window.focus("[role=treegrid]")
    try window.press(.home)
    try window.press(.arrowRight)
    try window.wait(for: "\(total) === window.total + window.count")
    try window.press(.arrowLeft)
    try window.wait(for: "\(total) === window.total")
    #expect(window.problems == [])
  }

  @Test func `a link of an event shows it, with its bytes, its block and its message`() throws {
    try studio.run("submit", studio.workspace, "--as", "ada", "send", "general", "Nur einmal: größer")
    let head: Int = try window.evaluate(
      "fetch('/api/rows?from=0&count=1').then(answer => answer.json()).then(answer => answer.head)")
    try window.visit(studio.base + "/events?position=\(head)")
    try window.wait(for: "document.querySelector('.ev-detail').textContent.includes('Nur einmal: größer')")
    let text = try window.text(of: ".ev-detail")
    #expect(text.contains("messageSent") && text.localizedCaseInsensitiveContains("biography"))
    #expect(window.problems == [])
  }
}
