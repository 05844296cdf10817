// What a look at a page tells of it: problems, width, colours, text, parts.
import Browser
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser) struct `A look at a page` {
  let browser: Browser

  init() throws { browser = try .shared() }

  @Test func `a fine page has no problems, and is seen`() throws {
    let image = "<img alt='' src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='>"
    let sight = try browser.look(
      at: page("<h1>Good morning 🎉</h1><a href='http://a.example/'>a link</a>\(image)"), width: 360)
    #expect(sight.problems == [])
    #expect(sight.clientWidth == 360)
    #expect(sight.scrollWidth == 360)
    #expect(sight.text.contains("Good morning 🎉"))
    #expect(try sight.colors() > 10)
  }

  @Test func `a file is looked at where it lies`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "look at \(UUID().uuidString) #1.html")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(page("<p>from a file</p>").utf8).write(to: file)
    let sight = try browser.look(at: file)
    #expect(sight.problems == [])
    #expect(sight.text == "from a file")
  }

  @Test func `what goes wrong in scripts is told`() throws {
    try expectTold([
      ("<script>null.length</script>", "a script failed: TypeError: Cannot read"),
      ("<script>throw 'a word'</script>", "a script failed: Uncaught a word"),
      ("<script>Promise.reject(new Error('late'))</script>", "a script failed: Error: late"),
      ("<script>let = </script>", "a script failed: SyntaxError"),
      ("<script>console.error('so', 5, 'bad', document.body)</script>", "the console says: so 5 bad body"),
      ("<script>console.assert(false, 'no')</script>", "the console says: no"),
      ("<script>confirm('sure?')</script>", "the page opens a dialog: sure?"),
    ])
  }

  @Test func `what is loaded, and what cannot be shown, is told`() throws {
    try expectTold([
      ("<img src='http://a.example/b.png'>", "the page loads http://a.example/b.png"),
      ("<img loading=lazy style='margin-top: 9999px' src='https://a.example/'>", "the page loads https://a.example/"),
      ("<img src='missing.png'>", "net::ERR_FILE_NOT_FOUND"),
      ("<img src='data:image/png;base64,AAAA'>", "an image cannot be shown: data:image/png;base64,AAAA"),
      ("<link rel=icon href='http://a.example/i.png'>", "the page loads http://a.example/i.png"),
      ("<style>@import 'http://a.example/c.css'</style>", "the page loads http://a.example/c.css"),
      ("<style>b { background: url(http://127.0.0.1/d.png) }</style><b>x</b>", "the page loads http://127.0.0.1/d.png"),
      ("<iframe src='http://a.example/e'></iframe>", "the page loads http://a.example/e"),
      ("<script>fetch('http://a.example/f').catch(() => 0)</script>", "the page loads http://a.example/f"),
      ("<script>new WebSocket('ws://a.example/g')</script>", "the page loads ws://a.example/g"),
    ])
  }

  @Test func `what a page forbids itself and does is told`() throws {
    let policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    let problems = try browser.look(at: page("<p style='color: red'>x<script>1</script>", head: policy)).problems
    #expect(problems.count == 2)
    #expect(problems.allSatisfy { $0.contains("violates the following Content Security Policy") })
  }

  @Test func `what goes wrong later is told by the same sight`() throws {
    let sight = try browser.look(at: page("<button onclick='null.x'>x</button>"))
    #expect(sight.problems == [])
    #expect(try sight.evaluate("document.querySelector('button').click(), true"))
    #expect(sight.problems.count == 1)
  }

  @Test func `a page that scrolls sideways is wider than its window`() throws {
    let wide = page("<div style='width: 500px'>x</div>")
    let narrow = try browser.look(at: wide, width: 360)
    #expect(narrow.scrollWidth > narrow.clientWidth)
    let roomy = try browser.look(at: wide, width: 800)
    #expect(roomy.scrollWidth == roomy.clientWidth)
  }

  @Test(arguments: Browser.Scheme.allCases)
  func `a page with nothing on it has one colour and no text`(scheme: Browser.Scheme) throws {
    let sight = try browser.look(at: page(""), scheme: scheme)
    #expect(try sight.colors() == 1)
    #expect(sight.text.isEmpty)
  }

  @Test func `dark and light differ, whether the page or the browser chooses the colours`() throws {
    let chosen =
      "<style>body { background: white } @media (prefers-color-scheme: dark) { body { background: black } }</style>"
    let left = "<meta name=color-scheme content='light dark'>"
    for head in [chosen, left] {
      let light = try browser.look(at: page("x", head: head), scheme: .light)
      #expect(light.backgroundColor == "rgb(255, 255, 255)")
      let dark = try browser.look(at: page("x", head: head), scheme: .dark)
      #expect(dark.backgroundColor != light.backgroundColor)
      #expect(try dark.screenshot() != light.screenshot())
      try light.prefer(.dark)
      #expect(try light.screenshot() == dark.screenshot())
    }
  }

  @Test func `a picture shows the window, or the whole page`() throws {
    let sight = try browser.look(at: page("<div style='height: 2000px'>x</div>"), width: 360, height: 400)
    // A page that is longer than its window is as wide as it.
    #expect(sight.clientWidth == 360)
    #expect(try size(ofPNG: sight.screenshot()) == [360, 400])
    #expect(try size(ofPNG: sight.screenshot(whole: true)) == [360, 2016])
  }

  @Test func `a test asks what it wants`() throws {
    let sight = try browser.look(at: page("<ul><li>a<li>b</ul>"))
    #expect(try sight.evaluate("document.querySelectorAll('li').length") == 2)
    #expect(try sight.evaluate("[...document.querySelectorAll('li')].map(i => i.innerText)") == ["a", "b"])
    #expect(try sight.evaluate("new Promise(done => setTimeout(() => done('later')))") == "later")
    #expect(try sight.evaluate("({ a: 1.5 })", as: [String: Double].self) == ["a": 1.5])
    #expect(throws: Browser.Failure.self) { try sight.evaluate("nobody.knows", as: Int.self) }
    #expect(throws: DecodingError.self) { try sight.evaluate("'text'", as: Int.self) }
  }

  @Test func `the Tab key goes from one thing to the next, and Enter presses it`() throws {
    let sight = try browser.look(
      at: page("<a id=a href='#b'>a</a><p>b</p><button id=c onclick=\"document.title = 'pressed'\">c</button>"))
    let other = try browser.look(at: page("<p>another window, opened later"))
    let focused = try (0..<2).map { _ in
      try sight.press(.tab)
      return try sight.evaluate("document.activeElement.id", as: String.self)
    }
    #expect(focused == ["a", "c"])
    try sight.press(.enter)
    #expect(try sight.evaluate("document.title") == "pressed")
    #expect(try sight.evaluate("document.hasFocus()") && other.evaluate("document.hasFocus()"))
  }

  @Test func `a screen reader meets the parts of a page with their names`() throws {
    let sight = try browser.look(at: page("<main><h2>News</h2><button>Go</button><i aria-hidden=true>no</i></main>"))
    let parts = try sight.parts().filter { ["main", "heading", "button"].contains($0.role) }
    #expect(parts.map(\.role) == ["main", "heading", "button"])
    #expect(parts.map(\.name) == ["", "News", "Go"])
    #expect(parts.map(\.isFocusable) == [false, false, true])
    #expect(try !sight.parts().contains { $0.name == "no" || $0.role == "none" })
  }

  /// Puts faults on one page; each must be told.
  private func expectTold(_ faults: [(html: String, problem: String)]) throws {
    let problems = try browser.look(at: page(faults.map(\.html).joined())).problems
    for (html, problem) in faults {
      #expect(problems.contains { $0.contains(problem) }, "\(html) among \(problems)")
    }
  }
}

/// A page with some content.
func page(_ body: String, head: String = "", title: String = "A page") -> String {
  "<!doctype html><html lang=en><head><meta charset=utf-8><title>\(title)</title>\(head)</head><body>\(body)</html>"
}

private func size(ofPNG data: Data) throws -> [Int] {
  try #require(data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  return [16, 20].map { start in data[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
}
