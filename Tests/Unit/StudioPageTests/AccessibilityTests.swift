// Threat: a page cannot be used without a mouse, without eyes, or on a small screen, or text from a log runs in it.
import Browser
import ChildProcess
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser, .serialized) struct `Pages of the studio` {
  /// The pages with the sign that each is complete.
  private static let pages = [
    ("/events", "document.querySelectorAll('.ev-lines [role=row]').length > 5"),
    ("/time?user=ada&channel=general&position=602", "document.querySelector('.changes .change') !== null"),
    ("/health", "document.querySelectorAll('.health .panel').length > 3"),
  ]

  @Test(arguments: [320, 1280]) func `no page breaks a rule of accessibility`(width: Int) throws {
    let studio = try StudioProcess(of: Workspaces.lively())
    let context = try Browser.shared().context()
    _ = try context.visit(studio.address)
    for (path, isComplete) in Self.pages {
      let window = try context.visit(studio.base + path, width: width, height: 800)
      try window.wait(for: isComplete)
      for scheme in Browser.Scheme.allCases {
        try window.prefer(scheme)
        // Enhanced contrast and experimental rules are beyond what the pages promise.
        let found = try window.violations(except: ["color-contrast-enhanced"])
        #expect(found == [], "\(path) \(scheme)")
      }
      #expect(try window.evaluate("document.documentElement.scrollWidth <= innerWidth"), "\(path)")
      try keepPicture(of: window, "\(path.prefix { $0 != "?" }.dropFirst())-\(width)")
      #expect(window.problems == [])
    }
  }

  /// Keeps a picture for the documentation, if a directory for pictures is given.
  private func keepPicture(of window: Window, _ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["VERBATIM_PICTURES"] else { return }
    try window.screenshot().write(to: URL(fileURLWithPath: "\(folder)/studio-\(name).png"))
  }

  @Test func `hostile names and texts run nothing and leave nothing`() throws {
    let studio = try StudioProcess(of: Workspaces.lively())
    let hostile = #"<img src=x onerror="document.title='run'"><script>document.title='run'</script>"#
    try studio.run("submit", studio.workspace, "--as", "ada", "send", "general", hostile)
    let head = Int(try studio.run("query", "messages", studio.workspace, "general", "--as", "ada", "--json").count)
    #expect(head > 0)
    let context = try Browser.shared().context()
    _ = try context.visit(studio.address)
    for (path, _) in Self.pages {
      let window = try context.visit(
        studio.base + path.replacing("position=602", with: "position=99999"), width: 1000, height: 800)
      try window.wait(for: "document.querySelector('h1') !== null")
      try window.visit(studio.base + path)
      try window.wait(for: "document.querySelector('h1') !== null")
      #expect(try window.evaluate("document.title !== 'run' && document.querySelector('img[onerror]') === null"))
      #expect(window.requests.allSatisfy { $0.hasPrefix(studio.base + "/") || $0.hasPrefix("data:") })
    }
    let window = try context.visit(studio.base + "/events", width: 1000, height: 800)
    try window.wait(for: "document.querySelector('.ev-lines').textContent.includes('onerror')")
    #expect(window.problems == [])
  }

  @Test func `a verification is run from the health page`() throws {
    let studio = try StudioProcess(of: Workspaces.lively())
    let window = try Browser.shared().visit(studio.address, width: 1000, height: 800)
    try window.wait(for: "document.querySelectorAll('.messages .row').length > 3")
    try window.focus("textarea")
    try window.type("a")
    try window.wait(for: "document.body.dataset.waiting === '0'")
    try window.visit(studio.base + "/health")
    try window.wait(for: "[...document.querySelectorAll('button')].some(button => button.textContent === 'Verify')")
    try window.run("[...document.querySelectorAll('button')].find(button => button.textContent === 'Verify').click()")
    try window.wait(for: "document.body.textContent.includes('Every check passed.')")
    #expect(try window.text(of: ".health").contains("99 of 100 within"))
    // What was typed was committed.
    #expect(try window.evaluate("fetch('/api/health').then(a => a.json()).then(({commits}) => commits.p99 > 0)"))
    #expect(window.problems == [])
    #expect(studio.interrupt() == .exit(0))
  }
}
