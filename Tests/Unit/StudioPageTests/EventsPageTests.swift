// Threat: the list of events shows other events than the log has, or stops showing new ones.
import Browser
import Foundation
import Testing

@Suite(.ownThread, .serialized) struct `The events page` {
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
    let total: Int = try window.evaluate("Number(document.querySelector('[role=treegrid]').ariaRowCount)")
    #expect(total > 500)
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
      if before == total { break }
      try window.press(.pageDown)
      try window.wait(for: "\(active) > \(before)")
    }
    // The first row has the names of the columns.
    #expect(seen == Set(2...total))
    #expect(window.problems == [])
  }

  @Test func `an event that is appended appears at the end while the page follows`() throws {
    try window.focus("[role=treegrid]")
    try window.press(.end)
    try studio.run("submit", studio.workspace, "--as", "ada", "send", "general", "A message for the tail")
    try window.wait(for: "document.querySelector('[role=treegrid]').textContent.includes('A message for the tail')")
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
