// Threat: scheduled messages wait because no process delivers them, and the page says that all is well.
import Browser
import ChildProcess
import Foundation
import Testing

@Suite(.ownThread, .serialized) struct `The health page` {
  @Test func `what is due is counted, and the process that delivers it is named`() throws {
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
    try wait(for: "Due messages and reminders\\n1", "What is due is not delivered: run verbatim deliver.")
    let delivering = try Child([StudioProcess.program, "deliver", studio.workspace])
    try wait(for: "process \(delivering.process)", "Due messages and reminders\\n0")
    let sent = try studio.run("events", studio.workspace, "--type", "messageSent", "--backward", "--limit", "1")
    #expect(sent.contains("Good night"))
    delivering.end()
    try wait(for: "not running here")
    #expect(window.problems == [])
  }
}
