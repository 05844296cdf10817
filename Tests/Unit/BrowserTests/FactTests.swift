// Facts about the page in a window: memory, long tasks, violations of accessibility rules; and being offline.
import Foundation
import Testing
import TestThreads

@testable import Browser

@Suite(.waitsForBrowser) struct `Facts of a page` {
  let browser: Browser

  init() throws { browser = try .shared() }

  @Test func `a long task is measured, also one while the page loads`() throws {
    let busy = "{ const end = performance.now() + 200; while (performance.now() < end); }"
    let window = try Site("", script: busy).visit(in: browser)
    #expect(try 200...10_000 ~= window.longestTask())
    try window.forgetLongTasks()
    #expect(try window.longestTask() == 0)
    try window.run("new Promise(done => setTimeout(() => { \(busy) done() }))")
    #expect(try 200...10_000 ~= window.longestTask())
  }

  @Test func `memory that is not used is collected`() throws {
    let window = try Site("").visit(in: browser)
    try window.collectGarbage()
    let start = try window.metrics()
    try window.run("kept = Array.from({ length: 1000 }, () => document.createElement('p')), console.log(kept), kept")
    try window.run("kept.push(Array.from({ length: 1e6 }, (_, index) => index + 0.5))")
    try window.collectGarbage()
    let full = try window.metrics()
    #expect(full.nodeCount >= start.nodeCount + 1000)
    #expect(full.heapByteCount >= start.heapByteCount + 4_000_000)
    try window.run("kept = null")
    try window.collectGarbage()
    let end = try window.metrics()
    #expect(end.nodeCount < start.nodeCount + 500)
    #expect(end.heapByteCount < start.heapByteCount + 2_000_000)
  }

  @Test func `a window is offline until it is connected again`() throws {
    let site = try Site("")
    defer { site.stop() }
    let window = try browser.visit(site.address)
    let fetch = "fetch('/user').then(() => 'there', () => 'not there')"
    try window.setOffline(true)
    #expect(try window.evaluate(fetch) == "not there")
    #expect(try window.evaluate("navigator.onLine") == false)
    #expect(window.problems(allowing: ["net::ERR_INTERNET_DISCONNECTED"]) == [])
    #expect(window.problems.count == 1)
    try window.setOffline(false)
    #expect(try window.evaluate(fetch) == "there")
    #expect(try window.evaluate("navigator.onLine"))
  }

  @Test func `violations of accessibility rules are named with their elements`() throws {
    let site = try Site(
      "<img id=picture src=/style.css><button></button><p id=pale>pale</p>", style: "p { color: #ccc }", title: "")
    let lines = try browser.visit(site.address).violations()
    for start in [
      "image-alt (critical) at #picture: Fix any of the following: Element does not have an alt attribute",
      "button-name (critical) at button: ", "document-title (serious) at html: ", "color-contrast (serious) at #pale: ",
      "landmark-one-main (moderate) at html: ",
    ] {
      #expect(lines.contains { $0.hasPrefix(start) }, "\(start) in \(lines)")
    }
    let others = try browser.visit(site.address).violations(except: ["image-alt"])
    #expect(others.allSatisfy { !$0.hasPrefix("image-alt") } && others.count == lines.count - 1)
  }

  @Test func `a good page has no violations, and the check is no problem for its policy`() throws {
    let site = try Site("<main><h1>News</h1><p>All is well.</p><button>More</button></main>")
    let window = try browser.visit(site.address)
    #expect(try window.violations() == [])
    #expect(try window.evaluate("typeof axe") == "undefined")
    #expect(window.problems == [])
    #expect(throws: Browser.Failure.self) { try window.run("eval('1')") }  // The policy is in force.
  }

  @Test func `where the checker is missing, the failure says what to install`() throws {
    let failure = #expect(throws: Browser.Failure.self) { try checker(in: URL(filePath: "/no/such")) }
    #expect(failure == .checkerMissing(path: "/no/such"))
    #expect("\(try #require(failure))".contains("Tools/setup --checks"))
  }
}
