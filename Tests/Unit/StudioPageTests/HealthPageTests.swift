// Threat: scheduled messages wait because no process delivers them, and the page says that all is well.
import Browser
import ChildProcess
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `The health page` {
  @Test func `a finding of a damaged block has advice, skipped checks and a link to its events`() throws {
    let studio = try StudioProcess(of: Workspaces.lively())
    try studio.run("submit", studio.workspace, "--as", "ada", "send", "general", "the damaged one")
    let sent = try studio.run("events", studio.workspace, "--type", "messageSent", "--backward", "--limit", "1")
    let position = try #require(sent.split(separator: " ").first.flatMap { Int($0) })
    // More blocks follow: that of the end of the log would be found without verifying it.
    try studio.run("submit", studio.workspace, "--as", "ada", "send", "general", "another one")
    let window = try Browser.shared().visit(studio.address, width: 1000, height: 800)
    try window.visit(studio.base + "/health")
    try window.wait(for: "document.querySelectorAll('.health .panel').length > 3")
    let file = URL(fileURLWithPath: studio.workspace + "/log/data.mdb")
    let log = try FileHandle(forWritingTo: file)
    // Pages that are no longer used have the text, too.
    for place in try Data(contentsOf: file).ranges(of: Data("the damaged one".utf8)) {
      try log.seek(toOffset: UInt64(place.lowerBound))
      try log.write(contentsOf: Data("T".utf8))
    }
    try log.close()
    try window.run("[...document.querySelectorAll('button')].find(button => button.textContent === 'Verify').click()")
    try window.wait(for: "document.body.textContent.includes('Findings: 1')")
    let text = try window.text(of: "main > .panel")
    #expect(text.contains("`verbatim log salvage"), "\(text)")
    #expect(text.contains("skipped, since the log is damaged"), "\(text)")
    let link: String = try window.evaluate("document.querySelector('main > .panel li a').getAttribute('href')")
    #expect(link == "/events?position=\(position)")
  }

  @Test func `the page shows the number of due deliveries and the delivering process`() throws {
    let studio = try StudioProcess(of: Workspaces.lively())
    let window = try Browser.shared().visit(studio.address, width: 1000, height: 800)
    try window.visit(studio.base + "/health")
    func wait(for sentences: String...) throws {
      for sentence in sentences {
        try window.wait(for: "document.querySelector('.health').innerText.includes('\(sentence)')")
      }
    }
    try wait(for: "Due messages and reminders\\n0", "not running here")
    try studio.run("submit", studio.workspace, "--as", "ada", "schedule", "Good night", "for=1s", "in=general")
    try window.wait(
      for: "/Last hour\\s+[1-9].* events?, about [1-9]/.test(document.querySelector('.health').innerText)")
    // It becomes due without a further event.
    try wait(for: "Due messages and reminders\\n1", "unless another one does, run verbatim deliver.")
    let delivering = try Child([StudioProcess.program, "deliver", studio.workspace])
    try wait(for: "process \(delivering.process)", "Due messages and reminders\\n0")
    let sent = try studio.run("events", studio.workspace, "--type", "messageSent", "--backward", "--limit", "1")
    #expect(sent.contains("Good night"))
    delivering.end()
    try wait(for: "not running here")
    #expect(window.problems == [])
  }

  @Test func `new figures are shown in the elements that are there, so that focus and selection stay`() throws {
    let studio = try StudioProcess(of: Workspaces.lively())
    let window = try Browser.shared().visit(studio.address, width: 1000, height: 800)
    try window.visit(studio.base + "/health")
    try window.wait(for: "document.querySelectorAll('.health .panel').length > 3")
    try window.run(
      """
      const shown = () => document.querySelector('[aria-label="How far the tables are folded"]')
      window.folded = () => shown().querySelector('tbody td').textContent
      window.first = folded()
      window.table = shown()
      table.focus()
      window.bars = [...document.querySelectorAll('.health .gauge > span')]
      """)
    try studio.run("submit", studio.workspace, "--as", "ada", "send", "general", "hello")
    try window.wait(for: "folded() !== first")
    #expect(try window.evaluate("table.isConnected && document.activeElement === table", as: Bool.self))
    #expect(try window.evaluate("bars.every(bar => bar.isConnected && bar.style.width !== '')", as: Bool.self))
    #expect(window.problems == [])
  }
}
