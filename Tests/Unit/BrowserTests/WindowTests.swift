// How windows visit served pages: reachability, cookies, waiting, requests and problems.
import Browser
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser) struct `A window` {
  let browser: Browser

  init() throws { browser = try .shared() }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a served page is visited without problems`(host: String) throws {
    let site = try Site("<p>Good morning</p>", script: "document.body.append('!')")
    let window = try browser.visit(site.address(host: host), width: 500, height: 400, scheme: .dark)
    #expect(try window.text() == "Good morning\n\n!")
    #expect(try window.evaluate("[innerWidth, innerHeight]") == [500, 400])
    #expect(try window.evaluate("matchMedia('(prefers-color-scheme: dark)').matches"))
    #expect(window.problems == [])
    #expect(window.requests == ["/", "/style.css", "/script.js"].map { site.address($0, host: host) })
  }

  @Test func `other hosts cannot be visited`() throws {
    for address in ["http://a.example/", "http://127.0.0.2:8080/", "http://192.0.2.1/"] {
      #expect(throws: Browser.Failure.refused("Page.navigate", "net::ERR_NAME_NOT_RESOLVED")) {
        try browser.visit(address)
      }
    }
  }

  @Test func `windows of one context share cookies, other contexts do not`() throws {
    let site = try Site("")
    let context = try browser.context()
    let first = try context.visit(site.address("/sign-in"))
    #expect(try first.text() == Site.cookie)
    let second = try context.visit(site.address("/user"))
    #expect(try second.text() == Site.cookie)
    #expect(try browser.visit(site.address("/user")).text() == "nobody")
  }

  @Test func `the windows of a context are drawn and focused at the same time`() throws {
    let site = try Site("<input aria-label=a>", script: "document.querySelector('input').focus()")
    let context = try browser.context()
    let windows = try (0..<3).map { _ in try context.visit(site.address) }
    for (number, window) in windows.enumerated() {
      #expect(try window.evaluate("document.hasFocus() && !document.hidden"))
      try window.type("\(number)")
    }
    for (number, window) in windows.enumerated() {
      try window.wait(for: "new Promise(requestAnimationFrame)")
      #expect(try window.evaluate("document.querySelector('input').value") == "\(number)")
    }
  }

  @Test func `a page that asks before it is left is left, and its window closes`() throws {
    let site = try Site("<button>x</button>", script: "onbeforeunload = event => event.preventDefault()")
    let window = try browser.visit(site.address)
    try window.click("button")
    try window.visit(site.address("/user"))
    #expect(try window.text() == "nobody")
    #expect(window.problems == [])
  }

  @Test func `a page is loaded again`() throws {
    let site = try Site("", script: "sessionStorage.n = Number(sessionStorage.n ?? 0) + 1")
    defer { site.stop() }
    let window = try browser.visit(site.address + "#part")
    try window.visit(site.address + "#other")
    #expect(try window.evaluate("sessionStorage.n") == "1")
    try window.reload()
    #expect(try window.evaluate("sessionStorage.n") == "2")
  }

  // MARK: Waiting

  @Test func `a condition is awaited`() throws {
    let script = "setTimeout(() => document.body.append(document.createElement('hr')), 100)"
    let site = try Site("", script: script)
    defer { site.stop() }
    let window = try browser.visit(site.address)
    try window.wait(for: "document.querySelector('hr').parentNode == document.body  // at first, there is none")
    try window.wait(for: "fetch('/user').then(response => response.ok)")
  }

  @Test func `a condition that does not become true is named`() throws {
    let window = try Site("").visit(in: browser)
    #expect(throws: Browser.Failure.unmet("1 > 2", seconds: 1, problem: nil, shown: "")) {
      try window.wait(for: "1 > 2", within: 1)
    }
    let failure = #expect(throws: Browser.Failure.self) {
      try window.wait(for: "document.querySelector('hr').id", within: 1)
    }
    #expect("\(try #require(failure))".contains("“document.querySelector('hr').id” within 1 seconds; the last"))
    #expect("\(try #require(failure))".contains("TypeError: Cannot read properties of null"))
    #expect(throws: Browser.Failure.self) { try window.wait(for: "1 +", within: 1) }
  }

  @Test func `a condition is awaited over the change to another page`() throws {
    let site = try Site("", script: "setTimeout(() => location = '/user', 100)")
    defer { site.stop() }
    let window = try browser.visit(site.address)
    try window.wait(for: "location.pathname == '/user' && document.body.innerText == 'nobody'")
  }

  // MARK: Problems

  @Test func `a request to another origin is a problem`() throws {
    let (site, other) = (try Site(""), try Site(""))
    defer { site.stop() }
    // This page has no policy that forbids requests.
    let window = try browser.visit(site.address("/user"))
    try window.run("fetch('/user')")
    #expect(window.problems == [])
    for address in [other.address("/user"), "https://a.example/", "ws://127.0.0.1:\(other.port)/socket"] {
      let isSocket = address.hasPrefix("ws")
      try window.run(isSocket ? "try { new WebSocket('\(address)') } catch {}" : "fetch('\(address)').catch(() => 0)")
      #expect(window.problems.contains("the page loads \(address)"), "\(window.problems)")
    }
  }

  @Test func `an own request that fails is a problem unless the test allows it`() throws {
    let site = try Site("<img alt='' src=/missing.png>")
    let window = try browser.visit(site.address)
    try window.wait(for: "document.images[0].complete")
    let problem = "the server answers 404 for \(site.address("/missing.png"))"
    #expect(window.problems == [problem])
    #expect(window.problems(allowing: [problem]) == [])
    site.stop()
    try window.run("fetch('/user').catch(() => 0)")
    #expect(
      window.problems(allowing: [problem])
        == ["the request fails for \(site.address("/user")): net::ERR_CONNECTION_REFUSED"])
  }

  @Test func `a request that the page cancels is no problem`() throws {
    let site = try Site("")
    defer { site.stop() }
    let window = try browser.visit(site.address)
    try window.run("const abort = new AbortController(), f = fetch('/user', abort); abort.abort(); f.catch(() => 0)")
    #expect(window.problems == [])
  }

  @Test func `violations of the policy, errors on the console and failed scripts are problems`() throws {
    let script = """
      console.error('bad', 1)
      document.body.append(Object.assign(document.createElement('script'), { text: '1' }))
      document.body.setAttribute('style', 'color: red')
      null.length
      """
    let problems = try Site("", script: script).visit(in: browser).problems
    #expect(problems.contains("the console says: bad 1"))
    #expect(problems.contains { $0.contains("TypeError: Cannot read properties of null") })
    #expect(problems.count { $0.contains("violates the following Content Security Policy") } == 2, "\(problems)")
    #expect(problems.count == 4)
  }
}
