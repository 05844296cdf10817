// How a browser starts, serves several looks, and ends.
import Browser
import Dispatch
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser) struct `A browser` {
  @Test func `where there is none, it is said what to install`() {
    let failure = #expect(throws: Browser.Failure.self) {
      _ = try Browser.start(among: ["no-such-browser", "/no/such"])
    }
    #expect(failure == .missing)
    #expect("\(Browser.Failure.missing)".contains("Tools/setup --checks"))
  }

  @Test func `what is no browser is told with its last words`() {
    let failure = #expect(throws: Browser.Failure.self) { _ = try Browser.start(among: ["false"]) }
    guard case .ended = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `several looks at once see each its own page`() throws {
    let browser = try Browser.shared()
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      #expect(throws: Never.self) {
        let scheme = Browser.Scheme.allCases[index % 2]
        let sight = try browser.look(at: page("<p>\(index)"), width: 300 + index, scheme: scheme)
        #expect(sight.text == "\(index)")
        #expect(sight.clientWidth == 300 + index)
        #expect(try sight.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") == (scheme == .dark))
        #expect(sight.problems == [])
      }
    }
  }

  @Test func `no page reaches another place, not even on this machine`() throws {
    let sight = try Browser.shared().look(at: page("<p>x"))
    #expect(
      try sight.evaluate("fetch('http://127.0.0.1:65432/').then(() => 'there', () => 'not there')") == "not there")
    // Were it tried, the connection would be refused.
    #expect(sight.problems.contains { $0.contains("net::ERR_PROXY_CONNECTION_FAILED") }, "\(sight.problems)")
  }

  @Test func `a look leaves nothing to the next`() throws {
    let browser = try Browser.shared()
    let counting = page("<script>localStorage.n = Number(localStorage.n ?? 0) + 1</script>")
    for _ in 0..<2 {
      let sight = try browser.look(at: counting)
      #expect(try sight.evaluate("localStorage.n") == "1")
    }
  }

  @Test func `a page that never ends is given up, and the browser serves on`() throws {
    let browser = try Browser.shared()
    #expect(throws: Browser.Failure.silent("load", seconds: 1)) {
      try browser.look(at: page("<script>while (true) {}</script>"), within: 1)
    }
    #expect(try browser.look(at: page("<p>next")).text == "next")
  }

  @Test func `a page that is not there is told`() throws {
    let file = URL(fileURLWithPath: "/no/such/page.html")
    #expect(throws: Browser.Failure.refused("Page.navigate", "net::ERR_FILE_NOT_FOUND")) {
      try Browser.shared().look(at: file)
    }
  }

  @Test func `it ends with its last page and leaves no file behind`() throws {
    var sight: Sight? = try Browser.start().look(at: page("<p>alone"))
    let folder = try #require(
      sight.map { try URL(fileURLWithPath: $0.evaluate("location.pathname")).deletingLastPathComponent().path })
    #expect(FileManager.default.fileExists(atPath: folder))
    #expect(sight?.text == "alone")
    sight = nil
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
